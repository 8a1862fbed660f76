"""JSON Lines, one article a line: our own format of passages, or any objects with a text field."""

import json
from collections.abc import Iterator
from typing import Any

from curation.articles import Article, Drop, Passage, Read, Reason
from curation.documents.files import SourceFile
from curation.documents.plain_text import passages_of_text
from curation.documents.streams import lines_of
from scoring.characters import is_blank
from scoring.json_files import FileError, object_at, optional_text_at, parse_json, text_at
from scoring.line_ends import lf
from scoring.passage_files import PROVENANCE, article_of
from scoring.sentences import _

# What other people's files call an article's title, source, licence, language and version; the first that is there.
_NAMES = {
    "source_url": ("source_url", "url"),
    "licence": ("licence", "license"),
    "language": ("language", "lang"),
    "revision": ("revision", "revid", "version"),
    "attribution": ("attribution",),
    "topic": ("topic",),
}


def read_json_lines(file: SourceFile, text_field: str, title_field: str) -> Read:
    """The articles of ``file``; a line that cannot be read is a drop, and the next goes on. Raises FileError where the
    file is no UTF-8 or too large."""
    file.encoding = "utf-8"
    for number, line in lines_of(file):
        if not is_blank(line):
            yield article_of_line(line, number, file, text_field, title_field)


def article_of_line(line: str, number: int, file: SourceFile, text_field: str, title_field: str) -> Article | Drop:
    """The article of the JSON object ``line``, line ``number`` (from 1) of ``file``."""
    try:
        fields = object_at(parse_json(line, first_line=number), "the article")
        return _article(fields, f"{file.stem} {number}", text_field, title_field)
    except FileError as error:
        sentence = _("Line {line}: {problem}", line=number, problem=error.sentence)
        return Drop(file.name, Reason.UNREADABLE, detail=sentence, example=line[:_EXAMPLE_CHARS])


def looks_like_json_lines(beginning: str) -> bool:
    """Whether a JSON file that begins so holds an article in its first line, and is no SQuAD file."""
    first = next((line for line in beginning.split("\n") if not is_blank(line)), "")
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "data" not in value


_EXAMPLE_CHARS = 200


def _article(fields: dict[str, Any], untitled: str, text_field: str, title_field: str) -> Article:
    if "paragraphs" in fields and text_field not in fields:
        own = article_of(fields)
        passages = [Passage(paragraph.text.strip(), tuple(paragraph.section)) for paragraph in own.paragraphs]
        return Article(own.title, passages, **{name: getattr(own, name) for name in PROVENANCE})
    text = lf(text_at(fields, text_field, ""))
    title = "" if fields.get(title_field) is None else _scalar(fields, title_field)
    stated = dict(_stated(fields))
    return Article(untitled if is_blank(title) else title.strip(), passages_of_text(text), **stated)


def _stated(fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, theirs in _NAMES.items():
        key = next((key for key in theirs if fields.get(key) is not None), None)
        if key is not None:
            yield name, _scalar(fields, key)


def _scalar(fields: dict[str, Any], key: str) -> str:
    """A text, or a whole number as one: other people's versions and titles are often numbers."""
    value = fields[key]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return optional_text_at(fields, key, "")
