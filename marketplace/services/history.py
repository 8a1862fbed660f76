"""What a worker holds, did and earned."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncWeek

from ..models import Assignment, Bonus, WorkerProfile
from .review import OVERRIDE_WITHIN

PAGE_SIZE = 50
WEEKS = 52  # shown on the page of earnings


@dataclass(frozen=True)
class Submission:
    assignment: Assignment
    bonuses: list[Bonus]  # oldest first

    @property
    def appeal_until(self) -> datetime | None:
        """Until when the requester can still turn a rejection round."""
        return self.assignment.submitted_at + OVERRIDE_WITHIN if self.assignment.submitted_at else None


@dataclass(frozen=True)
class Page:
    submissions: list[Submission]
    next_before: int | None


def held_by(worker: WorkerProfile) -> list[Assignment]:
    rows = Assignment.objects.of_worker(worker).held().select_related("hit__hit_type__requester")
    return list(rows.order_by("deadline"))


def submitted_by(worker: WorkerProfile, before: int | None) -> Page:
    """The worker's submissions, newest first, from ``before`` (a key, exclusive) on."""
    rows = Assignment.objects.of_worker(worker).listed().select_related("hit__hit_type__requester")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.defer("answer", "hit__question").order_by("-id")[: PAGE_SIZE + 1])
    shown = found[:PAGE_SIZE]
    bonuses = defaultdict(list)
    for bonus in Bonus.objects.filter(assignment__in=[row.pk for row in shown]).order_by("id"):
        bonuses[bonus.assignment_id].append(bonus)
    return Page([Submission(row, bonuses[row.pk]) for row in shown], shown[-1].pk if len(found) > PAGE_SIZE else None)


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
