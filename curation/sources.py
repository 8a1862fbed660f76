"""What a run of curation reads: where its articles come from, and what a report says about that."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict
from hashlib import file_digest, sha256
from os import stat_result
from pathlib import Path
from typing import Any, Protocol

from curation.articles import Drop, Read, Reason
from curation.documents.files import SourceFile, files_of
from curation.documents.reading import DEFAULT_RULES, DocumentRules, read_documents
from curation.titles import SampleRecord, page_title
from curation.wikipedia.api import Api
from curation.wikipedia.live import Asked, LiveWiki
from curation.wikipedia.reader import Rules, read_dump, read_multistream
from scoring.json_files import FileError
from scoring.sentences import _

# Files that a report names one by one; of more it gives the number.
FILES_NAMED = 1_000
# What the exports of a wiki are called; no document is.
_DUMP_ENDINGS = (".xml", ".xml.bz2", ".xml.gz", ".bz2")


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

    def let_go(self) -> None:
        """The run is over: what was kept so that it can go on after a kill may go."""


def is_dump(path: Path) -> bool:
    """Whether ``path`` is an export of a wiki, by its name."""
    return path.name.lower().endswith(_DUMP_ENDINGS) and not path.is_dir()


class Dump:
    """The XML export of a wiki, or the articles of ``sample`` alone; with the ``index`` of a multistream dump, nothing
    but the blocks that hold them is unpacked."""

    def __init__(
        self, path: Path, rules: Rules | None = None, sample: SampleRecord | None = None, index: Path | None = None
    ) -> None:
        """Raises FileError where there is no such file, or an ``index`` and no ``sample``."""
        self._path, self._rules, self._sample, self._index = path, rules or Rules(), sample, index
        self._stat = _stat(path)
        if index is not None and sample is None:
            raise FileError(_("An index finds titles in a dump: say which."))
        self._index_stat = None if index is None else _stat(index)
        # How much of it the blocks of titles are, nobody knows.
        self.total_bytes, self.done_bytes = self._stat.st_size if index is None else 0, 0

    def identity(self) -> dict[str, Any]:
        index = None
        if self._index is not None and self._index_stat is not None:
            index = [str(self._index.resolve()), self._index_stat.st_size, self._index_stat.st_mtime_ns]
        return {
            "path": str(self._path.resolve()),
            "bytes": self._stat.st_size,
            "changed": self._stat.st_mtime_ns,
            "index": index,
            "rules": _as_json(self._rules),
            "titles": _titles_of(self._sample),
        }

    def read(self) -> Read:
        self.done_bytes = 0
        titles = _titles_of(self._sample)
        if self._index is not None and titles is not None:
            return read_multistream(self._path, self._index, titles, self._rules)
        return read_dump(self._path, self._rules, titles, self._hear_of)

    def describe(self) -> dict[str, Any]:
        described = {
            "kind": "dump",
            "name": self._path.name,
            "rules": _as_json(self._rules),
            "bytes": self._stat.st_size,
            "sha256": _sha256(self._path),
            "sample": None if self._sample is None else asdict(self._sample),
        }
        if self._index is not None:
            described["index"] = {"name": self._index.name, "sha256": _sha256(self._index)}
        return described

    def let_go(self) -> None:
        pass

    def _hear_of(self, count: int) -> None:
        # A dump that is read again for what its redirects lead to has been read once and is not past its end.
        self.done_bytes = min(self.done_bytes + count, self.total_bytes)


class Documents:
    """A folder of documents, or one; of its articles those of ``sample`` alone, if there is one."""

    def __init__(self, path: Path, rules: DocumentRules = DEFAULT_RULES, sample: SampleRecord | None = None) -> None:
        """Raises FileError where there is no such file or folder."""
        self._path, self._rules, self._sample = path, rules, sample
        self._is_folder = path.resolve().is_dir()
        self.total_bytes = self.done_bytes = 0
        digest = sha256()
        for file in files_of(path):
            if isinstance(file, SourceFile):
                self.total_bytes += file.size_bytes
                digest.update(f"{file.name}\0{file.size_bytes}\0{file.path.lstat().st_mtime_ns}\0".encode())
        self._files_sha256 = digest.hexdigest()
        self._start()

    def _start(self) -> None:
        self.done_bytes = 0
        self._count = 0
        self._named: list[dict[str, Any]] = []
        self._encodings: Counter[str] = Counter()
        self._digest = sha256()

    def identity(self) -> dict[str, Any]:
        return {
            "path": str(self._path.resolve()),
            "files": self._files_sha256,
            "rules": asdict(self._rules),
            "titles": _titles_of(self._sample),
        }

    def read(self) -> Read:
        self._start()
        read = read_documents(self._path, self._rules, self._hear_of)
        titles = _titles_of(self._sample)
        return read if titles is None else _asked_for(read, titles)

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
            "sample": None if self._sample is None else asdict(self._sample),
        }

    def let_go(self) -> None:
        pass

    def _hear_of(self, file: SourceFile) -> None:
        self._count += 1
        self.done_bytes += file.size_bytes
        self._digest.update(f"{file.name}\0{file.sha256}\0".encode())
        if file.encoding:
            self._encodings[file.encoding] += 1
        if len(self._named) < FILES_NAMED:
            self._named.append(file.as_json())


class Wiki:
    """Pages of a live wiki through its API: those of ``sample``, or ``revisions`` by their ids. What it answers is kept
    at ``kept`` until the run is over."""

    total_bytes = done_bytes = 0  # nobody knows before they have come

    def __init__(
        self,
        api: Api,
        kept: Path,
        rules: Rules | None = None,
        sample: SampleRecord | None = None,
        revisions: Sequence[str] = (),
    ) -> None:
        """Raises FileError where neither titles nor revisions are named."""
        if not revisions and sample is None:
            raise FileError(_("A wiki is asked for pages by title or by revision: name some."))
        self._address, self._rules, self._sample, self._revisions = api.address, rules or Rules(), sample, revisions
        self._live = LiveWiki(api, Asked(_titles_of(sample) or (), revisions), kept)

    def identity(self) -> dict[str, Any]:
        return {"address": self._address, "answers": self._live.token, "rules": _as_json(self._rules)}

    def read(self) -> Read:
        return self._live.read(self._rules)

    def describe(self) -> dict[str, Any]:
        return {
            "kind": "wiki",
            "name": self._live.site.name or self._address,
            "address": self._address,
            "fetched_from": self._live.started,
            "rules": _as_json(self._rules),
            "revisions": list(self._revisions),
            "sample": None if self._sample is None else asdict(self._sample),
        }

    def let_go(self) -> None:
        self._live.forget()


def _as_json(rules: Rules) -> dict[str, Any]:
    return asdict(rules) | {"disambiguations": sorted(rules.disambiguations)}


def _stat(path: Path) -> stat_result:
    try:
        return path.stat()
    except OSError as error:
        raise FileError(_("{file} cannot be read: {reason}.", file=path.name, reason=error.strerror)) from None


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _titles_of(sample: SampleRecord | None) -> list[str] | None:
    return None if sample is None else sample.titles


def _asked_for(read: Read, titles: Collection[str]) -> Read:
    """What ``read`` gives of ``titles``; the other articles, and the titles that it has not, are drops."""
    wanted = dict.fromkeys(map(page_title, titles))
    missing = dict(wanted)
    for item in read:
        if isinstance(item, Drop):
            yield item
            continue
        title = page_title(item.title)
        missing.pop(title, None)
        yield item if title in wanted else Drop(item.title, Reason.NOT_ASKED_FOR)
    for title in missing:
        yield Drop(title, Reason.NO_SUCH_TITLE)
