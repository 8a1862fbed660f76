"""A live wiki, read through its API: politely, bounded, and from where a killed run was."""

import gzip
import json

import pytest
import requests
from django.core.management import CommandError, call_command

from curation.articles import Article, Reason
from curation.filters import FilterSettings
from curation.pipeline import curate
from curation.sources import Wiki
from curation.titles import SampleRecord, read_record
from curation.wikipedia import api
from curation.wikipedia.api import Api, WikiError
from curation.wikipedia.live import Asked, LiveWiki
from curation.wikipedia.reader import Rules
from scoring.json_files import FileError
from tests.curation.wiki_server import LAG, WikiServer

CONTACT = "lakes@example.org"
PROSE = "is a mountain lake in the north of the [[Gell Hills]], fed by snow until late in June. It freezes. " * 12


@pytest.fixture
def server():
    with WikiServer() as server:
        for number, title in enumerate(["Tarn Velle", "Amber Tarn", "Ørsted", "C", "Talk:C"], 1):
            server.wiki.texts[title] = (number * 10, f"'''{title}''' {PROSE}")
        server.wiki.redirects = {"Velle": "Old Velle", "Old Velle": "Tarn Velle"}
        yield server


@pytest.fixture
def wiki(server):
    return server.wiki


@pytest.fixture
def waits():
    return []


@pytest.fixture
def read(server, tmp_path, waits):
    def read(*titles, revisions=()):
        live = LiveWiki(Api(server.address, CONTACT, waits.append), Asked(titles, revisions), tmp_path / "kept")
        return [(item.title, getattr(item, "reason", None)) for item in live.read(Rules())]

    return read


def test_pages_are_read_in_the_order_asked_redirects_followed_and_missing_ones_named(read):
    asked = ["Nowhere", "Velle", "%C3%98rsted", "amber_Tarn", "Tarn Velle", "Talk:C", "A|B"]
    assert read(*asked) == [
        ("Nowhere", Reason.NO_SUCH_TITLE),
        ("Velle", Reason.REDIRECT),
        ("Old Velle", Reason.REDIRECT),
        ("Tarn Velle", None),  # once, though asked for by two names
        ("Ørsted", None),
        ("Amber Tarn", None),
        ("Talk:C", Reason.NOT_AN_ARTICLE),
        ("A|B", Reason.NO_SUCH_TITLE),
    ]


def test_redirects_that_lead_round_or_nowhere_come_to_an_end(read, wiki):
    wiki.redirects = {"A": "B", "B": "A", "D": "Nowhere"}
    assert [reason for _title, reason in read("A", "D")] == [
        *(Reason.REDIRECT, Reason.NO_SUCH_TITLE),
        *(Reason.REDIRECT, Reason.NO_SUCH_TITLE),
    ]


def test_an_article_says_where_it_came_from(server, tmp_path):
    live = LiveWiki(Api(server.address, CONTACT), Asked(["Tarn Velle"]), tmp_path / "kept")
    (article,) = live.read(Rules())
    assert isinstance(article, Article)
    assert article.source_url == "https://en.wikipedia.org/w/index.php?title=Tarn_Velle&oldid=10"
    assert (article.revision, article.language, article.licence) == ("10", "en", "CC BY-SA 4.0")
    assert article.passages[0].text.startswith("Tarn Velle is a mountain lake in the north of the Gell Hills, fed")


def test_the_licence_and_addresses_of_another_wiki_are_its_own(server, wiki, tmp_path):
    wiki.general |= {"base": "https://lakes.example/wiki/Start", "script": "/index.php", "sitename": "Lakes"}
    wiki.rights = {"url": "https://creativecommons.org/licenses/by/3.0/", "text": "CC"}
    (article,) = LiveWiki(Api(server.address, CONTACT), Asked(["C"]), tmp_path / "kept").read(Rules())
    assert article.licence == "CC BY 3.0"
    assert article.source_url == "https://lakes.example/index.php?title=C&oldid=40"
    assert "by the contributors of Lakes" in article.attribution


def test_revisions_are_read_as_they_were(read, wiki):
    wiki.hidden.add(20)
    assert read(revisions=["30", "999", "20"]) == [
        ("Ørsted", None),
        ("999", Reason.NO_SUCH_TITLE),
        ("20", Reason.UNREADABLE),
    ]


def test_what_the_wiki_marks_as_a_disambiguation_page_is_left_out(read, wiki):
    wiki.disambiguations.add("C")
    assert read("C", "Amber Tarn") == [("C", Reason.DISAMBIGUATION), ("Amber Tarn", None)]


