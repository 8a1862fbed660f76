"""Deciding about submitted work: a review is a row first, then ``hits`` is asked to tell the endpoint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from django.db import models, transaction
from django.db.models import Count, Min
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Assignment
from hits.models import HIT, AssignmentDecision
from hits.services import caps, deciding, ledger
from reviewer.models import BulkAct, Review, ReviewRules
from reviewer.services import claims, letting_on, looks
from reviewer.services.people import ago, display_name
from reviewer.services.reasons import checked_reason
from reviewer.services.verdicts import drop_all, take_back_drops

# Assignments that one transaction decides about.
CHUNK = 1000
# The endpoint's own timer approves to the second; a call takes its time.
BEFORE_AUTO_APPROVAL = timedelta(minutes=2)

Decision = Review.Decision
Status = Assignment.Status


class AlreadyDecided(Exception):
    """Somebody decided before; the message says who and when."""


class TooLate(Exception):
    """A decision that cannot be taken back any more; the message says why."""


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
        return self.decision.feedback if self.decision is not None and self.stands else ""

    @property
    def problem(self) -> str:
        """What the endpoint answered, where it did not do as asked."""
        return self.decision.problem if self.decision is not None else ""

    def sentence(self) -> str:
        """Who decided what, and when."""
        status = self.assignment.status
        if self.decision is not None and self.stands:
            name = display_name(self.decision.asked_by)
            approved, rejected = _("{name} approved this {when}."), _("{name} rejected this {when}.")
            sentence = approved if self.decision.kind == Decision.APPROVE else rejected
            return sentence.format(name=name, when=ago(self.decision.asked_at))
        if status == Status.SUBMITTED:
            return _("This waits for a decision.")
        if status not in (Status.APPROVED, Status.REJECTED):
            return _("This was not submitted.")
        approved = _("This was approved at the marketplace, not here, {when}.")
        rejected = _("This was rejected at the marketplace, not here, {when}.")
        sentence = approved if status == Status.APPROVED else rejected
        return sentence.format(when=ago(self.assignment.decided_at or self.assignment.submitted_at))

    @property
    def stands(self) -> bool:
        """Whether the decision is on its way or is what the endpoint says now."""
        if self.decision is None:
            return False
        outcome = Status.APPROVED if self.decision.kind == Decision.APPROVE else Status.REJECTED
        return self.is_on_its_way or self.assignment.status == outcome

    @property
    def may_undo(self) -> bool:
        """Whether the endpoint has not been told yet, and will not be for a moment."""
        held_until = self.decision.held_until if self.decision is not None and self.is_on_its_way else None
        return held_until is not None and held_until > timezone.now()


@dataclass(frozen=True)
class Cost:
    """What approving ``assignments`` pieces of work pays out, in US dollars."""

    assignments: int
    rewards_usd: Decimal
    fees_usd: Decimal

    @property
    def total_usd(self) -> Decimal:
        return self.rewards_usd + self.fees_usd


def standing_of(assignment: Assignment) -> Standing:
    """Where ``assignment`` stands."""
    decisions = AssignmentDecision.objects.standing().filter(assignment=assignment).select_related("asked_by")
    return Standing(assignment, decisions.order_by("-pk").first())


def approve(assignment: Assignment, user: User, *, hold: bool = False) -> Review:
    """Approve ``assignment``, also where it was rejected before, and so pay for it; with ``hold`` the endpoint is told
    once the project's time to undo is over. Raises AlreadyDecided."""
    return _decide(assignment, Decision.APPROVE, user, hold=hold)


def drop(assignment: Assignment, user: User, *, hold: bool = False) -> Review:
    """Approve ``assignment`` and leave all that it brought out of the data. Raises AlreadyDecided."""
    return _decide(assignment, Decision.APPROVE, user, hold=hold, leave_out=True)


def reject(assignment: Assignment, user: User, reason: str, *, hold: bool = False) -> Review:
    """Reject ``assignment``; the worker is told the reason and not paid. Raises UnusableReason, AlreadyDecided."""
    return _decide(assignment, Decision.REJECT, user, checked_reason(reason), hold=hold)


@transaction.atomic
def undo(assignment: Assignment, user: User) -> Review:
    """Take the latest decision about ``assignment`` back, while its endpoint has not been told. Raises TooLate."""
    (locked,) = _locked([assignment.pk])
    standing = standing_of(locked)
    if not deciding.take_back([locked.pk], user):
        raise TooLate(too_late(standing))
    made = Review.objects.about(locked).exclude(decision=Decision.UNDO).select_related("act").last()
    if made is not None and made.act is not None:
        take_back_drops(made.act.verdicts, [locked.pk], user)
    return Review.objects.create(assignment=locked, decision=Decision.UNDO, reviewer=user)


