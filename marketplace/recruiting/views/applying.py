"""Open sign-up: apply, and see what became of it; and the operator's queue."""

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.sign_in import client_address

from ... import clock
from ...auth import operator_view
from ...models import IllegalMove, User
from ..forms import SignUpForm, taken_sentence
from ..models import Application, Terms
from ..services import applications, newcomers
from .joining import PASSWORD_BACKEND
from .operator_invitations import PAGE_SIZE, frame


class ApplicationForm(SignUpForm):
    message = forms.CharField(
        label=gettext_lazy("Who are you, and why do you want to work here? (optional)"),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    field_order = ["username", "password", "password_again", "email", "message", "agrees"]


@never_cache
@sensitive_post_parameters("password", "password_again")
@require_http_methods(["GET", "HEAD", "POST"])
def apply(request: HttpRequest) -> HttpResponse:
    if not applications.is_open():
        return render(request, "recruiting/closed.html", {"state": "no_sign_up"}, status=404)
    if request.user.is_authenticated:
        return HttpResponseRedirect(reverse("projects"))
    terms = Terms.in_force()
    form = ApplicationForm(request.POST if request.method == "POST" else None, terms=terms)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            application = applications.apply(
                values["username"],
                values["password"],
                values["email"],
                values["message"],
                client_address(request),
                clock.now(),
                terms=terms,
            )
        except applications.TooMany as error:
            return render(request, "recruiting/apply.html", {"form": form, "too_many": str(error)}, status=429)
        except newcomers.UsernameTaken:
            form.add_error("username", taken_sentence())
        else:
            login(request, application.user, backend=PASSWORD_BACKEND)
            return HttpResponseRedirect(reverse("waiting"))
    return render(request, "recruiting/apply.html", {"form": form, "terms": terms}, status=400 if form.errors else 200)


@never_cache
@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """What became of the application of whoever is signed in."""
    application = Application.objects.filter(user=request.user.pk).first() if request.user.is_authenticated else None
    if application is None:
        raise Http404
    if application.status == Application.Status.APPROVED:
        return HttpResponseRedirect(reverse("projects"))
    return render(request, "recruiting/waiting.html", {"application": application})


@require_safe
@operator_view
def queue(request: HttpRequest, operator: User) -> HttpResponse:
    """Those who wait, longest first; then those who were decided on, newest first."""
    applications.forget_sources(clock.now())
    waits = Application.objects.filter(status=Application.Status.WAITING).select_related("user").order_by("id")
    decided = Application.objects.exclude(status=Application.Status.WAITING).select_related("user", "decided_by")
    context = {
        "is_open": applications.is_open(),
        "waiting": waits,
        "page": Paginator(decided.order_by("-decided_at"), PAGE_SIZE).get_page(request.GET.get("page")),
    }
    return render(request, "recruiting/operator/applications.html", context | frame("applications"))


@require_POST
@operator_view
def set_open(request: HttpRequest, operator: User) -> HttpResponse:
    applications.set_open(bool(request.POST.get("open")), operator, clock.now())
    return HttpResponseRedirect(reverse("recruiting-applications"))


@require_POST
@operator_view
def decide(request: HttpRequest, operator: User, pk: int) -> HttpResponse:
    """``decision`` is approve or decline, which needs a ``reason``."""
    application = get_object_or_404(Application.objects.select_related("user"), pk=min(pk, 2**63 - 1))
    reason = request.POST.get("reason", "").replace("\0", "").strip()[:500]
    decision = request.POST.get("decision")
    if decision not in ("approve", "decline") or (decision == "decline" and not reason):
        messages.warning(request, _("Say why you decline: the applicant reads it."))
        return HttpResponseRedirect(reverse("recruiting-applications"))
    try:
        if decision == "approve":
            is_done = applications.approve(application, operator, clock.now())
        else:
            is_done = applications.decline(application, operator, reason, clock.now())
    except IllegalMove:
        is_done = False
    if not is_done:
        messages.warning(request, _("This application was decided already."))
    return HttpResponseRedirect(reverse("recruiting-applications"))
