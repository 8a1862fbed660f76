"""A project's dashboard in words, plots and tables: what its page, its printed report and its PDF show alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Article, Project, Task
from hits.models import Batch
from reviewer.services import study
from reviewer.services.agreement import PUBLISHED
from reviewer.services.numbers import localized

from .dashboard_plots import Columns, Point, Rows, Spend

Figures = dict[str, Any]
# The latest of the running batches that a table names.
BATCHES = 10


@dataclass(frozen=True)
class Cell:
    """``text`` of a table, leading to ``url`` where that is not empty."""

    text: str
    url: str = ""
    is_number: bool = False


@dataclass(frozen=True)
class Table:
    """``head`` are the columns' names; each row begins with what it is about."""

    title: str
    head: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]


@dataclass
class Section:
    """One subject: ``lead`` says what the figures are, ``facts`` are sentences."""

    key: str
    title: str
    lead: str = ""
    facts: list[str] = field(default_factory=list)
    plots: list[Rows | Columns | Spend] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)


def sections_of(project: Project, figures: Figures) -> list[Section]:
    """All parts, in the order of the page."""
    return [
        _funnel(project, figures["funnel"]),
        _spend(project, figures["spend"], figures["funnel"]),
        _pace(figures["pace"]),
        _lengths(figures["lengths"]),
        _words(figures["words"]),
        _coverage(project, figures["coverage"]),
        _agreement(project),
        _workers(project, figures["workers"]),
    ]


def number(text: str) -> Cell:
    return Cell(text, is_number=True)


def count(value: int) -> Cell:
    return number(localized(f"{value:,}"))


def percent(part: int, whole: int) -> str:
    return localized(f"{100 * part / whole:.1f} %") if whole else "–"


def _steps(title: str, steps: list[tuple[str, int]]) -> Rows:
    """Stages one after the other, each with its share of the one before."""
    points, before = [], 0
    for name, value in steps:
        told = localized(f"{value:,}")
        shown = f"{told} ({percent(value, before)})" if before else told
        points.append(Point(name, value, shown))
        before = value
    return Rows(title, points)


def _funnel(project: Project, found: Figures) -> Section:
    section = Section("funnel", _("From paragraphs to released questions"))
    section.lead = _("Each stage with its share of the one before.")
    if not found["paragraphs"]:
        section.facts.append(_("There are no passages yet."))
        section.links.append((_("Passages"), reverse("admin:annotation_passages", args=[project.pk])))
        return section
    section.plots.append(
        _steps(
            _("Paragraphs"),
            [(_("imported"), found["paragraphs"]), (_("kept"), found["kept"]), (_("published"), found["published"])],
        )
    )
    if not found["written"]:
        section.facts.append(_("No question was written or imported yet."))
        section.links.append((_("Project"), reverse("admin:annotation_project_home", args=[project.pk])))
        return section
    steps = [(_("written"), "written"), (_("submitted"), "submitted"), (_("approved"), "approved")]
    steps += [(_("in the data"), "in_data"), (_("released"), "released")]
    section.plots.append(_steps(_("Questions"), [(name, found[key]) for name, key in steps]))
    imported, waiting, rejected, dropped = (found[key] for key in ("imported", "waiting", "rejected", "dropped"))
    told = [
        (imported, ngettext("{n} question was imported.", "{n} questions were imported.", imported)),
        (waiting, ngettext("{n} question waits for review.", "{n} questions wait for review.", waiting)),
        (rejected, ngettext("{n} question is of rejected work.", "{n} questions are of rejected work.", rejected)),
        (dropped, ngettext("{n} question was left out in review.", "{n} questions were left out in review.", dropped)),
    ]
    section.facts += [words.format(n=localized(f"{n:,}")) for n, words in told if n]
    if found["release"]:
        section.facts.append(_("The released ones are those of release {number}.").format(number=found["release"]))
    section.links.append((_("Releases"), reverse("releases", args=[project.slug])))
    return section


