"""``manage.py score``: JSON on standard output, one sentence for what cannot be scored."""

import gzip
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.reviewer.commands import manage

pytestmark = pytest.mark.slow

GOLD = {
    "version": "1.1",
    "data": [
        {
            "title": "Tarn_Velle",
            "paragraphs": [
                {
                    "context": "Tarn Velle lies at 640 m.",
                    "qas": [
                        {"id": "q1", "question": "How high?", "answers": [{"text": "640 m", "answer_start": 19}]},
                        {"id": "q2", "question": "What?", "answers": [{"text": "Tarn Velle", "answer_start": 0}]},
                        {"id": "q3", "question": "What?", "answers": [{"text": "A", "answer_start": 1}]},
                    ],
                }
            ],
        }
    ],
}
PREDICTIONS = {"q1": "at 640 m", "q3": "the", "zz9": "640 m"}


@pytest.fixture
def files(tmp_path):
    """Write contents, JSON or bytes, to files and give their paths."""

    def write(*contents):
        paths = [tmp_path / f"{number}.json" for number in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return [str(path) for path in paths]

    return write


def score(*arguments):
    output = StringIO()
    call_command("score", *arguments, stdout=output)
    return json.loads(output.getvalue())


def rounded(value):
    """``value`` with every number cut to three decimals, to be checked by hand."""
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    return round(value, 3) if isinstance(value, float) else value


def with_impossible():
    gold = json.loads(json.dumps(GOLD))
    gold["data"][0]["paragraphs"][0]["qas"][1] |= {"is_impossible": True, "answers": []}
    return gold


def test_a_file_without_is_impossible_is_scored_by_1_1(files):
    assert rounded(score(*files(GOLD, PREDICTIONS))) == {
        "exact_match": 33.333,
        "f1": 26.667,
        "total": 3,
        "missing": ["q2"],
        "unknown": ["zz9"],
    }


def test_a_file_with_is_impossible_is_scored_by_2_0_in_parts(files):
    report = score(*files(with_impossible(), PREDICTIONS | {"q2": ""}))
    assert rounded(report) == {
        "exact_match": 66.667,
        "f1": 93.333,
        "total": 3,
        "has_answer": {"exact_match": 50.0, "f1": 90.0, "total": 2},
        "no_answer": {"exact_match": 100.0, "f1": 100.0, "total": 1},
        "missing": [],
        "unknown": ["zz9"],
    }


def test_the_rule_can_be_given_and_a_part_that_does_not_exist_is_absent(files):
    report = score(*files(GOLD, PREDICTIONS), "--rule", "2.0")
    assert report["f1"] == 60.0
    assert report["has_answer"]["total"] == 3
    assert "no_answer" not in report


def test_packed_files_are_read(files):
    packed = [gzip.compress(json.dumps(content).encode()) for content in (GOLD, PREDICTIONS)]
    assert score(*files(*packed)) == score(*files(GOLD, PREDICTIONS))


@pytest.mark.parametrize(
    ("gold", "predictions", "arguments", "sentence"),
    [
        (b"", PREDICTIONS, [], r"0\.json: The file is empty\."),
        (GOLD, b"{", [], r"1\.json: The file is not JSON: line 1, column 2: Expecting property name"),
        (GOLD, [], [], r"1\.json: The predictions must be an object of answers by question id, not a list\."),
        ({"data": [{}]}, PREDICTIONS, [], r"0\.json: data\[0\]\.paragraphs is missing\."),
        ({"data": []}, PREDICTIONS, [], r"0\.json: There are no questions to score\."),
        (with_impossible(), PREDICTIONS, ["--rule", "1.1"], r"0\.json: Question q2 has no answer"),
        (GOLD, PREDICTIONS, ["--rule", "3.0"], "invalid choice: '3.0'"),
    ],
)
def test_what_cannot_be_scored_gets_a_sentence_that_names_the_file(files, gold, predictions, arguments, sentence):
    with pytest.raises(CommandError, match=sentence):
        score(*files(gold, predictions), *arguments)


def test_it_runs_without_a_database(files):
    done = manage("score", *files(GOLD, PREDICTIONS))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["total"] == 3


def test_a_failure_leaves_standard_output_empty(files):
    gold, predictions = files(GOLD, PREDICTIONS)
    done = manage("score", gold, predictions + ".none")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"CommandError: {predictions}.none: The file cannot be read: No such file or directory.\n"


def test_the_papers_logistic_regression(shared_dir):
    squad = shared_dir / "data" / "squad"
    report = score(str(squad / "dev-v1.1.json.gz"), str(squad / "predictions-v1.1" / "logistic-regression.json.gz"))
    assert (round(report["exact_match"], 6), round(report["f1"], 6), report["total"]) == (40.141911, 50.981536, 10570)
    assert (len(report["missing"]), len(report["unknown"])) == (13, 28)


def test_missing_and_unknown_predictions_under_2_0(shared_dir):
    cases = shared_dir / "cases"
    report = score(str(cases / "s09_gold.json"), str(cases / "s09_pred_partial.json"))
    # To the last digit of the official evaluation: 2 of 6, and 18/7 of 6.
    assert report["exact_match"] == pytest.approx(100 / 3, rel=1e-15)
    assert report["f1"] == pytest.approx(100 * (2 + 4 / 7) / 6, rel=1e-15)
    assert report["total"] == 6
    assert (report["missing"], report["unknown"]) == (["a2", "u1"], ["zz9"])
