"""What a review page shows of one assignment: its paragraphs with marks, its questions, and what speaks for and
against it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, FilteredRelation, Q, TextChoices
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import (
    Answer,
    Assignment,
    Paragraph,
    Question,
    QuestionSignals,
    Task,
    TaskParagraph,
    TaskQuestion,
    Verdict,
)
from reviewer.models import FoundSignal
from scoring.normalization import primary_subtag

from .marks import Mark, marked_text, pattern_of
from .people import display_name
from .signal_catalogue import Code
from .signals import in_words, sentence


class Place(TextChoices):
    """Where an answer lies, seen from another one."""

    SAME = "same", gettext_lazy("the same")
    OVERLAPS = "overlaps", gettext_lazy("overlaps")
    ELSEWHERE = "elsewhere", gettext_lazy("another place")


@dataclass(frozen=True)
class OtherAnswer:
    """Somebody else's answer to a question. ``place`` is where it lies, seen from the worker's own; None where one of
    the two marks nothing. ``label`` is its mark's in the paragraph, empty where it has none of its own."""

    by: str
    answer: Answer
    place: Place | None
    label: str = ""


@dataclass(frozen=True)
class Said:
    """A signal in words."""

    code: str
    label: str
    sentence: str
    speaks_for: bool


@dataclass(frozen=True)
class ReviewedQuestion:
    """A question that the worker wrote or answered. ``marks`` are its answers' in the paragraph, the worker's own
    first. ``verdict_on`` is what a drop would leave out: what this worker made; ``verdict`` is the latest on it.
    ``adjudication`` is the reviewer's answer that an export takes, and ``known`` what a gold check is held against.
    ``signals`` says how they worked on it; empty where nothing was noted."""

    number: int
    question: Question
    answer: Answer | None
    marks: Sequence[Mark]
    others: Sequence[OtherAnswer]
    is_gold: bool
    verdict_on: Question | Answer | None
    verdict: Verdict | None
    adjudication: Answer | None
    known: Sequence[Answer]
    said: Sequence[Said]
    signals: str

    @property
    def pattern(self) -> int:
        """The line style of its mark."""
        return pattern_of(self.number)

    @property
    def is_dropped(self) -> bool:
        return self.verdict is not None and self.verdict.decision == Verdict.Decision.DROP

    @property
    def seen_verdict(self) -> int:
        """The verdict that the page shows, by its key; 0 for none."""
        return self.verdict.pk if self.verdict is not None else 0

    @property
    def seen_adjudication(self) -> int:
        return self.adjudication.pk if self.adjudication is not None else 0

    @property
    def against(self) -> int:
        """How many signals speak against it."""
        return sum(not said.speaks_for for said in self.said)


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


@dataclass(frozen=True)
class Evidence:
    """All that a page shows of an assignment. ``said`` are the signals of the whole."""

    paragraphs: Sequence[ReviewedParagraph]
    said: Sequence[Said]
    verdicts: Sequence[Verdict]

    @property
    def questions(self) -> list[ReviewedQuestion]:
        return [question for paragraph in self.paragraphs for question in paragraph.questions]

    @property
    def active_seconds(self) -> int:
        return sum(paragraph.active_seconds or 0 for paragraph in self.paragraphs)


def evidence(assignment: Assignment, *, blind: bool = False) -> Evidence:
    """What there is to see of ``assignment``, its paragraphs in the order in which the worker saw them; with ``blind``
    nothing of what reviewers decided about it."""
    task_paragraphs = _paragraphs(assignment)
    rows = _Rows(assignment, _questions(assignment, task_paragraphs), blind)
    asked = sum(len(group) for group in rows.asked.values())
    reviewed, count = [], 0
    for task_paragraph in task_paragraphs:
        # Numbers run on through the paragraphs, so that a key finds each question of the page.
        group = rows.asked.get(task_paragraph.pk, [])
        shown = [rows.reviewed(number, *one) for number, one in enumerate(group, start=count + 1)]
        count += len(shown)
        share = 1 / len(task_paragraphs) if rows.is_writing else len(shown) / (asked or 1)
        reviewed.append(
            ReviewedParagraph(
                paragraph=task_paragraph.paragraph,
                text=marked_text(task_paragraph.paragraph.text, [mark for one in shown for mark in one.marks]),
                questions=shown,
                active_seconds=task_paragraph.active_seconds,
                paid_seconds=round(assignment.offer.paid_seconds * share),
                blocked_actions=task_paragraph.blocked_actions or 0,
                focus_losses=task_paragraph.focus_losses or 0,
            )
        )
    return Evidence(reviewed, rows.said[None], rows.verdicts)


