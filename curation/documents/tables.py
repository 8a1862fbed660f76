"""CSV and TSV: a text a row, in a named column."""

import csv
import io
from collections.abc import Iterator, Mapping

from curation.articles import Article, Drop, Passage, Read, Reason
from curation.documents.encodings import encoding_of
from curation.documents.files import SourceFile
from curation.documents.plain_text import passages_of_text
from curation.documents.streams import LINE_BYTES, opened
from scoring.characters import is_blank
from scoring.json_files import FileError, unstorable
from scoring.line_ends import lf
from scoring.sentences import _

_DELIMITERS = (",", ";", "\t", "|")
_COLUMNS_NAMED = 20
# Columns with these names say where a row's article is from.
_PROVENANCE = ("source_url", "licence", "language", "revision", "attribution", "topic")


def read_table(file: SourceFile, text_column: str, title_column: str) -> Read:
    """The articles of ``file``, a table with a header. Rows of the same title that follow each other are one article;
    without a column of titles every row is an article of its own. Raises FileError."""
    with opened(file) as stream:
        file.encoding = encoding_of(stream.peek(), is_beginning=True)
        csv.field_size_limit(LINE_BYTES)
        with io.TextIOWrapper(stream, file.encoding, newline="") as text:
            yield from _articles(file, _rows(file, text, text_column), text_column, title_column)


def _rows(file: SourceFile, text: io.TextIOWrapper, text_column: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each row by its column's names, with the line that it ends in."""
    header = text.readline(LINE_BYTES).removeprefix("\ufeff")
    if is_blank(header):
        raise FileError(_("The file is empty."))
    delimiter, columns = _columns(header, text_column, "\t" if file.ending == ".tsv" else "")
    reader = csv.reader(text, delimiter=delimiter)
    try:
        for row in reader:
            # A row may have fewer cells than there are columns, or more.
            yield reader.line_num + 1, dict(zip(columns, row, strict=False))
    except csv.Error as error:
        raise FileError(_("Line {line} is no CSV: {reason}.", line=reader.line_num + 1, reason=str(error))) from None
    except UnicodeDecodeError:
        raise FileError(
            _("From line {line} on it is not in {encoding}.", line=reader.line_num + 2, encoding=file.encoding)
        ) from None


def _columns(header: str, text_column: str, known: str) -> tuple[str, list[str]]:
    """The delimiter that parts the names in ``header``, and the names."""
    readings = {
        delimiter: [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
        for delimiter in ((known,) if known else _DELIMITERS)
    }
    for delimiter, names in readings.items():
        if text_column in names:
            return delimiter, names
    names = max(readings.values(), key=len)
    raise FileError(
        _(
            'The table has no column "{column}"; it has: {columns}. Name the column that holds the text.',
            column=text_column,
            columns=", ".join(names[:_COLUMNS_NAMED]),
        )
    )


def _articles(
    file: SourceFile, rows: Iterator[tuple[int, Mapping[str, str]]], text_column: str, title_column: str
) -> Read:
    title, passages, stated = "", list[Passage](), dict[str, str]()
    for number, row in rows:
        text, new_title = lf(row.get(text_column, "")), row.get(title_column, "").strip()
        if fault := unstorable("\n".join(row.values())):
            sentence = _("Line {line}: it holds {fault}.", line=number, fault=fault)
            yield Drop(file.name, Reason.UNREADABLE, detail=sentence)
            continue
        if passages and (not new_title or new_title != title):
            yield Article(title, passages, **stated)
            passages = []
        if not passages:
            title = new_title or f"{file.stem} {number}"
            stated = {name: row[name].strip() for name in _PROVENANCE if name in row}
        if is_blank(text):
            yield Drop(title, Reason.EMPTY, is_passage=True, detail=_("Line {line}: the cell is empty.", line=number))
        passages.extend(passages_of_text(text))
    if passages:
        yield Article(title, passages, **stated)
