"""Who decided what about submitted work and why, and what was released. Rows are only ever added; the database refuses
anything else."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Project
from annotation.querysets import InProject

from .querysets import ReviewQuerySet


class Review(models.Model):
    """One decision of one reviewer about one assignment. What came of it at the endpoint stands in ``hits``."""

    class Decision(models.TextChoices):
        APPROVE = "approve", _("approve")
        REJECT = "reject", _("reject")

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="reviews")
    decision = models.CharField(_("decision"), max_length=10, choices=Decision)
    reason = models.CharField(_("reason"), max_length=1024, blank=True)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="reviews")
    decided_at = models.DateTimeField(auto_now_add=True)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        constraints = [
            models.CheckConstraint(
                name="a_rejecting_review_has_a_reason", condition=Q(decision="approve") | ~Q(reason="")
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_decision_display()} {self.assignment}"


class Release(models.Model):
    """A frozen, numbered version of a project's dataset. Its files stand in a folder (``services.releases``); nothing
    in it refers to live rows, so that later decisions and erasures change the next release and never this one.

    ``content_sha256`` is of what was released, whatever its number and time; ``manifest`` is a copy of the file's.
    """

    project = models.ForeignKey(Project, models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField(_("number"))
    holds_back_test = models.BooleanField(_("test answers held back"), default=False)
    content_sha256 = models.CharField(max_length=64)
    manifest = models.JSONField()
    released_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    released_at = models.DateTimeField()

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("release")
        verbose_name_plural = _("releases")
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="a_release_number_once_per_project"),
            models.CheckConstraint(name="releases_are_numbered_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.project}, release {self.number}"
