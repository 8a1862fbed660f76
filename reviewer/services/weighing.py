"""What weighing answers by their workers came to, kept for the API: a job works it out, as it takes seconds to minutes.

Kept in the cache with the mark of the rows that it hangs on, as agreement is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.utils import timezone

from annotation.models import Project
from reviewer.services import aggregation, study

# Bumped where the shape of what is kept changes.
SHAPE = 1
# For so long nobody queues the same job again; beyond it the job is taken for killed.
UNDER_WAY_SECONDS = 30 * 60


@dataclass(frozen=True)
class Weighed:
    """The report of an aggregation, None while it is being worked out, with its questions sorted by their ids;
    ``is_current`` says whether no answer has come or gone since ``at``."""

    report: dict[str, Any] | None
    at: datetime | None = None
    is_current: bool = False


def weighed(project: Project, split: str, method: str) -> Weighed:
    """What is known of ``split`` by ``method``; a job is asked for where that is nothing or was overtaken. Raises
    NotAggregated where it cannot be worked out."""
    kept = cache.get(_key(project, split, method))
    is_current = bool(kept) and kept["mark"] == study.mark_of(project)
    if kept and is_current and kept["refusal"]:
        raise aggregation.NotAggregated(kept["refusal"])
    if not is_current:
        aggregation.require_library()
        if cache.add(f"{_key(project, split, method)}:under-way", 1, UNDER_WAY_SECONDS):
            from reviewer.tasks import weigh_answers

            weigh_answers.delay(project.pk, split, method)
    if not kept or kept["refusal"]:
        return Weighed(None)
    return Weighed(kept["report"], kept["at"], is_current)


def work_out(project: Project, split: str, method: str) -> None:
    """Weigh the answers of ``split`` by ``method`` and keep what came of it, a refusal too."""
    kept: dict[str, Any] = {"mark": study.mark_of(project), "at": timezone.now(), "refusal": "", "report": None}
    try:
        report = {"split": split} | aggregation.aggregate(project, split, method).report()
        report["questions"].sort(key=lambda row: row["id"])
        kept["report"] = report
    except aggregation.NotAggregated as refusal:
        kept["refusal"] = str(refusal)
    finally:
        cache.delete(f"{_key(project, split, method)}:under-way")
    cache.set(_key(project, split, method), kept, study.KEPT_SECONDS)


def _key(project: Project, split: str, method: str) -> str:
    # With the time, as a database may be made anew, and its keys come again, while the cache stays.
    return f"weighed:{SHAPE}:{project.pk}:{project.created_at.timestamp()}:{split}:{method}"
