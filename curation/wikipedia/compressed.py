"""Compressed files unpacked in pieces of bounded size; what can be unpacked before a fault is given."""

import bz2
import zlib
from collections.abc import Iterator
from typing import Protocol

from scoring.json_files import FileError
from scoring.sentences import _

PIECE_BYTES = 2**18


class Packed(Protocol):
    """A file as far as it is needed here."""

    def read(self, count: int, /) -> bytes: ...


class BrokenDump(FileError):
    """The file ends or breaks in its midst; what came before was given."""


def pieces(raw: Packed) -> Iterator[bytes]:
    """The bytes of ``raw`` unpacked, be it bz2 (one stream or many), gzip or not compressed at all, told by its first
    bytes. Raises BrokenDump where it is truncated or damaged."""
    data = raw.read(PIECE_BYTES)
    if data.startswith(b"BZh"):
        packed: Iterator[bytes] = _bz2(data, raw)
    elif data.startswith(b"\x1f\x8b"):
        packed = _gzip(data, raw)
    else:
        packed = _plain(data, raw)
    count = 0
    try:
        for piece in packed:
            count += len(piece)
            yield piece
    except EOFError:
        raise BrokenDump(
            _(
                "The compressed file is truncated: it ends after {count} unpacked bytes. Fetch it again.",
                count=f"{count:,}",
            )
        ) from None
    except (OSError, zlib.error) as error:
        raise BrokenDump(
            _(
                "The compressed file is damaged after {count} unpacked bytes: {reason}. Fetch it again.",
                count=f"{count:,}",
                reason=str(error),
            )
        ) from None


def _plain(data: bytes, raw: Packed) -> Iterator[bytes]:
    while data:
        yield data
        data = raw.read(PIECE_BYTES)


def _bz2(data: bytes, raw: Packed) -> Iterator[bytes]:
    unpacker = bz2.BZ2Decompressor()
    while True:
        if piece := unpacker.decompress(data, PIECE_BYTES):
            yield piece
        data = b""
        if unpacker.eof:  # and another stream may follow
            data = unpacker.unused_data or raw.read(PIECE_BYTES)
            if not data:
                return
            unpacker = bz2.BZ2Decompressor()
        elif unpacker.needs_input and not (data := raw.read(PIECE_BYTES)):
            raise EOFError


def _gzip(data: bytes, raw: Packed) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=31)
    while True:
        if piece := unpacker.decompress(data, PIECE_BYTES):
            yield piece
        data = unpacker.unconsumed_tail
        if unpacker.eof:
            data = unpacker.unused_data or raw.read(PIECE_BYTES)
            if not data:
                return
            unpacker = zlib.decompressobj(wbits=31)
        elif not data and not (data := raw.read(PIECE_BYTES)):
            raise EOFError
