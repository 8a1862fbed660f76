"""The hold on new workers: who did as many tasks as a project allows waits until somebody has looked at their work.

A look is a fact about a worker in a project (``FirstLook``), recorded with the first decision about any of their work,
whether the project holds anybody or not. The room that talks to endpoints makes a qualification of who waits; here is
the net under it. Whoever has a page open goes on: the hold is about what is begun.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery, Value
from django.utils import timezone

from accounts.models import User
from annotation.models import Assignment, FirstLook, Offer, Project, Task, Worker
from annotation.services import standing


class WaitsForLook(Exception):
    """The worker has done as many tasks as a new one may, and nobody has looked at them yet."""


class OthersOpen(WaitsForLook):
    """The worker has so many tasks open that with them they would have done more than a new one may."""


@transaction.atomic
def record(assignments: Iterable[Assignment], user: User | None = None) -> list[FirstLook]:
    """Record that ``user`` (None: somebody at the endpoint) has looked at ``assignments``, whose tasks are at hand;
    return the looks that were their worker's first in the project."""
    firsts = {(one.task.project_id, one.worker_id): one for one in assignments if one.task.kind != Task.Kind.QUIZ}
    if not firsts:
        return []
    looks = [
        FirstLook(project_id=project, worker_id=worker, assignment=one, looked_by=user)
        for (project, worker), one in sorted(firsts.items(), key=lambda item: item[0])
    ]
    pairs = FirstLook.objects.filter(
        project__in={look.project_id for look in looks}, worker__in={look.worker_id for look in looks}
    )
    known = set(pairs.values_list("project", "worker"))
    new = [look for look in looks if (look.project_id, look.worker_id) not in known]
    FirstLook.objects.bulk_create(new, ignore_conflicts=True)
    return new


def let_on(project: Project, worker: Worker, user: User) -> bool:
    """Let ``worker`` go on without a look at any one piece of work; whether nobody had looked before."""
    return FirstLook.objects.get_or_create(project=project, worker=worker, defaults={"looked_by": user})[1]


def waiting_workers(project: Project) -> QuerySet:
    """Ids of the workers who may begin no task of ``project`` before somebody has looked at their work."""
    if project.tasks_before_look is None:
        return Assignment.objects.none().values("worker")
    seen = FirstLook.objects.in_project(project).filter(worker=OuterRef("worker"))
    work = standing.done_work(project).filter(~Exists(seen), worker__erased_at__isnull=True)
    done = work.order_by().values("worker")
    return (
        done.annotate(tasks=Count("task", distinct=True)).filter(tasks__gte=project.tasks_before_look).values("worker")
    )


def of_waiting(rows: QuerySet) -> QuerySet:
    """Those of the assignments ``rows``, of whatever projects, whose worker waits for a look."""
    same = {"task__project": OuterRef("task__project"), "worker": OuterRef("worker")}
    seen = FirstLook.objects.filter(project=OuterRef("task__project"), worker=OuterRef("worker"))
    done = standing.done(Assignment.objects.filter(**same)).order_by().annotate(one=Value(1)).values("one")
    tasks = Subquery(done.annotate(tasks=Count("task", distinct=True)).values("tasks"))
    held = rows.filter(~Exists(seen), worker__erased_at__isnull=True).alias(done_tasks=tasks)
    return held.filter(done_tasks__gte=F("task__project__tasks_before_look"))


def waits(project: Project, worker: Worker) -> bool:
    """Whether ``worker`` is one of them."""
    return waiting_workers(project).filter(worker=worker.pk).exists()


def require_place(offer: Offer, worker: Worker) -> None:
    """Raises WaitsForLook where ``worker`` may not begin the task of ``offer`` yet. To be called in a transaction: of
    two that are begun at once, the second waits here and counts the first."""
    most = offer.task.project.tasks_before_look
    list(Worker.objects.select_for_update(no_key=True).filter(pk=worker.pk).values_list("pk"))
    if most is None or FirstLook.objects.filter(project=offer.task.project_id, worker=worker).exists():
        return
    done, open_tasks = _tasks_of(worker, offer.task)
    if len(done) >= most:
        raise WaitsForLook
    if len(done | open_tasks) >= most:
        raise OthersOpen


def page_part(assignment: Assignment) -> dict[str, Any] | None:
    """What the work page says of the hold: ``{"left"}``, how many tasks the worker may do beside that of
    ``assignment`` until somebody has looked; None where nobody is to look."""
    task, worker = assignment.offer.task, assignment.worker
    most = task.project.tasks_before_look
    if most is None or task.kind == Task.Kind.QUIZ:
        return None
    if FirstLook.objects.filter(project=task.project_id, worker=worker).exists():
        return None
    done, _open = _tasks_of(worker, task)
    return {"left": max(0, most - len(done) - 1)}


def _tasks_of(worker: Worker, task: Task) -> tuple[set[int], set[int]]:
    """The tasks (ids) that ``worker`` has done in the project of ``task``, and those that they may be at, without
    ``task`` itself. Nobody tells us of a HIT that was returned: it counts as open until its time is over."""
    works = Assignment.objects.in_project(task.project).filter(worker=worker).exclude(task=task.pk)
    works = works.exclude(task__kind=Task.Kind.QUIZ).exclude(status=Assignment.Status.NOT_SUBMITTED)
    done, open_tasks = set(), set()
    columns = ("task", "status", "finished_at", "opened_at", "offer__allowed_seconds")
    for pk, status, finished_at, opened_at, allowed_seconds in works.values_list(*columns):
        if status in Assignment.LISTED or finished_at is not None:
            done.add(pk)
        elif opened_at + timedelta(seconds=allowed_seconds) > timezone.now():
            open_tasks.add(pk)
    return done, open_tasks - done
