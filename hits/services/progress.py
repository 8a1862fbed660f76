"""How a batch, or a project's money, stands right now."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, F, Q, Sum

from annotation.models import Assignment, Project
from hits.models import HIT, Batch, LedgerEntry


@dataclass(frozen=True)
class Money:
    """Cap, reserved and spent, USD; always shown side by side."""

    cap_usd: Decimal
    reserved_usd: Decimal
    spent_usd: Decimal

    @property
    def left_usd(self) -> Decimal:
        return max(Decimal("0.00"), self.cap_usd - self.reserved_usd - self.spent_usd)

    def percent(self, amount_usd: Decimal) -> int:
        """``amount_usd`` as whole percent of the cap, for a bar; 0 without a cap."""
        return int(min(Decimal(100), 100 * amount_usd / self.cap_usd)) if self.cap_usd else 0

    @property
    def spent_percent(self) -> int:
        return self.percent(self.spent_usd)

    @property
    def committed_percent(self) -> int:
        return self.percent(self.spent_usd + self.reserved_usd)


@dataclass(frozen=True)
class Progress:
    """Counts of a batch: HITs ``published`` of ``hits``; ``places`` for workers and what became of them."""

    hits: int
    published: int
    closed: int
    open: int  # at the endpoint, and to be had
    unreleased: int  # waits for the batch's release plan
    open_places: int  # that somebody may still fill, those of HITs that are not published yet among them
    places: int
    opened: int  # somebody has the page open, or had
    waiting: int  # submitted, not decided
    approved: int
    rejected: int

    @property
    def submitted(self) -> int:
        return self.waiting + self.approved + self.rejected

    @property
    def submitted_percent(self) -> int:
        return 100 * self.submitted // self.places if self.places else 0

    @property
    def published_percent(self) -> int:
        return 100 * self.published // self.hits if self.hits else 0


def money_of_project(project: Project) -> Money:
    return Money(project.spending_cap_usd, *LedgerEntry.objects.in_project(project).balance_usd())


def money_of_batch(batch: Batch) -> Money:
    return Money(batch.cap_usd, *LedgerEntry.objects.filter(batch=batch).balance_usd())


def progress_of(batch: Batch) -> Progress:
    hits = HIT.objects.filter(batch=batch).aggregate(
        hits=Count("pk"),
        published=Count("pk", filter=~Q(mturk_hit_id="")),
        closed=Count("pk", filter=Q(status=HIT.Status.CLOSED)),
        open=Count("pk", filter=Q(status=HIT.Status.OPEN)),
        unreleased=Count("pk", filter=Q(status=HIT.Status.DRAFT, released_at__isnull=True)),
        open_places=Sum(F("max_assignments") - F("listed_count"), filter=Q(status__in=HIT.RUNNING), default=0),
        # Places that are offered again by another HIT count once.
        places=Sum(F("max_assignments") - F("replaces_places"), default=0),
    )
    status = Assignment.Status
    work = Assignment.objects.filter(offer__hit__batch=batch).aggregate(
        opened=Count("pk", filter=Q(status=status.OPEN)),
        waiting=Count("pk", filter=Q(status=status.SUBMITTED)),
        approved=Count("pk", filter=Q(status=status.APPROVED)),
        rejected=Count("pk", filter=Q(status=status.REJECTED)),
    )
    return Progress(**hits, **work)
