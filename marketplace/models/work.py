"""HIT types, HITs and assignments.

What a HIT's status and counters are follows from these rows and the time; only ``open_places`` is counted as we go,
because handing out the last place must be settled by the database.
"""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .. import ids
from ..querysets import AssignmentQuerySet, HITQuerySet, HITTypeQuerySet
from .accounts import RequesterProfile, WorkerProfile


class IllegalMove(Exception):
    """A status was to change in a way that the table of moves does not have."""


class HITType(models.Model):
    """Title, pay and rules that HITs share. Equal values are one HIT type; workers see its HITs as one group."""

    type_id = models.CharField(max_length=64, unique=True, default=ids.new_entity_id)
    group_id = models.CharField(max_length=64, unique=True, default=ids.new_entity_id)
    requester = models.ForeignKey(RequesterProfile, on_delete=models.PROTECT, related_name="hit_types", db_index=False)
    title = models.CharField(max_length=128)
    description = models.CharField(max_length=2000)
    keywords = models.CharField(max_length=1000, blank=True)
    reward_usd = models.DecimalField(max_digits=18, decimal_places=2)
    assignment_duration_seconds = models.PositiveIntegerField()
    auto_approval_delay_seconds = models.PositiveIntegerField()
    # As the API takes and gives them; what they ask of a worker is judged in services.qualifications.
    requirements = models.JSONField(default=list)
    content_hash = models.CharField(max_length=64)
    # No HIT of this type is open later than this: whole hours, so that publishing a batch rarely touches the row.
    closes_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    objects = HITTypeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["requester", "content_hash"], name="equal_values_are_one_hit_type"),
        ]
        indexes = [models.Index(fields=["closes_at"], name="hit_types_with_open_hits")]

    def __str__(self) -> str:
        return self.title


class HIT(models.Model):
    """One unit of work, done by up to ``max_assignments`` workers, each once.

    ``open_places`` are the places that a worker can still take; expiry sets it to 0. While the HIT is unexpired,
    open places and assignments that are held, submitted, approved or rejected add up to ``max_assignments``.
    """

    class Stage(models.TextChoices):
        LIVE = "live", _("live")
        REVIEWING = "reviewing", _("reviewing")
        DISPOSED = "disposed", _("disposed")

    class Status(models.TextChoices):
        """What the API calls the status: derived from the stage, the places and the assignments in hand."""

        ASSIGNABLE = "Assignable", _("assignable")
        UNASSIGNABLE = "Unassignable", _("unassignable")
        REVIEWABLE = "Reviewable", _("reviewable")
        REVIEWING = "Reviewing", _("reviewing")
        DISPOSED = "Disposed", _("disposed")

    MOVES: ClassVar[dict[str, set[str]]] = {
        Stage.LIVE: {Stage.REVIEWING, Stage.DISPOSED},
        Stage.REVIEWING: {Stage.LIVE, Stage.DISPOSED},
        Stage.DISPOSED: set(),
    }

    hit_id = models.CharField(max_length=64, unique=True, default=ids.new_entity_id)
    hit_type = models.ForeignKey(HITType, on_delete=models.PROTECT, related_name="hits", db_index=False)
    requester = models.ForeignKey(RequesterProfile, on_delete=models.PROTECT, related_name="hits", db_index=False)
    question = models.TextField()
    annotation = models.CharField(max_length=255, blank=True)
    max_assignments = models.PositiveIntegerField()
    open_places = models.PositiveIntegerField()
    fee_usd = models.DecimalField(max_digits=18, decimal_places=2)  # for each assignment, settled when the HIT was made
    stage = models.CharField(max_length=9, choices=Stage, default=Stage.LIVE)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField()

    objects = HITQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(name="places_within_bounds", condition=Q(open_places__lte=F("max_assignments"))),
            models.CheckConstraint(name="only_live_hits_have_places", condition=Q(stage="live") | Q(open_places=0)),
        ]
        indexes = [
            models.Index(fields=["hit_type", "id"], name="open_hits_of_a_type", condition=Q(open_places__gt=0)),
            models.Index(fields=["hit_type", "id"], name="hits_of_a_type"),
            models.Index(fields=["requester", "id"], name="hits_by_requester"),
            models.Index(fields=["expires_at"], name="hits_due_to_expire", condition=Q(open_places__gt=0)),
        ]

    def __str__(self) -> str:
        return self.hit_id

    def is_expired(self, now: datetime) -> bool:
        return self.expires_at <= now

    def status(self, pending: int) -> "HIT.Status":
        """The status with ``pending`` assignments in hand, once overdue rows have been settled."""
        if self.stage == self.Stage.DISPOSED:
            return self.Status.DISPOSED
        if self.stage == self.Stage.REVIEWING:
            return self.Status.REVIEWING
        if self.open_places:
            return self.Status.ASSIGNABLE
        return self.Status.UNASSIGNABLE if pending else self.Status.REVIEWABLE


