"""A file of passages, in whichever of the two formats, and what of it a project can hold."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from annotation.models import Article, Project, TextRepair
from annotation.services.bulk_copy import max_chars
from scoring.characters import is_blank
from scoring.datasets import Article as FileArticle
from scoring.datasets import Fault
from scoring.datasets import Question as FileQuestion
from scoring.json_files import MAX_BYTES, FileError, read_text
from scoring.passage_files import PROVENANCE, read_passages
from scoring.sentences import _
from scoring.squad_files import read_squad

SQUAD, JSON_LINES = "squad", "jsonl"
# A worker reads a paragraph in one piece; what is longer than this is a whole article, or no text at all. Our choice.
MAX_PARAGRAPH_CHARS = 100_000
# Of a dropped paragraph's text, that the report shows.
EXAMPLE_CHARS = 80
ARTICLE_CHARS = {name: max_chars(Article, name) for name in ("title", *PROVENANCE)}
# Of all headings that a paragraph stands under, together. Our choice.
MAX_SECTION_CHARS = 2000

_BLANKS = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
# Only what may stand behind a link on a page.
_check_web_address = URLValidator(schemes=["http", "https"])


@dataclass(frozen=True, slots=True)
class PassageFile:
    """The articles of a file; ``faults`` are its faulty questions, which the articles do not hold."""

    format: str
    articles: Sequence[FileArticle]
    faults: Sequence[Fault] = ()


@dataclass(frozen=True, slots=True)
class FileParagraph:
    """A paragraph at its place in the file (indices from 0). ``dropped`` says why the project cannot hold it."""

    article: int
    title: str
    position: int
    text: str
    text_sha256: str
    questions: Sequence[FileQuestion]
    dropped: str
    section: Sequence[str] = ()
    revision: str = ""

    @property
    def place(self) -> str:
        return f"data[{self.article}].paragraphs[{self.position}]"

    def as_example(self) -> dict[str, Any]:
        """What a report shows of it."""
        return {
            "article": self.title,
            "paragraph": self.position,
            "characters": len(self.text),
            "text": self.text[:EXAMPLE_CHARS],
        }


@dataclass
class Tally:
    """What became of the paragraphs or of the questions of a file."""

    read: int = 0
    added: int = 0
    dropped: dict[str, dict[str, Any]] = field(default_factory=dict)

    def drop(self, reason: str, example: dict[str, Any]) -> None:
        """Count one more that was left out; the first of each reason is the example."""
        self.dropped.setdefault(reason, {"count": 0, "example": example})["count"] += 1

    def as_json(self) -> dict[str, Any]:
        return {"read": self.read, "added": self.added, "dropped": self.dropped}


def read_passage_file(data: bytes, max_bytes: int = MAX_BYTES, *, with_questions: bool = False) -> PassageFile:
    """Read ``data``, SQuAD JSON or JSON Lines by its content, plain or .gz; its questions only where asked for.

    Raises FileError, with the place.
    """
    text = read_text(data, max_bytes)
    if format_of(text) == JSON_LINES:
        file = PassageFile(JSON_LINES, read_passages(text.encode(), max_bytes))
    else:
        dataset = read_squad(text.encode(), max_bytes, with_questions=with_questions)
        file = PassageFile(SQUAD, dataset.articles, dataset.faults)
    for index, article in enumerate(file.articles):
        _check_article(article, f"data[{index}]" if file.format == SQUAD else f"articles[{index}]")
    return file


def format_of(text: str) -> str:
    """SQUAD or JSON_LINES, by the first telling key of the first object; SQUAD where nothing tells, as its reader
    then says what is wrong."""
    position, keys = _after_blanks(text, 0), []
    try:
        while text[position] in "{,":
            key, position = _DECODER.raw_decode(text, _after_blanks(text, position + 1))
            if key in ("data", "paragraphs"):
                return SQUAD if key == "data" else JSON_LINES
            keys.append(key)
            colon = _after_blanks(text, position)
            _value, position = _DECODER.raw_decode(text, _after_blanks(text, colon + 1))
            position = _after_blanks(text, position)
    except (ValueError, IndexError, RecursionError):
        return SQUAD
    return JSON_LINES if "title" in keys else SQUAD


def _after_blanks(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position


def _check_article(article: FileArticle, place: str) -> None:
    for name, limit in ARTICLE_CHARS.items():
        if len(getattr(article, name)) > limit:
            raise FileError(_("{place} is longer than {limit} characters.", place=f"{place}.{name}", limit=limit))
    for index, paragraph in enumerate(article.paragraphs):
        if paragraph.section and sum(map(len, paragraph.section)) > MAX_SECTION_CHARS:
            where = f"{place}.paragraphs[{index}].section"
            raise FileError(_("{place} is longer than {limit} characters.", place=where, limit=MAX_SECTION_CHARS))
    if article.source_url:
        try:
            _check_web_address(article.source_url)
        except ValidationError:
            raise FileError(_("{place} must be an http or https address.", place=f"{place}.source_url")) from None


def paragraphs_of(file: PassageFile, project: Project) -> Iterator[FileParagraph]:
    """All paragraphs of ``file``, in its order."""
    for index, article in enumerate(file.articles):
        for position, paragraph in enumerate(article.paragraphs):
            yield FileParagraph(
                article=index,
                title=article.title,
                position=position,
                text=paragraph.text,
                text_sha256=text_digest(paragraph.text),
                questions=paragraph.questions,
                dropped=reason_to_drop(paragraph.text, project),
                section=paragraph.section,
                revision=article.revision,
            )


def without_mended(project: Project, paragraphs: Iterable[FileParagraph]) -> Iterator[FileParagraph]:
    """``paragraphs``, of which those are dropped whose text the project had and somebody mended: it would come in a
    second time."""
    old_texts = TextRepair.objects.filter(paragraph__project=project).values_list("old_text", flat=True)
    mended = {text_digest(text) for text in old_texts}
    mended -= set(project.paragraphs.filter(text_sha256__in=mended).values_list("text_sha256", flat=True))
    for paragraph in paragraphs:
        is_mended = not paragraph.dropped and paragraph.text_sha256 in mended
        yield replace(paragraph, dropped="mended") if is_mended else paragraph


def text_digest(text: str) -> str:
    """What ``Paragraph.text_sha256`` holds, by which the same text is found."""
    return sha256(text.encode()).hexdigest()


def reason_to_drop(text: str, project: Project) -> str:
    """Why ``project`` takes no paragraph of this text, empty where it does. Characters are Unicode code points."""
    if is_blank(text):
        return "blank"
    if len(text) < project.min_paragraph_chars:
        return "too_short"
    if len(text) > MAX_PARAGRAPH_CHARS:
        return "too_long"
    return ""


def new_paragraphs(paragraphs: Iterable[FileParagraph], stored: set[str], tally: Tally) -> Iterator[FileParagraph]:
    """Those that the project can hold and whose text it does not have yet (``stored``: hashes of the texts that it
    has), each text once. The others are counted in ``tally``."""
    taken = set()
    for paragraph in paragraphs:
        tally.read += 1
        if paragraph.dropped:
            tally.drop(paragraph.dropped, paragraph.as_example())
        elif paragraph.text_sha256 in stored:
            tally.drop("already_there", paragraph.as_example())
        elif paragraph.text_sha256 in taken:
            tally.drop("twice_in_file", paragraph.as_example())
        else:
            taken.add(paragraph.text_sha256)
            tally.added += 1
            yield paragraph
