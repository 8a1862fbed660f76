"""How a project reviews, and its gold questions."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.models import Answer, GoldQuestion, Project
from annotation.permissions import REQUESTERS
from annotation.services import gold
from annotation.visitor_language import in_visitors_language
from reviewer.forms import GoldForm, RulesForm
from reviewer.models import ReviewRules
from reviewer.services.verdicts import adjudicate

from .access import holds, of_project, page, user_of

# Gold questions that one page lists, the latest first.
PAGE_ROWS = 200


@in_visitors_language
@require_http_methods(["GET", "HEAD", "POST"])
@of_project()
def review_rules(request: HttpRequest, project: Project) -> HttpResponse:
    """The thresholds and rules of ``project``, which everybody may read and requesters change."""
    in_force = ReviewRules.objects.in_force(project)
    form = RulesForm(request.POST or None, project=project, rules=in_force)
    if request.method == "POST":
        _requester_alone(request, project)
        if form.is_valid():
            form.instance.set_by = user_of(request)
            form.save()
            messages.success(request, _("Saved. Signals of waiting work are worked out anew within a minute."))
            return HttpResponseRedirect(reverse("review_rules", args=[project.slug]))
    context = {"form": form, "in_force": in_force}
    return page(request, project, "review", "reviewer/rules.html", context, 422 if form.errors else 200)


@in_visitors_language
@require_http_methods(["GET", "HEAD", "POST"])
@of_project()
def gold_questions(request: HttpRequest, project: Project) -> HttpResponse:
    """The gold questions of ``project`` with their known answers; requesters add to them."""
    form = GoldForm(request.POST or None, project=project)
    if request.method == "POST":
        _requester_alone(request, project)
        if form.is_valid():
            try:
                _add(form, request)
            except gold.AskedAlready as refusal:
                form.add_error("text", str(refusal))
            else:
                messages.success(request, _("Added. Batches that ask for gold checks plant it from now on."))
                return HttpResponseRedirect(reverse("gold_questions", args=[project.slug]))
    rows = GoldQuestion.objects.in_project(project).select_related("question__paragraph__article", "added_by")
    shown = list(rows.order_by("-pk")[:PAGE_ROWS])
    known: dict[int, list[Answer]] = {row.question_id: [] for row in shown}
    answers = Answer.objects.filter(question__in=known, is_gold=True, adjudicated_by__isnull=False)
    for answer in answers.order_by("pk"):
        known[answer.question_id].append(answer)
    context = {"form": form, "rows": [(row, known[row.question_id]) for row in shown]}
    return page(request, project, "review", "reviewer/gold.html", context, 422 if form.errors else 200)


@transaction.atomic
def _add(form: GoldForm, request: HttpRequest) -> None:
    user, chosen = user_of(request), form.cleaned_data
    if form.question is not None:
        row = gold.add(form.question, user, chosen["note"])
    else:
        assert form.about is not None  # noqa: S101 - a valid form has one of the two
        row = gold.write_check(form.about, chosen["text"].strip(), user, chosen["note"])
    adjudicate(row.question, user, form.span, is_gold=True)


@in_visitors_language
@require_POST
@of_project(*REQUESTERS)
def gold_retire(request: HttpRequest, project: Project, gold_pk: int) -> HttpResponse:
    """Plant a gold question no more."""
    row = get_object_or_404(GoldQuestion.objects.in_project(project), pk=gold_pk)
    gold.retire(row, user_of(request))
    messages.success(request, _("Retired: it is planted in no further task."))
    return HttpResponseRedirect(reverse("gold_questions", args=[project.slug]))


def _requester_alone(request: HttpRequest, project: Project) -> None:
    if not holds(user_of(request), project, *REQUESTERS):
        raise PermissionDenied(_("Your role in this project does not allow this."))
