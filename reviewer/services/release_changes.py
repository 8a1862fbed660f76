"""What changed between two releases of a project. As releases never change, what was found once is kept beside them."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.models import Assignment
from reviewer.models import Release
from reviewer.services.pseudonyms import workers_by_pseudonym
from reviewer.services.release_places import PRIVATE, PUBLIC, folder_of, home
from scoring.release_diff import Difference, Folder, difference, rows

# Questions of each kind that are shown with their words.
SHOWN = 50
KINDS = ("added", "removed", "changed")


@dataclass(frozen=True)
class Changes:
    """Ids of all questions that differ, and of the first ``SHOWN`` of each kind what they were and what they are."""

    difference: Difference
    before: dict[str, dict[str, Any]]
    after: dict[str, dict[str, Any]]

    @property
    def shown(self) -> dict[str, list[str]]:
        return {kind: list(getattr(self.difference, kind))[:SHOWN] for kind in KINDS}


def changes(earlier: Release, later: Release) -> Changes:
    """What changed from ``earlier`` to ``later``, two releases of one project. Raises FileError and OSError."""
    kept = kept_file(earlier, later)
    try:
        found = json.loads(kept.read_bytes())
    except (FileNotFoundError, ValueError):
        found = found_between(earlier, later, folder_of(later))
        keep(kept, found)
    return Changes(Difference(**found["difference"]), found["before"], found["after"])


def kept_file(earlier: Release, later: Release) -> Path:
    """Where what changed between the two is kept once it was found."""
    return home(earlier.project) / "changes" / f"{earlier.number}-{later.number}.json"


def found_between(earlier: Release, later: Release, built: Path) -> dict[str, Any]:
    """What changed from ``earlier`` to ``later``, whose files are in ``built``, in the form in which it is kept. Raises
    FileError and OSError."""
    return _found(readable(earlier, folder_of(earlier), later), readable(later, built, earlier))


def readable(release: Release, built: Path, other: Release) -> Folder:
    """The files of ``release`` in ``built``, to be compared with ``other``'s. The salts of both tell which names are of
    the same worker: where both name workers, a change of who answered is one."""
    names = None
    if release.names_workers and other.names_workers:
        keys = Assignment.objects.in_project(release.project).order_by().values_list("worker", flat=True).distinct()
        names = workers_by_pseudonym(release.salt, map(str, keys))
    return Folder(built / PUBLIC, built / PRIVATE, names)


def _found(earlier: Folder, later: Folder) -> dict[str, Any]:
    found = difference(earlier, later)
    changed = list(found.changed)[:SHOWN]
    # What is shown comes from the public files alone: whoever may see a change may not see held-back answers.
    before = {row["id"]: row for row in rows(Folder(earlier.public), [*found.removed[:SHOWN], *changed])}
    after = {row["id"]: row for row in rows(Folder(later.public), [*found.added[:SHOWN], *changed])}
    return {
        "difference": {"added": found.added, "removed": found.removed, "changed": found.changed},
        "before": before,
        "after": after,
    }


def keep(path: Path, found: dict[str, Any]) -> None:
    """At its place once it is whole, whoever else finds the same meanwhile."""
    path.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".", delete=False, encoding="utf-8") as file:
        json.dump(found, file)
    os.replace(file.name, path)
