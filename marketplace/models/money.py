"""Bonuses, and the ledger: what was put in, reserved, released and paid. Rows are only ever added."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .. import ids
from ..querysets import LedgerQuerySet
from .accounts import RequesterProfile, WorkerProfile


class Bonus(models.Model):
    """Money that a requester gave a worker on top of the reward of one of their assignments, with the reason."""

    bonus_id = models.CharField(max_length=64, unique=True, default=ids.new_entity_id)
    requester = models.ForeignKey(RequesterProfile, on_delete=models.PROTECT, related_name="bonuses", db_index=False)
    assignment = models.ForeignKey("Assignment", on_delete=models.PROTECT, related_name="bonuses")
    worker = models.ForeignKey(WorkerProfile, on_delete=models.PROTECT, related_name="bonuses")
    amount_usd = models.DecimalField(max_digits=18, decimal_places=2)
    fee_usd = models.DecimalField(max_digits=18, decimal_places=2)
    reason = models.CharField(max_length=4096)
    granted_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "bonuses"
        constraints = [
            models.CheckConstraint(name="bonus_amount_positive", condition=Q(amount_usd__gt=0, fee_usd__gt=0)),
        ]
        indexes = [models.Index(fields=["requester", "id"], name="bonuses_by_requester")]

    def __str__(self) -> str:
        return self.bonus_id


class LedgerEntry(models.Model):
    """One movement of a requester's money, in US dollars.

    available = funds - reserved + released - bonuses - their fees; held = reserved - released - rewards - fees.
    """

    class Kind(models.TextChoices):
        FUNDS = "funds", _("put in")  # from outside into available
        RESERVE = "reserve", _("reserved")  # available to held
        RELEASE = "release", _("released")  # held back to available
        REWARD = "reward", _("paid to the worker")  # held to the worker
        FEE = "fee", _("fee")  # held to the house
        BONUS = "bonus", _("bonus paid to the worker")  # available to the worker
        BONUS_FEE = "bonus_fee", _("fee of a bonus")  # available to the house

    requester = models.ForeignKey(RequesterProfile, on_delete=models.PROTECT, related_name="ledger", db_index=False)
    kind = models.CharField(max_length=9, choices=Kind)
    amount_usd = models.DecimalField(max_digits=18, decimal_places=2)
    hit = models.ForeignKey("HIT", on_delete=models.PROTECT, null=True, related_name="ledger")
    assignment = models.ForeignKey("Assignment", on_delete=models.PROTECT, null=True, db_index=False)
    bonus = models.ForeignKey(Bonus, on_delete=models.PROTECT, null=True, db_index=False)
    created_at = models.DateTimeField()

    objects = LedgerQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["requester", "id"], name="ledger_by_requester")]
        constraints = [
            models.CheckConstraint(name="ledger_amount_positive", condition=Q(amount_usd__gt=0)),
            models.UniqueConstraint(
                fields=["assignment", "kind"], condition=Q(kind__in=["reward", "fee"]), name="paid_once"
            ),
            models.UniqueConstraint(
                fields=["bonus", "kind"], condition=Q(kind__in=["bonus", "bonus_fee"]), name="bonus_paid_once"
            ),
            models.CheckConstraint(
                name="bonus_entries_name_their_bonus",
                condition=Q(kind__in=["bonus", "bonus_fee"], bonus__isnull=False)
                | (~Q(kind__in=["bonus", "bonus_fee"]) & Q(bonus__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount_usd}"

    def save(self, *args: object, **kwargs: object) -> None:
        if self.pk is not None:
            raise TypeError("A ledger entry is never changed; add one that corrects it.")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise TypeError("A ledger entry is never deleted; add one that corrects it.")
