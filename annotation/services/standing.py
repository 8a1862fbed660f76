"""Keeping workers out of a project and letting them in again; what they have done in it; and whether they passed."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from annotation.models import Assignment, Exclusion, Project, QuizResult, Task, Worker


@transaction.atomic
def exclude(project: Project, worker: Worker, reason: str, words: str = "", user: User | None = None) -> bool:
    """Keep ``worker`` out of ``project`` for ``reason`` (of ``Exclusion.Reason``); whether that is new."""
    return _add(project, worker, reason, words, user, is_lifted=False)


@transaction.atomic
def readmit(project: Project, worker: Worker, reason: str, words: str = "", user: User | None = None) -> bool:
    """Lift the exclusion of ``worker`` for ``reason``; whether there was one. Other reasons stand."""
    return _add(project, worker, reason, words, user, is_lifted=True)


def _add(project: Project, worker: Worker, reason: str, words: str, user: User | None, *, is_lifted: bool) -> bool:
    # One at a time for each worker: of two clicks the second sees the first.
    Worker.objects.select_for_update(no_key=True).get(pk=worker.pk)
    stands = Exclusion.objects.standing().filter(project=project, worker=worker, reason=reason).exists()
    if stands != is_lifted:
        return False
    Exclusion.objects.create(
        project=project, worker=worker, reason=reason, words=words, decided_by=user, is_lifted=is_lifted
    )
    return True


def excluded_workers(project: Project) -> QuerySet:
    """Ids of the workers whom an exclusion keeps out of ``project``."""
    return Exclusion.objects.in_project(project).standing().values("worker")


def reasons_out(project: Project, worker: Worker) -> set[str]:
    """Why ``worker`` is kept out of ``project`` (of ``Exclusion.Reason``); empty if they are not."""
    rows = Exclusion.objects.in_project(project).standing().filter(worker=worker)
    return set(rows.values_list("reason", flat=True))


def done_work(project: Project, series: UUID | None = None) -> QuerySet:
    """Assignments of ``project`` that count toward a worker's quota: listed by the endpoint, or sent to us, and no
    quiz. With ``series``, those of its offers."""
    work = done(Assignment.objects.in_project(project))
    return work.filter(offer__series=series) if series is not None else work


def done(rows: QuerySet) -> QuerySet:
    """Those of the assignments ``rows`` that are done, in whatever project."""
    work = rows.exclude(status=Assignment.Status.NOT_SUBMITTED).exclude(task__kind=Task.Kind.QUIZ)
    return work.filter(Q(status__in=Assignment.LISTED) | Q(finished_at__isnull=False))


def tasks_done(project: Project, worker: Worker, series: UUID | None = None) -> int:
    """How many tasks ``worker`` has done."""
    return int(done_work(project, series).filter(worker=worker).values("task").distinct().count())


@transaction.atomic
def record_quiz(
    project: Project,
    worker: Worker,
    *,
    passed: bool,
    score: Decimal | None = None,
    user: User | None = None,
    assignment: Assignment | None = None,
) -> QuizResult:
    """Record a result of the quiz of ``project``. A failure keeps the worker out; passing lets them in again.

    ``assignment`` is the quiz HIT that it comes of, of which a second result is refused by the database.
    """
    result = QuizResult.objects.create(
        project=project, worker=worker, passed=passed, score=score, decided_by=user, assignment=assignment
    )
    if passed:
        readmit(project, worker, Exclusion.Reason.QUIZ, user=user)
    else:
        exclude(project, worker, Exclusion.Reason.QUIZ, user=user)
    return result


def passed_workers(project: Project) -> QuerySet:
    """Ids of the workers who passed the quiz of ``project`` and have not failed it since."""
    latest = QuizResult.objects.in_project(project).order_by("worker", "-pk").distinct("worker")
    return QuizResult.objects.filter(pk__in=latest.values("pk"), passed=True).values("worker")
