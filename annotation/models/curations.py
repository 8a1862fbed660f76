"""Curations asked for from a page or by a program: what is read, how far it is, and what became of it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.querysets import InProject

from .moves import move
from .passages import Import
from .projects import Project


class CurationRun(models.Model):
    """One run of ``curation.pipeline`` for ``project``. Its files lie in a folder named by ``key``.

    A job takes the run by writing its own ``claim``, and says that it lives by ``heard_at``; a run whose job has gone
    silent waits again, and goes on where it was.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting to begin")
        RUNNING = "running", _("running")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("failed")
        DONE = "done", _("done")
        IMPORTING = "importing", _("being imported")
        IMPORTED = "imported", _("imported")

    MOVES: dict[str, set[str]] = {
        Status.WAITING: {Status.RUNNING, Status.CANCELLED},
        Status.RUNNING: {Status.WAITING, Status.CANCELLED, Status.FAILED, Status.DONE},  # waiting: its job was killed
        Status.CANCELLED: {Status.WAITING},
        Status.FAILED: {Status.WAITING},
        Status.DONE: {Status.IMPORTING},
        Status.IMPORTING: {Status.DONE, Status.IMPORTED},  # done: the project could not take the file
        Status.IMPORTED: set(),
    }

    class Place(models.TextChoices):
        UPLOAD = "upload", _("sent over")
        SERVER = "server", _("on the server")
        WIKI = "wiki", _("from a live wiki")

    project = models.ForeignKey(Project, models.PROTECT, related_name="curation_runs")
    key = models.UUIDField(unique=True, default=uuid4, editable=False)
    # Of the program that asked: the same request under it is one run.
    request_key = models.UUIDField(unique=True, null=True, editable=False)
    place = models.CharField(max_length=10, choices=Place)
    source_name = models.CharField(_("source"), max_length=255)
    titles_name = models.CharField(_("list of titles"), max_length=255, blank=True)
    titles_place = models.CharField(max_length=10, choices=Place, blank=True)
    # The other options of ``manage.py curate``, by their names.
    asked = models.JSONField()
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    claim = models.UUIDField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)  # since somebody last asked for it
    articles_read = models.PositiveIntegerField(_("articles read"), default=0)
    articles_kept = models.PositiveIntegerField(_("articles kept"), default=0)
    paragraphs_kept = models.PositiveIntegerField(_("paragraphs kept"), default=0)
    done_bytes = models.PositiveBigIntegerField(default=0)
    total_bytes = models.PositiveBigIntegerField(default=0)  # 0 where nobody knows
    report = models.JSONField(default=dict)
    problem = models.TextField(blank=True)
    imported_as = models.OneToOneField(Import, models.PROTECT, null=True, related_name="curation_run")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    import_asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    begun_at = models.DateTimeField(null=True)
    heard_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("curation")
        verbose_name_plural = _("curations")
        constraints = [
            # It takes a processor for itself, and publishing must not wait for it.
            models.UniqueConstraint(
                fields=["status"], condition=Q(status="running"), name="one_curation_runs_at_a_time"
            ),
            models.CheckConstraint(
                name="an_imported_curation_names_its_import",
                condition=Q(status="imported", imported_as__isnull=False)
                | (~Q(status="imported") & Q(imported_as__isnull=True)),
            ),
        ]
        indexes = [models.Index(fields=["project", "-id"], name="latest_curation_runs")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens to it by itself."""
        return self.status not in {self.Status.WAITING, self.Status.RUNNING, self.Status.IMPORTING}

    @property
    def percent_read(self) -> int | None:
        """How much of the source is read, from 0 to 100; None where nobody knows."""
        if self.report:
            return 100
        return 100 * self.done_bytes // self.total_bytes if self.total_bytes else None

    def move_to(self, new: str, **changes: Any) -> None:
        """Move to ``new``, saving ``changes`` with it. Raises IllegalMove, or LostRace if someone moved it first, also
        if another job has taken it since."""
        move(self, new, changes, claim=self.claim)
