"""Pages of a live wiki by its action API (api.php of MediaWiki), asked one request at a time.

A wiki that is busy is waited for as long as it says, and else twice as long each time; what comes over the wire is
bounded. Sources: API:Query, API:Revisions, API:Etiquette and Manual:Maxlag parameter on mediawiki.org; the User-Agent
policy of the Wikimedia Foundation.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote, urlsplit

import requests

from curation.wikipedia.dump import MAX_PAGE_CHARACTERS, Page, Site
from scoring.json_files import FileError
from scoring.sentences import Sentence, _

# A stranger may ask for 50 pages at once; fewer, so that a killed run loses little. Our choice.
PAGES_A_REQUEST = 20
# Web servers take addresses of 8 KB and more; titles may be long, and are percent-encoded.
_QUERY_CHARACTERS = 6_000
# Of one answer, unpacked. Wikimedia's own stop at 12 MB and offer to continue.
MAX_ANSWER_BYTES = 64 * 2**20
_MOST_CONTINUATIONS = 100
# Seconds that a replica of the wiki's database may lag behind before it asks us to come back. API:Etiquette.
_MAXLAG_SECONDS = 5
TRIES = 8
MOST_WAIT_SECONDS = 300
_TIMEOUT_SECONDS = (10, 60)  # to connect, and between two pieces of an answer
_BUSY_STATUS = {429, 500, 502, 503, 504}
_BUSY_CODES = {"maxlag", "ratelimited", "readonly"}
_CREATIVE_COMMONS = re.compile(r"//creativecommons\.org/licen[cs]es/([a-z-]+)/(\d\.\d)")
_CONTACT = re.compile(r"(?=.*(?:@|://))[ -~]{5,200}")
# What no title holds, so that no wiki need be asked for it.
_NO_TITLE = re.compile(r"[\x00-\x1f\x7f|<>\[\]{}]")


class WikiError(FileError):
    """The wiki cannot be reached, is too busy for too long, or answers what no MediaWiki does."""


@dataclass
class Answer:
    """What a wiki said of the titles or revisions of one request.

    ``normalized`` has titles as asked and as the wiki writes them, ``redirects`` where they lead, ``faults`` why a
    title or revision that is there has no text. What stands in none of them is not there.
    """

    pages: list[Page] = field(default_factory=list)
    normalized: dict[str, str] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)


def is_askable(title: str) -> bool:
    """Whether ``title`` may be the title of a page."""
    return bool(title) and not _NO_TITLE.search(title) and len(title.encode("utf-8", "replace")) <= 255


def batches(names: Sequence[str]) -> Iterator[list[str]]:
    """``names`` in the portions that one request asks for."""
    batch: list[str] = []
    length = 0
    for name in names:
        needs = len(quote(name)) + 3
        if batch and (len(batch) == PAGES_A_REQUEST or length + needs > _QUERY_CHARACTERS):
            yield batch
            batch, length = [], 0
        batch.append(name)
        length += needs
    if batch:
        yield batch


class Api:
    """The API at ``address`` ("https://en.wikipedia.org/w/api.php"). ``contact``, an address of e-mail or of a page,
    tells the wiki's operators whom to turn to; Wikimedia's refuse requests that do not say."""

    def __init__(self, address: str, contact: str, wait: Callable[[float], None] = time.sleep) -> None:
        """Raises WikiError where ``address`` or ``contact`` will not do."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise WikiError(
                _("{address} is no web address; give that of a wiki's api.php, https://...", address=address)
            )
        if not _CONTACT.fullmatch(contact):
            raise WikiError(
                _("Say how the wiki's operators can reach you: an address of e-mail, or of a web page about you.")
            )
        self.address = address
        self._wait = wait
        self._session = requests.Session()
        self._session.max_redirects = 5
        self._session.headers["User-Agent"] = f"SpanwrightBot/0.1 ({contact}) python-requests/{requests.__version__}"
        self._session.headers["Accept-Encoding"] = "gzip"

    def site(self) -> Site:
        """What the wiki says of itself: its name, language, namespaces and licence. Raises WikiError."""
        told = self._query({"meta": "siteinfo", "siprop": "general|namespaces|namespacealiases|rightsinfo"})
        general, rights = _object(told.get("general")), _object(told.get("rightsinfo"))
        site = Site(
            name=str(general.get("sitename", "")),
            database=str(general.get("wikiid", "")),
            main_page=str(general.get("base", "")),
            language=str(general.get("lang", "")),
            script=str(general.get("script") or Site.script),
            licence=_licence(str(rights.get("url", "")), str(rights.get("text", ""))),
        )
        for space in _object(told.get("namespaces")).values():
            for name in (space.get("name"), space.get("canonical")):
                if name:
                    site.namespaces[str(name).lower()] = int(space["id"])
        for alias in _list(told.get("namespacealiases")):
            site.namespaces[str(alias["alias"]).lower()] = int(alias["id"])
        return site

    def by_title(self, titles: Sequence[str]) -> Answer:
        """The newest revisions of the pages ``titles``, one of ``batches``, redirects followed. Raises WikiError."""
        return self._pages({"titles": "|".join(titles), "redirects": "1"})

    def by_revision(self, revisions: Sequence[str]) -> Answer:
        """Those ``revisions``, one of ``batches``, as they were. Raises WikiError."""
        return self._pages({"revids": "|".join(revisions)})

    def _pages(self, which: dict[str, str]) -> Answer:
        wanted = {"prop": "revisions|pageprops", "ppprop": "disambiguation", "rvslots": "main"}
        told = self._query(wanted | {"rvprop": "ids|timestamp|contentmodel|content"} | which)
        answer = Answer(
            normalized={entry["from"]: entry["to"] for entry in _list(told.get("normalized"))},
            redirects={entry["from"]: entry["to"] for entry in _list(told.get("redirects"))},
        )
        for entry in _list(told.get("pages")):
            _take(entry, answer)
        return answer

    def _query(self, params: dict[str, str]) -> dict[str, Any]:
        """All that the wiki has to say, its continuations put together: lists of pages by page, others in a row."""
        whole: dict[str, Any] = {}
        further: dict[str, str] = {}
        for _turn in range(_MOST_CONTINUATIONS):
            answer = self._asked({"action": "query", **params, **further})
            _merge(whole, _object(answer.get("query")))
            next_one = {name: str(value) for name, value in _object(answer.get("continue")).items()}
            if not next_one:
                return whole
            if next_one == further:
                break
            further = next_one
        raise WikiError(_("{address} asks to continue and comes to no end.", address=self.address))

    def _asked(self, params: dict[str, str]) -> dict[str, Any]:
        """One request, repeated while the wiki is busy."""
        params = params | {"format": "json", "formatversion": "2", "maxlag": str(_MAXLAG_SECONDS)}
        problem: Sentence = _("It does not answer.")
        for turn in range(TRIES):
            after = None
            try:
                with self._session.get(self.address, params=params, stream=True, timeout=_TIMEOUT_SECONDS) as response:
                    after = _seconds(response.headers.get("Retry-After", ""))
                    told = self._read(response)
                    if told is not None:
                        return told
                    problem = _("It is busy (status {status}).", status=response.status_code)
            except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError) as error:
                if isinstance(error, requests.exceptions.SSLError):
                    raise self._refused(_("its certificate is not good")) from None
                problem = _("It cannot be reached: {reason}.", reason=type(error).__name__)
            except requests.RequestException as error:
                raise self._refused(_("{reason}", reason=str(error) or type(error).__name__)) from None
            seconds = 2.0**turn if after is None else after
            if seconds > MOST_WAIT_SECONDS or turn == TRIES - 1:
                break
            self._wait(seconds)
        raise WikiError(
            _(
                "{address} gave no answer after {tries} tries. {problem} The same command goes on from here later.",
                address=self.address,
                tries=turn + 1,
                problem=problem,
            )
        )

    def _read(self, response: requests.Response) -> dict[str, Any] | None:
        """The answer; None where the wiki is busy and asks to come again."""
        if response.status_code in _BUSY_STATUS and "json" not in response.headers.get("Content-Type", ""):
            return None
        if response.status_code in (401, 403):
            raise self._refused(_("it does not let us in (status {status})", status=response.status_code))
        body = self._bounded(response)
        try:
            told = json.loads(body)
        except ValueError:
            told = None
        if not isinstance(told, dict):
            if response.status_code in _BUSY_STATUS:
                return None
            raise self._refused(_("it is no MediaWiki API (status {status})", status=response.status_code))
        error = _object(told.get("error"))
        if error.get("code") in _BUSY_CODES or (response.status_code in _BUSY_STATUS and not error):
            return None
        if error:
            raise self._refused(_("{code}: {info}", code=str(error.get("code")), info=str(error.get("info"))))
        return told

    def _bounded(self, response: requests.Response) -> bytes:
        parts, length = [], 0
        for piece in response.iter_content(2**16):
            length += len(piece)
            if length > MAX_ANSWER_BYTES:
                raise self._refused(_("its answer is longer than {limit} bytes", limit=f"{MAX_ANSWER_BYTES:,}"))
            parts.append(piece)
        return b"".join(parts)

    def _refused(self, why: Sentence) -> WikiError:
        return WikiError(_("{address} cannot be read: {why}.", address=self.address, why=why))