def _usd(amount: Decimal) -> str:
    return f"${amount:,.2f}"


def _spend(project: Project, found: Figures, funnel: Figures) -> Section:
    section = Section("spend", _("Spend"))
    spent, reserved, cap = (Decimal(found[name]) for name in ("spent_usd", "reserved_usd", "cap_usd"))
    section.facts.append(
        _("{spent} spent and {reserved} reserved of a cap of {cap}; {left} are left.").format(
            spent=_usd(spent),
            reserved=_usd(reserved),
            cap=_usd(cap),
            left=_usd(max(Decimal(0), cap - spent - reserved)),
        )
    )
    bought = funnel["in_data"] - funnel["imported"]
    if spent and bought > 0:
        section.facts.append(
            ngettext(
                "{usd} for the {n} question in the data that workers wrote, all work included.",
                "{usd} for each of the {n} questions in the data that workers wrote, all work included.",
                bought,
            ).format(usd=_usd(spent / bought), n=localized(f"{bought:,}"))
        )
    if found["moments"]:
        moments = [(datetime.fromisoformat(at), Decimal(a), Decimal(b)) for at, a, b in found["moments"]]
        section.plots.append(Spend(_("Spent and reserved over time, USD"), moments, cap))
    else:
        section.facts.append(_("No money has moved yet."))
    section.links.append((_("Ledger"), reverse("admin:hits_ledger", args=[project.pk])))
    return section


def _pace(found: Figures) -> Section:
    section = Section("pace", _("Pace"))
    if found["a_day"]:
        section.facts.append(
            _("{n} questions a day over the last 7 days, or since the first.").format(
                n=localized(f"{found['a_day']:,.1f}")
            )
        )
    elif found["questions"]:
        section.facts.append(_("No question came in over the last 7 days."))
    else:
        section.facts.append(_("No worker has submitted a question yet."))
    if found["periods"]:
        title = _("Questions submitted by week, from its Monday") if found["by"] == "week" else _("Questions by day")
        section.plots.append(Columns(title, [Point(name[5:], value) for name, value in found["periods"]]))
    if not found["batches"]:
        section.facts.append(_("No batch is running, so there is no end to estimate."))
        return section
    filling = [row for row in found["batches"] if row["submitted"] < row["places"]]
    if filled := len(found["batches"]) - len(filling):
        words = ngettext(
            "{n} running batch has all its places filled.", "{n} running batches have all their places filled.", filled
        )
        section.facts.append(words.format(n=filled))
    if filling:
        head = [Cell(_("Running batch")), number(_("Places")), number(_("Submitted")), number(_("A day"))]
        head.append(Cell(_("Estimated end")))
        section.tables.append(Table(_("Running batches"), head, [_batch(row) for row in filling[-BATCHES:]]))
    return section


def _batch(row: Figures) -> list[Cell]:
    name = _("{kind}, batch {number}").format(kind=Task.Kind(row["kind"]).label, number=row["batch"])
    status = Batch.Status(row["status"])
    if row["ends_at"]:
        end = date_format(datetime.fromisoformat(row["ends_at"]), "Y-m-d H:i") + " UTC"
    else:
        end = _("unknown: nothing came in over the last 7 days")
    if status == Batch.Status.PAUSED:
        end = _("paused")
    return [
        Cell(name, reverse("admin:hits_batch_life", args=[row["batch"]])),
        count(row["places"]),
        count(row["submitted"]),
        number(localized(f"{row['a_day']:,.1f}")),
        Cell(end),
    ]


