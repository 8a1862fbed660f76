"""SQuAD JSON out of articles, byte for byte the same for the same content."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from scoring.datasets import Article, Paragraph, Question
from scoring.spans import check_span

# What the official files say in "version".
VERSION_1_1 = "1.1"
VERSION_2_0 = "v2.0"


def squad_json(articles: Iterable[Article], version: str = VERSION_1_1) -> bytes:
    """A SQuAD file of ``articles``: UTF-8, compact, with a line end at its end. Raises as ``squad_chunks`` does."""
    return b"".join(squad_chunks(articles, version))


def squad_chunks(
    articles: Iterable[Article], version: str = VERSION_1_1, *, without_answers: bool = False
) -> Iterator[bytes]:
    """The bytes of ``squad_json``, an article at a time, so that ``articles`` may come from a database bit by bit.

    Version 2.0 has ``is_impossible`` in each question. ``without_answers`` gives each question an empty list of them
    and no mark, for the public file of a test whose answers are held back. Raises SpanError for an answer that does
    not stand at its start, and ValueError for an unanswerable question in 1.1, which has no place for it.
    """
    yield f'{{"version":{_compact(version)},"data":['.encode()
    for index, article in enumerate(articles):
        yield (("," if index else "") + _compact(_article(article, None if without_answers else version))).encode(
            "utf-8"
        )
    yield b"]}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _article(article: Article, version: str | None) -> dict[str, Any]:
    return {"title": article.title, "paragraphs": [_paragraph(paragraph, version) for paragraph in article.paragraphs]}


def _paragraph(paragraph: Paragraph, version: str | None) -> dict[str, Any]:
    return {
        "context": paragraph.text,
        "qas": [_question(question, paragraph.text, version) for question in paragraph.questions],
    }


def _question(question: Question, text: str, version: str | None) -> dict[str, Any]:
    if version is None:
        return {"id": question.id, "question": question.text, "answers": []}
    for answer in question.answers:
        check_span(text, answer.start, answer.end, answer.text)
    if version != VERSION_1_1:
        marks = {"is_impossible": question.is_impossible}
    elif question.answers:
        marks = {}
    else:
        raise ValueError(f"Question {question.id} has no answer, which a SQuAD 1.1 file cannot say.")
    return {
        "id": question.id,
        "question": question.text,
        "answers": [{"text": answer.text, "answer_start": answer.start} for answer in question.answers],
        **marks,
    }
