"""Sentences can be shown in another language, and quote nothing that cannot be shown."""

import copy
import pickle

import pytest

from scoring.json_files import FileError, read_json
from scoring.sentences import Sentence


def test_a_sentence_can_be_built_again_from_a_translated_template():
    sentence = Sentence("Answer {number} is empty.", number=2)
    assert sentence == "Answer 2 is empty."
    assert "Antwort {number} ist leer.".format(**sentence.values) == "Antwort 2 ist leer."


def test_an_error_carries_its_sentence():
    with pytest.raises(FileError) as caught:
        read_json(b"")
    assert caught.value.sentence.template == str(caught.value) == "The file is empty."


def test_quoted_texts_are_shortened_and_escaped():
    assert Sentence("{text}", text="a" * 200) == "a" * 120 + "…"
    assert Sentence("{text}", text="a\0b\ud800c🦉") == "a\\0b\\ud800c🦉"


def test_braces_in_a_quoted_text_are_text():
    assert Sentence("{text}", text="{x}") == "{x}"


def test_a_sentence_in_a_sentence_stays_one():
    inner = Sentence("{text} " + "and so on " * 20, text="{x}")
    outer = Sentence("Line {line}: {problem}", line=2, problem=inner)
    assert outer == f"Line 2: {inner}"
    assert outer.values["problem"].template == inner.template


def test_a_sentence_survives_copying_and_pickling():
    sentence = Sentence("{text}", text="{x}")
    for twin in (copy.deepcopy(sentence), pickle.loads(pickle.dumps(sentence))):  # noqa: S301
        assert (twin, twin.template, twin.values) == ("{x}", "{text}", {"text": "{x}"})
