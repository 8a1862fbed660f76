"""What the page of one piece of submitted work shows, whoever asks for it and whatever was wrong in what they sent."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import ngettext

from annotation.models import Project, Task
from annotation.models.notes import MOST_NOTE_CHARS
from annotation.note_words import REASONS as NOTE_REASONS
from annotation.permissions import REQUESTERS, REVIEWERS
from hits import endpoints
from hits.models import AssignmentDecision
from reviewer.models import ReviewRules, SecondLook
from reviewer.services import claims, looks, notes, noticing, queue, reasons
from reviewer.services.evidence import evidence
from reviewer.services.queue import Filter
from reviewer.services.record import record_of
from reviewer.services.review import Standing
from reviewer.services.trail import trail

from .access import holds, page, user_of
from .review import assignment_address, queue_address


def assignment_page(
    request: HttpRequest,
    project: Project,
    pk: int,
    chosen: Filter,
    *,
    reason: str = "",
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of assignment ``pk`` among those that ``chosen`` narrows to; ``problem`` says what was wrong with the
    ``reason`` that was sent. Whoever may decide keeps the work for a while."""
    user = user_of(request)
    assignment: Any = get_object_or_404(queue.looked_at(project, pk, chosen, user))
    assignment.task.project = project
    decisions = list(
        AssignmentDecision.objects.filter(assignment=assignment)
        .select_related("asked_by", "withdrawn_by")
        .order_by("pk")
    )
    about = ("asked_by", "opinion__given_by", "withdrawal__withdrawn_by", "question")
    second_looks = list(SecondLook.objects.filter(assignment=assignment).select_related(*about).order_by("pk"))
    standing = Standing(assignment, next((one for one in reversed(decisions) if one.withdrawn_by_id is None), None))
    asked_looks = [
        look for look in second_looks if look.cause == SecondLook.Cause.ASKED and look.state == SecondLook.State.WAITING
    ]
    is_requester = holds(user, project, *REQUESTERS)
    may_review = holds(user, project, *REVIEWERS)
    may_decide = may_review and (standing.may_approve or standing.may_reject)
    # Whoever asked a colleague to look leaves the work to them.
    is_for_others = any(look.asked_by_id == user.pk for look in asked_looks)
    may_undo = standing.may_undo or assignment.undo_pk is not None
    context = {
        "assignment": assignment,
        "standing": standing,
        "claim": claims.claim(assignment, user, assignment.claim_minutes) if may_decide and not is_for_others else None,
        "endpoint": endpoints.get(assignment.offer.endpoint),
        "asked_looks": [(look, looks.may_withdraw(look, user, is_requester=is_requester)) for look in asked_looks],
        "may_act": may_decide or (may_review and may_undo),
        "undo_pk": assignment.undo_pk,
        "held_seconds": _held_seconds(standing),
        "reason": reason,
        "problem": problem,
        **_found(project, assignment, decisions, second_looks),
        **_ways(project, assignment, chosen),
        **_words(assignment),
    }
    return page(request, project, "review", "reviewer/assignment.html", context, status)


def _found(
    project: Project, assignment: Any, decisions: list[AssignmentDecision], second_looks: list[SecondLook]
) -> dict[str, Any]:
    """What speaks for the work and against it, whose it is, and what was done about it so far."""
    if assignment.task.kind != Task.Kind.QUIZ and not hasattr(assignment, "signal_run"):
        # The job that works them out has not come by yet.
        noticing.notice(project, [assignment], ReviewRules.objects.in_force(project))
    found = evidence(assignment)
    sent_notes = notes.sent_about(assignment)
    return {
        "evidence": found,
        "against": [said for said in found.said if not said.speaks_for],
        "for_it": [said for said in found.said if said.speaks_for],
        "worrying": sum(question.against > 0 for question in found.questions),
        "record": record_of(project, assignment.worker),
        "trail": trail(found, decisions, second_looks, sent_notes),
        "sent_notes": sent_notes,
        "is_held": getattr(assignment, "is_held", False),
        "is_writing": assignment.task.kind == Task.Kind.WRITE,
    }


def _ways(project: Project, assignment: Any, chosen: Filter) -> dict[str, Any]:
    """Where one goes on from here, and how much waits."""

    def address(key: int | None) -> str:
        return assignment_address(project, key, chosen) if key else ""

    return {
        "filter_fields": list(chosen.words().items()),
        "previous_address": address(assignment.previous_pk),
        "next_address": address(assignment.next_pk),
        "queue_address": queue_address(project, chosen.words()),
        "waiting": assignment.waiting_count,
        "pace": _pace(assignment.decided_lately, assignment.waiting_count),
    }


def _words(assignment: Any) -> dict[str, Any]:
    """What may be chosen and written in the forms."""
    return {
        "note_reasons": NOTE_REASONS.items(),
        "own_reasons": assignment.own_reasons,
        "max_note_chars": MOST_NOTE_CHARS,
        "reasons": reasons.CHOICES.items(),
        "min_reason_chars": reasons.MIN_REASON_CHARS,
        "max_reason_chars": reasons.MAX_REASON_CHARS,
    }


def _pace(decided: int, waiting: int) -> str:
    """How long what waits takes at the reviewer's pace; nothing before a pace can be told."""
    if decided < 3 or not waiting:
        return ""
    minutes = max(1, round(waiting * queue.LATELY.total_seconds() / 60 / decided))
    return ngettext(
        "about {count} minute left at your pace", "about {count} minutes left at your pace", minutes
    ).format(count=f"{minutes:,}")


def _held_seconds(standing: Standing) -> int:
    """For how many more seconds the decision can be taken back."""
    if not standing.may_undo or standing.decision is None or standing.decision.held_until is None:
        return 0
    return max(1, round((standing.decision.held_until - timezone.now()).total_seconds()))
