"""Tasks: what is asked of a worker, frozen in rows, and the offers under which they are asked."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.querysets import InProject

from .guides import Guide
from .passages import Paragraph
from .projects import Project


class Task(models.Model):
    """An ordered run of paragraphs for one kind of work, published as one HIT or more. A worker does it once."""

    class Kind(models.TextChoices):
        WRITE = "write", _("write questions")
        ANSWER = "answer", _("answer questions")
        QUIZ = "quiz", _("take the quiz")  # of the task's guide; holds no paragraph

    project = models.ForeignKey(Project, models.PROTECT, related_name="tasks")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    # What its workers are told; null in tasks from before projects had guides of their own.
    guide = models.ForeignKey(Guide, models.PROTECT, null=True, editable=False, related_name="tasks")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = InProject.as_manager()

    class Meta:
        verbose_name = _("task")
        verbose_name_plural = _("tasks")

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"


class TaskParagraph(models.Model):
    """One paragraph of a task, at its place."""

    task = models.ForeignKey(Task, models.PROTECT, related_name="task_paragraphs")
    position = models.PositiveSmallIntegerField()
    paragraph = models.ForeignKey(Paragraph, models.PROTECT, related_name="task_paragraphs")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "position"], name="one_task_paragraph_per_position"),
            models.UniqueConstraint(fields=["task", "paragraph"], name="a_paragraph_once_in_a_task"),
        ]

    def __str__(self) -> str:
        return f"{self.task}: {self.paragraph}"


class TaskQuestion(models.Model):
    """One question that a task asks to be answered. ``gold`` ones check the worker and never count."""

    class Purpose(models.TextChoices):
        REAL = "real", _("real")
        GOLD = "gold", _("gold")

    task_paragraph = models.ForeignKey(TaskParagraph, models.PROTECT, related_name="task_questions")
    position = models.PositiveSmallIntegerField()
    question = models.ForeignKey("annotation.Question", models.PROTECT, related_name="task_questions")
    purpose = models.CharField(max_length=4, choices=Purpose, default=Purpose.REAL)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task_paragraph", "position"], name="one_task_question_per_position"),
            models.UniqueConstraint(fields=["task_paragraph", "question"], name="a_question_once_in_a_task"),
        ]

    def __str__(self) -> str:
        return f"{self.task_paragraph}: {self.question}"


class Offer(models.Model):
    """A task on offer at one endpoint: what the worker's page shows and checks. Written by the room that publishes.

    The row stands before the endpoint is asked for a HIT, with ``mturk_hit_id`` still empty; that is the only field
    that ever changes.
    """

    # The name under which the HIT's address asks for the work page; says nothing about the rows behind it.
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="offers")
    endpoint = models.CharField(max_length=50)
    mturk_hit_id = models.CharField(max_length=64, blank=True)
    reward_usd = models.DecimalField(max_digits=8, decimal_places=2)
    paid_seconds = models.PositiveIntegerField()  # the time that the reward is worked out for
    allowed_seconds = models.PositiveIntegerField()  # from accepting to the deadline
    # Origins that the answers may be sent on to (turkSubmitTo) and that may frame the page.
    worker_origins = ArrayField(models.CharField(max_length=300))
    # Offers that were launched together, and how many of their tasks one worker may do (null: all of them).
    series = models.UUIDField(null=True, blank=True, db_index=True)
    most_in_series = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint", "mturk_hit_id"], condition=~Q(mturk_hit_id=""), name="one_offer_per_hit"
            )
        ]

    def __str__(self) -> str:
        return f"{self.task} at {self.endpoint}"
