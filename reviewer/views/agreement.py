"""Human EM and F1 of a project, as a page and as a table for spreadsheets."""

from __future__ import annotations

import csv

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.models import Article, Project
from reviewer.services import agreement as figures
from reviewer.services.plots import Bar, bar_plot
from reviewer.services.queue import State, assignments_in
from scoring.human import HumanReading

from .access import of_project, page

# The splits that the paper has extra answers for, then the third.
SPLITS = (Article.Split.DEV, Article.Split.TEST, Article.Split.TRAIN)


@require_safe
@of_project()
def agreement(request: HttpRequest, project: Project) -> HttpResponse:
    """The figures of ``split``, beside those that the paper published."""
    split = _split(request)
    found = figures.agreement(project, split)
    published = figures.PUBLISHED.get(split)
    address = reverse("agreement", args=[project.slug])
    context = {
        "split": split,
        "splits": [(value, f"{address}?split={value}") for value in SPLITS],
        "agreement": found,
        "reading": found.performance.all_others,
        "readings": [
            (_("all others"), found.performance.all_others),
            (_("the first and the third"), found.performance.first_and_third),
        ],
        "published": published,
        "published_unanswerable_percent": figures.PUBLISHED_UNANSWERABLE_PERCENT,
        "plot": None if found.is_empty else _plot(found.performance.all_others, published, split),
        "csv_address": f"{reverse('agreement_csv', args=[project.slug])}?split={split}",
        "waiting": assignments_in(project, State.WAITING).count() if found.is_empty else 0,
    }
    return page(request, project, "agreement", "reviewer/agreement.html", context)


@require_safe
@of_project()
def agreement_csv(request: HttpRequest, project: Project) -> HttpResponse:
    """Both readings of ``split``, one a row, with the columns of the JSON report."""
    split = _split(request)
    report = figures.agreement(project, split).performance.report()
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-{split}-agreement.csv"'
    table = csv.writer(response)
    table.writerow(["split", "gold", *next(iter(report.values()))])
    table.writerows([split, gold, *reading.values()] for gold, reading in report.items())
    return response


def _split(request: HttpRequest) -> str:
    split = request.GET.get("split", SPLITS[0])
    return split if split in SPLITS else SPLITS[0]


def _plot(reading: HumanReading, published: figures.Published | None, split: str) -> str:
    pairs = [("EM", reading.exact_match, published and published.exact_match)]
    pairs.append(("F1", reading.f1, published and published.f1))
    bars = []
    for name, ours, theirs in pairs:
        bars.append(Bar(_("{figure}, here").format(figure=name), ours or 0.0, is_ours=True))
        if theirs:
            bars.append(Bar(_("{figure}, published").format(figure=name), theirs, is_ours=False))
    return bar_plot(_("Human EM and F1 of {split}, in percent").format(split=split), bars)
