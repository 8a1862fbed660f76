"""Telling a worker what a reviewer saw in their work: the words of the paragraph, and why."""

from __future__ import annotations

from accounts.models import User
from annotation.models import Assignment, Note, Project, Question
from annotation.note_words import REASONS
from annotation.services import notes
from reviewer.models import ReviewRules
from reviewer.services.verdicts import span_in


def send(
    assignment: Assignment,
    question: Question,
    user: User,
    *,
    reason: str = "",
    text: str = "",
    words: str = "",
    start: int | None = None,
    end: int | None = None,
    occurrence: int | None = None,
) -> Note:
    """Send the worker of ``assignment`` a note on ``question``, which they read before their next task.

    ``reason`` is a usual one by its short name, or one of the project's own in full; ``text`` is the reviewer's own
    words. The note is about ``[start, end)`` of the paragraph, which reads ``words``; about the place where ``words``
    stand, where they were typed (the ``occurrence``-th of several); or about no words. Raises notes.UnusableNote, and
    NoSuchSpan where the words are not there, or are there several times and nobody said which.
    """
    span = None
    if words.strip() or (start is not None and end is not None):
        span = span_in(question.paragraph.text, words, start, end, occurrence)
    if reason and reason not in REASONS and reason in own_reasons(assignment.task.project):
        reason, text = "", f"{reason} {text}"
    return notes.write(assignment, question, user, reason=reason, text=text, span=span)


def own_reasons(project: Project) -> list[str]:
    """The reasons of ``project`` that stand beside the usual ones."""
    return ReviewRules.objects.in_force(project).note_reasons


def sent_about(assignment: Assignment) -> list[Note]:
    """The notes on the questions of ``assignment`` to its worker, oldest first."""
    rows = Note.objects.filter(assignment=assignment).select_related("written_by", "reading", "question__paragraph")
    return list(rows.order_by("pk"))
