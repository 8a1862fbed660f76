"""Human performance: the second answer against the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.human import AnsweredQuestion, HumanScore, human_performance
from scoring.squad_metrics import Rule

CASTLE = [
    AnsweredQuestion("h1", ["61 m", "61 m", "61 m"]),
    AnsweredQuestion("h2", ["Abbot Ruad", "Ruad", "Abbot Ruad"]),
    AnsweredQuestion("h3", ["Brann Castle", "the castle", "Brann Castle"]),
    AnsweredQuestion("h4", ["in 1340", "1340", "the year 1340"]),
    AnsweredQuestion("h5", ["the Crown"]),
]


def test_repeated_answers_stay_and_nobody_is_compared_with_themselves():
    reading = human_performance(CASTLE).all_others
    assert (reading.exact_match, reading.f1) == (25.0, pytest.approx(75.0))
    assert reading.total == 4
    assert reading.too_few_answers == 1


def test_first_and_third_leave_further_answers_out():
    # The fourth answer is the second's equal, the first and third are not.
    performance = human_performance([AnsweredQuestion("q", ["Abbot Ruad", "Ruad", "the abbot", "Ruad"])])
    assert performance.all_others.exact_match == 100.0
    assert performance.first_and_third.exact_match == 0.0
    assert performance.first_and_third.f1 == pytest.approx(100 * 2 / 3)


def test_two_answers_are_enough_for_all_others_and_too_few_for_first_and_third():
    performance = human_performance([AnsweredQuestion("q", ["61 m", "61 m"])])
    assert (performance.all_others.total, performance.all_others.too_few_answers) == (1, 0)
    assert (performance.first_and_third.total, performance.first_and_third.too_few_answers) == (0, 1)


def test_an_unanswerable_second_answer_scores_0_and_is_counted():
    answers = [AnsweredQuestion("q1", ["61 m", None, "61 m"]), AnsweredQuestion("q2", ["61 m", "61 m", "61 m"])]
    reading = human_performance(answers).all_others
    assert reading.exact_match == reading.f1 == 50.0
    assert reading.unanswerable_second_answers == 1
    assert reading.scores[0] == HumanScore("q1", 0, 0, is_unanswerable=True)


def test_unanswerable_gold_answers_are_left_out_and_counted():
    reading = human_performance([AnsweredQuestion("q", [None, "61 m", "61 m"])]).all_others
    assert (reading.exact_match, reading.total, reading.unanswerable_gold_answers) == (100.0, 1, 1)


@pytest.mark.parametrize("second", ["61 m", None])
def test_a_question_whose_gold_answers_are_all_unanswerable_is_left_out_and_counted(second):
    reading = human_performance([AnsweredQuestion("q", [None, second, None]), CASTLE[0]]).all_others
    assert (reading.total, reading.no_gold_answer, reading.unanswerable_gold_answers) == (1, 1, 2)
    assert reading.unanswerable_second_answers == 0


def test_without_questions_there_is_no_figure():
    report = human_performance([]).report()
    assert report["all_others"]["exact_match"] is None
    assert report["all_others"]["total"] == 0


def test_a_report_has_three_decimals_and_every_count():
    report = human_performance([*CASTLE, AnsweredQuestion("q", ["a b", "b c d", None])]).report()
    assert report["first_and_third"] == {
        "exact_match": 20.0,
        "f1": 70.0,
        "total": 5,
        "too_few_answers": 1,
        "no_gold_answer": 0,
        "unanswerable_second_answers": 0,
        "unanswerable_gold_answers": 1,
    }
    assert human_performance(CASTLE[1:4]).report()["all_others"]["f1"] == 66.667


def test_rule_and_language_are_the_callers():
    assert human_performance([AnsweredQuestion("q", ["A", "the"])], Rule.V1_1).all_others.f1 == 0.0
    assert human_performance([AnsweredQuestion("q", ["A", "the"])], Rule.V2_0).all_others.f1 == 100.0
    chinese = [AnsweredQuestion("q", ["战国", "战国无双"])]
    assert human_performance(chinese, language="zh").all_others.f1 == pytest.approx(100 * 2 / 3)


answer_lists = st.lists(st.sampled_from(["x", "y", "x y", None]), max_size=5)


@given(st.lists(answer_lists, max_size=12))
def test_every_question_is_scored_or_counted_as_left_out(all_answers):
    performance = human_performance([AnsweredQuestion(str(n), answers) for n, answers in enumerate(all_answers)])
    for reading in (performance.all_others, performance.first_and_third):
        assert reading.total + reading.too_few_answers + reading.no_gold_answer == len(all_answers)
        assert reading.unanswerable_second_answers <= reading.total


def test_a_reading_without_a_score_says_why():
    too_few = human_performance([AnsweredQuestion("a", ["61 m", "61 m"])])
    assert "why" not in too_few.all_others.report()
    assert too_few.first_and_third.report()["why"] == "No question has enough answers that count."
    no_gold = human_performance([AnsweredQuestion("a", [None, "61 m"])]).all_others.report()
    assert (no_gold["exact_match"], no_gold["no_gold_answer"]) == (None, 1)
    assert no_gold["why"] == "Every question has unanswerable answers alone to compare with."
