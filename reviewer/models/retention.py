"""What the retention settings have deleted."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class RetentionRun(models.Model):
    """One pass that deleted something: under which settings (days by what is kept; 0: for good), and how much."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    days = models.JSONField()
    deleted = models.JSONField()

    class Meta:
        verbose_name = _("retention pass")
        verbose_name_plural = _("retention passes")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
