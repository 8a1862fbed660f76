"""Event notifications: who wants to hear of what, what happened, and the messages that tell of it."""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .. import ids
from .accounts import RequesterProfile
from .work import HITType


class Transport(models.TextChoices):
    SQS = "SQS", "SQS"
    SNS = "SNS", "SNS"


class NotificationSetting(models.Model):
    """What a requester wants to hear of the HITs of one HIT type, and where."""

    hit_type = models.OneToOneField(HITType, on_delete=models.CASCADE, related_name="notification")
    transport = models.CharField(max_length=3, choices=Transport)
    destination = models.CharField(max_length=1024)  # a queue's URL or a topic's ARN
    event_types = models.JSONField(default=list)
    is_active = models.BooleanField(default=True)
    updated_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.transport}: {self.destination}"


class NoticeQuerySet(models.QuerySet):
    def due(self, now: datetime) -> "NoticeQuerySet":
        return self.filter(next_attempt_at__lte=now)


class Notice(models.Model):
    """A message of one event or more to one destination: waiting, delivered, or given up.

    It may arrive more than once, always with the same ``document_id``.
    """

    document_id = models.CharField(max_length=40, unique=True, default=ids.new_document_id)
    requester = models.ForeignKey(RequesterProfile, on_delete=models.CASCADE, related_name="notices")
    transport = models.CharField(max_length=3, choices=Transport)
    destination = models.CharField(max_length=1024)
    copies = models.PositiveSmallIntegerField(default=1)  # more than one where a fault asks for it
    attempts = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    next_attempt_at = models.DateTimeField(null=True)  # null once it is delivered or given up
    delivered_at = models.DateTimeField(null=True)
    given_up_at = models.DateTimeField(null=True)
    failure = models.TextField(_("why it was not delivered"), blank=True)  # the last attempt's

    objects = NoticeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="notice_has_one_state",
                condition=Q(next_attempt_at__isnull=False, delivered_at__isnull=True, given_up_at__isnull=True)
                | Q(next_attempt_at__isnull=True, delivered_at__isnull=False, given_up_at__isnull=True)
                | Q(next_attempt_at__isnull=True, delivered_at__isnull=True, given_up_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["next_attempt_at"], name="notices_due", condition=Q(next_attempt_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.document_id


class Event(models.Model):
    """Something that happened to a HIT, written in the transaction in which it did, for a requester who wants to hear.

    The ids are the API's. ``notice`` is the message that tells of it, once there is one.
    """

    requester = models.ForeignKey(RequesterProfile, on_delete=models.CASCADE, related_name="events")
    transport = models.CharField(max_length=3, choices=Transport)
    destination = models.CharField(max_length=1024)
    event_type = models.CharField(max_length=32)
    type_id = models.CharField(max_length=64)
    hit_id = models.CharField(max_length=64, db_index=True)
    assignment_id = models.CharField(max_length=64, blank=True)
    occurred_at = models.DateTimeField()
    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, null=True, related_name="events")

    class Meta:
        indexes = [models.Index(fields=["id"], name="events_untold", condition=Q(notice__isnull=True))]

    def __str__(self) -> str:
        return f"{self.event_type} {self.hit_id}"
