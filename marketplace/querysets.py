"""The vocabulary in which the marketplace asks about its work."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Case, Count, DecimalField, Exists, F, OuterRef, Q, Sum, Value, When, Window

if TYPE_CHECKING:
    from .models import HIT, Assignment, RequesterProfile, WorkerProfile


@dataclass(frozen=True)
class Counts:
    """How many assignments of a HIT are in hand, wait for a decision, and have one."""

    pending: int = 0
    submitted: int = 0
    decided: int = 0

    @property
    def live(self) -> int:
        """Places of the HIT that are taken."""
        return self.pending + self.submitted + self.decided


class HITTypeQuerySet(models.QuerySet):
    def of(self, requester: "RequesterProfile") -> "HITTypeQuerySet":
        return self.filter(requester=requester)

    def by_address(self, group_id: str) -> "HITTypeQuerySet":
        """The HIT type that workers reach under ``group_id``; its own id serves too."""
        return self.filter(Q(group_id=group_id) | Q(type_id=group_id))


class HITQuerySet(models.QuerySet):
    def of(self, requester: "RequesterProfile") -> "HITQuerySet":
        return self.filter(requester=requester)

    def undisposed(self) -> "HITQuerySet":
        from .models import HIT

        return self.exclude(stage=HIT.Stage.DISPOSED)

    def reviewable(self) -> "HITQuerySet":
        """Live HITs with no place left and nothing in hand (once overdue rows have been settled)."""
        from .models import HIT, Assignment

        held = Assignment.objects.filter(hit=OuterRef("pk"), status=Assignment.Status.HELD)
        return self.filter(~Exists(held), stage=HIT.Stage.LIVE, open_places=0)

    def due_to_expire(self, now: datetime) -> "HITQuerySet":
        return self.filter(open_places__gt=0, expires_at__lte=now)


class AssignmentQuerySet(models.QuerySet):
    def listed(self) -> "AssignmentQuerySet":
        """Those that the API shows: submitted, approved, rejected."""
        from .models import Assignment

        return self.filter(status__in=Assignment.LISTED)

    def decided(self) -> "AssignmentQuerySet":
        from .models import Assignment

        return self.filter(status__in=[Assignment.Status.APPROVED, Assignment.Status.REJECTED])

    def of_worker(self, worker: "WorkerProfile") -> "AssignmentQuerySet":
        return self.filter(worker=worker)

    def held(self) -> "AssignmentQuerySet":
        from .models import Assignment

        return self.filter(status=Assignment.Status.HELD)

    def past_deadline(self, now: datetime) -> "AssignmentQuerySet":
        return self.held().filter(deadline__lte=now)

    def due_for_approval(self, now: datetime) -> "AssignmentQuerySet":
        from .models import Assignment

        return self.filter(status=Assignment.Status.SUBMITTED, auto_approve_at__lte=now)

    def move(self, old: "Assignment.Status", new: "Assignment.Status", **changes: Any) -> int:
        """Move those that are ``old`` to ``new``, saving ``changes`` with it; return how many there were.

        Raises IllegalMove where ``Assignment.MOVES`` has no such step.
        """
        from .models import Assignment, IllegalMove

        if new not in Assignment.MOVES[old]:
            raise IllegalMove(f"{old} -> {new}")
        return self.filter(status=old).update(status=new, **changes)

    def counts(self, hits: Iterable["HIT"]) -> dict[int, Counts]:
        """The counts of each of ``hits`` by primary key; a HIT without assignments is left out."""
        from .models import Assignment

        status = Assignment.Status
        rows = (
            self.filter(hit__in=[hit.pk for hit in hits], status__in=Assignment.LIVE)
            .values("hit_id")
            .annotate(
                pending=Count("id", filter=Q(status=status.HELD)),
                submitted=Count("id", filter=Q(status=status.SUBMITTED)),
                decided=Count("id", filter=Q(status__in=[status.APPROVED, status.REJECTED])),
            )
            .order_by()
        )
        return {row["hit_id"]: Counts(row["pending"], row["submitted"], row["decided"]) for row in rows}


class RatingQuerySet(models.QuerySet):
    def published(self, now: datetime) -> "RatingQuerySet":
        """Those that their requester and other workers see: given before today began (UTC), each with what is told of
        it as ``told_pay`` and so on. What was changed today counts as it was before until tomorrow."""
        is_settled = Q(changed_at__lt=start_of_day(now))
        told = {
            f"told_{name}": Case(When(is_settled, then=F(name)), default=F(f"earlier_{name}"))
            for name in ("pay", "clarity", "fairness", "comment")
        }
        return self.filter(created_at__lt=start_of_day(now)).annotate(**told)


def start_of_day(now: datetime) -> datetime:
    """Midnight in UTC. What one worker wrote shows with the rest of the day's, so that its hour tells nobody who."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


