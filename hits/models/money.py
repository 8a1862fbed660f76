"""The ledger."""

from __future__ import annotations

from decimal import Decimal

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Project

from ..querysets import LedgerQuerySet
from .acts import Act
from .batches import Batch
from .bonuses import Bonus
from .work import HIT


class LedgerEntry(models.Model):
    """One movement of money, in whole cents. Entries are only ever added; the database refuses anything else.

    *Reserved* is the sum of reservations less releases; *spent* is the sum of rewards, bonuses and fees. A batch's
    bonus reserve is set aside at launch (``FUND``); each bonus draws on it as far as it goes, and holds its own cost.
    """

    class Kind(models.TextChoices):
        RESERVE = "reserve", _("reserved for a HIT")
        RELEASE = "release", _("released for an assignment")
        RELEASE_REST = "release_rest", _("released, places not filled")
        # An approval that takes a rejection back: the rejection had freed its money.
        HOLD_AGAIN = "hold_again", _("reserved again, a rejection is taken back")
        FREE_AGAIN = "free_again", _("released again")
        REWARD = "reward", _("reward")
        FEE = "fee", _("fee")
        FUND = "fund", _("reserved for bonuses")
        FUND_DRAW = "fund_draw", _("drawn on the bonus reserve")
        FUND_BACK = "fund_back", _("given back to the bonus reserve")
        FUND_REST = "fund_rest", _("rest of the bonus reserve released")
        BONUS_HOLD = "bonus_hold", _("reserved for a bonus")
        BONUS_FREE = "bonus_free", _("released for a bonus")
        BONUS = "bonus", _("bonus")
        BONUS_FEE = "bonus_fee", _("fee of a bonus")

    project = models.ForeignKey(Project, models.PROTECT, related_name="ledger")
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="ledger")
    hit = models.ForeignKey(HIT, models.PROTECT, null=True, blank=True, related_name="ledger")
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, blank=True, related_name="ledger")
    bonus = models.ForeignKey(Bonus, models.PROTECT, null=True, blank=True, related_name="ledger")
    # The act that reserved more for the HIT, or the reservation that a release of unfilled places belongs to.
    act = models.ForeignKey(Act, models.PROTECT, null=True, blank=True, related_name="ledger")
    endpoint = models.CharField(max_length=50)
    kind = models.CharField(max_length=12, choices=Kind)
    amount_usd = models.DecimalField(max_digits=12, decimal_places=2)
    entered_at = models.DateTimeField(auto_now_add=True)

    objects = LedgerQuerySet.as_manager()

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "assignment"],
                condition=Q(assignment__isnull=False, bonus__isnull=True),
                name="money_moves_once",
            ),
            models.UniqueConstraint(
                fields=["kind", "bonus"], condition=Q(bonus__isnull=False), name="a_bonus_moves_once"
            ),
            models.UniqueConstraint(fields=["kind", "batch"], condition=Q(hit__isnull=True), name="a_fund_moves_once"),
            models.UniqueConstraint(
                fields=["kind", "hit", "act"],
                condition=Q(assignment__isnull=True, hit__isnull=False),
                nulls_distinct=False,
                name="reserved_and_released_once",
            ),
            models.CheckConstraint(name="amounts_are_positive", condition=Q(amount_usd__gte=Decimal(0))),
            models.CheckConstraint(
                name="payments_have_an_assignment",
                condition=(
                    Q(kind__in=["reserve", "release_rest"], hit__isnull=False)
                    & Q(assignment__isnull=True, bonus__isnull=True)
                )
                | (
                    Q(kind__in=["release", "hold_again", "free_again", "reward", "fee"], hit__isnull=False)
                    & Q(assignment__isnull=False, bonus__isnull=True)
                )
                | (Q(kind__in=["fund", "fund_rest"], hit__isnull=True) & Q(assignment__isnull=True, bonus__isnull=True))
                | (
                    Q(kind__in=["fund_draw", "fund_back", "bonus_hold", "bonus_free", "bonus", "bonus_fee"])
                    & Q(hit__isnull=False, assignment__isnull=False, bonus__isnull=False)
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: ${self.amount_usd}"
