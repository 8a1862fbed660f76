"""Agreement of a project's split, as pages and as tables for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from annotation.models import Answer, Article, Project, Question
from hits.models import Batch
from hits.services.pseudonyms import worker_key
from reviewer.services import aggregation, study
from reviewer.services import agreement as published_figures
from reviewer.services.agreement_plots import Mark, interval_plot, time_plot
from reviewer.services.plots import Bar, bar_plot
from reviewer.services.queue import State, assignments_in
from scoring.agreement_figures import MEASURES

from .access import of_project, page

# The splits that the paper has extra answers for, then the third.
SPLITS = (Article.Split.DEV, Article.Split.TEST, Article.Split.TRAIN)
READINGS = {"all_others": gettext_lazy("all others"), "first_and_third": gettext_lazy("the first and the third")}
A_PAGE = 25
# A spreadsheet takes a cell that begins so for a formula.
FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n")

# What the page calls each measure, and what it says in a sentence.
WORDS = {
    "human_exact_match": (
        gettext_lazy("Human EM"),
        gettext_lazy("the second answer equals one of the others (SQuAD paper, section 6.2)"),
    ),
    "human_f1": (
        gettext_lazy("Human F1"),
        gettext_lazy("the words of the second answer against the best of the others"),
    ),
    "leave_one_out_exact_match": (
        gettext_lazy("Leave-one-out EM"),
        gettext_lazy("each answer in turn against all others, then the mean"),
    ),
    "leave_one_out_f1": (gettext_lazy("Leave-one-out F1"), gettext_lazy("the same by words")),
    "pairwise_exact_match": (
        gettext_lazy("Pairwise EM"),
        gettext_lazy("every two answers of a question, then the mean"),
    ),
    "pairwise_f1": (gettext_lazy("Pairwise F1"), gettext_lazy("the same by words")),
    "majority": (gettext_lazy("With a majority"), gettext_lazy("more than half of the answers are the same")),
    "unanswerable_by_anyone": (
        gettext_lazy("Unanswerable to anyone"),
        gettext_lazy("at least one extra worker marked no answer"),
    ),
    "unanswerable_by_most": (
        gettext_lazy("Unanswerable to most"),
        gettext_lazy("more than half of those who answered marked none"),
    ),
    "alpha_answerable": (
        gettext_lazy("Alpha, answerable or not"),
        gettext_lazy("Krippendorff's alpha: 1 is full agreement, 0 what chance brings"),
    ),
    "alpha_spans": (
        gettext_lazy("Alpha, place of the answer"),
        gettext_lazy("Krippendorff's alpha for units on a continuum: where in the paragraph the answers stand"),
    ),
}


@require_safe
@of_project()
def agreement(request: HttpRequest, project: Project) -> HttpResponse:
    """The measures of ``split`` beside those that the paper published, then by article, worker, batch and time."""
    split = _split(request)
    shown = study.shown(project, split)
    found = shown.study
    context: dict[str, Any] = {
        "split": split,
        "splits": [(value, f"{reverse('agreement', args=[project.slug])}?split={value}") for value in SPLITS],
        "shown": shown,
        "study": found,
        "is_empty": found is not None and not found["readings"]["all_others"]["total"],
    }
    if found is None:
        return page(request, project, "agreement", "reviewer/agreement.html", context)
    if context["is_empty"]:
        context["waiting"] = assignments_in(project, State.WAITING).count()
        return page(request, project, "agreement", "reviewer/agreement.html", context)
    published = published_figures.PUBLISHED.get(split)
    context |= {
        "reading": found["readings"]["all_others"],
        "readings": [
            (words, one | {"why": _(one["why"]) if "why" in one else ""})
            for name, words in READINGS.items()
            for one in [found["readings"][name]]
        ],
        "published": published,
        "published_unanswerable_percent": published_figures.PUBLISHED_UNANSWERABLE_PERCENT,
        "unanswerable_percent": 100 * found["extra"]["unanswerable"] / max(1, found["extra"]["questions"]),
        "plot": _published_plot(found["readings"]["all_others"], published, split),
        "measures": _measures(found),
        "measures_plot": _measures_plot(found),
        "groups": _groups(project, found),
        "overview": _overview(project, split, found),
        "least_agreed": len(found["least_agreed"]),
        "weighs": aggregation.is_installed(),
        "tables": [(name, _address(project, "agreement_table", split, name)) for name in TABLES],
        "csv_address": _address(project, "agreement_csv", split),
        "json_address": _address(project, "agreement_json", split),
        "questions_address": _address(project, "agreement_questions", split),
    }
    return page(request, project, "agreement", "reviewer/agreement.html", context)


@require_safe
@of_project()
def agreement_questions(request: HttpRequest, project: Project) -> HttpResponse:
    """The questions of ``split``, those first whose answers agree least, with all their answers."""
    split = _split(request)
    shown = study.shown(project, split)
    rows = Paginator(shown.study["least_agreed"] if shown.study else [], A_PAGE).get_page(request.GET.get("page"))
    keys = [row[0] for row in rows]
    questions = Question.objects.in_project(project).select_related("paragraph__article").in_bulk(keys)
    answers: dict[int, list[Answer]] = {key: [] for key in keys}
    for answer in Answer.objects.counting().filter(question__in=keys).order_by("question", "position"):
        answers[answer.question_id].append(answer)
    context = {
        "split": split,
        "splits": [(value, f"{reverse('agreement_questions', args=[project.slug])}?split={value}") for value in SPLITS],
        "shown": shown,
        "rows": [
            {"question": questions[row[0]], "answers": answers[row[0]], "exact_match": row[3], "f1": row[4]}
            for row in rows
            if row[0] in questions
        ],
        "place": rows,
    }
    return page(request, project, "agreement", "reviewer/agreement_questions.html", context)


@require_safe
@of_project()
def agreement_csv(request: HttpRequest, project: Project) -> HttpResponse:
    """Both readings of ``split``, one a row, with the columns of the JSON report."""
    split = _split(request)
    report = _found(project, split)["readings"]
    columns = [name for name in report["all_others"] if name != "why"]
    rows = ([split, gold, *(row[name] for name in columns)] for gold, row in report.items())
    return _csv(project, split, "agreement", ["split", "gold", *columns], rows)


@require_safe
@of_project()
def agreement_json(request: HttpRequest, project: Project) -> JsonResponse:
    """All that is known of ``split``, as ``manage.py agreement --json`` prints it."""
    found = study.public(project.pk, _found(project, _split(request)))
    return JsonResponse(found, json_dumps_params={"indent": 2, "ensure_ascii": False})


@require_safe
@of_project()
def agreement_table(request: HttpRequest, project: Project, table: str) -> HttpResponse:
    """One table of the page: measures, articles, workers, batches, periods or questions."""
    if table not in TABLES:
        raise Http404(_("There is no such table."))
    split = _split(request)
    found = study.public(project.pk, _found(project, split))
    if table == "measures":
        rows = [
            [
                measure,
                figure["value"],
                *(figure.get("interval") or [None, None]),
                figure["questions"],
                figure.get("why") or figure.get("why_no_interval") or "",
            ]
            for measure, figure in found["figures"].items()
        ]
        return _csv(project, split, table, ["measure", "value", "low", "high", "questions", "why"], rows)
    listed = found["least_agreed" if table == "questions" else table]
    head = TABLES[table]
    return _csv(project, split, table, head, ([row.get(column) for column in head] for row in listed))


# The tables beside the page, with their columns.
_SCORES = ["count", "exact_match", "f1", "low", "high"]
TABLES: dict[str, list[str]] = {
    "measures": [],
    "articles": ["name", *_SCORES],
    "workers": ["key", "unanswerable", *_SCORES],
    "batches": ["key", *_SCORES],
    "periods": ["name", *_SCORES],
    "questions": ["id", "answers", "exact_match", "f1", "has_majority"],
}


def _found(project: Project, split: str) -> study.Study:
    """What the page shows. Raises Http404 while it is being worked out for the first time."""
    found = study.shown(project, split).study
    if found is None:
        raise Http404(_("The figures are being worked out; ask again in a minute."))
    return found


def _split(request: HttpRequest) -> str:
    split = request.GET.get("split", SPLITS[0])
    return split if split in SPLITS else SPLITS[0]


def _address(project: Project, name: str, split: str, *more: str) -> str:
    return f"{reverse(name, args=[project.slug, *more])}?split={split}"


def _csv(project: Project, split: str, name: str, head: list[str], rows: Iterable[list[Any]]) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-{split}-{name}.csv"'
    table = csv.writer(response)
    table.writerow(head)
    table.writerows([spreadsheet_cell(value) for value in row] for row in rows)
    return response


def spreadsheet_cell(value: Any) -> Any:
    """``value`` so that no spreadsheet takes a text for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_BEGINS) else value


