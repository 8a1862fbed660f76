"""Batches in the admin: launching one, watching it, and the ledger to look at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin

from accounts.keys import key_from
from annotation.models import IllegalMove, LostRace
from annotation.permissions import REQUESTERS, ProjectScopedAdmin, has_role, project_or_404, signed_in

from . import endpoints, life_pages, money_pages, qualification_pages, rehearsal_pages, worker_pages
from .endpoint_pages import EndpointAdmin, EndpointBadge
from .forms import LaunchForm
from .models import HIT, Act, Batch, EndpointStanding, LedgerEntry
from .services import (
    batch_life,
    ending,
    estimates,
    launching,
    planning,
    progress,
    publishing,
    rehearsal,
    rehearsing,
    releasing,
    timeline,
)
from .services.planning import NotLaunchable

SHOWN_HITS = 200
SHOWN_ACTS = 12


@admin.register(Batch)
class BatchAdmin(EndpointBadge, ProjectScopedAdmin, ModelAdmin):
    list_display = ["__str__", "project", "endpoint_badge", "status", "cap_usd", "launched_at"]
    list_filter = ["status", "kind", "endpoint"]
    list_select_related = ["project"]
    ordering = ["-pk"]

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("new/<int:project_pk>/", wrap(self.launch_view), name="hits_batch_launch"),
            path("new/<int:project_pk>/estimate/", wrap(self.estimate_view), name="hits_batch_estimate"),
            path("<int:pk>/life/", wrap(self.life_view), name="hits_batch_life"),
            path("<int:pk>/progress/", wrap(self.progress_view), name="hits_batch_progress"),
            path("<int:pk>/pause/", wrap(require_POST(self.pause_view)), name="hits_batch_pause"),
            path("<int:pk>/close/", wrap(require_POST(self.close_view)), name="hits_batch_close"),
            path("<int:pk>/act/<slug:action>/", wrap(self.act_view), name="hits_batch_act"),
            path("<int:pk>/resume/", wrap(require_POST(self.resume_view)), name="hits_batch_resume"),
            *money_pages.urls(self),
            *worker_pages.urls(self),
            *rehearsal_pages.urls(self),
            *qualification_pages.urls(self),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """A batch is looked at on its own page, and never edited."""
        if not (key := key_from(object_id)):
            raise Http404
        return HttpResponseRedirect(reverse("admin:hits_batch_life", args=[key]))

    def launch_view(self, request: HttpRequest, project_pk: int) -> HttpResponse:
        project = project_or_404(request.user, project_pk, *REQUESTERS)
        form = LaunchForm(request.POST or None, project=project, kind=request.GET.get("kind", ""))
        estimate, problem = None, ""
        if request.method == "POST" and form.is_valid():
            try:
                if "rehearse" in request.POST:
                    run = rehearsing.ask(project, form.spec(), signed_in(request))
                    return HttpResponseRedirect(reverse("admin:hits_rehearsal", args=[project.pk, run.pk]))
                batch = launching.launch(
                    project, form.spec(), signed_in(request), form.cleaned_data["confirmed_total_usd"]
                )
            except NotLaunchable as refusal:
                problem = str(refusal)
            else:
                messages.success(request, _("Launched. Below you see the HITs appear at the endpoint."))
                return HttpResponseRedirect(reverse("admin:hits_batch_life", args=[batch.pk]))
        first = LaunchForm(_initial_data(form), project=project) if request.method == "GET" else form
        if first.is_valid():
            estimate = planning.estimate(project, first.spec())
        context = self._context(request, project, _("New batch")) | {
            "form": form,
            "problem": problem,
            "receipt": _receipt(first, estimate),
            "may_rehearse": rehearsal.is_set_up() and not project.is_rehearsal,
            "estimate_url": reverse("admin:hits_batch_estimate", args=[project.pk]),
        }
        return TemplateResponse(request, "admin/hits/launch.html", context, status=422 if problem else 200)

    def estimate_view(self, request: HttpRequest, project_pk: int) -> HttpResponse:
        """The receipt for what the form holds right now, as a fragment."""
        project = project_or_404(request.user, project_pk, *REQUESTERS)
        form = LaunchForm(request.GET, project=project)
        estimate = planning.estimate(project, form.spec()) if form.is_valid() else None
        return TemplateResponse(request, "admin/hits/receipt.html", {"receipt": _receipt(form, estimate)})

    def life_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        batch = self._batch(request, pk)
        user = signed_in(request)
        context = self._context(request, batch.project, str(batch)) | _standing(batch)
        context["may_act"] = user is not None and has_role(user, batch.project, *REQUESTERS)
        context["actions"] = life_pages.actions_for(batch, context["plan"]).items()
        return TemplateResponse(request, "admin/hits/life.html", context)

    def progress_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The live part of a batch's page, as a fragment."""
        return TemplateResponse(request, "admin/hits/standing.html", _standing(self._batch(request, pk)))

    def pause_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        return self._act(
            request, pk, publishing.pause, Act.Kind.PAUSE, _("Paused: nothing more is published until you resume.")
        )

    def resume_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        return self._act(request, pk, publishing.resume, Act.Kind.RESUME, _("Publishing goes on."))

    def close_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        return self._act(
            request, pk, publishing.close, Act.Kind.CLOSE, _("Closed: what was not published costs nothing.")
        )

    def act_view(self, request: HttpRequest, pk: int, action: str) -> HttpResponse:
        """One of the acts on a batch, with its confirmation: see life_pages."""
        batch = self._batch(request, pk)
        project = project_or_404(request.user, batch.project_id, *REQUESTERS)
        return life_pages.act(request, batch, action, self._context(request, project, ""))

    def _act(self, request: HttpRequest, pk: int, act: Any, kind: str, done: str) -> HttpResponse:
        batch = self._batch(request, pk)
        project_or_404(request.user, batch.project_id, *REQUESTERS)
        try:
            act(batch)
            batch_life.note(batch, kind, signed_in(request))
        except (IllegalMove, LostRace):
            messages.error(request, _("The batch has moved on meanwhile; here is how it stands now."))
        else:
            messages.success(request, done)
        return HttpResponseRedirect(reverse("admin:hits_batch_life", args=[pk]))

    def _batch(self, request: HttpRequest, pk: int) -> Batch:
        return get_object_or_404(self.get_queryset(request).select_related("project"), pk=pk)

    def _context(self, request: HttpRequest, project: Any, title: str) -> dict[str, Any]:
        return self.admin_site.each_context(request) | {"title": title, "project": project, "opts": self.opts}


