"""A project on one page: how far it is, what it cost, what came of it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.visitor_language import in_visitors_language
from reviewer.services.dashboard import shown
from reviewer.services.dashboard_pdf import pdf_of
from reviewer.services.dashboard_report import file_name, html_of
from reviewer.services.dashboard_sections import sections_of

from .access import of_project, page


@in_visitors_language
@require_safe
@of_project()
def dashboard(request: HttpRequest, project: Project) -> HttpResponse:
    """All figures of the project; the page brings itself up to date."""
    return page(request, project, "dashboard", "reviewer/dashboard.html", _context(project))


@in_visitors_language
@require_safe
@of_project()
def dashboard_standing(request: HttpRequest, project: Project) -> HttpResponse:
    """The live part of the page, as a fragment."""
    return TemplateResponse(request, "reviewer/dashboard_standing.html", {"project": project} | _context(project))


@in_visitors_language
@require_safe
@of_project()
def dashboard_report(request: HttpRequest, project: Project, kind: str) -> HttpResponse:
    """The same as a file to print or to send: ``kind`` is html or pdf. Where the figures are being worked out for the
    first time, on to the page that says so."""
    found = shown(project)
    if found.figures is None:
        return redirect("dashboard", project.slug)
    if kind == "pdf":
        response = HttpResponse(pdf_of(project, found), content_type="application/pdf")
    else:
        response = HttpResponse(html_of(project, found), content_type="text/html; charset=utf-8")
    # Never shown in place: the style of the HTML file stands in it, as this site's pages may not have theirs.
    response["Content-Disposition"] = f'attachment; filename="{file_name(project, found, kind)}"'
    return response


def _context(project: Project) -> dict[str, Any]:
    found = shown(project)
    return {"shown": found, "sections": sections_of(project, found.figures) if found.figures else []}
