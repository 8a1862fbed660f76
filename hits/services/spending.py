"""The ledger to look at: its entries with running balances, and money over time."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Case, DecimalField, F, Max, Min, QuerySet, Sum, Value, When, Window
from django.db.models.functions import Trunc
from django.utils import timezone

from hits.models import LedgerEntry
from hits.querysets import HOLDS, RELEASES, SPENDS

from .plots import Moment

AMOUNT: DecimalField = DecimalField(max_digits=14, decimal_places=2)
NOTHING = Decimal("0.00")
# What a plot's moments are cut to, by how long the whole of it is: some hundred moments at most.
GRAINS = [(timedelta(minutes=2), "second"), (timedelta(hours=2), "minute"), (timedelta(days=5), "hour")]

RESERVED_BY = Case(
    When(kind__in=HOLDS, then=F("amount_usd")),
    When(kind__in=RELEASES, then=-F("amount_usd")),
    default=Value(NOTHING),
    output_field=AMOUNT,
)
SPENT_BY = Case(When(kind__in=SPENDS, then=F("amount_usd")), default=Value(NOTHING), output_field=AMOUNT)


def with_balances(entries: QuerySet) -> QuerySet:
    """``entries`` with ``reserved_after`` and ``spent_after``: the sums of these entries up to and with each."""
    return entries.annotate(
        reserved_by=RESERVED_BY,
        spent_by=SPENT_BY,
        reserved_after=Window(Sum(RESERVED_BY), order_by=F("pk").asc()),
        spent_after=Window(Sum(SPENT_BY), order_by=F("pk").asc()),
    )


def moments_of(entries: QuerySet[LedgerEntry]) -> list[Moment]:
    """How spent and reserved of ``entries`` stood after each moment that moved them; empty without any."""
    span = entries.aggregate(first=Min("entered_at"), last=Max("entered_at"))
    if span["first"] is None:
        return []
    grain = next((grain for most, grain in GRAINS if span["last"] - span["first"] <= most), "day")
    sums = (
        entries.order_by()
        .annotate(at=Trunc("entered_at", grain))
        .values("at")
        .annotate(reserved=Sum(RESERVED_BY), spent=Sum(SPENT_BY))
        .order_by("at")
    )
    moments, reserved, spent = [], NOTHING, NOTHING
    for one in sums:
        reserved, spent = reserved + one["reserved"], spent + one["spent"]
        moments.append(Moment(one["at"], spent, reserved))
    now: datetime = timezone.now()
    return [*moments, Moment(now, spent, reserved)]
