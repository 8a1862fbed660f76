"""Second looks: asked for by a reviewer, or drawn for a share of what was reviewed. Rows are only ever added."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Question
from reviewer.querysets import SecondLookQuerySet


class SecondLook(models.Model):
    """That somebody else is to look at an assignment, or at one question of it.

    ``first`` is what the first reviewer had decided by then, the questions by their ids:
    ``{"assignment": "approve", "questions": {"17": "drop"}}``.
    """

    class Cause(models.TextChoices):
        ASKED = "asked", _("asked for")
        DRAWN = "drawn", _("drawn by chance")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        ANSWERED = "answered", _("answered")
        WITHDRAWN = "withdrawn", _("withdrawn")

    # Each move is a row: an opinion, or a withdrawal. The database lets a look end once, and only what was asked for be
    # withdrawn.
    MOVES: dict[str, set[str]] = {
        State.WAITING: {State.ANSWERED, State.WITHDRAWN},
        State.ANSWERED: set(),
        State.WITHDRAWN: set(),
    }

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="second_looks")
    question = models.ForeignKey(Question, models.PROTECT, null=True, blank=True, related_name="second_looks")
    cause = models.CharField(max_length=10, choices=Cause)
    note = models.CharField(_("what to look at"), max_length=1024, blank=True)
    first = models.JSONField(default=dict)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    # The act that it is part of, where many were asked about at once.
    act = models.ForeignKey(
        "reviewer.BulkAct", models.PROTECT, null=True, blank=True, editable=False, related_name="second_looks"
    )

    objects = SecondLookQuerySet.as_manager()

    class Meta:
        verbose_name = _("second look")
        verbose_name_plural = _("second looks")
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(cause="drawn"), name="a_second_look_is_drawn_once"
            )
        ]
        indexes = [models.Index(fields=["assignment", "id"], name="second_looks_of_work")]

    def __str__(self) -> str:
        return f"{self.assignment}: {self.get_cause_display()}"

    @property
    def state(self) -> str:
        """Where it stands, by its rows."""
        if hasattr(self, "opinion"):
            return self.State.ANSWERED
        return self.State.WITHDRAWN if hasattr(self, "withdrawal") else self.State.WAITING


class SecondOpinion(models.Model):
    """What the second reviewer found, in the form of ``SecondLook.first``. Its ``asked_by`` is a copy of the look's, so
    that the database keeps the two apart."""

    look = models.OneToOneField(SecondLook, models.PROTECT, related_name="opinion")
    labels = models.JSONField(default=dict)
    note = models.CharField(_("note"), max_length=1024, blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("second opinion")
        verbose_name_plural = _("second opinions")
        constraints = [
            models.CheckConstraint(name="a_second_opinion_is_anothers", condition=~Q(given_by=F("asked_by")))
        ]

    def __str__(self) -> str:
        return str(self.look)


class SecondLookWithdrawal(models.Model):
    """That a look which was asked for is wanted no more."""

    look = models.OneToOneField(SecondLook, models.PROTECT, related_name="withdrawal")
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    withdrawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("withdrawal of a second look")
        verbose_name_plural = _("withdrawals of second looks")

    def __str__(self) -> str:
        return str(self.look)
