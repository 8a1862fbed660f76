"""What workers have earned and not been paid yet, and paying it out.

Due are rewards and bonuses in the ledger, so of requesters who pay people; not what was earned by workers whom
somebody else pays, such as a panel.
"""

import csv
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, Min, OuterRef, QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import doors
from ..models import LedgerEntry, OperatorAction, Payout, PayoutBatch, PayoutLine, User, WorkerProfile
from . import operating

TO_WORKERS = (LedgerEntry.Kind.REWARD, LedgerEntry.Kind.BONUS)
CURRENCY = "USD"
ROWS_AT_ONCE = 5000


class NotPossible(Exception):
    """What the operator asked for cannot be done; the message says why and what to do."""


@dataclass(frozen=True)
class Due:
    """What one worker is to get: US dollars, of so many ledger entries, the oldest of ``since``."""

    worker_id: int
    amount_usd: Decimal
    entries: int
    since: datetime


def _entries() -> QuerySet[LedgerEntry]:
    """Ledger entries that stand in no payout yet."""
    standing = PayoutLine.objects.filter(entry=OuterRef("pk"), stands=True)
    return LedgerEntry.objects.filter(~Exists(standing), kind__in=TO_WORKERS)


def due() -> list[Due]:
    """What is due, the largest amount first."""
    rows = (
        _entries()
        .values_list("assignment__worker")
        .annotate(amount=Sum("amount_usd"), entries=Count("id"), since=Min("created_at"))
        .order_by("-amount", "assignment__worker")
    )
    found = [Due(*row) for row in rows]
    elsewhere = doors.paid_elsewhere(row.worker_id for row in found)
    return [row for row in found if row.worker_id not in elsewhere]


@dataclass(frozen=True)
class Unpayable:
    """A worker to be paid who has not said enough about how; ``missing`` says what, in words."""

    worker: WorkerProfile
    missing: str


def without_details(rows: list[Due]) -> list[Unpayable]:
    """Those of ``rows`` whose payment details are not whole, in the same order."""
    workers = WorkerProfile.objects.select_related("user", "payment_details").in_bulk(row.worker_id for row in rows)
    found = [workers[row.worker_id] for row in rows]
    return [Unpayable(worker, missing) for worker in found if (missing := missing_details(worker))]


def missing_details(worker: WorkerProfile) -> str:
    """What ``worker`` has not said of how to be paid, in words; empty where nothing is missing."""
    details = getattr(worker, "payment_details", None)  # nobody has them before they save the form
    asked = [
        (details.payee_name if details else "", _("name of the payee")),
        (details.note if details else "", _("how to pay")),
    ]
    return ", ".join(name for value, name in asked if not value.strip())


def total(rows: list[Due]) -> Decimal:
    return sum((row.amount_usd for row in rows), Decimal("0.00"))


@transaction.atomic
def make(operator: User, now: datetime, *, token: UUID) -> PayoutBatch:
    """Put everything that is due into a batch. Raises NotPossible, or AlreadyDone for a form sent twice."""
    by_worker: dict[int, list[tuple[int, Decimal]]] = defaultdict(list)
    waiting: Any = _entries().order_by("id").values_list("id", "assignment__worker", "amount_usd")
    for pk, worker_id, amount in waiting:
        by_worker[worker_id].append((pk, amount))
    for worker_id in doors.paid_elsewhere(by_worker):
        del by_worker[worker_id]
    batch = PayoutBatch.objects.create(made_by=operator, made_at=now)
    payouts = [
        Payout(batch=batch, worker_id=worker_id, number=number, amount_usd=sum(amount for _pk, amount in entries))
        for number, (worker_id, entries) in enumerate(sorted(by_worker.items()), start=1)
    ]
    amount = sum((payout.amount_usd for payout in payouts), Decimal(0))
    operating.record(
        operator,
        OperatorAction.Action.MAKE_PAYOUT,
        now,
        detail=f"{batch.reference}, ${amount:,.2f}, {len(payouts)}",
        token=token,
    )
    if not payouts:
        raise NotPossible(_("Nothing is due, so there is nothing to pay out."))
    Payout.objects.bulk_create(payouts, batch_size=ROWS_AT_ONCE)
    lines = [
        PayoutLine(payout=payout, entry_id=pk) for payout in payouts for pk, _amount in by_worker[payout.worker_id]
    ]
    try:
        with transaction.atomic():
            PayoutLine.objects.bulk_create(lines, batch_size=ROWS_AT_ONCE)
    except IntegrityError:
        raise NotPossible(
            _("Somebody made a payout at this very moment. Look at it before you make another.")
        ) from None
    return batch


@transaction.atomic
def mark_paid(operator: User, batch: PayoutBatch, now: datetime, *, reason: str) -> None:
    """Say that the money of ``batch`` is on its way. It stays so. Raises NotPossible."""
    _settle(batch, PayoutBatch.Status.PAID, now)
    operating.record(operator, OperatorAction.Action.PAY_PAYOUT, now, detail=batch.reference, reason=reason)


