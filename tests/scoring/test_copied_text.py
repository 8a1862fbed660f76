"""The longest run of words that a question takes over from its paragraph."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.copied_text import longest_copied_run, words, words_of_any_script
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


PLAIN = st.characters(max_codepoint=0x2FF, exclude_characters="\xad") | st.sampled_from(".,,9\u2019\u2013_")


@given(st.text(PLAIN, max_size=30))
def test_plain_texts_have_the_words_that_any_script_has(text):
    composed = unicodedata.normalize("NFC", text).lower()
    assert words(text) == words_of_any_script(composed)
