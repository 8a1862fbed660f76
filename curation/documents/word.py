"""DOCX: the running text of the body, with its headings as sections. python-docx is an optional extra."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curation.articles import Passage
from curation.documents.extras import required
from curation.documents.sections import Sections
from scoring.json_files import FileError
from scoring.sentences import _

if TYPE_CHECKING:
    from docx.document import Document

# Of all files in the archive once unpacked, how often larger that is than the archive, and their number. The longest
# novels have some 5 MB of XML, which packs to a twentieth. Our choice.
MAX_UNPACKED_BYTES = 256 * 2**20
MAX_RATIO = 200
MAX_ENTRIES = 10_000
# What packs well is no bomb yet where there is little of it.
_HARMLESS_BYTES = 8 * 2**20

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
# Deleted text, text boxes, and the second rendering of what newer programs show in another way.
_LEFT_OUT = frozenset(f"{_W}{name}" for name in ("del", "moveFrom", "txbxContent", "rPr", "pPr", "sdtPr")) | {
    f"{_MC}Fallback"
}
_NO_TEXT = ("toc", "table of figures", "header", "footer", "macro text", "html preformatted", "source code")


@dataclass(frozen=True, slots=True)
class WordDocument:
    """A document's passages and what it says of itself."""

    title: str
    passages: list[Passage]
    language: str


def read_word(data: bytes) -> WordDocument:
    """The document of a DOCX file. Raises FileError, also where python-docx is absent."""
    check_archive(data)
    docx = required("docx", "python-docx")
    try:
        document = docx.Document(io.BytesIO(data))
        return _read(document)
    except FileError:
        raise
    except Exception as error:
        # python-docx and lxml raise whatever a damaged file leads them to.
        raise FileError(
            _(
                "It is a damaged DOCX file ({reason}). Open it in a word processor and save it anew.",
                reason=type(error).__name__,
            )
        ) from None


def check_archive(data: bytes) -> None:
    """Raises FileError for what is no zip archive, and for one that would unpack to more than a document can be.
    Python unpacks no more of an entry than the archive's directory says, so that the directory can be believed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise FileError(
            _("It is no DOCX file, or protected by a password, or damaged. Save it anew, without a password.")
        ) from None
    unpacked = sum(entry.file_size for entry in entries)
    is_bomb = unpacked > _HARMLESS_BYTES and unpacked > MAX_RATIO * len(data)
    if unpacked > MAX_UNPACKED_BYTES or is_bomb or len(entries) > MAX_ENTRIES:
        raise FileError(
            _(
                "It would unpack to {unpacked} bytes in {entries} files from {packed} bytes: no document does. "
                "Leave it out.",
                unpacked=f"{unpacked:,}",
                entries=f"{len(entries):,}",
                packed=f"{len(data):,}",
            )
        )


def _read(document: "Document") -> WordDocument:
    sections = Sections()
    for paragraph in _paragraphs(document):
        style = ((paragraph.style and paragraph.style.name) or "").lower()
        if style.startswith(_NO_TEXT):
            continue
        pieces = list(_pieces(paragraph._p))
        text = " ".join("".join(piece for piece in pieces if piece is not None).split(" ")).strip()
        if level := _level(style):
            sections.heading(level, text)
        else:
            sections.passage(text, ("formula",) if None in pieces else ())
    properties = document.core_properties
    title = (properties.title or "").strip() or sections.first_heading
    return WordDocument(title, list(sections.under(title)), (properties.language or "").strip())


def _paragraphs(document: "Document") -> Iterator[Any]:
    """The body's paragraphs in their order; tables are left out."""
    for block in document.iter_inner_content():
        if hasattr(block, "runs"):
            yield block


def _level(style: str) -> int:
    """The level of a heading's style, 0 for others. The built-in styles have English names in every language."""
    if style == "title":
        return 1
    name, _blank, number = style.partition(" ")
    return int(number) + 1 if name == "heading" and number.isdigit() else 0


def _pieces(element: Any) -> Iterator[str | None]:
    """The text of a paragraph's XML as it is shown, inserted and moved text with it; None for a formula."""
    for child in element:
        tag = child.tag
        if tag == f"{_W}t":
            yield child.text or ""
        elif tag in (f"{_W}tab", f"{_W}br", f"{_W}cr"):
            yield " "
        elif tag == f"{_W}noBreakHyphen":
            yield "\u2011"
        elif tag in (f"{_M}oMath", f"{_M}oMathPara"):
            yield None
        elif tag in _LEFT_OUT or not isinstance(tag, str) or (tag == f"{_W}r" and _is_hidden(child)):
            continue
        else:
            yield from _pieces(child)


def _is_hidden(run: Any) -> bool:
    vanish = run.find(f"{_W}rPr/{_W}vanish")
    return vanish is not None and vanish.get(f"{_W}val", "true") not in ("0", "false", "off")
