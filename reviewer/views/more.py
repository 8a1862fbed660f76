"""More answers where the first disagree: what a round would cost and bring, then its launch."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.models import Project
from annotation.permissions import REQUESTERS
from annotation.visitor_language import in_visitors_language
from hits import endpoints
from hits.services.planning import NotLaunchable
from reviewer.more_forms import MoreForm
from reviewer.services import more_answers

from .access import of_project, page, user_of


@in_visitors_language
@require_http_methods(["GET", "HEAD", "POST"])
@of_project(*REQUESTERS)
def more(request: HttpRequest, project: Project) -> HttpResponse:
    """The next round by the form of the address; POST launches it."""
    form = MoreForm(request.POST if request.method == "POST" else request.GET, project=project)
    context: dict[str, Any] = {"form": form, "round": None, "not_known": "", "problem": ""}
    status = 200
    if form.is_valid():
        try:
            if request.method == "POST":
                total = _total(request.POST.get("confirmed_total_usd", ""))
                batch = more_answers.launch(project, form.asked(), user_of(request), total)
                messages.success(request, _("Launched. Below you see the HITs appear at the endpoint."))
                return HttpResponseRedirect(reverse("admin:hits_batch_life", args=[batch.pk]))
        except NotLaunchable as refusal:
            context["problem"], status = str(refusal), 422
        except more_answers.NotKnown as unknown:
            context["problem"], status = str(unknown), 409
        context |= _round(project, form)
    elif request.method == "POST":
        status = 422
    return page(request, project, "agreement", "reviewer/more.html", context, status=status)


def _round(project: Project, form: MoreForm) -> dict[str, Any]:
    try:
        found = more_answers.next_round(project, form.asked())
    except more_answers.NotKnown as unknown:
        return {"not_known": str(unknown)}
    return {
        "round": found,
        "estimate_problem": found.estimate.problem() if found.questions else "",
        "endpoint": endpoints.get(found.asked.endpoint),
    }


def _total(text: str) -> Decimal | None:
    try:
        total = Decimal(text)
    except InvalidOperation:
        return None
    return total if total.is_finite() else None
