"""Who decided what about submitted work, and why. Rows are only ever added; the database refuses anything else."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment
from reviewer.querysets import ReviewQuerySet


class Review(models.Model):
    """One decision of one reviewer about one assignment; the latest stands. What came of it at the endpoint stands in
    ``hits``."""

    class Decision(models.TextChoices):
        APPROVE = "approve", _("approve")
        REJECT = "reject", _("reject")
        UNDO = "undo", _("take back")  # the decision before it, which the endpoint had not heard of

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="reviews")
    decision = models.CharField(_("decision"), max_length=10, choices=Decision)
    reason = models.CharField(_("reason"), max_length=1024, blank=True)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="reviews")
    # The act that it is part of, where many were decided at once.
    act = models.ForeignKey(
        "reviewer.BulkAct", models.PROTECT, null=True, blank=True, editable=False, related_name="reviews"
    )
    decided_at = models.DateTimeField(auto_now_add=True)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        constraints = [
            models.CheckConstraint(
                name="a_rejecting_review_has_a_reason", condition=~Q(decision="reject") | ~Q(reason="")
            )
        ]
        indexes = [models.Index(fields=["reviewer", "-decided_at"], name="reviews_of_a_reviewer")]

    def __str__(self) -> str:
        return f"{self.get_decision_display()} {self.assignment}"
