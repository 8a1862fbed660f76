"""Exports of MediaWiki wikis, whole and broken."""

import bz2
import gzip

import pytest

from curation.articles import Article, Reason
from curation.sources import Dump
from curation.titles import SampleRecord
from curation.wikipedia.reader import Rules, read_dump, read_multistream
from scoring.json_files import FileError

PROSE = "Tarn Velle is a mountain lake in the north of the [[Gell Hills]], fed by snow until late in June. " * 12


def page(title: str, text: str = PROSE, number: int = 1, redirect: str = "") -> str:
    leads = f'<redirect title="{redirect}" />' if redirect else ""
    return (
        f"<page><title>{title}</title><ns>0</ns><id>{number}</id>{leads}<revision><id>{number + 100}</id>"
        f"<timestamp>2024-05-01T00:00:00Z</timestamp><model>wikitext</model><text>{text}</text></revision></page>"
    )


HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en"><siteinfo>'
    "<sitename>Wikipedia</sitename><dbname>enwiki</dbname><base>https://en.wikipedia.org/wiki/Main_Page</base></siteinfo>"
)


def export(*pages: str, head: str = HEAD) -> bytes:
    return (head + "\n".join(pages) + "\n</mediawiki>").encode()


@pytest.fixture
def read(tmp_path):
    def read(data: bytes, name: str = "dump.xml", **options) -> list:
        (tmp_path / name).write_bytes(data)
        return list(read_dump(tmp_path / name, **options))

    return read


def test_an_article_says_where_it_came_from(read):
    (article,) = read(export(page("Tarn Velle")))
    assert article.source_url == "https://en.wikipedia.org/w/index.php?title=Tarn_Velle&oldid=101"
    assert (article.revision, article.language, article.licence) == ("101", "en", "CC BY-SA 4.0")
    assert article.attribution == (
        "“Tarn Velle” by the contributors of Wikipedia "
        "(https://en.wikipedia.org/w/index.php?title=Tarn_Velle&oldid=101), CC BY-SA 4.0"
    )
    assert article.passages[0].text.startswith("Tarn Velle is a mountain lake in the north of the Gell Hills, fed")


@pytest.mark.parametrize("name", ["dump.xml", "dump.xml.bz2", "dump.xml.gz"])
def test_a_dump_may_be_packed(read, name):
    pack = {"bz2": bz2.compress, "gz": gzip.compress}.get(name.rpartition(".")[2], bytes)
    assert [article.title for article in read(pack(export(page("A"), page("B", number=2))), name)] == ["A", "B"]


def test_of_a_history_from_special_export_the_last_revision_counts(read):
    """As Special:Export gives it: a head, the page, its revisions from the oldest, with who made them and why."""
    head = HEAD.replace("</siteinfo>", '<namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo>')
    revisions = "".join(
        f"<revision><id>{number}</id><parentid>{number - 1}</parentid><timestamp>2024-0{number}-01T00:00:00Z"
        "</timestamp><contributor><username>Rosa</username><id>7</id></contributor><comment>id 9</comment>"
        f'<model>wikitext</model><format>text/x-wiki</format><text bytes="9" xml:space="preserve">{text}</text>'
        "<sha1>x</sha1></revision>"
        for number, text in ((1, "Old."), (2, PROSE))
    )
    (article,) = read(export(f"<page><title>Tarn</title><ns>0</ns><id>5</id>{revisions}</page>", head=head))
    assert (article.revision, article.licence) == ("2", "CC BY-SA 4.0")
    assert article.passages[0].text.startswith("Tarn Velle is")


def test_a_head_that_is_missing_costs_nothing(read):
    head = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.3/">'
    given = read(export(page("A"), page("Talk:A"), head=head).replace(b"<ns>0</ns>", b""), "dewiki-2024.xml")
    assert [given[0].language, given[1].reason] == ["de", Reason.NOT_AN_ARTICLE]


@pytest.mark.parametrize("first", [0, 1])
def test_redirects_are_followed_wherever_they_stand(read, first):
    pages = [page("Lake", redirect="Tarn Velle"), page("Tarn Velle", number=2)]
    given = read(export(*(pages if first else pages[::-1])), titles=["lake", "Nowhere"])
    assert [item.title for item in given if isinstance(item, Article)] == ["Tarn Velle"]
    assert ("Nowhere", Reason.NO_SUCH_TITLE) in [(item.title, getattr(item, "reason", None)) for item in given]