def _agreement(project: Project) -> Section:
    """The main measures of each split, as its own page worked them out last."""
    section = Section("agreement", _("Agreement"))
    section.lead = _("How well one person's answer meets the others' (SQuAD paper, section 6.2), in percent.")
    rows = []
    for split in (Article.Split.DEV, Article.Split.TEST, Article.Split.TRAIN):
        known = study.known(project, split)
        found = known.study
        if found is None:
            section.facts.append(_("{split}: not worked out yet; a job does so.").format(split=split))
            continue
        reading, figures = found["readings"]["all_others"], found["figures"]
        if reading["exact_match"] is None:
            why = figures["human_exact_match"].get("why") or ""
            section.facts.append(f"{split}: {_(why)}" if why else _("{split}: no figure yet.").format(split=split))
            continue
        published = PUBLISHED.get(split)
        told = localized(f"{published.exact_match} / {published.f1}") if published else "–"
        alpha = figures["alpha_answerable"]
        if alpha["value"] is None and alpha.get("why"):
            section.facts.append(_("{split}, alpha: {why}").format(split=split, why=_(alpha["why"])))
        rows.append(
            [
                Cell(split, f"{reverse('agreement', args=[project.slug])}?split={split}"),
                count(reading["total"]),
                number(_with_interval(figures["human_exact_match"])),
                number(_with_interval(figures["human_f1"])),
                number(told),
                number("–" if alpha["value"] is None else localized(f"{alpha['value']:.3f}")),
                number(f"{known.at:%Y-%m-%d %H:%M}" if known.at else ""),
            ]
        )
    if rows:
        head = [Cell(_("Split")), number(_("Questions")), number("EM"), number("F1"), number(_("Published EM / F1"))]
        head += [number(_("Alpha, answerable or not")), number(_("Worked out, UTC"))]
        section.tables.append(Table(_("Human performance"), head, rows))
    section.links.append((_("All measures of agreement"), reverse("agreement", args=[project.slug])))
    return section


def _with_interval(figure: Figures) -> str:
    if figure["value"] is None:
        return "–"
    around = figure.get("interval")
    told = f"{figure['value']:.1f} ({around[0]:.1f} – {around[1]:.1f})" if around else f"{figure['value']:.1f}"
    return localized(told)


def _lengths(found: Figures) -> Section:
    section = Section("lengths", _("Lengths of the answers"))
    if not found["answers"]:
        section.facts.append(_("No answer is in the data yet."))
    else:
        section.facts.append(
            ngettext(
                "{n} answer; words on average: {mean}.",
                "{n} answers of {mean} words on average, half of them of {median} at most.",
                found["answers"],
            ).format(
                n=localized(f"{found['answers']:,}"),
                mean=localized(f"{found['mean']:.1f}"),
                median=localized(f"{found['median']:g}"),
            )
        )
        points = [Point(_span(start, end), n) for start, end, n in found["bins"]]
        section.plots.append(Columns(_("Answers by their number of words"), points))
    if found["unanswerable"]:
        words = ngettext(
            "{n} more says that there is no answer.", "{n} more say that there is no answer.", found["unanswerable"]
        )
        section.facts.append(words.format(n=localized(f"{found['unanswerable']:,}")))
    return section


def _span(start: int, end: int | None) -> str:
    if end is None:
        return f"{start}+"
    return str(start) if start == end else f"{start}–{end}"


def _words(found: Figures) -> Section:
    section = Section("words", _("How the questions begin"))
    total = found["questions"]
    if not total:
        section.facts.append(_("No question is in the data yet."))
        return section
    for title, key in ((_("First word"), "firsts"), (_("First two words"), "bigrams")):
        points = [Point(name, n, localized(f"{n:,}") + f" ({percent(n, total)})") for name, n in found[key]]
        section.plots.append(Rows(title, points))
    return section


