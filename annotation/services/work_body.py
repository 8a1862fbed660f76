"""The body that the work page sends, read by hand: it is the busiest request of all, and every refusal names its field.

A body is ``{"version": n, "paragraphs": [...]}``; each paragraph ``{"id", "active_seconds", "blocked_actions",
"questions"}``. When writing, a question is ``{"id": client UUID, "text": str, "answer": span or null}``; when
answering ``{"id": task question, "answer": span or null, "unanswerable": bool}``. A span is ``{"start", "end",
"text"}`` in code points of the paragraph's text. What a page may leave out: a paragraph's ``"focus_losses"``, and a
question's ``"signals"`` with the counts that ``QuestionSignals.COUNTED`` names. Fields that are not known are left out.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import QuestionSignals, Task
from annotation.services.quiz_notation import JUDGEMENTS, MOST_ITEMS, NONE

# All of these are far beyond honest work; they keep one page from filling the database.
MOST_BODY_BYTES = 1024 * 1024
MOST_QUESTION_CHARS = 1000
MOST_PARAGRAPHS = 200
MOST_QUESTIONS = 200  # a paragraph
MOST_COUNT = 1_000_000  # seconds or refused actions
MOST_TRIES = 10
MOST_VERSION = 2**31 - 1  # PostgreSQL's integer
MOST_ID = 2**63 - 1


class BadShape(Exception):
    """A body that is not of the agreed form; ``field`` says where, in the form ``paragraphs[0].questions[2].text``."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class TooLarge(BadShape):
    """A body beyond ``MOST_BODY_BYTES``."""


@dataclass(frozen=True, slots=True)
class WorkBody:
    """A body of the right form. ``paragraphs`` holds the known fields and nothing else, ready to be stored."""

    version: int
    paragraphs: list[dict[str, Any]]

    @property
    def content(self) -> dict[str, Any]:
        """What a draft stores."""
        return {"paragraphs": self.paragraphs}


@dataclass(frozen=True, slots=True)
class QuizBody:
    """What the page of a quiz sends: ``{"version": n, "try": n, "answers": [...]}``.

    An entry of ``answers`` is a judgement's code, a span, ``NONE`` for *cannot be answered*, or null for nothing yet.
    ``number`` is the try, which a draft leaves out.
    """

    version: int
    number: int
    answers: list[Any]

    @property
    def content(self) -> dict[str, Any]:
        """What a draft stores."""
        return {"answers": self.answers}


def parse_json(raw: bytes) -> Any:
    """The JSON value in ``raw``. Raises BadShape for what is not JSON, or is nested beyond all reason."""
    if len(raw) > MOST_BODY_BYTES:
        raise too_large()
    try:
        return json.loads(raw, parse_constant=_no_constant)
    except RecursionError as error:
        raise BadShape(_("The request is nested too deeply.")) from error
    except ValueError as error:
        raise BadShape(_("The request is not JSON in UTF-8.")) from error


