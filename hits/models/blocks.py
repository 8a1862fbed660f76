"""Blocking a worker at an endpoint, for everything that its account publishes."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project, Worker

from ..querysets import WorkerBlockQuerySet


class WorkerBlock(models.Model):
    """That a worker is to be blocked at their endpoint, or not any more; the latest row of each project stands."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="worker_blocks")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="blocks")
    is_lifted = models.BooleanField(default=False)
    words = models.CharField(max_length=500, blank=True)  # the worker is told nothing of it by us
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    problem = models.TextField(blank=True)

    objects = WorkerBlockQuerySet.as_manager()

    class Meta:
        verbose_name = _("block at the endpoint")
        verbose_name_plural = _("blocks at the endpoint")
        constraints = [
            models.UniqueConstraint(
                fields=["worker"], condition=Q(done_at__isnull=True), name="one_block_act_at_a_time"
            ),
            models.CheckConstraint(name="a_block_has_a_reason", condition=Q(is_lifted=True) | ~Q(words="")),
        ]
        indexes = [models.Index(fields=["id"], condition=Q(done_at__isnull=True), name="blocks_to_carry_out")]

    def __str__(self) -> str:
        return f"{self.worker}: {_('lifted') if self.is_lifted else _('blocked')}"
