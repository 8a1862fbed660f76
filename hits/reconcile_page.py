"""The page that compares a project's ledger with its endpoints, and on which differences are taken into the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.keys import key_from
from annotation.models import Project
from annotation.permissions import REQUESTERS, has_role, project_or_404, signed_in

from . import mturk
from .models import HIT, Reconciliation
from .services import mending, reconciling
from .services.mending import NothingToMend

if TYPE_CHECKING:
    from .admin import BatchAdmin

LOOK_AGAIN_SECONDS = 3
SHOWN = 200


def reconcile(batches: BatchAdmin, request: HttpRequest, project_pk: int) -> HttpResponse:
    """The latest comparison of a project; POSTed, a new one, or one of its differences taken into the ledger."""
    project = project_or_404(request.user, project_pk)
    if request.method == "POST":
        project_or_404(request.user, project_pk, *REQUESTERS)
        _act(request, project)
        return HttpResponseRedirect(reverse("admin:hits_reconcile", args=[project_pk]))
    user = signed_in(request)
    latest = Reconciliation.objects.filter(project=project).select_related("asked_by").order_by("-pk").first()
    report: dict[str, Any] = latest.report if latest else {}
    found = report.get("differences", [])
    context = batches.admin_site.each_context(request) | {
        "title": _("Ledger against endpoints"),
        "project": project,
        "opts": batches.opts,
        "latest": latest,
        "report": report,
        "differences": found[:SHOWN],
        "more": max(0, len(found) - SHOWN),
        "may_act": user is not None and has_role(user, project, *REQUESTERS),
    }
    response = TemplateResponse(request, "admin/hits/reconcile.html", context)
    if latest is not None and latest.is_running:
        response["Refresh"] = str(LOOK_AGAIN_SECONDS)
    return response


def _act(request: HttpRequest, project: Project) -> None:
    if request.POST.get("act") != "mend":
        reconciling.ask(project, signed_in(request))
        messages.success(request, _("The comparison has begun; this page shows how far it is."))
        return
    key = key_from(request.POST.get("hit", ""))
    hits = HIT.objects.in_project(project).select_related("batch__project", "hit_type", "offer__task")
    hit = get_object_or_404(hits, pk=key)
    try:
        mending.mend(hit, request.POST.get("kind", ""), request.POST.get("assignment", ""), signed_in(request))
    except (NothingToMend, mturk.Unavailable, mturk.Rejected) as refusal:
        messages.error(request, str(refusal))
    else:
        reconciling.ask(project, signed_in(request))
        messages.success(request, _("It is in the ledger now. The comparison is made again."))
