"""Agreement of two beyond chance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.kappa import cohen_kappa


def test_kappa_by_hand():
    # 7 of 10 equal; the first says keep 6 times, the second 5 times: chance is (6 * 5 + 4 * 5) / 100.
    pairs = [("keep", "keep")] * 4 + [("keep", "drop")] * 2 + [("drop", "keep")] + [("drop", "drop")] * 3
    found = cohen_kappa(pairs)
    assert (found.count, found.percent) == (10, 70)
    assert found.kappa == pytest.approx((0.7 - 0.5) / (1 - 0.5))


def test_where_both_use_one_label_alone_it_is_undefined():
    assert cohen_kappa([("keep", "keep")] * 3).kappa is None
    assert cohen_kappa([("keep", "keep")] * 3).percent == 100
    assert cohen_kappa([]) == cohen_kappa(())
    assert cohen_kappa([]).percent is None


labels = st.sampled_from(["keep", "drop", "fix"])


@given(st.lists(st.tuples(labels, labels), min_size=1))
def test_kappa_is_at_most_one_and_one_only_where_all_are_equal(pairs):
    found = cohen_kappa(pairs)
    assert found.kappa is None or -1 <= found.kappa <= 1
    if found.kappa == 1:
        assert found.percent == 100
    assert cohen_kappa([(second, first) for first, second in pairs]).kappa == found.kappa
