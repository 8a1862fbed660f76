"""A requester gives a worker more than the reward, exactly once for each request token."""

from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction

from ..errors import Refused, invalid_value
from ..models import Assignment, Bonus, RequesterProfile
from . import money
from .publishing import use_token

# Six months, as AWS's guide says; that they count from the submission is our choice, and so are the days.
WITHIN = timedelta(days=184)


@transaction.atomic
def send(
    requester: RequesterProfile,
    worker_id: str,
    assignment_id: str,
    amount_usd: Decimal,
    reason: str,
    now: datetime,
    *,
    token: str | None,
    request_id: str,
) -> Bonus:
    """Pay ``worker_id`` a bonus for an approved or rejected assignment of theirs. Raises Refused.

    A disposed HIT's assignments still take bonuses (AWS does not say): deleting a HIT shall cost no worker money.
    """
    if token is not None and (first := use_token(requester, "SendBonus", token, request_id, now)):
        raise Refused(
            "InvalidParameterValue",
            f'The idempotency token "{token}" has already been processed in request {first}.',
        )
    assignment = _payable(requester, assignment_id, worker_id, now)
    bonus = Bonus.objects.create(
        requester=requester,
        assignment=assignment,
        worker_id=assignment.worker_id,
        amount_usd=amount_usd,
        fee_usd=money.fee_of_bonus(amount_usd),
        reason=reason,
        granted_at=now,
    )
    money.pay_bonus(bonus)
    return bonus


def _payable(requester: RequesterProfile, assignment_id: str, worker_id: str, now: datetime) -> Assignment:
    assignments = Assignment.objects.filter(assignment_id=assignment_id, hit__requester=requester).listed()
    assignment = assignments.select_related("worker").first()
    if assignment is None:
        raise Refused("AssignmentDoesNotExist", f"Assignment {assignment_id} does not exist.")
    if assignment.worker.worker_id != worker_id:
        raise invalid_value("WorkerId", f"Assignment {assignment_id} is not one of worker {worker_id}.")
    if assignment.status == Assignment.Status.SUBMITTED:
        raise Refused(
            "InvalidAssignmentState",
            "This Assignment is currently in the state 'Submitted'. "
            "This operation can be called with a status of: Approved, Rejected",
        )
    assert assignment.submitted_at is not None  # noqa: S101  # a constraint says so
    if assignment.submitted_at <= now - WITHIN:
        raise Refused("InvalidAssignmentState", "This assignment was submitted more than six months ago.")
    return assignment
