"""Folders and single files of documents, read into articles: which format a file has, and what is said of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from curation.articles import Article, Drop, Passage, Read, Reason
from curation.documents.encodings import decode
from curation.documents.files import SourceFile, TooLarge, files_of
from curation.documents.json_lines import looks_like_json_lines, read_json_lines
from curation.documents.markdown import read_markdown
from curation.documents.pdf import read_pdf
from curation.documents.plain_text import passages_of_text
from curation.documents.squad import read_squad_articles
from curation.documents.streams import opened
from curation.documents.tables import read_table
from curation.documents.web_pages import declared_encoding, read_web_page
from curation.documents.word import read_word
from scoring.characters import is_blank
from scoring.json_files import FileError, unstorable
from scoring.sentences import _

_TITLE_CHARS = 200  # of titles that are taken from a document; files of articles state theirs
_PEEK_BYTES = 2**16

Told = Callable[[SourceFile], None]


@dataclass(frozen=True, slots=True)
class DocumentRules:
    """How documents are read: the fields (JSON Lines) or columns (CSV, TSV) of text and title, and what is said of
    an article's source where it does not say so itself."""

    text_field: str = "text"
    title_field: str = "title"
    source_url: str = ""
    licence: str = ""
    language: str = ""
    attribution: str = ""


DEFAULT_RULES = DocumentRules()


def read_documents(source: Path, rules: DocumentRules = DEFAULT_RULES, told: Told | None = None) -> Read:
    """The articles of the file or folder ``source``. In a folder, a file that cannot be read is a drop and the next
    goes on; ``told`` hears of each file that was read. Raises FileError where nothing can be read at all: there is no
    such file or folder, or the only file is unreadable.
    """
    is_folder = source.resolve().is_dir()
    titles = _Titles()
    for file in files_of(source):
        if isinstance(file, Drop):
            yield file
            continue
        try:
            for read in _read(file, rules):
                yield read if isinstance(read, Drop) else _stated(titles.told_apart(read, file), rules)
        except FileError as error:
            if not is_folder:
                raise
            reason = Reason.TOO_LARGE if isinstance(error, TooLarge) else _reason(file)
            yield Drop(file.name, reason, detail=error.sentence)
        if told is not None:
            told(file)


def _read(file: SourceFile, rules: DocumentRules) -> Read:
    """The articles of one file, by its ending. Raises FileError."""
    match file.ending:
        case ".txt" | ".text":
            text, file.encoding = decode(file.read())
            yield from _one(file, "", passages_of_text(text))
        case ".md" | ".markdown":
            text, file.encoding = decode(file.read())
            yield from _one(file, *read_markdown(text))
        case ".html" | ".htm" | ".xhtml":
            yield from _web_page(file)
        case ".docx":
            document = read_word(file.read())
            yield from _one(file, document.title, document.passages, language=document.language)
        case ".pdf":
            pdf = read_pdf(file.read())
            yield from _one(file, pdf.title, pdf.passages)
        case ".csv" | ".tsv":
            yield from read_table(file, rules.text_field, rules.title_field)
        case ".jsonl" | ".ndjson":
            yield from read_json_lines(file, rules.text_field, rules.title_field)
        case ".json":
            if _holds_json_lines(file):
                yield from read_json_lines(file, rules.text_field, rules.title_field)
            else:
                yield from read_squad_articles(file)
        case _:
            raise FileError(
                _("Files of this kind cannot be read. Those that can end in {endings}.", endings=", ".join(ENDINGS))
            )


ENDINGS = (
    ".txt", ".text", ".md", ".markdown", ".html", ".htm", ".xhtml", ".jsonl", ".ndjson", ".json", ".csv", ".tsv",
    ".docx", ".pdf",
)  # fmt: skip


def _reason(file: SourceFile) -> Reason:
    return Reason.UNREADABLE if file.ending in ENDINGS else Reason.NOT_A_DOCUMENT


def _web_page(file: SourceFile) -> Read:
    data = file.read()
    text, file.encoding = decode(data, declared_encoding(data))
    page = read_web_page(text)
    yield from _one(
        file, page.title, page.passages, source_url=page.source_url, licence=page.licence, language=page.language
    )


def _one(
    file: SourceFile,
    title: str,
    passages: list[Passage],
    *,
    source_url: str = "",
    licence: str = "",
    language: str = "",
) -> Read:
    """The one article of ``file``, named after it where it has no title that can be shown."""
    title = " ".join(title.split())
    if is_blank(title) or unstorable(title):
        title = file.stem
    if not passages:
        yield Drop(title, Reason.EMPTY, detail=_("The document holds no running text."))
        return
    yield Article(title[:_TITLE_CHARS], passages, source_url=source_url, licence=licence, language=language)


def _holds_json_lines(file: SourceFile) -> bool:
    with opened(file) as stream:
        return looks_like_json_lines(stream.peek(_PEEK_BYTES).decode("utf-8", "replace").removeprefix("\ufeff"))


class _Titles:
    """The titles given so far, with the file that each came from: documents of equal titles are not one article."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}

    def told_apart(self, article: Article, file: SourceFile) -> Article:
        """``article``, with its file behind the title where another file has an article of that title."""
        if self._files.setdefault(article.title, file.name) == file.name:
            return article
        return replace(article, title=f"{article.title} ({file.name})")


def _stated(article: Article, rules: DocumentRules) -> Article:
    return replace(
        article,
        source_url=article.source_url or rules.source_url,
        licence=article.licence or rules.licence,
        language=article.language or rules.language,
        attribution=article.attribution or rules.attribution,
    )
