"""What a worker holds, did and earned."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncWeek

from ..models import Assignment, Bonus, HITType, Rating, WorkerProfile
from .review import OVERRIDE_WITHIN

PAGE_SIZE = 50
EXPORTED_AT_ONCE = 500
WEEKS = 52  # shown on the page of earnings
WEEKS_DRAWN = 12  # in its plot


@dataclass(frozen=True)
class Submission:
    assignment: Assignment
    bonuses: list[Bonus]  # oldest first

    @property
    def appeal_until(self) -> datetime | None:
        """Until when the requester can still turn a rejection round."""
        return self.assignment.submitted_at + OVERRIDE_WITHIN if self.assignment.submitted_at else None

    @property
    def rating(self) -> Rating | None:
        return getattr(self.assignment, "rating", None)

    @property
    def bonus_usd(self) -> Decimal:
        return sum((bonus.amount_usd for bonus in self.bonuses), Decimal("0.00"))


@dataclass(frozen=True)
class Page:
    submissions: list[Submission]
    next_before: int | None


def held_by(worker: WorkerProfile) -> list[Assignment]:
    rows = Assignment.objects.of_worker(worker).held().select_related("hit__hit_type__requester")
    return list(rows.defer("hit__question").order_by("deadline"))


def held_of_group(worker: WorkerProfile, hit_type: HITType) -> list[Assignment]:
    """What ``worker`` holds of one group, the most pressing first."""
    return [row for row in held_by(worker) if row.hit.hit_type_id == hit_type.pk]


LAPSED_SHOWN = timedelta(days=30)


def lapsed_of(worker: WorkerProfile, now: datetime) -> list[Assignment]:
    """What ran out in the worker's hands or was returned in the last LAPSED_SHOWN, the latest first."""
    rows = Assignment.objects.of_worker(worker).filter(
        status__in=[Assignment.Status.ABANDONED, Assignment.Status.RETURNED], ended_at__gt=now - LAPSED_SHOWN
    )
    rows = rows.select_related("hit__hit_type__requester").defer("answer", "hit__question")
    return list(rows.order_by("-ended_at", "-id")[:PAGE_SIZE])


def submitted_by(
    worker: WorkerProfile, before: int | None, *, status: str | None = None, size: int | None = None
) -> Page:
    """A page (or ``size``) of the worker's submissions, newest first, from ``before`` (a key, exclusive) on; those of
    one ``status`` (submitted, approved, rejected) where one is given."""
    size = size or PAGE_SIZE
    rows = Assignment.objects.of_worker(worker).listed().select_related("hit__hit_type__requester", "rating")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    if status is not None:
        rows = rows.filter(status=status)
    found = list(rows.defer("answer", "hit__question").order_by("-id")[: size + 1])
    shown = found[:size]
    bonuses = defaultdict(list)
    for bonus in Bonus.objects.filter(assignment__in=[row.pk for row in shown]).order_by("id"):
        bonuses[bonus.assignment_id].append(bonus)
    return Page([Submission(row, bonuses[row.pk]) for row in shown], shown[-1].pk if len(found) > size else None)


def all_submitted_by(worker: WorkerProfile) -> Iterator[Submission]:
    """Every submission of the worker, newest first, read page by page."""
    before: int | None = None
    while True:
        page = submitted_by(worker, before, size=EXPORTED_AT_ONCE)
        yield from page.submissions
        if page.next_before is None:
            return
        before = page.next_before


def counts_of(worker: WorkerProfile) -> dict[str, int]:
    """How many of the worker's submissions are in each state."""
    rows = Assignment.objects.of_worker(worker).listed().order_by().values_list("status")
    counts = dict(rows.annotate(number=Count("id")))
    return {status: counts.get(status, 0) for status in Assignment.LISTED}


@dataclass
class Week:
    """What came in during the week that begins with ``monday``, in US dollars."""

    monday: date
    count: int = 0  # HITs approved
    rewards_usd: Decimal = Decimal("0.00")
    bonuses_usd: Decimal = Decimal("0.00")

    @property
    def usd(self) -> Decimal:
        return self.rewards_usd + self.bonuses_usd


