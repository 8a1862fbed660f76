"""Krippendorff's alpha, held to the values that he publishes."""

from itertools import combinations

import pytest

from scoring.alpha import (
    binary_alpha,
    coincidences,
    nominal_alpha,
    unit_disagreement,
    unitized_alpha,
)

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability": A (two observers, two values), B (two observers, five
# values) and C (four observers, with values missing).
BINARY = ["0100000010", "1110010000"]
NOMINAL = ["aabbdcccedda", "babbbccceddd"]
MISSING = ["123312412...", "1233224125.3", ".3332241251.", "12332244151."]


def columns(observers):
    return [[value for value in column if value != "."] for column in zip(*observers, strict=True)]


def test_the_binary_example():
    items = columns(BINARY)
    assert nominal_alpha(items) == pytest.approx(0.095, abs=0.0005)
    parts = [coincidences(item.count("0"), item.count("1")) for item in items]
    sums = [sum(getattr(part, name) for part in parts) for name in ("mixed", "first", "second")]
    assert binary_alpha(*sums) == pytest.approx(nominal_alpha(items))


def test_the_nominal_example():
    assert nominal_alpha(columns(NOMINAL)) == pytest.approx(0.692, abs=0.0005)


def test_the_example_with_missing_values():
    assert nominal_alpha(columns(MISSING)) == pytest.approx(0.743, abs=0.0005)


def test_one_category_alone_has_no_alpha():
    assert nominal_alpha(["aa", "aaa"]) is None
    assert nominal_alpha(["ab"]) is not None
    assert binary_alpha(0.0, 5, 0) is None


# Krippendorff 2004, page 254: a continuum from 150 to 450, two observers, two categories of units.
CATEGORIES = {
    "c": ([(225, 295), (370, 400)], [(220, 300), (355, 375), (400, 420)]),
    "k": ([(180, 240), (300, 350)], [(180, 240), (300, 350)]),
}


@pytest.mark.parametrize(
    ("category", "observed", "expected", "alpha"), [("c", 0.0144, 0.0532, 0.7286), ("k", 0.0, 0.0490, 1.0)]
)
def test_the_example_of_units_on_a_continuum(category, observed, expected, alpha):
    observers = [[(start - 150, end - 150) for start, end in units] for units in CATEGORIES[category]]
    found = unit_disagreement(observers, 300)
    assert found.observed == pytest.approx(observed, abs=0.0001)
    assert found.expected == pytest.approx(expected, abs=0.0001)
    assert unitized_alpha(found.observed, found.expected) == pytest.approx(alpha, abs=0.0001)


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [
        pytest.param((225, 295), (220, 300), 50, id="both ends differ"),
        pytest.param((370, 400), (355, 375), 850, id="an overlap"),
        pytest.param((410, 430), (100, 120), 2 * 400, id="each in the other's gap"),
    ],
)
def test_how_two_units_differ(first, second, difference):
    found = unit_disagreement([[first], [second]], 450)
    assert found.observed * 450**2 == pytest.approx(difference)


def test_more_observers_are_compared_two_by_two():
    spans = [[(0, 5)], [(0, 7)], [(20, 22)]]
    together = unit_disagreement(spans, 40).observed
    by_twos = [unit_disagreement(pair, 40).observed for pair in combinations(spans, 2)]
    assert together == pytest.approx(sum(by_twos) / 3)


def test_the_same_text_at_another_place_is_a_disagreement():
    same, apart = (unit_disagreement([[(3, 7)], [second]], 50) for second in [(3, 7), (30, 34)])
    assert unitized_alpha(same.observed, same.expected) == 1
    assert unitized_alpha(apart.observed, apart.expected) < 0.2
    assert unitized_alpha(0.0, 0.0) is None
