"""All public files of a release as one .zip, made while it is sent, with the same bytes each time."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

from reviewer.models import Release
from reviewer.services.release_places import PUBLIC, folder_of

# Zip files carry times; the earliest that they can say stands in all of ours.
_TIME = (1980, 1, 1, 0, 0, 0)
_BLOCK = 1 << 20


class _Sent:
    """What ``zipfile`` writes to: bytes that wait to be sent. It has no place to go back to."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []

    def write(self, data: bytes) -> int:
        self.waiting.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        pass

    def take(self) -> Iterator[bytes]:
        waiting, self.waiting = self.waiting, []
        yield from waiting


def zip_name(release: Release) -> str:
    return f"{release.project.slug}-{release.number}.zip"


def zipped(release: Release) -> Iterator[bytes]:
    """The bytes of the .zip; in it the files lie in a folder of the release's own name."""
    sent = _Sent()
    folder = folder_of(release) / PUBLIC
    with zipfile.ZipFile(sent, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:  # type: ignore[call-overload]
        for name in release.file_names:
            entry = zipfile.ZipInfo(f"{release.project.slug}-{release.number}/{name}", _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with open(folder / name, "rb") as source, archive.open(entry, "w", force_zip64=True) as target:
                while block := source.read(_BLOCK):
                    target.write(block)
                    yield from sent.take()
            yield from sent.take()
    yield from sent.take()
