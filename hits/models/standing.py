"""What we know about an endpoint as a whole."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class EndpointStanding(models.Model):
    """One row an endpoint: who is syncing with it right now, and when we last looked back at what was closed."""

    endpoint = models.CharField(max_length=50, primary_key=True)
    syncing_until = models.DateTimeField(null=True, blank=True)
    looked_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("endpoint")
        verbose_name_plural = _("endpoints")

    def __str__(self) -> str:
        return self.endpoint

    @classmethod
    def claim_sync(cls, endpoint: str, now: datetime, at_most: timedelta) -> bool:
        """Take the right to sync with ``endpoint`` for ``at_most``; False while somebody else has it."""
        cls.objects.get_or_create(endpoint=endpoint)
        # One that ends later than any claim may was made by a clock that has been set back since.
        free = Q(syncing_until__isnull=True) | Q(syncing_until__lte=now) | Q(syncing_until__gt=now + at_most)
        return cls.objects.filter(free, endpoint=endpoint).update(syncing_until=now + at_most) == 1

    @classmethod
    def end_sync(cls, endpoint: str) -> None:
        cls.objects.filter(endpoint=endpoint).update(syncing_until=None)
