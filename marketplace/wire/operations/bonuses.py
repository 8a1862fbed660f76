"""Bonuses."""

from decimal import Decimal
from typing import Any

from ...errors import Refused, invalid_value
from ...models import HIT, Assignment, Bonus
from ...services import bonuses, publishing
from .. import paging
from .call import Call
from .limits import check_prose

REASON = 4096  # characters; seen in no document of AWS's for certain
# AWS states neither; these are ours.
LEAST, MOST = Decimal("0.01"), Decimal("10000.00")


def send(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    amount = Decimal(params["BonusAmount"])
    if not LEAST <= amount <= MOST:
        raise invalid_value("BonusAmount", f"It must be from {LEAST} to {MOST} US dollars.")
    check_prose("Reason", params["Reason"], REASON, least=1)
    bonuses.send(
        call.requester,
        params["WorkerId"],
        params["AssignmentId"],
        amount,
        params["Reason"],
        call.now,
        token=params.get("UniqueRequestToken"),
        request_id=call.request_id,
    )
    return {}


def list_payments(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Bonuses of a HIT or of an assignment (of both, if both are named), in the order in which they were paid.

    Disposed HITs are served too: what was paid can always be looked up.
    """
    hit_id, assignment_id = params.get("HITId"), params.get("AssignmentId")
    if hit_id is None and assignment_id is None:
        raise invalid_value("HITId", "HITId or AssignmentId is needed.")
    rows = Bonus.objects.filter(requester=call.requester).select_related("worker", "assignment")
    if hit_id is not None:
        if not HIT.objects.of(call.requester).filter(hit_id=hit_id).exists():
            raise publishing.no_such_hit(hit_id)
        rows = rows.filter(assignment__hit__hit_id=hit_id)
    if assignment_id is not None:
        known = Assignment.objects.listed().filter(assignment_id=assignment_id, hit__requester=call.requester)
        if not known.exists():
            raise Refused("AssignmentDoesNotExist", f"Assignment {assignment_id} does not exist.")
        rows = rows.filter(assignment__assignment_id=assignment_id)
    shown, numbers = paging.page(rows, params, scope=call.scope(hit_id, assignment_id), order=("id",))
    return {"BonusPayments": [described(bonus) for bonus in shown], **numbers}


def described(bonus: Bonus) -> dict[str, Any]:
    return {
        "WorkerId": bonus.worker.worker_id,
        "BonusAmount": bonus.amount_usd,
        "AssignmentId": bonus.assignment.assignment_id,
        "Reason": bonus.reason,
        "GrantTime": bonus.granted_at,
    }
