"""This room's own part of a project's page: the first stages of its line, its passages and its members."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from annotation import guide_pages
from annotation.models import Project
from annotation.panels import Figures, Panel, Stage, register, register_stage
from annotation.permissions import REQUESTERS, has_role
from annotation.services import kept_counts, overview

BEING_COUNTED = Figures(done=gettext_lazy("being counted"))


def register_all() -> None:
    kept_counts.register("splits", overview.split_sizes)
    kept_counts.register("left_out", lambda project: project.paragraphs.filter(is_excluded=True).count())
    kept_counts.register("written", overview.written)
    kept_counts.register("answered", overview.answered)
    register_stage(Stage("passages", 10, gettext_lazy("Passages"), passages))
    register_stage(Stage("questions", 20, gettext_lazy("Questions"), questions))
    register_stage(Stage("review", 30, gettext_lazy("Review"), review))
    register_stage(Stage("answers", 40, gettext_lazy("Extra answers"), extra_answers))
    register(Panel("passages", 100, gettext_lazy("Passages"), "admin/annotation/panel_passages.html", passages_context))
    register(Panel("guide", 150, gettext_lazy("Guide"), "admin/annotation/panel_guide.html", guide_pages.panel_context))
    register(Panel("members", 900, gettext_lazy("Members"), "admin/annotation/panel_members.html", members_context))


def passages(project: Project, user: User) -> Figures:
    counts = kept_counts.counted(project).values
    if not counts:
        return BEING_COUNTED
    articles = sum(size.articles for size in counts["splits"])
    paragraphs, left_out = sum(size.paragraphs for size in counts["splits"]), counts["left_out"]
    if not paragraphs:
        may_import = has_role(user, project, *REQUESTERS)
        return Figures(
            done=_("none yet"),
            next_step=_("Import passages") if may_import else "",
            next_url=reverse("admin:annotation_project_import", args=[project.pk]),
        )
    done = ngettext("%(count)s article", "%(count)s articles", articles) % {"count": f"{articles:,}"}
    text = ngettext("%(count)s paragraph", "%(count)s paragraphs", paragraphs) % {"count": f"{paragraphs:,}"}
    if left_out:
        text += ", " + ngettext("%(count)s excluded", "%(count)s excluded", left_out) % {"count": f"{left_out:,}"}
    return Figures(done, waiting=text)


def questions(project: Project, user: User) -> Figures:
    progress = kept_counts.counted(project).values.get("written")
    if progress is None:
        return BEING_COUNTED
    waiting = ngettext(
        "%(left)s of %(total)s paragraph to write for", "%(left)s of %(total)s paragraphs to write for", progress.total
    )
    return share_of(progress, _("%(percent)s %% written"), waiting)


def review(project: Project, user: User) -> Figures:
    waiting = overview.waiting_for_review(project)
    words = ngettext("%(count)s waiting", "%(count)s waiting", waiting) % {"count": f"{waiting:,}"}
    return Figures(done="" if waiting else _("nothing waits"), waiting=words if waiting else "")


def extra_answers(project: Project, user: User) -> Figures:
    progress = kept_counts.counted(project).values.get("answered")
    if progress is None:
        return BEING_COUNTED
    waiting = ngettext(
        "%(left)s of %(total)s question needs answers", "%(left)s of %(total)s questions need answers", progress.total
    )
    return share_of(progress, _("%(percent)s %% answered"), waiting)


def share_of(progress: overview.Progress, done: str, waiting: str) -> Figures:
    """``progress`` in the words of ``done`` (takes percent) and ``waiting`` (takes left and total)."""
    if not progress.total:
        return Figures(done=_("not begun"))
    left = progress.total - progress.done
    numbers = {"left": f"{left:,}", "total": f"{progress.total:,}"}
    return Figures(done % {"percent": progress.percent}, waiting % numbers if left else "")


def passages_context(project: Project, user: User) -> dict[str, Any]:
    splits = kept_counts.counted(project).values.get("splits", [])
    return {"splits": splits, "imports": overview.last_imports(project)}


def members_context(project: Project, user: User) -> dict[str, Any]:
    return {"members": project.memberships.select_related("user").order_by("role", "user__username")}
