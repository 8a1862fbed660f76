"""``manage.py human_performance FILE``: both readings as JSON."""

import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.reviewer.commands import manage


def human_performance(path):
    output = StringIO()
    call_command("human_performance", str(path), stdout=output)
    return json.loads(output.getvalue())


@pytest.fixture
def castle(tmp_path):
    """A file of five questions; the last has one answer."""
    answers = [
        ["61 m", "61 m", "61 m"],
        ["Abbot Ruad", "Ruad", "Abbot Ruad"],
        ["Brann Castle", "the castle", "Brann Castle"],
        ["in 1340", "1340", "the year 1340"],
        ["the Crown"],
    ]
    qas = [
        {"id": f"h{number}", "question": "?", "answers": [{"text": text, "answer_start": 0} for text in texts]}
        for number, texts in enumerate(answers, start=1)
    ]
    path = tmp_path / "castle.json"
    path.write_text(json.dumps({"data": [{"title": "Brann", "paragraphs": [{"context": "x", "qas": qas}]}]}))
    return path


def test_both_readings_are_printed_with_what_they_leave_out(castle):
    figures = {
        "exact_match": 25.0,
        "f1": 75.0,
        "total": 4,
        "too_few_answers": 1,
        "no_gold_answer": 0,
        "unanswerable_second_answers": 0,
        "unanswerable_gold_answers": 0,
    }
    assert human_performance(castle) == {"all_others": figures, "first_and_third": figures}


def test_every_percentage_has_three_decimals(castle):
    output = StringIO()
    call_command("human_performance", str(castle), stdout=output)
    assert re.findall(r'"(exact_match|f1)": ([^,]+),', output.getvalue()) == [
        *[("exact_match", "25.000"), ("f1", "75.000")],
        *[("exact_match", "25.000"), ("f1", "75.000")],
    ]


def test_the_language_of_a_file_sets_its_tokens(tmp_path):
    answers = [{"text": "二零零八年", "answer_start": 0}, {"text": "二零零八", "answer_start": 0}]
    qas = [{"id": "a", "question": "？", "answers": answers}]
    path = tmp_path / "zh.json"
    path.write_text(json.dumps({"data": [{"title": "年", "paragraphs": [{"context": "二零零八年", "qas": qas}]}]}))
    output = StringIO()
    call_command("human_performance", str(path), language="zh", stdout=output)
    assert json.loads(output.getvalue())["all_others"]["f1"] == 88.889
    assert human_performance(path)["all_others"]["f1"] == 0


def test_a_file_that_cannot_be_read_gets_a_sentence(castle):
    castle.write_bytes(b"caf\xe9")
    with pytest.raises(CommandError, match=r"castle\.json: The file is not UTF-8: the byte 0xE9 at offset 3"):
        human_performance(castle)


def test_it_runs_without_a_database(castle):
    done = manage("human_performance", castle)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["all_others"]["total"] == 4


def test_the_development_set_of_squad(shared_dir):
    report = human_performance(shared_dir / "data" / "squad" / "dev-v1.1.json.gz")
    everyone, first_and_third = report["all_others"], report["first_and_third"]
    assert (everyone["exact_match"], everyone["f1"], everyone["total"]) == (81.527, 91.044, 10567)
    assert (first_and_third["exact_match"], first_and_third["f1"]) == (80.51, 90.555)
