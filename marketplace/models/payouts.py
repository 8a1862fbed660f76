"""What is paid out to workers: a payout batch is a snapshot of what was due, each ledger entry in one at most."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .accounts import User, WorkerProfile
from .money import LedgerEntry


class PaymentDetails(models.Model):
    """How a worker wants to be paid, in their own words. Personal data: erased with the worker."""

    worker = models.OneToOneField(WorkerProfile, on_delete=models.CASCADE, related_name="payment_details")
    payee_name = models.CharField(_("name of the payee"), max_length=200, blank=True)
    note = models.CharField(_("how to pay"), max_length=1000, blank=True)
    changed_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.worker_id)


class PayoutBatch(models.Model):
    """What was due to workers at a moment, to be paid in one go."""

    class Status(models.TextChoices):
        OPEN = "open", _("to be paid")
        PAID = "paid", _("paid")
        CANCELLED = "cancelled", _("cancelled")

    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.OPEN: {Status.PAID, Status.CANCELLED},
        Status.PAID: set(),
        Status.CANCELLED: set(),
    }

    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)  # when it was marked paid or cancelled

    class Meta:
        verbose_name_plural = "payout batches"
        constraints = [
            models.CheckConstraint(
                name="settled_payouts_have_a_time",
                condition=Q(status="open", settled_at__isnull=True) | ~Q(status="open") & Q(settled_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        return f"P-{self.pk:05d}"


class Payout(models.Model):
    """What one worker gets in a batch, in US dollars."""

    batch = models.ForeignKey(PayoutBatch, on_delete=models.PROTECT, related_name="payouts", db_index=False)
    worker = models.ForeignKey(WorkerProfile, on_delete=models.PROTECT, related_name="payouts")
    number = models.PositiveIntegerField()  # within the batch, from 1
    amount_usd = models.DecimalField(max_digits=18, decimal_places=2)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "number"], name="payout_number_once"),
            models.UniqueConstraint(fields=["batch", "worker"], name="one_payout_per_worker_and_batch"),
            models.CheckConstraint(name="payout_amount_positive", condition=Q(amount_usd__gt=0)),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        """What the transfer is called: the batch's reference and the number in it."""
        return f"{self.batch.reference}-{self.number}"


class PayoutLine(models.Model):
    """A ledger entry in a payout. It stands while the batch is not cancelled, and in one payout alone."""

    payout = models.ForeignKey(Payout, on_delete=models.PROTECT, related_name="lines")
    entry = models.ForeignKey(LedgerEntry, on_delete=models.PROTECT, related_name="payout_lines", db_index=False)
    stands = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry"], condition=Q(stands=True), name="entry_paid_out_once"),
        ]

    def __str__(self) -> str:
        return f"{self.payout_id}: {self.entry_id}"
