"""This room's part of a project's page: its batches and its money, and the step that publishes the next one."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotation import project_panels
from annotation.models import Paragraph, Project, Question
from annotation.panels import Figures, Panel, Stage, register, register_stage
from annotation.permissions import REQUESTERS, has_role
from annotation.services import kept_counts
from hits.models import Batch, RehearsalRun
from hits.services import planning
from hits.services.progress import money_of_project

LATEST = 10


def register_all() -> None:
    register(Panel("batches", 200, _("Batches and money"), "admin/hits/panel.html", context))
    # The stages' own figures, with the step that only this room can offer.
    kept_counts.register("unwritten", unwritten)
    kept_counts.register("lacking_answers", lacking_answers)
    kept_counts.watch(_HITS)
    register_stage(Stage("questions", 20, _("Questions"), with_step(project_panels.questions, "unwritten", "write")))
    register_stage(
        Stage("answers", 40, _("Extra answers"), with_step(project_panels.extra_answers, "lacking_answers", "answer"))
    )


# What the two counts hang on beside what this room's own rooms below have: whether a HIT can still bring work.
_HITS = """(
    SELECT jsonb_object_agg(status, n) FROM (
      SELECT hit.status, count(*) AS n FROM hits_hit hit JOIN hits_batch batch ON batch.id = hit.batch_id
      WHERE batch.project_id = %(project)s GROUP BY hit.status) counted)"""


def context(project: Project, user: User) -> dict[str, Any]:
    return {
        "money": money_of_project(project),
        "rehearsals": RehearsalRun.objects.in_project(project).order_by("-pk")[:LATEST],
        "batches": Batch.objects.in_project(project).order_by("-pk")[:LATEST],
    }


def with_step(
    figures: Callable[[Project, User], Figures], lacking: str, kind: str
) -> Callable[[Project, User], Figures]:
    """``figures`` with *New batch* of ``kind`` as the next step, where the count ``lacking`` says that there is
    something to do and the user may."""

    def stage(project: Project, user: User) -> Figures:
        found = figures(project, user)
        if not (kept_counts.counted(project).values.get(lacking) and has_role(user, project, *REQUESTERS)):
            return found
        address = reverse("admin:hits_batch_launch", args=[project.pk], query={"kind": kind})
        return replace(found, next_step=gettext("New batch"), next_url=address)

    return stage


def unwritten(project: Project) -> bool:
    """Whether a paragraph lacks writers and no open batch is after them."""
    lacking = Paragraph.objects.needing_writers(project)
    return lacking.exclude(pk__in=planning.busy_paragraphs(project)).exists()


def lacking_answers(project: Project) -> bool:
    """Whether a question of dev or test lacks answers and no open batch is after them."""
    lacking = Question.objects.in_project(project).needing_answers(project.extra_answers)
    lacking = lacking.filter(paragraph__article__split__in=planning.EVALUATED)
    return lacking.exclude(pk__in=planning.busy_questions(project)).exists()
