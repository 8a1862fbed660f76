"""Comparisons of the ledger with what an endpoint says was paid, asked for on a page and made by a job."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.querysets import InProject

# Without a step for so long its job has died; longer than a call may take.
SILENCE = timedelta(minutes=3)


class Reconciliation(models.Model):
    """One comparison for a project: how far it is, and its report (``services.reconciling.Report.as_json``)."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="reconciliations")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    hits_done = models.PositiveIntegerField(default=0)
    hits_total = models.PositiveIntegerField(default=0)
    stepped_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    report = models.JSONField(default=dict)
    problem = models.TextField(_("problem"), blank=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("reconciliation")
        verbose_name_plural = _("reconciliations")
        constraints = [
            models.UniqueConstraint(
                fields=["project"], condition=Q(finished_at__isnull=True), name="one_reconciliation_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"reconciliation {self.pk}"

    @property
    def is_running(self) -> bool:
        return self.finished_at is None and timezone.now() - self.stepped_at < SILENCE
