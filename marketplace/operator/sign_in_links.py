"""Links for people who forgot their password, from the worker's and the requester's page."""

from collections.abc import Callable
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from .. import clock
from ..auth import operator_view
from ..models import RequesterProfile, User, WorkerProfile
from ..services import operating, sign_in_links
from . import requesters, workers
from .forms import ForgottenForm, OperatorForm
from .overview import page


@never_cache
@require_POST
@operator_view
def for_worker(request: HttpRequest, operator: User, worker_id: str) -> HttpResponse:
    row = workers.found_or_404(worker_id)
    again = partial(workers.page_of, request, row)
    return _make(request, operator, row, again, reverse("operator-worker", args=[row.worker_id]), "workers")


@never_cache
@require_POST
@operator_view
def for_requester(request: HttpRequest, operator: User, customer_id: str) -> HttpResponse:
    row = requesters.found_or_404(customer_id)
    again = partial(requesters.page_of, request, row)
    return _make(request, operator, row, again, reverse("operator-requester", args=[row.customer_id]), "requesters")


def _make(
    request: HttpRequest,
    operator: User,
    row: WorkerProfile | RequesterProfile,
    again: Callable[..., HttpResponse],
    back: str,
    tab: str,
) -> HttpResponse:
    """The link, on the answer to this form and never again; or the page with what is wrong."""
    form: OperatorForm = ForgottenForm(request.POST)
    if not form.is_valid():
        return again(form)
    try:
        link = sign_in_links.make(
            operator, row, clock.now(), reason=form.cleaned_data["reason"], token=form.cleaned_data["token"]
        )
    except (sign_in_links.NotPossible, operating.AlreadyDone) as refusal:
        return again(form, str(refusal))
    context = {"link": link, "username": row.user.username, "back": back}
    return render(request, "marketplace/operator/sign_in_link.html", context | page(tab))
