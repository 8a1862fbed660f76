"""What workers report, and that it was seen to."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from .. import clock
from ..auth import operator_view
from ..models import Report, User
from ..services import reports
from .forms import SettleForm
from .overview import page

PAGE_SIZE = 25


@require_safe
@operator_view
def listing(request: HttpRequest, operator: User) -> HttpResponse:
    return _listing(request)


def _listing(request: HttpRequest, refusal: str = "") -> HttpResponse:
    """The reports that wait, or all with ``?all=1``, newest first."""
    shows_all = bool(request.GET.get("all"))
    rows = Report.objects.all() if shows_all else reports.waiting()
    rows = rows.select_related("worker__user", "hit_type__requester").order_by("-id")
    context = {
        "page": Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "shows_all": shows_all,
        "refusal": refusal,
    }
    status = 400 if refusal else 200
    return render(request, "marketplace/operator/reports.html", context | page("reports"), status=status)


@require_POST
@operator_view
def settle(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    rows = Report.objects.select_related("worker", "hit_type__requester")
    row, form = get_object_or_404(rows, pk=min(pk, 2**63 - 1)), SettleForm(request.POST)
    if not form.is_valid():
        return _listing(request, _("Say in up to 500 characters what you did about the report."))
    if not reports.settle(operator, row, clock.now(), reason=form.cleaned_data["reason"]):
        return _listing(request, _("Somebody saw to this report already. The log says what was done."))
    messages.success(request, _("Kept."))
    return HttpResponseRedirect(reverse("operator-reports"))