def _measures(found: study.Study) -> list[dict[str, Any]]:
    rows = []
    for name, is_percent in MEASURES.items():
        figure, (label, words) = found["figures"][name], WORDS[name]
        why = figure.get("why") or figure.get("why_no_interval")
        rows.append(figure | {"label": label, "words": words, "unit": "%" if is_percent else "", "why": why and _(why)})
    return rows


def _measures_plot(found: study.Study) -> str:
    marks = [
        Mark(str(WORDS[name][0]), figure["value"], *(figure.get("interval") or (None, None)))
        for name, figure in found["figures"].items()
        if MEASURES[name] and figure["value"] is not None
    ]
    return interval_plot(_("Measures of agreement, in percent, with 95 % intervals"), marks)


def _groups(project: Project, found: study.Study) -> list[dict[str, Any]]:
    """The tables by article, worker, batch and time, each with its plot and what it says where it is empty."""
    batches = Batch.objects.in_project(project).in_bulk([row["key"] for row in found["batches"]])
    articles = [row | {"label": row["name"]} for row in found["articles"]]
    workers = [
        row
        | {
            "label": worker_key(project.pk, row["key"]),
            "url": reverse("admin:hits_worker", args=[project.pk, row["key"]]),
        }
        for row in found["workers"]
    ]
    of_batches = [
        row | {"label": str(batches[row["key"]]), "url": reverse("admin:hits_batch_life", args=[row["key"]])}
        for row in found["batches"]
        if row["key"] in batches
    ]
    periods = [row | {"label": row["name"]} for row in found["periods"]]
    imported = _("Imported answers have no worker, batch or time; answers that workers gave here have.")
    return [
        _group_of("articles", _("Articles"), _("Questions"), articles, ""),
        _group_of("workers", _("Workers, least agreeing first"), _("Answers"), workers, imported),
        _group_of("batches", _("Batches"), _("Answers"), of_batches, imported),
        _group_of("periods", _("Over time"), _("Answers"), periods, imported),
    ]


