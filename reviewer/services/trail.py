"""Who decided what about a piece of work, and when: its rows put in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from annotation.models import Note, Verdict
from annotation.services.notes import in_words
from hits.models import AssignmentDecision
from reviewer.models import SecondLook
from reviewer.services.evidence import Evidence
from reviewer.services.people import display_name


@dataclass(frozen=True)
class Event:
    """One entry of the trail."""

    at: datetime
    by: str
    sentence: str


def trail(
    evidence: Evidence,
    decisions: Sequence[AssignmentDecision],
    second_looks: Sequence[SecondLook],
    notes: Sequence[Note],
) -> list[Event]:
    """All that was decided, oldest first."""
    events = []
    for decision in decisions:
        asked = _("approved") if decision.kind == AssignmentDecision.Kind.APPROVE else _("rejected: {reason}")
        sentence = asked.format(reason=decision.feedback)
        events.append(Event(decision.asked_at, display_name(decision.asked_by), sentence))
        if decision.withdrawn_by is not None and decision.done_at is not None:
            events.append(Event(decision.done_at, display_name(decision.withdrawn_by), _("took that back")))
    for verdict in evidence.verdicts:
        about = f"“{verdict.question or verdict.answer}”"
        said = _("kept {about}") if verdict.decision == Verdict.Decision.KEEP else _("left {about} out of the data")
        events.append(Event(verdict.decided_at, display_name(verdict.decided_by), said.format(about=about)))
    for question in evidence.questions:
        for other in question.others:
            if other.answer.adjudicated_by is not None:
                sentence = _("set the answer to {number} right: “{answer}”")
                said = sentence.format(number=question.number, answer=other.answer)
                events.append(Event(other.answer.created_at, display_name(other.answer.adjudicated_by), said))
    for look in second_looks:
        if look.cause == SecondLook.Cause.ASKED:
            asked = _("asked for a second look: {note}") if look.note else _("asked for a second look")
            events.append(Event(look.asked_at, display_name(look.asked_by), asked.format(note=look.note)))
        opinion = getattr(look, "opinion", None)
        if opinion is not None:
            said = _("took the second look: {note}") if opinion.note else _("took the second look")
            events.append(Event(opinion.given_at, display_name(opinion.given_by), said.format(note=opinion.note)))
        if look.state == SecondLook.State.WITHDRAWN:
            taken = look.withdrawal
            events.append(Event(taken.withdrawn_at, display_name(taken.withdrawn_by), _("withdrew the second look")))
    for note in notes:
        said = _("told the worker about “{question}”: {words}")
        event = said.format(question=note.question, words=in_words(note))
        events.append(Event(note.written_at, display_name(note.written_by), event))
    return sorted(events, key=lambda event: event.at)
