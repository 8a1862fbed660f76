"""What a project's page counts, as it was counted last, and counting it anew.

Counting reads every question of the project. What came out is kept in the cache with a mark of the rows that it hangs
on. In a small project the page counts by itself as soon as the mark is another one; in a large one it shows what is
known, says from when that is, and a job counts anew. Rooms register what is counted, and what it hangs on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from annotation.models import Project

# Up to so many questions, and so many paragraphs, a page counts by itself, in some hundredths of a second.
COUNTED_AT_ONCE = 1500
# Bumped where the shape of what is kept changes.
SHAPE = 1
KEPT_SECONDS = 30 * 24 * 60 * 60
# For so long nobody queues the same job again.
UNDER_WAY_SECONDS = 60

_counts: dict[str, Callable[[Project], Any]] = {}
# What the counts of this room hang on. Approving work gives its answers their positions, and moves its status.
_marks = [
    "(SELECT to_jsonb(project) FROM annotation_project project WHERE id = %(project)s)",
    "(SELECT id FROM annotation_question WHERE project_id = %(project)s ORDER BY id DESC LIMIT 1)",
    "(SELECT id FROM annotation_paragraph WHERE project_id = %(project)s ORDER BY id DESC LIMIT 1)",
    "(SELECT max(id) FROM annotation_answer)",
    "(SELECT max(id) FROM annotation_verdict)",
    "(SELECT max(id) FROM annotation_textrepair)",
    "(SELECT max(id) FROM annotation_goldquestion WHERE project_id = %(project)s)",
    "(SELECT max(id) FROM annotation_passageact WHERE project_id = %(project)s)",
    "(SELECT max(id) FROM annotation_task WHERE project_id = %(project)s)",
    """(SELECT jsonb_object_agg(status, n) FROM (
         SELECT assignment.status, count(*) AS n FROM annotation_assignment assignment
         JOIN annotation_task task ON task.id = assignment.task_id
         WHERE task.project_id = %(project)s GROUP BY assignment.status) counted)""",
]
_SIZE = """
    (SELECT count(*) FROM (SELECT 1 FROM annotation_question WHERE project_id = %(project)s LIMIT %(most)s) first)
    + (SELECT count(*) FROM (SELECT 1 FROM annotation_paragraph WHERE project_id = %(project)s LIMIT %(most)s) first)
"""


@dataclass(frozen=True)
class Counted:
    """Counts by name, empty while they are made for the first time; ``is_current`` says whether nothing that they hang
    on has changed since ``at``."""

    values: dict[str, Any] = field(default_factory=dict)
    at: datetime | None = None
    is_current: bool = False


def register(name: str, count: Callable[[Project], Any]) -> None:
    """Have ``count`` made of every project; what it returns must fit into the cache."""
    _counts[name] = count


def watch(mark: str) -> None:
    """Count anew whenever ``mark`` changes: an expression of SQL, of JSON or a number, about ``%(project)s``."""
    if mark not in _marks:
        _marks.append(mark)


def counted(project: Project) -> Counted:
    """The counts of ``project``; asked for once for each page, whatever part of it asks."""
    if "_counted" not in project.__dict__:
        project.__dict__["_counted"] = _known(project)
    known: Counted = project.__dict__["_counted"]
    return known


def count(project: Project) -> Counted:
    """Count, and keep it."""
    mark, _is_small = _mark(project)
    kept = Counted({name: one(project) for name, one in _counts.items()}, timezone.now(), True)
    cache.set(_key(project), (mark, kept), KEPT_SECONDS)
    cache.delete(f"{_key(project)}:under-way")
    return kept


def _known(project: Project) -> Counted:
    mark, is_small = _mark(project)
    known_mark, kept = cache.get(_key(project)) or (None, Counted())
    if known_mark == mark and kept.values.keys() == _counts.keys():
        return Counted(kept.values, kept.at, True)
    if is_small:
        return count(project)
    if cache.add(f"{_key(project)}:under-way", 1, UNDER_WAY_SECONDS):
        from annotation import tasks

        tasks.count.delay(project.pk)
    return Counted(kept.values, kept.at, False)


def _mark(project: Project) -> tuple[list[Any], bool]:
    """What changes whenever a count would, and whether the project is small."""
    values = {"project": project.pk, "most": COUNTED_AT_ONCE + 1}
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_SIZE}, {', '.join(_marks)}", values)
        size, *mark = cursor.fetchone()
    return mark, size <= COUNTED_AT_ONCE


def _key(project: Project) -> str:
    # With the time, as a database may be made anew, and its keys come again, while the cache stays.
    return f"counts:{SHAPE}:{project.pk}:{project.created_at.timestamp()}"
