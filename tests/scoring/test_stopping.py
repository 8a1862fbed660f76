"""Asking one after the other: what the questions at hand tell of it."""

import pytest

from scoring.stopping import stopping

# Of ten questions with three answers six were settled by the second (one wrongly), three by the third, one never.
TOLD = [[3, 2, 1, 5], [3, 2, 0, 1], [3, 3, 1, 3], [3, 0, 0, 1]]


def test_rates_are_of_the_questions_that_got_so_far():
    told = stopping(TOLD)
    assert told.rates == {2: 0.6, 3: 0.75}
    assert told.seen == {2: 10, 3: 4}
    assert (told.as_in_the_end, told.stopped_early) == (5, 6)
    assert told.settled_at_three == 0.9


def test_a_question_costs_answers_until_it_is_settled_or_at_the_limit():
    told = stopping(TOLD)
    assert told.path(2, 3) == (1, 0.75)
    answers, settled = told.path(1, 3)
    # The second always, the third in four cases of ten.
    assert (answers, settled) == (pytest.approx(1.4), pytest.approx(0.9))
    assert told.path(3, 3) == (0, 0)


def test_nothing_is_foreseen_beyond_what_was_seen():
    assert stopping(TOLD).path(2, 4) is None
    assert stopping([]).path(1, 3) is None
    assert stopping([]).settled_at_three is None
