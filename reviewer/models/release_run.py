"""Releases as they are being made."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.models.moves import move
from annotation.querysets import InProject

from .release import Release


class ReleaseRun(models.Model):
    """One making of a release: what was asked for, how far it is, and what came of it.

    The row is there before anything is read. Whoever works on it holds its lock in the database (``release_runs`` of
    the services). One whose process was killed is begun again from the start, under the next ``attempt``, and a
    process of an earlier attempt can finish nothing any more.
    """

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

    project = models.ForeignKey(Project, models.PROTECT, related_name="release_runs")
    asked = models.JSONField()  # services.release_reading.ReleaseSpec
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    attempt = models.PositiveSmallIntegerField(default=0)
    files_written = models.PositiveSmallIntegerField(default=0)
    files_in_all = models.PositiveSmallIntegerField(null=True, blank=True)  # null while the dataset is being read
    # Of an earlier run where nothing had changed since.
    release = models.ForeignKey(Release, models.PROTECT, null=True, blank=True, related_name="runs")
    is_new = models.BooleanField(default=False)
    problem = models.TextField(blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("making of a release")
        verbose_name_plural = _("makings of releases")
        constraints = [
            models.UniqueConstraint(
                fields=["project"], condition=Q(status__in=["waiting", "running"]), name="one_release_made_at_a_time"
            ),
            models.CheckConstraint(
                name="a_release_that_was_made_is_named", condition=~Q(status="done") | Q(release__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def is_over(self) -> bool:
        return self.status in {self.Status.DONE, self.Status.FAILED}

    def move_to(self, new: str, **changes: Any) -> None:
        """Move to ``new``, saving ``changes`` with it. Raises IllegalMove, or LostRace if someone moved it first."""
        move(self, new, changes)