@transaction.atomic
def cancel(operator: User, batch: PayoutBatch, now: datetime, *, reason: str) -> None:
    """Give up an unpaid ``batch``: what stood in it is due again. Raises NotPossible."""
    _settle(batch, PayoutBatch.Status.CANCELLED, now)
    PayoutLine.objects.filter(payout__batch=batch).update(stands=False)
    operating.record(operator, OperatorAction.Action.CANCEL_PAYOUT, now, detail=batch.reference, reason=reason)


def _settle(batch: PayoutBatch, new: PayoutBatch.Status, now: datetime) -> None:
    leaving = [status for status, moves in PayoutBatch.MOVES.items() if new in moves]
    if not PayoutBatch.objects.filter(pk=batch.pk, status__in=leaving).update(status=new, settled_at=now):
        batch.refresh_from_db()
        raise NotPossible(_("This payout is %s already.") % batch.get_status_display())
    batch.refresh_from_db()


def batches() -> QuerySet[PayoutBatch]:
    """All batches, newest first, each with its total ``amount`` and number of ``people``."""
    return PayoutBatch.objects.annotate(amount=Sum("payouts__amount_usd"), people=Count("payouts")).order_by("-id")


COLUMNS = ("date", "payee", "how to pay", "user name", "worker id", "amount", "currency", "reference", "missing")


class _Line:
    """A file that gives back what is written into it."""

    def write(self, text: str) -> str:
        return text


def as_csv(batch: PayoutBatch) -> Iterator[str]:
    """``batch`` as an accountant's file, with the total last. What workers call themselves is read as it is now, so
    that it stands nowhere else and goes when it is erased."""
    writer = csv.writer(_Line())
    day, amount = f"{batch.made_at:%Y-%m-%d}", Decimal("0.00")
    yield "\N{ZERO WIDTH NO-BREAK SPACE}" + writer.writerow(COLUMNS)  # so that spreadsheets read it as UTF-8
    for payout in batch.payouts.select_related("worker__user", "worker__payment_details").order_by("number"):
        payout.batch = batch
        amount += payout.amount_usd
        own = getattr(payout.worker, "payment_details", None)
        words = (own.payee_name, own.note) if own else ("", "")
        cells = (day, *words, payout.worker.user.username, payout.worker.worker_id)
        money = (payout.amount_usd, CURRENCY, payout.reference)
        yield writer.writerow([*map(no_formula, cells), *money, missing_details(payout.worker)])
    yield writer.writerow([day, "TOTAL", "", "", "", amount, CURRENCY, batch.reference, ""])


def no_formula(text: str) -> str:
    """``text`` on one line, and so that no spreadsheet takes it for a formula."""
    line = " ".join(text.split())
    return f"'{line}" if line.startswith(("=", "+", "-", "@")) else line


@dataclass(frozen=True)
class Payments:
    """What a worker was paid and is to get, in US dollars, with the payouts that are not cancelled, newest first."""

    due_usd: Decimal
    coming_usd: Decimal
    paid_usd: Decimal
    payouts: list[Payout]
    is_paid_elsewhere: bool


def of_worker(worker: WorkerProfile) -> Payments:
    entries = _entries().filter(assignment__worker=worker)
    waiting = entries.aggregate(amount=Sum("amount_usd", default=Decimal("0.00")))["amount"]
    payouts = list(
        worker.payouts.exclude(batch__status=PayoutBatch.Status.CANCELLED).select_related("batch").order_by("-id")
    )
    by_status = {status: Decimal("0.00") for status in PayoutBatch.Status}
    for payout in payouts:
        by_status[PayoutBatch.Status(payout.batch.status)] += payout.amount_usd
    elsewhere = bool(doors.paid_elsewhere([worker.pk]))
    return Payments(
        due_usd=Decimal("0.00") if elsewhere else waiting,
        coming_usd=by_status[PayoutBatch.Status.OPEN],
        paid_usd=by_status[PayoutBatch.Status.PAID],
        payouts=payouts,
        is_paid_elsewhere=elsewhere,
    )


def agenda(now: datetime) -> Iterator[operating.Item]:
    """What an operator has to do about payments."""
    address = reverse("operator-payments")
    if count := PayoutBatch.objects.filter(status=PayoutBatch.Status.OPEN).count():
        sentence = ngettext("%d payout is not marked paid yet.", "%d payouts are not marked paid yet.", count)
        yield operating.Item(sentence % count, address)
    if found := due():
        sentence = ngettext("$%(usd)s is due to %(count)d worker.", "$%(usd)s is due to %(count)d workers.", len(found))
        yield operating.Item(sentence % {"usd": f"{total(found):,.2f}", "count": len(found)}, address)
