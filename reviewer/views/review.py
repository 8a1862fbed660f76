"""The queue of submitted work, the page on which one piece is decided, and approving many at once."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.models import Answer, Assignment, Project, Question, Task, Verdict
from annotation.permissions import REVIEWERS
from hits import endpoints
from reviewer.models import Review
from reviewer.services import evidence, queue, review
from reviewer.services.queue import State
from reviewer.services.verdicts import give_verdict

from .access import of_project, page, user_of

# A bigint's digits; longer ones are nobody's key.
MAX_KEY_DIGITS = 18
# Work done in less than this part of its paid time is pointed out to the reviewer; our choice.
FAR_TOO_FAST = 5


@require_safe
@of_project()
def review_queue(request: HttpRequest, project: Project) -> HttpResponse:
    """The submitted assignments of ``project``, by ``state`` and ``kind``; ``after`` is where a page starts."""
    state = request.GET.get("state", State.WAITING)
    state = state if state in State.values else State.WAITING
    kind = _kind(request.GET)
    found = queue.page_of(project, state, kind, request.GET.get("after", ""))
    context = {
        "state": state,
        "kind": kind,
        "states": [(value, label, _address(project, state=value, kind=kind)) for value, label in State.choices],
        "kinds": [
            (value, label, _address(project, state=state, kind=value))
            for value, label in [("", _("all work")), *Task.Kind.choices]
        ],
        "rows": found.rows,
        "next_address": _address(project, state=state, kind=kind, after=found.next_place) if found.next_place else "",
        "first_address": _address(project, state=state, kind=kind) if request.GET.get("after") else "",
        "waiting": queue.assignments_in(project, State.WAITING, kind).count(),
    }
    return page(request, project, "review", "reviewer/queue.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@of_project(*REVIEWERS)
def review_approve_many(request: HttpRequest, project: Project) -> HttpResponse:
    """Say what approving the chosen assignments costs, and approve them once that was confirmed.

    Chosen are the waiting ones named by ``assignment``, or with ``all`` every waiting one of ``kind`` up to ``until``.
    """
    asked = request.POST if request.method == "POST" else request.GET
    kind = _kind(asked)
    if asked.get("all"):
        last = queue.last_waiting(project, kind)
        until = asked.get("until") or (queue.place_of(last) if last else "")
        chosen = queue.waiting_until(project, kind, until)
        fields = [("all", "1"), ("kind", kind), ("until", until)]
    else:
        keys = [key for key in asked.getlist("assignment") if key.isdecimal() and len(key) <= MAX_KEY_DIGITS]
        chosen = queue.assignments_in(project, State.WAITING).filter(pk__in=keys)
        fields = [("kind", kind), *(("assignment", key) for key in keys)]
    cost = review.cost_of(chosen)
    confirmed = _dollars(asked.get("confirmed_usd", ""))
    if request.method == "POST" and confirmed is not None and cost.total_usd <= confirmed:
        count = review.approve_all(chosen, user_of(request))
        done = ngettext(
            "Approved {count} assignment; it is being paid.", "Approved {count}; they are being paid.", count
        )
        messages.success(request, done.format(count=f"{count:,}"))
        return HttpResponseRedirect(_address(project, kind=kind))
    context = {
        "cost": cost,
        "endpoints": _endpoints(chosen),
        "fields": [*fields, ("confirmed_usd", str(cost.total_usd))],
        "has_changed": request.method == "POST",
        "is_nothing_chosen": not asked.get("all") and not asked.getlist("assignment"),
        "back": _address(project, kind=kind),
    }
    return page(request, project, "review", "reviewer/approve_many.html", context)


@require_safe
@of_project()
def review_assignment(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One assignment with its evidence; roles that may decide find the buttons on it."""
    assignment = _assignment(project, pk)
    return _assignment_page(request, project, assignment, _kind(request.GET))


