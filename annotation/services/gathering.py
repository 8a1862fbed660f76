"""From what a work page sent to the rows of finished work, with a sentence for each thing that is missing or wrong."""

from __future__ import annotations

import uuid
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import (
    Answer,
    Article,
    Assignment,
    Paragraph,
    ParagraphWork,
    Question,
    QuestionSignals,
    Task,
    TaskParagraph,
    TaskQuestion,
)
from annotation.services.joins import Join
from scoring.characters import BLANKS
from scoring.copied_text import longest_copied_run
from scoring.spans import SpanError, check_span, is_mid_word, trim

_BLANKS = "".join(BLANKS)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why work is not finished: at which task paragraph and question (the page's own ids), in a sentence."""

    paragraph: int
    question: int | str | None
    message: str


@dataclass(slots=True)
class Gathered:
    """Unsaved rows of what is whole, and the problems of what is not."""

    questions: list[Question] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    paragraph_works: list[ParagraphWork] = field(default_factory=list)
    signals: list[QuestionSignals] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


PARAGRAPHS = Join(
    """
    FROM annotation_taskparagraph task_paragraph
    JOIN annotation_paragraph paragraph ON paragraph.id = task_paragraph.paragraph_id
    JOIN annotation_article article ON article.id = paragraph.article_id
    WHERE task_paragraph.task_id = %(task_id)s
    ORDER BY task_paragraph.position
    """,
    task_paragraph=(TaskParagraph, ["id", "task_id", "position", "paragraph_id"]),
    paragraph=(Paragraph, ["id", "article_id", "text"]),
    article=(Article, ["id", "title"]),
)


def paragraphs_of(task_id: int) -> list[TaskParagraph]:
    """The task's paragraphs in order, with their texts and the titles of their articles."""
    found = []
    for row in PARAGRAPHS.fetch(task_id=task_id):
        task_paragraph: TaskParagraph = row["task_paragraph"]
        task_paragraph.paragraph, task_paragraph.paragraph.article = row["paragraph"], row["article"]
        found.append(task_paragraph)
    return found


def gather(assignment: Assignment, paragraphs: list[dict[str, Any]]) -> Gathered:
    """The rows in ``paragraphs`` (the form of ``work_body.WorkBody``), for the task of ``assignment``."""
    held = {task_paragraph.pk: task_paragraph for task_paragraph in paragraphs_of(assignment.task_id)}
    sent = {paragraph["id"]: paragraph for paragraph in paragraphs}
    gathered = Gathered()
    for unknown in sent.keys() - held.keys():
        gathered.problems.append(Problem(unknown, None, _("This paragraph is no part of the task.")))
    if assignment.task.kind == Task.Kind.WRITE:
        for pk, task_paragraph in held.items():
            _gather_written(assignment, task_paragraph, sent.get(pk, {}).get("questions", []), gathered)
    else:
        asked = _questions_of(assignment)
        for pk, task_paragraph in held.items():
            _gather_answered(assignment, task_paragraph, asked[pk], sent.get(pk, {}).get("questions", []), gathered)
    gathered.paragraph_works = [
        ParagraphWork(
            assignment=assignment,
            task_paragraph=held[pk],
            active_seconds=paragraph["active_seconds"],
            blocked_actions=paragraph["blocked_actions"],
            focus_losses=paragraph.get("focus_losses", 0),
        )
        for pk, paragraph in sent.items()
        if pk in held
    ]
    return gathered


def _gather_written(
    assignment: Assignment, task_paragraph: TaskParagraph, sent: list[dict[str, Any]], gathered: Gathered
) -> None:
    project = assignment.task.project
    if len(sent) < project.min_questions:
        message = ngettext(
            "Write at least %(least)s question on this paragraph.",
            "Write at least %(least)s questions on this paragraph.",
            project.min_questions,
        )
        gathered.problems.append(Problem(task_paragraph.pk, None, message % {"least": project.min_questions}))
    if len(sent) > project.max_questions:
        message = ngettext(
            "Write at most %(most)s question on this paragraph.",
            "Write at most %(most)s questions on this paragraph.",
            project.max_questions,
        )
        gathered.problems.append(Problem(task_paragraph.pk, None, message % {"most": project.max_questions}))
    taken = {question.client_id for question in gathered.questions}
    for position, entry in enumerate(sent[: project.max_questions]):
        question = Question(
            project=project,
            paragraph=task_paragraph.paragraph,
            assignment=assignment,
            # Drafts have been stored in which two questions share an id; both are kept.
            client_id=str(uuid.uuid4()) if entry["id"] in taken else entry["id"],
            position=position,
            text=entry["text"].strip(_BLANKS),
        )
        try:
            if not question.text:
                raise _Unfit(_("Type the question."))
            answer = _answer(assignment, question, task_paragraph, entry)
        except _Unfit as unfit:
            gathered.problems.append(Problem(task_paragraph.pk, entry["id"], str(unfit)))
        else:
            taken.add(question.client_id)
            gathered.questions.append(question)
            gathered.answers.append(answer)
            copied = longest_copied_run(question.text, task_paragraph.paragraph.text) if "signals" in entry else 0
            _take_signals(assignment, question, entry, gathered, copied)


def _gather_answered(
    assignment: Assignment,
    task_paragraph: TaskParagraph,
    asked: list[TaskQuestion],
    sent: list[dict[str, Any]],
    gathered: Gathered,
) -> None:
    entries = {entry["id"]: entry for entry in sent}
    for unknown in entries.keys() - {task_question.pk for task_question in asked}:
        gathered.problems.append(Problem(task_paragraph.pk, unknown, _("This question is no part of the task.")))
    for task_question in asked:
        entry = entries.get(task_question.pk, {"answer": None, "unanswerable": False})
        try:
            if entry["unanswerable"]:
                answer = Answer(question=task_question.question, assignment=assignment)
            else:
                answer = _answer(assignment, task_question.question, task_paragraph, entry)
        except _Unfit as unfit:
            gathered.problems.append(Problem(task_paragraph.pk, task_question.pk, str(unfit)))
        else:
            answer.is_gold = task_question.purpose == TaskQuestion.Purpose.GOLD
            gathered.answers.append(answer)
            _take_signals(assignment, task_question.question, entry, gathered)


def _take_signals(
    assignment: Assignment, question: Question, entry: dict[str, Any], gathered: Gathered, copied_words: int = 0
) -> None:
    if "signals" in entry:
        signals = QuestionSignals(
            assignment=assignment, question=question, copied_words=copied_words, **entry["signals"]
        )
        gathered.signals.append(signals)


def _answer(assignment: Assignment, question: Question, task_paragraph: TaskParagraph, entry: dict[str, Any]) -> Answer:
    """The answer in ``entry``, checked against the paragraph's own text and trimmed of blanks at its edges."""
    span, text = entry["answer"], task_paragraph.paragraph.text
    if span is None:
        if assignment.task.kind == Task.Kind.WRITE:
            raise _Unfit(_("Mark the answer in the paragraph."))
        raise _Unfit(_("Mark the answer, or say that the paragraph has none."))
    try:
        check_span(text, span["start"], span["end"], span["text"])
    except SpanError as error:
        raise _Unfit(_(error.sentence.template).format(**error.sentence.values)) from error
    edges = trim(text, span["start"], span["end"])
    assert edges is not None  # noqa: S101 - check_span has refused blank spans
    start, end = edges
    return Answer(
        question=question,
        assignment=assignment,
        start=start,
        end=end,
        text=text[start:end],
        is_mid_word=is_mid_word(text, start, end),
    )


def _questions_of(assignment: Assignment) -> dict[int, list[TaskQuestion]]:
    """The questions that the task asks, in order, by task paragraph."""
    asked = defaultdict(list)
    rows = TaskQuestion.objects.filter(task_paragraph__task=assignment.task_id).select_related("question")
    for task_question in rows.order_by("task_paragraph__position", "position"):
        asked[task_question.task_paragraph_id].append(task_question)
    return asked


class _Unfit(Exception):
    """Something that cannot be stored as a question or an answer; ``str()`` says why."""
