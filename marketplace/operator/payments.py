"""What is due to workers, and paying it out."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from .. import clock
from ..auth import operator_view
from ..models import OperatorAction, PayoutBatch, User, WorkerProfile
from ..services import operating, overdue, payouts
from .forms import CancelForm, OperatorForm, PaidForm, PayoutForm
from .overview import page

PAGE_SIZE = 50
NAMED = 50  # workers whose payment details are missing; the file names the others


@require_safe
@operator_view
def listing(request: HttpRequest, operator: User) -> HttpResponse:
    return _listing(request)


def _listing(request: HttpRequest, refusal: str = "") -> HttpResponse:
    """What is due to whom, and the payouts so far."""
    overdue.settle(clock.now())
    due = payouts.due()
    unpayable = payouts.without_details(due)
    shown = Paginator(due, PAGE_SIZE).get_page(request.GET.get("page"))
    workers = WorkerProfile.objects.select_related("user", "payment_details").in_bulk(row.worker_id for row in shown)
    context = {
        "due": [(workers[row.worker_id], row) for row in shown],
        "page": shown,
        "total_usd": payouts.total(due),
        "people": len(due),
        "unpayable": unpayable[:NAMED],
        "unpayable_people": len(unpayable),
        "unnamed": max(0, len(unpayable) - NAMED),
        "batches": Paginator(payouts.batches(), PAGE_SIZE).get_page(request.GET.get("payouts")),
        "form": PayoutForm(),
        "refusal": refusal,
    }
    status = 400 if refusal else 200
    return render(request, "marketplace/operator/payments.html", context | page("payments"), status=status)


@require_POST
@operator_view
def make(request: HttpRequest, operator: User) -> HttpResponse:
    form = PayoutForm(request.POST)
    if not form.is_valid():
        return _listing(request, _("This form is not one of this page. Send the one below."))
    overdue.settle(clock.now())
    try:
        made = payouts.make(operator, clock.now(), token=form.cleaned_data["token"])
    except (payouts.NotPossible, operating.AlreadyDone) as refusal:
        return _listing(request, str(refusal))
    messages.success(request, _("Made. Download the file, have it paid, and say here when it is."))
    return HttpResponseRedirect(reverse("operator-payout", args=[made.pk]))


def _batch(pk: int) -> PayoutBatch:
    return get_object_or_404(payouts.batches(), pk=min(pk, 2**63 - 1))


@require_safe
@operator_view
def batch(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    return _page(request, _batch(pk))


def _page(request: HttpRequest, row: PayoutBatch, form: OperatorForm | None = None, refusal: str = "") -> HttpResponse:
    """A payout's page, with ``form`` in place of the empty one where it could not be carried out. ``refusal`` says
    why, where the form itself was right."""
    forms: dict[str, Any] = {"paid_form": PaidForm(), "cancel_form": CancelForm()}
    if form is not None:
        forms[f"{form.name}_form"] = form
    rows = row.payouts.select_related("worker__user", "worker__payment_details").order_by("number")
    shown = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"batch": row, "page": shown, "refusal": refusal}
    status = 200 if form is None else 400
    return render(request, "marketplace/operator/payout.html", context | forms | page("payments"), status=status)


@require_safe
@operator_view
def download(request: HttpRequest, operator: User, pk: int) -> StreamingHttpResponse:
    """The file to pay from. Names and bank details leave with it, so the log keeps who took it."""
    row = _batch(pk)
    operating.record(operator, OperatorAction.Action.DOWNLOAD_PAYOUT, clock.now(), detail=row.reference)
    response = StreamingHttpResponse(payouts.as_csv(row), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{row.reference}.csv"'
    response["Cache-Control"] = "no-store"
    return response


def _carry_out(
    request: HttpRequest, row: PayoutBatch, form: OperatorForm, act: Callable[[str], None], done: str
) -> HttpResponse:
    """``act`` with the reason that ``form`` gives if it is right, and say ``done``; or the page with what is wrong."""
    if not form.is_valid():
        return _page(request, row, form)
    try:
        act(form.cleaned_data["reason"])
    except payouts.NotPossible as refusal:
        return _page(request, row, form, str(refusal))
    messages.success(request, done)
    return HttpResponseRedirect(reverse("operator-payout", args=[row.pk]))


@require_POST
@operator_view
def mark_paid(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    row = _batch(pk)

    def act(reason: str) -> None:
        payouts.mark_paid(operator, row, clock.now(), reason=reason)

    return _carry_out(request, row, PaidForm(request.POST), act, _("Paid. The workers see it on their pages."))


@require_POST
@operator_view
def cancel(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    row = _batch(pk)

    def act(reason: str) -> None:
        payouts.cancel(operator, row, clock.now(), reason=reason)

    return _carry_out(request, row, CancelForm(request.POST), act, _("Cancelled. What stood in it is due again."))