def too_late(standing: Standing) -> str:
    """Why the decision of ``standing`` cannot be taken back."""
    if standing.decision is None or not standing.stands:
        return _("There is no decision to take back: {sentence}").format(sentence=standing.sentence())
    if standing.assignment.status == Status.APPROVED:
        return _("This cannot be taken back: the worker has been paid. Leave single questions out of the data instead.")
    if standing.assignment.status == Status.REJECTED:
        return _("This cannot be taken back: the worker has been told. Approve the work to take the rejection back.")
    return _("This cannot be taken back: the marketplace is being told right now.")


def approve_all(assignments: models.QuerySet[Assignment], user: User) -> int:
    """Approve those of ``assignments`` that still wait, a chunk a transaction; return how many."""
    ids = list(assignments.order_by("pk").values_list("pk", flat=True))
    return sum(len(decide_some(ids[first : first + CHUNK], user)) for first in range(0, len(ids), CHUNK))


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
def _decide(
    assignment: Assignment, decision: str, user: User, reason: str = "", *, hold: bool = False, leave_out: bool = False
) -> Review:
    # Of two reviewers at once the second waits here, and then sees what the first decided.
    (locked,) = _locked([assignment.pk])
    standing = standing_of(locked)
    if not (standing.may_approve if decision == Decision.APPROVE else standing.may_reject):
        raise AlreadyDecided(standing.sentence())
    rules = ReviewRules.objects.in_force(locked.task.project)
    act = BulkAct.objects.create(project=locked.task.project, decision="drop", decided_by=user) if leave_out else None
    review = Review.objects.create(assignment=locked, decision=decision, reason=reason, reviewer=user, act=act)
    held = timedelta(seconds=rules.undo_seconds) if hold else timedelta()
    if held and not can_wait([locked.pk], held):
        held = timedelta()
    try:
        deciding.decide([locked], decision, user, reason, hold=held)
    except caps.OverCap as refusal:
        raise AlreadyDecided(str(refusal)) from refusal  # the rejection stands, and this says why
    if act is not None:
        act.assignments, act.verdicts = [locked.pk], [verdict.pk for verdict in drop_all([locked], user)]
        act.save(update_fields=["assignments", "verdicts"])
    letting_on.looked_at([locked], user)
    looks.close_asked([locked], user)
    looks.draw(locked, user, rules, decision)
    claims.let_go(locked, user)
    return review


def can_wait(ids: Sequence[int], hold: timedelta) -> list[int]:
    """Those of the assignments ``ids`` whose endpoint need not be told for as long as ``hold``: where its own timer
    came first, it would pay what is to be rejected."""
    rows = Assignment.objects.filter(pk__in=ids, submitted_at__isnull=False).order_by("submitted_at", "pk")
    timers = rows.values_list("pk", "submitted_at", "offer__hit__hit_type__auto_approval_seconds")
    until = timezone.now() + hold + BEFORE_AUTO_APPROVAL
    return [
        pk for pk, at, after in timers if at is not None and after is not None and at + timedelta(seconds=after) > until
    ]


@transaction.atomic
def decide_some(
    ids: Sequence[int],
    user: User,
    decision: str = Decision.APPROVE,
    reason: str = "",
    *,
    hold: timedelta = timedelta(),
    act: BulkAct | None = None,
) -> list[Assignment]:
    """Decide about those of ``ids`` that still wait, in one transaction; return them. Work that a colleague has decided
    in the meantime is left alone."""
    locked = _locked(ids)
    asked = AssignmentDecision.objects.to_carry_out().filter(assignment__in=ids)
    on_their_way = set(asked.values_list("assignment", flat=True))
    waiting = [row for row in locked if row.status == Status.SUBMITTED and row.pk not in on_their_way]
    Review.objects.bulk_create(
        [Review(assignment=row, decision=decision, reason=reason, reviewer=user, act=act) for row in waiting], CHUNK
    )
    deciding.decide(waiting, decision, user, reason, hold=hold)
    letting_on.looked_at(waiting, user)
    return waiting


def _locked(ids: Iterable[int]) -> list[Assignment]:
    """The assignments in the order of their keys, so that two who lock several never wait for each other."""
    rows = Assignment.objects.select_for_update(no_key=True, of=("self",)).select_related("task__project")
    return list(rows.filter(pk__in=ids).order_by("pk"))
