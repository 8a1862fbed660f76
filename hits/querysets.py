"""The vocabulary in which jobs and pages ask for batches, HITs and money."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Self

from django.db.models import Q, Sum

from annotation.querysets import InProject

NOTHING = Decimal("0.00")


class Claimable(InProject):
    """Rows that a job takes for a while before it acts; a job that dies loses its claim when that runs out."""

    def unclaimed(self, now: datetime) -> Self:
        return self.filter(Q(claimed_until__isnull=True) | Q(claimed_until__lte=now))

    def claim_one(self, now: datetime, until: datetime) -> Any:
        """Take the first unclaimed row until ``until``, or None. Call inside a transaction; never waits for others."""
        row: Any = self.unclaimed(now).select_for_update(skip_locked=True, of=("self",)).order_by("pk").first()
        if row is not None:
            self.model._default_manager.filter(pk=row.pk).update(claimed_until=until)
            row.claimed_until = until
        return row


class HITQuerySet(Claimable):
    project_path = "batch__project"

    def to_publish(self) -> Self:
        """HITs that the endpoint may not have yet."""
        return self.filter(status__in=["draft", "publishing"], batch__status="publishing")

    def live(self) -> Self:
        """HITs at the endpoint from which work or decisions may still come."""
        return self.filter(status__in=["open", "reviewable"])


class AssignmentDecisionQuerySet(Claimable):
    project_path = "assignment__task__project"

    def to_carry_out(self) -> Self:
        return self.filter(done_at__isnull=True)


class LedgerQuerySet(InProject):
    def reserved_usd(self) -> Decimal:
        """What is set aside for work that may still be approved."""
        return self._sum("reserve", "hold_again") - self._sum("release", "release_rest", "free_again")

    def spent_usd(self) -> Decimal:
        """Rewards and fees of approved work."""
        return self._sum("reward", "fee")

    def paid_usd(self) -> Decimal:
        """Rewards alone: what reached workers."""
        return self._sum("reward")

    def _sum(self, *kinds: str) -> Decimal:
        return self.filter(kind__in=kinds).aggregate(sum=Sum("amount_usd"))["sum"] or NOTHING
