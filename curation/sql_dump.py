"""Rows of a table in a MySQL dump as Wikimedia publishes them (.sql, .sql.gz), one at a time."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from curation.wikipedia.compressed import pieces
from scoring.json_files import FileError
from scoring.sentences import _

_INSERT = re.compile(rb"INSERT INTO `(\w+)` (?:\([^)]*\) )?VALUES ")
_COLUMN = re.compile(rb"\s+`(\w+)` ")
# One value: a quoted text with its escapes, a number, NULL, or bytes in hexadecimal.
_VALUE = re.compile(rb"'((?:[^'\\]|\\.|'')*)'|(-?[0-9][0-9.eE+-]*)|(NULL)|0x([0-9A-Fa-f]*)", re.DOTALL)
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPED = {b"0": b"\0", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a", b"b": b"\b"}

Value = bytes | None


def table_in(folder: Path, name: str) -> Path | None:
    """The dump of the table ``name`` in ``folder`` by its usual name, "chwiki-20240501-page.sql.gz". Raises FileError
    where there are several."""
    paths = sorted([*folder.glob(f"*-{name}.sql.gz"), *folder.glob(f"*-{name}.sql")])
    if len(paths) > 1:
        raise FileError(_("The folder holds several dumps of the table {table}.", table=name))
    return paths[0] if paths else None


def rows(path: Path, table: str, columns: Sequence[str]) -> Iterator[tuple[Value, ...]]:
    """The values of ``columns`` in each row of ``table``, as bytes; where the table lacks a column, None.

    Raises FileError where the file cannot be read, breaks off, or holds another table.
    """
    positions: list[int | None] = []
    known: list[str] = []
    found = False
    for line in _lines(path):
        if not line.startswith(b"INSERT"):
            if column := _COLUMN.match(line):
                known.append(column.group(1).decode())
            found = found or line.startswith(f"CREATE TABLE `{table}`".encode())
            continue
        start = _INSERT.match(line)
        if not start or start.group(1).decode() != table:
            raise FileError(_("{file} is not a dump of the table {table}.", file=path.name, table=table))
        positions = positions or [known.index(name) if name in known else None for name in columns]
        for row in _values(line, start.end(), path.name):
            yield tuple(None if position is None else row[position] for position in positions)
    if not found:
        raise FileError(_("{file} is not a dump of the table {table}.", file=path.name, table=table))


def _lines(path: Path) -> Iterator[bytes]:
    rest = b""
    try:
        with open(path, "rb") as raw:
            parts: list[bytes] = []
            for piece in pieces(raw):
                if b"\n" not in piece:
                    parts.append(piece)
                    continue
                *lines, rest = b"".join([*parts, piece]).split(b"\n")
                parts = [rest]
                yield from lines
            yield b"".join(parts)
    except OSError as error:
        raise FileError(_("{file} cannot be read: {reason}.", file=path.name, reason=error.strerror)) from None


def _values(line: bytes, at: int, name: str) -> Iterator[list[Value]]:
    """The rows of one INSERT statement, "(1,'a',NULL),(2,'b',0.5);"."""
    while line[at : at + 1] == b"(":
        row: list[Value] = []
        while line[at : at + 1] in (b"(", b","):
            if (match := _VALUE.match(line, at + 1)) is None:
                raise FileError(
                    _("{file} holds a row that cannot be read: {row}", file=name, row=str(line[at : at + 60]))
                )
            row.append(_value(match))
            at = match.end()
        yield row
        at += 1  # the closing bracket
        if line[at : at + 1] == b",":
            at += 1


def _value(match: re.Match[bytes]) -> Value:
    text, number, null, hexadecimal = match.groups()
    if text is not None:
        return _ESCAPE.sub(_unescaped, text) if b"\\" in text or b"''" in text else text
    if null is not None:
        return None
    return number if number is not None else bytes.fromhex(hexadecimal.decode())


def _unescaped(match: re.Match[bytes]) -> bytes:
    escaped = match.group(1)
    return b"'" if escaped is None else _ESCAPED.get(escaped, escaped)
