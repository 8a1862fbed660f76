"""Questions as flat rows: JSON Lines in the columns of the ``squad`` datasets, CSV, and tasks of Label Studio.

The columns are those of ``squad_v2`` in Hugging Face's ``datasets``: id, title, context, question and
``answers: {"text": [...], "answer_start": [...]}``, empty lists where the question cannot be answered; and
``is_impossible``, null where answers are held back.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from scoring.datasets import Article, Paragraph, Question

# A spreadsheet takes a cell that begins so for a formula (OWASP, CSV injection).
_FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n")
CSV_COLUMNS = ("id", "title", "context", "question", "answer_number", "answer", "answer_start", "is_impossible")


def json_rows(articles: Iterable[Article], *, without_answers: bool = False) -> Iterator[bytes]:
    """A line for each question: UTF-8 JSON."""
    for article, paragraph, question in _each(articles):
        answers = () if without_answers else question.answers
        row = {
            "id": question.id,
            "title": article.title,
            "context": paragraph.text,
            "question": question.text,
            "answers": {
                "text": [answer.text for answer in answers],
                "answer_start": [answer.start for answer in answers],
            },
            "is_impossible": None if without_answers else question.is_impossible,
        }
        yield _line(row)


def csv_rows(articles: Iterable[Article], *, without_answers: bool = False) -> Iterator[bytes]:
    """A head, then a line for each answer, or one for a question without. A cell that a spreadsheet would take for a
    formula begins with an apostrophe, which it does not show."""
    yield _csv_line(CSV_COLUMNS)
    for article, paragraph, question in _each(articles):
        texts = (question.id, article.title, paragraph.text, question.text)
        is_impossible = "" if without_answers else str(question.is_impossible).lower()
        answers = () if without_answers else question.answers
        for number, answer in enumerate(answers, start=1):
            yield _csv_line((*texts, str(number), answer.text, str(answer.start), is_impossible))
        if not answers:
            yield _csv_line((*texts, "", "", "", is_impossible))


def label_studio_chunks(articles: Iterable[Article], *, without_answers: bool = False) -> Iterator[bytes]:
    """A list of Label Studio's tasks, one a question: each answer is an annotation with a label ``Answer`` in the
    object ``text``. A question without answers has a task without annotations."""
    yield b"["
    for index, (article, paragraph, question) in enumerate(_each(articles)):
        answers = () if without_answers else question.answers
        results = (
            {
                "from_name": "answer",
                "to_name": "text",
                "type": "labels",
                "value": {"start": answer.start, "end": answer.end, "text": answer.text, "labels": ["Answer"]},
            }
            for answer in answers
        )
        data = {"id": question.id, "title": article.title, "text": paragraph.text, "question": question.text}
        task = {"data": data, "annotations": [{"result": [result]} for result in results]}
        yield (b"," if index else b"") + b"\n" + _line(task).rstrip(b"\n")
    yield b"\n]\n"


def _each(articles: Iterable[Article]) -> Iterator[tuple[Article, Paragraph, Question]]:
    for article in articles:
        for paragraph in article.paragraphs:
            for question in paragraph.questions:
                yield article, paragraph, question


def _line(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _csv_line(cells: Iterable[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(
        "'" + cell if cell.startswith(_FORMULA_BEGINS) else cell for cell in cells
    )
    return line.getvalue().encode()
