"""Requesters and workers write to each other."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from ..models import Assignment, HITType, Message, RequesterProfile, WorkerProfile

SUBJECT, TEXT = 200, 4096  # characters


def send_to_worker(
    requester: RequesterProfile,
    worker: WorkerProfile,
    subject: str,
    text: str,
    now: datetime,
    *,
    hit_type: HITType | None = None,
    assignment: Assignment | None = None,
) -> Message:
    """Write ``requester``'s message to ``worker``. Raises ValueError if it is empty or too long."""
    return _send(
        Message.Direction.TO_WORKER, requester, worker, subject, text, now, hit_type=hit_type, assignment=assignment
    )


def send_to_requester(
    worker: WorkerProfile,
    requester: RequesterProfile,
    subject: str,
    text: str,
    now: datetime,
    *,
    hit_type: HITType | None = None,
    assignment: Assignment | None = None,
) -> Message:
    """Write ``worker``'s message to ``requester``. Raises ValueError if it is empty or too long."""
    return _send(
        Message.Direction.TO_REQUESTER, requester, worker, subject, text, now, hit_type=hit_type, assignment=assignment
    )


def _send(
    direction: Message.Direction,
    requester: RequesterProfile,
    worker: WorkerProfile,
    subject: str,
    text: str,
    now: datetime,
    *,
    hit_type: HITType | None,
    assignment: Assignment | None,
) -> Message:
    for name, value, most in (("subject", subject, SUBJECT), ("text", text, TEXT)):
        if not value.strip() or len(value) > most:
            raise ValueError(f"A message's {name} has 1 to {most} characters, not {len(value)}.")
    return Message.objects.create(
        requester=requester,
        worker=worker,
        direction=direction,
        subject=subject,
        text=text,
        hit_type=hit_type,
        assignment=assignment,
        sent_at=now,
    )


@transaction.atomic
def notify_workers(
    requester: RequesterProfile, worker_ids: Iterable[str], subject: str, text: str, now: datetime
) -> list[str]:
    """Write to each of ``worker_ids`` once; return the ids of those who get nothing, in the order given.

    As at AWS, a requester can write only to workers whose work they have approved or rejected; ids of strangers and
    ids of nobody are not told apart.
    """
    wanted = list(dict.fromkeys(worker_ids))
    decided = Assignment.objects.decided().filter(hit__requester=requester)
    known = WorkerProfile.objects.filter(worker_id__in=wanted, pk__in=decided.values("worker"))
    by_id = {worker.worker_id: worker for worker in known}
    for worker_id in wanted:
        if worker_id in by_id:
            send_to_worker(requester, by_id[worker_id], subject, text, now)
    return [worker_id for worker_id in wanted if worker_id not in by_id]
