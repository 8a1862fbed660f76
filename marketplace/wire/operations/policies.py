"""Review policies: what a HIT is created with, and what came of them."""

from collections.abc import Callable
from typing import Any

from ...errors import invalid_value
from ...models import HIT, PolicyOutcome, ReviewPolicy
from ...services import policies, publishing
from .. import paging
from .call import Call
from .limits import CONTROL, check_range

MOST_QUESTIONS = 25  # of a policy; public clients send up to 25, an old one allowed 15
VALUE = 1024  # characters of a value or a reason; ours
PAGE = 100  # outcomes, unless the caller says otherwise; ours

Read = Callable[[str, dict[str, Any]], Any]


def _number(least: int, most: int) -> Read:
    def read(path: str, parameter: dict[str, Any]) -> int:
        text = _single(path, parameter).strip()
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise invalid_value(path, f"It must be a whole number, not {text[:50]!r}.")
        check_range(path, int(text), least, most)
        return int(text)

    return read


def _flag(path: str, parameter: dict[str, Any]) -> bool:
    text = _single(path, parameter).strip().lower()
    if text not in ("t", "f", "true", "false"):
        raise invalid_value(path, f"It must be T or F, not {text[:50]!r}.")
    return text in ("t", "true")


def _reason(path: str, parameter: dict[str, Any]) -> str:
    text = _single(path, parameter)
    if len(text) > VALUE or CONTROL.search(text):
        raise invalid_value(path, f"It has at most {VALUE} characters, and no control characters.")
    return text


def _single(path: str, parameter: dict[str, Any]) -> str:
    values = parameter.get("Values", [])
    if len(values) != 1 or parameter.get("MapEntries"):
        raise invalid_value(path, f"It takes one of Values, not {len(values)}.")
    return values[0]


def _question_ids(path: str, parameter: dict[str, Any]) -> list[str]:
    """Question ids, one a value or with commas between."""
    ids = [part.strip() for value in parameter.get("Values", []) for part in value.split(",")]
    found = list(dict.fromkeys(part for part in ids if part))
    _check_questions(path, found)
    return found


