"""Files that are read line by line, in little memory whatever their size, plain or gzip-compressed."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import BinaryIO

from curation.documents.files import SourceFile, TooLarge
from scoring.json_files import FileError
from scoring.sentences import _

# Of a file that is read in a stream, once unpacked: more is no file of documents but a bomb, or wants to be split.
STREAM_BYTES = 16 * 2**30
LINE_BYTES = 64 * 2**20
_SAMPLE_BYTES = 2**16


class Counted(io.RawIOBase):
    """The bytes of ``file`` as they are read, with their checksum. Raises TooLarge past STREAM_BYTES."""

    def __init__(self, file: BinaryIO | gzip.GzipFile, max_bytes: int) -> None:
        self._file = file
        self._left = self._max = max_bytes
        self.sha256 = sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._file.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise TooLarge(self._max)
        self.sha256.update(data)
        buffer[: len(data)] = data
        return len(data)


def lines_of(file: SourceFile) -> Iterator[tuple[int, str]]:
    """The lines of a file in UTF-8, ended by LF alone, with their numbers from 1. Raises FileError."""
    with opened(file) as stream:
        number = 0
        while line := stream.readline(LINE_BYTES + 1):
            number += 1
            if len(line) > LINE_BYTES:
                raise TooLarge(LINE_BYTES)
            yield number, _utf8(line, number)


@contextmanager
def opened(file: SourceFile, max_bytes: int = STREAM_BYTES) -> Iterator[io.BufferedReader[Counted]]:
    """The bytes of ``file``, unpacked where they are gzip; ``file.sha256`` is known once all of them are read.
    Raises FileError, also for what goes wrong while they are read."""
    with file.open() as raw:
        packed = Counted(raw, max_bytes)
        try:
            plain = io.BufferedReader(packed, _SAMPLE_BYTES)
            if plain.peek(2).startswith(b"\x1f\x8b"):
                yield io.BufferedReader(Counted(gzip.GzipFile(fileobj=plain), max_bytes))
            else:
                yield plain
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise FileError(
                _("The file is a damaged gzip file: it cannot be unpacked to its end. Fetch it again.")
            ) from None
        except OSError as error:
            raise FileError(_("It cannot be read: {reason}.", reason=error.strerror or str(error))) from None
        file.sha256 = packed.sha256.hexdigest()


def _utf8(line: bytes, number: int) -> str:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise FileError(_("Line {line} is not UTF-8. Save the file as UTF-8.", line=number)) from None
    return text.removeprefix("\ufeff") if number == 1 else text
