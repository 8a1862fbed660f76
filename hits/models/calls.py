"""Calls of our API that change something, remembered by the key that their caller gave them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ApiCall(models.Model):
    """One call that was answered, stored in the transaction that did its work; the same key again gets its answer."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.UUIDField()
    request_digest = models.CharField(max_length=64)  # of method, path and body
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.JSONField(default=dict)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("API call")
        verbose_name_plural = _("API calls")
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="a_call_once_for_its_key")]

    def __str__(self) -> str:
        return f"{self.key}: {self.status}"
