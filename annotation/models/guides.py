"""What workers of a project are told before they begin, as it was at each time."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.querysets import InProject

from .projects import Project, between


class Guide(models.Model):
    """One version of a project's guide. A task refers to the version that its workers read, so that none changes or
    goes; a trigger in the database keeps that. The newest one is for the tasks to come.

    ``texts`` holds for each language (a BCP 47 tag) what each kind of work is told, as ``services.guide_notation``
    structures it: ``{"en": {"write": {...}, "answer": {...}}}``. ``quiz`` is as ``services.quiz_notation`` structures
    it, in the language of the passages; null where the project has none.
    """

    project = models.ForeignKey(Project, models.PROTECT, related_name="guides")
    number = models.PositiveIntegerField(_("version"))
    texts = models.JSONField()
    quiz = models.JSONField(null=True)
    pass_percent = models.PositiveSmallIntegerField(
        _("right items to pass, at least %"), default=80, validators=between(1, 100)
    )
    quiz_tries = models.PositiveSmallIntegerField(_("tries"), default=2, validators=between(2, 10))
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False)
    written_at = models.DateTimeField(auto_now_add=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("guide")
        verbose_name_plural = _("guides")
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_guide_per_version"),
            models.CheckConstraint(
                name="a_quiz_gives_two_tries_at_least",
                condition=models.Q(quiz_tries__gte=2, pass_percent__gte=1, pass_percent__lte=100),
            ),
        ]

    @property
    def quiz_items(self) -> list[dict[str, Any]]:
        """The items of its quiz; none where it has no quiz."""
        return self.quiz["items"] if self.quiz else []

    @property
    def quiz_passage(self) -> str:
        return self.quiz["passage"] if self.quiz else ""

    def __str__(self) -> str:
        return f"{self.project}, guide {self.number}"
