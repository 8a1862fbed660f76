"""What a worker must hold to take a HIT, and who holds it."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import ids
from ..querysets import QualificationRequestQuerySet, QualificationTypeQuerySet
from .accounts import RequesterProfile, WorkerProfile


class QualificationType(models.Model):
    """Something that can be asked of workers. The system's own types have fixed ids and no requester."""

    class Status(models.TextChoices):
        ACTIVE = "Active", _("active")
        INACTIVE = "Inactive", _("inactive")

    # Fixed by Mechanical Turk; programs carry them as constants.
    PERCENT_APPROVED = "000000000000000000L0"
    NUMBER_APPROVED = "00000000000000000040"
    LOCALE = "00000000000000000071"
    ADULT = "00000000000000000060"
    MASTERS = "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH"
    MASTERS_SANDBOX = "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"

    type_id = models.CharField(max_length=64, unique=True, default=ids.new_entity_id)
    requester = models.ForeignKey(
        RequesterProfile, on_delete=models.PROTECT, null=True, related_name="qualification_types"
    )
    name = models.CharField(max_length=200)
    description = models.CharField(max_length=2000)
    keywords = models.CharField(max_length=1000, blank=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.ACTIVE)
    retry_delay_seconds = models.BigIntegerField(null=True)
    auto_granted = models.BooleanField(default=False)
    auto_granted_value = models.IntegerField(null=True)
    test = models.TextField(blank=True)  # QuestionForm XML
    answer_key = models.TextField(blank=True)  # AnswerKey XML
    test_duration_seconds = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    # The row stays for the HITs that ask for it and for those who hold it; to the API it is gone.
    deleted_at = models.DateTimeField(null=True)

    objects = QualificationTypeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["requester", "name"],
                condition=Q(deleted_at__isnull=True),
                name="qualification_name_once_per_requester",
            ),
            models.CheckConstraint(
                name="a_test_has_a_time_limit", condition=Q(test="") | Q(test_duration_seconds__isnull=False)
            ),
            models.CheckConstraint(name="a_key_has_a_test", condition=Q(answer_key="") | ~Q(test="")),
            models.CheckConstraint(name="tested_or_granted_at_once", condition=Q(test="") | Q(auto_granted=False)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_for_workers(self) -> bool:
        """Whether workers get it by themselves: by a test, or by asking."""
        return bool(self.test) or self.auto_granted

    @property
    def is_requestable(self) -> bool:
        """Whether workers may ask for it."""
        return self.requester_id is not None and self.status == self.Status.ACTIVE and self.deleted_at is None


class QualificationGrant(models.Model):
    """A worker's value of a qualification type: an integer, or for the locale a country and perhaps a subdivision.

    A grant of a system type is an operator's word and stands before what the worker's history would say.
    """

    class Status(models.TextChoices):
        GRANTED = "Granted", _("granted")
        REVOKED = "Revoked", _("revoked")

    qualification_type = models.ForeignKey(
        QualificationType, on_delete=models.PROTECT, related_name="grants", db_index=False
    )
    worker = models.ForeignKey(WorkerProfile, on_delete=models.PROTECT, related_name="grants", db_index=False)
    status = models.CharField(max_length=8, choices=Status, default=Status.GRANTED)
    integer_value = models.IntegerField(null=True)
    country = models.CharField(max_length=2, blank=True)
    subdivision = models.CharField(max_length=2, blank=True)
    granted_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=1024, blank=True)  # why it was revoked, for the worker to read
    # Granted without a word to the worker, who never asked for it: a requester's own note, which pages do not show.
    is_silent = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["qualification_type", "id"], name="grants_by_type")]
        constraints = [
            models.UniqueConstraint(fields=["worker", "qualification_type"], name="one_grant_per_worker"),
            models.CheckConstraint(
                name="grant_has_one_kind_of_value",
                condition=Q(integer_value__isnull=False, country="", subdivision="")
                | Q(integer_value__isnull=True) & ~Q(country=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker_id}: {self.qualification_type_id}"


class QualificationRequest(models.Model):
    """A worker asks for a qualification: by its test if it has one, and then it is scored or waits for the requester.

    Test and answer key are those of the moment when the worker asked.
    """

    class Status(models.TextChoices):
        STARTED = "started", _("test begun")
        SUBMITTED = "submitted", _("waiting for the requester")
        GRANTED = "granted", _("granted")
        REJECTED = "rejected", _("declined")
        LAPSED = "lapsed", _("ran out of time")

    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.STARTED: {Status.SUBMITTED, Status.GRANTED, Status.LAPSED, Status.REJECTED},
        Status.SUBMITTED: {Status.GRANTED, Status.REJECTED},
        Status.GRANTED: set(),
        Status.REJECTED: set(),
        Status.LAPSED: set(),
    }

    request_id = models.CharField(max_length=64, unique=True, default=ids.new_entity_id)
    qualification_type = models.ForeignKey(
        QualificationType, on_delete=models.PROTECT, related_name="requests", db_index=False
    )
    worker = models.ForeignKey(
        WorkerProfile, on_delete=models.PROTECT, related_name="qualification_requests", db_index=False
    )
    status = models.CharField(max_length=9, choices=Status)
    test = models.TextField(blank=True)
    answer_key = models.TextField(blank=True)
    answer = models.TextField(blank=True)  # QuestionFormAnswers XML
    value = models.IntegerField(null=True)  # what was granted
    reason = models.CharField(max_length=1024, blank=True)  # why it was declined
    started_at = models.DateTimeField()
    deadline = models.DateTimeField(null=True)  # of the test
    submitted_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)

    objects = QualificationRequestQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["worker", "qualification_type"],
                condition=Q(status__in=["started", "submitted"]),
                name="one_open_request_per_worker",
            ),
            models.CheckConstraint(
                name="a_begun_test_has_a_deadline", condition=~Q(status="started") | Q(deadline__isnull=False)
            ),
        ]
        indexes = [
            models.Index(fields=["qualification_type", "id"], name="requests_by_type"),
            models.Index(fields=["worker", "-id"], name="requests_of_a_worker"),
        ]

    def __str__(self) -> str:
        return self.request_id

    def again_from(self) -> datetime | None:
        """When the worker may ask again; None if never."""
        delay = self.qualification_type.retry_delay_seconds
        if delay is None:
            return None
        ended = self.submitted_at or self.deadline or self.started_at
        return ended + timedelta(seconds=delay)
