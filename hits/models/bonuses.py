"""Bonuses: what workers are paid beyond a reward. And raises of a batch's cap."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import MD5
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Worker
from annotation.models.moves import move

from ..querysets import BonusQuerySet
from .batches import Batch

# Our choice: the endpoint's own bound is not published (Mechanical Turk, SendBonus).
REASON_CHARS = 4096


class Bonus(models.Model):
    """One bonus to one worker for one assignment, intended or paid. The row stands before the endpoint hears of it."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting to be sent")
        SENDING = "sending", _("being sent")  # claimed; the endpoint may or may not have paid it yet
        PAID = "paid", _("paid")
        REFUSED = "refused", _("refused by the endpoint")
        GIVEN_UP = "given_up", _("given up")
        # Its call was under way when it was given up: the endpoint's answer came after that.
        PAID_LATE = "paid_late", _("paid, though it had been given up")

    MOVES: dict[str, set[str]] = {
        Status.WAITING: {Status.SENDING, Status.GIVEN_UP},
        Status.SENDING: {Status.PAID, Status.REFUSED, Status.GIVEN_UP},
        Status.REFUSED: {Status.SENDING, Status.PAID, Status.GIVEN_UP},  # SENDING again when somebody tries it again
        Status.PAID: set(),
        Status.GIVEN_UP: {Status.PAID_LATE},
        Status.PAID_LATE: set(),
    }

    class Origin(models.TextChoices):
        ASKED = "asked", _("by hand")
        FAIR_PAY = "fair_pay", _("fair pay")
        FOUND = "found", _("found at the endpoint, and adopted")

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="bonuses")
    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="bonuses")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="bonuses")
    amount_usd = models.DecimalField(_("amount, USD"), max_digits=8, decimal_places=2)
    fee_usd = models.DecimalField(_("fee, USD"), max_digits=8, decimal_places=2)
    reason = models.CharField(_("reason, shown to the worker"), max_length=REASON_CHARS)
    origin = models.CharField(_("origin"), max_length=10, choices=Origin, default=Origin.ASKED)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    # For fair pay: what the worker's work in the batch had brought before; the next proposal starts from its sum.
    lifts_from_usd = models.DecimalField(max_digits=10, decimal_places=2, null=True, blank=True)
    # UniqueRequestToken: guards against a second payment for 24 hours; then the endpoint's list is asked first.
    token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    first_attempt_at = models.DateTimeField(null=True, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    # GrantTime by the endpoint's list, once seen there: tells two equal payments for one assignment apart.
    granted_at = models.DateTimeField(null=True, blank=True)
    problem = models.TextField(_("problem"), blank=True)

    objects = BonusQuerySet.as_manager()

    class Meta:
        verbose_name = _("bonus")
        verbose_name_plural = _("bonuses")
        constraints = [
            # By a digest: an index cannot hold a text as long as a reason may be.
            models.UniqueConstraint(
                F("assignment"),
                F("amount_usd"),
                MD5("reason"),
                condition=~Q(status__in=["given_up", "paid_late"]) & ~Q(origin="found"),
                name="a_bonus_once_for_one_reason",
            ),
            models.UniqueConstraint(
                F("assignment"),
                F("amount_usd"),
                MD5("reason"),
                F("granted_at"),
                condition=Q(granted_at__isnull=False),
                name="one_row_per_payment",
            ),
            models.UniqueConstraint(
                fields=["batch", "worker", "lifts_from_usd"],
                condition=Q(lifts_from_usd__isnull=False) & ~Q(status__in=["given_up", "paid_late"]),
                name="a_gap_in_pay_is_filled_once",
            ),
            models.CheckConstraint(name="a_bonus_is_positive", condition=Q(amount_usd__gte=Decimal("0.01"))),
            models.CheckConstraint(name="a_bonus_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="a_paid_bonus_has_its_time",
                condition=~Q(status__in=["paid", "paid_late"]) | Q(paid_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(status__in=["waiting", "sending"]), name="bonuses_to_send"),
        ]

    def __str__(self) -> str:
        return f"bonus {self.pk}: ${self.amount_usd}"

    @property
    def cost_usd(self) -> Decimal:
        """Amount and fee."""
        return self.amount_usd + self.fee_usd

    def move_to(self, new: str, **changes: Any) -> None:
        """Move to ``new``, saving ``changes`` with it. Raises IllegalMove, or LostRace if someone moved it first."""
        move(self, new, changes)


class CapRaise(models.Model):
    """That somebody raised a batch's hard cap, from what to what, and why."""

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="cap_raises")
    from_usd = models.DecimalField(max_digits=10, decimal_places=2)
    to_usd = models.DecimalField(max_digits=10, decimal_places=2)
    why = models.CharField(_("why"), max_length=500)
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    raised_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="a_cap_is_only_raised", condition=Q(to_usd__gt=F("from_usd"))),
            models.CheckConstraint(name="a_raise_has_a_reason", condition=~Q(why="")),
        ]

    def __str__(self) -> str:
        return f"{self.batch}: ${self.from_usd} -> ${self.to_usd}"
