"""The pages about a project's workers: who they are to it (never to others), and keeping one out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import looking
from accounts.looking import Look
from annotation.models import Exclusion, Project, Worker
from annotation.panels import links_of_worker
from annotation.permissions import REQUESTERS, has_role, project_or_404, signed_in
from annotation.services import first_looks, standing

from . import tasks
from .services import blocking, workers

if TYPE_CHECKING:
    from .admin import BatchAdmin

A_PAGE = 100
REASONS = dict(Exclusion.Reason.choices)


class ExcludeForm(forms.Form):
    words = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=500,
        help_text=gettext_lazy("Kept with the exclusion. The worker does not see it."),
    )
    at_the_endpoint = forms.BooleanField(
        label=gettext_lazy("Block at the endpoint, too"),
        required=False,
        help_text=gettext_lazy("From everything that its account publishes there, whichever project it is of."),
    )


def urls(batches: BatchAdmin) -> list[URLPattern]:
    wrap = batches.admin_site.admin_view
    return [
        path("workers/<int:project_pk>/", wrap(partial(listing, batches)), name="hits_workers"),
        path("workers/<int:project_pk>/<int:worker_pk>/", wrap(partial(one, batches)), name="hits_worker"),
    ]


def listing(batches: BatchAdmin, request: HttpRequest, project_pk: int) -> HttpResponse:
    """The workers of a project, or those who are kept out of it."""
    project = project_or_404(request.user, project_pk)
    looking.note(signed_in(request), project, Look.LIST, project.pk)
    only_excluded = request.GET.get("who") == "excluded"
    rows = Paginator(workers.workers_of(project, only_excluded=only_excluded), A_PAGE).get_page(request.GET.get("page"))
    kept_out: dict[int, list[str]] = {}
    standing_rows = Exclusion.objects.in_project(project).standing().filter(worker__in=[row.pk for row in rows])
    for worker, reason in standing_rows.values_list("worker", "reason"):
        kept_out.setdefault(worker, []).append(str(REASONS[reason]))
    for worker in first_looks.waiting_workers(project).filter(worker__in=[row.pk for row in rows]):
        kept_out.setdefault(worker["worker"], []).append(_("waits for a first look"))
    context = _page(batches, request, project, _("Workers")) | {
        "rows": [(row, kept_out.get(row.pk, [])) for row in rows],
        "page": rows,
        "only_excluded": only_excluded,
        "most": project.most_tasks_a_worker,
    }
    return TemplateResponse(request, "admin/hits/workers.html", context)


def one(batches: BatchAdmin, request: HttpRequest, project_pk: int, worker_pk: int) -> HttpResponse:
    """A worker's card; what is done there is POSTed with ``act``."""
    project = project_or_404(request.user, project_pk)
    worker = get_object_or_404(workers.workers_of(project), pk=worker_pk)
    looking.note(signed_in(request), worker, Look.CARD, project.pk)
    form = ExcludeForm(request.POST if request.POST.get("act") == "exclude" else None)
    problem = ""
    if request.method == "POST":
        project_or_404(request.user, project_pk, *REQUESTERS)
        try:
            done = _act(request, project, worker, form)
        except blocking.NotExcluded as refusal:
            problem = str(refusal)
        else:
            if done:
                messages.success(request, done)
                return HttpResponseRedirect(reverse("admin:hits_worker", args=[project.pk, worker.pk]))
    user = signed_in(request)
    context = _page(batches, request, project, str(worker).capitalize()) | {
        "worker": worker,
        "card": workers.card(project, worker),
        "reasons": REASONS,
        "form": form,
        "problem": problem,
        "links": links_of_worker(project, worker.pk),
        "may_act": user is not None and has_role(user, project, *REQUESTERS),
    }
    return TemplateResponse(request, "admin/hits/worker.html", context, status=422 if request.method == "POST" else 200)


def _act(request: HttpRequest, project: Project, worker: Worker, form: ExcludeForm) -> str:
    """Do what was asked; the sentence to show, or none where the form is not whole."""
    user, act = signed_in(request), request.POST.get("act")
    if act == "exclude":
        if not form.is_valid():
            return ""
        asked = form.cleaned_data
        blocking.exclude(project, worker, asked["words"], user, at_the_endpoint=asked["at_the_endpoint"])
        return _("Kept out. The endpoint is told in a moment; whoever is at work now may finish.")
    if act == "readmit":
        blocking.readmit(project, worker, "", user)
        return _("Let in again. The endpoint is told in a moment.")
    if act == "retry":
        standing.readmit(project, worker, Exclusion.Reason.QUIZ, user=user)
        tasks.tell_standing.delay(project.pk, worker.endpoint)
        return _("They may try again, with a quiz HIT of a batch that they have not taken yet.")
    if act == "let_on" and user is not None:
        first_looks.let_on(project, worker, user)
        tasks.tell_standing.delay(project.pk, worker.endpoint)
        return _("They may go on. The endpoint is told in a moment.")
    if act == "pass":
        standing.record_quiz(project, worker, passed=True, user=user)
        tasks.tell_standing.delay(project.pk, worker.endpoint)
        return _("Counted as having passed the quiz. The endpoint is told in a moment.")
    raise blocking.NotExcluded(_("The page asked for something that it cannot do. Reload it and try again."))


def _page(batches: BatchAdmin, request: HttpRequest, project: Project, title: str) -> dict[str, Any]:
    return batches.admin_site.each_context(request) | {"title": title, "project": project, "opts": batches.opts}
