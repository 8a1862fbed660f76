"""Workers, as an operator sees them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from .. import clock
from ..auth import operator_view
from ..models import User, WorkerProfile
from ..services import erasure, operating, payouts, workers
from .forms import DeactivateForm, EraseForm, ForgottenForm, OperatorForm, ReactivateForm, StandingForm
from .overview import number, page


@require_safe
@operator_view
def listing(request: HttpRequest, operator: User) -> HttpResponse:
    search = request.GET.get("q", "").replace("\0", "").strip()[:150]
    state, before = request.GET.get("state", ""), number(request.GET.get("before"))
    found = workers.find(search, state, before)
    context = {"found": found, "search": search, "state": state, "is_first": before is None}
    return render(request, "marketplace/operator/workers.html", context | page("workers"))


@require_safe
@operator_view
def worker(request: HttpRequest, operator: User, worker_id: str) -> HttpResponse:
    return page_of(request, found_or_404(worker_id))


def found_or_404(worker_id: str) -> WorkerProfile:
    return get_object_or_404(WorkerProfile.objects.select_related("user"), worker_id=worker_id)


def page_of(
    request: HttpRequest, row: WorkerProfile, form: OperatorForm | None = None, refusal: str = ""
) -> HttpResponse:
    """The worker's page, with ``form`` in the place of the empty one of its kind where it could not be carried out.
    ``refusal`` says why, where the form itself was right."""
    forms: dict[str, Any] = {
        "standing_form": StandingForm.of(workers.standing_set(row)),
        "deactivate_form": DeactivateForm(),
        "reactivate_form": ReactivateForm(),
        "erase_form": EraseForm(worker=row),
        "forgotten_form": ForgottenForm(),
    }
    if form is not None:
        forms[f"{form.name}_form"] = form
    context = {
        "worker": row,
        "refusal": refusal,
        "counts": workers.counts_of(row),
        "values": workers.system_values(row),
        "payments": payouts.of_worker(row),
        "actions": operating.actions_on(row),
    }
    status = 200 if form is None else 400
    return render(request, "marketplace/operator/worker.html", context | forms | page("workers"), status=status)


def _carry_out(request: HttpRequest, row: WorkerProfile, form: OperatorForm, act: Any, done: str) -> HttpResponse:
    """``act`` on the worker if ``form`` is right, and say ``done``; or the page with what is wrong."""
    if not form.is_valid():
        return page_of(request, row, form)
    try:
        act()
    except workers.NotPossible as refusal:
        return page_of(request, row, form, str(refusal))
    messages.success(request, done)
    return HttpResponseRedirect(reverse("operator-worker", args=[row.worker_id]))


@require_POST
@operator_view
def set_standing(request: HttpRequest, operator: User, worker_id: str) -> HttpResponse:
    row, form = found_or_404(worker_id), StandingForm(request.POST)

    def act() -> None:
        values = form.cleaned_data
        workers.set_standing(operator, row, values["standing"], clock.now(), reason=values["reason"])

    return _carry_out(request, row, form, act, _("Set. It counts from the worker's next page on."))


@require_POST
@operator_view
def deactivate(request: HttpRequest, operator: User, worker_id: str) -> HttpResponse:
    row, form = found_or_404(worker_id), DeactivateForm(request.POST)

    def act() -> None:
        workers.deactivate(operator, row, clock.now(), reason=form.cleaned_data["reason"])

    return _carry_out(request, row, form, act, _("Closed. What was earned stays due."))


@require_POST
@operator_view
def reactivate(request: HttpRequest, operator: User, worker_id: str) -> HttpResponse:
    row, form = found_or_404(worker_id), ReactivateForm(request.POST)

    def act() -> None:
        workers.reactivate(operator, row, clock.now(), reason=form.cleaned_data["reason"])

    return _carry_out(request, row, form, act, _("Open again."))


@require_POST
@operator_view
def erase(request: HttpRequest, operator: User, worker_id: str) -> HttpResponse:
    row = found_or_404(worker_id)
    form = EraseForm(request.POST, worker=row)

    def act() -> None:
        erasure.erase(operator, row, clock.now(), reason=form.cleaned_data["reason"])

    return _carry_out(request, row, form, act, _("Erased. The work and its amounts stay."))
