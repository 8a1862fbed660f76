"""Titles of wiki pages: ranked lists of them, and samples that can be drawn again from the same list."""

import csv
import gzip
import hashlib
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from curation.wikidata import are_items, titles_by_item
from curation.wikipedia.names import NAMESPACES
from scoring.json_files import FileError, list_at, object_at, read_bytes, read_json, text_at
from scoring.sentences import _

# How a sample is drawn; a record names it, so that a later way to draw leaves older samples as they are.
ALGORITHM = "sha256-order-1"
# Of a list as it lies on the disk: a month's page views of every wiki have less.
MAX_BYTES = 2**30

_TITLE_COLUMNS = ("title", "page_title", "page", "article", "label", "name", "entity")
_SCORE_COLUMNS = ("pagerank", "rank_score", "score", "views", "view_count", "page_views", "pageviews", "count")
# "en.wikipedia Main_Page 42 0", "en Main_Page 42 0", "en.wikipedia Main_Page 123 desktop 42 A1B2"
_PAGE_VIEWS = re.compile(r"([a-z][a-z0-9-]*(?:\.[a-z]+)*) (\S+) (?:(?:\d+|null) [a-z-]+ )?(\d+)(?: \S+)?$")
# Nayuki's list: the score's logarithm or the score itself in front of the title.
_SCORE_FIRST = re.compile(r"\s*([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)[\t ]+(\S.*)$", re.IGNORECASE)
_SCORE_LAST = re.compile(r"(\S.*?)\t+\s*([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class RankedTitles:
    """Titles from the highest rank down, each once, and what was left out of the list on the way."""

    titles: list[str]
    sha256: str
    left_out: dict[str, int]  # "other namespace", "duplicate", "empty", "other wiki"


@dataclass(frozen=True)
class SampleRecord:
    """A sample of ``sample`` titles out of the first ``top`` of a list, and all that it takes to draw it again."""

    source: str  # the list's file name
    sha256: str  # of the list's bytes
    drawn_on: str  # ISO date
    seed: int
    top: int
    sample: int
    titles: list[str]
    algorithm: str = ALGORITHM


def page_title(written: str) -> str:
    """``written`` as a page's title: underscores and percent-encoding undone, the first letter a capital.

    >>> page_title("%C3%85land_Islands")
    'Åland Islands'
    """
    decoded = _decoded(written) if "%" in written else written
    title = " ".join(decoded.replace("_", " ").split()).removeprefix("\ufeff")
    return title[:1].upper() + title[1:]


def read_ranked(path: Path, wiki: str = "", tables: Path | None = None) -> RankedTitles:
    """The titles of a ranked list, plain or gzip-compressed. Raises FileError.

    Known are: CSV and TSV, with a header that names a column for titles (and perhaps one for scores, by which it is
    sorted) or without; Nayuki's "score title" lines; "title, tab, score", where Wikidata PageRank names items (Q42)
    that become titles by the tables page and page_props in the folder ``tables``; the page views of Wikimedia, of
    which ``wiki`` ("en.wikipedia") chooses the lines; or one title a line. A list with scores is sorted by them, equal
    ones in the order of the file; one without is taken in its order. A folder that holds the link tables of a wiki is
    ranked by PageRank.
    """
    data = _ranked_anew(path) if path.is_dir() else read_bytes(path, MAX_BYTES)
    rows = [(_without_address(written), score) for written, score in _rows(_text(data), wiki)]
    left_out: dict[str, int] = {}
    if are_items(written for written, _score in rows):
        count = len(rows)
        rows = _with_titles(rows, tables)
        left_out |= {"other wiki": count - len(rows)} if count > len(rows) else {}
    if all(score is not None for _title, score in rows):
        rows.sort(key=lambda row: -(row[1] or 0.0))
    titles: dict[str, None] = {}
    for written, _score in rows:
        title = page_title(written)
        prefix, colon, rest = title.partition(":")
        if not title or title == "-":
            reason = "empty"
        elif colon and rest and prefix.strip().lower() in NAMESPACES:
            reason = "other namespace"
        elif title in titles:
            reason = "duplicate"
        else:
            titles[title] = None
            continue
        left_out[reason] = left_out.get(reason, 0) + 1
    if not titles:
        raise FileError(_("The list holds no titles of articles."))
    return RankedTitles(list(titles), hashlib.sha256(data).hexdigest(), left_out)


def read_revisions(path: Path) -> list[str]:
    """The ids of revisions in a file, one a line, each once. Raises FileError."""
    lines = [line.strip() for line in _text(read_bytes(path, MAX_BYTES)).splitlines()]
    for number, line in enumerate(lines, 1):
        if line and not (line.isascii() and line.isdecimal() and len(line) < 20):
            raise FileError(_("Line {number} is no revision's id: {line}.", number=number, line=line))
    revisions = list(dict.fromkeys(filter(None, lines)))
    if not revisions:
        raise FileError(_("The list is empty."))
    return revisions


def draw(titles: Sequence[str], seed: int, top: int, sample: int) -> list[str]:
    """``sample`` of the first ``top`` titles, each set of that size equally likely, in the order of the list.

    Each title stands at the SHA-256 of "seed:rank:title" (rank from 1); those that stand lowest are drawn. So the
    sample depends on no random generator and comes out the same with any Python and in any other language.
    Raises FileError where the list is too short.
    """
    if sample < 1 or top < 1:
        raise FileError(_("At least one title has to be drawn, out of at least one."))
    if len(titles) < top:
        raise FileError(
            _("The list has {count} titles, fewer than the top {top} asked for.", count=len(titles), top=top)
        )
    if sample > top:
        raise FileError(_("{sample} titles cannot be drawn out of {top}.", sample=sample, top=top))

    def place(rank: int) -> bytes:
        return hashlib.sha256(f"{seed}:{rank + 1}:{titles[rank]}".encode()).digest()

    return [titles[rank] for rank in sorted(sorted(range(top), key=place)[:sample])]


def draw_sample(path: Path, *, seed: int, top: int, sample: int, drawn_on: str, wiki: str = "") -> SampleRecord:
    """Draw from the ranked list at ``path``; ``drawn_on`` is today's ISO date. Raises FileError."""
    ranked = read_ranked(path, wiki)
    titles = draw(ranked.titles, seed, top, sample)
    return SampleRecord(path.name, ranked.sha256, drawn_on, seed, top, sample, titles)


def redraw(record: SampleRecord, path: Path, wiki: str = "", tables: Path | None = None) -> list[str]:
    """The titles of ``record``, drawn again from its list. Raises FileError where ``path`` is another list, or its way
    to draw is not known here."""
    if record.algorithm != ALGORITHM:
        raise FileError(_("The sample was drawn by “{name}”, which is not known here.", name=record.algorithm))
    ranked = read_ranked(path, wiki, tables)
    if ranked.sha256 != record.sha256:
        raise FileError(_("The list is not the one that the sample was drawn from: its SHA-256 differs."))
    return draw(ranked.titles, record.seed, record.top, record.sample)


def record_as_json(record: SampleRecord) -> str:
    """``record`` as a file for people and programs to keep."""
    return json.dumps(asdict(record), ensure_ascii=False, indent=2) + "\n"


def read_record(path: Path) -> SampleRecord:
    """The record that ``record_as_json`` wrote to ``path``. Raises FileError."""
    record = object_at(read_json(read_bytes(path)), "The record")
    seed, top, sample = (_whole_number(record, key) for key in ("seed", "top", "sample"))
    source, sha256, drawn_on, algorithm = (
        text_at(record, key, "The record") for key in ("source", "sha256", "drawn_on", "algorithm")
    )
    titles = list_at(record, "titles", "The record")
    if not all(isinstance(title, str) for title in titles):
        raise FileError(_("The record's titles must be texts."))
    return SampleRecord(source, sha256, drawn_on, seed, top, sample, titles, algorithm)


def _whole_number(record: dict[str, Any], key: str) -> int:
    number = record.get(key)
    if not isinstance(number, int) or isinstance(number, bool):
        raise FileError(_("The record's {key} must be a whole number.", key=key))
    return number


def _with_titles(rows: list[tuple[str, float | None]], tables: Path | None) -> list[tuple[str, float | None]]:
    """``rows`` of items with the titles of the wiki's articles on them; without those that it has none on."""
    if tables is None:
        raise FileError(
            _("The list names items of Wikidata (Q42), not titles: name a folder with the wiki's tables, --tables.")
        )
    titles = titles_by_item(tables)
    return [(titles[item], score) for item, score in rows if item in titles]


def _ranked_anew(folder: Path) -> bytes:
    # Loading the libraries for it takes a second that other lists need not wait.
    from curation.ranking import as_tsv, rank, tables_in

    return as_tsv(rank(tables_in(folder))).encode()


def _text(data: bytes) -> str:
    if data.startswith(b"\x1f\x8b"):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(4 * MAX_BYTES)
        except (OSError, EOFError):
            raise FileError(_("The list is a damaged gzip file: it cannot be unpacked to its end.")) from None
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(_("The list is not UTF-8: line {line}. Save it as UTF-8.", line=line)) from None


def _rows(text: str, wiki: str) -> Iterator[tuple[str, float | None]]:
    """Each title as written, with its score where the list has scores."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        raise FileError(_("The list is empty."))
    beginning = lines[:20]
    if all(_PAGE_VIEWS.match(line) for line in beginning):
        yield from _page_views(lines, wiki)
    elif all(_SCORE_FIRST.match(line) for line in beginning) and not all("\t" in line for line in beginning):
        yield from _matched(lines, _SCORE_FIRST, title=2, score=1)
    else:
        delimiter = next((mark for mark in "\t,;" if mark in lines[0]), "")
        if delimiter and (columns := _columns(next(csv.reader(lines[:1], delimiter=delimiter)))):
            yield from _by_columns(lines[1:], delimiter, *columns)
        elif all(_SCORE_FIRST.match(line) for line in beginning):
            yield from _matched(lines, _SCORE_FIRST, title=2, score=1)
        elif all(_SCORE_LAST.match(line) for line in beginning):
            yield from _matched(lines, _SCORE_LAST, title=1, score=2)
        elif all(re.search(r",\s*[-+]?\d[\d.eE+-]*\s*$", line) for line in beginning):
            yield from _by_columns(lines, ",", 0, 1)
        else:
            begin = lines[0].strip() in _TITLE_COLUMNS
            yield from ((line.split("\t")[0].strip().strip('"'), None) for line in lines[begin:])


def _columns(header: list[str]) -> tuple[int, int | None] | None:
    names = [name.strip().lower() for name in header]
    title = next((names.index(name) for name in _TITLE_COLUMNS if name in names), None)
    score = next((names.index(name) for name in _SCORE_COLUMNS if name in names), None)
    return None if title is None else (title, score)


def _by_columns(
    lines: Iterable[str], delimiter: str, title: int, score: int | None
) -> Iterator[tuple[str, float | None]]:
    for row in csv.reader(lines, delimiter=delimiter):
        if len(row) <= max(title, score or 0):
            continue
        yield row[title], None if score is None else _number(row[score], row[title])


def _matched(lines: Iterable[str], pattern: re.Pattern[str], title: int, score: int) -> Iterator[tuple[str, float]]:
    for line in lines:
        if match := pattern.match(line):
            yield match.group(title), _number(match.group(score), match.group(title))


def _page_views(lines: Iterable[str], wiki: str) -> Iterator[tuple[str, float]]:
    """Views by title, summed over hours and devices. Without ``wiki``, the list must be of one wiki."""
    views: dict[str, float] = {}
    seen: set[str] = set()
    wanted = {wiki, wiki.removesuffix(".wikipedia"), f"{wiki.removesuffix('.wikipedia')}.m"}
    for line in lines:
        match = _PAGE_VIEWS.match(line)
        if not match or (wiki and match.group(1) not in wanted):
            continue
        seen.add(match.group(1).removesuffix(".m").removesuffix(".wikipedia"))
        views[match.group(2)] = views.get(match.group(2), 0.0) + _number(match.group(3), match.group(2))
    if not wiki and len(seen) > 1:
        raise FileError(_("The page views are of {count} wikis; say which one is meant.", count=len(seen)))
    yield from views.items()


def _number(written: str, title: str) -> float:
    """The score ``written`` of ``title``. Raises FileError where nothing can be ranked by it."""
    try:
        number = float(written.replace(",", ""))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise FileError(_("The list's score {score} of {title} is no finite number.", score=written, title=title))
    return number


def _without_address(written: str) -> str:
    """The title in ``written`` where it is an address, as in Wikidata's and DBpedia's lists."""
    match = re.match(r"<?https?://[^/\s]+/(?:wiki|resource|page|entity)/([^\s>]+?)>?$", written.strip())
    return match.group(1) if match else written


def _decoded(written: str) -> str:
    try:
        return unquote(written, errors="strict")
    except UnicodeDecodeError:
        return written
