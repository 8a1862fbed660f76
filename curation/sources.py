"""What a run of curation reads: where its articles come from, and what a report says about that."""

from collections import Counter
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from curation.articles import Read
from curation.documents.files import SourceFile, files_of
from curation.documents.reading import DEFAULT_RULES, DocumentRules, read_documents

# Files that a report names one by one; of more it gives the number.
FILES_NAMED = 1_000


class Source(Protocol):
    """Articles that can be read from the beginning as often as wanted, each time the same."""

    total_bytes: int  # 0 where nobody knows
    done_bytes: int

    def identity(self) -> dict[str, Any]:
        """What makes it this source, cheaply found: an interrupted run goes on only where that is the same."""

    def read(self) -> Read:
        """All of its articles and drops. Raises FileError."""

    def describe(self) -> dict[str, Any]:
        """What a report says about it, once all of it is read."""


class Documents:
    """A folder of documents, or one."""

    def __init__(self, path: Path, rules: DocumentRules = DEFAULT_RULES) -> None:
        """Raises FileError where there is no such file or folder."""
        self._path, self._rules = path, rules
        self._is_folder = path.resolve().is_dir()
        self.total_bytes = self.done_bytes = 0
        digest = sha256()
        for file in files_of(path):
            if isinstance(file, SourceFile):
                self.total_bytes += file.bytes
                digest.update(f"{file.name}\0{file.bytes}\0{file.path.lstat().st_mtime_ns}\0".encode())
        self._files_sha256 = digest.hexdigest()
        self._start()

    def _start(self) -> None:
        self.done_bytes = 0
        self._count = 0
        self._named: list[dict[str, Any]] = []
        self._encodings: Counter[str] = Counter()
        self._digest = sha256()

    def identity(self) -> dict[str, Any]:
        return {"path": str(self._path.resolve()), "files": self._files_sha256, "rules": asdict(self._rules)}

    def read(self) -> Read:
        self._start()
        return read_documents(self._path, self._rules, self._hear_of)

    def describe(self) -> dict[str, Any]:
        return {
            "kind": "documents",
            "name": self._path.resolve().name,
            "rules": asdict(self._rules),
            "bytes": self.done_bytes,
            # Of a folder: over the names of its files with their checksums, in order.
            "sha256": self._digest.hexdigest() if self._is_folder else self._named[0]["sha256"],
            "encodings": dict(sorted(self._encodings.items())),
            "files": self._count,
            "named": self._named,
        }

    def _hear_of(self, file: SourceFile) -> None:
        self._count += 1
        self.done_bytes += file.bytes
        self._digest.update(f"{file.name}\0{file.sha256}\0".encode())
        if file.encoding:
            self._encodings[file.encoding] += 1
        if len(self._named) < FILES_NAMED:
            self._named.append(file.as_json())
