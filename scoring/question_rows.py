"""Questions as flat rows: JSON Lines in the columns of the ``squad`` datasets, CSV, and tasks of Label Studio.

The columns are those of ``squad_v2`` in Hugging Face's ``datasets``: id, title, context, question and
``answers: {"text": [...], "answer_start": [...]}``, empty lists where the question cannot be answered; and
``is_impossible``, null where answers are held back. Where workers are to be told apart, ``written_by`` and
``answered_by`` (one for each answer, in their order) name them, null for what no worker made.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from scoring.datasets import Article, Paragraph, Question

# A spreadsheet takes a cell that begins so for a formula (OWASP, CSV injection).
FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
CSV_COLUMNS = ("id", "title", "context", "question", "answer_number", "answer", "answer_start", "is_impossible")
WORKER_COLUMNS = ("written_by", "answered_by")
UNANSWERABLE = "Cannot be answered"
# The labeling interface of a project in Label Studio that takes the tasks in; it names what they refer to.
LABEL_STUDIO_CONFIG = f"""<View>
  <Header value="$title"/>
  <Header value="$question"/>
  <Labels name="answer" toName="text">
    <Label value="Answer"/>
  </Labels>
  <Text name="text" value="$text"/>
  <Choices name="answerable" toName="text">
    <Choice value="{UNANSWERABLE}"/>
  </Choices>
</View>
"""


def rows(
    articles: Iterable[Article], *, without_answers: bool = False, with_workers: bool = False
) -> Iterator[dict[str, Any]]:
    """A row for each question."""
    for article, paragraph, question in _each(articles):
        answers = () if without_answers else question.answers
        row: dict[str, Any] = {
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
        if with_workers:
            row |= _workers(question, without_answers)
        yield row


def json_rows(
    articles: Iterable[Article], *, without_answers: bool = False, with_workers: bool = False
) -> Iterator[bytes]:
    """A line for each of ``rows``: UTF-8 JSON."""
    return map(_line, rows(articles, without_answers=without_answers, with_workers=with_workers))


def csv_rows(
    articles: Iterable[Article], *, without_answers: bool = False, with_workers: bool = False
) -> Iterator[bytes]:
    """A head, then a line for each answer, or one for a question without. A cell that a spreadsheet would take for a
    formula begins with an apostrophe, which it does not show."""
    yield _csv_line((*CSV_COLUMNS, *(WORKER_COLUMNS if with_workers else ())))
    for article, paragraph, question in _each(articles):
        texts = (question.id, article.title, paragraph.text, question.text)
        is_impossible = "" if without_answers else str(question.is_impossible).lower()
        answers = () if without_answers else question.answers
        given = [(str(number), answer.text, str(answer.start)) for number, answer in enumerate(answers, start=1)]
        for index, cells in enumerate(given or [("", "", "")]):
            workers = (question.written_by, question.answered_by[index] if given else None) if with_workers else ()
            yield _csv_line((*texts, *cells, is_impossible, *(worker or "" for worker in workers)))


def label_studio_chunks(
    articles: Iterable[Article], *, without_answers: bool = False, with_workers: bool = False
) -> Iterator[bytes]:
    """A list of Label Studio's tasks, one a question, for ``LABEL_STUDIO_CONFIG``: each answer is an annotation with a
    label ``Answer`` in the object ``text``, and so is that there is none, with a choice. A question whose answers are
    held back has a task without annotations. Offsets are code points, which Label Studio counts in too."""
    yield b"["
    for index, (article, paragraph, question) in enumerate(_each(articles)):
        results = [] if without_answers else _results(question)
        data: dict[str, Any] = {
            "id": question.id,
            "title": article.title,
            "text": paragraph.text,
            "question": question.text,
        }
        if with_workers:
            data |= _workers(question, without_answers)
        task = {"data": data, "annotations": [{"result": [result | {"to_name": "text"}]} for result in results]}
        yield (b"," if index else b"") + b"\n" + _line(task).rstrip(b"\n")
    yield b"\n]\n"


def _results(question: Question) -> list[dict[str, Any]]:
    """What each annotation of ``question`` says."""
    if question.is_impossible:
        return [{"id": "1", "from_name": "answerable", "type": "choices", "value": {"choices": [UNANSWERABLE]}}]
    values = [{"start": one.start, "end": one.end, "text": one.text, "labels": ["Answer"]} for one in question.answers]
    return [
        {"id": str(number), "from_name": "answer", "type": "labels", "value": value}
        for number, value in enumerate(values, start=1)
    ]


def _each(articles: Iterable[Article]) -> Iterator[tuple[Article, Paragraph, Question]]:
    for article in articles:
        for paragraph in article.paragraphs:
            for question in paragraph.questions:
                yield article, paragraph, question


def _workers(question: Question, without_answers: bool) -> dict[str, Any]:
    return {
        "written_by": question.written_by,
        "answered_by": [] if without_answers else list(question.answered_by),
    }


def _line(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _csv_line(cells: Iterable[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(
        "'" + cell if cell.startswith(FORMULA_BEGINS) else cell for cell in cells
    )
    return line.getvalue().encode()
