"""What a file of passages or of questions holds, whatever its format."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.sentences import Sentence
from scoring.spans import Span


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answers in order, none where it is unanswerable.

    ``written_by`` and ``answered_by`` name workers where they are to be told apart, under whatever name the caller has
    for them; the latter has one for each answer, None for an answer that is no worker's.
    """

    id: str
    text: str
    answers: Sequence[Span] = ()
    is_impossible: bool = False
    written_by: str | None = None
    answered_by: Sequence[str | None] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph, its text to the character; line ends are LF. ``section`` names the headings that it stands
    under, outermost first."""

    text: str
    questions: Sequence[Question] = ()
    section: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Article:
    """A source document and where it came from, empty where the file does not say; so may be the title (one in
    CMRC 2018 is).

    ``language`` is a BCP 47 tag, ``revision`` the source's own mark of the version, ``attribution`` the words that
    the licence asks for, ``topic`` what the article is about, in a word or two.
    """

    title: str
    paragraphs: Sequence[Paragraph] = ()
    source_url: str = ""
    licence: str = ""
    language: str = ""
    revision: str = ""
    attribution: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question stands in its file; all indices from 0."""

    article: int
    title: str
    paragraph: int
    question: int

    def __str__(self) -> str:
        return f"data[{self.article}].paragraphs[{self.paragraph}].qas[{self.question}]"


@dataclass(frozen=True, slots=True)
class Fault:
    """One faulty question and all that is wrong with it. ``question_id`` is None where it has none that
    can be shown."""

    place: Place
    question_id: str | None
    problems: Sequence[Sentence]

    @property
    def message(self) -> str:
        """The problems in one line."""
        return " ".join(self.problems)

    def __str__(self) -> str:
        name = "" if self.question_id is None else f" {self.question_id}"
        return f'{self.place}{name} ("{self.place.title}"): {self.message}'


@dataclass(frozen=True, slots=True)
class Dataset:
    """The articles of a SQuAD file with their sound questions; the faulty ones stand in ``faults`` alone, so that
    nobody stores one by mistake. ``version`` is what the file says, empty where it says nothing."""

    version: str
    articles: Sequence[Article]
    faults: Sequence[Fault] = field(default_factory=list)
