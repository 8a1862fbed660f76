"""Krippendorff's alpha: agreement beyond what chance brings, 1 where all agree and 0 where they agree as by chance.

Written here, as the library of that name is under the GPL and this product is not; each function is held to the values
that Krippendorff publishes. Sources: Computing Krippendorff's Alpha-Reliability (2011), for categories; Content
Analysis, 2nd edition (2004), section 11.6 and page 254, for units on a continuum (alpha_U).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Coincidences:
    """What one item adds to a coincidence matrix of two categories: how often the two meet (``mixed``, in one
    direction), and how many pairable values are of the first and the second category."""

    mixed: float
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class UnitDisagreement:
    """Observed and expected disagreement about the units on one continuum, each as a share of its squared length."""

    observed: float
    expected: float


def nominal_alpha(items: Iterable[Sequence[Hashable]]) -> float | None:
    """Alpha of categories without an order. An item holds the values that people gave it, any number of them; those
    with fewer than two take no part. None where fewer than two categories occur, and nothing can be told by chance.
    """
    totals: Counter[Hashable] = Counter()
    observed = 0.0
    for values in items:
        count = len(values)
        if count < 2:
            continue
        here = Counter(values)
        totals.update(here)
        observed += sum(own * (count - own) for own in here.values()) / (count - 1)
    everything = totals.total()
    expected = sum(own * (everything - own) for own in totals.values())
    return 1 - (everything - 1) * observed / expected if expected else None


def coincidences(first: int, second: int) -> Coincidences:
    """Of an item that ``first`` people put into one category and ``second`` into the other."""
    count = first + second
    return Coincidences(first * second / (count - 1), first, second) if count > 1 else Coincidences(0.0, 0, 0)


def binary_alpha(mixed: float, first: float, second: float) -> float | None:
    """``nominal_alpha`` of two categories, from the sums of the items' ``coincidences``."""
    if not first or not second:
        return None
    return 1 - (first + second - 1) * mixed / (first * second)


def unit_disagreement(observers: Sequence[Sequence[tuple[int, int]]], length: int) -> UnitDisagreement:
    """Disagreement about where on a continuum of ``length`` the units of one category stand.

    Each observer's units are ``[start, end)`` in order, without overlap. Where two people's units overlap they differ
    by the squares of the differences at both ends; a unit that lies within another's gap differs by the square of its
    length.
    """
    gaps = [_gaps(units, length) for units in observers]
    observed = 0
    for i, k in combinations(range(len(observers)), 2):
        observed += _overlapping(observers[i], observers[k])
        observed += _swallowed(observers[i], gaps[k]) + _swallowed(observers[k], gaps[i])
    count = len(observers)
    sizes = [end - start for units in observers for start, end in units]
    free = [end - start for each in gaps for start, end in each]
    # Units of these lengths and the gaps between them, put anywhere: against each other, and within the gaps.
    shuffled = sum(
        (len(sizes) - 1) / 3 * (2 * size**3 - 3 * size**2 + size)
        + size**2 * sum(gap - size + 1 for gap in free if gap >= size)
        for size in sizes
    )
    places = count * length * (count * length - 1) - sum(size * (size - 1) for size in sizes)
    return UnitDisagreement(
        observed=2 * observed / (count * (count - 1) * length**2),
        expected=2 / length * shuffled / places if places else 0.0,
    )


def unitized_alpha(observed: float, expected: float) -> float | None:
    """alpha_U from the disagreements on one continuum, or from their sums over several: then both are averaged before
    they are compared, so that each continuum counts alike (our choice; the source has one). None without units."""
    return 1 - observed / expected if expected else None


def _gaps(units: Sequence[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    edges = [0, *(edge for unit in units for edge in unit), length]
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if start < end]


def _overlapping(first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]]) -> int:
    return sum(
        (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
        for one in first
        for other in second
        if one[0] < other[1] and other[0] < one[1]
    )


def _swallowed(units: Sequence[tuple[int, int]], gaps: Sequence[tuple[int, int]]) -> int:
    return sum(
        (end - start) ** 2
        for start, end in units
        if any(gap_start <= start and end <= gap_end for gap_start, gap_end in gaps)
    )
