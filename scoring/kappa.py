"""How far two people who sort the same things agree beyond chance."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kappa:
    """``percent`` of ``count`` pairs are equal; ``kappa`` is None where it is undefined."""

    count: int
    percent: float | None
    kappa: float | None


def cohen_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> Kappa:
    """Cohen's kappa of ``pairs``, one for each thing: what the first said, and what the second said.

    kappa = (p_o - p_e) / (1 - p_e), with p_o the share of equal pairs and p_e the share expected by chance from how
    often each of the two uses each label. Where both use one and the same label alone, p_e is 1 and kappa undefined.
    Source: Cohen, "A coefficient of agreement for nominal scales", 1960.
    """
    count = len(pairs)
    if not count:
        return Kappa(0, None, None)
    firsts, seconds = Counter(first for first, _ in pairs), Counter(second for _, second in pairs)
    equal = sum(first == second for first, second in pairs)
    # In whole numbers, so that a chance of exactly 1 is seen as such.
    chance = sum(firsts[label] * seconds[label] for label in firsts)
    if chance == count * count:
        return Kappa(count, 100 * equal / count, None)
    return Kappa(count, 100 * equal / count, (equal * count - chance) / (count * count - chance))