def _coverage(project: Project, found: Figures) -> Section:
    section = Section("coverage", _("Coverage of the paragraphs"))
    if not found["paragraphs"]:
        section.facts.append(_("There are no passages yet."))
        return section
    section.facts.append(
        ngettext(
            "{without} of {n} paragraph that is kept has no question in the data ({share}).",
            "{without} of {n} paragraphs that are kept have no question in the data ({share}).",
            found["paragraphs"],
        ).format(
            without=localized(f"{found['without']:,}"),
            n=localized(f"{found['paragraphs']:,}"),
            share=percent(found["without"], found["paragraphs"]),
        )
    )
    last = found["counts"][-1][0]
    points = [Point(f"{n}+" if n == last else str(n), value) for n, value in found["counts"]]
    section.plots.append(Columns(_("Paragraphs by their number of questions"), points))
    if found["articles"]:
        head = [Cell(_("Article")), number(_("Paragraphs without a question"))]
        rows = [[Cell(name), count(n)] for name, n in found["articles"]]
        section.tables.append(Table(_("Articles with most paragraphs without a question"), head, rows))
    section.links.append((_("Passages"), reverse("admin:annotation_passages", args=[project.pk])))
    return section


def _workers(project: Project, found: Figures) -> Section:
    section = Section("workers", _("Workers"))
    if not found["workers"]:
        section.facts.append(_("No worker has submitted work yet."))
        return section
    words = ngettext("{n} worker submitted work.", "{n} workers submitted work.", found["workers"])
    section.facts.append(words.format(n=localized(f"{found['workers']:,}")))
    if found["top"]:
        section.tables.append(_workers_table(project, _("Who made most"), found["top"]))
    if found["worrying"]:
        section.tables.append(
            _workers_table(project, _("To look at: evidence, no verdict"), found["worrying"], found["mean_f1"])
        )
        if (more := found["of"] - len(found["worrying"])) > 0:
            words = ngettext("{n} more worker has such evidence.", "{n} more workers have such evidence.", more)
            section.facts.append(words.format(n=more))
    else:
        section.facts.append(_("Nothing speaks against the work of anybody, by the thresholds of this page."))
    section.links.append((_("All workers"), reverse("admin:hits_workers", args=[project.pk])))
    return section


def _workers_table(project: Project, title: str, rows: list[Figures], mean_f1: float | None = None) -> Table:
    head = [Cell(_("Worker")), number(_("Questions")), number(_("Answers compared")), number(_("Approved"))]
    head += [number(_("Rejected")), number("F1")]
    is_worrying = any(row["evidence"] for row in rows)
    if is_worrying:
        head.append(Cell(_("Evidence")))
    return Table(title, head, [_worker(project, row, mean_f1, is_worrying) for row in rows])


def _worker(project: Project, row: Figures, mean_f1: float | None, with_evidence: bool) -> list[Cell]:
    name = _("worker {number}").format(number=row["worker"])
    cells = [
        Cell(name, reverse("admin:hits_worker", args=[project.pk, row["worker"]])),
        count(row["questions"]),
        count(row["answers"]),
        count(row["approved"]),
        count(row["rejected"]),
        number("–" if row["f1"] is None else localized(f"{row['f1']:.1f}")),
    ]
    if with_evidence:
        cells.append(Cell("; ".join(_evidence(key, row, mean_f1) for key in row["evidence"])))
    return cells


def _evidence(key: str, row: Figures, mean_f1: float | None) -> str:
    decided = row["approved"] + row["rejected"]
    sentences = {
        "rejected": ngettext(
            "{rejected} of {decided} decided assignment was rejected",
            "{rejected} of {decided} decided assignments were rejected",
            decided,
        ),
        "dropped": ngettext(
            "{dropped} of {questions} question was left out",
            "{dropped} of {questions} questions were left out",
            row["questions"],
        ),
        "gold_failed": ngettext(
            "{gold_failed} gold check failed", "{gold_failed} gold checks failed", row["gold_failed"]
        ),
        "signals": ngettext(
            "{signals} signal against; assignments looked at: {noted}",
            "{signals} signals against; assignments looked at: {noted}",
            row["signals"],
        ),
        "f1": _("F1 {own} against {mean} of all"),
    }
    own, mean = (localized(f"{value or 0:.1f}") for value in (row["f1"], mean_f1))
    return sentences[key].format(**row | {"decided": decided, "own": own, "mean": mean})
