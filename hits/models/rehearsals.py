"""Rehearsals asked for from a page, and what each of them found."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project, Task
from annotation.models.moves import move
from annotation.querysets import InProject

from .batches import Batch


class RehearsalRun(models.Model):
    """One rehearsal of a batch of ``project``: what was asked for, how far it is, and its report, which stays."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting to begin")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    MOVES: dict[str, set[str]] = {
        Status.WAITING: {Status.RUNNING, Status.FAILED},
        Status.RUNNING: {Status.DONE, Status.FAILED},
        Status.DONE: set(),
        Status.FAILED: set(),
    }

    project = models.ForeignKey(Project, models.PROTECT, related_name="rehearsal_runs")
    kind = models.CharField(_("kind"), max_length=10, choices=Task.Kind)
    asked = models.JSONField()  # the rest of the launch form, as planning.BatchSpec has it
    seed = models.PositiveIntegerField(default=0)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    batch = models.ForeignKey(Batch, models.PROTECT, null=True, blank=True, related_name="+")  # of the clone
    submitted = models.PositiveIntegerField(default=0)
    report = models.JSONField(default=dict)
    problem = models.TextField(blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    heard_at = models.DateTimeField(null=True, blank=True)  # when its job last said that it lives
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("rehearsal")
        verbose_name_plural = _("rehearsals")
        constraints = [
            models.UniqueConstraint(
                fields=["project"], condition=Q(status__in=["waiting", "running"]), name="one_rehearsal_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def is_over(self) -> bool:
        return self.status in {self.Status.DONE, self.Status.FAILED}

    def move_to(self, new: str, **changes: Any) -> None:
        """Move to ``new``, saving ``changes`` with it. Raises IllegalMove, or LostRace if someone moved it first."""
        move(self, new, changes)