@require_POST
@of_project(*REVIEWERS)
def review_decide(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Approve or reject one assignment and go on to the next that waits."""
    assignment, kind, user = _assignment(project, pk), _kind(request.POST), user_of(request)
    decision, reason = request.POST.get("decision"), request.POST.get("reason", "")
    if decision not in Review.Decision.values:
        return HttpResponseBadRequest(_("Say whether to approve or to reject."))
    try:
        if decision == Review.Decision.REJECT:
            review.reject(assignment, user, reason)
            done = _("Rejected: {assignment} of {worker}.")
        else:
            review.approve(assignment, user)
            done = _("Approved: {assignment} of {worker}.")
    except review.UnusableReason as problem:
        return _assignment_page(request, project, assignment, kind, reason=reason, problem=str(problem), status=422)
    except review.AlreadyDecided as late:
        messages.warning(request, str(late))
        return HttpResponseRedirect(_assignment_address(project, pk, kind))
    messages.success(request, done.format(assignment=assignment, worker=assignment.worker))
    _previous, following = queue.neighbours(project, kind, assignment)
    following = following or queue.assignments_in(project, State.WAITING, kind).order_by("submitted_at", "pk").first()
    address = _assignment_address(project, following.pk, kind) if following else _address(project, kind=kind)
    return HttpResponseRedirect(address)


@require_POST
@of_project(*REVIEWERS)
def review_verdict(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Leave one question, or one answer, of an assignment out of the data, or take it back in."""
    assignment = _assignment(project, pk)
    made: QuerySet = Question.objects.filter(assignment=assignment)
    if "answer" in request.POST:
        made = Answer.objects.filter(assignment=assignment)
    key = request.POST.get("answer") or request.POST.get("question") or ""
    thing = get_object_or_404(made, pk=key if key.isdecimal() and len(key) <= MAX_KEY_DIGITS else None)
    is_drop = request.POST.get("decision") == Verdict.Decision.DROP
    give_verdict(thing, Verdict.Decision.DROP if is_drop else Verdict.Decision.KEEP, user_of(request))
    done = _("Left out of the data: {text}") if is_drop else _("Kept in the data: {text}")
    messages.success(request, done.format(text=str(thing)))
    return HttpResponseRedirect(_assignment_address(project, pk, _kind(request.POST)))


def _assignment_page(
    request: HttpRequest,
    project: Project,
    assignment: Assignment,
    kind: str,
    *,
    reason: str = "",
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    previous, following = queue.neighbours(project, kind, assignment)
    paragraphs = evidence.evidence(assignment)
    active = sum(paragraph.active_seconds or 0 for paragraph in paragraphs)
    context = {
        "assignment": assignment,
        "is_far_too_fast": 0 < active * FAR_TOO_FAST < assignment.offer.paid_seconds,
        "standing": review.standing_of(assignment),
        "endpoint": endpoints.get(assignment.offer.endpoint),
        "paragraphs": paragraphs,
        "question_count": sum(len(paragraph.questions) for paragraph in paragraphs),
        "active_seconds": active,
        "is_writing": assignment.task.kind == Task.Kind.WRITE,
        "kind": kind,
        "previous_address": _assignment_address(project, previous.pk, kind) if previous else "",
        "next_address": _assignment_address(project, following.pk, kind) if following else "",
        "queue_address": _address(project, kind=kind),
        "waiting": queue.assignments_in(project, State.WAITING, kind).count(),
        "reason": reason,
        "problem": problem,
        "min_reason_chars": review.MIN_REASON_CHARS,
        "max_reason_chars": review.MAX_REASON_CHARS,
    }
    return page(request, project, "review", "reviewer/assignment.html", context, status)


def _assignment(project: Project, pk: int) -> Assignment:
    listed = Assignment.objects.in_project(project).listed().select_related("task", "offer", "worker")
    return get_object_or_404(listed, pk=pk)


def _kind(asked: QueryDict) -> str:
    kind = asked.get("kind", "")
    return kind if kind in Task.Kind.values else ""


def _dollars(text: str) -> Decimal | None:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None


def _endpoints(assignments: QuerySet[Assignment]) -> list[endpoints.Endpoint]:
    keys = assignments.order_by().values_list("offer__endpoint", flat=True).distinct()
    return [endpoints.get(key) for key in sorted(keys)]


def _address(project: Project, **filters: Any) -> str:
    """The list with ``filters``, without those that say what it shows anyway."""
    told = {name: value for name, value in filters.items() if value and (name, value) != ("state", State.WAITING)}
    address = reverse("review_queue", args=[project.slug])
    return f"{address}?{urlencode(told)}" if told else address


def _assignment_address(project: Project, pk: int, kind: str) -> str:
    address = reverse("review_assignment", args=[project.slug, pk])
    return f"{address}?{urlencode({'kind': kind})}" if kind else address