def test_titles_are_asked_for_in_batches_and_answers_in_parts_are_put_together(read, wiki):
    titles = [f"Lake {number}" for number in range(45)]
    for number, title in enumerate(titles, 100):
        wiki.texts[title] = (number * 10, f"'''{title}''' {PROSE}")
    wiki.texts_an_answer = 8
    assert read(*titles) == [(title, None) for title in titles]
    asked = [request["titles"].count("|") + 1 for request in wiki.requests if "titles" in request]
    assert asked == [20] * 3 + [20] * 3 + [5]
    assert all(request["maxlag"] == "5" for request in wiki.requests)


def test_long_titles_make_short_batches():
    titles = [f"{number}{'湖' * 80}" for number in range(20)]
    batches = list(api.batches(titles))
    assert max(len("%7C".join(map(requests.utils.quote, batch))) for batch in batches) <= 6_000
    assert [title for batch in batches for title in batch] == titles


def test_the_wikis_operators_are_told_who_asks(read, wiki):
    read("C")
    (agent,) = wiki.agents
    assert agent.startswith("SpanwrightBot/")
    assert f"({CONTACT})" in agent


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(("fault", "seconds"), [
    ((200, JSON | {"Retry-After": "5", "X-Database-Lag": "6"}, json.dumps(LAG).encode()), 5),
    ((503, {"Retry-After": "7"}, b"<html>busy</html>"), 7),
    ((429, {}, b"Too many requests"), 1),
    ((500, JSON, b"{broken"), 1),
    ((200, JSON, json.dumps({"error": {"code": "ratelimited", "info": "Wait."}}).encode()), 1),
    ((503, {"Retry-After": "Mon, 01 Jan 2024 00:00:00 GMT"}, b""), 0),
    ((200, {"Content-Length": "100", "Connection": "close"}, b"{}"), 1),
])  # fmt: skip
def test_a_busy_wiki_is_waited_for_as_long_as_it_says(read, wiki, waits, fault, seconds):
    wiki.faults.append(fault)
    assert read("C") == [("C", None)]
    assert waits == [seconds]


def test_a_wiki_that_stays_busy_is_given_ever_more_time_and_then_up(read, wiki, waits):
    wiki.faults += [(503, {}, b"")] * api.TRIES
    with pytest.raises(
        WikiError, match=r"gave no answer after 8 tries. It is busy \(status 503\)\. The same command goes"
    ):
        read("C")
    assert waits == [1, 2, 4, 8, 16, 32, 64]
    wiki.faults += [(503, {"Retry-After": "86400"}, b"")]
    with pytest.raises(WikiError, match="after 1 tries"):  # a day is too long to wait for here
        read("C")


@pytest.mark.parametrize(("fault", "sentence"), [
    ((403, {}, b"Please set a user-agent"), r"does not let us in \(status 403\)"),
    ((404, {}, b"<html>"), r"it is no MediaWiki API \(status 404\)"),
    ((200, {"Content-Type": "text/html"}, b"<html>"), r"it is no MediaWiki API \(status 200\)"),
    ((200, JSON, b'{"error": {"code": "readapidenied", "info": "Log in."}}'), "readapidenied: Log in"),
    ((302, {"Location": "/w/api.php?meta=siteinfo"}, b""), None),
])  # fmt: skip
def test_an_answer_that_no_wiki_gives_is_told_in_a_sentence(read, wiki, waits, fault, sentence):
    wiki.faults += [fault]
    if sentence is None:
        assert read("C") == [("C", None)]
    else:
        with pytest.raises(WikiError, match=sentence) as refused:
            read("C")
        assert str(refused.value).endswith(".")
        assert "\n" not in str(refused.value)
    assert waits == []


def test_an_answer_without_an_end_is_cut_off(read, wiki, monkeypatch):
    monkeypatch.setattr(api, "MAX_ANSWER_BYTES", 2**20)
    bomb = gzip.compress(b" " * 2**24)
    wiki.faults.append((200, JSON | {"Content-Encoding": "gzip"}, bomb))
    with pytest.raises(WikiError, match="its answer is longer than 1,048,576 bytes"):
        read("C")


def test_a_wiki_that_is_not_there_is_tried_again_and_named(waits, tmp_path):
    with WikiServer() as server:
        address = server.address
    live = LiveWiki(Api(address, CONTACT, waits.append), Asked(["C"]), tmp_path / "kept")
    with pytest.raises(
        WikiError, match=rf"{address} gave no answer after 8 tries. It cannot be reached: ConnectionError"
    ):
        list(live.read(Rules()))


@pytest.mark.parametrize(("address", "contact"), [
    ("ftp://example.org", CONTACT), ("en.wikipedia.org", CONTACT), ("https://", CONTACT),
    ("https://example.org/w/api.php", ""), ("https://example.org/w/api.php", "me"),
    ("https://example.org/w/api.php", "a@b.org\r\nHost: x"),
])  # fmt: skip
def test_an_address_or_contact_that_will_not_do_is_refused_before_anything_is_sent(address, contact):
    with pytest.raises(WikiError) as refused:
        Api(address, contact)
    assert str(refused.value).endswith(".")


