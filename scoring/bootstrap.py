"""Bootstrap intervals of figures that are made of sums over questions (Efron 1979): the questions are drawn anew, with
replacement, as often as asked for, and the middle 95 % of the figures kept."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

REPLICATES = 1000
SEED = 1
# The share of the replicates below the interval, and above it.
TAIL = 0.025
# Up to so many draws it takes less time to make them in one go than one replicate after the other.
AT_ONCE = 60_000

Array = NDArray[np.float64]


def resampled_sums(parts: Array, replicates: int = REPLICATES, seed: int = SEED) -> Array:
    """The column sums of ``parts`` (a row for each question), of each replicate: ``replicates`` rows. The same parts
    and seed give the same sums."""
    count = len(parts)
    chance = np.random.default_rng(seed)
    if count * replicates <= AT_ONCE:
        drawn = chance.integers(0, count, (replicates, count)) + count * np.arange(replicates).reshape(-1, 1)
        times = np.bincount(drawn.ravel(), minlength=replicates * count).reshape(replicates, count)
        return np.asarray(times.astype(np.float64) @ parts)
    sums = np.empty((replicates, parts.shape[1]))
    for number in range(replicates):
        drawn = np.bincount(chance.integers(0, count, count), minlength=count)
        sums[number] = drawn @ parts
    return sums


def interval(values: Array) -> tuple[float, float] | None:
    """From the 2.5th to the 97.5th percentile of ``values``; None where more than one in twenty is undefined (nan)."""
    defined = values[~np.isnan(values)]
    if len(defined) < 0.95 * len(values):
        return None
    low, high = np.quantile(defined, (TAIL, 1 - TAIL))
    return float(low), float(high)


def ratio(over: int, under: int) -> Callable[[Array], Array]:
    """The figure that is one column's sum over another's; nan where that is 0."""

    def of(sums: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(sums[:, under] == 0, np.nan, sums[:, over] / sums[:, under])

    return of


def mean_interval(
    values: Sequence[float], replicates: int = REPLICATES, seed: int = SEED
) -> tuple[float, float] | None:
    """The interval of a mean; None of fewer than two values."""
    if len(values) < 2:
        return None
    parts = np.asarray(values, dtype=np.float64).reshape(-1, 1)
    return interval(resampled_sums(parts, replicates, seed)[:, 0] / len(values))
