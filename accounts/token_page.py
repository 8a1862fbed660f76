"""The page on which people make and revoke their own API tokens."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from accounts.keys import key_from
from accounts.models import ApiToken, User


class TokenForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("What is it for?"), max_length=100, help_text=gettext_lazy("To know it again in this list.")
    )


@never_cache
def tokens(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """One's own tokens; a new one's text is on the answer to its making, and nowhere afterwards."""
    user = request.user
    if not isinstance(user, User):
        raise PermissionDenied
    form, made, status = TokenForm(), "", 200
    if request.method == "POST" and request.POST.get("act") == "revoke":
        _revoke(request, user)
        return HttpResponseRedirect(reverse("admin:accounts_tokens"))
    if request.method == "POST":
        form = TokenForm(request.POST)
        if form.is_valid():
            _token, made = ApiToken.make(user, form.cleaned_data["name"])
            form = TokenForm()
        else:
            status = 422
    context: dict[str, Any] = site.each_context(request) | {
        "title": _("API tokens"),
        "form": form,
        "made": made,
        "tokens": ApiToken.objects.filter(user=user, revoked_at__isnull=True).order_by("-pk"),
    }
    return TemplateResponse(request, "admin/accounts/tokens.html", context, status=status)


def _revoke(request: HttpRequest, user: User) -> None:
    key = key_from(request.POST.get("token", ""))
    revoked = ApiToken.objects.filter(pk=key, user=user, revoked_at__isnull=True).update(revoked_at=timezone.now())
    if revoked:
        messages.success(request, _("Revoked: programs that use it are refused from now on."))
