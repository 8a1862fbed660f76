"""Agreement of a project's split, as pages and as tables for spreadsheets."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from annotation.models import Answer, Article, Project, Question
from annotation.visitor_language import in_visitors_language
from reviewer.services import aggregation, study
from reviewer.services import agreement as published_figures
from reviewer.services.plots import Bar, bar_plot
from reviewer.services.queue import State, assignments_in
from scoring.agreement_figures import MEASURES
from scoring.question_rows import FORMULA_BEGINS

from .access import of_project, page
from .agreement_groups import WORDS, groups, measures, measures_plots, splits_plot

# The splits that the paper has extra answers for, then the third.
SPLITS = (Article.Split.DEV, Article.Split.TEST, Article.Split.TRAIN)
READINGS = {"all_others": gettext_lazy("all others"), "first_and_third": gettext_lazy("the first and the third")}
A_PAGE = 25
# Of pairwise F1, that one bar of the plot of questions is wide.
BAR_PERCENT = 20


@in_visitors_language
@require_safe
@of_project()
def agreement(request: HttpRequest, project: Project) -> HttpResponse:
    """The measures of ``split`` beside those that the paper published, then by article, worker, batch and time."""
    split = _split(request)
    measure = request.GET.get("measure", "")
    measure = measure if measure in MEASURES else ""
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
        context["has_articles"] = Article.objects.in_project(project).filter(split=split).exists()
        return page(request, project, "agreement", "reviewer/agreement.html", context)
    published = published_figures.PUBLISHED.get(split)
    overview = _overview(project, split, found)
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
        "measures": measures(found),
        "measures_plots": measures_plots(found),
        "measure": measure,
        "measure_words": WORDS[measure][0] if measure else "",
        "measure_unit": "%" if MEASURES.get(measure) else "",
        "choices": [(name, words[0]) for name, words in WORDS.items()],
        "groups": groups(project, found, measure),
        "questions_plot": _questions_plot(found),
        "overview": overview,
        "splits_plot": splits_plot(overview, measure),
        "least_agreed": len(found["least_agreed"]),
        "weighs": aggregation.is_installed(),
        "tables": [(name, _address(project, "agreement_table", split, name)) for name in TABLES],
        "csv_address": _address(project, "agreement_csv", split),
        "json_address": _address(project, "agreement_json", split),
        "questions_address": _address(project, "agreement_questions", split),
    }
    return page(request, project, "agreement", "reviewer/agreement.html", context)


@in_visitors_language
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
            dict(zip(study.OF_A_QUESTION, row[1:], strict=True))
            | {"question": questions[row[0]], "given": answers[row[0]]}
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
    if table == "questions":
        return _csv(project, split, table, head, ([row[column] for column in head] for row in listed))
    columns = [f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high")]
    lines = ([*(row[column] for column in head), *_figures(row["figures"])] for row in listed)
    return _csv(project, split, table, [*head, *columns], lines)


# The tables beside the page, with their columns.
_SCORES = ["count", "exact_match", "f1", "low", "high"]
TABLES: dict[str, list[str]] = {
    "measures": [],
    "articles": ["name", *_SCORES],
    "workers": ["key", "unanswerable", *_SCORES],
    "batches": ["key", *_SCORES],
    "periods": ["name", *_SCORES],
    "questions": list(study.OF_A_QUESTION),
}


def _figures(figures: dict[str, dict[str, Any]]) -> list[Any]:
    """Each of ``MEASURES`` with its interval, in cells."""
    cells: list[Any] = []
    for measure in MEASURES:
        cells += [figures[measure]["value"], *(figures[measure].get("interval") or (None, None))]
    return cells


def _questions_plot(found: study.Study) -> str | None:
    """How many questions have which pairwise F1."""
    counts = Counter(int(row[4] // BAR_PERCENT) for row in found["least_agreed"])
    if not counts:
        return None
    steps = [(least, least + BAR_PERCENT) for least in range(0, 100, BAR_PERCENT)]
    words = [_("{least} to under {most}").format(least=least, most=most) for least, most in steps]
    bars = [Bar(label, 100 * counts[step] / counts.total(), is_ours=True) for step, label in enumerate([*words, "100"])]
    return bar_plot(_("Questions by pairwise F1, in percent of all"), bars)


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