def _paragraphs(assignment: Assignment) -> list[Any]:
    """The task's paragraphs in order, each with what its work on it counted; null where the page reported nothing."""
    rows = assignment.task.task_paragraphs.select_related("paragraph__article").order_by("position")
    rows = rows.annotate(work=FilteredRelation("works", condition=Q(works__assignment=assignment)))
    counted = {name: F(f"work__{name}") for name in ("active_seconds", "blocked_actions", "focus_losses")}
    return list(rows.annotate(**counted))


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


class _Rows:
    """The rows about an assignment's questions, fetched at once and put together question by question."""

    def __init__(self, assignment: Assignment, asked: dict[int, list[tuple[Question, bool]]], blind: bool) -> None:
        self.asked = asked
        self.is_writing = assignment.task.kind == Task.Kind.WRITE
        self.language = primary_subtag(assignment.task.project.language)
        ids = [question.pk for group in asked.values() for question, _is_gold in group]
        self.own, self.others, self.known = _answers(assignment, ids)
        if blind:
            self.others = {pk: [one for one in self.others[pk] if one.adjudicated_by is None] for pk in ids}
            ids = []
        about = Q(question__in=ids) | Q(answer__question__in=ids)
        self.verdicts = list(
            Verdict.objects.filter(about).select_related("decided_by", "question", "answer").order_by("pk")
        )
        self.signals = {one.question_id: one for one in QuestionSignals.objects.filter(assignment=assignment)}
        self.said: dict[int | None, list[Said]] = defaultdict(list)
        for found in FoundSignal.objects.filter(assignment=assignment).order_by("pk"):
            label = str(Code(found.signal).label)
            self.said[found.question_id].append(Said(found.signal, label, sentence(found), found.speaks_for))

    def reviewed(self, number: int, question: Question, is_gold: bool) -> ReviewedQuestion:
        """``question`` as the page shows it under ``number``."""
        answer = self.own.get(question.pk)
        verdict_on: Question | Answer | None = question if self.is_writing else answer
        adjudication = self._adjudication(question)
        others, marks = [], [*_marks(number, answer)]
        letters = iter("abcdefghijklmnopqrstuvwxyz")
        for other in self.others[question.pk]:
            if other.adjudicated_by is not None and other != adjudication:
                continue
            place = _place(other, answer)
            letter = "✓" if other == adjudication else next(letters, "+")
            own_mark = [] if place == Place.SAME else [*_marks(number, other, letter)]
            marks += own_mark
            label = own_mark[0].label if own_mark else ""
            others.append(OtherAnswer(_author(other, question), other, place, label))
        noted = self.signals.get(question.pk)
        return ReviewedQuestion(
            number=number,
            question=question,
            answer=answer,
            marks=marks,
            others=others,
            is_gold=is_gold,
            verdict_on=verdict_on,
            verdict=self._verdict(verdict_on),
            adjudication=adjudication,
            known=self.known[question.pk] if is_gold else [],
            said=self.said[question.pk],
            signals=in_words(noted, question.text if self.is_writing else "", self.language) if noted else "",
        )

    def _verdict(self, thing: Question | Answer | None) -> Verdict | None:
        """The latest verdict on ``thing``."""
        if thing is None:
            return None
        is_question = isinstance(thing, Question)
        given = [one for one in self.verdicts if (one.question_id if is_question else one.answer_id) == thing.pk]
        return given[-1] if given else None

    def _adjudication(self, question: Question) -> Answer | None:
        """The latest of the reviewers' own answers that was not taken back."""
        made = [answer for answer in self.others[question.pk] if answer.adjudicated_by is not None]
        standing = [
            answer
            for answer in made
            if (verdict := self._verdict(answer)) is None or verdict.decision == Verdict.Decision.KEEP
        ]
        return max(standing, key=lambda answer: answer.pk, default=None)


def _answers(
    assignment: Assignment, question_ids: list[int]
) -> tuple[dict[int, Answer], dict[int, list[Answer]], dict[int, list[Answer]]]:
    """The assignment's own answer to each question (by its id), everybody else's that was submitted, and the known
    ones of gold checks."""
    own: dict[int, Answer] = {}
    others: dict[int, list[Answer]] = defaultdict(list)
    known: dict[int, list[Answer]] = defaultdict(list)
    kept = Q(assignment__isnull=True) | Q(assignment__status__in=Assignment.LISTED)
    answers = Answer.objects.filter(kept, question__in=question_ids)
    for answer in answers.select_related("assignment__worker", "adjudicated_by").order_by("position", "pk"):
        if answer.assignment_id == assignment.pk:
            own[answer.question_id] = answer
        elif answer.is_gold and answer.adjudicated_by_id:
            known[answer.question_id].append(answer)
        elif not answer.is_gold:
            others[answer.question_id].append(answer)
    return own, others, known


def _marks(number: int, answer: Answer | None, letter: str = "") -> list[Mark]:
    if answer is None or answer.start is None or answer.end is None:
        return []
    return [Mark(number, answer.start, answer.end, letter)]


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
