"""A run writes its output whole or not at all, the same for the same source, and goes on where it was killed."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from curation import pipeline
from curation.documents.reading import DocumentRules
from curation.filters import FilterSettings
from curation.pipeline import OutputError, curate, report_path
from curation.sources import Documents
from scoring.datasets import Paragraph
from scoring.json_files import FileError
from scoring.passage_files import read_passages
from tests import environment

LOOSE = FilterSettings(min_chars=10, min_sentences=0, max_digits=1, check_language=False)


def text_of(number):
    return " ".join(f"{word}{number}" for word in ("lake", "hill", "mill", "wall", "gate", "char", "snow", "hut"))


@pytest.fixture
def source(tmp_path):
    """Ninety articles of two paragraphs each; every third repeats one of an article before, and one line is broken."""
    file = tmp_path / "articles.jsonl"
    lines = [
        json.dumps({"title": f"Lake {number}", "paragraphs": [text_of(number - number % 3), text_of(1000 + number)]})
        for number in range(90)
    ]
    file.write_text("\n".join([*lines[:50], "broken", *lines[50:]]))
    return file


def test_the_output_is_what_import_takes_and_the_report_adds_up(source, tmp_path):
    out = tmp_path / "passages.jsonl"
    report = curate(Documents(source, DocumentRules(licence="CC0", attribution="The atlas")), out, LOOSE)
    articles = read_passages(out.read_bytes())
    assert articles[0].paragraphs == [Paragraph(text_of(0)), Paragraph(text_of(1000))]
    assert (articles[0].licence, articles[0].attribution) == ("CC0", "The atlas")
    assert report["articles"] == {
        "read": 91,
        "kept": 90,
        "dropped": {"unreadable": {"count": 1, "examples": report["articles"]["dropped"]["unreadable"]["examples"]}},
    }
    paragraphs = report["paragraphs"]
    assert (paragraphs["read"], paragraphs["kept"]) == (180, 120)
    dropped = paragraphs["dropped"]["near_duplicate"]
    assert dropped["count"] == 60
    assert len(dropped["examples"]) == 3
    assert dropped["examples"][0] == {
        "title": "Lake 1",
        "detail": f"100% like Lake 0: {text_of(0)[:60]}",
        "text": text_of(0),
    }
    assert sum(bar["paragraphs"] for bar in report["lengths"]) == 120
    assert report["settings"]["min_chars"] == 10
    assert report["source"]["sha256"] == report["source"]["named"][0]["sha256"]
    assert "datasketch" in report["libraries"]
    assert json.loads(report_path(out).read_text()) == report


def test_the_same_source_gives_the_same_bytes(source, tmp_path):
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    for out in (first, second):
        curate(Documents(source), out, LOOSE)
    assert first.read_bytes() == second.read_bytes()
    reports = [json.loads(report_path(out).read_text()) | {"output": None} for out in (first, second)]
    assert reports[0] == reports[1]


class Killed(Exception):
    pass


def stopped_run(source, out, after, settings=LOOSE):
    """A run that stops after so many articles, as one that is killed."""

    def stop(standing):
        if standing.articles_read >= after:
            raise Killed

    with pytest.raises(Killed):
        curate(Documents(source), out, settings, stop)


def test_a_stopped_run_leaves_nothing_under_the_name_and_the_next_goes_on(source, tmp_path, monkeypatch):
    monkeypatch.setattr(pipeline, "_REST_EVERY", 20)
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    curate(Documents(source), whole, LOOSE)
    stopped_run(source, out, after=47)
    assert not out.exists()
    assert not report_path(out).exists()
    read = []
    report = curate(Documents(source), out, LOOSE, lambda standing: read.append(standing.articles_read))
    assert read[0] == 41  # it rested after 40
    assert out.read_bytes() == whole.read_bytes()
    assert report | {"output": None} == json.loads(report_path(whole).read_text()) | {"output": None}
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out.jsonl", "out.report.json"]


@pytest.mark.parametrize("change", ["settings", "source", "partial", "state"])
def test_what_a_stopped_run_left_is_thrown_away_where_it_does_not_fit(source, tmp_path, monkeypatch, change):
    monkeypatch.setattr(pipeline, "_REST_EVERY", 20)
    out, settings = tmp_path / "out.jsonl", LOOSE
    stopped_run(source, out, after=47)
    if change == "settings":
        settings = FilterSettings(min_chars=11, min_sentences=0, max_digits=1, check_language=False)
    elif change == "source":
        os.utime(source, ns=(1, 1))
    elif change == "partial":
        (tmp_path / "out.jsonl.partial").write_bytes(b'{"title": "no", "paragraphs": []}\n' * 500)
    else:
        (tmp_path / "out.jsonl.state").write_text("{}")
    read = []
    curate(Documents(source), out, settings, lambda standing: read.append(standing.articles_read))
    assert read[0] == 1
    whole = tmp_path / "whole.jsonl"
    curate(Documents(source), whole, settings)
    assert out.read_bytes() == whole.read_bytes()


def test_a_failed_run_leaves_the_output_of_the_last_one_alone(source, tmp_path):
    out = tmp_path / "out.jsonl"
    curate(Documents(source), out, LOOSE)
    before = out.read_bytes()
    stopped_run(source, out, after=3)
    assert out.read_bytes() == before
    source.write_bytes(b'{"text": "Fine."}\n\xff\n')
    with pytest.raises(FileError, match=r"Line 2 is not UTF-8\."):
        curate(Documents(source), out, LOOSE)
    assert out.read_bytes() == before


def test_two_runs_cannot_write_one_output(source, tmp_path):
    out = tmp_path / "out.jsonl"
    with open(tmp_path / "out.jsonl.partial", "ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(OutputError, match="Another run is writing"):
            curate(Documents(source), out, LOOSE)
    curate(Documents(source), out, LOOSE)


def test_an_output_that_cannot_be_written_is_one_sentence(source, tmp_path):
    for out, sentence in ((tmp_path / "no" / "out.jsonl", "cannot be written"), (tmp_path, "is a folder")):
        with pytest.raises(OutputError, match=sentence):
            curate(Documents(source), out, LOOSE)


@pytest.mark.slow
def test_a_run_that_the_system_killed_goes_on(tmp_path):
    """SIGKILL in the midst of a run of the command, in a process of its own; the database is out of its reach."""
    source, out = tmp_path / "articles.jsonl", tmp_path / "out.jsonl"
    with open(source, "w") as file:
        for number in range(3_000):
            print(json.dumps({"title": f"Lake {number}", "paragraphs": [text_of(number)] * 2}), file=file)
    command = [sys.executable, "manage.py", "curate", source, "--out", out, "--min-chars=10", "--min-sentences=0"]
    command += ["--max-digits=1", "--any-language"]
    env = os.environ | {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"}
    run = subprocess.Popen(command, cwd=environment.ROOT, env=env, stdout=subprocess.DEVNULL)
    state = tmp_path / "out.jsonl.state"
    while not state.exists() and run.poll() is None:
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    assert not out.exists()
    subprocess.run(command, cwd=environment.ROOT, env=env, check=True, capture_output=True)
    assert len(read_passages(out.read_bytes())) == 3_000
    whole = tmp_path / "whole.jsonl"
    curate(Documents(source), whole, LOOSE)
    assert out.read_bytes() == whole.read_bytes()
