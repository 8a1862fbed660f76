"""Cohen's kappa of tables that can be worked out by hand."""

import pytest

from scoring.kappa import cohen_kappa


@pytest.mark.parametrize(
    ("both", "first", "second", "neither", "kappa"),
    [
        pytest.param(20, 5, 10, 15, 0.4, id="70 % agree, half by chance"),
        pytest.param(10, 0, 0, 10, 1.0, id="all agree"),
        pytest.param(0, 10, 10, 0, -1.0, id="nobody agrees"),
        pytest.param(5, 5, 5, 5, 0.0, id="as by chance"),
    ],
)
def test_kappa(both, first, second, neither, kappa):
    pairs = [(1, 1)] * both + [(1, 0)] * first + [(0, 1)] * second + [(0, 0)] * neither
    assert cohen_kappa(pairs).kappa == pytest.approx(kappa)


def test_one_label_throughout_has_no_kappa():
    assert cohen_kappa([(0, 0)] * 5).kappa is None
    assert cohen_kappa([]).kappa is None