def _take(entry: dict[str, Any], answer: Answer) -> None:
    """Put a page of the wiki's answer where it belongs in ours."""
    title = str(entry.get("title", ""))
    for revision in _list(entry.get("revisions")):
        slot = _object(_object(revision.get("slots")).get("main")) or revision
        text = slot.get("content")
        page = Page(
            title=title,
            namespace=int(entry.get("ns", 0)),
            page_id=str(entry.get("pageid", "")),
            revision=str(revision.get("revid", "")),
            timestamp=str(revision.get("timestamp", "")),
            model=str(slot.get("contentmodel", "")),
            text=str(text or "")[: MAX_PAGE_CHARACTERS + 1],
            is_disambiguation="disambiguation" in _object(entry.get("pageprops")),
        )
        page.is_too_large = len(page.text) > MAX_PAGE_CHARACTERS
        if text is None:
            fault = _("The wiki hides the text of this revision.")
            answer.faults |= {title: fault, page.revision: fault}
        else:
            answer.pages.append(page)


def _merge(whole: dict[str, Any], part: dict[str, Any]) -> None:
    for name, value in part.items():
        if name == "pages":
            known = {_key(page): page for page in whole.setdefault("pages", [])}
            for page in _list(value):
                if _key(page) not in known:
                    whole["pages"].append(page)
                    continue
                earlier = known[_key(page)]
                revisions = [*earlier.get("revisions", []), *page.get("revisions", [])]
                earlier.update(page)
                if revisions:
                    earlier["revisions"] = revisions
        elif isinstance(value, list):
            whole.setdefault(name, []).extend(value)
        elif isinstance(value, dict):
            whole.setdefault(name, {}).update(value)


def _key(page: dict[str, Any]) -> tuple[Any, Any]:
    return page.get("ns"), page.get("title")


def _seconds(retry_after: str) -> float | None:
    """How long the header Retry-After asks to wait, a number of seconds or a date; None where it says nothing."""
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
    except (TypeError, ValueError):
        return None
    return max((until - datetime.now(until.tzinfo and UTC)).total_seconds(), 0.0)


def _licence(url: str, text: str) -> str:
    """The licence of a wiki in short, "CC BY-SA 4.0"; as the wiki words it where it is another."""
    match = _CREATIVE_COMMONS.search(url)
    return f"CC {match.group(1).upper()} {match.group(2)}" if match else text or url


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
