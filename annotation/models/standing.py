"""Who may go on working in a project: facts about workers, only ever added."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.querysets import ExclusionQuerySet, InProject

from .projects import Project
from .work import Assignment, Worker


class Exclusion(models.Model):
    """That a worker is kept out of a project for a reason, or let in again. The latest row of each reason stands."""

    class Reason(models.TextChoices):
        BLOCKED = "blocked", _("blocked by a requester")
        QUIZ = "quiz", _("failed the quiz")

    project = models.ForeignKey(Project, models.PROTECT, related_name="exclusions")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="exclusions")
    reason = models.CharField(_("reason"), max_length=10, choices=Reason)
    is_lifted = models.BooleanField(_("lifted"), default=False)
    words = models.CharField(_("in words"), max_length=500, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)

    objects = ExclusionQuerySet.as_manager()

    class Meta:
        verbose_name = _("exclusion")
        verbose_name_plural = _("exclusions")
        constraints = [
            models.CheckConstraint(
                name="a_block_says_why", condition=~Q(reason="blocked") | Q(is_lifted=True) | ~Q(words="")
            )
        ]
        indexes = [models.Index(fields=["project", "worker", "reason", "-id"], name="latest_exclusions")]

    def __str__(self) -> str:
        return f"{self.worker}: {self.get_reason_display()}"


class QuizResult(models.Model):
    """That a worker took the quiz of a project, and whether they passed; or that a requester let them pass."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="quiz_results")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="quiz_results")
    passed = models.BooleanField()
    score = models.DecimalField(max_digits=5, decimal_places=4, null=True, blank=True)  # share of right answers, 0 to 1
    # The quiz HIT that it comes of; null where a requester decided.
    assignment = models.OneToOneField(
        Assignment, models.PROTECT, null=True, blank=True, editable=False, related_name="quiz_result"
    )
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    taken_at = models.DateTimeField(auto_now_add=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("quiz result")
        verbose_name_plural = _("quiz results")
        constraints = [
            models.CheckConstraint(
                name="a_score_is_a_share", condition=Q(score__isnull=True) | Q(score__gte=0, score__lte=1)
            )
        ]
        indexes = [models.Index(fields=["project", "worker"], name="quiz_results_of_a_worker")]

    def __str__(self) -> str:
        return f"{self.worker}: {_('passed') if self.passed else _('failed')}"


class FirstLook(models.Model):
    """That somebody has looked at what a worker did in a project: from then on they wait for no look any more."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="first_looks")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="first_looks")
    # The work that was looked at; null where somebody let the worker go on without.
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, blank=True, related_name="+")
    # Null where it was decided about at the endpoint, by whomever.
    looked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    looked_at = models.DateTimeField(auto_now_add=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("first look")
        verbose_name_plural = _("first looks")
        constraints = [models.UniqueConstraint(fields=["project", "worker"], name="one_first_look_at_a_worker")]

    def __str__(self) -> str:
        return str(self.worker)
