"""What became of the questions of one release in another, read from their folders without a database.

Of the earlier release a hash of each field is held, some 300 bytes a question; the later one passes by.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scoring.json_files import FileError
from scoring.sentences import _

KEY = "test-key.jsonl"
# Fields of a question that are compared, in the order in which a change of them is named.
COMPARED = ("split", "title", "context", "question", "answers", "is_impossible")
WORKERS = "workers"
_MARK_BYTES = 8
Row = dict[str, Any]


@dataclass(frozen=True)
class Folder:
    """A release's public folder and, where answers of the test are held back and at hand, the private one. ``names``
    leads from its workers' names to what they are called in the other release too; without it workers are not compared.
    """

    public: Path
    private: Path | None = None
    names: Mapping[str, str] | None = None


@dataclass
class Difference:
    """Ids of questions, in the order of the later release; removed ones in the order of the earlier."""

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: dict[str, list[str]] = field(default_factory=dict)  # which fields of it, as in COMPARED; then "workers"

    @property
    def counts(self) -> dict[str, int]:
        return {"added": len(self.added), "removed": len(self.removed), "changed": len(self.changed)}


def difference(earlier: Folder, later: Folder) -> Difference:
    """What became of the questions of ``earlier`` in ``later``. Raises FileError."""
    with_workers = earlier.names is not None and later.names is not None
    compared = (*COMPARED, WORKERS) if with_workers else COMPARED
    before = {row["id"]: _marks(row, compared, earlier.names) for row in rows(earlier)}
    found = Difference()
    for row in rows(later):
        marks, old = _marks(row, compared, later.names), before.pop(row["id"], None)
        if old is None:
            found.added.append(row["id"])
        elif old != marks:
            found.changed[row["id"]] = [
                name for index, name in enumerate(compared) if _one(old, index) != _one(marks, index)
            ]
    found.removed = list(before)
    return found


def rows(release: Folder, wanted: Iterable[str] | None = None) -> Iterator[Row]:
    """The questions of ``release`` (those of ``wanted`` alone, where given), each with its split. Of a test that is
    held back, the private file's are given where it is at hand. Raises FileError."""
    if not (release.public / "data").is_dir():
        raise FileError(_("{folder} has no folder “data”: it is no release.", folder=str(release.public)))
    only = None if wanted is None else set(wanted)
    key = release.private / KEY if release.private is not None and (release.private / KEY).is_file() else None
    for path in sorted(release.public.glob("data/*.jsonl")):
        split = path.stem
        for row in read_rows(key if key is not None and split == "test" else path, split):
            if only is None or row["id"] in only:
                yield row


def read_rows(path: Path, split: str) -> Iterator[Row]:
    """The questions in the file at ``path``, each with its split. Raises FileError."""
    try:
        with open(path, "rb") as lines:
            for number, line in enumerate(lines, start=1):
                yield _row(path, number, line) | {"split": split}
    except OSError as error:
        raise FileError(_("{name} cannot be read: {error}", name=path.name, error=error.strerror)) from None


def _row(path: Path, number: int, line: bytes) -> Row:
    try:
        row = json.loads(line)
        if isinstance(row, dict) and isinstance(row["id"], str):
            return row
    except (ValueError, KeyError, RecursionError):
        pass
    raise FileError(_("{path}, line {number}: no question stands there.", path=str(path), number=number))


def _marks(row: Row, compared: tuple[str, ...], names: Mapping[str, str] | None) -> bytes:
    """A short hash of each field, one after the other."""
    values = {name: row.get(name) for name in compared}
    if WORKERS in compared:
        given = row.get("answered_by")
        workers = [row.get("written_by"), *(given if isinstance(given, list) else [])]
        values[WORKERS] = [(names or {}).get(str(name), name) for name in workers]
    return b"".join(
        hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=_MARK_BYTES).digest()
        for value in values.values()
    )


def _one(marks: bytes, index: int) -> bytes:
    return marks[index * _MARK_BYTES : (index + 1) * _MARK_BYTES]