def _answer_key(path: str, parameter: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Question ids and their values, as pairs: the database keeps no order of an object's members."""
    entries = parameter.get("MapEntries", [])
    known = {entry.get("Key", ""): entry.get("Values", []) for entry in entries}
    if len(known) < len(entries) or "" in known:
        raise invalid_value(path, "Each of its MapEntries has a Key of its own, the id of a question.")
    _check_questions(path, list(known))
    for values in known.values():
        if any(len(value) > VALUE for value in values):
            raise invalid_value(path, f"An answer has at most {VALUE} characters.")
    return list(known.items())


def _check_questions(path: str, ids: list[str]) -> None:
    if not 1 <= len(ids) <= MOST_QUESTIONS:
        raise invalid_value(path, f"It names {len(ids)} questions; 1 to {MOST_QUESTIONS} are allowed.")
    if any(len(question) > VALUE for question in ids):
        raise invalid_value(path, f"The id of a question has at most {VALUE} characters.")


SCORE = _number(0, 101)  # 0 for never, 101 for always (or the other way round)
SECONDS = 31_536_000

# Level: the one policy that there is, its parameters, those that it needs.
POLICIES: dict[ReviewPolicy.Level, tuple[str, dict[str, Read], tuple[str, ...]]] = {
    ReviewPolicy.Level.ASSIGNMENT: (
        "ScoreMyKnownAnswers/2011-09-01",
        {
            "AnswerKey": _answer_key,
            "ApproveIfKnownAnswerScoreIsAtLeast": SCORE,
            "ApproveReason": _reason,
            "RejectIfKnownAnswerScoreIsLessThan": SCORE,
            "RejectReason": _reason,
            "ExtendIfKnownAnswerScoreIsLessThan": SCORE,
            "ExtendMaximumAssignments": _number(2, 25),
            "ExtendMinimumTimeInSeconds": _number(60, SECONDS),
        },
        ("AnswerKey",),
    ),
    ReviewPolicy.Level.HIT: (
        "SimplePlurality/2011-09-01",
        {
            "QuestionIds": _question_ids,
            "QuestionAgreementThreshold": _number(0, 100),
            "DisregardAssignmentIfRejected": _flag,
            "DisregardAssignmentIfKnownAnswerScoreIsLessThan": SCORE,
            "ExtendIfHITAgreementScoreIsLessThan": _number(1, 100),
            "ExtendMaximumAssignments": _number(2, publishing.MAX_ASSIGNMENTS),
            "ExtendMinimumTimeInSeconds": _number(3600, SECONDS),
            "ApproveIfWorkerAgreementScoreIsAtLeast": SCORE,
            "ApproveReason": _reason,
            "RejectIfWorkerAgreementScoreIsLessThan": SCORE,
            "RejectReason": _reason,
        },
        ("QuestionIds", "QuestionAgreementThreshold"),
    ),
}
MEMBERS = {
    "AssignmentReviewPolicy": ReviewPolicy.Level.ASSIGNMENT,
    "HITReviewPolicy": ReviewPolicy.Level.HIT,
}


def checked(params: dict[str, Any]) -> list[ReviewPolicy]:
    """The policies of a HIT to be, not saved yet. Raises Refused."""
    return [_checked(member, level, params[member]) for member, level in MEMBERS.items() if member in params]


def _checked(member: str, level: ReviewPolicy.Level, given: dict[str, Any]) -> ReviewPolicy:
    name, readers, needed = POLICIES[level]
    if given["PolicyName"] != name:
        raise invalid_value(f"{member}.PolicyName", f"It must be {name}, not {given['PolicyName'][:64]!r}.")
    values: dict[str, Any] = {}
    for parameter in given.get("Parameters", []):
        key = parameter.get("Key", "")
        path = f"{member}.{key[:64]}"
        if key not in readers:
            raise invalid_value(path, f"{name} has no such parameter; it has {', '.join(readers)}.")
        if key in values:
            raise invalid_value(path, "It is given twice.")
        values[key] = readers[key](path, parameter)
    for key in needed:
        if key not in values:
            raise invalid_value(f"{member}.{key}", f"{name} needs it.")
    return ReviewPolicy(level=level, name=name, parameters=_with_defaults(member, level, values))


def _with_defaults(member: str, level: ReviewPolicy.Level, values: dict[str, Any]) -> dict[str, Any]:
    """What an extension goes by: for known answers AWS states defaults, for agreement both must be given."""
    limits = ("ExtendMaximumAssignments", "ExtendMinimumTimeInSeconds")
    if level == ReviewPolicy.Level.ASSIGNMENT:
        return {"ExtendMaximumAssignments": 5, "ExtendMinimumTimeInSeconds": 0} | values
    if "ExtendIfHITAgreementScoreIsLessThan" in values:
        for key in limits:
            if key not in values:
                raise invalid_value(f"{member}.{key}", "ExtendIfHITAgreementScoreIsLessThan needs it.")
    return values


def carry_out(call: Call, hit_id: str) -> None:
    """Carry out the policies of a HIT that may just have become reviewable."""
    due = ReviewPolicy.objects.filter(hit__hit_id=hit_id, hit__requester=call.requester)
    for key in due.values_list("hit_id", flat=True).distinct():
        policies.carry_out_for(key, call.now)


def list_results(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """What the policies of a HIT found and did, in the order in which it happened."""
    hit = HIT.objects.of(call.requester).undisposed().filter(hit_id=params["HITId"]).first()
    if hit is None:
        raise publishing.no_such_hit(params["HITId"])
    policies.carry_out_for(hit.pk, call.now)
    levels = sorted(set(params.get("PolicyLevels") or ReviewPolicy.Level.values))
    kinds = {
        PolicyOutcome.Kind.RESULT: params.get("RetrieveResults", True),
        PolicyOutcome.Kind.ACTION: params.get("RetrieveActions", True),
    }
    wanted = sorted(kind.value for kind, is_wanted in kinds.items() if is_wanted)
    rows = PolicyOutcome.objects.filter(run__policy__hit=hit, run__policy__level__in=levels, kind__in=wanted)
    scope = call.scope(hit.hit_id, *levels, *wanted)
    size = {"MaxResults": params.get("MaxResults", PAGE)}
    shown, numbers = paging.page(rows.select_related("run__policy"), params | size, scope=scope, order=("id",))
    found = {policy.level: policy for policy in hit.review_policies.all()}
    answer: dict[str, Any] = {"HITId": hit.hit_id, **numbers}
    for member, level in MEMBERS.items():
        if level in found and level in levels:
            answer[member] = {"PolicyName": found[level].name}
            report = [outcome for outcome in shown if outcome.run.policy.level == level]
            answer[f"{level.value}ReviewReport"] = {
                "ReviewResults": [_result(row) for row in report if row.kind == PolicyOutcome.Kind.RESULT],
                "ReviewActions": [_action(row) for row in report if row.kind == PolicyOutcome.Kind.ACTION],
            }
    return answer


def _result(outcome: PolicyOutcome) -> dict[str, Any]:
    return {
        "ActionId": outcome.outcome_id,
        "SubjectId": outcome.subject_id,
        "SubjectType": outcome.subject_type,
        "QuestionId": outcome.question_id or None,
        "Key": outcome.name,
        "Value": outcome.text,
    }


def _action(outcome: PolicyOutcome) -> dict[str, Any]:
    return {
        "ActionId": outcome.outcome_id,
        "ActionName": outcome.name,
        "TargetId": outcome.subject_id,
        "TargetType": outcome.subject_type,
        "Status": "Failed" if outcome.error_code else "Succeeded",
        "CompleteTime": outcome.created_at,
        "Result": outcome.text,
        "ErrorCode": outcome.error_code or None,
    }
