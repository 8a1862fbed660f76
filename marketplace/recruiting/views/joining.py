"""The page behind an invitation link."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from ... import clock
from ...models import WorkerProfile
from ..forms import SignUpForm, taken_sentence
from ..models import Invitation, Participant, Terms
from ..services import invitations, newcomers

PASSWORD_BACKEND = "marketplace.auth.PasswordBackend"  # noqa: S105  # a dotted name


@never_cache
@sensitive_post_parameters("password", "password_again")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Sign up by an invitation; who has a worker's account already takes what the invitation grants."""
    try:
        invitation = invitations.find(token, clock.now())
        worker: WorkerProfile | None = getattr(request.user, "worker", None)
        if worker is not None:
            return _with_account(request, token, worker)
        if request.user.is_authenticated:
            return render(request, "recruiting/signed_in.html")
        return _sign_up(request, token, invitation)
    except invitations.Closed as closed:
        return _closed(request, closed)
    except invitations.ForWorkers:
        return render(request, "recruiting/for_workers.html", status=403)


def _closed(request: HttpRequest, closed: invitations.Closed) -> HttpResponse:
    status = 404 if closed.state is None else 410
    return render(request, "recruiting/closed.html", {"state": closed.state or "unknown"}, status=status)


def _with_account(request: HttpRequest, token: str, worker: WorkerProfile) -> HttpResponse:
    if request.method != "POST" and not Participant.objects.filter(worker=worker).exists():
        return render(request, "recruiting/join_with_account.html")
    invitations.join_with_account(token, worker, clock.now())
    messages.success(request, _("Done: what the invitation gives is yours now."))
    return HttpResponseRedirect(reverse("projects"))


def _sign_up(request: HttpRequest, token: str, invitation: Invitation) -> HttpResponse:
    terms = Terms.in_force()
    form = SignUpForm(request.POST if request.method == "POST" else None, terms=terms)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            worker = invitations.join(
                token, values["username"], values["password"], values["email"], clock.now(), terms=terms
            )
        except newcomers.UsernameTaken:
            form.add_error("username", taken_sentence())
        else:
            login(request, worker.user, backend=PASSWORD_BACKEND)
            messages.success(request, _("Welcome. Your account is made, and you are signed in."))
            return HttpResponseRedirect(reverse("projects"))
    context = {"form": form, "terms": terms, "invitation": invitation}
    return render(request, "recruiting/join.html", context, status=400 if form.errors else 200)
