"""Looking through the files of releases for a page: whether they are as they were released, and what changed.

That reads every file. What is small is looked through while the page is built; a large release by a job, and the page
says so until the job is done. What came out of a check holds for a moment, as files may be touched at any time: it is
shown with its time, and checked again when somebody looks later. What changed between two releases holds for good.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.utils import timezone

from reviewer.models import Release
from reviewer.services.release_changes import Changes, changes, kept_file
from reviewer.services.release_checks import faults_of
from scoring.json_files import FileError
from scoring.sentences import Sentence, _

# Up to so many bytes a page looks through by itself, in some tenths of a second.
AT_ONCE_BYTES = 8_000_000
FRESH = timedelta(minutes=1)
KEPT_SECONDS = 30 * 24 * 60 * 60
# For so long nobody queues the same job again, and a comparison that failed is not tried again.
UNDER_WAY_SECONDS, REFUSED_SECONDS = 120, 60


class BeingCompared(Exception):
    """A job compares the two releases; ask again in a moment."""


@dataclass(frozen=True)
class Checked:
    """What is not as it was released, as it stood at ``at``; None before the first check is done. Unless it
    ``is_current``, a job is checking now."""

    faults: list[Sentence] | None = None
    at: datetime | None = None
    is_current: bool = False


def checked(release: Release) -> Checked:
    """What is known of the files of ``release``; where that is nothing, or old, they are looked through."""
    if _bytes_of(release) <= AT_ONCE_BYTES:
        return Checked(faults_of(release), timezone.now(), True)
    kept = cache.get(_check_key(release))
    found = Checked(_read(kept["faults"]), kept["at"], timezone.now() - kept["at"] < FRESH) if kept else Checked()
    if not found.is_current and cache.add(f"{_check_key(release)}:under-way", 1, UNDER_WAY_SECONDS):
        from reviewer import tasks

        tasks.check_release.delay(release.pk)
    return found


def check(release: Release) -> None:
    """Look through the files of ``release``, and keep what came out."""
    at = timezone.now()
    cache.set(_check_key(release), {"at": at, "faults": _written(faults_of(release))}, KEPT_SECONDS)
    cache.delete(f"{_check_key(release)}:under-way")


def changed(earlier: Release, later: Release) -> Changes:
    """What changed from ``earlier`` to ``later``. Raises BeingCompared while a job finds out, FileError and OSError."""
    if kept_file(earlier, later).exists() or _bytes_of(earlier) + _bytes_of(later) <= AT_ONCE_BYTES:
        return changes(earlier, later)
    key = _pair_key(earlier, later)
    if refused := cache.get(f"{key}:refused"):
        raise FileError(_read(refused)[0])
    if cache.add(f"{key}:under-way", 1, UNDER_WAY_SECONDS):
        from reviewer import tasks

        tasks.compare_releases.delay(earlier.pk, later.pk)
    raise BeingCompared


def compare(earlier: Release, later: Release) -> None:
    """Find out what changed, and keep it; or keep for a while why it cannot be said."""
    key = _pair_key(earlier, later)
    try:
        changes(earlier, later)
    except FileError as error:
        cache.set(f"{key}:refused", _written([error.sentence]), REFUSED_SECONDS)
    except OSError as error:
        sentence = _("The file cannot be read: {reason}.", reason=error.strerror or "")
        cache.set(f"{key}:refused", _written([sentence]), REFUSED_SECONDS)
    cache.delete(f"{key}:under-way")


def _bytes_of(release: Release) -> int:
    """As the platform's own copy of the manifest has them: what lies on the disk is what is to be looked at."""
    return sum(file["bytes"] for file in (*release.manifest["files"], *release.manifest["private_files"]))


def _written(sentences: list[Sentence]) -> list[tuple[str, dict[str, Any]]]:
    return [(sentence.template, sentence.values) for sentence in sentences]


def _read(written: list[tuple[str, dict[str, Any]]]) -> list[Sentence]:
    return [Sentence(template, **values) for template, values in written]


def _check_key(release: Release) -> str:
    # With the time, as a database may be made anew, and its keys come again, while the cache stays.
    return f"release-check:{release.pk}:{release.released_at.timestamp()}"


def _pair_key(earlier: Release, later: Release) -> str:
    return f"{_check_key(earlier)}:{_check_key(later)}"
