"""Published data and the field cases as files, where they lie beside the repository."""

import csv
import json

import pytest

from scoring.copied_text import longest_copied_run
from scoring.human import AnsweredQuestion, human_performance
from scoring.spans import Span, check_span, is_mid_word, snap_to_words, span_at, utf16_to_code_points
from scoring.squad_files import read_gold, read_predictions, read_squad
from scoring.squad_metrics import Rule, best_score, score_predictions
from scoring.squad_writing import squad_json

pytestmark = pytest.mark.slow


@pytest.fixture
def case(shared_dir):
    """A case's input by its name."""
    return lambda name: json.loads((shared_dir / "cases" / name).read_text(encoding="utf-8"))


@pytest.fixture
def data(shared_dir):
    """The bytes of a data file by its path."""
    return lambda path: (shared_dir / "data" / path).read_bytes()


@pytest.fixture
def expected_scores(shared_dir):
    """EM and F1 in percent, six decimals, by what was scored."""
    with open(shared_dir / "data/squad/expected-scores-v1.1.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) == 9
    return {row["what"]: (float(row["exact_match"]), float(row["f1"]), int(row["questions_scored"])) for row in rows}


@pytest.mark.parametrize(
    "model",
    ["dynamic-chunk-reader", "logistic-regression", "match-lstm-ensemble", "r-net-plus-ensemble", "slqa-plus-ensemble"],
)
def test_published_systems_score_as_the_official_script_scores_them(model, data, expected_scores):
    predictions = read_predictions(data(f"squad/predictions-v1.1/{model}.json.gz"))
    evaluation = score_predictions(read_gold(data("squad/dev-v1.1.json.gz")), predictions)
    exact_match, f1, scored = expected_scores[f"model: {model}"]
    assert evaluation.rule is Rule.V1_1
    assert (round(evaluation.overall.exact_match, 6), round(evaluation.overall.f1, 6)) == (exact_match, f1)
    assert evaluation.overall.total == 10570
    assert len(evaluation.missing) == 10570 - scored
    if model == "logistic-regression":
        assert (len(evaluation.missing), len(evaluation.unknown)) == (13, 28)


def test_human_performance_in_its_four_readings(data, expected_scores):
    questions = [AnsweredQuestion(q.id, q.answers) for q in read_gold(data("squad/dev-v1.1.json.gz"))]
    performance = human_performance(questions)
    everyone, first_and_third = performance.all_others, performance.first_and_third
    three_or_more = human_performance(q for q in questions if len(q.answers) >= 3).all_others

    def figures(reading):
        return round(reading.exact_match, 6), round(reading.f1, 6), reading.total

    reference = "human: 2nd answer against all others, "
    assert figures(everyone) == expected_scores[reference + "questions with >=2 answers"]
    assert figures(three_or_more) == expected_scores[reference + "questions with >=3 answers"]
    assert (
        figures(first_and_third)
        == expected_scores["human: 2nd answer against 1st and 3rd only, questions with >=3 answers"]
    )
    share = everyone.total / 10570
    strict = expected_scores[reference + "1-answer questions count 0"]
    assert (everyone.exact_match * share, everyone.f1 * share) == pytest.approx(strict[:2], abs=1e-6)
    assert (everyone.too_few_answers, first_and_third.too_few_answers) == (3, 139)


@pytest.mark.parametrize("language", ["en", "zh", "ar", "th", "hi"])
def test_xquad_has_no_misaligned_offset_and_survives_a_round_trip(language, data):
    dataset = read_squad(data(f"xquad/xquad.{language}.json.gz"))
    paragraphs = [paragraph for article in dataset.articles for paragraph in article.paragraphs]
    assert dataset.faults == []
    assert (len(dataset.articles), len(paragraphs)) == (48, 240)
    assert sum(len(paragraph.questions) for paragraph in paragraphs) == 1190
    assert read_squad(squad_json(dataset.articles)).articles == dataset.articles


def test_one_english_answer_of_xquad_ends_inside_a_word(data):
    dataset = read_squad(data("xquad/xquad.en.json.gz"))
    paragraphs = [paragraph for article in dataset.articles for paragraph in article.paragraphs]
    spans = [(p.text, a.start, a.end) for p in paragraphs for q in p.questions for a in q.answers]
    assert [text[start:end] for text, start, end in spans if is_mid_word(text, start, end)] == [
        "7,000,000 square kilometres (2,70"
    ]


@pytest.mark.parametrize(("language", "widened"), [("zh", 0), ("th", 1)])
def test_answers_in_languages_without_blanks_are_not_widened(language, widened, data):
    dataset = read_squad(data(f"xquad/xquad.{language}.json.gz"))
    paragraphs = [paragraph for article in dataset.articles for paragraph in article.paragraphs]
    spans = [(p.text, a.start, a.end) for p in paragraphs for q in p.questions for a in q.answers]
    assert sum(snap_to_words(text, start, end) != (start, end) for text, start, end in spans) == widened


def test_the_200_misplaced_answers_of_cmrc_are_reported(data):
    dataset = read_squad(data("cmrc2018/cmrc2018_dev.json.gz"))
    kept = [q for article in dataset.articles for paragraph in article.paragraphs for q in paragraph.questions]
    assert sum(len(fault.problems) for fault in dataset.faults) == 200
    assert len(kept) + len(dataset.faults) == 3219


def test_a_file_of_the_size_of_the_development_set_is_sound_throughout(data):
    dataset = read_squad(data("squad/dev-v1.1.json.gz"))
    questions = [q for article in dataset.articles for paragraph in article.paragraphs for q in paragraph.questions]
    assert dataset.faults == []
    assert (len(questions), sum(len(question.answers) for question in questions)) == (10570, 34726)


def test_selections_beyond_the_bmp(case):
    owls = case("s01_astral.json")
    for selection in owls["selections"]:
        start, end = utf16_to_code_points(owls["context"], selection["utf16_start"], selection["utf16_end"])
        text = selection.get("expected_text", "🎉 and ended")
        check_span(owls["context"], start, end, text)
        assert start == selection.get("expected_start", 67)


def test_selections_with_blanks_at_their_edges(case):
    ferry = case("s02_edge_whitespace.json")
    for selection in ferry["selections"]:
        snapped = snap_to_words(ferry["context"], selection["raw_start"], selection["raw_end"])
        if selection["expected"] == "refuse":
            assert snapped is None
        else:
            start, text = selection["expected"]["start"], selection["expected"]["text"]
            assert span_at(ferry["context"], *snapped) == Span(start, start + len(text), text)


def test_selections_of_a_repeated_text(case):
    lake = case("s03_repeated.json")
    for selection in lake["selections"]:
        end = selection["start"] + len(selection["text"])
        assert snap_to_words(lake["context"], selection["start"], end) == (selection["start"], end)


def test_a_file_with_carriage_returns(data):
    dataset = read_squad(data("../cases/s04_crlf.json"))
    (paragraph,) = dataset.articles[0].paragraphs
    assert [question.answers for question in paragraph.questions] == [
        [Span(67, 78, "Welsh slate")],
        [Span(22, 26, "1742")],
    ]
    assert len(paragraph.text) == 96


def test_a_file_with_blanks_as_data(data, case):
    raw = case("s06_leading_space.json")
    written = json.loads(squad_json(read_squad(data("../cases/s06_leading_space.json")).articles))
    assert written["data"] == raw["data"]


def test_a_file_with_bad_entries(data):
    dataset = read_squad(data("../cases/s07_bad_squad.json"))
    assert [q.id for q in dataset.articles[0].paragraphs[0].questions] == ["ok-1", "ok-2"]
    assert len(dataset.faults) == 11
    assert all(len(fault.problems) == 1 for fault in dataset.faults)


def test_the_table_of_scores(case):
    for row in case("s08_em_f1.json"):
        score = best_score(row["answer"], row["gold"], Rule.V2_0)
        assert (score.exact_match, round(score.f1, 4)) == (row["exact"], row["f1"])


def test_the_table_of_human_answers(case):
    questions = [AnsweredQuestion(row["id"], row["answers"]) for row in case("s10_answers.json")]
    report = human_performance(questions).report()["all_others"]
    assert (report["exact_match"], report["f1"]) == (25.0, 75.0)
    assert (report["total"], report["too_few_answers"]) == (4, 1)


def test_copied_questions(case):
    inputs = case("s20_inputs.json")
    runs = [longest_copied_run(question["text"], inputs["passage"]) for question in inputs["questions"]]
    assert runs[1] == inputs["questions"][1]["longest_common_run_words"] == 11
    assert max(runs[0], runs[2]) < 11