@dataclass(frozen=True)
class Earnings:
    """In US dollars; ``weeks`` newest first."""

    approved_usd: Decimal
    approved_count: int
    pending_usd: Decimal
    pending_count: int
    rejected_count: int
    bonus_usd: Decimal
    bonus_count: int
    practice_usd: Decimal  # of what is approved, from requesters who pay nobody
    weeks: list[Week] = field(default_factory=list)


def earnings_of(worker: WorkerProfile) -> Earnings:
    status = Assignment.Status
    rows = Assignment.objects.of_worker(worker)
    bonuses = Bonus.objects.filter(worker=worker)
    approved, pending = Q(status=status.APPROVED), Q(status=status.SUBMITTED)
    totals = rows.aggregate(
        approved_usd=Sum("hit__hit_type__reward_usd", filter=approved, default=Decimal("0.00")),
        approved_count=Count("id", filter=approved),
        pending_usd=Sum("hit__hit_type__reward_usd", filter=pending, default=Decimal("0.00")),
        pending_count=Count("id", filter=pending),
        rejected_count=Count("id", filter=Q(status=status.REJECTED)),
        practice_usd=Sum(
            "hit__hit_type__reward_usd", filter=approved & Q(hit__requester__pays_nobody=True), default=Decimal("0.00")
        ),
    )
    given = bonuses.aggregate(bonus_usd=Sum("amount_usd", default=Decimal("0.00")), bonus_count=Count("id"))
    return Earnings(**totals, **given, weeks=_weeks(rows.filter(approved), bonuses))


def _weeks(approved: QuerySet[Assignment], bonuses: QuerySet[Bonus]) -> list[Week]:
    """The last WEEKS weeks in which the worker earned something."""
    rewards = approved.annotate(week=TruncWeek("approved_at")).values("week")
    extras = bonuses.annotate(week=TruncWeek("granted_at")).values("week")
    weeks: dict[date, Week] = {}
    for row in rewards.annotate(count=Count("id"), usd=Sum("hit__hit_type__reward_usd")).order_by("-week")[:WEEKS]:
        weeks[row["week"]] = Week(row["week"], row["count"], row["usd"])
    for extra in extras.annotate(usd=Sum("amount_usd")).order_by("-week")[:WEEKS]:
        weeks.setdefault(extra["week"], Week(extra["week"])).bonuses_usd = extra["usd"]
    return sorted(weeks.values(), key=lambda week: week.monday, reverse=True)[:WEEKS]


@dataclass(frozen=True)
class Bar:
    """One week in the plot, in its units: ``height`` of the rewards, ``more`` of the bonuses on top of them."""

    week: Week
    x: int
    height: int
    more: int

    @property
    def rewards_y(self) -> int:
        return Plot.height - self.height

    @property
    def more_y(self) -> int:
        return self.rewards_y - self.more


@dataclass(frozen=True)
class Plot:
    bars: list[Bar]  # oldest first
    most_usd: Decimal  # what a bar of the full height is
    width: int
    height: int = 120
    bar: int = 34


STEP = 50  # from one bar's left edge to the next one's


def plot_of(weeks: list[Week], now: datetime) -> Plot | None:
    """The last WEEKS_DRAWN weeks, those without earnings among them; None where nothing was earned in them."""
    today = now.astimezone(UTC).date()
    this_monday = today - timedelta(days=today.weekday())
    mondays = [this_monday - timedelta(weeks=back) for back in reversed(range(WEEKS_DRAWN))]
    earned = {_day(week.monday): week for week in weeks}
    drawn = [earned.get(monday) or Week(monday) for monday in mondays]
    most = max(week.usd for week in drawn)
    if not most:
        return None
    bars = [
        Bar(
            week,
            index * STEP,
            round(week.rewards_usd / most * Plot.height),
            round(week.bonuses_usd / most * Plot.height),
        )
        for index, week in enumerate(drawn)
    ]
    return Plot(bars, most, width=STEP * (WEEKS_DRAWN - 1) + Plot.bar)


def _day(monday: date) -> date:
    return monday.date() if isinstance(monday, datetime) else monday
