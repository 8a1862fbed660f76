"""Notes from reviewers to workers, and that they were read. Rows are only ever added; the database refuses the rest."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.querysets import NoteQuerySet

from .projects import Project
from .questions import Question
from .work import Assignment, Worker

MOST_NOTE_CHARS = 1000


class Note(models.Model):
    """What a reviewer tells a worker about a question that they wrote or answered: a usual reason
    (``annotation.note_words``), words of their own, or both; and which words of the paragraph it is about.

    ``worker`` is the only tie to a person: the worker never learns who wrote it, and once their row is erased the text
    stays without them.
    """

    project = models.ForeignKey(Project, models.PROTECT, related_name="notes")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="notes")
    question = models.ForeignKey(Question, models.PROTECT, null=True, blank=True, related_name="notes")
    # The piece of work in which the worker wrote or answered the question.
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, blank=True, related_name="notes")
    # ``[start, end)`` of the paragraph's text in code points; both null where the note is about no words of it.
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=20, blank=True)
    text = models.CharField(_("in words"), max_length=MOST_NOTE_CHARS, blank=True)
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT)
    written_at = models.DateTimeField(auto_now_add=True)

    objects = NoteQuerySet.as_manager()

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        constraints = [
            models.CheckConstraint(name="a_note_says_something", condition=~Q(reason="", text="")),
            models.CheckConstraint(
                name="a_note_marks_words_or_none",
                condition=Q(start__isnull=True, end__isnull=True)
                | Q(start__isnull=False, end__isnull=False, question__isnull=False, start__lt=F("end")),
            ),
        ]
        indexes = [models.Index(fields=["worker", "project", "-id"], name="notes_to_a_worker")]

    def __str__(self) -> str:
        return self.text or self.reason

    @property
    def marked_words(self) -> str:
        """The words of the paragraph that it is about; empty where it is about none."""
        return self.question.paragraph.text[self.start : self.end] if self.question and self.end is not None else ""


class NoteReading(models.Model):
    """That the worker has seen a note, and on the page of which assignment."""

    note = models.OneToOneField(Note, models.PROTECT, related_name="reading")
    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="+")
    read_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("reading of a note")
        verbose_name_plural = _("readings of notes")

    def __str__(self) -> str:
        return f"{self.note}: {self.read_at:%Y-%m-%d %H:%M}"
