"""Fair pay: what lifts everybody who worked on a batch to the hourly rate that it promised, from measured time.

Time is what the work page measured as active, for each approved assignment, and bounded three ways: by the time from
opening the page to finishing, by the time that the HIT allowed, and by ``times`` its paid time, which the requester
chooses. Work without a measurement counts with its HIT's paid time, so that nothing is proposed for it. Whatever was
paid for the work, bonuses included, counts toward the rate: a second proposal holds the difference alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Max, Sum
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Assignment
from hits import fees
from hits.fees import CENT, FeeSchedule
from hits.models import Batch, Bonus

from . import bonuses, caps
from .bonuses import NotPayable, Wish

NOTHING = Decimal("0.00")
# How many times the paid time of a HIT counts at most; the project's time allowance bounds it anyway.
USUAL_TIMES = Decimal("3.0")


@dataclass(frozen=True)
class Work:
    """One approved assignment: seconds as measured (None where they were not), and what bounds them."""

    assignment_id: int
    worker_id: int
    active_seconds: int | None
    elapsed_seconds: int | None  # from opening to finishing; None where the page was never opened here
    paid_seconds: int
    allowed_seconds: int
    reward_usd: Decimal

    def counted_seconds(self, times: Decimal) -> int:
        """The seconds that are paid for; at least one."""
        if not self.active_seconds:
            return max(1, self.paid_seconds)
        bounds = [self.active_seconds, self.allowed_seconds, int(self.paid_seconds * times)]
        if self.elapsed_seconds is not None:
            bounds.append(self.elapsed_seconds)
        return max(1, min(bounds))


@dataclass(frozen=True)
class WorkerPay:
    """How one worker was paid for a batch, and the bonus (USD, without its fee) that lifts them to the rate."""

    worker_id: int
    latest_assignment_id: int
    assignments: int
    seconds: int
    unmeasured: int  # assignments whose paid time was taken for want of a measurement
    bounded: int  # assignments whose measured time was cut
    paid_usd: Decimal
    bonus_usd: Decimal
    fee_usd: Decimal

    @property
    def minutes(self) -> Decimal:
        return (Decimal(self.seconds) / 60).quantize(Decimal("0.1"))

    @property
    def hourly_usd(self) -> Decimal:
        """What an hour of their work has brought so far."""
        return hourly(self.paid_usd, self.seconds)

    @property
    def lifted_usd(self) -> Decimal:
        """What an hour of it brings with the bonus."""
        return hourly(self.paid_usd + self.bonus_usd, self.seconds)

    @property
    def cost_usd(self) -> Decimal:
        return self.bonus_usd + self.fee_usd


@dataclass(frozen=True)
class Proposal:
    """Everybody who has approved work in a batch, those who earned least an hour first."""

    rate_usd: Decimal
    times: Decimal
    rows: tuple[WorkerPay, ...]
    left_usd: Decimal  # of the caps, the bonus reserve included

    @property
    def below(self) -> tuple[WorkerPay, ...]:
        """Those to be lifted."""
        return tuple(row for row in self.rows if row.bonus_usd > 0)

    @property
    def bonuses_usd(self) -> Decimal:
        return sum((row.bonus_usd for row in self.rows), NOTHING)

    @property
    def fees_usd(self) -> Decimal:
        return sum((row.fee_usd for row in self.rows), NOTHING)

    @property
    def total_usd(self) -> Decimal:
        return self.bonuses_usd + self.fees_usd

    @property
    def unmeasured(self) -> int:
        return sum(row.unmeasured for row in self.rows)

    @property
    def bounded(self) -> int:
        return sum(row.bounded for row in self.rows)


def hourly(paid_usd: Decimal, seconds: int) -> Decimal:
    """``paid_usd`` for ``seconds`` as USD an hour, to the cent."""
    return (paid_usd * 3600 / seconds).quantize(CENT)


def pay_of(
    works: Iterable[Work],
    bonuses_usd: dict[int, Decimal],
    rate_usd: Decimal,
    times: Decimal,
    schedule: FeeSchedule,
) -> tuple[WorkerPay, ...]:
    """What each worker behind ``works`` lacks; ``bonuses_usd`` is what each was given beyond rewards, by key.

    The bonus is rounded up to the cent, so that nobody ends below the rate.
    """
    by_worker = defaultdict(list)
    for work in works:
        by_worker[work.worker_id].append(work)
    rows = []
    for worker_id, done in by_worker.items():
        counted = [work.counted_seconds(times) for work in done]
        paid = sum((work.reward_usd for work in done), bonuses_usd.get(worker_id, NOTHING))
        bonus = max(NOTHING, fees.reward_usd(rate_usd, sum(counted)) - paid)
        rows.append(
            WorkerPay(
                worker_id=worker_id,
                latest_assignment_id=max(work.assignment_id for work in done),
                assignments=len(done),
                seconds=sum(counted),
                unmeasured=sum(not work.active_seconds for work in done),
                bounded=sum(
                    bool(work.active_seconds) and seconds < (work.active_seconds or 0)
                    for work, seconds in zip(done, counted, strict=True)
                ),
                paid_usd=paid,
                bonus_usd=bonus,
                fee_usd=schedule.bonus_fee_usd(bonus) if bonus else NOTHING,
            )
        )
    return tuple(sorted(rows, key=lambda row: (row.hourly_usd, row.worker_id)))


def propose(batch: Batch, times: Decimal = USUAL_TIMES) -> Proposal:
    """Who worked on ``batch``, how they were paid, and what they lack. Moves nothing."""
    given = Bonus.objects.filter(batch=batch).counting().order_by().values_list("worker").annotate(Sum("amount_usd"))
    rows = pay_of(_works(batch), dict(given), batch.hourly_rate_usd, times, batch.endpoint_settings.fees)
    return Proposal(batch.hourly_rate_usd, times, rows, caps.left_for_bonuses(batch))


def _works(batch: Batch) -> list[Work]:
    approved = Assignment.objects.filter(offer__hit__batch=batch, status=Assignment.Status.APPROVED)
    # Nobody can be told whom to pay, and how long they worked was erased too.
    approved = approved.filter(worker__erased_at__isnull=True)
    rows = approved.annotate(active=Sum("paragraph_works__active_seconds")).values_list(
        *("pk", "worker", "active", "opened_at", "finished_at"),
        *("offer__paid_seconds", "offer__allowed_seconds", "offer__reward_usd"),
    )
    return [
        Work(pk, worker, active or None, _elapsed(opened_at, finished_at), paid_seconds, allowed_seconds, reward_usd)
        for pk, worker, active, opened_at, finished_at, paid_seconds, allowed_seconds, reward_usd in rows
    ]


def _elapsed(opened_at: datetime, finished_at: datetime | None) -> int | None:
    """Whole seconds, by our own clock alone: the endpoint's may differ."""
    return max(1, round((finished_at - opened_at).total_seconds())) if finished_at else None


