"""Review policies are carried out: ScoreMyKnownAnswers for each submission, SimplePlurality for a reviewable HIT.

Source: the articles "Assignment Review Policies", "HIT Review Policies" and "GetReviewResultsForHIT" of the API
reference. Chosen here where they are silent: percentages are cut to whole numbers; where two answers are given equally
often there is no agreed one; a rejection without a RejectReason says what the review found, as a worker must be told
why.
"""

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef, Subquery
from django.utils.translation import gettext as _

from .. import answers
from ..errors import Refused
from ..models import HIT, Assignment, Decision, PolicyOutcome, PolicyRun, ReviewPolicy
from . import publishing, review

logger = logging.getLogger(__name__)

LONGEST_ANSWER = 256  # characters; longer ones are left out of the computation of agreement
BATCH = 500  # HITs that one tick looks at
Level, Kind = ReviewPolicy.Level, PolicyOutcome.Kind


def carry_out_for(hit: int, now: datetime) -> None:
    """Carry out what is due for the HIT of this key. Never raises: the work that led here is stored, and ``tick``
    tries again."""
    try:
        policies = {policy.level: policy for policy in ReviewPolicy.objects.filter(hit=hit).select_related("hit")}
        if Level.ASSIGNMENT in policies:
            _score_submissions(policies[Level.ASSIGNMENT], now)
        if Level.HIT in policies:
            _compare_submissions(policies[Level.HIT], now)
    except Exception:
        logger.exception("The review policies of the HIT with the key %s were not carried out.", hit)


def carry_out_missed(now: datetime) -> int:
    """Carry out what was not when it fell due, as with HITs that expired; return how many HITs there were."""
    scored = PolicyRun.objects.filter(policy__hit=OuterRef("hit"), assignment=OuterRef("pk"))
    unscored = Assignment.objects.listed().filter(~Exists(scored), hit__review_policies__level=Level.ASSIGNMENT)
    hits = set(unscored.values_list("hit_id", flat=True)[:BATCH])
    compared = PolicyRun.objects.filter(
        policy__hit=OuterRef("pk"), assignment__isnull=True, submissions=OuterRef("submissions")
    )
    listed = Assignment.objects.listed().filter(hit=OuterRef("pk")).order_by()
    counted = HIT.objects.reviewable().filter(review_policies__level=Level.HIT)
    counted = counted.annotate(submissions=Subquery(listed.values("hit").annotate(number=Count("pk")).values("number")))
    hits |= set(counted.filter(~Exists(compared), submissions__gt=0).values_list("pk", flat=True)[:BATCH])
    for hit in sorted(hits):
        carry_out_for(hit, now)
    return len(hits)


@dataclass
class Findings:
    """What a run finds and does, in order, until it is written down with the run."""

    run: PolicyRun
    now: datetime
    outcomes: list[PolicyOutcome] = field(default_factory=list)

    def result(self, subject: HIT | Assignment, name: str, value: object, question_id: str = "") -> None:
        self._add(Kind.RESULT, subject, name, text=str(value), question_id=question_id[:1024])

    def action(self, subject: HIT | Assignment, name: str, text: str, error_code: str = "") -> None:
        self._add(Kind.ACTION, subject, name, text=text, error_code=error_code)

    def _add(self, kind: PolicyOutcome.Kind, subject: HIT | Assignment, name: str, **values: str) -> None:
        is_hit = isinstance(subject, HIT)
        self.outcomes.append(
            PolicyOutcome(
                run=self.run,
                kind=kind,
                subject_type=Level.HIT if is_hit else Level.ASSIGNMENT,
                subject_id=subject.hit_id if isinstance(subject, HIT) else subject.assignment_id,
                name=name,
                created_at=self.now,
                **values,
            )
        )


def _begin(policy: ReviewPolicy, now: datetime, **key: Any) -> Findings | None:
    """Claim a run within the caller's transaction; None where it was carried out before.

    A second claim at the same moment waits here until the first one's transaction ends.
    """
    try:
        with transaction.atomic():
            return Findings(PolicyRun.objects.create(policy=policy, run_at=now, **key), now)
    except IntegrityError:
        return None


