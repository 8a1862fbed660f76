"""The page on which one piece of submitted work is looked at and decided."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.db.models import QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseRedirect,
    QueryDict,
)
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from annotation.models import Answer, Assignment, Project, Question, Verdict
from annotation.permissions import REVIEWERS
from annotation.services.notes import UnusableNote
from annotation.visitor_language import in_visitors_language
from reviewer.services import claims, letting_on, looks, notes, queue, reasons, review
from reviewer.services.queue import Filter
from reviewer.services.verdicts import NoSuchSpan, Overtaken, adjudicate, give_verdict, span_in

from .access import of_project, user_of
from .review import assignment_address, queue_address
from .work_page import assignment_page

APPROVE, DROP, REJECT = "approve", "drop", "reject"


@in_visitors_language
@require_safe
@of_project()
def review_assignment(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One assignment with its evidence; roles that may decide find the buttons on it, and keep it for a while."""
    return assignment_page(request, project, pk, Filter.of(request.GET))


@in_visitors_language
@require_POST
@of_project(*REVIEWERS)
def review_decide(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Approve, approve and leave out, or reject one assignment, and go on to the next that waits."""
    assignment, chosen, user = _assignment(project, pk), Filter.of(request.POST), user_of(request)
    decision = request.POST.get("decision")
    reason = reasons.chosen_or_written(request.POST.get("chosen_reason", ""), request.POST.get("reason", ""))
    if decision not in (APPROVE, DROP, REJECT):
        return HttpResponseBadRequest(_("Say whether to approve or to reject."))
    try:
        if decision == REJECT:
            review.reject(assignment, user, reason, hold=True)
            done = _("Rejected: {assignment} of {worker}.")
        elif decision == DROP:
            review.drop(assignment, user, hold=True)
            done = _("Approved and left out of the data: {assignment} of {worker}.")
        else:
            review.approve(assignment, user, hold=True)
            done = _("Approved: {assignment} of {worker}.")
    except reasons.UnusableReason as problem:
        return assignment_page(request, project, pk, chosen, reason=reason, problem=str(problem), status=422)
    except review.AlreadyDecided as late:
        messages.warning(request, str(late))
        return HttpResponseRedirect(assignment_address(project, pk, chosen))
    messages.success(request, done.format(assignment=assignment, worker=assignment.worker))
    return _onward(project, chosen, user, assignment)


def _onward(project: Project, chosen: Filter, user: User, assignment: Assignment) -> HttpResponse:
    """On to what waits for ``user`` after ``assignment``, or back to the list where nothing does."""
    following = queue.following(project, chosen, user, assignment)
    return HttpResponseRedirect(
        assignment_address(project, following.pk, chosen) if following else queue_address(project, chosen.words())
    )


@in_visitors_language
@require_POST
@of_project(*REVIEWERS)
def review_undo(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Take the latest decision about an assignment back, and show it again."""
    assignment, chosen = _assignment(project, pk), Filter.of(request.POST)
    try:
        review.undo(assignment, user_of(request))
    except review.TooLate as late:
        messages.warning(request, str(late))
    else:
        messages.success(request, _("Taken back: {assignment} waits again.").format(assignment=assignment))
    return HttpResponseRedirect(assignment_address(project, pk, chosen))


@in_visitors_language
@require_POST
@of_project(*REVIEWERS)
def review_verdict(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Leave one question, or one answer, of an assignment out of the data, or keep it."""
    assignment = _assignment(project, pk)
    thing: Question | Answer
    if "answer" in request.POST:
        thing = get_object_or_404(_answers_about(assignment), pk=queue.key_of(request.POST["answer"]))
    else:
        key = queue.key_of(request.POST.get("question"))
        thing = get_object_or_404(Question.objects.filter(assignment=assignment), pk=key)
    is_drop = request.POST.get("decision") == Verdict.Decision.DROP
    decision = Verdict.Decision.DROP if is_drop else Verdict.Decision.KEEP
    done = _("Left out of the data: {text}") if is_drop else _("Kept in the data: {text}")

    def give() -> str:
        reason = request.POST.get("reason", "")
        give_verdict(thing, decision, user_of(request), reason, seen=queue.key_of(request.POST.get("seen")))
        return done.format(text=str(thing))

    return _done_or_told(request, project, pk, give)


@in_visitors_language
@require_POST
@of_project(*REVIEWERS)
def review_fix(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Set the answer to one question right: a span of the paragraph, or that it has none."""
    question, asked = _question(request, project, pk), request.POST

    def fix() -> str:
        span = None
        if not asked.get("unanswerable"):
            start, end = _marked(asked)
            which = queue.key_of(asked.get("occurrence"))
            span = span_in(question.paragraph.text, asked.get("text", ""), start, end, which)
        made = adjudicate(question, user_of(request), span, seen=queue.key_of(asked.get("seen")))
        return _("Set right: {question} → {answer}").format(question=question, answer=made)

    return _done_or_told(request, project, pk, fix)


@in_visitors_language
@require_POST
@of_project(*REVIEWERS)
def review_note(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Send the worker a note on one question; they read it before their next task."""
    question, asked = _question(request, project, pk), request.POST

    def send() -> str:
        start, end = _marked(asked)
        notes.send(
            _assignment(project, pk),
            question,
            user_of(request),
            reason=asked.get("chosen_reason", ""),
            text=asked.get("note", ""),
            words=asked.get("text", ""),
            start=start,
            end=end,
            occurrence=queue.key_of(asked.get("occurrence")),
        )
        return _("Sent: the worker reads the note before their next task. “{question}”").format(question=question)

    return _done_or_told(request, project, pk, send)


@in_visitors_language
@require_POST
@of_project(*REVIEWERS)
def review_let_on(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Let the worker of an assignment go on who waits for a first look, without deciding about it."""
    assignment = _assignment(project, pk)
    assignment.task.project = project
    if letting_on.let_on(assignment, user_of(request)):
        messages.success(
            request, _("{worker} may go on; the marketplace is told in a moment.").format(worker=assignment.worker)
        )
    else:
        messages.info(request, _("{worker} waits for nobody's look.").format(worker=assignment.worker))
    return HttpResponseRedirect(assignment_address(project, pk, Filter.of(request.POST)))


def _marked(asked: QueryDict) -> tuple[int | None, int | None]:
    """Where the words that a form marks begin and end."""
    start = 0 if asked.get("start") == "0" else queue.key_of(asked.get("start"))
    return start, queue.key_of(asked.get("end"))


@in_visitors_language
@require_POST
@of_project(*REVIEWERS)
def review_look(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Ask a colleague to look at an assignment, or at one question of it."""
    assignment, user, chosen = _assignment(project, pk), user_of(request), Filter.of(request.POST)
    question = _question(request, project, pk) if request.POST.get("question") else None
    try:
        looks.ask(assignment, user, question, request.POST.get("note", ""))
    except reasons.UnusableReason as refusal:
        messages.warning(request, str(refusal))
        return HttpResponseRedirect(assignment_address(project, pk, chosen))
    claims.let_go(assignment, user)
    messages.success(request, _("Asked for a second look. It waits for your colleagues now, and no longer for you."))
    return _onward(project, chosen, user, assignment)


def _done_or_told(request: HttpRequest, project: Project, pk: int, act: Callable[[], str]) -> HttpResponse:
    """Do what was asked for and go back to where it was asked, with a sentence of what came of it."""
    try:
        messages.success(request, act())
    except (NoSuchSpan, Overtaken, UnusableNote, reasons.UnusableReason) as refusal:
        messages.warning(request, str(refusal))
    number = queue.key_of(request.POST.get("number"))
    place = f"question-{number}" if number else ""
    return HttpResponseRedirect(assignment_address(project, pk, Filter.of(request.POST), place))


def _question(request: HttpRequest, project: Project, pk: int) -> Question:
    """The question of a form, one that the assignment wrote or answered."""
    key = queue.key_of(request.POST.get("question"))
    if key is None or key not in looks.questions_of(_assignment(project, pk)):
        raise Http404
    return Question.objects.select_related("paragraph").get(pk=key)


def _answers_about(assignment: Assignment) -> QuerySet[Answer]:
    """The answers that a verdict may be on: the assignment's own, and reviewers' to its questions."""
    adjudicated = Answer.objects.filter(question__in=looks.questions_of(assignment), adjudicated_by__isnull=False)
    return Answer.objects.filter(assignment=assignment) | adjudicated.filter(is_gold=False)


def _assignment(project: Project, pk: int) -> Assignment:
    listed = Assignment.objects.in_project(project).listed().select_related("task", "offer", "worker")
    return get_object_or_404(listed, pk=pk)
