"""What a project's page is made of. Higher rooms add their part here, so that this one need not know them.

A room registers in its ``AppConfig.ready``. A panel's template stands inside a titled section and is given its own
context and ``project``, ``may_manage`` (requester) and ``may_review`` (reviewer or requester). A stage that no room has
registered is not on the line.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.functional import Promise

from accounts.models import User
from annotation.models import Project
from annotation.permissions import REQUESTERS, REVIEWERS, has_role
from annotation.services import kept_counts


@dataclass(frozen=True)
class Panel:
    """A section of the page. ``context`` gives its template's variables."""

    key: str
    order: int
    title: str | Promise
    template: str
    context: Callable[[Project, User], dict[str, Any]]


@dataclass(frozen=True)
class Figures:
    """How far a stage is, in words: what is done, what waits, what is wrong; and the next step where there is one."""

    done: str | Promise
    waiting: str = ""
    wrong: str = ""
    next_step: str = ""
    next_url: str = ""


@dataclass(frozen=True)
class Stage:
    """A stop on the line from passages to release."""

    key: str
    order: int
    title: str | Promise
    figures: Callable[[Project, User], Figures]


@dataclass(frozen=True)
class WorkerLink:
    """A link from a worker's page of a project, for its requesters."""

    title: str | Promise
    address: Callable[[Project, int], str]  # of the worker of that key


_worker_links: list[WorkerLink] = []
_panels: dict[str, Panel] = {}
_stages: dict[str, Stage] = {}


def register(panel: Panel) -> None:
    """Show ``panel`` on every project's page, in the order of ``Panel.order``."""
    _panels[panel.key] = panel


def register_stage(stage: Stage) -> None:
    """Show ``stage`` on the line of every project, in the order of ``Stage.order``."""
    _stages[stage.key] = stage


def register_worker_link(link: WorkerLink) -> None:
    """Show ``link`` on the page of every worker of a project."""
    _worker_links.append(link)


def links_of_worker(project: Project, worker_pk: int) -> list[tuple[str | Promise, str]]:
    """Titles and addresses of what higher rooms have about a worker."""
    return [(link.title, link.address(project, worker_pk)) for link in _worker_links]


def page_of(project: Project, user: User, request: HttpRequest) -> dict[str, Any]:
    """The context of ``project``'s page as ``user`` sees it: stages with their figures, and panels, rendered."""
    shared = {
        "project": project,
        "may_manage": has_role(user, project, *REQUESTERS),
        "may_review": has_role(user, project, *REVIEWERS),
    }
    stages = sorted(_stages.values(), key=lambda stage: stage.order)
    panels = sorted(_panels.values(), key=lambda panel: panel.order)
    return shared | {
        "counted": kept_counts.counted(project),
        "stages": [{"title": stage.title, "figures": stage.figures(project, user)} for stage in stages],
        "panels": [
            {"panel": panel, "html": render_to_string(panel.template, shared | panel.context(project, user), request)}
            for panel in panels
        ],
    }
