"""The operator's pages about invitations and the terms."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ... import clock
from ...auth import operator_view
from ...models import User
from ...operator.overview import page
from ..forms import InvitationForm, TermsForm
from ..models import Invitation, Terms
from ..services import invitations as services
from ..services import newcomers

PAGE_SIZE = 50


def frame(door: str) -> dict[str, str]:
    """What the frame of every page about the doors wants to know."""
    return page("recruiting") | {"door": door}


@require_safe
@operator_view
def invitations(request: HttpRequest, operator: User) -> HttpResponse:
    """The invitations, unused and newest first, with who came by each."""
    now = clock.now()
    shown = Paginator(services.listed(now), PAGE_SIZE).get_page(request.GET.get("page"))
    with_state = [(row, row.state(now)) for row in shown]
    context = {"page": shown, "invitations": with_state} | frame("invitations")
    return render(request, "recruiting/operator/invitations.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@operator_view
def new_invitation(request: HttpRequest, operator: User) -> HttpResponse:
    """Make links, which are shown on the answer to this form and never again."""
    form = InvitationForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        links = services.invite(form.offer(), clock.now(), links=form.cleaned_data["links"], by=operator)
        context = {"links": links, "values": form.cleaned_data} | frame("invitations")
        return render(request, "recruiting/operator/links.html", context)
    status = 400 if form.errors else 200
    return render(request, "recruiting/operator/invite.html", {"form": form} | frame("invitations"), status=status)


@require_POST
@operator_view
def revoke(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation, pk=min(pk, 2**63 - 1))
    services.revoke(invitation, operator, clock.now())
    messages.success(request, _("Revoked: nobody else comes in by that link."))
    return HttpResponseRedirect(reverse("recruiting"))


@require_http_methods(["GET", "HEAD", "POST"])
@operator_view
def terms(request: HttpRequest, operator: User) -> HttpResponse:
    """What newcomers agree to."""
    current = Terms.in_force()
    data = request.POST if request.method == "POST" else None
    form = TermsForm(data, initial={"text": current.text if current else ""})
    if data is not None and form.is_valid():
        newcomers.set_terms(form.cleaned_data["text"].strip(), operator, clock.now())
        messages.success(request, _("Kept. Who comes in from now on is asked to agree to it."))
        return HttpResponseRedirect(reverse("recruiting-terms"))
    context = {"form": form, "current": current} | frame("terms")
    return render(request, "recruiting/operator/terms.html", context, status=400 if form.errors else 200)
