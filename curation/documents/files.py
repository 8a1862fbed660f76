"""The files of a folder, in an order that never changes, and none that lies outside of it."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from curation.articles import Drop, Reason
from scoring.json_files import FileError
from scoring.sentences import _

# Of a file that must be in memory whole to be read.
WHOLE_BYTES = 64 * 2**20
# Deeper folders than this are no collection of documents.
_DEEPEST = 64


@dataclass(slots=True)
class SourceFile:
    """A file that a person pointed at, or that lies in a folder they pointed at. ``name`` is its path from there,
    with "/" between folders. What reading it finds out stands in ``encoding`` and ``sha256``."""

    path: Path
    name: str
    size_bytes: int = 0
    encoding: str = ""
    sha256: str = ""

    @property
    def ending(self) -> str:
        """What its name ends with, in small letters, without a ``.gz`` behind: ".txt"."""
        return Path(self.name.lower().removesuffix(".gz")).suffix

    @property
    def stem(self) -> str:
        """Its name without the ending."""
        return self.name[: len(self.name.removesuffix(".gz").removesuffix(".GZ")) - len(self.ending)]

    def open(self) -> BinaryIO:
        """The file, if it is still the plain file it was. Raises FileError."""
        try:
            # Neither a link that was put in its place nor a pipe that nobody writes into holds us up.
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise FileError(_("It cannot be read: {reason}.", reason=error.strerror)) from None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise FileError(_("It is no plain file."))
        return os.fdopen(descriptor, "rb")

    def read(self, max_bytes: int = WHOLE_BYTES) -> bytes:
        """All of it. Raises FileError, TooLarge where it has more than ``max_bytes``."""
        with self.open() as file:
            data = file.read(max_bytes + 1)
        if len(data) > max_bytes:
            raise TooLarge(max_bytes)
        self.sha256 = sha256(data).hexdigest()
        return data

    def as_json(self) -> dict[str, str | int]:
        """What a report says of it."""
        return {"name": self.name, "bytes": self.size_bytes, "encoding": self.encoding, "sha256": self.sha256}


class TooLarge(FileError):
    """A file of more than ``max_bytes``, once unpacked."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(_("It is larger than {limit} bytes. Split it.", limit=f"{max_bytes:,}"))


def files_of(source: Path) -> Iterator[SourceFile | Drop]:
    """``source`` itself if it is a file, else every file below it by name, folders in their place; links, hidden
    files and special files come as drops. Raises FileError where ``source`` is neither or cannot be read."""
    path = source.resolve()
    if path.is_file():
        yield SourceFile(path, shown_name(path.name), path.stat().st_size)
    elif path.is_dir():
        yield from _files_below(path, "", 1)
    elif path.exists():
        raise FileError(_("It is neither a file nor a folder."))
    else:
        raise FileError(_("There is no such file or folder."))


def _files_below(folder: Path, prefix: str, depth: int) -> Iterator[SourceFile | Drop]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        sentence = _("The folder cannot be read: {reason}.", reason=error.strerror)
        if not prefix:
            raise FileError(sentence) from None
        yield Drop(shown_name(prefix), Reason.UNREADABLE, detail=sentence)
        return
    for entry in entries:
        name = prefix + entry.name
        if problem := _problem(entry, depth):
            yield Drop(shown_name(name), Reason.NOT_A_DOCUMENT, detail=problem)
        elif entry.is_dir(follow_symlinks=False):
            yield from _files_below(Path(entry.path), f"{name}/", depth + 1)
        else:
            yield SourceFile(Path(entry.path), shown_name(name), entry.stat(follow_symlinks=False).st_size)


def _problem(entry: os.DirEntry[str], depth: int) -> str:
    if entry.name.startswith((".", "~$")):
        return _("It is hidden.")
    if entry.is_symlink():
        return _("It is a link, and links are not followed.")
    if entry.is_dir(follow_symlinks=False):
        return _("Folders lie too deep in each other.") if depth >= _DEEPEST else ""
    return "" if entry.is_file(follow_symlinks=False) else _("It is no plain file.")


def shown_name(name: str) -> str:
    """A file's name as text: bytes in it that are no UTF-8 become escapes."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
