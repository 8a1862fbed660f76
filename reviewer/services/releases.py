"""Releases: a project's dataset frozen, numbered, and written in the formats that others read.

The same data gives the same bytes, and no new number: a release exists where something changed. No row is locked while
anything is read or written; that only one release of a project is made at a time is a constraint of its runs.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Project
from reviewer.models import Release
from reviewer.services import release_changes
from reviewer.services.dataset import NotExportable
from reviewer.services.pseudonyms import new_salt
from reviewer.services.release_changes import found_between
from reviewer.services.release_places import folder_of, home, targets
from reviewer.services.release_reading import Content, ReleaseSpec, read
from reviewer.services.release_writing import Told, finish, write
from scoring.release_diff import Difference

_UNFINISHED = ".unfinished-"
# Entered to keep what was made, with the release and whether it is new: raises where it is not wanted any more.
Keep = Callable[[Release, bool], AbstractContextManager[None]]


def make(project: Project, spec: ReleaseSpec, user: User | None, *, told: Told, keep: Keep) -> None:
    """Make the release of ``project`` as it is now; where nothing changed since the latest, keep that one. ``told``
    hears how many files are written. Raises NotExportable, FileError, OSError, and what ``keep`` raises."""
    place = home(project)
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    for left in place.glob(f"{_UNFINISHED}*"):  # by a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_UNFINISHED, dir=place, ignore_cleanup_errors=True) as unfinished:
        content = read(project, spec, Path(unfinished))
        if content.is_empty:
            raise NotExportable(_("No question counts yet: there is nothing to release. Approve work first."))
        latest = Release.objects.in_project(project).order_by("number").last()
        if latest is not None and latest.content_sha256 == content.sha256(latest.salt):
            with keep(latest, False):
                return
        new = _begun(project, spec, user, latest, content)
        built = Path(unfinished) / "built"
        write(new, content, built, told)
        found = found_between(latest, new, built) if latest is not None else None
        finish(new, content, built, _changes(latest, found))
        with keep(new, True):
            new.save()
            target = folder_of(new)
            shutil.rmtree(target, ignore_errors=True)  # of a release whose row never came to be
            built.rename(target)
        if latest is not None and found is not None:
            # For the page that shows it; without it a job finds it again.
            with suppress(OSError):
                release_changes.keep(release_changes.kept_file(latest, new), found)


def deliver(release: Release, folder: Path) -> list[Path]:
    """Copy the public files of ``release`` into ``folder``, and held-back answers into its ``-private``; return the
    folders. Raises as ``targets`` does, and OSError."""
    places = targets(folder, holds_back_test=release.holds_back_test)
    for part, target in places.items():
        shutil.copytree(folder_of(release) / part, target, dirs_exist_ok=True)
    return list(places.values())


def _begun(project: Project, spec: ReleaseSpec, user: User | None, latest: Release | None, content: Content) -> Release:
    salt = new_salt() if spec.with_workers else ""
    return Release(
        project=project,
        number=latest.number + 1 if latest else 1,
        holds_back_test=spec.holds_back_test,
        workers=spec.workers,
        salt=salt,
        note=spec.note,
        content_sha256=content.sha256(salt),
        released_by=user,
        released_at=timezone.now(),
    )


def _changes(latest: Release | None, found: dict[str, Any] | None) -> dict[str, Any] | None:
    """What changed since ``latest``, counted."""
    if latest is None or found is None:
        return None
    counts = Difference(**found["difference"]).counts
    return {"number": latest.number, "content_sha256": latest.content_sha256, "questions": counts}
