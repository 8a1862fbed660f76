"""Who is to hold which qualification of a project, worked out from the facts: exclusions, quotas, quiz results, and who
waits for a first look. The last hold ``held`` too, as HIT types ask for it from the first batch on and are never
changed: so a project can begin to hold new workers while its batches run."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Count, QuerySet

from annotation.models import Project, Worker
from annotation.services import first_looks, standing
from hits.models import Batch, Qualification

from . import qualifications


def refresh(project: Project, endpoint: str) -> None:
    """Bring our rows of what the workers of ``endpoint`` are to hold up to date. Idempotent; calls nobody."""
    purposes = Qualification.Purpose
    workers = Worker.objects.filter(endpoint=endpoint)
    held = set(workers.filter(pk__in=standing.excluded_workers(project)).values_list("pk", flat=True))
    if project.most_tasks_a_worker is not None:
        held |= at_quota(project, endpoint, project.most_tasks_a_worker)
    if project.tasks_before_look is not None:
        held |= set(workers.filter(pk__in=first_looks.waiting_workers(project)).values_list("pk", flat=True))
    qualifications.want_exactly(project, endpoint, purposes.HELD, held)
    passed = workers.filter(pk__in=standing.passed_workers(project)).values_list("pk", flat=True)
    qualifications.want_exactly(project, endpoint, purposes.QUIZ, passed)
    bounded = Batch.objects.in_project(project).filter(endpoint=endpoint, most_tasks_a_worker__isnull=False)
    for batch in bounded.exclude(status=Batch.Status.CLOSED):
        full = at_quota(project, endpoint, batch.most_tasks_a_worker or 0, batch.series)
        qualifications.want_exactly(project, endpoint, purposes.QUOTA, full, batch)


def at_quota(project: Project, endpoint: str, most: int, series: UUID | None = None) -> set[int]:
    """Keys of the workers of ``endpoint`` who have done ``most`` tasks of ``project``, or of a series, or more."""
    done: QuerySet = standing.done_work(project, series).filter(worker__endpoint=endpoint).order_by()
    counts = done.values("worker").annotate(tasks=Count("task", distinct=True)).filter(tasks__gte=most)
    return set(counts.values_list("worker", flat=True))
