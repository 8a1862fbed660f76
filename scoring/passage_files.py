"""Passages as JSON Lines: one article a line, ``{"title", "paragraphs": [text or {"text", "section"}, ...]}`` and,
where known, ``source_url``, ``licence``, ``language``, ``revision``, ``attribution`` and ``topic``."""

from typing import Any

from scoring.characters import is_blank
from scoring.datasets import Article, Paragraph
from scoring.json_files import (
    MAX_BYTES,
    FileError,
    list_at,
    object_at,
    optional_text_at,
    parse_json,
    read_text,
    storable,
    text_at,
)
from scoring.line_ends import lf
from scoring.sentences import _

# What a file may say of an article and its source, each a text.
PROVENANCE = ("source_url", "licence", "language", "revision", "attribution", "topic")


def read_passages(data: bytes, max_bytes: int = MAX_BYTES) -> list[Article]:
    """The articles of a JSON Lines file (plain or .gz), paragraphs to the character but for line ends, which become
    LF. All but ``title`` and ``paragraphs`` may be left out; lines that hold nothing are passed over.

    Raises FileError with the line and the field.
    """
    # Only LF ends a line here: str.splitlines would also cut at characters that may stand inside a JSON string.
    lines = enumerate(read_text(data, max_bytes).split("\n"), start=1)
    return [article_of_line(line, number) for number, line in lines if not is_blank(line)]


def article_of_line(line: str, number: int) -> Article:
    """The article of one ``line``, which is not blank; ``number`` (from 1) is its place. Raises FileError."""
    value = parse_json(line, first_line=number)
    try:
        return article_of(object_at(value, "the article"))
    except FileError as error:
        raise FileError(_("Line {line}: {problem}", line=number, problem=error.sentence)) from None


def article_of(fields: dict[str, Any]) -> Article:
    """The article that the object ``fields`` holds. Raises FileError with the field."""
    title = text_at(fields, "title", "")
    if is_blank(title):
        raise FileError(_("{place} is empty.", place="title"))
    paragraphs = [
        _paragraph(value, f"paragraphs[{index}]") for index, value in enumerate(list_at(fields, "paragraphs", ""))
    ]
    return Article(title, paragraphs, **{name: optional_text_at(fields, name, "") for name in PROVENANCE})


def _paragraph(value: Any, place: str) -> Paragraph:
    if not isinstance(value, dict):
        return Paragraph(lf(storable(value, place)))
    headings = [] if value.get("section") is None else list_at(value, "section", place)
    section = [storable(heading, f"{place}.section[{index}]") for index, heading in enumerate(headings)]
    return Paragraph(lf(text_at(value, "text", place)), section=tuple(section))
