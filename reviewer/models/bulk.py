"""Deciding about many assignments at once."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.querysets import InProject


class BulkAct(models.Model):
    """One decision about all assignments that a filter chose. Its reviews, verdicts and second looks are rows of their
    own; taking it back adds rows for those of which the endpoint has not been told."""

    class Decision(models.TextChoices):
        APPROVE = "approve", _("approve")
        DROP = "drop", _("pay and leave out")
        REJECT = "reject", _("reject")
        LOOK = "look", _("ask for a second look")

    project = models.ForeignKey(Project, models.PROTECT, related_name="bulk_acts")
    decision = models.CharField(_("decision"), max_length=10, choices=Decision)
    reason = models.CharField(_("reason"), max_length=1024, blank=True)
    # The words of the filter that chose, as the page's address has them.
    chosen_by = models.JSONField(default=dict)
    assignments = ArrayField(models.BigIntegerField(), default=list)
    verdicts = ArrayField(models.BigIntegerField(), default=list)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)
    # Of its assignments, how many were really taken back.
    undone_count = models.PositiveIntegerField(null=True, blank=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("decision about many")
        verbose_name_plural = _("decisions about many")
        constraints = [
            models.CheckConstraint(
                name="a_bulk_rejection_has_a_reason", condition=~Q(decision="reject") | ~Q(reason="")
            ),
            models.CheckConstraint(
                name="what_was_undone_says_by_whom",
                condition=Q(undone_at__isnull=True, undone_by__isnull=True, undone_count__isnull=True)
                | Q(undone_at__isnull=False, undone_by__isnull=False, undone_count__isnull=False),
            ),
        ]
        indexes = [models.Index(fields=["project", "-id"], name="latest_bulk_acts")]

    def __str__(self) -> str:
        return f"{self.get_decision_display()}: {len(self.assignments)}"
