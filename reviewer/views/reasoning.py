"""Reasoning labels: samples, the table that comes of one, and the page on which reviewers label."""

from __future__ import annotations

import csv
import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from annotation.models import Article, Project
from annotation.permissions import REVIEWERS, has_role
from annotation.visitor_language import in_visitors_language
from reviewer.models import Reasoning, ReasoningSample, SampledQuestion
from reviewer.services import reasoning as service
from reviewer.services.plots import Bar, bar_plot

from .access import holds, of_project, page, user_of
from .agreement import spreadsheet_cell

SEEDS = 2**31


class DrawForm(forms.Form):
    """What a sample is drawn from."""

    split = forms.ChoiceField(label=gettext_lazy("Split"), choices=Article.Split.choices, initial=Article.Split.DEV)
    per_article = forms.IntegerField(
        label=gettext_lazy("Questions from each article"),
        min_value=1,
        max_value=service.MOST_PER_ARTICLE,
        initial=service.USUAL_PER_ARTICLE,
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        required=False,
        min_value=0,
        max_value=SEEDS,
        help_text=gettext_lazy("The same one draws the same questions again; empty: one by chance, which is kept."),
    )


@in_visitors_language
@require_http_methods(["GET", "HEAD", "POST"])
@of_project()
def reasoning(request: HttpRequest, project: Project) -> HttpResponse:
    """The samples of a project; reviewers draw another."""
    form, problem = DrawForm(), ""
    if request.method == "POST":
        form = DrawForm(request.POST)
        if not has_role(user_of(request), project, *REVIEWERS):
            return HttpResponse(_("Your role in this project does not allow this."), status=403)
        if form.is_valid():
            asked = form.cleaned_data
            seed = secrets.randbelow(SEEDS) if asked["seed"] is None else asked["seed"]
            try:
                sample = service.draw(project, asked["split"], asked["per_article"], seed, user_of(request))
            except service.NotDrawn as refusal:
                problem = str(refusal)
            else:
                return HttpResponseRedirect(reverse("reasoning_sample", args=[project.slug, sample.pk]))
    context = {"form": form, "samples": service.samples_of(project), "problem": problem}
    status = 422 if request.method == "POST" else 200
    return page(request, project, "agreement", "reviewer/reasoning.html", context, status=status)


@in_visitors_language
@require_safe
@of_project()
def reasoning_sample(request: HttpRequest, project: Project, sample_pk: int) -> HttpResponse:
    """The table of one sample, as the paper has it."""
    table = service.table(_sample(project, sample_pk))
    bars = []
    for row in table.rows:
        if row.percent is not None:
            bars.append(Bar(_("{figure}, here").format(figure=_short(row.code)), row.percent, is_ours=True))
            published = _("{figure}, published").format(figure=_short(row.code))
            bars.append(Bar(published, row.published_percent, is_ours=False))
    context = {"table": table, "plot": bar_plot(_("Questions by reasoning, in percent"), bars, 190) if bars else None}
    return page(request, project, "agreement", "reviewer/reasoning_sample.html", context)


@require_safe
@of_project()
def reasoning_json(request: HttpRequest, project: Project, sample_pk: int) -> JsonResponse:
    report = service.table(_sample(project, sample_pk)).report()
    return JsonResponse(report, json_dumps_params={"indent": 2, "ensure_ascii": False})


@require_safe
@of_project()
def reasoning_labels(request: HttpRequest, project: Project, sample_pk: int) -> JsonResponse:
    """What people said of each question, and on which words it rests."""
    user = user_of(request)
    found = service.labels_report(_sample(project, sample_pk), user if holds(user, project, *REVIEWERS) else None)
    return JsonResponse(found, safe=False, json_dumps_params={"indent": 2, "ensure_ascii": False})


@require_safe
@of_project()
def reasoning_csv(request: HttpRequest, project: Project, sample_pk: int) -> HttpResponse:
    rows = service.table(_sample(project, sample_pk)).report()["rows"]
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-reasoning-{sample_pk}.csv"'
    table = csv.writer(response)
    table.writerow(rows[0])
    table.writerows([spreadsheet_cell(value) for value in row.values()] for row in rows)
    return response


@in_visitors_language
@require_http_methods(["GET", "HEAD", "POST"])
@of_project(*REVIEWERS)
def reasoning_label(request: HttpRequest, project: Project, sample_pk: int) -> HttpResponse:
    """The next question to label, or the one that the address names; POST stores the labels and goes on."""
    sample, user = _sample(project, sample_pk), user_of(request)
    one = _named(sample, request) or service.next_for(sample, user)
    problem, status = "", 200
    if request.method == "POST" and one is not None:
        try:
            service.label(one, user, request.POST.getlist("labels"), request.POST.getlist("evidence"))
        except service.NotLabelled as refusal:
            problem, status = str(refusal), 422
        else:
            messages.success(request, _("Kept: question {number}.").format(number=one.position + 1))
            return HttpResponseRedirect(reverse("reasoning_label", args=[project.slug, sample.pk]))
    context: dict[str, Any] = {"sample": sample, "one": one, "problem": problem, "total": sample.sampled.count()}
    if one is not None:
        context |= _to_label(project, one, request)
    return page(request, project, "agreement", "reviewer/reasoning_label.html", context, status=status)


def _to_label(project: Project, one: SampledQuestion, request: HttpRequest) -> dict[str, Any]:
    question = one.question
    answers = list(question.answers.counting().order_by("position"))
    spans = [(answer.start, answer.end) for answer in answers if answer.start is not None and answer.end is not None]
    given = request.POST.getlist("labels")
    return {
        "question": question,
        "answers": answers,
        "place": one.position + 1,
        "question_pieces": service.pieces(question.text, project.language),
        "paragraph_pieces": service.pieces(question.paragraph.text, project.language, spans),
        "marked": set(request.POST.getlist("evidence")),
        "categories": [
            (number, code, label, service.DESCRIPTIONS[code], code in given)
            for number, (code, label) in enumerate(Reasoning.choices, start=1)
        ],
    }


def _sample(project: Project, pk: int) -> ReasoningSample:
    return get_object_or_404(ReasoningSample.objects.in_project(project).select_related("project"), pk=pk)


def _named(sample: ReasoningSample, request: HttpRequest) -> SampledQuestion | None:
    place = request.POST.get("place") or request.GET.get("place") or ""
    rows = sample.sampled.select_related("question__paragraph__article", "sample__project")
    if not (place.isdecimal() and place.isascii() and len(place) < 9):
        return None
    return get_object_or_404(rows, position=int(place) - 1)


def _short(code: str) -> str:
    return {
        Reasoning.SYNONYMY: _("Synonymy"),
        Reasoning.WORLD_KNOWLEDGE: _("Knowledge"),
        Reasoning.SYNTACTIC: _("Syntax"),
        Reasoning.MULTIPLE_SENTENCE: _("Sentences"),
        Reasoning.AMBIGUOUS: _("Ambiguous"),
    }[Reasoning(code)]
