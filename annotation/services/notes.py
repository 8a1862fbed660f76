"""Notes from reviewers to a worker: written by the room that reviews, read on the work page of their next task.

A work page knows its worker by the frame's address, as all of it does (``annotation.tokens``). So a page shows what was
noted about that worker in this project and nothing else, never who wrote it, and what was read is kept with the
assignment on whose page that was.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from annotation import tokens
from annotation.models import Answer, Assignment, Note, NoteReading, Question
from annotation.models.notes import MOST_NOTE_CHARS
from annotation.note_words import REASONS
from annotation.services.work import assignment_for

# Notes that one page holds, the newest first; more than one person reads before they begin.
MOST_SHOWN = 20
CONTROL = ("Cc", "Cs")  # Unicode's categories of control characters and of halves of surrogate pairs


class UnusableNote(ValueError):
    """A note that cannot be sent to a worker; the message says what is missing or wrong."""


@transaction.atomic
def write(
    assignment: Assignment,
    question: Question,
    user: User,
    *,
    reason: str = "",
    text: str = "",
    span: tuple[int, int] | None = None,
) -> Note:
    """Tell the worker of ``assignment`` something about ``question``, which they wrote or answered in it.

    ``reason`` is a short name of ``note_words.REASONS``, ``text`` their own words, and ``span`` the words of the
    paragraph that the note is about, ``[start, end)`` in code points. The same note again is the one that is there.
    Raises UnusableNote.
    """
    words = _checked(reason, text)
    if span is not None and not 0 <= span[0] < span[1] <= len(question.paragraph.text):
        raise UnusableNote(_("The marked words do not lie in the paragraph. Mark them again."))
    worker = assignment.worker
    if worker.erased_at is not None:
        raise UnusableNote(_("This worker's data has been erased: nobody would read the note."))
    start, end = span or (None, None)
    # Of two who send the same at once the second waits here, and finds it sent.
    list(Question.objects.select_for_update(no_key=True).filter(pk=question.pk).values_list("pk"))
    said = {"reason": reason, "text": words, "start": start, "end": end}
    of = {"project": assignment.task.project, "worker": worker, "question": question, "assignment": assignment}
    known = Note.objects.filter(**of, **said).first()
    return known or Note.objects.create(**of, **said, written_by=user)


def _checked(reason: str, text: str) -> str:
    """``text`` in one line. Raises UnusableNote."""
    if reason and reason not in REASONS:
        raise UnusableNote(_("There is no such reason. Choose one of the list, or write your own."))
    line = " ".join(text.split())
    if not (reason or line):
        raise UnusableNote(_("Choose a reason, or write what the worker should know."))
    if len(line) > MOST_NOTE_CHARS:
        sentence = _("The note has {count} characters; {most} are allowed. Shorten it.")
        raise UnusableNote(sentence.format(count=len(line), most=MOST_NOTE_CHARS))
    if any(unicodedata.category(character) in CONTROL for character in line):
        raise UnusableNote(_("The note holds characters that cannot be shown. Type it again."))
    return line


def in_words(note: Note) -> str:
    """What the worker reads, in the language that is in force."""
    return " ".join(part for part in (str(REASONS.get(note.reason, "")), note.text) if part)


def page_part(assignment: Assignment) -> list[dict[str, Any]]:
    """The notes to the worker of ``assignment`` in its project, as the work page holds them: the newest first.

    ``[{"id", "is_new", "written_at", "title", "text", "question", "answer": span | null, "unanswerable", "span": span |
    null, "words"}]``; a span is ``{"start", "end", "text"}`` in code points of ``text``, the paragraph's.
    """
    rows = Note.objects.filter(worker=assignment.worker_id, project=assignment.offer.task.project_id)
    rows = rows.select_related("question__paragraph__article", "reading").order_by("-pk")
    notes = list(rows[:MOST_SHOWN])
    answers: dict[tuple[int | None, int | None], Answer]
    answers = {(row.assignment_id, row.question_id): row for row in _answers_to(notes)}
    return [_shown(note, answers.get((note.assignment_id, note.question_id))) for note in notes]


def _answers_to(notes: list[Note]) -> Iterable[Answer]:
    """What the workers of ``notes`` answered to the questions that these are about."""
    about = [note for note in notes if note.question_id and note.assignment_id]
    if not about:
        return []
    questions, assignments = {note.question_id for note in about}, {note.assignment_id for note in about}
    return Answer.objects.filter(question__in=questions, assignment__in=assignments)


def _shown(note: Note, answer: Answer | None) -> dict[str, Any]:
    question = note.question
    paragraph = question.paragraph if question else None
    text = paragraph.text if paragraph else ""
    return {
        "id": note.pk,
        "is_new": getattr(note, "reading", None) is None,
        "written_at": note.written_at.isoformat(),
        "title": str(paragraph.article) if paragraph else "",
        "text": text,
        "question": question.text if question else "",
        "answer": _span(text, answer.start, answer.end) if answer else None,
        "unanswerable": answer is not None and answer.is_unanswerable,
        "span": _span(text, note.start, note.end),
        "words": in_words(note),
    }


def _span(text: str, start: int | None, end: int | None) -> dict[str, Any] | None:
    return None if start is None or end is None else {"start": start, "end": end, "text": text[start:end]}


@transaction.atomic
def mark_read(claims: tokens.Claims, ids: Iterable[int]) -> int:
    """Record that the worker of the page with ``claims`` has seen those of the notes ``ids`` that are theirs; return
    how many that is. Doing it twice is harmless. Raises TokenProblem."""
    assignment = assignment_for(claims)
    notes = Note.objects.filter(pk__in=list(ids), worker=assignment.worker_id, project=assignment.task.project_id)
    found = list(notes.order_by("pk").values_list("pk", flat=True))
    rows = [NoteReading(note_id=pk, assignment=assignment) for pk in found]
    NoteReading.objects.bulk_create(rows, ignore_conflicts=True)
    return len(found)
