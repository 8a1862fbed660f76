"""A requester decides on submitted work, exactly once."""

from datetime import datetime, timedelta

from django.db import transaction

from ..errors import Refused
from ..models import HIT, Assignment, Decision, RequesterProfile
from . import events, money
from .events import EventType, Happened

OVERRIDE_WITHIN = timedelta(days=30)  # of the submission


@transaction.atomic
def approve(
    requester: RequesterProfile,
    assignment_id: str,
    now: datetime,
    *,
    feedback: str = "",
    override: bool = False,
    by: Decision.By = Decision.By.REQUESTER,
) -> None:
    """Approve and pay. ``override`` turns a rejection of the last 30 days round. Raises Refused."""
    assignment = _locked(requester, assignment_id)
    status = Assignment.Status
    if assignment.status == status.REJECTED and override:
        assert assignment.submitted_at is not None  # noqa: S101  # a constraint says so
        if assignment.submitted_at <= now - OVERRIDE_WITHIN:
            raise Refused("InvalidAssignmentState", "This assignment was submitted more than 30 days ago.")
        money.reserve(assignment.hit, 1, now)
    elif assignment.status != status.SUBMITTED:
        raise _wrong_state(assignment)
    changes = {"feedback": feedback} if feedback else {}
    _decide(assignment, status.APPROVED, now, feedback, by, approved_at=now, **changes)
    events.note(Happened(EventType.ASSIGNMENT_APPROVED, assignment.hit_id, now, assignment_id))
    money.pay([assignment], now)


@transaction.atomic
def reject(
    requester: RequesterProfile,
    assignment_id: str,
    now: datetime,
    *,
    feedback: str,
    by: Decision.By = Decision.By.REQUESTER,
) -> None:
    """Reject, which costs neither reward nor fee and opens no place. Raises Refused."""
    assignment = _locked(requester, assignment_id)
    if assignment.status != Assignment.Status.SUBMITTED:
        raise _wrong_state(assignment)
    _decide(assignment, Assignment.Status.REJECTED, now, feedback, by, rejected_at=now, feedback=feedback)
    events.note(Happened(EventType.ASSIGNMENT_REJECTED, assignment.hit_id, now, assignment_id))
    money.release(assignment.hit, 1, now)


def _locked(requester: RequesterProfile, assignment_id: str) -> Assignment:
    found = (
        Assignment.objects.select_for_update(of=("self",))
        .select_related("hit__hit_type", "hit__requester")
        .filter(assignment_id=assignment_id, hit__requester=requester)
        .exclude(status__in=[Assignment.Status.RETURNED, Assignment.Status.ABANDONED])
        .exclude(hit__stage=HIT.Stage.DISPOSED)
        .first()
    )
    if found is None:
        raise Refused("AssignmentDoesNotExist", f"Assignment {assignment_id} does not exist.")
    return found


def _wrong_state(assignment: Assignment) -> Refused:
    if assignment.status == Assignment.Status.HELD:
        # Not visible before its submission, so without a state that could be named.
        return Refused("InvalidAssignmentState", "This operation can be called with a status of: null")
    return Refused(
        "InvalidAssignmentState",
        f"This Assignment is currently in the state '{assignment.status.capitalize()}'. "
        "This operation can be called with a status of: Submitted",
    )


def _decide(
    assignment: Assignment,
    new: Assignment.Status,
    now: datetime,
    reason: str,
    by: Decision.By,
    /,
    **changes: datetime | str,
) -> None:
    old = Assignment.Status(assignment.status)
    Assignment.objects.filter(pk=assignment.pk).move(old, new, **changes)
    Decision.objects.create(
        assignment=assignment,
        by=by,
        from_status=old,
        to_status=new,
        feedback=reason,
        created_at=now,
    )
