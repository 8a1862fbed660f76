"""What was noticed about submitted work. Worked out anew whenever it is needed; deletable, and decides nothing."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Question


class SignalRun(models.Model):
    """That the signals of an assignment were worked out, under which rules (null: the defaults)."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, primary_key=True, related_name="signal_run")
    rules = models.ForeignKey("reviewer.ReviewRules", models.SET_NULL, null=True, related_name="+")
    noted_at = models.DateTimeField()
    # How many signals speak against it.
    against = models.PositiveSmallIntegerField(default=0)
    # What they weigh together, in hundredths (``services.signal_catalogue.worry``).
    worry = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["against"], name="signal_runs_by_count")]

    def __str__(self) -> str:
        return f"{self.assignment}: {self.against}"


class FoundSignal(models.Model):
    """One signal of an assignment, or of one question of it. ``values`` fill in its sentence."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="found_signals")
    question = models.ForeignKey(Question, models.CASCADE, null=True, related_name="found_signals")
    signal = models.CharField(max_length=30)
    speaks_for = models.BooleanField(default=False)
    values = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("signal")
        verbose_name_plural = _("signals")
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "signal"], condition=Q(question__isnull=True), name="a_signal_once"
            ),
            models.UniqueConstraint(
                fields=["assignment", "question", "signal"],
                condition=Q(question__isnull=False),
                name="a_signal_once_a_question",
            ),
        ]
        indexes = [models.Index(fields=["signal", "assignment"], name="assignments_by_signal")]

    def __str__(self) -> str:
        return f"{self.assignment}: {self.signal}"
