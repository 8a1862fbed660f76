"""What a requester may know of a worker: counts within one project, and how they stand there. Never their id."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max, Min, Q, QuerySet

from annotation.models import Assignment, Exclusion, Project, QuizResult, Worker
from annotation.services import first_looks, standing
from hits.models import Batch, QualificationGrant, WorkerBlock

from . import blocking


def workers_of(project: Project, *, only_excluded: bool = False) -> QuerySet:
    """Workers who opened, sent or submitted work of ``project``, or of whom it knows something else; with counts."""
    seen = Q(pk__in=Assignment.objects.in_project(project).values("worker"))
    seen |= Q(pk__in=Exclusion.objects.in_project(project).values("worker"))
    seen |= Q(pk__in=QuizResult.objects.in_project(project).values("worker"))
    workers = Worker.objects.filter(seen)
    if only_excluded:
        workers = workers.filter(pk__in=standing.excluded_workers(project))
    mine = Q(assignments__task__project=project)
    counts = {
        name: Count("assignments", filter=mine & Q(assignments__status=status), distinct=True)
        for name, status in (("waiting", "submitted"), ("approved", "approved"), ("rejected", "rejected"))
    }
    return workers.annotate(
        **counts,
        tasks=Count("assignments__task", filter=mine & Q(assignments__status__in=Assignment.LISTED), distinct=True),
        first_at=Min("assignments__submitted_at", filter=mine),
        last_at=Max("assignments__submitted_at", filter=mine),
    ).order_by("-last_at", "-pk")


@dataclass(frozen=True)
class Quota:
    """How much of a bound one worker has used. ``batch`` is None for the project's own."""

    batch: Batch | None
    done: int
    most: int

    @property
    def left(self) -> int:
        return max(0, self.most - self.done)


@dataclass(frozen=True)
class Card:
    """One worker in one project."""

    worker: Worker
    exclusions: list[Exclusion]  # newest first, lifted ones too
    reasons: list[str]  # that stand
    quotas: list[Quota]
    grants: list[QualificationGrant]
    quiz: QuizResult | None
    block: WorkerBlock | None
    is_blocked: bool  # at the endpoint, as we want it
    waits: bool  # until somebody has looked at their first work

    @property
    def is_excluded(self) -> bool:
        return bool(self.reasons)

    @property
    def is_blocked_here(self) -> bool:
        return Exclusion.Reason.BLOCKED in self.reasons


def card(project: Project, worker: Worker) -> Card:
    """How ``worker`` stands in ``project``; no other project's facts are in it."""
    exclusions = Exclusion.objects.in_project(project).filter(worker=worker).select_related("decided_by")
    grants = QualificationGrant.objects.filter(worker=worker, qualification__project=project)
    blocks = WorkerBlock.objects.filter(worker=worker, project=project)
    return Card(
        worker=worker,
        exclusions=list(exclusions.order_by("-pk")),
        reasons=list(exclusions.standing().values_list("reason", flat=True)),
        quotas=_quotas(project, worker),
        grants=list(grants.select_related("qualification__batch").order_by("pk")),
        quiz=QuizResult.objects.in_project(project).filter(worker=worker).order_by("-pk").first(),
        block=blocks.order_by("-pk").first(),
        is_blocked=blocking.is_blocked(worker, project),
        waits=first_looks.waits(project, worker),
    )


def _quotas(project: Project, worker: Worker) -> list[Quota]:
    quotas = []
    if project.most_tasks_a_worker is not None:
        quotas.append(Quota(None, standing.tasks_done(project, worker), project.most_tasks_a_worker))
    bounded = Batch.objects.in_project(project).filter(endpoint=worker.endpoint, most_tasks_a_worker__isnull=False)
    for batch in bounded.order_by("-pk")[:10]:
        done = standing.tasks_done(project, worker, batch.series)
        quotas.append(Quota(batch, done, batch.most_tasks_a_worker or 0))
    return quotas
