"""Passages as JSON Lines: one article a line, ``{"title", "paragraphs": [text, ...], "source_url", "licence"}``."""

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


def read_passages(data: bytes, max_bytes: int = MAX_BYTES) -> list[Article]:
    """The articles of a JSON Lines file (plain or .gz), paragraphs to the character but for line ends, which become
    LF. ``source_url`` and ``licence`` may be left out; lines that hold nothing are passed over.

    Raises FileError with the line and the field.
    """
    # Only LF ends a line here: str.splitlines would also cut at characters that may stand inside a JSON string.
    lines = enumerate(read_text(data, max_bytes).split("\n"), start=1)
    return [_article_of_line(line, number) for number, line in lines if not is_blank(line)]


def _article_of_line(line: str, number: int) -> Article:
    value = parse_json(line, first_line=number)
    try:
        return _article(object_at(value, "the article"))
    except FileError as error:
        raise FileError(_("Line {line}: {problem}", line=number, problem=error.sentence)) from None


def _article(fields: dict[str, Any]) -> Article:
    title = text_at(fields, "title", "")
    if is_blank(title):
        raise FileError(_("{place} is empty.", place="title"))
    paragraphs = [
        Paragraph(lf(storable(text, f"paragraphs[{index}]")))
        for index, text in enumerate(list_at(fields, "paragraphs", ""))
    ]
    return Article(
        title,
        paragraphs,
        source_url=optional_text_at(fields, "source_url", ""),
        licence=optional_text_at(fields, "licence", ""),
    )