def _initial_data(form: LaunchForm) -> dict[str, Any]:
    """What an untouched form would send."""
    return {"endpoint": next(iter(endpoints.all_endpoints())), **form.initial}


def _receipt(form: LaunchForm, estimate: planning.Estimate | None) -> dict[str, Any]:
    if estimate is None:
        return {"errors": form.errors}
    return {
        "estimate": estimate,
        "endpoint": endpoints.get(estimate.spec.endpoint),
        "problem": estimate.problem(),
        "release": planning.release_sentences(estimate),
        "after_usd": estimate.left_usd - estimate.total_usd,
        "kind": estimate.spec.kind,
    }


def _standing(batch: Batch) -> dict[str, Any]:
    times = estimates.submissions_of(batch)
    standing = progress.progress_of(batch)
    acts = ending.acts_counted(batch)
    plan = releasing.plan_of(batch)
    return {
        "pace": estimates.pace_now(batch, times, standing.open_places),
        "plot": estimates.submissions_plot(times, standing.places, batch.launched_at) if times else "",
        "events": timeline.last_events(batch),
        "batch": batch,
        "endpoint": batch.endpoint_settings,
        "progress": standing,
        "money": progress.money_of_batch(batch),
        "acts": Act.objects.filter(batch=batch).select_related("asked_by", "hit").order_by("-pk")[:SHOWN_ACTS],
        "acts_waiting": acts["waiting"],
        "deletions": acts,
        "is_deleted": ending.is_deleted(batch, standing, acts),
        "waits_for": ending.waits_for(standing),
        "plan": plan,
        "release": releasing.standing(batch, plan, standing.unreleased),
        "hits": HIT.objects.filter(batch=batch).select_related("hit_type").order_by("pk")[:SHOWN_HITS],
    }


@admin.register(LedgerEntry)
class LedgerEntryAdmin(EndpointBadge, ProjectScopedAdmin, ModelAdmin):
    list_display = ["entered_at", "project", "batch", "hit", "kind", "amount_usd", "endpoint_badge"]
    list_filter = ["kind", "endpoint"]
    list_select_related = ["project", "batch", "hit"]
    ordering = ["-pk"]


admin.site.register(EndpointStanding, EndpointAdmin)
