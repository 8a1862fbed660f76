"""The ledger to look at: its entries with running balances, and money over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Case, DecimalField, F, Max, Min, QuerySet, Sum, Value, When
from django.db.models.functions import Trunc
from django.utils import timezone

from hits.models import LedgerEntry
from hits.querysets import HOLDS, RELEASES, SPENDS, LedgerQuerySet

from .plots import Moment

AMOUNT: DecimalField = DecimalField(max_digits=14, decimal_places=2)
NOTHING = Decimal("0.00")
# Entries that one query of an export reads.
ROUND = 2000
# What a plot's moments are cut to, by how long the whole of it is: some hundred moments at most.
GRAINS = [(timedelta(minutes=2), "second"), (timedelta(hours=2), "minute"), (timedelta(days=5), "hour")]

RESERVED_BY = Case(
    When(kind__in=HOLDS, then=F("amount_usd")),
    When(kind__in=RELEASES, then=-F("amount_usd")),
    default=Value(NOTHING),
    output_field=AMOUNT,
)
SPENT_BY = Case(When(kind__in=SPENDS, then=F("amount_usd")), default=Value(NOTHING), output_field=AMOUNT)


@dataclass(frozen=True)
class Page:
    """Entries newest first, each with ``reserved_after`` and ``spent_after``; ``older`` is the key after which the next
    page starts, None on the last."""

    entries: Sequence[LedgerEntry]
    older: int | None


def page_of(entries: LedgerQuerySet, before: int | None, size: int) -> Page:
    """The ``size`` newest of ``entries``, or the newest before the key ``before``, with the sums of ``entries`` up to
    and with each. Nothing is counted, and what is newer is not read."""
    older = entries if before is None else entries.filter(pk__lt=before)
    found = list(older.annotate(reserved_by=RESERVED_BY, spent_by=SPENT_BY).order_by("-pk")[: size + 1])
    shown = found[:size]
    if shown:
        reserved, spent = entries.filter(pk__lte=shown[0].pk).balance_usd()
        for entry in shown:
            entry.reserved_after, entry.spent_after = reserved, spent
            reserved, spent = reserved - entry.reserved_by, spent - entry.spent_by
    return Page(shown, shown[-1].pk if len(found) > size else None)


def with_balances(entries: LedgerQuerySet) -> Iterator[tuple[LedgerEntry, Decimal, Decimal]]:
    """``entries``, the oldest first, each with what was reserved and spent after it; read in rounds of ROUND, so that
    any number of them takes as little memory."""
    reserved, spent, last = NOTHING, NOTHING, 0
    rows = entries.annotate(reserved_by=RESERVED_BY, spent_by=SPENT_BY).order_by("pk")
    while some := list(rows.filter(pk__gt=last)[:ROUND]):
        for entry in some:
            reserved, spent = reserved + entry.reserved_by, spent + entry.spent_by
            yield entry, reserved, spent
        last = some[-1].pk


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
