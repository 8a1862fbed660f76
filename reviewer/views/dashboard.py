"""A project on one page: how far it is, what it cost, what came of it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from annotation.models import Project
from reviewer.services.dashboard import shown
from reviewer.services.dashboard_sections import sections_of

from .access import of_project, page


@require_safe
@of_project()
def dashboard(request: HttpRequest, project: Project) -> HttpResponse:
    """All figures of the project; the page brings itself up to date."""
    return page(request, project, "dashboard", "reviewer/dashboard.html", _context(project))


@require_safe
@of_project()
def dashboard_standing(request: HttpRequest, project: Project) -> HttpResponse:
    """The live part of the page, as a fragment."""
    return TemplateResponse(request, "reviewer/dashboard_standing.html", {"project": project} | _context(project))


def _context(project: Project) -> dict[str, Any]:
    found = shown(project)
    return {"shown": found, "sections": sections_of(project, found.figures) if found.figures else []}
