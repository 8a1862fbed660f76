"""Whether the kept files of a release are still what was released."""

from __future__ import annotations

from pathlib import Path

from reviewer.models import Release
from reviewer.services.release_places import PRIVATE, PUBLIC, folder_of
from scoring.json_files import FileError
from scoring.release_files import described, edits, faults, read_manifest
from scoring.sentences import Sentence, _


def faults_of(release: Release) -> list[Sentence]:
    """What is not as it was released, a sentence each: files, the manifest as the release's row has it, and the
    held-back answers."""
    folder = folder_of(release)
    try:
        found = faults(folder / PUBLIC) + edits(read_manifest(folder / PUBLIC), release.manifest)
    except FileError as error:
        found = [error.sentence]
    for file in release.manifest["private_files"]:
        path: Path = folder / PRIVATE / file["path"]
        if not path.is_file():
            found.append(_("{path} is missing.", path=path.name))
        elif described(path.parent, path) != file:
            found.append(_("{path} was changed after the release: its checksum is another.", path=path.name))
    return found
