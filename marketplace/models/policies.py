"""Review policies: what a HIT is to be checked for by itself, and what came of it."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .. import ids
from .work import HIT, Assignment


class ReviewPolicy(models.Model):
    """A policy of one HIT: for each assignment when it is submitted, or for the HIT when it becomes reviewable."""

    class Level(models.TextChoices):
        ASSIGNMENT = "Assignment", _("each assignment")
        HIT = "HIT", _("the HIT")

    hit = models.ForeignKey(HIT, on_delete=models.CASCADE, related_name="review_policies")
    level = models.CharField(max_length=10, choices=Level)
    name = models.CharField(max_length=64)
    # By the API's names; numbers are numbers, AnswerKey is a list of pairs: a question, its values.
    parameters = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hit", "level"], name="one_policy_for_each_level")]

    def __str__(self) -> str:
        return self.name


class PolicyRun(models.Model):
    """A policy was carried out: once for each assignment, or once for a HIT with that many submissions."""

    policy = models.ForeignKey(ReviewPolicy, on_delete=models.CASCADE, related_name="runs", db_index=False)
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, null=True, related_name="policy_runs")
    submissions = models.PositiveIntegerField(null=True)
    run_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["policy", "assignment"],
                condition=Q(assignment__isnull=False),
                name="each_assignment_reviewed_once",
            ),
            models.UniqueConstraint(
                fields=["policy", "submissions"],
                condition=Q(assignment__isnull=True),
                name="a_hit_reviewed_once_for_its_submissions",
            ),
            models.CheckConstraint(
                name="a_run_is_of_an_assignment_or_a_hit",
                condition=Q(assignment__isnull=False, submissions__isnull=True)
                | Q(assignment__isnull=True, submissions__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.policy_id}: {self.run_at}"


class PolicyOutcome(models.Model):
    """One result that a run computed, or one action that it took. Rows are only ever added."""

    class Kind(models.TextChoices):
        RESULT = "result", _("result")
        ACTION = "action", _("action")

    outcome_id = models.CharField(max_length=64, unique=True, default=ids.new_entity_id)
    run = models.ForeignKey(PolicyRun, on_delete=models.CASCADE, related_name="outcomes")
    kind = models.CharField(max_length=6, choices=Kind)
    subject_type = models.CharField(max_length=10, choices=ReviewPolicy.Level)
    subject_id = models.CharField(max_length=64)
    name = models.CharField(max_length=64)  # a result's key, an action's name
    question_id = models.CharField(max_length=1024, blank=True)
    text = models.TextField(blank=True)  # a result's value, what became of an action
    error_code = models.CharField(max_length=100, blank=True)  # of an action that could not be taken
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}: {self.text[:50]}"
