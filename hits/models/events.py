"""Events that an endpoint told us of."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class SeenEvent(models.Model):
    """A document of events that was handled, by its id: queues deliver more than once. Kept for a bounded time."""

    endpoint = models.CharField(max_length=50)
    document_id = models.CharField(max_length=100)
    handled_at = models.DateTimeField()

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [models.UniqueConstraint(fields=["endpoint", "document_id"], name="a_document_is_handled_once")]
        indexes = [models.Index(fields=["handled_at"], name="events_to_forget")]

    def __str__(self) -> str:
        return self.document_id
