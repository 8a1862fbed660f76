"""Questions, answers, and the decisions about them. A decision is a row that refers to them; it never edits them."""

import uuid

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Deferrable, F, Q
from django.utils.translation import gettext_lazy as _

from annotation.querysets import AnswerQuerySet, QuestionQuerySet

from .passages import Import, Paragraph
from .projects import Project
from .work import Assignment


def new_public_id() -> str:
    """A question id of 24 hexadecimal digits, the form that SQuAD's files have."""
    return uuid.uuid4().hex[:24]


def exactly_one(*fields: str) -> Q:
    """The condition that one of ``fields`` is set and the others are null."""
    condition = Q()
    for chosen in fields:
        condition |= Q(**{f"{field}__isnull": field != chosen for field in fields})
    return condition


class Question(models.Model):
    """A question about a paragraph. It came from an assignment or from an import."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="questions")
    paragraph = models.ForeignKey(Paragraph, models.PROTECT, related_name="questions")
    public_id = models.CharField(max_length=100, default=new_public_id, editable=False)
    text = models.TextField(_("question"))
    position = models.PositiveSmallIntegerField(default=0)  # within its paragraph and source
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, blank=True, related_name="questions")
    imported_from = models.ForeignKey(Import, models.PROTECT, null=True, blank=True, related_name="questions")
    # Made by the page, so that a repeated submit stores nothing twice.
    client_id = models.UUIDField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = QuestionQuerySet.as_manager()

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        constraints = [
            models.UniqueConstraint(fields=["project", "public_id"], name="a_question_id_once_per_project"),
            models.UniqueConstraint(fields=["assignment", "client_id"], name="a_question_once_per_assignment"),
            models.CheckConstraint(
                name="question_has_one_source", condition=exactly_one("assignment", "imported_from")
            ),
            models.CheckConstraint(name="question_is_not_empty", condition=~Q(text="")),
        ]

    def __str__(self) -> str:
        return self.text


class Answer(models.Model):
    """One answer to one question: a span with ``paragraph.text[start:end] == text``, or unanswerable (all three null).

    ``position`` orders the counting answers of a question: its author's first, then by time of submission; it is
    null until the answer is imported or approved. An adjudication is a reviewer's own answer and has none.
    """

    question = models.ForeignKey(Question, models.PROTECT, related_name="answers")
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, blank=True, related_name="answers")
    imported_from = models.ForeignKey(Import, models.PROTECT, null=True, blank=True, related_name="answers")
    adjudicated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="adjudications"
    )
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    text = models.TextField(null=True, blank=True)  # noqa: DJ001 - null says "unanswerable"; the constraint rules "" out
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    # A gold answer checks the worker; it never enters agreement or export.
    is_gold = models.BooleanField(default=False)
    # An edge stands inside a word; listed for review.
    is_mid_word = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = AnswerQuerySet.as_manager()

    class Meta:
        verbose_name = _("answer")
        verbose_name_plural = _("answers")
        constraints = [
            models.CheckConstraint(  # a CHECK passes on NULL: rule each null out
                name="span_or_unanswerable",
                condition=Q(start__isnull=False, end__isnull=False, text__isnull=False, start__lt=F("end"))
                & ~Q(text="")
                | Q(start__isnull=True, end__isnull=True, text__isnull=True),
            ),
            models.CheckConstraint(
                name="answer_has_one_source", condition=exactly_one("assignment", "imported_from", "adjudicated_by")
            ),
            models.CheckConstraint(
                name="only_real_answers_have_a_position",
                condition=Q(position__isnull=True) | Q(adjudicated_by__isnull=True, is_gold=False),
            ),
            models.UniqueConstraint(fields=["assignment", "question"], name="one_answer_per_assignment"),
            models.UniqueConstraint(
                fields=["question", "position"],
                name="one_answer_per_position",
                deferrable=Deferrable.DEFERRED,  # an earlier submission approved later moves the others
            ),
        ]

    def __str__(self) -> str:
        return self.text if self.text is not None else str(_("cannot be answered"))

    @property
    def is_unanswerable(self) -> bool:
        return self.text is None

    def clean(self) -> None:
        """Refuse a span that is not the paragraph's own text."""
        if self.text is not None and self.question.paragraph.text[self.start : self.end] != self.text:
            raise ValidationError(_("The answer does not stand at its place in the paragraph."))


class Verdict(models.Model):
    """A reviewer's decision that a question or an answer stays in the data or is left out. The latest one stands."""

    class Decision(models.TextChoices):
        KEEP = "keep", _("keep")
        DROP = "drop", _("drop")

    question = models.ForeignKey(Question, models.PROTECT, null=True, blank=True, related_name="verdicts")
    answer = models.ForeignKey(Answer, models.PROTECT, null=True, blank=True, related_name="verdicts")
    decision = models.CharField(max_length=4, choices=Decision)
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT)
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.CheckConstraint(name="verdict_on_one_thing", condition=exactly_one("question", "answer"))]

    def __str__(self) -> str:
        return f"{self.get_decision_display()}: {self.question or self.answer}"
