"""Batches: what a requester launches."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Project, Task
from annotation.models.moves import move
from annotation.querysets import InProject

from .. import endpoints


class Batch(models.Model):
    """One launch: tasks of one kind published at one endpoint under one hard cap."""

    class Status(models.TextChoices):
        PUBLISHING = "publishing", _("publishing")
        PAUSED = "paused", _("paused")  # by a requester, or because the endpoint said no
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    MOVES: dict[str, set[str]] = {
        Status.PUBLISHING: {Status.OPEN, Status.PAUSED},
        Status.PAUSED: {Status.PUBLISHING, Status.OPEN, Status.CLOSED},
        Status.OPEN: {Status.CLOSED, Status.PUBLISHING},  # PUBLISHING again when it gets new HITs
        Status.CLOSED: {Status.PUBLISHING, Status.OPEN},  # OPEN again when a HIT of it is
    }

    class Lack(models.TextChoices):
        FUNDS = "funds", _("funds")
        ACCESS = "access", _("a key that is accepted")

    project = models.ForeignKey(Project, models.PROTECT, related_name="batches")
    kind = models.CharField(_("kind"), max_length=10, choices=Task.Kind)
    endpoint = models.CharField(_("endpoint"), max_length=50)
    status = models.CharField(_("status"), max_length=20, choices=Status, default=Status.PUBLISHING)
    # Where the paragraphs or questions were taken from; both empty means from everywhere.
    splits = ArrayField(models.CharField(max_length=5), default=list, blank=True)
    articles = ArrayField(models.BigIntegerField(), default=list, blank=True)
    units_per_hit = models.PositiveSmallIntegerField()  # paragraphs to write for, or questions to answer
    hourly_rate_usd = models.DecimalField(_("pay per hour, USD"), max_digits=8, decimal_places=2)
    extra_answers = models.PositiveSmallIntegerField(default=0)
    cap_usd = models.DecimalField(_("cap, USD"), max_digits=10, decimal_places=2)
    # What its offers share; ``most_tasks_a_worker`` of their tasks are for one worker (null: all of them).
    series = models.UUIDField(default=uuid.uuid4, editable=False)
    most_tasks_a_worker = models.PositiveIntegerField(_("HITs for one worker, at most"), null=True, blank=True)
    problem = models.TextField(_("problem"), blank=True)
    # What a batch that the endpoint paused waits for; publishing goes on by itself once it is there.
    waits_for = models.CharField(max_length=10, choices=Lack, blank=True)
    launched_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    launched_at = models.DateTimeField(auto_now_add=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("batch")
        verbose_name_plural = _("batches")
        indexes = [models.Index(fields=["project", "-launched_at"], name="batches_of_a_project")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, batch {self.pk}"

    @property
    def endpoint_settings(self) -> endpoints.Endpoint:
        return endpoints.get(self.endpoint)

    def move_to(self, new: str, **changes: Any) -> None:
        """Move to ``new``, saving ``changes`` with it. Raises IllegalMove, or LostRace if someone moved it first."""
        move(self, new, changes)
