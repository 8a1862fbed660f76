"""When the HITs of a batch are released for publishing, where not all at once."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .batches import Batch


class ReleasePlan(models.Model):
    """A batch's schedule. A HIT waits as a draft until it is released; a released one is published."""

    batch = models.OneToOneField(Batch, models.PROTECT, related_name="release_plan")
    starts_at = models.DateTimeField(_("not before"), null=True, blank=True)
    pilot_hits = models.PositiveIntegerField(_("HITs of the pilot"), default=0)  # 0: no pilot
    pilot_ended_at = models.DateTimeField(null=True, blank=True)
    pilot_ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    # So many in each period, counted from the start; 0: no such bound.
    hits_a_period = models.PositiveIntegerField(default=0)
    period_seconds = models.PositiveIntegerField(default=3600)
    most_open = models.PositiveIntegerField(default=0)  # never more than so many open at a time; 0: no such bound

    class Meta:
        verbose_name = _("release plan")
        verbose_name_plural = _("release plans")
        constraints = [models.CheckConstraint(name="a_period_has_a_length", condition=Q(period_seconds__gte=60))]

    def __str__(self) -> str:
        return f"{self.batch}: {self._meta.verbose_name}"

    @property
    def in_pilot(self) -> bool:
        return self.pilot_hits > 0 and self.pilot_ended_at is None