class QualificationTypeQuerySet(models.QuerySet):
    def standing(self) -> "QualificationTypeQuerySet":
        """All that were not deleted."""
        return self.filter(deleted_at__isnull=True)

    def requestable(self) -> "QualificationTypeQuerySet":
        """Those that workers may ask for."""
        from .models import QualificationType

        return self.standing().filter(requester__isnull=False, status=QualificationType.Status.ACTIVE)

    def with_privacy(self) -> "QualificationTypeQuerySet":
        """Each with ``is_private``: only ever granted silently, to workers who cannot get it by themselves.

        Such types are a requester's own notes on who did what; workers and operators are not shown them. This is our
        choice: Mechanical Turk shows workers whatever they hold.
        """
        from .models import QualificationGrant

        grants = QualificationGrant.objects.filter(qualification_type=models.OuterRef("pk"))
        by_themselves = ~models.Q(test="") | models.Q(auto_granted=True)
        is_note = ~by_themselves & models.Exists(grants.filter(is_silent=True))
        return self.annotate(
            is_private=models.ExpressionWrapper(
                is_note & ~models.Exists(grants.filter(is_silent=False)), output_field=models.BooleanField()
            )
        )


class QualificationRequestQuerySet(models.QuerySet):
    def of_worker(self, worker: "WorkerProfile") -> "QualificationRequestQuerySet":
        return self.filter(worker=worker)

    def open(self) -> "QualificationRequestQuerySet":
        """Begun tests, and those that wait for the requester."""
        from .models import QualificationRequest

        return self.filter(status__in=[QualificationRequest.Status.STARTED, QualificationRequest.Status.SUBMITTED])

    def move(self, old: str, new: str, **changes: Any) -> int:
        """Move those that are ``old`` to ``new``, saving ``changes`` with it; return how many there were.

        Raises IllegalMove where ``QualificationRequest.MOVES`` has no such step.
        """
        from .models import IllegalMove, QualificationRequest

        if new not in QualificationRequest.MOVES[old]:
            raise IllegalMove(f"{old} -> {new}")
        return self.filter(status=old).update(status=new, **changes)


# What each kind of ledger entry adds to, or takes from, what is available and what is held.
INTO_AVAILABLE, OUT_OF_AVAILABLE = ("funds", "release"), ("reserve", "bonus", "bonus_fee")
INTO_HELD, OUT_OF_HELD = ("reserve",), ("release", "reward", "fee")


def _change(into: tuple[str, ...], out: tuple[str, ...]) -> Case:
    return Case(
        When(kind__in=into, then=F("amount_usd")),
        When(kind__in=out, then=-F("amount_usd")),
        default=Value(Decimal("0.00")),
        output_field=DecimalField(max_digits=18, decimal_places=2),
    )


class LedgerQuerySet(models.QuerySet):
    def with_balances(self) -> "LedgerQuerySet":
        """Entries of one requester, each with what it changed in US dollars, ``available_by`` and ``held_by``, and how
        both stood after it, ``available_after`` and ``held_after``.

        The database adds up from the oldest entry that is left in: leave out newer ones alone, as a page does.
        """
        available, held = _change(INTO_AVAILABLE, OUT_OF_AVAILABLE), _change(INTO_HELD, OUT_OF_HELD)
        return self.annotate(
            available_by=available,
            held_by=held,
            available_after=Window(Sum(available), order_by=F("pk").asc()),
            held_after=Window(Sum(held), order_by=F("pk").asc()),
        )
