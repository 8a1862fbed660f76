"""``manage.py curate``: files in, a file and a report out, and one sentence for whatever is wrong."""

import json
import os

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Paragraph
from curation.titles import read_record, redraw
from tests.annotation.factories import make_project

PROSE = (
    "The tarn lies high in the hills of the north, and most of its water comes from snow that melts until the end of "
    "June. Nobody lives on its shores today. A small hut was built there by a shepherd, whose family kept it for three "
    "generations before the road came. In dry summers the level falls by more than a metre, which lays bare the stumps "
    "of an old forest. Scholars have long argued about the age of those trees; the last of them drowned when a "
    "landslide closed the valley. Fishing is allowed in autumn alone, as the char spawn in spring."
)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "tarn.md").write_text(f"# Tarn Velle\n\nShort.\n\n## The lake\n\n{PROSE}\n")
    (folder / "copy.txt").write_text(PROSE)
    (folder / "picture.png").write_bytes(b"x")
    return folder


def curate(source, out, *options):
    call_command("curate", str(source), "--out", str(out), *options)


@pytest.mark.django_db
def test_a_folder_becomes_passages_that_import_articles_takes(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))  # which holds no models
    out = tmp_path / "passages.jsonl"
    curate(folder, out, "--language=en", "--licence=CC0", "--source-url=https://example.org")
    shown = capsys.readouterr().out
    assert "Articles: 3 read, 1 kept." in shown
    assert "near_duplicate: 1 (Tarn Velle: 100% like copy: The tarn lies high" in shown
    assert "too_short: 1 (Tarn Velle: 6)" in shown
    assert "Sentences were counted by rules." in shown
    assert f"the report is {tmp_path / 'passages.report.json'}." in shown
    project = make_project()
    call_command("import_articles", project.slug, str(out))
    paragraph = Paragraph.objects.get(project=project)
    assert paragraph.text == PROSE
    assert paragraph.article.licence == "CC0"


def test_the_report_can_be_had_as_json(folder, tmp_path, capsys):
    out = tmp_path / "passages.jsonl"
    curate(folder, out, "--json", "--keep-duplicates", "--min-chars=5", "--min-sentences=1")
    report = json.loads(capsys.readouterr().out)
    assert report["paragraphs"]["kept"] == 3
    assert report == json.loads((tmp_path / "passages.report.json").read_text())


def test_where_nothing_is_kept_the_exit_code_says_so_and_the_report_says_why(folder, tmp_path):
    with pytest.raises(CommandError, match="No paragraph is left") as caught:
        curate(folder, tmp_path / "passages.jsonl", "--min-chars=4000")
    assert caught.value.returncode == 3
    report = json.loads((tmp_path / "passages.report.json").read_text())
    assert report["paragraphs"]["dropped"]["too_short"]["count"] == 3


@pytest.mark.parametrize(
    ("source", "out", "option", "sentence"),
    [
        ("nothing", "out.jsonl", "--json", "There is no such file or folder."),
        ("picture.png", "out.jsonl", "--json", "Files of this kind cannot be read."),
        (".", "out.jsonl", "--min-chars=-1", "The fewest characters must be 0 or more"),
        (".", "no/out.jsonl", "--json", "cannot be written"),
        (".", "out.jsonl", "--sentences=stanza", "Stanza counts sentences in one language: name it."),
        (".", "out.jsonl", "--max-digits=1.5", r"1\.5 is no share from 0 to 1\."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(folder, tmp_path, source, out, option, sentence):
    with pytest.raises(CommandError, match=sentence) as caught:
        curate(folder / source, tmp_path / out, option)
    assert caught.value.returncode == 1
    assert "\n" not in str(caught.value)
    assert not (tmp_path / out).exists()


def test_titles_choose_what_is_read_and_the_sample_can_be_drawn_again(folder, tmp_path):
    out, ranked = tmp_path / "passages.jsonl", tmp_path / "ranked.txt"
    ranked.write_text("\ufeffTarn_Velle\nNo such lake\nCopy\n", encoding="utf-8")
    curate(folder, out, f"--titles={ranked}", "--top=2")
    report = json.loads((tmp_path / "passages.report.json").read_text())
    assert {reason: entry["count"] for reason, entry in report["articles"]["dropped"].items()} == {
        "no_such_title": 1,
        "not_a_document": 1,
        "not_asked_for": 1,
    }
    assert [json.loads(line)["title"] for line in out.read_text().splitlines()] == ["Tarn Velle"]
    record = read_record(tmp_path / "passages.sample.json")
    assert redraw(record, ranked) == record.titles == ["Tarn Velle", "No such lake"]
    with pytest.raises(CommandError, match=r"ranked\.txt: The list has 3 titles, fewer than the top 9 asked for\."):
        curate(folder, out, f"--titles={ranked}", "--top=9")
    with pytest.raises(CommandError, match="name it with --titles"):
        curate(folder, out, "--top=2")


def test_a_dump_becomes_passages_with_their_provenance(shared_dir, tmp_path):
    data = shared_dir / "data" / "wikipedia"
    (dump,) = data.glob("*.bz2")
    out = tmp_path / "passages.jsonl"
    ranked = data / "enwiki-sample-insample-pagerank.tsv"
    options = ["--language=en", f"--titles={ranked}", "--top=12", "--sample=3", "--seed=7"]
    curate(dump, out, *options, "--source-url=https://en.wikipedia.org")
    articles = [json.loads(line) for line in out.read_text().splitlines()]
    report = json.loads((tmp_path / "passages.report.json").read_text())
    assert 1 <= len(articles) <= 3
    assert report["source"]["sample"]["titles"] == read_record(tmp_path / "passages.sample.json").titles
    for article in articles:
        assert article["title"] in report["source"]["sample"]["titles"]
        assert article["licence"].startswith("CC BY-SA")
        assert article["revision"]
        assert article["source_url"].startswith("https://en.wikipedia.org/")
        assert all(500 <= len(paragraph["text"]) <= 5_000 for paragraph in article["paragraphs"])


def test_the_report_names_stanza_where_it_counts_sentences_and_rules_where_they_do(
    folder, tmp_path, shared_dir, monkeypatch, capsys
):
    pytest.importorskip("stanza", reason="Stanza is not installed; the rules count, as the tests beside show")
    models = os.environ.get("STANZA_RESOURCES_DIR") or str(shared_dir / "stanza_resources")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", models)
    out, report = tmp_path / "passages.jsonl", tmp_path / "passages.report.json"
    curate(folder, out, "--language=en", "--sentences=stanza")
    assert json.loads(report.read_text())["sentences_counted_by"]["en"].startswith("stanza 1.")
    assert "Sentences were counted by stanza 1." in capsys.readouterr().out
    curate(folder, out, "--language=en")  # Stanza where it is there
    assert json.loads(report.read_text())["sentences_counted_by"]["en"].startswith("stanza 1.")
    curate(folder, out, "--language=de", "--any-language")  # of which it has no models
    assert json.loads(report.read_text())["sentences_counted_by"]["de"] == "rules"
    curate(folder, out, "--language=en", "--sentences=rules")
    assert json.loads(report.read_text())["sentences_counted_by"]["en"] == "rules"
