"""The vocabulary in which jobs and pages ask for batches, HITs and money."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Self

from django.db.models import Q, Sum

from annotation.models import LostRace
from annotation.querysets import InProject

if TYPE_CHECKING:
    from hits.models import HIT

NOTHING = Decimal("0.00")
# Nothing is claimed or held back for longer; what ends later was written by a clock that has been set back since.
LONGEST_CLAIM = timedelta(minutes=10)


class Claimable(InProject):
    """Rows that a job takes for a while before it acts; a job that dies loses its claim when that runs out."""

    def unclaimed(self, now: datetime) -> Self:
        over = Q(claimed_until__lte=now) | Q(claimed_until__gt=now + LONGEST_CLAIM)
        return self.filter(Q(claimed_until__isnull=True) | over)

    def claim_one(self, now: datetime, until: datetime) -> Any:
        """Take the first unclaimed row until ``until``, or None. Call inside a transaction; never waits for others."""
        row: Any = self.unclaimed(now).select_for_update(skip_locked=True, of=("self",)).order_by("pk").first()
        if row is not None:
            self.model._default_manager.filter(pk=row.pk).update(claimed_until=until)
            row.claimed_until = until
        return row

    def keep(self, row: Any, until: datetime) -> None:
        """Hold ``row``, which the caller has claimed, until ``until``. Raises LostRace if its claim ran out and
        somebody else has taken it since: then nothing more may be done with it."""
        mine = self.filter(pk=row.pk, claimed_until=row.claimed_until)
        if row.claimed_until is None or mine.update(claimed_until=until) != 1:
            raise LostRace(f"{row} is in other hands")
        row.claimed_until = until


class HITQuerySet(Claimable):
    project_path = "batch__project"

    def to_publish(self) -> Self:
        """HITs that the endpoint may not have yet."""
        released = self.filter(released_at__isnull=False)
        return released.filter(status__in=["draft", "publishing"], batch__status="publishing")

    def unreleased(self) -> Self:
        """Drafts that wait for their batch's release plan."""
        return self.filter(status="draft", released_at__isnull=True)

    def live(self) -> Self:
        """HITs at the endpoint from which work or decisions may still come."""
        return self.filter(status__in=["open", "reviewable"])


class AssignmentDecisionQuerySet(Claimable):
    project_path = "assignment__task__project"

    def to_carry_out(self) -> Self:
        return self.filter(done_at__isnull=True)

    def due(self, now: datetime) -> Self:
        """Decisions of which the endpoint is to be told now: not done, and not held back any more."""
        over = Q(held_until__lte=now) | Q(held_until__gt=now + LONGEST_CLAIM)
        return self.to_carry_out().filter(Q(held_until__isnull=True) | over)

    def held(self, now: datetime) -> Self:
        """Decisions that can still be taken back."""
        return self.to_carry_out().filter(held_until__gt=now, held_until__lte=now + LONGEST_CLAIM)

    def standing(self) -> Self:
        """Decisions that nobody took back."""
        return self.filter(withdrawn_by__isnull=True)


class ActQuerySet(Claimable):
    project_path = "batch__project"

    def waiting(self) -> Self:
        """Acts that are not done; a deletion waits until nothing more can come of its HIT."""
        return self.filter(done_at__isnull=True)

    def to_carry_out(self) -> Self:
        """Waiting acts that can be done now."""
        return self.waiting().filter(~Q(kind="delete") | Q(hit__status="closed"))


class BonusQuerySet(Claimable):
    project_path = "batch__project"

    def to_send(self) -> Self:
        """Bonuses that the endpoint may not have paid yet."""
        return self.filter(status__in=["waiting", "sending"])

    def standing(self) -> Self:
        """Bonuses that are paid or may yet be."""
        return self.exclude(status="given_up")

    def counting(self) -> Self:
        """Bonuses that are paid, or on their way: what their workers can count on."""
        return self.standing().exclude(status="refused")


# What sets money aside, and what sets it free again; and what is gone.
HOLDS = ("reserve", "hold_again", "fund", "fund_back", "bonus_hold")
RELEASES = ("release", "release_rest", "free_again", "fund_draw", "fund_rest", "bonus_free")
SPENDS = ("reward", "fee", "bonus", "bonus_fee")


class QualificationGrantQuerySet(InProject):
    project_path = "qualification__project"

    def untold(self) -> Self:
        """Grants, and their ends, that the endpoint does not know yet."""
        return self.filter(Q(is_wanted=True, granted_at__isnull=True) | Q(is_wanted=False, granted_at__isnull=False))


class WorkerBlockQuerySet(Claimable):
    def to_carry_out(self) -> Self:
        return self.filter(done_at__isnull=True)


class LedgerQuerySet(InProject):
    def reserved_usd(self) -> Decimal:
        """What is set aside for work that may still be approved, and for bonuses."""
        return self.difference_usd(HOLDS, RELEASES)

    def spent_usd(self) -> Decimal:
        """Rewards and bonuses, with their fees."""
        return self.sum_usd(*SPENDS)

    def balance_usd(self) -> tuple[Decimal, Decimal]:
        """``reserved_usd`` and ``spent_usd``, asked for at once."""
        held, freed, spent = self._sums_usd(HOLDS, RELEASES, SPENDS)
        return held - freed, spent

    def paid_usd(self) -> Decimal:
        """Rewards and bonuses alone: what reached workers."""
        return self.sum_usd("reward", "bonus")

    def of_hit(self, hit: HIT) -> Self:
        """What moved for the places of ``hit``; bonuses are apart from it."""
        return self.filter(hit=hit, bonus__isnull=True)

    def for_places_usd(self) -> Decimal:
        """What is set aside for places whose work was not approved or rejected yet."""
        return self.difference_usd(("reserve",), ("release", "release_rest"))

    def fund_left_usd(self) -> Decimal:
        """What is left of a bonus reserve."""
        return self.difference_usd(("fund", "fund_back"), ("fund_draw", "fund_rest"))

    def sum_usd(self, *kinds: str) -> Decimal:
        """The sum of the entries of ``kinds``."""
        return self._sums_usd(kinds)[0]

    def difference_usd(self, kinds: tuple[str, ...], less: tuple[str, ...]) -> Decimal:
        """The sum of the entries of ``kinds`` less that of the other ones."""
        sum_usd, less_usd = self._sums_usd(kinds, less)
        return sum_usd - less_usd

    def _sums_usd(self, *groups: tuple[str, ...]) -> list[Decimal]:
        """The sum of the entries of each group of kinds, in one query."""
        sums = {f"sum_{n}": Sum("amount_usd", filter=Q(kind__in=kinds)) for n, kinds in enumerate(groups)}
        found = self.filter(kind__in=[kind for kinds in groups for kind in kinds]).aggregate(**sums)
        return [found[name] or NOTHING for name in sums]