@pytest.mark.parametrize(("title", "text", "reason"), [
    ("Velle", "{{disambig}} Velle may be: * a", Reason.DISAMBIGUATION),
    ("List of lakes", PROSE, Reason.LIST),
    ("Lakes", "Short.\n" + "* a lake\n" * 99, Reason.LIST),
    ("Tarn", "It is a lake.", Reason.STUB),
    ("Tarn", PROSE + "{{lake-stub}}", Reason.STUB),
    ("Tarn", PROSE * 2_000, Reason.TOO_LARGE),
])  # fmt: skip
def test_what_is_no_article_to_read_is_left_out_and_says_why(read, title, text, reason):
    assert [item.reason for item in read(export(page(title, text)))] == [reason]


def test_a_truncated_dump_keeps_what_was_read(read):
    whole = bz2.compress(export(page("A"))[: -len("\n</mediawiki>")]) + bz2.compress(page("B").encode())
    given = read(whole[:-20], "dump.xml.bz2")
    assert [item.title for item in given] == ["A", "dump.xml.bz2"]
    assert "truncated" in given[1].detail


def test_invalid_xml_names_the_line(read):
    given = read(export(page("A"), "<page><title>B</text>"))
    assert given[1].reason == Reason.UNREADABLE
    assert "line 2" in given[1].detail


@pytest.mark.parametrize("data", [b"", b"no xml", b"<html></html>", b"BZh9 no bz2", b"\x1f\x8b no gzip",
                                  b'<!DOCTYPE m [<!ENTITY a "b">]><mediawiki/>'])  # fmt: skip
def test_what_is_no_export_is_refused_in_a_sentence(read, data):
    with pytest.raises(FileError) as refused:
        read(data)
    assert str(refused.value).endswith(".")


def test_a_licence_that_is_given_counts(read):
    (article,) = read(export(page("A")), rules=Rules(licence="CC0"))
    assert article.licence == "CC0"


@pytest.fixture
def multistream(tmp_path):
    """A dump of three streams with its index; the redirect stands in the last."""
    streams = [HEAD, page("A") + page("B", number=2), page("AT&amp;T", number=3), page("Lake", number=4, redirect="B")]
    packed = [bz2.compress(stream.encode()) for stream in [*streams, "</mediawiki>"]]
    starts = [sum(map(len, packed[:index])) for index in range(len(packed))]
    lines = [f"{starts[1]}:1:A", f"{starts[1]}:2:B", f"{starts[2]}:3:AT&amp;T", f"{starts[3]}:4:Lake"]
    (tmp_path / "dump.xml.bz2").write_bytes(b"".join(packed))
    (tmp_path / "index.txt.bz2").write_bytes(bz2.compress("\n".join(lines).encode()))
    return tmp_path


def test_chosen_titles_are_read_by_the_index(multistream):
    given = list(read_multistream(multistream / "dump.xml.bz2", multistream / "index.txt.bz2", ["AT%26T", "Lake", "X"]))
    assert [(item.title, getattr(item, "reason", None)) for item in given] == [
        ("AT&T", None),
        ("Lake", Reason.REDIRECT),
        ("B", None),
        ("X", Reason.NO_SUCH_TITLE),
    ]


def test_a_multistream_dump_is_read_whole_as_well(multistream):
    given = list(read_dump(multistream / "dump.xml.bz2"))
    assert [item.title for item in given] == ["A", "B", "AT&T", "Lake"]


def test_an_index_of_another_dump_is_told(multistream):
    (multistream / "index.txt.bz2").write_bytes(b"7:1:A")
    given = list(read_multistream(multistream / "dump.xml.bz2", multistream / "index.txt.bz2", ["A"]))
    assert [item.reason for item in given] == [Reason.UNREADABLE, Reason.NO_SUCH_TITLE]
    (multistream / "index.txt.bz2").write_bytes(b"no index")
    with pytest.raises(FileError, match="Line 1"):
        list(read_multistream(multistream / "dump.xml.bz2", multistream / "index.txt.bz2", ["A"]))


@pytest.mark.parametrize("titles", [None, ["Old name"]], ids=["whole", "read again behind a redirect"])
def test_how_much_of_a_packed_dump_is_read_is_known_all_the_time(tmp_path, titles):
    path = tmp_path / "dump.xml.bz2"
    path.write_bytes(bz2.compress(export(page("Tarn Velle"), page("Old name", redirect="Tarn Velle"))))
    sample = titles and SampleRecord("list.txt", "0" * 64, "2026-01-01", 0, 1, 1, titles)
    source = Dump(path, sample=sample)
    assert (source.done_bytes, source.total_bytes) == (0, path.stat().st_size)
    assert [item.title for item in source.read() if isinstance(item, Article)] == ["Tarn Velle"]
    assert source.done_bytes == source.total_bytes