def _score_submissions(policy: ReviewPolicy, now: datetime) -> None:
    scored = PolicyRun.objects.filter(policy=policy, assignment=OuterRef("pk"))
    rows = Assignment.objects.listed().filter(~Exists(scored), hit=policy.hit_id).select_related("hit__requester")
    for assignment in rows.order_by("submitted_at", "id"):
        with transaction.atomic():
            findings = _begin(policy, now, assignment=assignment)
            if findings is not None:
                _score(policy, assignment, findings)
                PolicyOutcome.objects.bulk_create(findings.outcomes)


def _score(policy: ReviewPolicy, assignment: Assignment, findings: Findings) -> None:
    """Compare with the known answers, then approve, reject or extend as the parameters say."""
    limits, known = policy.parameters, dict(policy.parameters["AnswerKey"])
    given = answers.values_in(assignment.answer)
    right = {question: _trimmed(given.get(question, [])) == _trimmed(wanted) for question, wanted in known.items()}
    for question, is_right in right.items():
        findings.result(assignment, "KnownAnswerCorrect", int(is_right), question)
    score = 100 * sum(right.values()) // len(known)
    findings.result(assignment, "KnownAnswerScore", score)
    found = f"{sum(right.values())}/{len(known)} correct"
    findings.action(assignment, "review", f"Reviewed {len(known)} known answers; {found}")
    reason = _("An automatic review compared known answers: %(right)d of %(all)d were right.")
    _decide(
        assignment,
        findings,
        approves=score >= limits.get("ApproveIfKnownAnswerScoreIsAtLeast", 101),
        rejects=score < limits.get("RejectIfKnownAnswerScoreIsLessThan", 0),
        approve_reason=limits.get("ApproveReason", ""),
        reject_reason=limits.get("RejectReason") or reason % {"right": sum(right.values()), "all": len(known)},
    )
    if score < limits.get("ExtendIfKnownAnswerScoreIsLessThan", 0):
        _extend(policy, findings)


def _trimmed(values: Iterable[str]) -> frozenset[str]:
    return frozenset(value.strip() for value in values if value.strip())


def _decide(
    assignment: Assignment,
    findings: Findings,
    *,
    approves: bool,
    rejects: bool,
    approve_reason: str,
    reject_reason: str,
) -> None:
    """Approve, or else reject; one that stands as it should is left, one that stands otherwise cannot be changed."""
    if not (approves or rejects):
        return
    name, done = ("approve", Assignment.Status.APPROVED) if approves else ("reject", Assignment.Status.REJECTED)
    requester = assignment.hit.requester
    by = Decision.By.POLICY
    assignment.refresh_from_db(fields=["status"])
    if assignment.status == done:
        findings.action(assignment, name, f"Already {done.value}")
        return
    try:
        with transaction.atomic():
            if approves:
                review.approve(requester, assignment.assignment_id, findings.now, feedback=approve_reason, by=by)
            else:
                review.reject(requester, assignment.assignment_id, findings.now, feedback=reject_reason, by=by)
    except Refused as refusal:
        findings.action(assignment, name, refusal.message, refusal.code)
    else:
        findings.action(assignment, name, done.value.capitalize())


def _extend(policy: ReviewPolicy, findings: Findings) -> None:
    hit, limits = policy.hit, policy.parameters
    try:
        with transaction.atomic():
            is_extended = publishing.extend(
                hit.requester,
                hit.hit_id,
                findings.now,
                most=limits["ExtendMaximumAssignments"],
                seconds=limits["ExtendMinimumTimeInSeconds"],
            )
    except Refused as refusal:
        findings.action(hit, "extend", refusal.message, refusal.code)
    else:
        findings.action(hit, "extend", "Extended by one assignment" if is_extended else "Already at the maximum")


