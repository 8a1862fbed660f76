"""Pages of a MediaWiki XML export (a dump, or a file of Special:Export), one at a time, in constant memory."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from curation.wikipedia.compressed import BrokenDump, pieces
from curation.wikipedia.names import NAMESPACES
from scoring.json_files import FileError
from scoring.sentences import Sentence, _

# Twice what MediaWiki lets a page have ($wgMaxArticleSize, 2 MiB); of a longer one, only this much is kept in memory.
MAX_PAGE_CHARACTERS = 4 * 2**20


# Hears how many bytes of a file, packed as they lie there, were read this time.
Told = Callable[[int], None]


@dataclass
class Site:
    """What the head of an export, or its API, says about a wiki; where nothing is said, what MediaWiki has by default.
    ``licence`` is told by the API alone."""

    name: str = ""
    database: str = ""
    main_page: str = ""
    language: str = ""
    namespaces: dict[str, int] = field(default_factory=lambda: dict(NAMESPACES))  # by lower-case name
    script: str = "/w/index.php"
    licence: str = ""


@dataclass(slots=True)
class Page:
    """One page as exported: its newest revision in the file. ``redirect`` names where it leads."""

    title: str = ""
    namespace: int | None = None
    page_id: str = ""
    redirect: str = ""
    revision: str = ""
    timestamp: str = ""
    model: str = ""
    text: str = ""
    is_too_large: bool = False
    is_disambiguation: bool = False  # by the wiki's own word, which an export leaves out


class Export:
    """The pages of one export, fed in pieces; ``site`` is whole once the first page is given."""

    def __init__(self, site: Site | None = None) -> None:
        self.site = site or Site()
        self._target = _Target(self.site)
        self._parser = DefusedXMLParser(target=self._target, forbid_dtd=True)

    @property
    def is_export(self) -> bool:
        """Whether what was fed so far holds the element that an export is."""
        return self._target.is_export

    def feed(self, data: bytes | str) -> Iterator[Page]:
        """The pages that end in ``data``. Raises BrokenDump where it is no XML."""
        try:
            self._parser.feed(data)
        except ParseError as error:
            yield from self._target.take()
            raise BrokenDump(_not_xml(error)) from None
        except DefusedXmlException:
            raise BrokenDump(
                _("The file declares entities or a document type, which no export does. Export it anew.")
            ) from None
        yield from self._target.take()

    def close(self) -> None:
        """Raises BrokenDump where the export is not whole."""
        try:
            self._parser.close()
        except ParseError as error:
            raise BrokenDump(_not_xml(error)) from None


def pages(path: Path, site: Site, told: Told | None = None) -> Iterator[Page]:
    """The pages of the export at ``path``: .xml, .bz2 (multistream too) or .gz, told apart by their first bytes.

    ``site`` is filled from its head; ``told`` hears of the bytes that were read. Raises FileError where the file
    cannot be read or is no export, and BrokenDump after the last whole page where it breaks off.
    """
    export = Export(site)
    given = False
    try:
        for chunk in unpacked(path, told):
            for page in export.feed(chunk):
                given = True
                yield page
        export.close()
    except BrokenDump as error:
        if not given:
            raise FileError(error.sentence) from None
        raise
    if not given and not export.is_export:
        raise FileError(_("The file is XML, but no export of a MediaWiki wiki: it holds no mediawiki element."))


class _Counted:
    """A file that tells how many bytes each read gave."""

    def __init__(self, raw: BinaryIO, told: Told) -> None:
        self._raw, self._told = raw, told

    def read(self, count: int, /) -> bytes:
        data = self._raw.read(count)
        self._told(len(data))
        return data


def unpacked(path: Path, told: Told | None = None) -> Iterator[bytes]:
    """The bytes of a file in pieces, unpacked. Raises FileError where it cannot be opened, BrokenDump after."""
    try:
        with open(path, "rb") as raw:
            yield from pieces(raw if told is None else _Counted(raw, told))
    except OSError as error:
        raise FileError(_("The file cannot be read: {reason}.", reason=error.strerror or str(error))) from None


def _not_xml(error: ParseError) -> Sentence:
    line, column = error.position
    reason = str(error).split(":")[0]
    return _(
        "The file is not valid XML: line {line}, column {column}: {reason}. Export or fetch it again.",
        line=line,
        column=column + 1,
        reason=reason,
    )


class _Target:
    """Takes the parser's events and keeps what pages need."""

    _OF_PAGE = {"title": "title", "model": "model", "timestamp": "timestamp", "text": "text"}
    _OF_SITE = {"sitename": "name", "dbname": "database", "base": "main_page"}

    def __init__(self, site: Site) -> None:
        self.is_export = False
        self._site = site
        self._pages: list[Page] = []
        self._path: list[str] = []
        self._page: Page | None = None
        self._parts: list[str] | None = None
        self._length = 0
        self._attributes: dict[str, str] = {}

    def take(self) -> list[Page]:
        taken, self._pages = self._pages, []
        return taken

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition("}")[2]
        self._path.append(name)
        self._parts, self._length = [], 0
        if name == "mediawiki":
            self.is_export = True
            language = attributes.get("{http://www.w3.org/XML/1998/namespace}lang", "")
            self._site.language = self._site.language or language
        elif name == "page":
            self._page = Page()
        elif name == "redirect" and self._page:
            self._page.redirect = attributes.get("title", "")
        elif name == "namespace":
            self._attributes = attributes

    def data(self, text: str) -> None:
        if self._parts is None:
            return
        if self._length > MAX_PAGE_CHARACTERS:
            if self._page:
                self._page.is_too_large = True
            return
        self._length += len(text)
        self._parts.append(text)

    def end(self, tag: str) -> None:
        name = self._path.pop()
        text = "".join(self._parts) if self._parts is not None else ""
        self._parts = None
        if self._page is not None:
            self._end_in_page(name, text)
        elif field_name := self._OF_SITE.get(name):
            setattr(self._site, field_name, text)
        elif name == "namespace" and text:
            self._site.namespaces[text.lower()] = int(self._attributes.get("key", "0"))

    def close(self) -> None:
        pass

    def _end_in_page(self, name: str, text: str) -> None:
        page = self._page
        assert page is not None  # noqa: S101 - the caller has looked
        parent = self._path[-1] if self._path else ""
        if name == "page":
            self._page = None
            self._pages.append(page)
        elif name == "ns":
            page.namespace = int(text) if text.lstrip("-").isdecimal() else None
        elif name == "id" and parent in ("page", "revision"):
            setattr(page, "page_id" if parent == "page" else "revision", text)
        elif field_name := self._OF_PAGE.get(name):
            setattr(page, field_name, text)
