"""Chosen pages of a multistream dump: bz2 streams of a hundred pages each, and an index of where they begin."""

import bz2
import html
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO

from curation.titles import page_title
from curation.wikipedia.compressed import PIECE_BYTES, BrokenDump, pieces
from curation.wikipedia.dump import Export, Page, Site
from scoring.json_files import FileError
from scoring.sentences import _


def offsets_of(index: Path, titles: Collection[str]) -> list[int]:
    """Where in the dump the streams begin that hold ``titles``, in order. Raises FileError.

    A line of the index is "offset:page id:title".
    """
    wanted = set(titles)
    offsets: set[int] = set()
    for number, line in enumerate(_lines(index), 1):
        offset, colon, rest = line.partition(":")
        title = rest.partition(":")[2]
        if not colon or not offset.isdecimal() or not title:
            raise FileError(_("Line {line} of the index is not “offset:page:title”: is it another file?", line=number))
        if page_title(html.unescape(title)) in wanted:
            offsets.add(int(offset))
    return sorted(offsets)


def pages_at(path: Path, offsets: list[int], site: Site) -> Iterator[Page]:
    """The pages of the streams that begin at ``offsets``; ``site`` is filled from the first stream, the head.

    Raises FileError where the file cannot be read, BrokenDump where no stream begins at an offset.
    """
    export = Export(site)
    try:
        with open(path, "rb") as raw:
            for offset in dict.fromkeys([0, *offsets]):
                raw.seek(offset)
                yield from _stream(raw, export)
    except OSError as error:
        raise FileError(_("The file cannot be read: {reason}.", reason=error.strerror or str(error))) from None


def _stream(raw: BinaryIO, export: Export) -> Iterator[Page]:
    offset, unpacker = raw.tell(), bz2.BZ2Decompressor()
    data = b""
    while not unpacker.eof:
        if unpacker.needs_input and not (data := raw.read(PIECE_BYTES)):
            raise BrokenDump(
                _("The compressed file is truncated in the stream at {offset}. Fetch it again.", offset=offset)
            )
        try:
            piece = unpacker.decompress(data, PIECE_BYTES)
        except OSError:
            raise BrokenDump(
                _("No bz2 stream begins at {offset}; is the index another dump's?", offset=offset)
            ) from None
        data = b""
        yield from export.feed(piece)


def _lines(index: Path) -> Iterator[str]:
    rest = b""
    try:
        with open(index, "rb") as raw:
            for piece in pieces(raw):
                *lines, rest = (rest + piece).split(b"\n")
                yield from (line.decode("utf-8", "replace") for line in lines if line.strip())
    except OSError as error:
        raise FileError(_("The index cannot be read: {reason}.", reason=error.strerror or str(error))) from None
    if rest.strip():
        yield rest.decode("utf-8", "replace")
