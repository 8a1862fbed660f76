"""The platform's own logins: requesters, reviewers and viewers. Crowd workers are not users here."""

from __future__ import annotations

import secrets
from hashlib import sha256

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.history import Changes

# So that a token is recognised as one of ours wherever it turns up.
TOKEN_START = "spanwright_"  # noqa: S105 - no secret


class User(AbstractUser):
    """A person who signs in to the platform. What they may do in a project is their membership there."""

    history = Changes(excluded_fields=["password", "last_login", "first_name", "last_name", "email"])


class ApiToken(models.Model):
    """A key with which a program acts as a user. The text is shown once, when it is made; only its digest is kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=100)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")

    def __str__(self) -> str:
        return self.name

    @classmethod
    def make(cls, user: User, name: str) -> tuple[ApiToken, str]:
        """A new token of ``user``, and its text."""
        text = TOKEN_START + secrets.token_urlsafe(32)
        return cls.objects.create(user=user, name=name, digest=cls.digest_of(text)), text

    @staticmethod
    def digest_of(text: str) -> str:
        return sha256(text.encode()).hexdigest()
