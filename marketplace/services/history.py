"""What a worker holds, did and earned."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncWeek

from ..models import Assignment, WorkerProfile
from .review import OVERRIDE_WITHIN

PAGE_SIZE = 50
WEEKS = 52  # shown on the page of earnings


@dataclass(frozen=True)
class Submission:
    assignment: Assignment

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
    return Page([Submission(row) for row in shown], shown[-1].pk if len(found) > PAGE_SIZE else None)


@dataclass(frozen=True)
class Earnings:
    """In US dollars. ``weeks`` are dicts of week (its Monday), count and usd, newest first."""

    approved_usd: Decimal
    approved_count: int
    pending_usd: Decimal
    pending_count: int
    rejected_count: int
    weeks: list[dict[str, Any]]


def earnings_of(worker: WorkerProfile) -> Earnings:
    status = Assignment.Status
    rows = Assignment.objects.of_worker(worker)
    approved, pending = Q(status=status.APPROVED), Q(status=status.SUBMITTED)
    totals = rows.aggregate(
        approved_usd=Sum("hit__hit_type__reward_usd", filter=approved, default=Decimal("0.00")),
        approved_count=Count("id", filter=approved),
        pending_usd=Sum("hit__hit_type__reward_usd", filter=pending, default=Decimal("0.00")),
        pending_count=Count("id", filter=pending),
        rejected_count=Count("id", filter=Q(status=status.REJECTED)),
    )
    weeks = (
        rows.filter(approved)
        .annotate(week=TruncWeek("approved_at"))
        .values("week")
        .annotate(count=Count("id"), usd=Sum("hit__hit_type__reward_usd"))
        .order_by("-week")[:WEEKS]
    )
    return Earnings(**totals, weeks=list(weeks))
