"""Passages as JSON Lines: one article a line, errors with line and field."""

import gzip
import json

import pytest

from scoring.datasets import Article, Paragraph
from scoring.json_files import FileError
from scoring.passage_files import read_passages

MILL = {"title": "Mill", "paragraphs": ["  It burned  twice.", "The roof\u2028is slate."]}


def lines(*values):
    return "\n".join(json.dumps(value, ensure_ascii=False) for value in values).encode()


def test_articles_are_read_to_the_character():
    castle = {"title": "Castle", "paragraphs": [], "source_url": "https://example.org", "licence": "CC0"}
    expected = [
        Article("Mill", [Paragraph("  It burned  twice."), Paragraph("The roof\u2028is slate.")]),
        Article("Castle", [], source_url="https://example.org", licence="CC0"),
    ]
    assert read_passages(lines(MILL, castle)) == expected
    assert read_passages(gzip.compress(lines(MILL, castle) + b"\n")) == expected
    assert read_passages(b"\xef\xbb\xbf" + lines(MILL) + b"\r\n\r\n" + lines(castle)) == expected


def test_paragraphs_may_be_objects_with_their_section_and_articles_may_say_where_they_come_from():
    source = {
        "source_url": "https://example.org/mill",
        "licence": "CC BY-SA 4.0",
        "language": "en",
        "revision": "1234",
        "attribution": "The authors of Mill",
    }
    paragraphs = ["It burned.", {"text": "a\r\nb", "section": ["History", "Fire"]}, {"text": "c"}]
    (article,) = read_passages(lines({"title": "Mill", "paragraphs": paragraphs} | source))
    read = [Paragraph("It burned."), Paragraph("a\nb", section=("History", "Fire")), Paragraph("c")]
    assert article == Article("Mill", read, **source)
    (article,) = read_passages(lines({"title": "Mill", "paragraphs": [{"text": "c", "section": None}]}))
    assert article == Article("Mill", [Paragraph("c")])


def test_carriage_returns_inside_a_paragraph_become_line_feeds():
    (article,) = read_passages(lines({"title": "Mill", "paragraphs": ["a\r\nb\rc"]}))
    assert article.paragraphs == [Paragraph("a\nb\nc")]


@pytest.mark.parametrize(
    ("second_line", "sentence"),
    [
        (b'{"title": "x"', "The file is not JSON: line 2, column 14: Expecting ',' delimiter."),
        (b"[" * 200_000, "The file is nested too deeply to be read, from line 2 on."),
        (b"[]", "Line 2: the article must be an object, not a list."),
        (b'{"paragraphs": []}', "Line 2: title is missing."),
        (b'{"title": 7, "paragraphs": []}', "Line 2: title must be text, not a number."),
        (b'{"title": " ", "paragraphs": []}', "Line 2: title is empty."),
        (b'{"title": "x"}', "Line 2: paragraphs is missing."),
        (b'{"title": "x", "paragraphs": "text"}', "Line 2: paragraphs must be a list, not text."),
        (b'{"title": "x", "paragraphs": ["a", null]}', "Line 2: paragraphs[1] must be text, not null."),
        (
            b'{"title": "x", "paragraphs": ["a\\u0000"]}',
            "Line 2: paragraphs[0] holds a NUL character (U+0000, character 2), which cannot be stored.",
        ),
        (b'{"title": "x", "paragraphs": [{"section": []}]}', "Line 2: paragraphs[0].text is missing."),
        (b'{"title": "x", "paragraphs": [{"text": 1}]}', "Line 2: paragraphs[0].text must be text, not a number."),
        (
            b'{"title": "x", "paragraphs": [{"text": "a", "section": "b"}]}',
            "Line 2: paragraphs[0].section must be a list, not text.",
        ),
        (
            b'{"title": "x", "paragraphs": [{"text": "a", "section": ["b", 3]}]}',
            "Line 2: paragraphs[0].section[1] must be text, not a number.",
        ),
        (b'{"title": "x", "paragraphs": [], "revision": 7}', "Line 2: revision must be text, not a number."),
        (b'{"title": "x", "paragraphs": [], "source_url": 1}', "Line 2: source_url must be text, not a number."),
        (b'{"title": "x", "paragraphs": [], "licence": []}', "Line 2: licence must be text, not a list."),
    ],
)
def test_errors_name_the_line_and_the_field(second_line, sentence):
    with pytest.raises(FileError) as caught:
        read_passages(lines(MILL) + b"\n" + second_line)
    assert str(caught.value) == sentence
