"""A project's dashboard: its figures as they were worked out last, and bringing them up to date.

Working them out reads every question and answer of the project, some seconds in a large one. What came out is a row
with the moment it is of. A page never waits for a large project: it shows the row, says from when it is, and a job
brings it up to date.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from annotation.models import Article, Project, Question
from hits.services.pseudonyms import worker_key
from reviewer.models import ProjectFigures
from reviewer.services import dashboard_figures, study
from reviewer.services.dashboard_workers import workers
from reviewer.services.dataset import snapshot

# Bumped where the shape of what is kept changes.
SHAPE = 1
# Up to so many questions a page works its figures out by itself, in some tenths of a second.
WORKED_OUT_AT_ONCE = 1500
# For so long nobody queues the same job again.
UNDER_WAY_SECONDS = 60
# Rates and forecasts go by the clock: after so long they are worked out anew although no row changed.
KEPT = timedelta(hours=1)


@dataclass(frozen=True)
class Shown:
    """What a page shows: figures, or None while they are being worked out for the first time. ``is_current`` says
    whether nothing that they hang on has changed since ``at``."""

    figures: dict[str, Any] | None
    at: datetime | None = None
    is_current: bool = False


def shown(project: Project) -> Shown:
    """What is known of ``project``; where that is nothing or has been overtaken, it is worked out here if it is little,
    and by a job otherwise."""
    mark, now = mark_of(project), timezone.now()
    kept = ProjectFigures.objects.filter(project=project, shape=SHAPE).first()
    if kept and kept.mark == mark and now - kept.at < KEPT:
        return Shown(kept.figures, kept.at, is_current=True)
    questions = Question.objects.in_project(project).order_by()
    if questions[: WORKED_OUT_AT_ONCE + 1].count() <= WORKED_OUT_AT_ONCE:
        kept = work_out(project)
        return Shown(kept.figures, kept.at, is_current=True)
    if cache.add(_under_way(project), 1, UNDER_WAY_SECONDS):
        from reviewer.tasks import work_out_dashboard

        work_out_dashboard.delay(project.pk)
    return Shown(kept.figures, kept.at) if kept else Shown(None)


def work_out(project: Project) -> ProjectFigures:
    """Work the figures of ``project`` out and keep them. Of two at once, those of the later moment stay."""
    for split in Article.Split.values:
        study.shown(project, split)  # worked out, or queued, beside these
    with snapshot():
        at, mark = timezone.now(), mark_of(project)
        figures = {
            "funnel": dashboard_figures.funnel(project),
            "spend": dashboard_figures.spend(project),
            "pace": dashboard_figures.pace(project, at),
            "lengths": dashboard_figures.lengths(project),
            "words": dashboard_figures.words(project),
            "coverage": dashboard_figures.coverage(project),
            "workers": workers(project),
        }
    row = ProjectFigures(project=project, shape=SHAPE, mark=mark, figures=figures, at=at)
    changes = {"shape": SHAPE, "mark": mark, "figures": figures, "at": at}
    if not ProjectFigures.objects.filter(project=project, at__lte=at).update(**changes):
        ProjectFigures.objects.bulk_create([row], ignore_conflicts=True)
    cache.delete(_under_way(project))
    return row


def public(project_id: int, figures: dict[str, Any]) -> dict[str, Any]:
    """The figures for those outside: workers by their key in this project."""
    found = figures["workers"]
    lists = {
        name: [row | {"worker": worker_key(project_id, row["worker"])} for row in found[name]]
        for name in ("top", "worrying")
    }
    return figures | {"workers": found | lists}


def _under_way(project: Project) -> str:
    return f"dashboard:{project.pk}:under-way"


# Each part is one look at the end of an index, but for the assignments, of which there are few to a question.
_MARK = """
    SELECT
      (SELECT json_build_array(spending_cap_usd::text, language) FROM annotation_project WHERE id = %(project)s),
      (SELECT id FROM annotation_question WHERE project_id = %(project)s ORDER BY id DESC LIMIT 1),
      (SELECT id FROM annotation_paragraph WHERE project_id = %(project)s ORDER BY id DESC LIMIT 1),
      (SELECT max(id) FROM annotation_answer),
      (SELECT max(id) FROM annotation_verdict),
      (SELECT max(id) FROM annotation_goldquestion WHERE project_id = %(project)s),
      (SELECT max(id) FROM annotation_passageact WHERE project_id = %(project)s),
      (SELECT max(number) FROM reviewer_release WHERE project_id = %(project)s),
      (SELECT id FROM hits_ledgerentry WHERE project_id = %(project)s ORDER BY id DESC LIMIT 1),
      (SELECT json_agg(json_build_array(id, status) ORDER BY id) FROM hits_batch WHERE project_id = %(project)s),
      (SELECT json_object_agg(status, n) FROM (
        SELECT assignment.status, count(*) AS n FROM annotation_assignment assignment
        JOIN annotation_task task ON task.id = assignment.task_id
        WHERE task.project_id = %(project)s GROUP BY assignment.status) counted)
"""


def mark_of(project: Project) -> list[Any]:
    """What changes whenever the figures would, save by the clock."""
    with connection.cursor() as cursor:
        cursor.execute(_MARK, {"project": project.pk})
        return list(cursor.fetchone())
