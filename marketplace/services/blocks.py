"""A requester blocks workers, and takes blocks back."""

from datetime import datetime

from django.db import transaction

from ..errors import Refused, invalid_value
from ..models import RequesterProfile, WorkerBlock, WorkerProfile

MOST = 100_000  # blocks of one requester


def is_blocked(worker: WorkerProfile, requester_id: int) -> bool:
    """Whether the requester (a key) has blocked ``worker``."""
    return WorkerBlock.objects.filter(worker=worker, requester=requester_id).exists()


@transaction.atomic
def block(requester: RequesterProfile, worker_id: str, reason: str, now: datetime) -> None:
    """Block a worker; blocking one again only replaces the reason. Raises Refused."""
    worker = _worker(worker_id)
    RequesterProfile.objects.select_for_update().get(pk=requester.pk)  # one count at a time
    others = WorkerBlock.objects.filter(requester=requester).exclude(worker=worker)
    if others.count() >= MOST:
        raise invalid_value("WorkerId", f"You have blocked {MOST} workers; no more are allowed.")
    WorkerBlock.objects.update_or_create(
        requester=requester,
        worker=worker,
        defaults={"reason": reason},
        create_defaults={"reason": reason, "created_at": now},
    )


def unblock(requester: RequesterProfile, worker_id: str) -> None:
    """Take a block back; a worker who is not blocked stays so. Raises Refused."""
    WorkerBlock.objects.filter(requester=requester, worker=_worker(worker_id)).delete()


def _worker(worker_id: str) -> WorkerProfile:
    worker = WorkerProfile.objects.filter(worker_id=worker_id).first()
    if worker is None:
        raise Refused("InvalidParameterValue", "WorkerId is invalid.")
    return worker
