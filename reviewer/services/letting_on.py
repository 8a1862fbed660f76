"""That somebody has looked at a worker's first work, which lets them go on where the project holds new workers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from django.db import transaction

from accounts.models import User
from annotation.models import Assignment, FirstLook, Worker
from annotation.services import first_looks
from hits import tasks


@transaction.atomic
def looked_at(assignments: Iterable[Assignment], user: User) -> None:
    """Record that ``user`` has looked at ``assignments``, whose tasks and projects are at hand; whoever waited for that
    goes on at once."""
    looks = first_looks.record(assignments, user)
    _tell([look for look in looks if look.assignment and look.assignment.task.project.tasks_before_look is not None])


@transaction.atomic
def let_on(assignment: Assignment, user: User) -> bool:
    """Let the worker of ``assignment`` go on without a decision about it; whether they had to wait until now."""
    project, worker = assignment.task.project, assignment.worker
    waited = first_looks.waits(project, worker)
    looks = first_looks.record([assignment], user)
    if waited:
        _tell(looks)
    return waited and bool(looks)


def _tell(looks: Sequence[FirstLook]) -> None:
    """Have the endpoints told now; where that fails, the next sync finds who holds what they should not."""
    workers = Worker.objects.filter(pk__in=[look.worker_id for look in looks])
    endpoints = dict(workers.values_list("pk", "endpoint")) if looks else {}
    for project, endpoint in sorted({(look.project_id, endpoints[look.worker_id]) for look in looks}):
        transaction.on_commit(partial(tasks.tell_standing.delay, project, endpoint))
