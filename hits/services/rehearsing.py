"""Rehearsals as jobs: asked for from the launch page, with progress, ending in a report that stays with the project."""

from __future__ import annotations

import logging
from dataclasses import asdict
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Answer, LostRace, Project, Question
from hits import mturk, tasks
from hits.models import RehearsalRun

from . import planning, rehearsal
from .planning import BatchSpec, NotLaunchable
from .rehearsal import Rehearsal

logger = logging.getLogger(__name__)
# A job that has not been heard of for so long was killed.
SILENCE = timedelta(minutes=10)
MOST_PROBLEMS = 50


def ask(project: Project, spec: BatchSpec, user: User | None) -> RehearsalRun:
    """Ask for a rehearsal of ``spec`` and queue it. Raises NotLaunchable, also while one of the project is running."""
    rehearsal.rehearsal_endpoint()
    rehearsal.refuse_quiz(spec)
    if project.is_rehearsal:
        raise NotLaunchable(_("This is a rehearsal itself."))
    estimate = planning.estimate(project, spec)
    if problem := estimate.problem():
        raise NotLaunchable(problem)
    asked = {
        "endpoint": spec.endpoint,
        "units_per_hit": spec.units_per_hit,
        "hourly_rate_usd": str(spec.hourly_rate_usd),
        "extra_answers": spec.extra_answers,
        "gold_per_hit": spec.gold_per_hit,
        "splits": list(spec.splits),
        "estimate_usd": str(estimate.total_usd),
    }
    try:
        with transaction.atomic():
            run = RehearsalRun.objects.create(project=project, kind=spec.kind, asked=asked, asked_by=user)
            transaction.on_commit(lambda: tasks.rehearse.delay(run.pk))
    except IntegrityError as error:
        raise NotLaunchable(_("A rehearsal of this project is running; wait for its report.")) from error
    return run


def run(row: RehearsalRun) -> None:
    """Do the rehearsal that ``row`` asks for, and write its report; one that has begun is left alone."""
    if row.status != RehearsalRun.Status.WAITING:
        return
    try:
        row.move_to(RehearsalRun.Status.RUNNING, heard_at=timezone.now())
    except LostRace:
        return
    try:
        done = rehearsal.rehearse(row.project, _spec(row), user=row.asked_by, seed=row.seed, told=_told(row))
    except (NotLaunchable, mturk.Rejected, mturk.Unavailable) as refusal:
        _end(row, RehearsalRun.Status.FAILED, problem=str(refusal))
    except Exception:
        logger.exception("%s failed", row)
        _end(row, RehearsalRun.Status.FAILED, problem=_("It broke off. The log of the jobs says where."))
    else:
        _end(row, RehearsalRun.Status.DONE, batch=done.batch, submitted=done.played.total, report=_report(row, done))


def _spec(row: RehearsalRun) -> BatchSpec:
    asked = row.asked
    return BatchSpec(
        kind=row.kind,
        endpoint=asked["endpoint"],
        units_per_hit=asked["units_per_hit"],
        hourly_rate_usd=Decimal(asked["hourly_rate_usd"]),
        extra_answers=asked["extra_answers"],
        gold_per_hit=asked.get("gold_per_hit", 0),  # earlier rehearsals had none
        splits=tuple(asked["splits"]),
    )


def _told(row: RehearsalRun) -> Any:
    """Notes the number of submissions so far. Called from the players' threads, so it closes its own connection."""

    def told(total: int) -> None:
        RehearsalRun.objects.filter(pk=row.pk).update(submitted=total, heard_at=timezone.now())
        if not connection.in_atomic_block:
            connection.close()

    return told


def _end(row: RehearsalRun, status: str, **changes: Any) -> None:
    try:
        row.move_to(status, ended_at=timezone.now(), **changes)
    except LostRace:
        logger.warning("%s had been given up before it ended", row)


def _report(row: RehearsalRun, done: Rehearsal) -> dict[str, Any]:
    """What was played and found, what it would cost, how long it took, and what went wrong."""
    standing = asdict(done.standing)
    return {
        "hits": standing["hits"],
        "places": standing["places"],
        "submitted": done.standing.submitted,
        "approved": standing["approved"],
        "players": len(done.played.submitted),
        "given_back": done.played.given_back,
        "questions": Question.objects.in_project(done.project).filter(assignment__isnull=False).count(),
        "answers": Answer.objects.in_project(done.project).filter(assignment__isnull=False).count(),
        "gold_planted": done.checks.planted,
        "gold_answered": done.checks.answered,
        "gold_right": done.checks.right,
        "spent_usd": str(done.spent_usd),
        "estimate_usd": row.asked["estimate_usd"],
        "seconds": round(done.seconds, 1),
        "problems": done.played.problems[:MOST_PROBLEMS],
        "problem_count": len(done.played.problems),
    }


def give_up_silent() -> int:
    """Call those rehearsals failed whose job was killed; return how many."""
    now = timezone.now()
    silent = RehearsalRun.objects.filter(status=RehearsalRun.Status.RUNNING, heard_at__lt=now - SILENCE)
    problem = _("Its job was stopped before it ended. Rehearse again.")
    return silent.update(status=RehearsalRun.Status.FAILED, ended_at=now, problem=problem)
