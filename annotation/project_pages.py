"""The pages of a project in the admin: its home, a new one, and taking passages in."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.forms import MAX_UPLOAD_BYTES, ImportForm, NewProjectForm
from annotation.models import Project
from annotation.panels import page_of
from annotation.permissions import REQUESTERS, project_or_404, signed_in
from annotation.sentences import grouped, in_words
from annotation.services.import_reports import fault_line
from annotation.services.imports import FaultyQuestions, FileError, import_file
from annotation.services.projects import create_project


def home(request: HttpRequest, site: AdminSite, pk: int) -> HttpResponse:
    """Where a project stands, from passages to release."""
    project = project_or_404(request.user, pk)
    user = signed_in(request)
    assert user is not None  # noqa: S101 - project_or_404 lets nobody else in
    context = {"title": project.name, **page_of(project, user, request)}
    return _page(request, site, "admin/annotation/project_home.html", context)


def new(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Four questions, and the project is ready; whoever makes it becomes its requester."""
    form = NewProjectForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            project = create_project(owner=signed_in(request), **form.cleaned_data)
        except ValidationError as refusal:
            for field, errors in refusal.message_dict.items():
                form.add_error(field if field in form.fields else None, ValidationError(errors))
        else:
            messages.success(request, _("The project is ready. Its first step: import passages."))
            return HttpResponseRedirect(home_url(project))
    return _page(request, site, "admin/annotation/project_new.html", {"title": _("New project"), "form": form})


def take_in(request: HttpRequest, site: AdminSite, pk: int) -> HttpResponse:
    """Upload a file of passages; on to the import's report, or back with what is wrong with the file."""
    project = project_or_404(request.user, pk, *REQUESTERS)
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    faults: list[str] = []
    if form.is_valid():
        upload = form.cleaned_data["file"]
        try:
            record = import_file(
                project,
                upload.read(),
                file_name=upload.name,
                with_questions=form.cleaned_data["with_questions"],
                skip_faulty=form.cleaned_data["skip_faulty"],
                imported_by=signed_in(request),
                curation=form.cleaned_data["report"],
                max_bytes=MAX_UPLOAD_BYTES,
            )
        except FileError as refusal:
            form.add_error("file", in_words(refusal.sentence))
        except FaultyQuestions as refusal:
            faults = [fault_line(fault) for fault in refusal.faults]
            form.add_error("file", _faulty_words(len(faults)))
        else:
            messages.success(request, _taken_words(record.report))
            return HttpResponseRedirect(reverse("admin:annotation_import_change", args=[record.pk]))
    context = {"title": _("Import passages"), "project": project, "form": form, "faults": faults}
    return _page(request, site, "admin/annotation/import.html", context)


def home_url(project: Project) -> str:
    return reverse("admin:annotation_project_home", args=[project.pk])


def _faulty_words(count: int) -> str:
    return ngettext(
        "%(count)s question is faulty, so nothing was stored. Correct the file, or leave faulty questions out.",
        "%(count)s questions are faulty, so nothing was stored. Correct the file, or leave faulty questions out.",
        count,
    ) % {"count": grouped(count)}


def _taken_words(report: dict[str, Any]) -> str:
    added = report["paragraphs"]["added"]
    words = ngettext("%(count)s paragraph was taken in.", "%(count)s paragraphs were taken in.", added)
    return words % {"count": grouped(added)}


def _page(request: HttpRequest, site: AdminSite, template: str, context: dict[str, Any]) -> HttpResponse:
    request.current_app = site.name
    return TemplateResponse(request, template, {**site.each_context(request), **context})
