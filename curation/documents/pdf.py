"""PDF: the text of its pages put together to paragraphs. pypdf is an optional extra."""

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from curation.articles import Passage
from curation.documents.extras import required
from curation.documents.lines import joined, words_of
from scoring.characters import is_blank
from scoring.json_files import FileError
from scoring.line_ends import lf
from scoring.sentences import _

MAX_PAGES = 5_000
MAX_TEXT_CHARS = 50_000_000
# A line much shorter than the others ends its paragraph.
_SHORT_LINE = 0.8
# Lines at the edges of this share of the pages or more are running heads and feet.
_RUNNING_SHARE = 0.5
_EDGE_LINES = 2
_FEWEST_PAGES = 3

_DIGITS = re.compile(r"\d+")
_SENTENCE_END = re.compile(r"[.!?…:。！？।؟][\"'”’»)\]]*$")


@dataclass(frozen=True, slots=True)
class PdfDocument:
    """A document's passages and its title, empty where it states none."""

    title: str
    passages: list[Passage]


def read_pdf(data: bytes) -> PdfDocument:
    """The document of a PDF file. Raises FileError: also for one that holds no text, is protected by a password, or
    where pypdf is absent."""
    pypdf = required("pypdf", "pypdf")
    # What it finds odd in a file it can read is nobody's concern; what it cannot read it raises.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileError(_("It is protected by a password. Save it without one."))
        title = str((reader.metadata and reader.metadata.title) or "").strip()
        pages = list(_pages(reader))
    except FileError:
        raise
    except Exception as error:
        # pypdf raises whatever a damaged file leads it to.
        raise FileError(
            _("It is a damaged PDF file ({reason}). Open it in a reader and save it anew.", reason=type(error).__name__)
        ) from None
    if not any(pages):
        raise FileError(_("It holds no text: its pages are pictures, as of a scan. Run text recognition on it first."))
    return PdfDocument(title, [Passage(text) for text in paragraphs_of_pages(pages)])


def paragraphs_of_pages(pages: Sequence[Sequence[str]]) -> Iterator[str]:
    """The paragraphs of pages in lines; one may run over to the next page. Lines that recur on many pages at the top
    or the foot, but for the digits in them, are left out."""
    running = _running_lines(pages)
    words = words_of("\n".join(line for page in pages for line in page))
    lengths = sorted(len(line.strip()) for page in pages for line in page if not is_blank(line))
    # Three lines of four are no longer; running heads and last lines of paragraphs are the shorter ones.
    usual = lengths[len(lengths) * 3 // 4] if lengths else 0
    paragraph: list[str] = []
    for page in pages:
        for position, line in enumerate(page):
            is_edge = position < _EDGE_LINES or position >= len(page) - _EDGE_LINES
            if is_edge and _without_digits(line) in running:
                continue
            if not is_blank(line):
                paragraph.append(line)
            is_end = len(line.strip()) < _SHORT_LINE * usual and _SENTENCE_END.search(line.strip())
            is_page_end = position == len(page) - 1
            if paragraph and (is_end or (is_blank(line) and not is_page_end)):
                yield joined(paragraph, words)
                paragraph = []
    if paragraph:
        yield joined(paragraph, words)


def _pages(reader: Any) -> Iterator[list[str]]:
    """Each page's lines, none for a page without text."""
    if len(reader.pages) > MAX_PAGES:
        raise FileError(_("It has more than {limit} pages. Split it.", limit=f"{MAX_PAGES:,}"))
    left = MAX_TEXT_CHARS
    for page in reader.pages:
        text = lf(page.extract_text()).replace("\f", "\n").strip("\n")
        left -= len(text)
        if left < 0:
            raise FileError(_("It holds more than {limit} characters. Split it.", limit=f"{MAX_TEXT_CHARS:,}"))
        yield [] if is_blank(text) else text.split("\n")


def _running_lines(pages: Sequence[Sequence[str]]) -> set[str]:
    written = [page for page in pages if page]
    if len(written) < _FEWEST_PAGES:
        return set()
    counts = Counter(
        line
        for page in written
        for line in {_without_digits(line) for line in (*page[:_EDGE_LINES], *page[-_EDGE_LINES:])}
    )
    return {line for line, count in counts.items() if count >= max(_FEWEST_PAGES, _RUNNING_SHARE * len(written))}


def _without_digits(line: str) -> str:
    return _DIGITS.sub("#", line.strip())