def too_large() -> TooLarge:
    return TooLarge(
        _("The request is too large: at most %(most)s kB can be saved at once.") % {"most": MOST_BODY_BYTES // 1024}
    )


def read_body(data: Any, kind: str) -> WorkBody:
    """The body ``data``, for a task of ``kind``. Raises BadShape with the field that is wrong."""
    body = _object(data, "")
    version = _whole(body.get("version"), "version", MOST_VERSION, least=1)
    paragraphs: list[dict[str, Any]] = []
    for index, value in enumerate(_list(body.get("paragraphs"), "paragraphs", MOST_PARAGRAPHS)):
        paragraphs.append(_paragraph(value, f"paragraphs[{index}]", kind))
    _no_repeats(paragraphs, "paragraphs")
    _no_question_twice(paragraphs)
    return WorkBody(version, paragraphs)


def read_note_ids(data: Any) -> list[int]:
    """The notes that a page says were read, ``{"read": [id, ...]}``. Raises BadShape."""
    found = _list(_object(data, "").get("read"), "read", MOST_QUESTIONS)
    return [_whole(value, f"read[{place}]", MOST_ID, least=1) for place, value in enumerate(found)]


def read_quiz_body(data: Any) -> QuizBody:
    """The body ``data`` of a quiz. Raises BadShape with the field that is wrong."""
    body = _object(data, "")
    version = _whole(body.get("version"), "version", MOST_VERSION, least=1)
    number = _whole(body.get("try", 0), "try", MOST_TRIES)
    found = _list(body.get("answers"), "answers", MOST_ITEMS)
    return QuizBody(version, number, [_quiz_answer(one, f"answers[{place}]") for place, one in enumerate(found)])


def _quiz_answer(value: Any, field: str) -> Any:
    if value is None or isinstance(value, dict):
        return _span(value, field)
    code = _text(value, field)
    if code != NONE and code not in JUDGEMENTS:
        raise _wrong(_("a judgement, a span, or none"), field)
    return code


def check_most(body: WorkBody, paragraphs: int, questions: int, answer_chars: int) -> None:
    """Raises BadShape for a body with more than the task can have, which no page of ours sends.

    Bounds what a draft stores; whether its parts belong to the task is only looked at when it is finished.
    """
    _list(body.paragraphs, "paragraphs", paragraphs)
    for index, paragraph in enumerate(body.paragraphs):
        asked = _list(paragraph["questions"], f"paragraphs[{index}].questions", questions)
        for number, question in enumerate(asked):
            if question["answer"] and len(question["answer"]["text"]) > answer_chars:
                field = f"paragraphs[{index}].questions[{number}].answer.text"
                sentence = _("The field “%(field)s” is longer than the longest paragraph.")
                raise BadShape(sentence % {"field": field}, field)


def _paragraph(value: Any, field: str, kind: str) -> dict[str, Any]:
    paragraph = _object(value, field)
    read_question = _written if kind == Task.Kind.WRITE else _answered
    found = _list(paragraph.get("questions"), f"{field}.questions", MOST_QUESTIONS)
    questions = [read_question(question, f"{field}.questions[{index}]") for index, question in enumerate(found)]
    return {
        "id": _whole(paragraph.get("id"), f"{field}.id", MOST_ID, least=1),
        "active_seconds": _whole(paragraph.get("active_seconds"), f"{field}.active_seconds", MOST_COUNT),
        "blocked_actions": _whole(paragraph.get("blocked_actions"), f"{field}.blocked_actions", MOST_COUNT),
        "questions": questions,
        **_counts(paragraph, ["focus_losses"], field),
    }


def _written(value: Any, field: str) -> dict[str, Any]:
    question = _object(value, field)
    text = _text(question.get("text"), f"{field}.text")
    if len(text) > MOST_QUESTION_CHARS:
        raise BadShape(
            _("A question can have %(most)s characters; this one has %(length)s.")
            % {"most": MOST_QUESTION_CHARS, "length": len(text)},
            f"{field}.text",
        )
    return {
        "id": _client_id(question.get("id"), f"{field}.id"),
        "text": text,
        "answer": _span(question.get("answer"), f"{field}.answer"),
        **_signals(question, field),
    }


def _answered(value: Any, field: str) -> dict[str, Any]:
    question = _object(value, field)
    unanswerable = question.get("unanswerable", False)
    if not isinstance(unanswerable, bool):
        raise _wrong(_("true or false"), f"{field}.unanswerable")
    answer = _span(question.get("answer"), f"{field}.answer")
    if unanswerable and answer is not None:
        raise BadShape(_("A question cannot have an answer and be unanswerable."), f"{field}.unanswerable")
    return {
        "id": _whole(question.get("id"), f"{field}.id", MOST_ID, least=1),
        "answer": answer,
        "unanswerable": unanswerable,
        **_signals(question, field),
    }


def _signals(question: dict[str, Any], field: str) -> dict[str, Any]:
    """What the page counted on the question, where it sent anything."""
    if "signals" not in question:
        return {}
    place = f"{field}.signals"
    return {"signals": _counts(_object(question["signals"], place), QuestionSignals.COUNTED, place)}


def _counts(value: dict[str, Any], names: Iterable[str], field: str) -> dict[str, int]:
    """Those of the counts ``names`` that were sent."""
    return {name: _whole(value[name], f"{field}.{name}", MOST_COUNT) for name in names if name in value}


def _span(value: Any, field: str) -> dict[str, Any] | None:
    if value is None:
        return None
    span = _object(value, field)
    return {
        "start": _whole(span.get("start"), f"{field}.start", MOST_BODY_BYTES),
        "end": _whole(span.get("end"), f"{field}.end", MOST_BODY_BYTES),
        "text": _text(span.get("text"), f"{field}.text"),
    }


def _client_id(value: Any, field: str) -> str:
    try:
        return str(uuid.UUID(_text(value, field)))
    except ValueError as error:
        raise _wrong(_("a UUID"), field) from error


def _object(value: Any, field: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(_("an object"), field)
    return value


def _list(value: Any, field: str, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise _wrong(_("a list"), field)
    if len(value) > most:
        sentence = _("The field “%(field)s” has more than %(most)s entries.")
        raise BadShape(sentence % {"field": field, "most": most}, field)
    return value


def _whole(value: Any, field: str, most: int, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise _wrong(_("a whole number from %(least)s to %(most)s") % {"least": least, "most": most}, field)
    return value


def _text(value: Any, field: str) -> str:
    """``value`` if it is text that PostgreSQL can hold: no NUL, no half of a surrogate pair."""
    if not isinstance(value, str):
        raise _wrong(_("text"), field)
    if "\0" in value:
        raise BadShape(_("The field “%(field)s” holds a NUL character.") % {"field": field}, field)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadShape(_("The field “%(field)s” holds half a character.") % {"field": field}, field) from error
    return value


def _no_repeats(entries: list[dict[str, Any]], field: str) -> None:
    if len({entry["id"] for entry in entries}) < len(entries):
        raise BadShape(_("The field “%(field)s” holds one id twice.") % {"field": field}, field)


def _no_question_twice(paragraphs: list[dict[str, Any]]) -> None:
    """A question has one place in the whole of the work: its id tells it from all others."""
    seen = set()
    for index, paragraph in enumerate(paragraphs):
        for number, question in enumerate(paragraph["questions"]):
            if question["id"] in seen:
                field = f"paragraphs[{index}].questions[{number}].id"
                raise BadShape(_("The field “%(field)s” repeats another question's id.") % {"field": field}, field)
            seen.add(question["id"])


def _wrong(wanted: str, field: str) -> BadShape:
    if not field:
        return BadShape(_("The request must be %(wanted)s.") % {"wanted": wanted})
    return BadShape(_("The field “%(field)s” must be %(wanted)s.") % {"field": field, "wanted": wanted}, field)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
