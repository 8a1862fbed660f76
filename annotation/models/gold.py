"""Questions whose answers are known, asked again among others to see whether a worker reads."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.querysets import GoldQuestionQuerySet

from .projects import Project
from .questions import Question


class GoldQuestion(models.Model):
    """That a question may be planted in answering tasks to check their workers. Its known answers are ``Answer`` rows
    with ``is_gold`` of the reviewer who gave them.

    One that was written ``for_checking`` alone (an attention check) is no part of the dataset: it never counts. One
    from the dataset stays in it with its own answers; what workers answer to it as a check never counts.
    """

    project = models.ForeignKey(Project, models.PROTECT, related_name="gold_questions")
    question = models.OneToOneField(Question, models.PROTECT, related_name="gold")
    for_checking = models.BooleanField(_("written for checking"), default=False)
    note = models.CharField(_("note"), max_length=500, blank=True)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    added_at = models.DateTimeField(auto_now_add=True)
    # It is planted in no further task from then on.
    retired_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = GoldQuestionQuerySet.as_manager()

    class Meta:
        verbose_name = _("gold question")
        verbose_name_plural = _("gold questions")
        constraints = [
            models.CheckConstraint(
                name="a_retired_gold_question_says_by_whom",
                condition=Q(retired_at__isnull=True, retired_by__isnull=True)
                | Q(retired_at__isnull=False, retired_by__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return str(self.question)
