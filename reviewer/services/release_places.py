"""Where the files of releases are."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.models import Project
from reviewer.models import Release

PUBLIC, PRIVATE = "public", "private"


def home(project: Project) -> Path:
    """The folder of all releases of ``project``."""
    return Path(settings.RELEASES_DIR) / f"project-{project.pk}"


def folder_of(release: Release) -> Path:
    """Where the files of ``release`` are: ``public`` and, where test answers are held back, ``private``."""
    return home(release.project) / str(release.number)


def file_of(release: Release, name: str) -> Path:
    """The public file ``name`` (a path below the release's folder). Raises FileNotFoundError for any other name."""
    if name not in release.file_names:
        raise FileNotFoundError(name)
    return folder_of(release) / PUBLIC / name


def targets(folder: Path, *, holds_back_test: bool) -> dict[str, Path]:
    """Where each part of a release goes that is delivered to ``folder``: held-back answers into a folder beside it that
    ends in ``-private``. Raises FileExistsError unless each is missing or empty."""
    folder = folder.resolve()
    places = {PUBLIC: folder}
    if holds_back_test:
        places[PRIVATE] = folder.with_name(f"{folder.name}-private")
    for target in places.values():
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            sentence = _("{folder} is not empty: name a folder that is empty or does not exist.")
            raise FileExistsError(None, sentence.format(folder=target))
    return places
