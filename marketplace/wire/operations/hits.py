"""HIT types and HITs."""

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.db.models import Q

from ... import questions
from ...errors import Refused, invalid_value
from ...models import HIT, Assignment, HITType, QualificationType
from ...querysets import Counts
from ...questions import patterns
from ...services import publishing
from .. import paging
from . import policies, requirements
from .call import Call
from .limits import check_length, check_range

TITLE, DESCRIPTION, KEYWORDS, ANNOTATION = 128, 2000, 1000, 255  # characters
SHORTEST, LONGEST = 30, 31_536_000  # seconds, for lifetime and assignment duration
LONGEST_APPROVAL_DELAY = 2_592_000  # seconds; also what is meant where none is given
# AWS states neither; these are ours.
LEAST_REWARD, MOST_REWARD = Decimal("0.01"), Decimal("10000.00")


def create_type(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    return {"HITTypeId": _type_from(call, params).type_id}


def create(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    values = _hit_values(params)
    return {"HIT": _create(call, _type_from(call, params), values)}


def create_with_type(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    values = _hit_values(params)
    hit_type = publishing.hit_type_of(call.requester, params["HITTypeId"])
    requirements.check_still_usable(hit_type)
    return {"HIT": _create(call, hit_type, values)}


def _create(call: Call, hit_type: HITType, values: dict[str, Any]) -> dict[str, Any]:
    return described(publishing.create_hit(hit_type, call.now, **values), Counts())


def _type_from(call: Call, params: dict[str, Any]) -> HITType:
    check_length("Title", params["Title"], TITLE, least=1)
    check_length("Description", params["Description"], DESCRIPTION, least=1)
    check_length("Keywords", params.get("Keywords", ""), KEYWORDS)
    reward = Decimal(params["Reward"])
    if not LEAST_REWARD <= reward <= MOST_REWARD:
        raise invalid_value("Reward", f"It must be from {LEAST_REWARD} to {MOST_REWARD} US dollars.")
    check_range("AssignmentDurationInSeconds", params["AssignmentDurationInSeconds"], SHORTEST, LONGEST)
    delay = params.get("AutoApprovalDelayInSeconds", LONGEST_APPROVAL_DELAY)
    check_range("AutoApprovalDelayInSeconds", delay, 0, LONGEST_APPROVAL_DELAY)
    return publishing.hit_type_for(
        call.requester,
        call.now,
        title=params["Title"],
        description=params["Description"],
        keywords=params.get("Keywords", ""),
        reward_usd=reward,
        assignment_duration_seconds=params["AssignmentDurationInSeconds"],
        auto_approval_delay_seconds=delay,
        requirements=requirements.checked(call.requester, params.get("QualificationRequirements", [])),
    )


def _hit_values(params: dict[str, Any]) -> dict[str, Any]:
    if "HITLayoutId" in params:
        # Layouts were made on Amazon's requester site; no operation makes one, so there is none.
        raise Refused("HITLayoutDoesNotExist", f"HITLayout {params['HITLayoutId']} does not exist.")
    if "HITLayoutParameters" in params:
        raise invalid_value("HITLayoutParameters", "They need a HITLayoutId.")
    if "Question" not in params:
        raise invalid_value("Question", "It is required.")
    question = questions.parse(params["Question"])
    if isinstance(question, questions.QuestionForm):
        patterns.check(question)
    check_range("LifetimeInSeconds", params["LifetimeInSeconds"], SHORTEST, LONGEST)
    max_assignments = params.get("MaxAssignments", 1)
    check_range("MaxAssignments", max_assignments, 1, publishing.MAX_ASSIGNMENTS)
    check_length("RequesterAnnotation", params.get("RequesterAnnotation", ""), ANNOTATION)
    return {
        "question": params["Question"],
        "max_assignments": max_assignments,
        "lifetime_seconds": params["LifetimeInSeconds"],
        "annotation": params.get("RequesterAnnotation", ""),
        "token": params.get("UniqueRequestToken"),
        "policies": policies.checked(params),
    }


def get(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    hits = call.seen(HIT.objects.of(call.requester).undisposed(), "created_at").select_related("hit_type")
    hit = hits.filter(hit_id=params["HITId"]).first()
    if hit is None:
        raise publishing.no_such_hit(params["HITId"])
    return {"HIT": all_described([hit])[0]}


def list_all(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Newest first."""
    hits = call.seen(HIT.objects.of(call.requester).undisposed(), "created_at").select_related("hit_type")
    shown, numbers = paging.page(hits, params, scope=call.scope(), order=("-id",))
    return {"HITs": all_described(shown), **numbers}


def list_reviewable(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Oldest first."""
    status, type_id = params.get("Status", "Reviewable"), params.get("HITTypeId")
    hits = call.seen(HIT.objects.of(call.requester), "created_at").select_related("hit_type")
    hits = hits.reviewable() if status == "Reviewable" else hits.filter(stage=HIT.Stage.REVIEWING)
    if type_id is not None:
        hits = hits.filter(hit_type__type_id=type_id)
    shown, numbers = paging.page(hits, params, scope=call.scope(status, type_id), order=("id",))
    return {"HITs": all_described(shown), **numbers}


def list_for_qualification_type(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """The caller's HITs of any status that require the qualification type, newest first."""
    type_id = params["QualificationTypeId"]
    visible = Q(requester=call.requester) | Q(requester=None)
    if not QualificationType.objects.filter(visible, type_id=type_id).exists():
        raise Refused("QualificationTypeDoesNotExist", f"QualificationType {type_id} does not exist.")
    hits = HIT.objects.of(call.requester).undisposed().select_related("hit_type")
    hits = hits.filter(hit_type__requirements__contains=[{"QualificationTypeId": type_id}])
    shown, numbers = paging.page(hits, params, scope=call.scope(type_id), order=("-id",))
    return {"HITs": all_described(shown), **numbers}


def update_expiration(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    latest = datetime.max.replace(tzinfo=UTC, year=9000)
    if params["ExpireAt"] > latest:
        raise invalid_value("ExpireAt", "It is too far away.")
    publishing.update_expiration(call.requester, params["HITId"], params["ExpireAt"], call.now)
    policies.carry_out(call, params["HITId"])
    return {}


def add_assignments(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    number = params["NumberOfAdditionalAssignments"]
    check_range("NumberOfAdditionalAssignments", number, 1, publishing.MAX_ASSIGNMENTS)
    publishing.add_assignments(call.requester, params["HITId"], number, params.get("UniqueRequestToken"), call.now)
    return {}


def change_type(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    requirements.check_still_usable(publishing.hit_type_of(call.requester, params["HITTypeId"]))
    publishing.change_type(call.requester, params["HITId"], params["HITTypeId"], call.now)
    return {}


def delete(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    publishing.dispose(call.requester, params["HITId"], call.now)
    return {}


def update_review_status(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    publishing.mark_reviewing(call.requester, params["HITId"], revert=params.get("Revert", False))
    return {}


def all_described(hits: Iterable[HIT]) -> list[dict[str, Any]]:
    hits = list(hits)
    counts = Assignment.objects.counts(hits)
    return [described(hit, counts.get(hit.pk, Counts())) for hit in hits]


def described(hit: HIT, counts: Counts) -> dict[str, Any]:
    """``hit`` with the members of the API's HIT shape. Clients read the lists and counters without asking."""
    hit_type = hit.hit_type
    return {
        "HITId": hit.hit_id,
        "HITTypeId": hit_type.type_id,
        "HITGroupId": hit_type.group_id,
        "CreationTime": hit.created_at,
        "Title": hit_type.title,
        "Description": hit_type.description,
        "Question": hit.question,
        "Keywords": hit_type.keywords or None,
        "HITStatus": hit.status(counts.pending).value,
        "MaxAssignments": hit.max_assignments,
        "Reward": hit_type.reward_usd,
        "AutoApprovalDelayInSeconds": hit_type.auto_approval_delay_seconds,
        "Expiration": hit.expires_at,
        "AssignmentDurationInSeconds": hit_type.assignment_duration_seconds,
        "RequesterAnnotation": hit.annotation or None,
        "QualificationRequirements": hit_type.requirements,
        "HITReviewStatus": "NotReviewed",  # AWS's moderation flag; no call sets it
        "NumberOfAssignmentsPending": counts.pending,
        "NumberOfAssignmentsAvailable": hit.open_places,
        "NumberOfAssignmentsCompleted": counts.decided,
    }
