"""Agreement by article, worker, batch and over time, as tables and plots of the measure that was chosen."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Project
from hits.models import Batch
from reviewer.services import study
from reviewer.services.agreement_plots import COEFFICIENT, PERCENT, Mark, interval_plot, time_plot
from reviewer.services.study_groups import figures_by
from scoring.agreement_figures import MEASURES

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


def groups(project: Project, found: study.Study, measure: str) -> list[dict[str, Any]]:
    """The tables of ``study_groups.GROUPS``, each with its plot and what it says where it is empty: of ``measure``, one
    of ``MEASURES``, or of EM and F1 against the others where that is empty."""
    batches = Batch.objects.in_project(project).in_bulk([row["key"] for row in found["batches"]])
    told = {
        "articles": [{"label": row["name"]} for row in found["articles"]],
        "workers": [
            {
                "label": _("worker {number}").format(number=row["key"]),
                "url": reverse("admin:hits_worker", args=[project.pk, row["key"]]),
            }
            for row in found["workers"]
        ],
        "batches": [
            {"label": _batch_label(batches[row["key"]]), "url": reverse("admin:hits_batch_life", args=[row["key"]])}
            for row in found["batches"]
        ],
        "periods": [{"label": row["name"]} for row in found["periods"]],
    }
    imported = _("Imported answers have no worker, batch or time; answers that workers gave here have.")
    titles = {
        "articles": (_("Articles"), _("Questions"), ""),
        "workers": (_("Workers, least agreeing first"), _("Answers"), imported),
        "batches": (_("Batches"), _("Answers"), imported),
        "periods": (_("Over time"), _("Answers"), imported),
    }
    tables = []
    for name, (title, counted, empty) in titles.items():
        rows = [row | words for row, words in zip(found[name], told[name], strict=True)]
        if measure:
            for row, figures in zip(rows, figures_by(found, name), strict=True):
                row["figure"] = _shown(figures[measure])
        table = {"name": name, "title": title, "counted": counted, "rows": rows, "empty": empty}
        tables.append(table | {"plot": _plot(name, title, rows, measure)})
    return tables


def measures(found: study.Study) -> list[dict[str, Any]]:
    """A row for each measure of the split."""
    return [
        _shown(found["figures"][name])
        | {"label": WORDS[name][0], "words": WORDS[name][1], "unit": "%" if is_percent else ""}
        for name, is_percent in MEASURES.items()
    ]


def measures_plots(found: study.Study) -> list[str]:
    """Of the percentages, and of the coefficients, as far as they are defined."""
    titles = {
        True: _("Measures of agreement, in percent, with 95 % intervals"),
        False: _("Coefficients of agreement, with 95 % intervals"),
    }
    plots: list[str] = []
    for is_percent, title in titles.items():
        marks = [
            Mark(str(WORDS[name][0]), figure["value"], *(figure.get("interval") or (None, None)))
            for name, figure in found["figures"].items()
            if MEASURES[name] is is_percent and figure["value"] is not None
        ]
        if marks:
            plots.append(interval_plot(title, marks, PERCENT if is_percent else COEFFICIENT))
    return plots


def splits_plot(overview: list[dict[str, Any]], measure: str) -> str | None:
    """Of the splits that were worked out, where there are several; of human F1 where no ``measure`` is chosen."""
    known = [
        {"label": row["split"], "figure": row["figures"][measure or "human_f1"]} for row in overview if row["figures"]
    ]
    return _plot("splits", _("Splits"), known, measure or "human_f1") if len(known) > 1 else None


def _batch_label(batch: Batch) -> str:
    """With its number first, as a plot cuts long labels."""
    return f"{batch.pk}, {batch.get_kind_display()}"


def _shown(figure: dict[str, Any]) -> dict[str, Any]:
    why = figure.get("why") or figure.get("why_no_interval")
    return figure | {"why": why and _(why)}


def _plot(name: str, title: str, rows: list[dict[str, Any]], measure: str) -> str | None:
    if measure:
        figures = [(row["label"], row["figure"]) for row in rows if row["figure"]["value"] is not None]
        marks = [Mark(label, one["value"], *(one.get("interval") or (None, None))) for label, one in figures]
        axis = PERCENT if MEASURES[measure] else COEFFICIENT
        words = WORDS[measure][0]
        spoken = _("{title}: {measure}, in percent") if MEASURES[measure] else _("{title}: {measure}")
        heading = spoken.format(title=title, measure=words)
    else:
        marks = [Mark(row["label"], row["f1"], row["low"], row["high"]) for row in rows]
        axis = PERCENT
        heading = _("{title}: F1 against the others, in percent").format(title=title)
    if not marks:
        return None
    draw = time_plot if name == "periods" and len(marks) > 1 else interval_plot
    return draw(heading, marks, axis)
