"""Messages to workers."""

from typing import Any

from ...errors import invalid_value
from ...services import messages
from .call import Call
from .limits import check_prose

MOST_WORKERS = 100


def notify_workers(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Write to workers; those who cannot be written to are listed, and the others are written to all the same."""
    subject, text, worker_ids = params["Subject"], params["MessageText"], params["WorkerIds"]
    check_prose("Subject", subject, messages.SUBJECT, least=1)
    check_prose("MessageText", text, messages.TEXT, least=1)
    if not 1 <= len(worker_ids) <= MOST_WORKERS:
        raise invalid_value("WorkerIds", f"There are {len(worker_ids)}; 1 to {MOST_WORKERS} are allowed.")
    unreached = messages.notify_workers(call.requester, worker_ids, subject, text, call.now)
    return {
        "NotifyWorkersFailureStatuses": [
            {
                # Another try would end the same.
                "NotifyWorkersFailureCode": "HardFailure",
                "NotifyWorkersFailureMessage": f"You have not approved or rejected any work of worker {worker_id}.",
                "WorkerId": worker_id,
            }
            for worker_id in unreached
        ]
    }
