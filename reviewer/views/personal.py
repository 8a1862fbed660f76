"""What is kept about workers: finding one, giving them their record, and erasing them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts import looking
from accounts.looking import Look
from accounts.models import User
from annotation.models import Project, Worker
from annotation.permissions import REQUESTERS
from annotation.visitor_language import in_visitors_language
from hits import endpoints
from reviewer.models import WorkerErasure
from reviewer.models.erasures import WHY_CHARS
from reviewer.services import erasing, looked, retention, rights
from reviewer.services.worker_record import as_json, of_worker

from .access import of_project, page, user_of

# Erasures that the page lists, the latest first.
MOST_SHOWN = 100


class FindForm(forms.Form):
    """A worker by what they know of themselves."""

    endpoint = forms.ChoiceField(label=gettext_lazy("Where they work"))
    worker_id = forms.CharField(label=gettext_lazy("Their worker id there"), max_length=erasing.MOST_ID_CHARS)

    def __init__(self, data: Any = None, *, project: Project) -> None:
        super().__init__(data)
        self.project = project
        self.worker: Worker | None = None
        choices = [(key, endpoint.label) for key, endpoint in endpoints.all_endpoints().items()]
        self.fields["endpoint"].choices = choices  # type: ignore[attr-defined]
        self.fields["worker_id"].widget.attrs["autocomplete"] = "off"

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if not self.errors:
            found = erasing.find(given["endpoint"], given["worker_id"])
            self.worker = rights.workers_of(self.project).filter(pk=found.pk).first() if found else None
            if self.worker is None:
                raise ValidationError(_("Nobody of that id has worked in this project. Check the id and its endpoint."))
        return given


class EraseForm(forms.Form):
    """An erasure, with the worker's number typed."""

    why = forms.CharField(
        label=gettext_lazy("Who asked, and when"),
        max_length=WHY_CHARS,
        required=False,
        help_text=gettext_lazy("Kept with the erasure. Do not write the worker id here."),
    )
    number = forms.CharField(label=gettext_lazy("The worker's number, to confirm"), max_length=20)

    def __init__(self, data: Any = None, *, worker: Worker) -> None:
        super().__init__(data)
        self.worker = worker
        self.fields["number"].widget.attrs |= {"autocomplete": "off", "inputmode": "numeric"}

    def clean_number(self) -> str:
        number: str = self.cleaned_data["number"].strip()
        if number != str(self.worker.pk):
            sentence = _("This is not the number of the worker on this page, which is {number}. Nothing was erased.")
            raise ValidationError(sentence.format(number=self.worker.pk))
        return number


@in_visitors_language
@require_http_methods(["GET", "HEAD", "POST"])
@of_project(*REQUESTERS)
def personal_data(request: HttpRequest, project: Project) -> HttpResponse:
    """Finding a worker of ``project`` by the id that they name, and who was erased."""
    form = FindForm(request.POST if request.method == "POST" else None, project=project)
    if request.method == "POST" and form.is_valid() and form.worker is not None:
        looking.note(user_of(request), form.worker, Look.FOUND, project.pk)
        return HttpResponseRedirect(reverse("worker_data", args=[project.slug, form.worker.pk]))
    erasures = WorkerErasure.objects.filter(worker__in=rights.workers_of(project).order_by().values("pk"))
    context = {
        "form": form,
        "kept": retention.kept(),
        "erasures": list(erasures.select_related("worker", "erased_by").order_by("-pk")[:MOST_SHOWN]),
    }
    return page(request, project, "personal", "reviewer/personal.html", context, 422 if form.errors else 200)


@in_visitors_language
@require_http_methods(["GET", "HEAD", "POST"])
@of_project(*REQUESTERS)
def worker_data(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """What is kept about one worker of ``project``, to be given to them or erased."""
    worker = _worker(project, pk)
    user = user_of(request)
    others = rights.others_projects(user, worker)
    form = EraseForm(request.POST if request.method == "POST" else None, worker=worker)
    sentences: list[str] = []
    if request.method == "POST":
        if others:
            raise PermissionDenied(_("The worker is known to projects that are not yours: ask an administrator."))
        if form.is_valid():
            try:
                erasing.erase(worker.pk, user, form.cleaned_data["why"])
            except erasing.NotErasable as refusal:
                sentences = refusal.sentences
            else:
                messages.success(request, _("Erased. The work stays, of a worker whom nobody can name any more."))
                return HttpResponseRedirect(reverse("worker_data", args=[project.slug, worker.pk]))
    looking.note(user, worker, Look.DATA, project.pk)
    outlook = erasing.outlook(worker)
    context = {
        "worker": worker,
        "erasure": WorkerErasure.objects.filter(worker=worker).select_related("erased_by").first(),
        "goes": [(erasing.NAMES[name], number) for name, number in outlook.goes.items() if number],
        "stays": outlook.stays,
        "in_the_way": sentences or outlook.in_the_way,
        "others": others,
        "form": form,
        "sees_id": user.is_superuser,
    }
    failed = bool(form.errors or sentences)
    return page(request, project, "personal", "reviewer/worker_data.html", context, 422 if failed else 200)


@in_visitors_language
@require_safe
@of_project(*REQUESTERS)
def looked_at(request: HttpRequest, project: Project) -> HttpResponse:
    """Who looked at personal data of the workers of ``project``."""
    context = {"looked": looked.of_project(project), "most": looked.MOST}
    return page(request, project, "personal", "reviewer/looked.html", context)


@require_safe
@of_project(*REQUESTERS)
def worker_record(request: HttpRequest, project: Project, pk: int) -> StreamingHttpResponse:
    """The record of one worker as a file: from all projects that the user answers for."""
    return record_of(_worker(project, pk), user_of(request), project)


def record_of(worker: Worker, user: User, project: Project | None = None) -> StreamingHttpResponse:
    """The record of ``worker`` as far as ``user`` answers for it; the endpoint's id is for superusers alone."""
    projects = None if user.is_superuser else rights.projects_for(user, worker)
    looking.note(user, worker, Look.RECORD, project.pk if project else None)
    parts = of_worker(worker, projects, with_id=user.is_superuser)
    response = StreamingHttpResponse(as_json(parts), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="worker-{worker.pk}.json"'
    response["Cache-Control"] = "no-store"
    return response


def _worker(project: Project, pk: int) -> Worker:
    return get_object_or_404(rights.workers_of(project), pk=pk)
