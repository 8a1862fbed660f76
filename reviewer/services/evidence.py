"""What a review page shows of one assignment: its paragraphs with marks, its questions, and what speaks for and
against it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q, TextChoices
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import (
    Answer,
    Assignment,
    Paragraph,
    ParagraphWork,
    Question,
    QuestionSignals,
    Task,
    TaskParagraph,
    TaskQuestion,
    Verdict,
)

from .marks import Mark, marked_text, pattern_of
from .review import display_name
from .signals import in_words


class Place(TextChoices):
    """Where an answer lies, seen from another one."""

    SAME = "same", gettext_lazy("the same")
    OVERLAPS = "overlaps", gettext_lazy("overlaps")
    ELSEWHERE = "elsewhere", gettext_lazy("another place")


@dataclass(frozen=True)
class OtherAnswer:
    """Somebody else's answer to a question. ``place`` is where it lies, seen from the worker's own; None where one of
    the two marks nothing."""

    by: str
    answer: Answer
    place: Place | None


@dataclass(frozen=True)
class ReviewedQuestion:
    """A question that the worker wrote or answered. ``mark`` is its answer's in the paragraph, None where nothing is
    marked. ``verdict_on`` is what a drop would leave out: what this worker made. ``signals`` says how they worked on
    it; empty where nothing was noted."""

    number: int
    question: Question
    answer: Answer | None
    mark: Mark | None
    others: Sequence[OtherAnswer]
    is_gold: bool
    verdict_on: Question | Answer | None
    is_dropped: bool
    signals: str

    @property
    def pattern(self) -> int:
        """The line style of its mark."""
        return pattern_of(self.number)


@dataclass(frozen=True)
class ReviewedParagraph:
    """A paragraph of the task. ``active_seconds`` is None where the page reported nothing."""

    paragraph: Paragraph
    text: SafeString
    questions: Sequence[ReviewedQuestion]
    active_seconds: int | None
    paid_seconds: int
    blocked_actions: int
    focus_losses: int

    @property
    def has_signals(self) -> bool:
        return bool(self.focus_losses) or any(question.signals for question in self.questions)


def evidence(assignment: Assignment) -> list[ReviewedParagraph]:
    """The paragraphs of ``assignment`` in the order in which the worker saw them."""
    task_paragraphs = list(assignment.task.task_paragraphs.select_related("paragraph__article").order_by("position"))
    works = {work.task_paragraph_id: work for work in ParagraphWork.objects.filter(assignment=assignment)}
    by_paragraph = _reviewed(assignment, _questions(assignment, task_paragraphs))
    asked = sum(len(group) for group in by_paragraph.values())
    reviewed = []
    for task_paragraph in task_paragraphs:
        work = works.get(task_paragraph.pk)
        shown = by_paragraph.get(task_paragraph.pk, [])
        marks = [question.mark for question in shown if question.mark is not None]
        share = 1 / len(task_paragraphs) if assignment.task.kind == Task.Kind.WRITE else len(shown) / (asked or 1)
        reviewed.append(
            ReviewedParagraph(
                paragraph=task_paragraph.paragraph,
                text=marked_text(task_paragraph.paragraph.text, marks),
                questions=shown,
                active_seconds=work.active_seconds if work else None,
                paid_seconds=round(assignment.offer.paid_seconds * share),
                blocked_actions=work.blocked_actions if work else 0,
                focus_losses=work.focus_losses if work else 0,
            )
        )
    return reviewed


def _questions(
    assignment: Assignment, task_paragraphs: Sequence[TaskParagraph]
) -> dict[int, list[tuple[Question, bool]]]:
    """The questions of each task paragraph (by its id) in order, each with whether it is a gold one."""
    questions: dict[int, list[tuple[Question, bool]]] = defaultdict(list)
    if assignment.task.kind == Task.Kind.WRITE:
        places = {task_paragraph.paragraph_id: task_paragraph.pk for task_paragraph in task_paragraphs}
        for question in Question.objects.filter(assignment=assignment).order_by("position", "pk"):
            questions[places[question.paragraph_id]].append((question, False))
        return questions
    asked = TaskQuestion.objects.filter(task_paragraph__task=assignment.task_id).select_related("question")
    for task_question in asked.order_by("position"):
        is_gold = task_question.purpose == TaskQuestion.Purpose.GOLD
        questions[task_question.task_paragraph_id].append((task_question.question, is_gold))
    return questions


def _reviewed(
    assignment: Assignment, questions: dict[int, list[tuple[Question, bool]]]
) -> dict[int, list[ReviewedQuestion]]:
    ids = [question.pk for group in questions.values() for question, _is_gold in group]
    own, others = _answers(assignment, ids)
    writes = assignment.task.kind == Task.Kind.WRITE
    signals = {one.question_id: one for one in QuestionSignals.objects.filter(assignment=assignment)}
    dropped = _dropped("question", ids) if writes else _dropped("answer", [answer.pk for answer in own.values()])

    def reviewed(number: int, question: Question, is_gold: bool) -> ReviewedQuestion:
        answer = own.get(question.pk)
        verdict_on: Question | Answer | None = question if writes else answer
        return ReviewedQuestion(
            number=number,
            question=question,
            answer=answer,
            mark=_mark(number, answer),
            others=[
                OtherAnswer(_author(other, question), other, _place(other, answer)) for other in others[question.pk]
            ],
            is_gold=is_gold,
            verdict_on=verdict_on,
            is_dropped=verdict_on is not None and verdict_on.pk in dropped,
            signals=in_words(signals[question.pk], question.text if writes else "") if question.pk in signals else "",
        )

    return {
        place: [reviewed(number, question, is_gold) for number, (question, is_gold) in enumerate(group, start=1)]
        for place, group in questions.items()
    }


def _answers(assignment: Assignment, question_ids: list[int]) -> tuple[dict[int, Answer], dict[int, list[Answer]]]:
    """The assignment's own answer to each question (by its id), and everybody else's that was submitted."""
    own: dict[int, Answer] = {}
    others: dict[int, list[Answer]] = defaultdict(list)
    kept = Q(assignment__isnull=True) | Q(assignment__status__in=Assignment.LISTED)
    answers = Answer.objects.filter(kept, question__in=question_ids)
    for answer in answers.select_related("assignment__worker", "adjudicated_by").order_by("position", "pk"):
        if answer.assignment_id == assignment.pk:
            own[answer.question_id] = answer
        else:
            others[answer.question_id].append(answer)
    return own, others


def _mark(number: int, answer: Answer | None) -> Mark | None:
    if answer is None or answer.start is None or answer.end is None:
        return None
    return Mark(number, answer.start, answer.end)


def _dropped(what: str, ids: Iterable[int]) -> set[int]:
    """Those of ``ids`` whose latest verdict is *drop*."""
    verdicts = Verdict.objects.filter(**{f"{what}__in": list(ids)}).order_by("pk").values_list(what, "decision")
    return {pk for pk, decision in dict(verdicts).items() if decision == Verdict.Decision.DROP}


def _author(answer: Answer, question: Question) -> str:
    if answer.adjudicated_by is not None:
        return _("{name}, as reviewer").format(name=display_name(answer.adjudicated_by))
    if answer.assignment is None:
        return _("imported")
    if answer.assignment_id == question.assignment_id:
        return _("{worker}, the author").format(worker=answer.assignment.worker)
    return str(answer.assignment.worker)


def _place(other: Answer, own: Answer | None) -> Place | None:
    if own is None or own.start is None or own.end is None or other.start is None or other.end is None:
        return None
    if (other.start, other.end) == (own.start, own.end):
        return Place.SAME
    return Place.OVERLAPS if other.start < own.end and own.start < other.end else Place.ELSEWHERE
