"""Deciding about submitted work: a review is a row first, then ``hits`` is asked to tell the endpoint."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import models, transaction
from django.db.models import Count, Min
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Assignment
from hits.models import HIT, AssignmentDecision
from hits.services import caps, deciding, ledger
from reviewer.models import Review

# A worker reads the reason and may answer it; a word or two is none.
MIN_REASON_CHARS = 10
# RequesterFeedback holds no more.
MAX_REASON_CHARS = 1024
# Assignments that one transaction decides about.
CHUNK = 1000

Decision = Review.Decision
Status = Assignment.Status


class AlreadyDecided(Exception):
    """Somebody decided before; the message says who and when."""


class UnusableReason(ValueError):
    """A reason that cannot be sent to a worker; the message says what is missing."""


@dataclass(frozen=True)
class Standing:
    """Where an assignment stands: what the endpoint says, and the latest decision that was asked for."""

    assignment: Assignment
    decision: AssignmentDecision | None

    @property
    def is_on_its_way(self) -> bool:
        """Whether a decision was asked for and the endpoint has not been told yet."""
        return self.decision is not None and self.decision.done_at is None

    @property
    def may_approve(self) -> bool:
        return not self.is_on_its_way and self.assignment.status in (Status.SUBMITTED, Status.REJECTED)

    @property
    def may_reject(self) -> bool:
        return not self.is_on_its_way and self.assignment.status == Status.SUBMITTED

    @property
    def state(self) -> str:
        """One word for the style sheet."""
        if self.is_on_its_way:
            return "on-its-way"
        return "waiting" if self.assignment.status == Status.SUBMITTED else self.assignment.status

    @property
    def reason(self) -> str:
        """What the worker is told with the decision."""
        return self.decision.feedback if self.decision is not None and self._stands(self.decision) else ""

    @property
    def problem(self) -> str:
        """What the endpoint answered, where it did not do as asked."""
        return self.decision.problem if self.decision is not None else ""

    def sentence(self) -> str:
        """Who decided what, and when."""
        status = self.assignment.status
        if self.decision is not None and self._stands(self.decision):
            name = display_name(self.decision.asked_by)
            approved, rejected = _("{name} approved this {when}."), _("{name} rejected this {when}.")
            sentence = approved if self.decision.kind == Decision.APPROVE else rejected
            return sentence.format(name=name, when=_ago(self.decision.asked_at))
        if status == Status.SUBMITTED:
            return _("This waits for a decision.")
        if status not in (Status.APPROVED, Status.REJECTED):
            return _("This was not submitted.")
        approved = _("This was approved at the marketplace, not here, {when}.")
        rejected = _("This was rejected at the marketplace, not here, {when}.")
        sentence = approved if status == Status.APPROVED else rejected
        return sentence.format(when=_ago(self.assignment.decided_at or self.assignment.submitted_at))

    def _stands(self, decision: AssignmentDecision) -> bool:
        """Whether ``decision`` is on its way or is what the endpoint says now."""
        outcome = Status.APPROVED if decision.kind == Decision.APPROVE else Status.REJECTED
        return self.is_on_its_way or self.assignment.status == outcome


@dataclass(frozen=True)
class Cost:
    """What approving ``assignments`` pieces of work pays out, in US dollars."""

    assignments: int
    rewards_usd: Decimal
    fees_usd: Decimal

    @property
    def total_usd(self) -> Decimal:
        return self.rewards_usd + self.fees_usd


def display_name(user: User | None) -> str:
    """What colleagues call ``user``; work of no user was done by the system."""
    return _("The system") if user is None else user.get_full_name() or user.get_username()


def standing_of(assignment: Assignment) -> Standing:
    """Where ``assignment`` stands."""
    decisions = AssignmentDecision.objects.filter(assignment=assignment).select_related("asked_by")
    return Standing(assignment, decisions.order_by("-pk").first())


def checked_reason(text: str) -> str:
    """``text`` as one line that can be sent to a worker. Raises UnusableReason."""
    reason = " ".join(text.split())
    if not reason:
        raise UnusableReason(_("Say why: the worker is shown your reason."))
    if len(reason) < MIN_REASON_CHARS:
        raise UnusableReason(
            _("Say why in at least {count} characters: the worker is shown your reason.").format(count=MIN_REASON_CHARS)
        )
    if len(reason) > MAX_REASON_CHARS:
        sentence = _("The reason has {count} characters; the marketplace passes on {most} at most. Shorten it.")
        raise UnusableReason(sentence.format(count=len(reason), most=MAX_REASON_CHARS))
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in reason):
        raise UnusableReason(_("The reason holds characters that cannot be shown. Type it again."))
    return reason


def approve(assignment: Assignment, user: User) -> Review:
    """Approve ``assignment``, also where it was rejected before, and so pay for it. Raises AlreadyDecided."""
    return _decide(assignment, Decision.APPROVE, user)


def reject(assignment: Assignment, user: User, reason: str) -> Review:
    """Reject ``assignment``; the worker is told the reason and not paid. Raises UnusableReason, AlreadyDecided."""
    return _decide(assignment, Decision.REJECT, user, checked_reason(reason))


def approve_all(assignments: models.QuerySet[Assignment], user: User) -> int:
    """Approve those of ``assignments`` that still wait, a chunk a transaction; return how many."""
    ids = list(assignments.order_by("pk").values_list("pk", flat=True))
    return sum(_approve_some(ids[first : first + CHUNK], user) for first in range(0, len(ids), CHUNK))


def cost_of(assignments: models.QuerySet[Assignment]) -> Cost:
    """What approving all of ``assignments`` would pay out."""
    groups = list(
        assignments.order_by()
        .values("offer__hit__hit_type", "offer__hit__max_assignments")
        .annotate(count=Count("pk", distinct=True), hit=Min("offer__hit"))
    )
    ids = [group["hit"] for group in groups]
    hits = HIT.objects.select_related("hit_type", "batch").in_bulk([pk for pk in ids if pk is not None])
    cost = Cost(0, Decimal("0.00"), Decimal("0.00"))
    for group in groups:
        reward, fee = ledger.cost_of_one(hits[group["hit"]])
        count = group["count"]
        cost = Cost(cost.assignments + count, cost.rewards_usd + count * reward, cost.fees_usd + count * fee)
    return cost


@transaction.atomic
def _decide(assignment: Assignment, decision: str, user: User, reason: str = "") -> Review:
    # Of two reviewers at once the second waits here, and then sees what the first decided.
    (locked,) = _locked([assignment.pk])
    standing = standing_of(locked)
    if not (standing.may_approve if decision == Decision.APPROVE else standing.may_reject):
        raise AlreadyDecided(standing.sentence())
    review = Review.objects.create(assignment=locked, decision=decision, reason=reason, reviewer=user)
    try:
        deciding.decide([locked], decision, user, reason)
    except caps.OverCap as refusal:
        raise AlreadyDecided(str(refusal)) from refusal  # the rejection stands, and this says why
    return review


@transaction.atomic
def _approve_some(ids: Sequence[int], user: User) -> int:
    locked = _locked(ids)
    asked = AssignmentDecision.objects.to_carry_out().filter(assignment__in=ids)
    on_their_way = set(asked.values_list("assignment", flat=True))
    waiting = [row for row in locked if row.status == Status.SUBMITTED and row.pk not in on_their_way]
    Review.objects.bulk_create(
        [Review(assignment=row, decision=Decision.APPROVE, reviewer=user) for row in waiting], CHUNK
    )
    deciding.decide(waiting, Decision.APPROVE, user)
    return len(waiting)


def _locked(ids: Iterable[int]) -> list[Assignment]:
    """The assignments in the order of their keys, so that two who lock several never wait for each other."""
    return list(Assignment.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))


def _ago(moment: datetime | None) -> str:
    if moment is None or timezone.now() - moment < timedelta(minutes=1):
        return _("just now")
    return _("{time} ago").format(time=timesince(moment, depth=1))
