"""Agreement of small sets of answers, worked out by hand."""

import json

import pytest

from scoring.agreement import GivenAnswers, most_given, question_agreement
from scoring.agreement_figures import figures_of
from scoring.human import AnsweredQuestion, human_performance
from scoring.squad_files import read_answers


def agreed(*texts, spans=(), length=0, language="en"):
    return question_agreement(GivenAnswers("q", texts, spans, length), language)


def test_each_answer_meets_all_others_and_never_itself():
    found = agreed("in 1340", "1340", "the year 1340")
    # Words in common, precision and recall: "in 1340" has one of two in "1340" (2/3) and of "year 1340" (1/2).
    assert [score.f1 for score in found.each] == [pytest.approx(2 / 3)] * 3
    assert [score.exact_match for score in found.each] == [0, 0, 0]
    assert found.pairwise.f1 == pytest.approx((2 / 3 + 1 / 2 + 2 / 3) / 3)
    assert found.is_settled is False


def test_a_majority_is_more_than_half_and_not_just_half():
    assert agreed("61 m", "The 61 m.", "62 m").is_settled
    assert not agreed("61 m", "61 m", "62 m", "63 m").is_settled
    assert agreed("61 m").is_settled is None
    assert most_given([("a",), ("b",), ("b",)]) == 1
    assert most_given([None, None, ("b",)]) == 0


def test_two_who_find_no_answer_agree_and_one_who_does_not_scores_nothing():
    found = agreed(None, None, "61 m")
    assert [score and score.f1 for score in found.each] == [0, 0, None]
    assert (found.pairwise.exact_match, found.pairwise.f1) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert (found.unanswerable, found.extra_unanswerable, found.is_settled) == (2, 1, True)


def test_the_second_answer_scores_as_in_human_performance():
    sets = [["61 m", "61 m", "60 m"], ["in 1340", "1340", "the year 1340"], ["Ruad", None], [None, "x"], ["the", "a"]]
    questions = [agreed(*texts) for texts in sets]
    reading = human_performance(AnsweredQuestion(str(n), texts) for n, texts in enumerate(sets)).all_others
    figures = figures_of(questions, replicates=0)
    assert figures["human_exact_match"].value == pytest.approx(reading.exact_match)
    assert figures["human_f1"].value == pytest.approx(reading.f1)
    assert figures["human_f1"].questions == reading.total == 4


def test_each_character_counts_where_no_blank_parts_words():
    first, second = "二零零八年", "二零零八"
    assert agreed(first, second).pairwise.f1 == 0
    assert agreed(first, second, language="zh").pairwise.f1 == pytest.approx(2 * 4 / 9)


def test_every_figure_has_a_value_with_an_interval_or_a_reason():
    figures = figures_of([agreed("61 m", "61 m"), agreed("1340", "in 1340")])
    assert figures["pairwise_exact_match"].report() == {"value": 50.0, "questions": 2, "interval": [0.0, 100.0]}
    assert "Nobody marked a question as unanswerable" in figures["alpha_answerable"].report()["why"]
    assert "place in the paragraph" in figures["alpha_spans"].why
    alone = figures_of([agreed("61 m", "61 m")])["majority"].report()
    assert (alone["value"], alone["interval"]) == (100.0, None)
    assert "One question alone" in alone["why_no_interval"]
    nothing = figures_of([])
    assert {figure.value for figure in nothing.values()} == {None}
    assert {str(figure.why) for figure in nothing.values()} == {"No question has two answers that count."}


def test_everybody_without_an_answer_leaves_nothing_to_compare_with():
    figures = figures_of([agreed(None, None)])
    assert "Everybody marked" in figures["alpha_answerable"].why
    assert "unanswerable answers alone" in figures["human_f1"].why
    assert figures["unanswerable_by_most"].value == 100.0


def test_intervals_are_the_same_each_time_and_narrower_with_more_questions():
    few = [agreed("61 m", "61 m"), agreed("1340", "1341")] * 10
    first, again, more = (figures_of(questions)["pairwise_f1"] for questions in (few, few, few * 25))
    assert first == again
    assert first.low < more.low < 50 < more.high < first.high


def test_answers_that_do_not_stand_at_their_start_count_by_their_text_alone():
    answers = [
        {"text": "61 m", "answer_start": 0},
        {"text": "61 m", "answer_start": 9},
        {"text": "", "answer_start": 0},
    ]
    qas = [{"id": "a", "question": "?", "answers": answers}]
    file = {"data": [{"title": "Well", "paragraphs": [{"context": "61 m deep", "qas": qas}]}]}
    [question], misplaced = read_answers(json.dumps(file).encode())
    assert question == GivenAnswers("a", ["61 m", "61 m", ""], [(0, 4), None, None], 9)
    assert misplaced == ["a", "a"]
