"""Where a curation's files lie: what was sent over, unpacked within bounds; what is on the server; and the result.

Nothing that a browser or a program names is ever a path: an upload keeps the end of its name, and a source on the
server is chosen from what the configured folder holds.
"""

from __future__ import annotations

import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import IO, Protocol
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.sentences import grouped
from scoring.datasets import Article, Paragraph
from scoring.passage_files import article_of_line

# Of all files that are sent over at once; larger sources are put into the folder on the server.
MAX_UPLOAD_BYTES = 100 * 2**20
# Of a zip, once unpacked, and how deep its folders may lie in each other. Our choice.
MAX_UNPACKED_BYTES = 500 * 2**20
MOST_UNPACKED_FILES = 10_000
DEEPEST = 8
MOST_NAME_BYTES = 200
MOST_OFFERED = 500
OUTPUT = "passages.jsonl"
# What a page hands out, by name, with its type.
RESULTS = {
    OUTPUT: "application/jsonl",
    "passages.report.json": "application/json",
    "passages.sample.json": "application/json",
}
_PIECE_BYTES = 2**18
_DOCUMENTS, _TITLES = "source", "titles"


class BadUpload(Exception):
    """What was sent over cannot be a source; the message says why and what to do."""


class Upload(Protocol):
    """A file as Django's forms hand it over."""

    name: str | None
    size: int | None

    def chunks(self) -> Iterable[bytes]: ...


def folder(key: UUID) -> Path:
    """Where the files of the run ``key`` lie."""
    return Path(settings.CURATIONS_DIR) / str(key)


def output(key: UUID) -> Path:
    """The passages that the run wrote, or writes."""
    return folder(key) / OUTPUT


def offered() -> list[str]:
    """The files and folders on the server that may be read, by name; links and hidden ones are none."""
    if not settings.CURATION_SOURCES_DIR:
        return []
    try:
        found = sorted(Path(settings.CURATION_SOURCES_DIR).iterdir())
    except OSError:
        return []
    names = [path.name for path in found if not path.name.startswith(".") and not path.is_symlink()]
    return [name for name in names if name.isprintable()][:MOST_OFFERED]


def on_the_server(name: str) -> Path:
    """The source on the server of that ``name``. Raises BadUpload where none is offered."""
    if name not in offered():
        raise BadUpload(_("There is no “%(name)s” on the server any more.") % {"name": name})
    return Path(settings.CURATION_SOURCES_DIR) / name


def source_of(key: UUID) -> Path:
    """The one file that was sent over for the run ``key``, or the folder of all of them."""
    place = folder(key) / _DOCUMENTS
    try:
        found = list(place.iterdir())
    except OSError:
        raise BadUpload(_("What was sent over is gone. Send it again.")) from None
    return found[0] if len(found) == 1 and found[0].is_file() else place


def titles_of(key: UUID, name: str) -> Path:
    """The list of titles that was sent over for the run ``key``."""
    return folder(key) / _TITLES / name


def keep_source(key: UUID, uploads: Sequence[Upload]) -> str:
    """Keep ``uploads`` as the source of the run ``key``, a zip unpacked; return what it is called.

    Raises BadUpload, also where they are too many bytes.
    """
    place = _made(folder(key) / _DOCUMENTS)
    _check_size(uploads)
    if len(uploads) == 1 and _name(uploads[0]).lower().endswith(".zip"):
        archive = folder(key) / "source.zip"
        _write(uploads[0], archive)
        _unpack(archive, place)
        archive.unlink()
        return _name(uploads[0])
    for upload in uploads:
        path = place / _name(upload)
        if path.exists():
            raise BadUpload(
                _("Two of the files are named “%(name)s”. Give each a name of its own.") % {"name": path.name}
            )
        _write(upload, path)
    if len(uploads) == 1:
        return _name(uploads[0])
    count = len(uploads)
    return ngettext("%(count)s file", "%(count)s files", count) % {"count": grouped(count)}


def keep_titles(key: UUID, upload: Upload) -> str:
    """Keep ``upload`` as the list of titles of the run ``key``; return its name. Raises BadUpload."""
    _check_size([upload])
    _write(upload, _made(folder(key) / _TITLES) / _name(upload))
    return _name(upload)


