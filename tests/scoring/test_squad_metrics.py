"""EM and F1 against the field cases, against the official scripts to the last digit, and by their laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.squad_metrics import (
    AnswerScore,
    GoldQuestion,
    Part,
    Rule,
    ScoringError,
    best_score,
    exact_match,
    score_predictions,
    token_f1,
)
from tests.scoring import official

both_rules = pytest.mark.parametrize("rule", list(Rule))


@pytest.mark.parametrize(
    ("golds", "answer", "exact", "f1"),
    [
        (["The Beatles"], "beatles", 1, 1.0),
        (["A"], "A", 1, 1),
        (["A"], "the", 1, 1),
        (["A"], "B", 0, 0),
        (["A"], "AB", 0, 0),
        (["U.S."], "US", 1, 1.0),
        (["1,000"], "1000", 1, 1.0),
        (["1.5"], "15", 1, 1.0),
        (["3–5 days"], "3-5 days", 0, 0.5),
        (["3-5 days"], "35 days", 1, 1.0),
        (["state of the art"], "state-of-the-art", 0, 0),
        (["“Nord”"], '"Nord"', 0, 0),
        (["caf\u00e9"], "cafe\u0301", 0, 0),
        (["$5 million"], "5 million", 1, 1.0),
        (["Theatre A"], "theatre", 1, 1.0),
        (["New York"], "New York New York", 0, 0.6667),
        (["STRASSE"], "straße", 0, 0),
        (["the river Ilve"], "Ilve", 0, 0.6667),
        (["in 1871"], "1871", 0, 0.6667),
        (["an anthem"], "anthem", 1, 1.0),
        (["12 June 1871"], "June 12, 1871", 0, 1.0),
        (["O'Brien"], "OBrien", 1, 1.0),
        (["..."], "", 1, 1),
        (["Gell Pass", "the Gell Pass tunnel"], "Gell Pass tunnel", 1, 1.0),
        (["1958", "in 1958"], "closed in 1958", 0, 0.8),
        (["A", "Group A"], "Group A", 1, 1.0),
    ],
)
def test_answers_score_as_the_script_of_2_0_scores_them(golds, answer, exact, f1):
    score = best_score(answer, golds, Rule.V2_0)
    assert score.exact_match == exact
    assert round(score.f1, 4) == f1


@pytest.mark.parametrize(
    ("golds", "answer", "v1", "v2"),
    [
        pytest.param(["A"], "the", AnswerScore(1, 0), AnswerScore(1, 1), id="both normalise to nothing"),
        pytest.param(["A"], "B", AnswerScore(0, 0), AnswerScore(0, 0), id="only the gold answer does"),
        pytest.param(["A", "Group A"], "the", AnswerScore(1, 0), AnswerScore(0, 0), id="2.0 drops it beside another"),
        pytest.param(["Rollo"], "Rollo of Normandy", AnswerScore(0, 0.5), AnswerScore(0, 0.5), id="elsewhere alike"),
    ],
)
def test_the_rules_differ_where_nothing_is_left_of_an_answer(golds, answer, v1, v2):
    assert best_score(answer, golds, Rule.V1_1) == v1
    assert best_score(answer, golds, Rule.V2_0) == v2


def test_without_gold_answers_2_0_expects_the_empty_answer_and_1_1_refuses():
    assert best_score("", [], Rule.V2_0) == AnswerScore(1, 1)
    assert best_score("Velle", [], Rule.V2_0) == AnswerScore(0, 0)
    with pytest.raises(ScoringError, match="no gold answer"):
        best_score("", [], Rule.V1_1)


def test_the_language_decides_the_tokens():
    assert token_f1("战国无双", "战国") == 0
    assert token_f1("战国无双", "战国", language="zh") == pytest.approx(2 / 3)
    assert not exact_match("战国。", "战国")
    assert exact_match("战国。", "战国", language="zh")


HEIGHTS = [
    GoldQuestion("a1", ["640 m", "at 640 m"], states_impossible=True),
    GoldQuestion("a2", ["Ida Rosk"], states_impossible=True),
    GoldQuestion("a3", ["1921", "in 1921"], states_impossible=True),
    GoldQuestion("u1", [], states_impossible=True),
    GoldQuestion("u2", [], states_impossible=True),
    GoldQuestion("u3", [], states_impossible=True),
]
ANSWERED = {"a1": "640 m", "a2": "", "a3": "a hut was added in 1921", "u1": "", "u2": "Velle", "u3": "the"}


def rounded(part):
    return (round(part.exact_match, 4), round(part.f1, 4), part.total)


def test_a_full_file_under_2_0():
    evaluation = score_predictions(HEIGHTS, ANSWERED)
    assert evaluation.rule is Rule.V2_0
    assert rounded(evaluation.overall) == (50.0, 59.5238, 6)
    assert rounded(evaluation.has_answer) == (33.3333, 52.381, 3)
    assert rounded(evaluation.no_answer) == (66.6667, 66.6667, 3)
    assert (evaluation.missing, evaluation.unknown) == ([], [])


def test_a_missing_prediction_scores_0_in_the_divisor_and_an_unknown_one_is_named_and_not_counted():
    partial = {"a1": "640 m", "a3": "a hut was added in 1921", "u2": "Velle", "u3": "the", "zz9": "640 m"}
    evaluation = score_predictions(HEIGHTS, partial)
    assert rounded(evaluation.overall) == (33.3333, 42.8571, 6)
    assert (evaluation.missing, evaluation.unknown) == (["a2", "u1"], ["zz9"])
    assert evaluation.scores["u1"] == AnswerScore(0, 0)
    assert evaluation.scores["u3"] == AnswerScore(1, 1)


@pytest.mark.parametrize(
    ("questions", "absent", "present"),
    [(HEIGHTS[:3], "no_answer", "has_answer"), (HEIGHTS[3:], "has_answer", "no_answer")],
)
def test_a_part_without_questions_is_absent(questions, absent, present):
    evaluation = score_predictions(questions, ANSWERED)
    assert getattr(evaluation, absent) is None
    assert absent not in evaluation.report()
    assert evaluation.report()[present]["total"] == 3


def test_the_rule_is_1_1_unless_a_question_states_whether_it_is_impossible_or_the_rule_is_given():
    plain = [GoldQuestion("q1", ["A"])]
    assert score_predictions(plain, {"q1": "the"}).overall == Part(100, 0, 1)
    assert score_predictions(plain, {"q1": "the"}, Rule.V2_0).overall == Part(100, 100, 1)
    stating = [*plain, GoldQuestion("q2", ["x"], states_impossible=True)]
    assert score_predictions(stating, {"q1": "the"}).rule is Rule.V2_0
    assert score_predictions(stating, {"q1": "the"}, Rule.V1_1).rule is Rule.V1_1


def test_1_1_has_no_parts():
    report = score_predictions(HEIGHTS[:3], ANSWERED, Rule.V1_1).report()
    assert set(report) == {"exact_match", "f1", "total", "missing", "unknown"}


def test_what_cannot_be_scored_is_said():
    with pytest.raises(ScoringError, match=r"Question u1 has no answer, which the rule of SQuAD 1\.1 cannot score"):
        score_predictions(HEIGHTS, ANSWERED, Rule.V1_1)
    with pytest.raises(ScoringError, match="There are no questions to score"):
        score_predictions([], ANSWERED)


def test_a_report_is_not_rounded():
    evaluation = score_predictions(HEIGHTS, ANSWERED)
    assert evaluation.report()["f1"] == evaluation.overall.f1 == pytest.approx(59.52380952380952, rel=1e-15)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        pytest.param(Rule.V1_1, Part(50, 50, 2), id="1.1 counts each"),
        pytest.param(Rule.V2_0, Part(100, 100, 1), id="2.0 counts the last"),
    ],
)
def test_questions_of_the_same_id_count_as_in_the_scripts(rule, expected):
    twice = [GoldQuestion("q", ["first"]), GoldQuestion("q", ["last"])]
    assert score_predictions(twice, {"q": "last"}, rule).overall == expected


# Few words, so that answers meet; articles and punctuation, so that some vanish.
answers = st.lists(st.sampled_from(["a", "The", "x", "y", "y", "z.", "...", "1,5", "”"]), max_size=6).map(" ".join)


@given(answers, st.lists(answers, min_size=1, max_size=4))
def test_single_answers_equal_both_scripts_to_the_last_digit(answer, golds):
    assert exact_match(answer, golds[0]) == (official.clean(answer) == official.clean(golds[0]))
    assert token_f1(answer, golds[0], Rule.V1_1) == official.f1_of_v1(answer, golds[0])
    assert token_f1(answer, golds[0], Rule.V2_0) == official.f1_of_v2(answer, golds[0])


@given(st.lists(st.tuples(st.lists(answers, min_size=1, max_size=4), answers), min_size=1, max_size=30), st.data())
def test_files_equal_the_script_of_1_1_to_the_last_digit(rows, data):
    questions = [(str(number), golds) for number, (golds, _answer) in enumerate(rows)]
    predictions = {str(number): answer for number, (_golds, answer) in enumerate(rows) if data.draw(st.booleans())}
    overall = score_predictions([GoldQuestion(*question) for question in questions], predictions).overall
    assert (overall.exact_match, overall.f1) == official.evaluate_v1(questions, predictions)


@given(st.lists(st.tuples(st.lists(answers, max_size=4), answers), min_size=1, max_size=30))
def test_files_equal_the_script_of_2_0_to_the_last_digit(rows):
    questions = [(str(number), golds) for number, (golds, _answer) in enumerate(rows)]
    predictions = {str(number): answer for number, (_golds, answer) in enumerate(rows)}
    evaluation = score_predictions([GoldQuestion(*question) for question in questions], predictions, Rule.V2_0)
    parts = (evaluation.overall, evaluation.has_answer, evaluation.no_answer)
    ours = tuple(part and (part.exact_match, part.f1) for part in parts)
    assert ours == official.evaluate_v2(questions, predictions)


@both_rules
@given(answer=answers, golds=st.lists(answers, min_size=1, max_size=4), more=answers)
def test_scores_lie_between_0_and_1_and_a_further_gold_answer_never_costs(rule, answer, golds, more):
    score = best_score(answer, golds, rule)
    assert 0 <= score.exact_match <= 1
    assert 0 <= score.f1 <= 1
    # Under 2.0 another answer may oust those that normalise to nothing, which is the rule's will.
    if rule is Rule.V1_1 or all(official.clean(gold) for gold in golds):
        wider = best_score(answer, [*golds, more], rule)
        assert wider.exact_match >= score.exact_match
        assert wider.f1 >= score.f1


@both_rules
@given(answer=answers, gold=answers)
def test_f1_is_the_same_either_way_round_and_1_for_what_matches_exactly(rule, answer, gold):
    assert token_f1(answer, gold, rule) == pytest.approx(token_f1(gold, answer, rule))
    if exact_match(answer, gold) and official.clean(answer):
        assert token_f1(answer, gold, rule) == 1


@both_rules
@given(answer=answers, golds=st.lists(answers, min_size=1, max_size=4), seed=st.randoms())
def test_the_order_of_the_gold_answers_does_not_count(rule, answer, golds, seed):
    shuffled = seed.sample(golds, len(golds))
    assert best_score(answer, shuffled, rule) == best_score(answer, golds, rule)
