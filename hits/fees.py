"""What a crowd endpoint charges on top of the reward. Money is Decimal US dollars, always whole cents."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


@dataclass(frozen=True)
class FeeSchedule:
    """Shares of the reward: ``rate`` always, ``large_hit_rate`` more from ``large_hit_assignments`` assignments up.

    The defaults are Mechanical Turk's: 20 %, and a further 20 % from 10 assignments; at least one cent each.
    Source: Mechanical Turk pricing page, 2026-08.
    """

    rate: Decimal = Decimal("0.20")
    large_hit_rate: Decimal = Decimal("0.20")
    large_hit_assignments: int = 10
    minimum_usd: Decimal = CENT

    def fee_usd(self, reward_usd: Decimal, max_assignments: int) -> Decimal:
        """The fee for one assignment of a HIT with ``max_assignments``, rounded half up to the cent."""
        rate = self.rate + (self.large_hit_rate if max_assignments >= self.large_hit_assignments else 0)
        return max(self.minimum_usd, (reward_usd * rate).quantize(CENT, ROUND_HALF_UP))

    def bonus_fee_usd(self, amount_usd: Decimal) -> Decimal:
        """The fee of one bonus: as of a reward, and never with the surcharge of large HITs."""
        return max(self.minimum_usd, (amount_usd * self.rate).quantize(CENT, ROUND_HALF_UP))

    def parts(self, reward_usd: Decimal, workers: int) -> tuple[int, ...]:
        """How many workers each HIT of a task wants, so that ``workers`` do it for the smallest fee.

        One HIT, or as few as stay below the surcharge, as equal as can be, where that saves something.
        """
        most = self.large_hit_assignments - 1
        if workers <= most or most < 1 or self.fee_usd(reward_usd, workers) <= self.fee_usd(reward_usd, most):
            return (workers,)
        count = -(-workers // most)
        small, larger = divmod(workers, count)
        return (small + 1,) * larger + (small,) * (count - larger)


NO_FEES = FeeSchedule(Decimal(0), Decimal(0), 10, Decimal(0))


def reward_usd(hourly_rate_usd: Decimal, seconds: int) -> Decimal:
    """The reward for ``seconds`` of work, rounded up to the cent so that nobody earns less than the rate."""
    return (hourly_rate_usd * seconds / 3600).quantize(CENT, ROUND_CEILING)
