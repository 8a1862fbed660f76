"""That what was known of a worker was erased. Says nothing of who they were."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Worker

WHY_CHARS = 500


class WorkerErasure(models.Model):
    """One erasure: of whom (by key), who asked for it and why, and how many rows went. Once for each worker."""

    class Cause(models.TextChoices):
        ASKED = "asked", _("asked for")
        RETENTION = "retention", _("by the retention settings")

    worker = models.OneToOneField(Worker, models.PROTECT, related_name="erasure")
    cause = models.CharField(_("cause"), max_length=10, choices=Cause, default=Cause.ASKED)
    why = models.CharField(_("why"), max_length=WHY_CHARS, blank=True)
    # How many rows of each kind were deleted, by the names of ``services.erasing``.
    deleted = models.JSONField(default=dict)
    erased_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    erased_at = models.DateTimeField()

    class Meta:
        verbose_name = _("erasure of a worker")
        verbose_name_plural = _("erasures of workers")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name}: {self.worker}"
