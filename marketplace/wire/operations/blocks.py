"""Blocked workers."""

from typing import Any

from ...models import WorkerBlock
from ...services import blocks
from .. import paging
from .call import Call
from .limits import check_prose

REASON = 1024  # characters; AWS states no limit


def create(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    check_prose("Reason", params["Reason"], REASON, least=1)
    blocks.block(call.requester, params["WorkerId"], params["Reason"], call.now)
    return {}


def delete(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    check_prose("Reason", params.get("Reason", ""), REASON)
    blocks.unblock(call.requester, params["WorkerId"])
    return {}


def list_all(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """In the order in which the workers were blocked."""
    rows = WorkerBlock.objects.filter(requester=call.requester).select_related("worker")
    shown, numbers = paging.page(rows, params, scope=call.scope(), order=("id",))
    return {"WorkerBlocks": [{"WorkerId": row.worker.worker_id, "Reason": row.reason} for row in shown], **numbers}