class Killed(Exception):
    pass


def source(server, tmp_path, titles):
    sample = SampleRecord("list", "0" * 64, "2026-11-30", 0, len(titles), len(titles), titles)
    return Wiki(Api(server.address, CONTACT), tmp_path / "out.jsonl.fetched", sample=sample)


LOOSE = FilterSettings(min_chars=10, check_boilerplate=False, duplicate_likeness=2, language="en")


def test_a_killed_run_asks_for_nothing_twice_and_reads_what_it_read(server, wiki, tmp_path):
    titles = [f"Lake {number}" for number in range(50)]
    for number, title in enumerate(titles, 100):
        wiki.texts[title] = (number * 10, f"'''{title}''' {PROSE}")

    def stop(standing):
        if standing.articles_read == 30:
            raise Killed

    out = tmp_path / "out.jsonl"
    with pytest.raises(Killed):
        curate(source(server, tmp_path, titles), out, LOOSE, stop)
    assert not out.exists()
    with open(tmp_path / "out.jsonl.fetched", "ab") as kept:
        kept.write(b'{"names": ["half a li')
    before = len(wiki.requests)
    wiki.texts["Lake 3"] = (1030, "Vandalized.")
    report = curate(source(server, tmp_path, titles), out, LOOSE)
    assert [request["titles"][:7] for request in wiki.requests[before:]] == ["Lake 40"]
    assert report["articles"] == {"read": 50, "kept": 50, "dropped": {}}
    assert report["source"]["name"] == "Wikipedia"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "out.report.json"]
    # The next run is a new one: it reads the wiki as it is now.
    report = curate(source(server, tmp_path, titles), out, LOOSE)
    assert report["articles"]["dropped"]["stub"]["examples"][0]["title"] == "Lake 3"


def test_a_file_that_cannot_be_kept_is_one_sentence(server, tmp_path):
    live = LiveWiki(Api(server.address, CONTACT), Asked(["C"]), tmp_path / "no" / "kept")
    with pytest.raises(FileError, match=r"kept cannot be written: No such file or directory\."):
        list(live.read(Rules()))


def test_the_command_reads_a_wiki_where_it_is_asked_to(server, wiki, tmp_path):
    titles, out = tmp_path / "titles.txt", tmp_path / "out.jsonl"
    titles.write_text("\ufeffVelle\r\nNowhere\r\n%C3%98rsted\r\n", encoding="utf-8")
    options = [
        "--wiki",
        server.address,
        "--contact",
        CONTACT,
        "--out",
        str(out),
        "--min-chars=100",
        "--keep-boilerplate",
        "--keep-duplicates",
    ]
    call_command("curate", *options, "--titles", str(titles))
    assert [json.loads(line)["title"] for line in out.read_text().splitlines()] == ["Tarn Velle", "Ørsted"]
    report = json.loads((tmp_path / "out.report.json").read_text())
    assert report["articles"]["dropped"]["no_such_title"]["examples"][0]["title"] == "Nowhere"
    assert read_record(tmp_path / "out.sample.json").titles == ["Velle", "Nowhere", "Ørsted"]
    ids = tmp_path / "ids.txt"
    ids.write_text("20\n\n40\n")
    call_command("curate", *options, "--revisions", str(ids))
    assert [json.loads(line)["revision"] for line in out.read_text().splitlines()] == ["20", "40"]


@pytest.mark.parametrize(("options", "sentence"), [
    (["--titles=titles.txt"], "Say how the wiki's operators can reach you"),
    (["--contact=a@b.org"], "Say which pages of the wiki"),
    (["--contact=a@b.org", "--titles=titles.txt", "--revisions=ids.txt"], "Say which pages of the wiki"),
    (["--contact=a@b.org", "--revisions=titles.txt"], r"titles\.txt: Line 1 is no revision's id: C\."),
    (["dump.xml", "--titles=titles.txt"], "name no SOURCE and no --index"),
])  # fmt: skip
def test_what_is_missing_for_a_wiki_is_told_before_it_is_asked(server, wiki, tmp_path, monkeypatch, options, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "titles.txt").write_text("C\n")
    (tmp_path / "ids.txt").write_text("20\n")
    with pytest.raises(CommandError, match=sentence):
        call_command("curate", "--wiki", server.address, "--out", "out.jsonl", *options)
    assert wiki.requests == []
    with pytest.raises(CommandError, match="Name a source"):
        call_command("curate", "--out", "out.jsonl")
