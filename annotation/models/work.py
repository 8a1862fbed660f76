"""Workers, their assignments, and what they have typed so far."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.querysets import AssignmentQuerySet

from .tasks import Offer, Task, TaskParagraph


class IllegalMove(Exception):
    """A status change that the table of moves does not have."""


class LostRace(Exception):
    """Somebody else moved the row first."""


class Worker(models.Model):
    """A person at one endpoint. The endpoint's worker id stands in this row alone; everything else refers by key.

    Of one who was erased the id is empty for good: no page and no list of the endpoint's leads to the row by it.
    """

    endpoint = models.CharField(max_length=50)
    mturk_worker_id = models.CharField(max_length=64)
    first_seen_at = models.DateTimeField(auto_now_add=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("worker")
        verbose_name_plural = _("workers")
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint", "mturk_worker_id"],
                condition=~Q(mturk_worker_id=""),
                name="a_worker_once_per_endpoint",
            ),
            models.CheckConstraint(
                name="only_an_erased_worker_has_no_id",
                condition=Q(erased_at__isnull=True) & ~Q(mturk_worker_id="")
                | Q(erased_at__isnull=False, mturk_worker_id=""),
            ),
        ]

    def __str__(self) -> str:
        return f"worker {self.pk}"


class Assignment(models.Model):
    """One worker's go at one HIT: an (endpoint, assignment id, worker id).

    Frame parameters are unsigned, so a row alone proves nothing: work is *kept* once the endpoint lists it as
    submitted by that worker, and *counts* once it is approved. ``status`` says what the endpoint says and is moved
    by the room that talks to it; ``finished_at`` says that the worker sent it to us.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")  # its page was opened; the endpoint has not listed it
        SUBMITTED = "submitted", _("submitted")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")
        NOT_SUBMITTED = "not_submitted", _("not submitted")  # the endpoint gave the place to somebody else

    LISTED = (Status.SUBMITTED, Status.APPROVED, Status.REJECTED)
    # A sweep may see several steps of the endpoint at once, so listed states can be reached from the first directly.
    MOVES: dict[str, set[str]] = {
        Status.OPEN: {Status.SUBMITTED, Status.APPROVED, Status.REJECTED, Status.NOT_SUBMITTED},
        Status.NOT_SUBMITTED: {Status.SUBMITTED, Status.APPROVED, Status.REJECTED},
        Status.SUBMITTED: {Status.APPROVED, Status.REJECTED},
        Status.REJECTED: {Status.APPROVED},  # a rejection can be taken back; an approval cannot
        Status.APPROVED: set(),
    }

    task = models.ForeignKey(Task, models.PROTECT, related_name="assignments")
    offer = models.ForeignKey(Offer, models.PROTECT, related_name="assignments")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="assignments")
    mturk_assignment_id = models.CharField(max_length=64)
    status = models.CharField(max_length=20, choices=Status, default=Status.OPEN)
    # Set where this worker's earlier assignment of the same task is listed too: kept and payable, never counted.
    repeat_of = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="repeats")
    opened_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)  # by the endpoint's clock
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        constraints = [
            models.UniqueConstraint(fields=["mturk_assignment_id", "worker"], name="an_assignment_once_per_worker"),
            models.UniqueConstraint(
                fields=["task", "worker"],
                condition=Q(status__in=["submitted", "approved", "rejected"], repeat_of__isnull=True),
                name="a_worker_does_a_task_once",
            ),
            models.CheckConstraint(
                name="listed_work_has_its_time",
                condition=Q(status__in=["open", "not_submitted"]) | Q(submitted_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["submitted_at", "id"], condition=Q(status="submitted"), name="assignment_to_review")
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"

    @property
    def is_listed(self) -> bool:
        return self.status in self.LISTED

    def move_to(self, new: str, **changes: Any) -> None:
        """Move to ``new``, saving ``changes`` with it. Raises IllegalMove, or LostRace if someone moved it first."""
        if new not in self.MOVES[self.status]:
            raise IllegalMove(f"assignment {self.pk}: {self.status} -> {new}")
        unmoved = Assignment.objects.filter(pk=self.pk, status=self.status)
        if unmoved.update(status=new, **changes) != 1:
            raise LostRace(f"assignment {self.pk} is no longer {self.status}")
        self.refresh_from_db()


class Draft(models.Model):
    """What the worker has typed and marked so far, as the page sent it; the newest version wins."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, primary_key=True, related_name="draft")
    version = models.PositiveIntegerField()
    content = models.JSONField()
    saved_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"draft {self.version} of {self.assignment}"


class ParagraphWork(models.Model):
    """How one assignment worked on one paragraph. Evidence for reviewers; deletable, and never a reason by itself."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="paragraph_works")
    task_paragraph = models.ForeignKey(TaskParagraph, models.PROTECT, related_name="works")
    active_seconds = models.PositiveIntegerField(default=0)
    # Pastes, drops, copies and cuts that the page refused.
    blocked_actions = models.PositiveIntegerField(default=0)
    # How often the page lost the keyboard to another window or tab.
    focus_losses = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "task_paragraph"], name="one_work_per_paragraph")]

    def __str__(self) -> str:
        return f"{self.assignment}: {self.active_seconds} s"


class QuestionSignals(models.Model):
    """How one assignment worked on one question. Evidence for reviewers; deletable, and never a reason by itself.

    ``untyped_characters`` came without a key each (pasted, dictated, filled in); ``late_edits`` are returns to a
    question that had been left with text in it; ``copied_words`` is the longest run taken over from the paragraph.
    """

    COUNTED = ("active_seconds", "keys", "pastes", "untyped_characters", "late_edits")  # by the page

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="question_signals")
    question = models.ForeignKey("annotation.Question", models.CASCADE, related_name="signals")
    active_seconds = models.PositiveIntegerField(default=0)
    keys = models.PositiveIntegerField(default=0)
    pastes = models.PositiveIntegerField(default=0)
    untyped_characters = models.PositiveIntegerField(default=0)
    late_edits = models.PositiveIntegerField(default=0)
    copied_words = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("signals of a question")
        verbose_name_plural = _("signals of questions")
        constraints = [models.UniqueConstraint(fields=["assignment", "question"], name="one_row_of_signals")]

    def __str__(self) -> str:
        return f"{self.assignment}, {self.question_id}: {self.active_seconds} s"
