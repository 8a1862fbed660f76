"""Approving and rejecting at the endpoint. A decision is a row first; money moves when the endpoint has said yes."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Assignment, LostRace
from annotation.services.listing import record_listing
from hits import mturk, tasks
from hits.models import HIT, AssignmentDecision
from hits.querysets import LONGEST_CLAIM

from . import caps, ledger

# What an endpoint answers about work that somebody, or its own timer, has decided already.
ALREADY_DECIDED = {"InvalidAssignmentState"}


@transaction.atomic
def decide(
    assignments: Iterable[Assignment],
    kind: str,
    user: User | None,
    feedback: str = "",
    *,
    hold: timedelta = timedelta(),
) -> int:
    """Ask for ``assignments`` to be approved or rejected and queue the calls; return how many were newly asked.
    Their endpoints are told once ``hold`` (``LONGEST_CLAIM`` at most) is over, and until then a decision can be taken
    back; one that takes a rejection back is told at once.

    Work that is not waiting for a decision, or has one on its way, is left alone. A rejected assignment may still be
    approved, as far as the caps go: its rejection had freed the money. Raises caps.OverCap, with nothing asked.
    """
    decidable = {Assignment.Status.SUBMITTED}
    if kind == AssignmentDecision.Kind.APPROVE:
        decidable.add(Assignment.Status.REJECTED)
    # Locked in the order of their keys: of two who decide at once, the second sees what the first asked for.
    rows_of = Assignment.objects.filter(pk__in=[assignment.pk for assignment in assignments])
    locked = rows_of.select_for_update(no_key=True, of=("self",)).select_related("task").order_by("pk")
    wanted = [assignment for assignment in locked if assignment.status in decidable]
    asked = AssignmentDecision.objects.filter(assignment__in=wanted, done_at__isnull=True)
    on_their_way = set(asked.values_list("assignment", flat=True))
    held_until = timezone.now() + min(hold, LONGEST_CLAIM) if hold else None
    rows = [
        AssignmentDecision(
            assignment=assignment,
            kind=kind,
            feedback=feedback,
            asked_by=user,
            held_until=held_until if assignment.status == Assignment.Status.SUBMITTED else None,
        )
        for assignment in wanted
        if assignment.pk not in on_their_way
    ]
    for row in rows:
        if row.assignment.status == Assignment.Status.REJECTED:
            _hold_again(row.assignment)
    AssignmentDecision.objects.bulk_create(rows, ignore_conflicts=True)
    if any(row.held_until is None for row in rows):  # the sweep finds the others when their time has come
        transaction.on_commit(tasks.carry_out_decisions.delay)
    return len(rows)


@transaction.atomic
def take_back(assignments: Iterable[int], user: User) -> list[int]:
    """Withdraw the decisions about ``assignments`` (ids) that are still held back; return the ids of those whose
    decision was. The others' endpoints have been told, or are being told."""
    # Nobody claims a decision that is held, and whoever takes it back at the same time waits here and finds it done.
    held = AssignmentDecision.objects.held(timezone.now()).filter(assignment__in=list(assignments))
    locked = list(held.select_for_update().order_by("pk"))
    AssignmentDecision.objects.filter(pk__in=[decision.pk for decision in locked]).update(
        done_at=timezone.now(), withdrawn_by=user
    )
    return [decision.assignment_id for decision in locked]


@transaction.atomic
def tell_now(assignments: Iterable[int]) -> int:
    """Hold the decisions about ``assignments`` (ids) back no longer; return how many were."""
    now = timezone.now()
    count = AssignmentDecision.objects.held(now).filter(assignment__in=list(assignments)).update(held_until=now)
    if count:
        transaction.on_commit(tasks.carry_out_decisions.delay)
    return count


def _hold_again(assignment: Assignment) -> None:
    hit = HIT.objects.select_related("batch", "hit_type").get(offer=assignment.offer_id)
    caps.require(caps.lock(hit.batch), sum(ledger.cost_of_one(hit), Decimal("0.00")))
    ledger.hold_again(hit, assignment)


def carry_out(*, seconds: float | None = None) -> int:
    """Tell the endpoints of every decision that nobody else is telling them of; return how many are done.

    An endpoint that does not answer, or does not let us in, is left alone for this time; the others go on. No new call
    is begun after ``seconds``. Safe to run twice and at the same time. Raises mturk.Unavailable, worth a retry.
    """
    until = None if seconds is None else time.monotonic() + seconds
    done, out, failure = 0, set[str](), None
    while (until is None or time.monotonic() < until) and (decision := _claim(out)) is not None:
        try:
            _carry_out(decision)
            done += 1
        except LostRace:
            pass  # somebody else took it up, and writes down what becomes of it
        except mturk.Unavailable as error:
            out.add(decision.assignment.offer.endpoint)
            failure = error
        except mturk.NoAccess as refusal:
            out.add(decision.assignment.offer.endpoint)
            AssignmentDecision.objects.filter(pk=decision.pk).update(problem=str(refusal))
    if failure is not None:
        raise failure
    return done


