"""Articles of a live wiki, with what it answered kept in a file until the run is over: a run that was killed asks for
nothing twice, and reads the same again however the wiki has changed since."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from curation.articles import Article, Drop, Read, Reason
from curation.titles import page_title
from curation.wikipedia.api import Answer, Api, batches, is_askable
from curation.wikipedia.dump import Page, Site
from curation.wikipedia.reader import PageReader, Rules
from scoring.json_files import FileError
from scoring.sentences import _

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Asked:
    """What is wanted of a wiki: pages by title, or revisions by id."""

    titles: Sequence[str] = ()
    revisions: Sequence[str] = ()

    def names(self) -> list[str]:
        """Each once, as one can ask for it."""
        names = self.revisions or [title for title in map(page_title, self.titles) if is_askable(title)]
        return list(dict.fromkeys(names))

    def unaskable(self) -> list[str]:
        """What is among the titles and cannot be one."""
        return [title for title in dict.fromkeys(map(page_title, self.titles)) if not is_askable(title)]


class LiveWiki:
    """What is ``asked`` of a wiki through ``api``; its answers are kept at ``kept``."""

    def __init__(self, api: Api, asked: Asked, kept: Path) -> None:
        self._api, self._asked, self._kept = api, asked, kept
        names = "\n".join(asked.names()).encode("utf-8", "replace")
        self._request = {
            "version": _VERSION,
            "address": api.address,
            "by": "revision" if asked.revisions else "title",
            "asked_sha256": sha256(names).hexdigest(),
        }
        self.site = Site()
        self._begin()

    def _begin(self) -> None:
        """Take up the answers of an earlier run to the same request, or start anew."""
        self.started, self.token = datetime.now(UTC).isoformat(timespec="seconds"), uuid4().hex
        try:
            with open(self._kept, "rb") as file:
                head = json.loads(file.readline())
            if all(head[name] == value for name, value in self._request.items()):
                self.started, self.token, self.site = head["started"], head["token"], Site(**head["site"])
        except (OSError, ValueError, KeyError, TypeError):
            return

    def read(self, rules: Rules) -> Read:
        """The articles in the order in which they were asked for, and why others are none. Raises FileError."""
        given: set[str] = set()
        reader: PageReader | None = None
        for names, answer in self._answers():
            reader = reader or PageReader(self.site, rules)
            if self._asked.revisions:
                yield from _by_revision(names, answer, reader)
            else:
                yield from _by_title(names, answer, reader, given)
        for title in self._asked.unaskable():
            yield Drop(title, Reason.NO_SUCH_TITLE, detail=_("No page can have this title."))

    def forget(self) -> None:
        """Delete what was kept."""
        self._kept.unlink(missing_ok=True)

    def _answers(self) -> Iterator[tuple[list[str], Answer]]:
        try:
            with open(self._kept, "a+b") as file:
                yield from self._answers_in(file)
        except OSError as error:
            raise FileError(
                _("{file} cannot be written: {reason}.", file=str(self._kept), reason=error.strerror or str(error))
            ) from None

    def _answers_in(self, file: BinaryIO) -> Iterator[tuple[list[str], Answer]]:
        file.seek(0)
        if not _holds(file.readline(), {"token": self.token}):
            self.site = self._api.site()
            file.truncate(0)
            head = self._request | {"started": self.started, "token": self.token, "site": asdict(self.site)}
            _append(file, head)
        for names in batches(self._asked.names()):
            place, line = file.tell(), file.readline()
            if _holds(line, {"names": names}):
                yield names, _answer(json.loads(line)["answer"])
                continue
            file.truncate(place)  # a line that was not written to its end, or nothing
            answer = self._api.by_revision(names) if self._asked.revisions else self._api.by_title(names)
            _append(file, {"names": names, "answer": asdict(answer)})
            yield names, answer


def _by_title(names: Sequence[str], answer: Answer, reader: PageReader, given: set[str]) -> Iterator[Article | Drop]:
    """What became of each title; where several lead to one page, it is ``given`` once."""
    pages = {page.title: page for page in answer.pages}
    for name in names:
        title = answer.normalized.get(name, name)
        passed = {title}
        while (target := answer.redirects.get(title)) and target not in passed:
            yield Drop(title, Reason.REDIRECT, detail=target)
            title = target
            passed.add(title)
        if title in given:
            continue
        given.add(title)
        yield _read(title, pages.get(title), answer, reader)


def _by_revision(names: Sequence[str], answer: Answer, reader: PageReader) -> Iterator[Article | Drop]:
    pages = {page.revision: page for page in answer.pages}
    for name in names:
        yield _read(name, pages.get(name), answer, reader)


def _read(name: str, page: Page | None, answer: Answer, reader: PageReader) -> Article | Drop:
    if page is not None:
        return reader.article(page)
    if fault := answer.faults.get(name):
        return Drop(name, Reason.UNREADABLE, detail=fault)
    return Drop(name, Reason.NO_SUCH_TITLE)


def _answer(kept: dict[str, Any]) -> Answer:
    return Answer([Page(**page) for page in kept["pages"]], kept["normalized"], kept["redirects"], kept["faults"])


def _holds(line: bytes, expected: dict[str, Any]) -> bool:
    """Whether ``line`` is whole and an object with what is ``expected``."""
    if not line.endswith(b"\n"):
        return False
    try:
        found = json.loads(line)
        return all(found[name] == value for name, value in expected.items())
    except (ValueError, KeyError, TypeError):
        return False


def _append(file: BinaryIO, value: dict[str, Any]) -> None:
    file.seek(0, os.SEEK_END)
    file.write(json.dumps(value).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())
