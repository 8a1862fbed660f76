"""From a source to a file of paragraphs worth asking about, with a report beside it.

The output is JSON Lines: ``{"title", "source_url", "licence", "language", "revision", "attribution", "paragraphs":
[{"text", "section": [headings]}]}``. It appears under its name when it is whole and not before; the same source,
settings and libraries give it to the byte. A run that was killed goes on where it last rested.
"""

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from curation.articles import Article, Passage
from curation.filters import Filters, FilterSettings
from curation.report import Tally, library_versions
from curation.sources import Source
from scoring.json_files import FileError
from scoring.passage_files import article_of
from scoring.sentences import _

# Articles and drops between two rests, from which a killed run goes on.
_REST_EVERY = 200
_STATE_VERSION = 1


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a run has come; ``total_bytes`` is 0 where nobody knows the size of the source."""

    articles_read: int
    articles_kept: int
    paragraphs_kept: int
    done_bytes: int
    total_bytes: int


class OutputError(FileError):
    """The output cannot be written; the source is not to blame."""


class OutputBusy(OutputError):
    """Another run is writing the output."""


Progress = Callable[[Standing], None]


def report_path(out: Path) -> Path:
    """Where the report on the output ``out`` lies: "passages.report.json" beside "passages.jsonl"."""
    return out.with_suffix(".report.json")


def curate(
    source: Source, out: Path, settings: FilterSettings | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """Write what the filters leave of ``source`` to ``out`` and the report beside it; return the report.

    Raises FileError where the source cannot be read, and OutputError where ``out`` cannot be written or another run is
    writing it; what lay at ``out`` before is then still there.
    """
    settings = settings or FilterSettings()
    with _Run(source, out, settings) as run:
        for count, read in enumerate(islice(source.read(), run.taken, None), start=1):
            if isinstance(read, Article):
                kept, drops = run.filters.sift(read)
                run.tally.drop(drops)
                if kept is not None:
                    run.write(kept)
            else:
                run.tally.drop([read])
            run.taken += 1
            if count % _REST_EVERY == 0:
                run.rest()
            if progress is not None:
                progress(run.standing())
        return run.finish()


class _Run:
    """One run: its files, its counts, and how to go on with what an earlier one left."""

    def __init__(self, source: Source, out: Path, settings: FilterSettings) -> None:
        self._source, self._out, self._settings = source, out, settings
        self._partial = out.with_name(f"{out.name}.partial")
        self._state = out.with_name(f"{out.name}.state")
        self._identity = {
            "version": _STATE_VERSION,
            "source": source.identity(),
            "settings": settings.as_json(),
            "libraries": library_versions(),
        }
        self._begin()

    def _begin(self) -> None:
        self.filters, self.tally, self.taken = Filters(self._settings), Tally(), 0
        self._sha256, self._bytes = sha256(), 0

    def __enter__(self) -> "_Run":
        with _written(self._out):
            if self._out.is_dir():
                raise OutputError(_("{path} is a folder; name a file to write.", path=str(self._out)))
            self._file: BinaryIO = open(self._partial, "a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise OutputBusy(_("Another run is writing {path}.", path=str(self._out))) from None
        try:
            if not self._go_on():
                self._begin()
            self._file.truncate(self._bytes)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def write(self, article: Article) -> None:
        """Add ``article`` to the output."""
        line = json.dumps(_as_json(article), ensure_ascii=False).encode() + b"\n"
        with _written(self._out):
            self._file.write(line)
        self._sha256.update(line)
        self._bytes += len(line)
        self.tally.keep(article)

    def rest(self) -> None:
        """Make sure that a run that is killed from now on goes on from here."""
        state = {"identity": self._identity, "taken": self.taken, "bytes": self._bytes}
        state |= {"sha256": self._sha256.hexdigest(), "tally": self.tally.as_json()}
        state |= {
            "counted": sorted(self.filters.sentence_counters),
            "unchecked": sorted(self.filters.languages_unchecked),
        }
        with _written(self._out):
            _sync(self._file)
            _write_whole(self._state, json.dumps(state))

    def standing(self) -> Standing:
        counts = self.tally
        read = counts.articles_kept + counts.articles_dropped
        source = self._source
        return Standing(read, counts.articles_kept, counts.paragraphs_kept, source.done_bytes, source.total_bytes)

    def finish(self) -> dict[str, Any]:
        """Put output and report in their places; return the report."""
        report = {
            "source": self._source.describe(),
            "settings": self._settings.as_json(),
            "libraries": library_versions(),
            "sentences_counted_by": self.filters.sentence_counters,
            "languages_unchecked": sorted(self.filters.languages_unchecked),
            **self.tally.as_json(),
            "output": {"name": self._out.name, "bytes": self._bytes, "sha256": self._sha256.hexdigest()},
        }
        with _written(self._out):
            _sync(self._file)
            _write_whole(report_path(self._out), json.dumps(report, ensure_ascii=False, indent=1) + "\n")
            self._partial.replace(self._out)
            self._state.unlink(missing_ok=True)
        self._source.let_go()
        return report

    def _go_on(self) -> bool:
        """Take up what an earlier run left; False where it left nothing that this run can go on with."""
        try:
            state = json.loads(self._state.read_bytes())
            if state["identity"] != json.loads(json.dumps(self._identity)):
                return False
            self.tally, self.taken = Tally.from_json(state["tally"]), int(state["taken"])
            self.filters.resume(state["counted"], state["unchecked"])
            for line in self._lines(int(state["bytes"])):
                self._sha256.update(line)
                self._bytes += len(line)
                self.filters.remember(_from_json(line))
            return self._sha256.hexdigest() == state["sha256"]
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def _lines(self, count: int) -> Iterator[bytes]:
        """The lines in the first ``count`` bytes of the output so far."""
        self._file.seek(0)
        while count > 0 and (line := self._file.readline()):
            count -= len(line)
            yield line


def _as_json(article: Article) -> dict[str, Any]:
    return {
        "title": article.title,
        "source_url": article.source_url,
        "licence": article.licence,
        "language": article.language,
        "revision": article.revision,
        "attribution": article.attribution,
        **({"topic": article.topic} if article.topic else {}),
        "paragraphs": [{"text": passage.text, "section": list(passage.section)} for passage in article.passages],
    }


def _from_json(line: bytes) -> Article:
    read = article_of(json.loads(line))
    passages = [Passage(paragraph.text, tuple(paragraph.section)) for paragraph in read.paragraphs]
    return Article(read.title, passages, language=read.language)


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _write_whole(path: Path, text: str) -> None:
    """Write ``text`` to ``path``, where at any time the old or the new text is whole."""
    new = path.with_name(f"{path.name}.new")
    with open(new, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


@contextmanager
def _written(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            _("{path} cannot be written: {reason}.", path=str(out), reason=error.strerror or "")
        ) from None
