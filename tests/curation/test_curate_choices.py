"""``manage.py curate``: which articles of a wiki are read, by lists of every kind and by the index of a dump."""

import bz2
import json
import os
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from curation.titles import read_record, redraw
from tests import environment
from tests.curation.test_dump import HEAD, PROSE, export, page
from tests.curation.test_ranking import wiki  # noqa: F401 - a fixture: the link tables of a small wiki

LOOSE = ("--min-chars=50", "--keep-duplicates", "--keep-boilerplate")


def curate(source, out, *options):
    call_command("curate", str(source), "--out", str(out), *options, *LOOSE)
    articles = [json.loads(line)["title"] for line in out.read_text().splitlines()]
    return articles, json.loads(out.with_suffix(".report.json").read_text())


@pytest.fixture
def dump(tmp_path):
    path = tmp_path / "dump.xml"
    path.write_bytes(export(page("A"), page("B's", number=2), page("C d", number=3)))
    return path


@pytest.mark.slow
def test_it_needs_no_site_no_database_and_no_setting(dump, tmp_path):
    bare = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    command = [sys.executable, "manage.py", "curate", dump, "--out", tmp_path / "out.jsonl", *LOOSE]
    run = subprocess.run(command, cwd=environment.ROOT, env=bare, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert "3 kept" in run.stdout
    # A command that signs what it makes still asks for the site's own key.
    command = [sys.executable, "manage.py", "create_project", "lakes", "--owner", "rosa", "--cap", "1"]
    run = subprocess.run(command, cwd=environment.ROOT, env=bare, capture_output=True, text=True, check=False)
    assert "Set the SECRET_KEY environment variable" in run.stderr


LISTS = {
    "pagerank of a csv": "title,pagerank\nA,0.1\nC_d,0.7\nB's,0.5\n",
    "nayuki": "-2.400\tC_d\n-3.200\tB's\n-5.100\tA\n",
    "addresses and scores": "http://en.wikipedia.org/wiki/C_d\t3.2E2\nhttp://en.wikipedia.org/wiki/B%27s\t3.1E1\n"
    "http://en.wikipedia.org/wiki/A\t0.15\n",
    "views of an hour": "de C_d 5 0\nen A 1 0\nen C_d 2 0\nen.m C_d 7 0\nen B's 3 0\n",
    "views of a day": "en.wikipedia C_d 1 desktop 5 A5\nen.wikipedia A 3 desktop 1 A1\nen.wikipedia B's 7 app 2 B2\n",
    "titles alone, with BOM and escapes": "\ufeffC%20d\r\nB%27s\r\nA\r\n",
}  # fmt: skip


@pytest.mark.parametrize("data", LISTS.values(), ids=LISTS)
def test_the_first_of_a_ranked_list_of_each_kind_are_read(dump, tmp_path, data):
    ranked = tmp_path / "ranked"
    ranked.write_text(data, encoding="utf-8", newline="")
    articles, report = curate(dump, tmp_path / "out.jsonl", f"--titles={ranked}", "--top=2", "--views-of=en.wikipedia")
    assert articles == ["B's", "C d"]  # in the order of the dump
    assert report["source"]["sample"]["titles"] == ["C d", "B's"]
    assert report["articles"]["dropped"]["not_asked_for"]["count"] == 1


def test_page_views_of_several_wikis_must_say_which_is_meant(dump, tmp_path):
    ranked = tmp_path / "ranked"
    ranked.write_text(LISTS["views of an hour"])
    with pytest.raises(CommandError, match=r"ranked: The page views are of 2 wikis; say which one is meant\."):
        curate(dump, tmp_path / "out.jsonl", f"--titles={ranked}")


def test_titles_are_ranked_from_link_tables_and_the_draw_can_be_repeated(dump, wiki, tmp_path):  # noqa: F811
    out = tmp_path / "out.jsonl"
    articles, report = curate(dump, out, f"--titles={wiki}", "--top=2")
    assert report["source"]["sample"]["titles"] == ["C d", "A"]
    assert articles == ["A", "C d"]
    record = read_record(tmp_path / "out.sample.json")
    assert redraw(record, wiki) == ["C d", "A"]
    # Page 2 is a disambiguation page to the wiki itself; nothing in its text says so.
    _articles, report = curate(dump, out, f"--titles={wiki}")
    assert report["articles"]["dropped"]["disambiguation"]["examples"][0]["title"] == "B's"


def test_wikidatas_items_become_titles_by_the_tables_of_the_wiki(dump, wiki, tmp_path):  # noqa: F811
    ranked = tmp_path / "allwiki.links.rank"
    ranked.write_text("Q30\t24818.6\nQ3\t320.1\nQ1\t31.5\nQ2\t0.15\n")
    out = tmp_path / "out.jsonl"
    articles, report = curate(dump, out, f"--titles={ranked}", f"--tables={wiki}", "--top=2")
    assert report["source"]["sample"]["titles"] == ["C d", "A"]  # Q30 has no article on this wiki
    assert articles == ["A", "C d"]
    assert redraw(read_record(tmp_path / "out.sample.json"), ranked, tables=wiki) == ["C d", "A"]
    with pytest.raises(CommandError, match=r"names items of Wikidata \(Q42\), not titles: name a folder .* --tables\."):
        curate(dump, out, f"--titles={ranked}")
    (wiki / "xwiki-20240501-page_props.sql.gz").unlink()
    with pytest.raises(CommandError, match="no dump of the table page_props"):
        curate(dump, out, f"--titles={ranked}", f"--tables={wiki}")


@pytest.fixture
def multistream(tmp_path):
    """A dump in blocks with its index; the block that nobody asks for is damaged."""
    blocks = [HEAD, page("A"), page("B", text="{{disambig}} " + PROSE, number=2), page("Lake", number=3, redirect="A")]
    packed = [bz2.compress(block.encode()) for block in blocks]
    packed[2] = packed[2][:20] + b"damaged" + packed[2][27:]
    starts = [sum(map(len, packed[:place])) for place in range(len(packed))]
    (tmp_path / "dump.xml.bz2").write_bytes(b"".join(packed))
    lines = [f"{starts[1]}:1:A", f"{starts[2]}:2:B", f"{starts[3]}:3:Lake"]
    (tmp_path / "index.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_only_the_blocks_of_a_multistream_dump_that_hold_the_titles_are_read(multistream, tmp_path):
    titles = tmp_path / "titles.txt"
    titles.write_text("Lake\nNo such lake\n")
    options = (f"--titles={titles}", f"--index={multistream / 'index.txt'}")
    articles, report = curate(multistream / "dump.xml.bz2", tmp_path / "out.jsonl", *options)
    assert articles == ["A"]
    dropped = {reason: entry["examples"][0]["title"] for reason, entry in report["articles"]["dropped"].items()}
    assert dropped == {"redirect": "Lake", "no_such_title": "No such lake"}
    assert report["source"]["index"]["name"] == "index.txt"
    # Read whole, the dump ends at its damaged block.
    articles, report = curate(multistream / "dump.xml.bz2", tmp_path / "out.jsonl")
    assert articles == ["A"]
    assert report["articles"]["dropped"]["unreadable"]["examples"][0]["detail"].startswith("The compressed file is da")


@pytest.mark.parametrize(
    ("source", "options", "sentence"),
    [
        ("dump.xml.bz2", ["--index=index.txt"], r"--index are about a list: name it with --titles\."),
        ("documents", ["--index=index.txt", "--titles=titles.txt"], r"--index is that of a multistream dump"),
        ("dump.xml.bz2", ["--index=nothing", "--titles=titles.txt"], r"nothing cannot be read: No such file"),
        ("dump.xml.bz2", ["--index=titles.txt", "--titles=titles.txt"], r"Line 1 of the index is not"),
        ("dump.xml.bz2", ["--titles=documents"], r"The folder holds no dump of the table page"),
    ],
)  # fmt: skip
def test_an_index_or_tables_that_will_not_do_are_told_in_one_sentence(
    multistream, monkeypatch, source, options, sentence
):
    monkeypatch.chdir(multistream)
    (multistream / "titles.txt").write_text("Lake\n")
    (multistream / "documents").mkdir()
    (multistream / "documents" / "lake.txt").write_text(PROSE)
    with pytest.raises(CommandError, match=sentence) as caught:
        call_command("curate", source, "--out", "out.jsonl", *options)
    assert "\n" not in str(caught.value)
    assert not (multistream / "out.jsonl").exists()
