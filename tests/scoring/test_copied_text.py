"""The longest run of words that a question takes over from its paragraph."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.copied_text import longest_copied_run, words
from tests.scoring.vectors import cases


@pytest.mark.parametrize("vector", cases("copied_run"))
def test_longest_copied_runs(vector):
    assert longest_copied_run(vector["question"], vector["paragraph"]) == vector["words"]


def test_flags_are_no_words_however_many():
    assert words("a🇫🇷b" + "🇫" * 100_000) == ["a", "b"]


short_texts = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=9).map(" ".join)


@given(short_texts, short_texts)
def test_the_run_is_the_longest_slice_of_the_question_that_stands_in_the_paragraph(question, paragraph):
    asked = words(question)
    slices = [asked[i:j] for i in range(len(asked)) for j in range(i + 1, len(asked) + 1)]
    found = [len(part) for part in slices if f" {' '.join(part)} " in f" {paragraph} "]
    assert longest_copied_run(question, paragraph) == max(found, default=0)
