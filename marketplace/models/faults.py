"""Faults on purpose, and how fast a requester may call."""

import random
from dataclasses import dataclass
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .accounts import RequesterProfile


@dataclass(frozen=True)
class Met:
    """What a call, or a delivery, meets: a kind of fault and its seconds."""

    kind: "Fault.Kind"
    seconds: float


class FaultQuerySet(models.QuerySet):
    def active(self) -> "FaultQuerySet":
        return self.filter(Q(times__isnull=True) | Q(times__gt=0))

    def meeting(self, requester: RequesterProfile) -> "FaultQuerySet":
        """Those ordered for ``requester`` alone and for everybody."""
        return self.active().filter(Q(requester=requester) | Q(requester__isnull=True))


class Fault(models.Model):
    """What shall go wrong in calls of ``operation`` (``*`` is any) of one requester, or of all without one.

    It goes wrong ``times`` times, or until it is switched off where ``times`` is null; each time a call asks, with
    ``probability``. The draws follow from ``seed``, so that a run can be had again.
    """

    class Kind(models.TextChoices):
        TIMEOUT_AFTER = "timeout_after", _("does the work, then answers too late")
        DROP_AFTER = "drop_after", _("does the work, then drops the connection")
        DROP_BEFORE = "drop_before", _("drops the connection, does nothing")
        ERROR_500_AFTER = "error_500_after", _("does the work, then answers 500")
        ERROR_500_BEFORE = "error_500_before", _("answers 500, does nothing")
        THROTTLE = "throttle", _("answers ThrottlingException, does nothing")
        SLOW = "slow", _("waits, then does the work")
        HIDE_NEW = "hide_new", _("does not show what is newer than the seconds yet")
        ANY = "any", _("one of several, at random")
        NOTIFY_TWICE = "notify_twice", _("delivers a notification twice")
        NOTIFY_OUT_OF_ORDER = "notify_out_of_order", _("delivers notifications out of order")

    # What a delivery of notifications meets; all others are met by calls.
    OF_DELIVERIES: ClassVar[tuple[str, ...]] = (Kind.NOTIFY_TWICE, Kind.NOTIFY_OUT_OF_ORDER)
    MAX_SECONDS = 50.0  # below gunicorn's own limit for a request

    requester = models.ForeignKey(RequesterProfile, on_delete=models.CASCADE, null=True, related_name="faults")
    operation = models.CharField(max_length=64, default="*")
    kind = models.CharField(max_length=20, choices=Kind)
    among = models.JSONField(default=list, blank=True)  # of kind ANY: the kinds that it picks from
    seconds = models.FloatField(default=2.0)
    times = models.PositiveIntegerField(null=True, default=1)
    probability = models.FloatField(default=1.0)
    seed = models.BigIntegerField(default=0)
    draws = models.BigIntegerField(default=0)  # how often it was asked for

    objects = FaultQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="fault_within_bounds",
                condition=Q(probability__gt=0, probability__lte=1, seconds__gte=0, seconds__lte=50),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.operation}: {self.kind}"

    @property
    def percent(self) -> float:
        return 100 * self.probability

    def drawn(self) -> Met | None:
        """What the next call meets: the same for the same seed and number of draws."""
        chance = random.Random(f"{self.seed}:{self.draws}")  # noqa: S311  # to be had again, not to be secret
        if chance.random() >= self.probability:
            return None
        kind = chance.choice(self.among) if self.kind == self.Kind.ANY else self.kind
        return Met(self.Kind(kind), self.seconds)


class CallRate(models.Model):
    """When a requester's next call is due, if calls came evenly (the generic cell rate algorithm's one number)."""

    requester = models.OneToOneField(RequesterProfile, on_delete=models.CASCADE, primary_key=True, related_name="+")
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.requester_id}: {self.due_at}"
