"""Articles from the pages of a wiki: which pages are articles, and each in paragraphs with its provenance."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from curation.articles import Article, Drop, Read, Reason
from curation.titles import page_title
from curation.wikipedia import dump, multistream, names
from curation.wikipedia.compressed import BrokenDump
from curation.wikipedia.dump import Page, Site
from curation.wikipedia.templates import Templates
from curation.wikipedia.wikitext import Body, Lists, read_body
from scoring.sentences import _

# Since this day what is written in Wikipedia is under 4.0; before, under 3.0. Wikimedia's terms of use, 2023-06-07.
_LICENCE_CHANGED = "2023-06-07"
# What MediaWiki lets a page have ($wgMaxArticleSize, in KiB); in bytes there, in characters here.
MAX_ARTICLE_CHARACTERS = 2048 * 2**10
_EXAMPLE_CHARACTERS = 200
_LICENCES = ("CC BY-SA 3.0", "CC BY-SA 4.0")


@dataclass(frozen=True)
class Rules:
    """What is taken of a wiki. ``disambiguations`` holds the ids of pages that the wiki knows to be ones (its table
    page_props); ``language``, ``licence`` and ``base_url`` ("https://en.wikipedia.org") speak where the source is
    silent, and ``licence`` even where it is not."""

    lists: Lists = Lists.LEAVE_OUT
    appendices: bool = False
    min_article_characters: int = 1_000  # of running text; what has less is a stub
    min_prose_share: float = 0.2  # of running text and list items together; what has less is a list
    disambiguations: frozenset[int] = frozenset()
    language: str = ""
    licence: str = ""
    base_url: str = ""


DEFAULT_RULES = Rules()


def read_dump(
    path: Path,
    rules: Rules = DEFAULT_RULES,
    titles: Collection[str] | None = None,
    told: dump.Told | None = None,
) -> Read:
    """The articles of an export, or of ``titles`` alone, with every page that was left out and why.
    ``told`` hears of the bytes that were read.

    Redirects are followed: a title asked for that leads elsewhere gives the article there, if the file holds it.
    Where the file breaks off, what came before is given, then a Drop (UNREADABLE) that says where. Raises FileError
    where nothing of it can be read.
    """
    site = Site()
    wanted = None if titles is None else Wanted(titles)
    reader = PageReader(site, rules, path.name)
    yield from _until_broken(path, reader.read(dump.pages(path, site, told), wanted))
    if wanted and wanted.waiting():
        # Where a redirect stands behind the page that it leads to, that page has gone by.
        yield from _until_broken(path, reader.read(dump.pages(path, site, told), wanted, again=True))
    if wanted:
        yield from wanted.never_found()


def read_multistream(path: Path, index: Path, titles: Collection[str], rules: Rules = DEFAULT_RULES) -> Read:
    """The articles of ``titles`` from a multistream dump, of which only the streams that hold them are unpacked.

    ``index`` is the file beside the dump, "...-multistream-index.txt.bz2". Redirects are followed. Raises FileError.
    """
    site = Site()
    reader, wanted = PageReader(site, rules, path.name), Wanted(titles)
    asked = wanted.names()
    again = False
    while asked:
        offsets = multistream.offsets_of(index, asked)
        yield from _until_broken(
            path, reader.read(multistream.pages_at(path, offsets, site), wanted, again, whole=False)
        )
        asked, again = wanted.waiting() - asked, True
    yield from wanted.never_found()


def _until_broken(path: Path, read: Read) -> Read:
    try:
        yield from read
    except BrokenDump as error:
        yield Drop(path.name, Reason.UNREADABLE, detail=error.sentence)


class Wanted:
    """Titles asked for and what became of each: found, led elsewhere, or not there at all."""

    def __init__(self, titles: Collection[str]) -> None:
        self._open = dict.fromkeys(page_title(title) for title in titles)
        self._all = set(self._open)
        self._waiting: set[str] = set()

    def takes(self, title: str, again: bool) -> bool:
        """Whether the page ``title`` is asked for, by its name or by a redirect met before."""
        return title in (self._waiting if again else self._all)

    def found(self, title: str) -> None:
        self._open.pop(title, None)
        self._waiting.discard(title)

    def leads_to(self, title: str, target: str) -> None:
        """The redirect ``title`` was asked for: so is its ``target``."""
        self.found(title)
        if target not in self._all:
            self._all.add(target)
            self._open[target] = None
            self._waiting.add(target)

    def names(self) -> set[str]:
        return set(self._open)

    def waiting(self) -> set[str]:
        """Where redirects lead that had not been asked for; a page that stood before its redirect has gone by."""
        return set(self._waiting)

    def never_found(self) -> Iterator[Drop]:
        for title in self._open:
            yield Drop(title, Reason.NO_SUCH_TITLE)


class PageReader:
    """Turns the pages of one ``site`` into articles and drops. ``source`` is the name of its file."""

    def __init__(self, site: Site, rules: Rules, source: str = "") -> None:
        self._site = site
        self._rules = rules
        self._source = source
        self._templates: Templates | None = None

    def read(
        self, pages: Iterator[Page], wanted: Wanted | None = None, again: bool = False, whole: bool = True
    ) -> Read:
        """The articles among ``pages``. ``again`` is for a second look, for the targets of redirects alone; where
        the ``pages`` are not the ``whole`` file, those not asked for are no drops."""
        for page in pages:
            if wanted is None:
                yield self.article(page)
            elif wanted.takes(page.title, again):
                if page.redirect:
                    wanted.leads_to(page.title, page_title(page.redirect))
                else:
                    wanted.found(page.title)
                yield self.article(page)
            elif whole and not again:
                yield Drop(page.title, Reason.NOT_ASKED_FOR)

    def article(self, page: Page) -> Article | Drop:
        """The article that ``page`` is, or why it is none."""
        if drop := self._dropped_by_kind(page):
            return drop
        body = read_body(page.text, self._expander(), self._rules.lists, self._rules.appendices)
        if drop := self._dropped_by_size(page, body):
            return drop
        if not body.passages:
            return Drop(page.title, Reason.EMPTY)
        return self._with_provenance(page, body)

    def _dropped_by_kind(self, page: Page) -> Drop | None:
        if self._namespace(page) or page.model not in ("", "wikitext"):
            return Drop(page.title, Reason.NOT_AN_ARTICLE)
        written = _REDIRECT.match(page.text)
        if target := page.redirect or (written.group(1).strip() if written else ""):
            return Drop(page.title, Reason.REDIRECT, detail=target)
        if page.is_too_large or len(page.text) > MAX_ARTICLE_CHARACTERS:
            limit = _(
                "It has more than {limit} characters of wikitext, which MediaWiki lets no page have.",
                limit=f"{MAX_ARTICLE_CHARACTERS:,}",
            )
            return Drop(page.title, Reason.TOO_LARGE, detail=limit, example=page.text[:_EXAMPLE_CHARACTERS])
        if self._is_disambiguation(page):
            return Drop(page.title, Reason.DISAMBIGUATION, example=page.text[:_EXAMPLE_CHARACTERS])
        if names.LIST_TITLE.match(page.title):
            return Drop(page.title, Reason.LIST, example=page.text[:_EXAMPLE_CHARACTERS])
        return None

    def _dropped_by_size(self, page: Page, body: Body) -> Drop | None:
        prose, both = body.prose_characters, body.prose_characters + body.list_characters
        example = body.passages[0].text[:_EXAMPLE_CHARACTERS] if body.passages else page.text[:_EXAMPLE_CHARACTERS]
        if both and prose / both < self._rules.min_prose_share:
            return Drop(page.title, Reason.LIST, detail=f"{prose / both:.0%}", example=example)
        if prose < self._rules.min_article_characters or _has_stub_template(page.text):
            return Drop(page.title, Reason.STUB, detail=str(prose), example=example)
        return None

    def _is_disambiguation(self, page: Page) -> bool:
        if page.is_disambiguation or (page.page_id.isdecimal() and int(page.page_id) in self._rules.disambiguations):
            return True
        if names.DISAMBIGUATION_TITLE.search(page.title) or names.DISAMBIGUATION_WORD.search(page.text):
            return True
        called = (" ".join(name.replace("_", " ").split()).lower() for name in _CALLED.findall(page.text))
        return any(name in names.DISAMBIGUATION_TEMPLATES for name in called)

    def _namespace(self, page: Page) -> int:
        if page.namespace is not None:
            return page.namespace
        prefix, colon, _rest = page.title.partition(":")
        return self._site.namespaces.get(prefix.strip().lower(), 0) if colon else 0

    def _expander(self) -> Templates:
        if self._templates is None:
            self._templates = Templates(self._language().partition("-")[0] or "en")
        return self._templates

    def _language(self) -> str:
        if self._rules.language or self._site.language:
            return self._rules.language or self._site.language
        of_wiki = _WIKI_NAME.match(self._site.database or self._source)
        return of_wiki.group(1).replace("_", "-") if of_wiki else ""

    def _base_url(self) -> str:
        if self._rules.base_url:
            return self._rules.base_url.rstrip("/")
        if self._site.main_page:
            parts = urlsplit(self._site.main_page)
            return f"{parts.scheme}://{parts.netloc}"
        of_wiki = _WIKI_NAME.match(self._site.database or self._source)
        return f"https://{of_wiki.group(1).replace('_', '-')}.wikipedia.org" if of_wiki else ""

    def _with_provenance(self, page: Page, body: Body) -> Article:
        base, title = self._base_url(), quote(page.title.replace(" ", "_"), safe="/:,;@!$*()~")
        address = ""
        if base and page.revision:
            address = f"{base}{self._site.script}?title={title}&oldid={page.revision}"
        elif base:
            address = f"{base}/wiki/{title}"
        licence = self._rules.licence
        if not licence and base.endswith(".wikipedia.org"):
            licence = _LICENCES[page.timestamp[:10] >= _LICENCE_CHANGED]
        licence = licence or self._site.licence
        site = self._site.name or ("Wikipedia" if base.endswith(".wikipedia.org") else base)
        said = [f"“{page.title}”", f"by the contributors of {site}" if site else "", f"({address})" if address else ""]
        attribution = " ".join(part for part in said if part) + (f", {licence}" if licence else "")
        return Article(
            page.title,
            body.passages,
            address,
            licence,
            self._language(),
            revision=page.revision,
            attribution=attribution,
        )


_REDIRECT = re.compile(
    r"\s*#(?:redirect|weiterleitung|redirection|redirección|redirecci[oó]n|rinvia|rinvio|redirecionamento|doorverwijzing"
    r"|przekieruj|patrz|tam|перенаправление|перенаправлення|omdirigering|転送|リダイレクト|重定向|넘겨주기|تحويل|הפניה|yönlendirme"
    r"|अनुप्रेषित|เปลี่ยนทาง|đổi|alih)\s*:?\s*\[\[([^\[\]|#]*)",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\{\{\s*([^{}|\[\]<>]{1,80}?)\s*(?=[|}])")
_WIKI_NAME = re.compile(r"([a-z]{2,3}(?:_[a-z_]+)?|simple)wiki(?:-|$)")


def _has_stub_template(text: str) -> bool:
    return any(names.STUB_TEMPLATE.match(name) for name in _CALLED.findall(text[-2_000:]))