@transaction.atomic
def pay(
    batch: Batch,
    times: Decimal,
    shown_total_usd: Decimal,
    user: User | None,
    confirmed_total_usd: Decimal | None = None,
) -> list[Bonus]:
    """Ask for every bonus of the proposal, which must still cost what the requester was shown.

    Raises NotPayable or caps.OverCap; then nothing is stored.
    """
    caps.lock(batch)
    proposal = propose(batch, times)
    if not proposal.below:
        raise NotPayable(_("Everybody has the promised rate already; there is nothing to pay."))
    if proposal.total_usd != shown_total_usd:
        sentence = _("The proposal has changed meanwhile: it is ${total} now. Look at it again before you pay.")
        raise NotPayable(sentence.format(total=proposal.total_usd))
    _require_settled(batch, proposal)
    latest = Assignment.objects.in_bulk([row.latest_assignment_id for row in proposal.below])
    wishes = [
        Wish(latest[row.latest_assignment_id], row.bonus_usd, _reason(row, proposal), lifts_from_usd=row.paid_usd)
        for row in proposal.below
    ]
    return bonuses.ask(batch, wishes, user, confirmed_total_usd, Bonus.Origin.FAIR_PAY)


def _require_settled(batch: Batch, proposal: Proposal) -> None:
    """A bonus that the endpoint refused may be tried again: beside a new one it would pay the same gap twice.

    Raises NotPayable.
    """
    lifted = [row.worker_id for row in proposal.below]
    refused = Bonus.objects.filter(
        batch=batch, worker__in=lifted, status=Bonus.Status.REFUSED, origin=Bonus.Origin.FAIR_PAY
    )
    if keys := list(refused.order_by("pk").values_list("pk", flat=True)[:10]):
        sentence = _("The endpoint refused to pay this before: on the page Money, try again or give up bonus {keys}.")
        raise NotPayable(sentence.format(keys=", ".join(map(str, keys))))


def _reason(row: WorkerPay, proposal: Proposal) -> str:
    sentence = _("Your work took {minutes} min and had brought ${paid}. This lifts it to ${rate} an hour, as promised.")
    return sentence.format(minutes=row.minutes, paid=row.paid_usd, rate=proposal.rate_usd)


def last_paid_at(batch: Batch) -> datetime | None:
    """When a proposal was last paid."""
    found = Bonus.objects.filter(batch=batch, origin=Bonus.Origin.FAIR_PAY).aggregate(last=Max("asked_at"))["last"]
    return found if isinstance(found, datetime) else None
