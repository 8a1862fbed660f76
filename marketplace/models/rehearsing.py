"""Rows that only tests use: the clock's offset and faults on order. Read under MARKETPLACE_TEST_HOOKS alone."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .accounts import RequesterProfile


class ClockOffset(models.Model):
    """By how many seconds the marketplace's time runs ahead. One row at most."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    seconds = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(name="one_clock", condition=Q(id=1))]

    def __str__(self) -> str:
        return f"{self.seconds:+d} s"


class Fault(models.Model):
    """What shall go wrong in a requester's next ``times`` calls of ``operation`` (``*`` is any)."""

    class Kind(models.TextChoices):
        TIMEOUT_AFTER = "timeout_after", _("does the work, then answers too late")
        DROP_AFTER = "drop_after", _("does the work, then drops the connection")
        ERROR_500_AFTER = "error_500_after", _("does the work, then answers 500")
        ERROR_500_BEFORE = "error_500_before", _("answers 500, does nothing")
        THROTTLE = "throttle", _("answers ThrottlingException, does nothing")
        SLOW = "slow", _("waits, then does the work")

    requester = models.ForeignKey(RequesterProfile, on_delete=models.CASCADE, related_name="faults")
    operation = models.CharField(max_length=64, default="*")
    kind = models.CharField(max_length=16, choices=Kind)
    seconds = models.FloatField(default=2.0)
    times = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.operation}: {self.kind}"
