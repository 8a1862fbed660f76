"""The one place where amounts of a panel are converted and written."""

from decimal import ROUND_HALF_UP, Decimal

from ..models import Panel

CENT = Decimal("0.01")


def from_usd(panel: Panel, amount_usd: Decimal) -> Decimal:
    """US dollars in the panel's currency, to the cent, halves up, and at least one cent."""
    return max(CENT, (amount_usd * panel.per_usd).quantize(CENT, ROUND_HALF_UP))


def minor_units(amount: Decimal) -> int:
    """4.25 is 425: as Prolific takes the reward of a study. Raises ValueError below a cent."""
    cents = amount * 100
    if cents != cents.to_integral_value():
        raise ValueError(f"{amount} has more than two decimals.")
    return int(cents)


def major_text(amount: Decimal) -> str:
    """4.25, as Prolific takes a bonus; 30 there pays thirty, so the decimals are always written."""
    return f"{amount:.2f}"