def _compare_submissions(policy: ReviewPolicy, now: datetime) -> None:
    if not HIT.objects.reviewable().filter(pk=policy.hit_id).exists():
        return
    rows = Assignment.objects.listed().filter(hit=policy.hit_id).select_related("hit__requester")
    submitted = list(rows.order_by("submitted_at", "id"))
    if not submitted:
        return
    with transaction.atomic():
        findings = _begin(policy, now, submissions=len(submitted))
        if findings is not None:
            _compare(policy, _considered(policy, submitted), findings)
            PolicyOutcome.objects.bulk_create(findings.outcomes)


def _considered(policy: ReviewPolicy, submitted: list[Assignment]) -> list[Assignment]:
    """Those whose answers count for the agreement."""
    limits = policy.parameters
    if limits.get("DisregardAssignmentIfRejected"):
        submitted = [assignment for assignment in submitted if assignment.status != Assignment.Status.REJECTED]
    least = limits.get("DisregardAssignmentIfKnownAnswerScoreIsLessThan")
    if least is not None:
        outcomes = PolicyOutcome.objects.filter(run__policy__hit=policy.hit_id, name="KnownAnswerScore")
        scores = dict(outcomes.values_list("subject_id", "text"))
        submitted = [row for row in submitted if int(scores.get(row.assignment_id, least)) >= least]
    return submitted


def _compare(policy: ReviewPolicy, considered: list[Assignment], findings: Findings) -> None:
    """Look for agreed answers, then approve, reject or extend as the parameters say."""
    limits, hit = policy.parameters, policy.hit
    given = {row.pk: answers.values_in(row.answer) for row in considered}
    agreed: dict[str, frozenset[str]] = {}
    for question in limits["QuestionIds"]:
        chosen = [_usable(values.get(question, [])) for values in given.values()]
        answer, score = _plurality([values for values in chosen if values is not None])
        is_agreed = bool(answer) and score > limits["QuestionAgreementThreshold"]
        findings.result(hit, "AgreedAnswerFound", "true" if is_agreed else "false", question)
        if is_agreed:
            agreed[question] = answer
            findings.result(hit, "AgreedAnswer", "|".join(sorted(answer)), question)
            findings.result(hit, "AnswerAgreementScore", score, question)
    hit_score = 100 * len(agreed) // len(limits["QuestionIds"])
    findings.result(hit, "HitAgreementScore", hit_score)
    for assignment in considered:
        if agreed:
            _judge(limits, assignment, agreed, given[assignment.pk], findings)
    if hit_score < limits.get("ExtendIfHITAgreementScoreIsLessThan", 0):
        _extend(policy, findings)


def _usable(values: list[str]) -> frozenset[str] | None:
    return None if any(len(value) > LONGEST_ANSWER for value in values) else _trimmed(values)


def _plurality(chosen: list[frozenset[str]]) -> tuple[frozenset[str], int]:
    """The answer that is given most often, and by which share in percent; empty where none is."""
    ranked = Counter(values for values in chosen if values).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return frozenset(), 0
    return ranked[0][0], 100 * ranked[0][1] // len(chosen)


def _judge(
    limits: dict[str, Any],
    assignment: Assignment,
    agreed: dict[str, frozenset[str]],
    given: dict[str, list[str]],
    findings: Findings,
) -> None:
    right = sum(_trimmed(given.get(question, [])) == answer for question, answer in agreed.items())
    score = 100 * right // len(agreed)
    findings.result(assignment, "WorkerAgreementScore", score)
    findings.result(assignment, "PluralityAnswersCorrect", right)
    findings.result(assignment, "PluralityAnswersIncorrect", len(agreed) - right)
    reason = _(
        "An automatic review compared the answers of several workers: %(right)d of %(all)d agreed with most others."
    )
    _decide(
        assignment,
        findings,
        approves=score >= limits.get("ApproveIfWorkerAgreementScoreIsAtLeast", 101),
        rejects=score < limits.get("RejectIfWorkerAgreementScoreIsLessThan", 0),
        approve_reason=limits.get("ApproveReason", ""),
        reject_reason=limits.get("RejectReason") or reason % {"right": right, "all": len(agreed)},
    )
