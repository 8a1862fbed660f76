"""Second looks: which wait, taking one without seeing what the first reviewer decided, and how far both agree."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.models import Project, Task
from annotation.permissions import REQUESTERS, REVIEWERS
from annotation.visitor_language import in_visitors_language
from reviewer.models import ReviewRules, SecondLook
from reviewer.services import looks
from reviewer.services.evidence import evidence
from reviewer.services.reasons import MAX_REASON_CHARS, UnusableReason

from .access import holds, of_project, page, user_of

# Waiting looks that a page lists, the oldest first.
PAGE_ROWS = 100


@in_visitors_language
@require_safe
@of_project()
def second_looks(request: HttpRequest, project: Project) -> HttpResponse:
    """The second looks that wait for the user, and how far first and second reviewers agree."""
    waiting = SecondLook.objects.in_project(project).waiting()
    user, about = user_of(request), ("assignment__task", "question", "asked_by")
    mine = waiting.exclude(asked_by=user).select_related(*about).order_by("pk")
    asked = waiting.filter(asked_by=user, cause=SecondLook.Cause.ASKED).select_related(*about).order_by("pk")
    is_requester = holds(user, project, *REQUESTERS)
    context = {
        "rows": [
            (look, looks.may_withdraw(look, user, is_requester=is_requester))
            for look in mine.select_related("opinion", "withdrawal")[:PAGE_ROWS]
        ],
        "asked": list(asked[:PAGE_ROWS]),
        "waiting": waiting.count(),
        "agreement": looks.reviewer_agreement(project),
        "rules": ReviewRules.objects.in_force(project),
    }
    return page(request, project, "review", "reviewer/second_looks.html", context)


@in_visitors_language
@require_http_methods(["GET", "HEAD", "POST"])
@of_project(*REVIEWERS)
def second_look(request: HttpRequest, project: Project, look_pk: int) -> HttpResponse:
    """One second look: the work as it was submitted, and what the user finds."""
    rows = SecondLook.objects.in_project(project).select_related("assignment__task", "assignment__offer", "question")
    look = get_object_or_404(rows, pk=look_pk)
    given = {
        "assignment": request.POST.get("assignment", ""),
        "questions": {
            name.removeprefix("question_"): value
            for name, value in request.POST.items()
            if name.startswith("question_")
        },
    }
    problem = ""
    if request.method == "POST":
        try:
            looks.give_opinion(look, user_of(request), given, request.POST.get("note", ""))
        except UnusableReason as refusal:
            problem = str(refusal)
        except looks.NotYours as refusal:
            messages.warning(request, str(refusal))
            return HttpResponseRedirect(reverse("second_looks", args=[project.slug]))
        else:
            messages.success(request, _("Noted. Thank you for the second look."))
            return HttpResponseRedirect(reverse("second_looks", args=[project.slug]))
    try:
        looks.refuse_withdrawn(look)
    except looks.NotYours as refusal:
        messages.info(request, str(refusal))
        return HttpResponseRedirect(reverse("second_looks", args=[project.slug]))
    found = evidence(look.assignment, blind=True)
    context = {
        "look": look,
        "assignment": look.assignment,
        "evidence": found,
        "is_writing": look.assignment.task.kind == Task.Kind.WRITE,
        "given": given,
        "problem": problem,
        "note": request.POST.get("note", ""),
        "max_reason_chars": MAX_REASON_CHARS,
    }
    return page(request, project, "review", "reviewer/second_look.html", context, 422 if problem else 200)


@in_visitors_language
@require_POST
@of_project(*REVIEWERS)
def second_withdraw(request: HttpRequest, project: Project, look_pk: int) -> HttpResponse:
    """Say that a look which was asked for is wanted no more, and go back to where that was said."""
    rows = SecondLook.objects.in_project(project)
    look = get_object_or_404(rows, pk=look_pk)
    try:
        looks.withdraw(look, user_of(request))
    except looks.NotYours as refusal:
        messages.warning(request, str(refusal))
    else:
        messages.success(request, _("Withdrawn: the work waits for you again, too."))
    if request.POST.get("work"):
        return HttpResponseRedirect(reverse("review_assignment", args=[project.slug, look.assignment_id]))
    return HttpResponseRedirect(reverse("second_looks", args=[project.slug]))
