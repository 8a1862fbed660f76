"""A rehearsal's page: how far it is, and then its report."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from annotation.permissions import project_or_404

from .models import RehearsalRun

if TYPE_CHECKING:
    from .admin import BatchAdmin


def urls(batches: BatchAdmin) -> list[URLPattern]:
    wrap = batches.admin_site.admin_view
    return [
        path("rehearsals/<int:project_pk>/<int:run_pk>/", wrap(partial(one, batches)), name="hits_rehearsal"),
        path("rehearsals/<int:project_pk>/<int:run_pk>/standing/", wrap(standing), name="hits_rehearsal_standing"),
    ]


def one(batches: BatchAdmin, request: HttpRequest, project_pk: int, run_pk: int) -> HttpResponse:
    run = _run(request, project_pk, run_pk)
    context = batches.admin_site.each_context(request) | {
        "title": str(run).capitalize(),
        "project": run.project,
        "opts": batches.opts,
        "run": run,
    }
    return TemplateResponse(request, "admin/hits/rehearsal.html", context)


def standing(request: HttpRequest, project_pk: int, run_pk: int) -> HttpResponse:
    """The live part of the page, as a fragment."""
    run = _run(request, project_pk, run_pk)
    return TemplateResponse(request, "admin/hits/rehearsal_standing.html", {"run": run, "project": run.project})


def _run(request: HttpRequest, project_pk: int, run_pk: int) -> RehearsalRun:
    project = project_or_404(request.user, project_pk)
    runs = RehearsalRun.objects.in_project(project).select_related("project", "batch", "asked_by")
    return get_object_or_404(runs, pk=run_pk)
