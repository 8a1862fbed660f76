"""What workers of a project are told before they begin, as it was at each time."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.querysets import InProject

from .projects import Project


class Guide(models.Model):
    """One version of a project's guide. A task refers to the version that its workers read, so that none changes or
    goes; a trigger in the database keeps that. The newest one is for the tasks to come.

    ``texts`` holds for each language (a BCP 47 tag) what each kind of work is told, as ``services.guide_notation``
    structures it: ``{"en": {"write": {...}, "answer": {...}}}``.
    """

    project = models.ForeignKey(Project, models.PROTECT, related_name="guides")
    number = models.PositiveIntegerField(_("version"))
    texts = models.JSONField()
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False)
    written_at = models.DateTimeField(auto_now_add=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("guide")
        verbose_name_plural = _("guides")
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="one_guide_per_version")]

    def __str__(self) -> str:
        return f"{self.project}, guide {self.number}"