def _group_of(name: str, title: str, counted: str, rows: list[dict[str, Any]], empty: str) -> dict[str, Any]:
    marks = [Mark(row["label"], row["f1"], row["low"], row["high"]) for row in rows]
    plot = None
    if marks:
        draw = time_plot if name == "periods" and len(marks) > 1 else interval_plot
        plot = draw(_("{title}: F1 against the others, in percent").format(title=title), marks)
    return {"name": name, "title": title, "counted": counted, "rows": rows, "plot": plot, "empty": empty}


def _overview(project: Project, split: str, found: study.Study) -> list[dict[str, Any]]:
    """A row for each split, as far as it was worked out."""
    rows = []
    for one in SPLITS:
        known = found if one == split else study.known(project, one).study
        figures = known["figures"] if known else None
        rows.append({"split": one, "figures": figures, "questions": known["questions"] if known else None})
    return rows


def _published_plot(reading: dict[str, Any], published: published_figures.Published | None, split: str) -> str:
    pairs = [("EM", reading["exact_match"], published and published.exact_match)]
    pairs.append(("F1", reading["f1"], published and published.f1))
    bars = []
    for name, ours, theirs in pairs:
        bars.append(Bar(_("{figure}, here").format(figure=name), ours or 0.0, is_ours=True))
        if theirs:
            bars.append(Bar(_("{figure}, published").format(figure=name), theirs, is_ours=False))
    return bar_plot(_("Human EM and F1 of {split}, in percent").format(split=split), bars)
