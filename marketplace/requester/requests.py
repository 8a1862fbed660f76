"""What workers ask the requester for: qualifications that are granted by hand."""

from django.contrib import messages as notices
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from .. import answers, clock
from ..auth import requester_view
from ..errors import Refused
from ..forms import DeclineForm, GrantForm
from ..models import RequesterProfile
from ..services import qualifying
from .overview import page

PAGE_SIZE = 25


@require_safe
@requester_view
def listing(request: HttpRequest, requester: RequesterProfile) -> HttpResponse:
    """The requests that wait, in the order in which they came, each with what the worker answered."""
    shown = Paginator(qualifying.waiting_for(requester), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = [(row, answers.values_in(row.answer) if row.answer else {}) for row in shown]
    context = {"rows": rows, "found": shown}
    return render(request, "marketplace/requester/requests.html", page(requester, "requests") | context)


@require_POST
@requester_view
def decide(request: HttpRequest, requester: RequesterProfile, request_id: str) -> HttpResponse:
    """Grant with a value, or decline with a reason that the worker reads: ``AcceptQualificationRequest`` and
    ``RejectQualificationRequest`` on a page."""
    now = clock.now()
    is_grant = request.POST.get("decision") == "grant"
    form = GrantForm(request.POST) if is_grant else DeclineForm(request.POST)
    if not form.is_valid():
        notices.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return HttpResponseRedirect(reverse("requester-requests"))
    try:
        if is_grant:
            qualifying.accept(requester, request_id, form.cleaned_data["value"], now)
        else:
            qualifying.decline(requester, request_id, form.cleaned_data["reason"], now)
    except Refused as refusal:
        if refusal.code.endswith("DoesNotExist"):
            raise Http404 from None
        notices.warning(request, _("This request was decided already."))
    else:
        notices.success(request, _("Granted. The worker is told.") if is_grant else _("Declined. The worker is told."))
    return HttpResponseRedirect(reverse("requester-requests"))
