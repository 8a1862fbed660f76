"""An import's report in words, for the terminal and the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Import, Project
from annotation.sentences import grouped
from annotation.services.curation_reports import dropped_by_curation
from annotation.services.dropping import Dropped
from annotation.services.passage_intake import MAX_PARAGRAPH_CHARS

# Of the latest, that a page tells what they left out.
MOST_IMPORTS = 20
# Why something was left out, by its key in a report's ``dropped``.
REASONS = {
    "blank": gettext_lazy("blank"),
    "too_short": gettext_lazy("shorter than %(shortest)s characters, the project's shortest paragraph"),
    "too_long": gettext_lazy("longer than %(longest)s characters"),
    "already_there": gettext_lazy("in the project already"),
    "mended": gettext_lazy("in the project already, with its text mended"),
    "twice_in_file": gettext_lazy("a second time in the file"),
    "paragraph_dropped": gettext_lazy("their paragraph was left out"),
    "faulty": gettext_lazy("faulty"),
}


def dropped(tally: dict[str, Any]) -> list[Dropped]:
    """Why the rows of a report's ``paragraphs`` or ``questions`` were left out, the most frequent reason first."""
    rows = [
        Dropped(_reason(key, tally), row["count"], "" if key == "faulty" else example_of(row["example"]))
        for key, row in tally["dropped"].items()
    ]
    return sorted(rows, key=lambda row: -row.count)


def _reason(key: str, tally: dict[str, Any]) -> str:
    if key == "too_short" and "shortest" not in tally:  # a report from before they held the number
        return _("shorter than the project's shortest paragraph")
    limits = {"shortest": tally.get("shortest", 0), "longest": MAX_PARAGRAPH_CHARS}
    return str(REASONS.get(key, key)) % {name: grouped(limit) for name, limit in limits.items()}


def example_of(example: dict[str, Any]) -> str:
    """An example in one line: which article and paragraph, or which question, and what it says."""
    if "problems" in example:
        return fault_line(example)
    text = " ".join(example["text"].split())
    ellipsis = "…" if example["characters"] > len(example["text"]) else ""
    place = _("%(article)s, paragraph %(number)s (%(characters)s characters): “%(text)s”") % {
        "article": example["article"],
        "number": example["paragraph"] + 1,
        "characters": grouped(example["characters"]),
        "text": text + ellipsis,
    }
    return f"{example['question_id']}: {place}" if "question_id" in example else place


def fault_line(fault: dict[str, Any]) -> str:
    """A faulty question in one line: its id or that it has none, where it stands, and all that is wrong with it."""
    name = fault["question_id"] if fault["question_id"] is not None else _("a question without an id")
    return f"{name} ({fault['article']}, {fault['place']}): {' '.join(fault['problems'])}"


def fault_lines(faults: Sequence[dict[str, Any]]) -> list[str]:
    """What a refused file's person is told, every fault in a line."""
    count = len(faults)
    heading = ngettext(
        "%(count)s question is faulty; nothing was stored. Correct the file, or leave faulty questions out "
        "(--skip-faulty).",
        "%(count)s questions are faulty; nothing was stored. Correct the file, or leave faulty questions out "
        "(--skip-faulty).",
        count,
    )
    return [heading % {"count": count}, *(f"  {fault_line(fault)}" for fault in faults)]


def report_lines(report: dict[str, Any]) -> list[str]:
    """The report for a terminal."""
    lines = [
        _("Articles: %(added)s new of %(read)s.") % report["articles"],
        _("Paragraphs: %(added)s taken of %(read)s.") % report["paragraphs"],
        *_dropped_lines(report["paragraphs"]),
    ]
    if report["paragraphs"].get("excluded"):
        lines.append(_("Excluded, as their articles are: %(excluded)s.") % report["paragraphs"])
    if "questions" in report:
        lines += [
            _("Questions: %(added)s taken of %(read)s. Answers: %(answers)s.") % report["questions"],
            *_dropped_lines(report["questions"]),
            *(f"  {fault_line(fault)}" for fault in report["faults"]),
        ]
    return [*lines, _("New articles by split: %(train)s train, %(dev)s dev, %(test)s test.") % report["splits"]]


def _dropped_lines(tally: dict[str, Any]) -> list[str]:
    return [
        f"  {grouped(row.count)} {_('left out')}: {row.reason}."
        + (f" {_('For example')} {row.example}" if row.example else "")
        for row in dropped(tally)
    ]


@dataclass(frozen=True)
class LeftOut:
    """What one file did not bring: by the import itself, and by the curation that made the file."""

    record: Import
    by_import: Sequence[Dropped]
    by_curation: Sequence[Dropped]

    @property
    def count(self) -> int:
        return sum(row.count for row in (*self.by_import, *self.by_curation))


def left_out(project: Project, most: int = MOST_IMPORTS) -> list[LeftOut]:
    """What the latest files of ``project`` did not bring and why, newest first, without those that brought all."""
    found = []
    for record in project.imports.order_by("-pk")[:most]:
        by_import = dropped(record.report["paragraphs"]) if "paragraphs" in record.report else []
        one = LeftOut(record, by_import, dropped_by_curation(record.curation))
        if one.count:
            found.append(one)
    return found
