"""How a project reviews: its thresholds, its time to undo, its share of second reviews. Rows are only ever added."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.models.projects import between
from reviewer.querysets import ReviewRulesQuerySet

MOST_NOTE_REASONS = 30
# What was decided is held back from the endpoint for no longer (``hits`` holds no decision longer than ten minutes).
MOST_UNDO_SECONDS = 600


class ReviewRules(models.Model):
    """The rules of a project from a moment on; the latest row stands. ``thresholds`` has a number for each signal
    (``services.signal_catalogue``) that differs from its default, null where the signal is switched off."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="review_rules")
    thresholds = models.JSONField(default=dict, blank=True)
    claim_minutes = models.PositiveSmallIntegerField(
        _("minutes that an opened piece of work is kept for its reviewer"), default=10, validators=between(1, 120)
    )
    undo_seconds = models.PositiveSmallIntegerField(
        _("seconds in which one decision can be taken back"), default=10, validators=between(0, MOST_UNDO_SECONDS)
    )
    bulk_undo_seconds = models.PositiveSmallIntegerField(
        _("seconds in which a decision about many can be taken back"),
        default=300,
        validators=between(0, MOST_UNDO_SECONDS),
    )
    second_share_percent = models.PositiveSmallIntegerField(
        _("share of reviewed work that a second reviewer looks at, %"), default=0, validators=between(0, 100)
    )
    second_seed = models.PositiveIntegerField(_("seed of that share"), default=0, validators=between(0, 2_147_483_647))
    # What reviewers tell workers again and again in this project, beside the usual reasons (``annotation.note_words``).
    note_reasons = ArrayField(
        models.CharField(max_length=300), verbose_name=_("reasons of notes to workers"), default=list, blank=True
    )
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False, related_name="+")
    set_at = models.DateTimeField(auto_now_add=True)

    objects = ReviewRulesQuerySet.as_manager()

    class Meta:
        verbose_name = _("review rules")
        verbose_name_plural = _("review rules")
        constraints = [
            models.CheckConstraint(
                name="review_rules_are_within_bounds",
                condition=Q(
                    claim_minutes__range=(1, 120),
                    undo_seconds__lte=MOST_UNDO_SECONDS,
                    bulk_undo_seconds__lte=MOST_UNDO_SECONDS,
                    second_share_percent__lte=100,
                ),
            )
        ]
        indexes = [models.Index(fields=["project", "-id"], name="review_rules_in_force")]

    def __str__(self) -> str:
        return f"{self.project}, {self.set_at:%Y-%m-%d %H:%M}" if self.set_at else str(self.project)
