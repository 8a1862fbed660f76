"""``Authorization: Token <text>``: who a program acts as."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import ApiToken, User

# A token's last use is noted this often at most.
NOTED_EVERY = timedelta(minutes=1)
MOST_CHARS = 200


class TokenAuthentication(BaseAuthentication):
    """The user of the token in the ``Authorization`` header; nobody where the header names another scheme."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _space, text = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != "token":
            return None
        known = ApiToken.objects.select_related("user").filter(revoked_at__isnull=True, user__is_active=True)
        token = known.filter(digest=ApiToken.digest_of(text)).first() if len(text) <= MOST_CHARS else None
        if token is None:
            raise AuthenticationFailed(_("This token is not known here, or was revoked. Make one on your tokens page."))
        now = timezone.now()
        if token.last_used_at is None or now - token.last_used_at > NOTED_EVERY:
            ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Token"


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.api_tokens.TokenAuthentication"
    name = "apiToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "“Token”, a blank, and the token.",
        }
