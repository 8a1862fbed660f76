"""The report of a curation, as it comes with a file of passages: read, checked, and told in words.

Its form is that of ``manage.py curate``: ``{"articles": {"read", "kept", "dropped": {reason: {"count", "examples":
[{"title", "detail", "text"}]}}}, "paragraphs": {...}, ...}``; a sample of titles, where one was drawn, stands in it.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.services.dropping import Dropped
from curation.articles import Reason
from scoring.json_files import FileError, object_at, read_json
from scoring.sentences import _ as said

# A report holds counts and a few examples; thousands of file names make the largest.
MAX_REPORT_BYTES = 5 * 2**20
PARTS = ("articles", "paragraphs")
REASONS: dict[str, Any] = {
    Reason.NOT_AN_ARTICLE: gettext_lazy("no article but a page of another kind"),
    Reason.NOT_ASKED_FOR: gettext_lazy("not among the titles that were sampled"),
    Reason.REDIRECT: gettext_lazy("a redirect"),
    Reason.DISAMBIGUATION: gettext_lazy("a disambiguation page"),
    Reason.LIST: gettext_lazy("a list"),
    Reason.STUB: gettext_lazy("a stub"),
    Reason.NO_SUCH_TITLE: gettext_lazy("no article of that title"),
    Reason.UNREADABLE: gettext_lazy("unreadable"),
    Reason.TOO_LARGE: gettext_lazy("too large"),
    Reason.EMPTY: gettext_lazy("nothing of it was left"),
    Reason.LOST_TEXT: gettext_lazy("text in it could not be written out"),
    Reason.TOO_SHORT: gettext_lazy("too short"),
    Reason.TOO_LONG: gettext_lazy("too long"),
    Reason.TOO_FEW_SENTENCES: gettext_lazy("too few sentences"),
    Reason.DIGITS: gettext_lazy("too many digits"),
    Reason.MARKUP: gettext_lazy("too much markup"),
    Reason.FOREIGN_SCRIPT: gettext_lazy("letters of another script"),
    Reason.OTHER_LANGUAGE: gettext_lazy("in another language"),
    Reason.BOILERPLATE: gettext_lazy("boilerplate"),
    Reason.NEAR_DUPLICATE: gettext_lazy("nearly the same as another"),
}


def read_report(data: bytes) -> dict[str, Any]:
    """The report that ``data`` holds. Raises FileError where it is none."""
    report = object_at(read_json(data, MAX_REPORT_BYTES), "the report")
    for part in PARTS:
        counts = report.get(part)
        if not isinstance(counts, dict) or not all(isinstance(counts.get(key), int) for key in ("read", "kept")):
            raise FileError(said("It is no report of a curation: {part} is missing or says no numbers.", part=part))
        for entry in _dropped_of(counts).values():
            if not isinstance(entry, dict) or not isinstance(entry.get("count"), int):
                raise FileError(
                    said("It is no report of a curation: what was dropped in {part} has no count.", part=part)
                )
    return report


def dropped_by_curation(report: dict[str, Any]) -> list[Dropped]:
    """Why articles and paragraphs were left out when the file was made, the most frequent reason of each first."""
    rows = []
    for part in PARTS:
        entries = _dropped_of(report.get(part, {}))
        for reason, entry in sorted(entries.items(), key=lambda item: -item[1]["count"]):
            words = str(REASONS.get(reason, reason))
            template = _("articles: %(reason)s") if part == "articles" else _("paragraphs: %(reason)s")
            rows.append(Dropped(template % {"reason": words}, entry["count"], _example(entry)))
    return rows


def _dropped_of(counts: dict[str, Any]) -> dict[str, Any]:
    dropped = counts.get("dropped", {})
    return dropped if isinstance(dropped, dict) else {}


def _example(entry: dict[str, Any]) -> str:
    """The first example in a line, empty where there is none."""
    examples = entry.get("examples")
    first = examples[0] if isinstance(examples, list) and examples else {}
    if not isinstance(first, dict):
        return ""
    title, detail, text = (str(first.get(name, "")) for name in ("title", "detail", "text"))
    told = f"{title} ({detail})" if detail else title
    return f"{told}: “{' '.join(text.split())}”" if text else told