@transaction.atomic
def _claim(out: set[str]) -> AssignmentDecision | None:
    now = timezone.now()
    waiting = AssignmentDecision.objects.due(now).select_related("assignment__offer", "assignment__worker")
    return waiting.exclude(assignment__offer__endpoint__in=out).claim_one(now, now + mturk.CLAIM)


def _carry_out(decision: AssignmentDecision) -> None:
    assignment = decision.assignment
    try:
        status, problem = _tell(decision)
    except mturk.NoAccess:
        raise
    except mturk.Rejected as refusal:
        if refusal.code.endswith("DoesNotExist"):
            _give_up(decision)
        else:
            # Nothing was decided; the claim keeps the next try a while away (a balance may be topped up by then).
            AssignmentDecision.objects.filter(pk=decision.pk).update(problem=str(refusal))
        return
    with transaction.atomic():
        record_decision(assignment, status)
        if status == Assignment.Status.REJECTED:
            # Where a rejection was to be taken back and could not be, its money is free again.
            ledger.free_again(HIT.objects.select_related("batch").get(offer=assignment.offer_id), assignment)
        AssignmentDecision.objects.filter(pk=decision.pk).update(done_at=timezone.now(), problem=problem)


def _tell(decision: AssignmentDecision) -> tuple[Assignment.Status, str]:
    """Make the call; return how the endpoint holds the work now, and what is wrong if that is not what was asked for.

    Raises mturk's errors where the endpoint did not decide, or may not have; LostRace where another job is telling it.
    """
    assignment = decision.assignment
    endpoint, mturk_id = assignment.offer.endpoint, assignment.mturk_assignment_id
    try:
        if decision.kind == AssignmentDecision.Kind.APPROVE:
            override = assignment.status == Assignment.Status.REJECTED
            mturk.approve(endpoint, mturk_id, decision.feedback, override)
            return Assignment.Status.APPROVED, ""
        mturk.reject(endpoint, mturk_id, decision.feedback)
        return Assignment.Status.REJECTED, ""
    except mturk.Rejected as refusal:
        if refusal.code not in ALREADY_DECIDED:
            raise
        AssignmentDecision.objects.keep(decision, timezone.now() + mturk.CLAIM)
        status = Assignment.Status(mturk.get_assignment(endpoint, mturk_id)["AssignmentStatus"].lower())
        if status == Assignment.Status.SUBMITTED:
            raise  # not visible to it yet, or undecided for another reason
        wanted = AssignmentDecision.Kind(decision.kind) == AssignmentDecision.Kind.APPROVE
        return status, "" if wanted == (status == Assignment.Status.APPROVED) else str(refusal)


@transaction.atomic
def _give_up(decision: AssignmentDecision) -> None:
    """The endpoint does not know the work any more: no call will ever decide it, and no money will move for it."""
    assignment = decision.assignment
    hit = HIT.objects.select_related("batch", "hit_type").get(offer=assignment.offer_id)
    ledger.free_again(hit, assignment)
    ledger.release_rejected(hit, assignment)
    problem = _("The marketplace does not know this work any more, so nothing can be decided about it.")
    AssignmentDecision.objects.filter(pk=decision.pk).update(done_at=timezone.now(), problem=problem)


@transaction.atomic
def record_decision(assignment: Assignment, status: str) -> None:
    """Record that the endpoint holds ``assignment`` for approved or rejected, and move its money. Idempotent."""
    hit = HIT.objects.select_related("batch__project", "hit_type").get(offer=assignment.offer_id)
    record_listing(
        assignment.offer,
        mturk_assignment_id=assignment.mturk_assignment_id,
        mturk_worker_id=assignment.worker.mturk_worker_id,
        status=status,
        submitted_at=assignment.submitted_at,
        decided_at=timezone.now(),
    )
    settle(hit, assignment, status)


def settle(hit: HIT, assignment: Assignment, status: str) -> None:
    """Move the money of a decided assignment. Idempotent."""
    if status == Assignment.Status.APPROVED:
        ledger.pay(hit, assignment)
    elif status == Assignment.Status.REJECTED:
        ledger.release_rejected(hit, assignment)
