"""The page behind a one-time link: whoever has the link chooses a new password."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from . import clock
from .forms import ChosenPasswordForm
from .services import sign_in_links


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def choose_password(request: HttpRequest, token: str) -> HttpResponse:
    """Looking at the page uses nothing up, so that a mail program which opens links beforehand does no harm."""
    now = clock.now()
    link = sign_in_links.find(token, now)
    if link is None:
        return render(request, "marketplace/sign_in_link_over.html", status=410)
    form = ChosenPasswordForm(link.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        if not sign_in_links.use(link, form.cleaned_data["new_password1"], now):
            return render(request, "marketplace/sign_in_link_over.html", status=410)
        login(request, link.user, backend="marketplace.auth.PasswordBackend")
        messages.success(request, _("Your new password is set, and you are signed in."))
        return HttpResponseRedirect(reverse("account"))
    context = {"form": form, "username": link.user.username}
    return render(request, "marketplace/choose_password.html", context, status=400 if form.errors else 200)