def kept_paragraph(key: UUID, number: int) -> tuple[Article, Paragraph] | None:
    """Of what the run ``key`` kept, the paragraph of that ``number`` (from 1) with its article; None where there is no
    such one, or no longer."""
    if number < 1:
        return None
    try:
        with open(output(key), encoding="utf-8") as lines:
            for place, line in enumerate(lines, start=1):
                article = article_of_line(line, place)
                if number <= len(article.paragraphs):
                    return article, article.paragraphs[number - 1]
                number -= len(article.paragraphs)
    except OSError:
        return None
    return None


def forget(key: UUID) -> None:
    """Delete everything of the run ``key``."""
    shutil.rmtree(folder(key), ignore_errors=True)


def forget_source(key: UUID) -> None:
    """Delete what was sent over for the run ``key``; what it wrote stays."""
    for name in (_DOCUMENTS, _TITLES):
        shutil.rmtree(folder(key) / name, ignore_errors=True)


def _made(place: Path) -> Path:
    # What is curated may be under licence or not public yet: of the platform's user alone.
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place.mkdir(mode=0o700, exist_ok=True)
    return place


def _check_size(uploads: Sequence[Upload]) -> None:
    size = sum(upload.size or 0 for upload in uploads)
    if size > MAX_UPLOAD_BYTES:
        raise BadUpload(
            _("That is %(size)s MB; %(limit)s MB may be sent over. Put it into the server's folder of sources.")
            % {"size": f"{size / 2**20:,.1f}", "limit": MAX_UPLOAD_BYTES >> 20}
        )


def _name(upload: Upload) -> str:
    name = PurePosixPath((upload.name or "").replace("\\", "/")).name
    if not name or name.startswith(".") or not name.isprintable() or len(name.encode()) > MOST_NAME_BYTES:
        raise BadUpload(_("“%(name)s” is no name for a file here. Give it a short plain one.") % {"name": name[:40]})
    return name


def _write(upload: Upload, path: Path) -> None:
    with open(path, "xb") as file:
        for piece in upload.chunks():
            file.write(piece)


def _unpack(archive: Path, place: Path) -> None:
    """Write the files in ``archive`` below ``place``. Raises BadUpload where it is no sound zip of plain files, or
    unpacks to more than a source of this page may have; how much it is, is counted and not believed."""
    try:
        with zipfile.ZipFile(archive) as packed:
            files = [entry for entry in packed.infolist() if not entry.is_dir()]
            if len(files) > MOST_UNPACKED_FILES:
                raise BadUpload(
                    _("The zip holds %(count)s files; %(most)s may be in it.")
                    % {"count": grouped(len(files)), "most": grouped(MOST_UNPACKED_FILES)}
                )
            left = MAX_UNPACKED_BYTES
            for entry in files:
                target = place / _place_in(entry)
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with packed.open(entry) as source, open(target, "xb") as file:
                    left -= _copied(source, file, left)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BadUpload(_("The zip cannot be unpacked: it is damaged, or locked by a password.")) from error
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise BadUpload(_("The zip holds two files of one name.")) from error


def _place_in(entry: zipfile.ZipInfo) -> Path:
    parts = entry.filename.split("/")
    is_link = stat.S_ISLNK(entry.external_attr >> 16)
    is_odd = any(part in ("", ".", "..") or "\\" in part or not part.isprintable() for part in parts)
    if is_link or is_odd or any(len(part.encode()) > MOST_NAME_BYTES for part in parts):
        raise BadUpload(_("The zip holds “%(name)s”, which is no plain file in it.") % {"name": entry.filename[:80]})
    if len(parts) > DEEPEST:
        raise BadUpload(
            _("“%(name)s” lies too deep in the zip: %(most)s folders may lie in each other.")
            % {"name": entry.filename[:80], "most": DEEPEST - 1}
        )
    return Path(*parts)


def _copied(source: IO[bytes], file: IO[bytes], most: int) -> int:
    count = 0
    while piece := source.read(_PIECE_BYTES):
        count += len(piece)
        if count > most:
            raise BadUpload(
                _("The zip unpacks to more than %(limit)s MB. Put its files into the server's folder of sources.")
                % {"limit": MAX_UNPACKED_BYTES >> 20}
            )
        file.write(piece)
    return count
