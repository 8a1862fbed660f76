"""Faults on purpose: switching them on and off."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from .. import clock
from ..auth import operator_view
from ..models import Fault, User
from ..services import faults
from .forms import FaultForm
from .overview import page


@require_http_methods(["GET", "HEAD", "POST"])
@operator_view
def listing(request: HttpRequest, operator: User) -> HttpResponse:
    """The faults that are on, and a form to switch on another."""
    form = FaultForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            faults.switch_on(operator, form.cleaned_data["requester"], form.cleaned_data["order"], clock.now())
        except faults.PaysPeople as refusal:
            form.add_error("requester", str(refusal))
        else:
            messages.warning(request, _("Switched on. Calls meet it from now on."))
            return HttpResponseRedirect(reverse("operator-faults"))
    context = {
        "form": form,
        "faults": Fault.objects.active().select_related("requester").order_by("id"),
        "is_allowed_for_all": settings.MARKETPLACE_FAULTS,
    }
    status = 400 if form.errors else 200
    return render(request, "marketplace/operator/faults.html", context | page("faults"), status=status)


@require_POST
@operator_view
def switch_off(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    fault = get_object_or_404(Fault.objects.select_related("requester"), pk=min(pk, 2**63 - 1))
    faults.switch_off(operator, [fault], clock.now())
    messages.success(request, _("Switched off."))
    return HttpResponseRedirect(reverse("operator-faults"))


@require_POST
@operator_view
def switch_all_off(request: HttpRequest, operator: User) -> HttpResponse:
    faults.switch_off(operator, list(Fault.objects.active().select_related("requester")), clock.now())
    messages.success(request, _("All faults are switched off."))
    return HttpResponseRedirect(reverse("operator-faults"))
