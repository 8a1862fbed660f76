"""What a text says for or against the work that made it: each figure, from where it begins to count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.advice import holds_answer, is_question
from scoring.copied_text import words
from scoring.signals import (
    Wording,
    answer_words,
    best_agreement,
    is_even,
    is_typed,
    letters,
    machine_marks,
    nearest,
    odd_edges,
    similarity,
    straight_line,
)

RAIN = "Rain (or drizzle, which is finer) falls under gravity. It was called “the weeping”, in 1.5 accounts."
texts = st.text(max_size=60)


@pytest.mark.parametrize(
    ("answer", "language", "count"),
    [("the Norman dukes", "en", 3), ("1,204 ships", "en", 2), ("公元1066年", "zh", 4), ("", "en", 0)],
)
def test_an_answers_length_is_its_words_or_its_characters_where_nothing_parts_them(answer, language, count):
    assert answer_words(answer) == count


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("Who raised the wall?", "who raised  the WALL", 1.0, id="case and punctuation do not count"),
        pytest.param("abab", "cdcd", 0.0, id="nothing shared"),
        # " ab ": ␣a ab b␣; " ac ": ␣a ac c␣ - one of three and three.
        pytest.param("ab", "ac", 1 / 3, id="by hand"),
        pytest.param("", "", 1.0, id="two without words are the same"),
        pytest.param("?", "why", 0.0, id="one without words is like nothing"),
    ],
)
def test_similarity(one, other, expected):
    assert similarity(one, other) == pytest.approx(expected)


def test_a_question_asked_again_in_other_clothes_is_nearer_than_another_one():
    asked = "What causes precipitation to fall?"
    near, far = "What makes precipitation fall?", "Who raised the castle's wall?"
    assert similarity(asked, near) > 0.7 > 0.4 > similarity(asked, far)
    assert nearest(Wording.of(asked), [Wording.of(far), Wording.of(near)]) == (1, similarity(asked, near))
    assert nearest(Wording.of(asked), []) is None


@given(texts, st.lists(texts, min_size=1, max_size=6))
def test_the_nearest_is_the_first_of_the_most_like(text, others):
    scores = [similarity(text, other) for other in others]
    assert nearest(Wording.of(text), map(Wording.of, others)) == (scores.index(max(scores)), max(scores))


@given(texts, texts)
def test_similarity_is_a_share_is_mutual_and_one_for_the_same_words(one, other):
    found = similarity(one, other)
    assert 0 <= found <= 1
    assert found == similarity(other, one)
    assert similarity(one, one.upper() if words(one.upper()) == words(one) else one) == 1
    if words(one) == words(other):
        assert found == 1


@pytest.mark.parametrize(
    ("span", "language", "codes"),
    [
        ("gravity", "en", []),
        ("ravity", "en", ["mid_word"]),
        ("drizzle,", "en", ["punctuation"]),
        ("falls under gravity.", "en", ["punctuation"]),
        ("under gravity", "en", []),
        ("in 1.5 accounts", "en", ["loose_word"]),
        ("in 1.5 accounts", "de", []),
        ("(or drizzle", "en", ["unclosed"]),
        ("(or drizzle, which is finer)", "en", []),
        ("called “the weeping", "en", ["unclosed"]),
        ("izzle,", "en", ["mid_word", "punctuation"]),
    ],
)
def test_odd_edges(span, language, codes):
    start = RAIN.index(span)
    assert odd_edges(RAIN, start, start + len(span), language) == codes


def test_a_full_stop_of_an_abbreviation_belongs_to_the_answer():
    text = "He sailed to the U.S. in 1920."
    start = text.index("the")
    assert odd_edges(text, start, start + len("the U.S.")) == []
    assert odd_edges(text, start, len(text)) == ["punctuation"]


@given(texts, st.data())
def test_edges_of_any_span_are_told_by_known_codes(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert set(odd_edges(text, start, end)) <= {"mid_word", "punctuation", "loose_word", "unclosed"}
    assert "mid_word" not in odd_edges(text, 0, len(text))


@pytest.mark.parametrize(
    ("answer", "others", "score"),
    [
        pytest.param("the dukes", ["dukes", "Rollo"], 1.0, id="the nearest counts"),
        pytest.param("Norman dukes", ["dukes"], 2 / 3, id="in part"),
        pytest.param("Rollo", ["dukes", None], 0.0, id="nobody"),
        pytest.param(None, ["dukes", None], 1.0, id="two find none"),
        pytest.param(None, ["dukes"], 0.0, id="one finds none"),
        pytest.param("Rollo", [], None, id="nobody to agree with"),
    ],
)
def test_best_agreement(answer, others, score):
    assert best_agreement(answer, others) == (score if score is None else pytest.approx(score))


@given(st.one_of(st.none(), texts), st.lists(st.one_of(st.none(), texts), min_size=1, max_size=4))
def test_agreement_is_a_share_and_no_further_answer_lowers_it(answer, others):
    found = best_agreement(answer, others)
    assert 0 <= found <= 1
    assert best_agreement(answer, [*others, "x"]) >= found


def straight(questions=(), spans=(), length=100):
    return straight_line(questions, spans, [length] * len(spans))


@pytest.mark.parametrize(
    ("questions", "spans", "expected"),
    [
        pytest.param([f"What is the {word}?" for word in "abcd"], [], ("same_mould", 1.0), id="one mould"),
        pytest.param([f"What is the {word}?" for word in "abc"], [], ("", 0.0), id="three are too few"),
        pytest.param([], [None, None, None, (50, 60)], ("no_answer", 0.75), id="no answers"),
        pytest.param([], [(0, 5), (2, 9), (9, 12), (10, 20)], ("at_the_start", 0.75), id="at the start"),
        pytest.param([], [(40, 50)] * 3 + [(60, 70)], ("same_span", 0.75), id="one place"),
        pytest.param([], [(40, 50), (20, 30), (60, 70), (80, 90)], ("", 0.0), id="all different"),
    ],
)
def test_straight_lining(questions, spans, expected):
    assert straight(questions, spans) == expected


spans = st.one_of(st.none(), st.tuples(st.integers(0, 50), st.integers(51, 99)))


@given(st.lists(texts, max_size=8), st.lists(spans, max_size=8))
def test_a_pattern_has_a_share_and_none_has_none(questions, marked):
    pattern, share = straight(questions, marked)
    assert 0 <= share <= 1
    assert bool(pattern) == bool(share)


@pytest.mark.parametrize(
    ("question", "marks"),
    [
        ("Who raised the wall of the castle?", []),
        ("According to the passage, who raised the wall?", ["phrases"]),
        ("1. **Who** raised the wall?", ["markup"]),
        ("Who — and when — raised the wall?", ["typeset"]),
        ("Who raised “the wall”?", []),  # the paragraph's own marks
        ("Q1: As an AI language model… who?", ["phrases", "markup", "typeset"]),
        ("What is the text's subject, and is it certain?", []),
    ],
)
def test_marks_of_generated_text(question, marks):
    assert machine_marks(question, "He raised “the wall”.") == marks


@given(texts, texts)
def test_what_the_paragraph_has_is_no_mark_of_typesetting(question, paragraph):
    assert set(machine_marks(question, paragraph)) <= {"phrases", "markup", "typeset"}
    assert "typeset" not in machine_marks(question, question)


def test_questions_of_nearly_one_length_are_even_and_short_ones_are_not_told():
    assert is_even([f"Which of the {count} people raised the wall?" for count in ("two", "old", "new", "six")])
    assert not is_even(["Who?", "Where was the great mill built?", "When did it burn for the second time?", "Why?"])
    assert not is_even(["Who was it?"] * 3)
    assert not is_even(["Who was it?"] * 4)
    assert not is_even([])


@pytest.mark.parametrize(
    ("keys", "untyped", "typed"),
    [(10, 0, True), (5, 0, True), (4, 0, False), (10, 1, False)],
    ids=["a key each", "an input method", "hardly a key", "something came without one"],
)
def test_text_is_typed_by_keys(keys, untyped, typed):
    assert is_typed(keys, untyped, "0123456789") is typed


def test_a_question_holds_its_answer_word_by_word():
    assert holds_answer("Was it built in 1742?", "In 1742")
    assert not holds_answer("Was it built in 17421?", "in 1742")
    assert not holds_answer("Was it built?", "…")


@pytest.mark.parametrize(
    ("text", "language", "asks"),
    [
        ("When was it built?", "en", True),
        ("When was it built", "en", False),
        ("いつですか", "ja", True),
        ("ເມື່ອໃດ", "lo", True),
    ],
)
def test_what_ends_a_question(text, language, asks):
    assert is_question(text, language) is asks


def test_letters_are_counted_whatever_their_script():
    assert (letters("Wann, 1742?"), letters("哪一年 1"), letters("")) == (4, 3, 0)
