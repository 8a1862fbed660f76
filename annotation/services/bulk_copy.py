"""Rows in bulk, through PostgreSQL's COPY: many times faster than INSERT, and bound by the same constraints."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import connection, models

# Bytes handed to the database at a time.
CHUNK_BYTES = 1 << 20

# From so many new rows on, PostgreSQL's idea of a table may be far off.
MANY_ROWS = 1_000

# Told how many rows of how many are on their way.
Progress = Callable[[int, int], None]


class Steps:
    """Counts rows on their way to the database and tells ``progress`` of it now and then."""

    EVERY = 500

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total, self._done, self._progress = total, 0, progress

    def counted(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        for row in rows:
            yield row
            self._done += 1
            if self._progress and (self._done % self.EVERY == 0 or self._done == self._total):
                self._progress(self._done, self._total)


def take_ids(model: type[models.Model], count: int) -> list[int]:
    """``count`` new primary keys of ``model``, from its sequence, so that rows can refer to each other before they
    are stored."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
            [model._meta.db_table, _column(model, "pk"), count],
        )
        return [pk for (pk,) in cursor.fetchall()]


def copy_rows(model: type[models.Model], fields: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Store ``rows``, tuples of the values of ``fields`` (``pk`` for the key, a foreign key by its id; of arrays, those
    of texts alone).

    Fields that are left out get the column's default: null, for most. Raises IntegrityError as INSERT would.
    """
    columns = ", ".join(connection.ops.quote_name(_column(model, name)) for name in fields)
    statement = f"COPY {connection.ops.quote_name(model._meta.db_table)} ({columns}) FROM STDIN"
    with connection.cursor() as cursor:
        cursor.copy_expert(statement, _Lines(map(_line, rows)), CHUNK_BYTES)


def count_anew(added: int, *stored: type[models.Model]) -> None:
    """Have PostgreSQL look at the tables of ``stored`` where many rows were ``added``. Until it has, it takes them for
    as small as they were and may join them row by row; by itself it looks after a minute or more, and only at what is
    committed."""
    if added < MANY_ROWS:
        return
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE " + ", ".join(connection.ops.quote_name(model._meta.db_table) for model in stored))


class _Lines:
    """Lines as the file that the driver reads from, so that no second copy of all rows is held."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._left = b""

    def read(self, size: int) -> bytes:
        taken, length = [self._left], len(self._left)
        while length < size and (line := next(self._lines, b"")):
            taken.append(line)
            length += len(line)
        joined = b"".join(taken)
        self._left = joined[size:]
        return joined[:size]


def _line(row: tuple[Any, ...]) -> bytes:
    return ("\t".join(map(_value, row)) + "\n").encode()


def _value(value: Any) -> str:
    """``value`` in COPY's text format (PostgreSQL's manual on COPY, "Text Format")."""
    if isinstance(value, str):
        escaped = value.replace("\\", r"\\").replace("\n", r"\n")
        return escaped.replace("\t", r"\t").replace("\r", r"\r")
    if value is None:
        return r"\N"
    if isinstance(value, list | tuple):
        quoted = ('"' + item.replace("\\", r"\\").replace('"', r"\"") + '"' for item in value)
        return _value("{" + ",".join(quoted) + "}")
    if isinstance(value, bool):
        return "t" if value else "f"
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _column(model: type[models.Model], name: str) -> str:
    return str((model._meta.pk if name == "pk" else model._meta.get_field(name)).column)  # type: ignore[union-attr]


def max_chars(model: type[models.Model], name: str) -> int:
    """How many characters the field ``name`` holds, for code that stores without the checks of a form."""
    return int(model._meta.get_field(name).max_length or 0)  # type: ignore[union-attr]
