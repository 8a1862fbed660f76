"""This room's part of a project's page: review, agreement and release."""

from __future__ import annotations

from typing import Any

from django.db.models import Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from annotation.models import Article, Project, Question
from annotation.panels import Figures, Panel, Stage, WorkerLink, register, register_stage, register_worker_link
from annotation.permissions import REQUESTERS, REVIEWERS, has_role
from annotation.services import kept_counts
from reviewer.models import Release
from reviewer.services.agreement import Agreement, agreement
from reviewer.services.queue import State, assignments_in, counting

# Up to this many questions the figures are worked out while the page is built; that takes some hundredths of a second.
QUESTIONS_WORKED_OUT = 1000
EVALUATION_SPLITS = (Article.Split.DEV, Article.Split.TEST)


def register_all() -> None:
    """Called once the rooms below have registered theirs; *review* takes the place of the one that has no link."""
    kept_counts.register("agreement", agreement_counts)
    register_stage(Stage("review", 30, gettext_lazy("Review"), review_figures))
    register_stage(Stage("agreement", 50, gettext_lazy("Agreement"), agreement_figures))
    register_stage(Stage("release", 60, gettext_lazy("Release"), release_figures))
    register(Panel("dashboard", 10, gettext_lazy("Dashboard"), "admin/reviewer/panel_dashboard.html", nothing_more))
    register(Panel("review", 300, gettext_lazy("Review"), "admin/reviewer/panel_review.html", review_context))
    register(
        Panel("agreement", 400, gettext_lazy("Agreement"), "admin/reviewer/panel_agreement.html", agreement_context)
    )
    register_worker_link(WorkerLink(gettext_lazy("What is kept about them"), worker_data_address))
    register(Panel("personal", 600, gettext_lazy("Personal data"), "admin/reviewer/panel_personal.html", nothing_more))
    register(Panel("release", 500, gettext_lazy("Release"), "admin/reviewer/panel_release.html", release_context))


def worker_data_address(project: Project, worker_pk: int) -> str:
    return reverse("worker_data", args=[project.slug, worker_pk])


def nothing_more(project: Project, user: User) -> dict[str, Any]:
    """The context of a panel that needs no more than all panels are given."""
    return {}


def review_figures(project: Project, user: User) -> Figures:
    waiting = _undecided(project)["waiting"]
    if not waiting:
        return Figures(done=_("nothing waits"))
    may_review = has_role(user, project, *REVIEWERS)
    return Figures(
        done="",
        waiting=_("{count} waiting").format(count=f"{waiting:,}"),
        next_step=_("Review") if may_review else "",
        next_url=reverse("review_queue", args=[project.slug]) if may_review else "",
    )


def agreement_figures(project: Project, user: User) -> Figures:
    found = kept_counts.counted(project).values.get("agreement", {}).get(Article.Split.DEV)
    address = reverse("agreement", args=[project.slug])
    if found is None:
        return Figures(done="", next_step=_("See the figures"), next_url=address)
    reading = found.performance.all_others
    if reading.exact_match is None or reading.f1 is None:
        return Figures(done=_("not begun"))
    words = _("EM {exact_match} F1 {f1}").format(exact_match=f"{reading.exact_match:.1f}", f1=f"{reading.f1:.1f}")
    return Figures(done=words)


def release_figures(project: Project, user: User) -> Figures:
    if project.is_rehearsal:
        return Figures(done=_("never exported"))
    number = latest_release(project)
    done = _("release {number}").format(number=number) if number else _("none yet")
    may_make = has_role(user, project, *REQUESTERS)
    next_step = _("Release") if may_make and not number else _("Releases")
    return Figures(done=done, next_step=next_step, next_url=reverse("releases", args=[project.slug]))


def latest_release(project: Project) -> int | None:
    """The number of the latest release of ``project``; asked for once for each page."""
    if "_latest_release" not in project.__dict__:
        numbers = Release.objects.in_project(project).order_by("-number").values_list("number", flat=True)
        project.__dict__["_latest_release"] = numbers.first()
    number: int | None = project.__dict__["_latest_release"]
    return number


def review_context(project: Project, user: User) -> dict[str, Any]:
    return _undecided(project)


def _undecided(project: Project) -> dict[str, Any]:
    """How many pieces of work wait for a decision, and how many decided ones for the endpoint to be told; asked for
    once for each page."""
    if "_undecided" not in project.__dict__:
        rows = {"waiting": State.WAITING, "on_its_way": State.ON_ITS_WAY}
        counted = {name: counting(assignments_in(project, state)) for name, state in rows.items()}
        found = Project.objects.filter(pk=project.pk).values(
            **{name: Coalesce(Subquery(one), 0) for name, one in counted.items()}
        )
        project.__dict__["_undecided"] = found.get()
    undecided: dict[str, Any] = project.__dict__["_undecided"]
    return undecided


def agreement_context(project: Project, user: User) -> dict[str, Any]:
    known = kept_counts.counted(project).values.get("agreement", {})
    return {"figures": [(split, known.get(split)) for split in EVALUATION_SPLITS]}


def agreement_counts(project: Project) -> dict[str, Agreement | None]:
    return {split: small_agreement(project, split) for split in EVALUATION_SPLITS}


def release_context(project: Project, user: User) -> dict[str, Any]:
    return {"latest": latest_release(project)}


def small_agreement(project: Project, split: str) -> Agreement | None:
    """The agreement of ``split``, None where it has too many questions to work it out along the way."""
    counting = Question.objects.in_project(project).counting().filter(paragraph__article__split=split)
    if counting.order_by()[: QUESTIONS_WORKED_OUT + 1].count() > QUESTIONS_WORKED_OUT:
        return None
    return agreement(project, split)