class Assignment(models.Model):
    """One worker's go at one HIT. The API shows it from its submission on; returned and abandoned ones never."""

    class Status(models.TextChoices):
        HELD = "held", _("in hand")
        SUBMITTED = "submitted", _("submitted")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")
        RETURNED = "returned", _("returned")
        ABANDONED = "abandoned", _("ran out of time")

    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.HELD: {Status.SUBMITTED, Status.RETURNED, Status.ABANDONED},
        Status.SUBMITTED: {Status.APPROVED, Status.REJECTED},
        Status.REJECTED: {Status.APPROVED},  # the requester overrides within 30 days
        Status.APPROVED: set(),
        Status.RETURNED: set(),
        Status.ABANDONED: set(),
    }
    # Those that take up a place of the HIT.
    LIVE = (Status.HELD, Status.SUBMITTED, Status.APPROVED, Status.REJECTED)
    LISTED = (Status.SUBMITTED, Status.APPROVED, Status.REJECTED)

    assignment_id = models.CharField(max_length=64, unique=True, default=ids.new_entity_id)
    hit = models.ForeignKey(HIT, on_delete=models.PROTECT, related_name="assignments", db_index=False)
    worker = models.ForeignKey(WorkerProfile, on_delete=models.PROTECT, related_name="assignments", db_index=False)
    status = models.CharField(max_length=9, choices=Status, default=Status.HELD)
    accepted_at = models.DateTimeField()
    deadline = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True)
    auto_approve_at = models.DateTimeField(null=True)
    approved_at = models.DateTimeField(null=True)
    rejected_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)  # returned or abandoned
    answer = models.TextField(blank=True)  # QuestionFormAnswers XML
    feedback = models.CharField(max_length=1024, blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["worker", "hit"],
                condition=Q(status__in=["held", "submitted", "approved", "rejected"]),
                name="one_live_assignment_per_worker",
            ),
            models.CheckConstraint(
                name="submitted_has_its_times",
                condition=Q(status__in=["held", "returned", "abandoned"], submitted_at__isnull=True)
                | Q(
                    status__in=["submitted", "approved", "rejected"],
                    submitted_at__isnull=False,
                    auto_approve_at__isnull=False,
                ),
            ),
        ]
        indexes = [
            models.Index(fields=["hit", "submitted_at", "id"], name="assignments_of_a_hit"),
            models.Index(fields=["worker", "-id"], name="assignments_of_a_worker"),
            models.Index(fields=["worker"], name="held_by_a_worker", condition=Q(status="held")),
            models.Index(fields=["deadline"], name="held_until", condition=Q(status="held")),
            models.Index(fields=["auto_approve_at"], name="waiting_for_a_decision", condition=Q(status="submitted")),
        ]

    def __str__(self) -> str:
        return self.assignment_id

    @property
    def is_rejected(self) -> bool:
        return self.status == self.Status.REJECTED


class Decision(models.Model):
    """Who moved an assignment from where to where, and why. Rows are only ever added."""

    class By(models.TextChoices):
        REQUESTER = "requester", _("requester")
        TIMER = "timer", _("auto-approval")
        POLICY = "policy", _("review policy")

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="decisions")
    by = models.CharField(max_length=9, choices=By)
    from_status = models.CharField(max_length=9, choices=Assignment.Status)
    to_status = models.CharField(max_length=9, choices=Assignment.Status)
    feedback = models.CharField(max_length=1024, blank=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.from_status} -> {self.to_status}"


class RequestToken(models.Model):
    """A UniqueRequestToken that has done its work, remembered for 24 hours within one requester and operation."""

    requester = models.ForeignKey(RequesterProfile, on_delete=models.CASCADE, db_index=False)
    operation = models.CharField(max_length=64)
    token = models.CharField(max_length=128)
    made_id = models.CharField(max_length=64)  # the HIT that the first request made or changed
    used_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["requester", "operation", "token"], name="request_token_once"),
        ]
        indexes = [models.Index(fields=["used_at"], name="request_tokens_by_age")]

    def __str__(self) -> str:
        return self.token
