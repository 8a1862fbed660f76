"""Requesters, as an operator sees them."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from .. import clock
from ..auth import operator_view
from ..models import AccessKey, RequesterProfile, User
from ..services import operating, requesters, throttling
from .forms import (
    ForgottenForm,
    FundsForm,
    NewKeyForm,
    NewRequesterForm,
    OperatorForm,
    RateForm,
    RenameForm,
    RevokeKeyForm,
)
from .overview import page

PAGE_SIZE = 50


@require_safe
@operator_view
def listing(request: HttpRequest, operator: User) -> HttpResponse:
    search = request.GET.get("q", "").replace("\0", "").strip()[:150]
    found = Paginator(requesters.listed(search), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"found": found, "search": search}
    return render(request, "marketplace/operator/requesters.html", context | page("requesters"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@operator_view
def new(request: HttpRequest, operator: User) -> HttpResponse:
    """Make a requester. Its key's secret is shown on the answer to this form and never again."""
    form = NewRequesterForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            key = requesters.create(
                operator,
                values["requester_name"],
                clock.now(),
                pays_nobody=values["pays_nobody"],
                token=values["token"],
            )
        except (requesters.NotPossible, operating.AlreadyDone) as refusal:
            form.add_error(None, str(refusal))
        else:
            return _show_key(request, key)
    status = 400 if form.errors else 200
    return render(
        request, "marketplace/operator/new_requester.html", {"form": form} | page("requesters"), status=status
    )


def _show_key(request: HttpRequest, key: AccessKey) -> HttpResponse:
    return render(request, "marketplace/operator/key.html", {"key": key} | page("requesters"))


@require_safe
@operator_view
def requester(request: HttpRequest, operator: User, customer_id: str) -> HttpResponse:
    return page_of(request, found_or_404(customer_id))


def found_or_404(customer_id: str) -> RequesterProfile:
    return get_object_or_404(RequesterProfile, customer_id=customer_id)


def page_of(
    request: HttpRequest, row: RequesterProfile, form: OperatorForm | None = None, refusal: str = ""
) -> HttpResponse:
    """The requester's page, with ``form`` in place of the empty one where it could not be carried out.
    ``refusal`` says why, where the form itself was right."""
    forms: dict[str, Any] = {
        "funds_form": FundsForm(),
        "key_form": NewKeyForm(),
        "rename_form": RenameForm(initial={"requester_name": row.name}),
        "rate_form": RateForm(initial={"requests_per_second": row.requests_per_second}),
        "revoke_form": RevokeKeyForm(),
        "forgotten_form": ForgottenForm(),
    }
    if form is not None:
        forms[f"{form.name}_form"] = form
    context = {
        "requester": row,
        "refusal": refusal,
        "keys": row.access_keys.order_by("-is_active", "id"),
        "movements": requesters.last_movements(row),
        "rate": throttling.rate_of(row),
        "actions": operating.actions_on(row),
    }
    status = 200 if form is None else 400
    return render(request, "marketplace/operator/requester.html", context | forms | page("requesters"), status=status)


def _carry_out(
    request: HttpRequest, row: RequesterProfile, form: OperatorForm, act: Callable[[dict[str, Any]], None], done: str
) -> HttpResponse:
    """``act`` with what ``form`` holds if it is right, and say ``done``; or the page with what is wrong."""
    if not form.is_valid():
        return page_of(request, row, form)
    try:
        act(form.cleaned_data)
    except (requesters.NotPossible, operating.AlreadyDone) as refusal:
        return page_of(request, row, form, str(refusal))
    messages.success(request, done)
    return HttpResponseRedirect(reverse("operator-requester", args=[row.customer_id]))


@require_POST
@operator_view
def add_funds(request: HttpRequest, operator: User, customer_id: str) -> HttpResponse:
    row = found_or_404(customer_id)

    def act(values: dict[str, Any]) -> None:
        requesters.add_funds(
            operator, row, values["amount_usd"], clock.now(), reason=values["reason"], token=values["token"]
        )

    return _carry_out(request, row, FundsForm(request.POST), act, _("Put in."))


@never_cache
@require_POST
@operator_view
def add_key(request: HttpRequest, operator: User, customer_id: str) -> HttpResponse:
    """A further key, whose secret is shown on this answer and never again."""
    row, form = found_or_404(customer_id), NewKeyForm(request.POST)
    if not form.is_valid():
        return page_of(request, row, form)
    try:
        key = requesters.add_key(operator, row, clock.now(), token=form.cleaned_data["token"])
    except operating.AlreadyDone as refusal:
        return page_of(request, row, form, str(refusal))
    return _show_key(request, key)


@require_POST
@operator_view
def revoke_key(request: HttpRequest, operator: User, customer_id: str, pk: int) -> HttpResponse:
    row = found_or_404(customer_id)
    key = get_object_or_404(AccessKey.objects.select_related("requester"), requester=row, pk=min(pk, 2**63 - 1))

    def act(values: dict[str, Any]) -> None:
        requesters.revoke_key(operator, key, clock.now(), reason=values["reason"])

    return _carry_out(request, row, RevokeKeyForm(request.POST), act, _("Revoked. No call signed with it is answered."))


@require_POST
@operator_view
def rename(request: HttpRequest, operator: User, customer_id: str) -> HttpResponse:
    row = found_or_404(customer_id)

    def act(values: dict[str, Any]) -> None:
        requesters.rename(operator, row, values["requester_name"], clock.now(), reason=values["reason"])

    return _carry_out(request, row, RenameForm(request.POST), act, _("Renamed."))


@require_POST
@operator_view
def set_rate(request: HttpRequest, operator: User, customer_id: str) -> HttpResponse:
    row = found_or_404(customer_id)

    def act(values: dict[str, Any]) -> None:
        requesters.set_rate(operator, row, values["requests_per_second"], clock.now())

    return _carry_out(request, row, RateForm(request.POST), act, _("Set. It counts from the next call on."))
