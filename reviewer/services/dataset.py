"""A project's dataset as it is at one moment: which questions are in it, with which answers, and what is left out.

The same rows give the same content: articles and paragraphs stand in the order of their positions, questions in the
order of their keys, and nothing depends on time, collation or the planner.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation.models import Answer, Article, Paragraph, Project, Question
from annotation.querysets import QuestionQuerySet
from scoring import datasets
from scoring.spans import Span

# Articles that one round of queries reads; a SQuAD article has some 40 paragraphs and 200 questions.
ARTICLES_AT_ONCE = 25
ROWS_AT_ONCE = 5_000
SPLITS = tuple(Article.Split.values)
# Splits in which each question is to have this many answers: the author's and two more (SQuAD paper, section 3).
EVALUATION_SPLITS = (Article.Split.DEV, Article.Split.TEST)
WANTED_ANSWERS = 3


class NotExportable(Exception):
    """A project that gives no dataset; the message says why and what to do."""


class Left:
    """Why a question is left out."""

    NO_ANSWER = "no_answer"
    ONLY_UNANSWERABLE = "only_unanswerable"
    ADJUDICATED_UNANSWERABLE = "adjudicated_unanswerable"
    TOO_FEW_ANSWERS = "too_few_answers"


@dataclass(frozen=True)
class Selection:
    """What of the dataset is wanted. ``with_impossible`` gives questions that cannot be answered too, which SQuAD 1.1
    has no place for; a question of dev or test needs ``least_answers``, or as many people who say that it has none;
    ``with_workers`` names workers by the key of their row."""

    splits: tuple[str, ...] = SPLITS
    with_impossible: bool = False
    least_answers: int = 1
    with_workers: bool = False


SQUAD_1_1 = Selection()


@dataclass
class SplitReport:
    """What one split's file holds and what was left out of it. ``file``, ``sha256`` and ``bytes`` are set once it is
    written."""

    file: str
    sha256: str = ""
    bytes: int = 0
    articles: int = 0
    paragraphs: int = 0
    questions: int = 0
    answers: int = 0
    articles_without_questions: int = 0
    paragraphs_without_questions: int = 0
    unanswerable_answers_left_out: int = 0
    # In training each question has one answer; what was given beyond it.
    further_answers_left_out: int = 0
    questions_left_out: list[dict[str, Any]] = field(default_factory=list)  # {"id", "reason"}
    questions_under_three_answers: list[dict[str, Any]] = field(default_factory=list)  # {"id", "answers"}


@dataclass
class ExportReport:
    """What an export holds: a ``SplitReport`` for each split that has articles, and what no file holds."""

    project: str
    format: str = "SQuAD 1.1"
    splits: dict[str, SplitReport] = field(default_factory=dict)
    splits_without_articles: list[str] = field(default_factory=list)
    articles_without_split: int = 0
    # Not approved, or from a worker's second go at the same task.
    questions_not_counting: int = 0
    questions_dropped: list[str] = field(default_factory=list)
    answers_dropped: int = 0
    # Of each article in a file: what its source says of itself.
    sources: list[dict[str, Any]] = field(default_factory=list)

    def json(self) -> bytes:
        """The report as the file that lies beside the dataset's."""
        return indented({name: value for name, value in asdict(self).items() if name != "sources"})

    def attribution(self) -> bytes:
        """The sources as the file that lies beside the dataset's."""
        return indented(self.sources)


def indented(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def file_name(split: str) -> str:
    return f"{split}-v1.1.json"


@contextmanager
def snapshot() -> Iterator[None]:
    """All that is read inside is of one moment, whatever is approved meanwhile. A transaction that is open already is
    left as it is."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def begin(project: Project, selection: Selection = SQUAD_1_1) -> ExportReport:
    """The report with all that is not counted along the way. Raises NotExportable."""
    if project.is_rehearsal:
        raise NotExportable(
            _("{project} is a rehearsal, played by scripted workers: nothing of it is ever exported.").format(
                project=project.name
            )
        )
    splits = set(Article.objects.in_project(project).order_by().values_list("split", flat=True).distinct())
    present = [split for split in SPLITS if split in splits]
    if not present:
        raise NotExportable(
            _("No article of {project} has a split. Import articles and draw the splits first.").format(
                project=project.name
            )
        )
    questions: QuestionQuerySet = Question.objects.in_project(project)
    dropped = questions.dropped()
    order = ("paragraph__article__position", "paragraph__position", "pk")
    return ExportReport(
        project=project.slug,
        splits={split: SplitReport(file_name(split)) for split in present if split in selection.splits},
        splits_without_articles=[split for split in SPLITS if split not in present],
        articles_without_split=Article.objects.in_project(project).filter(split="").count(),
        questions_not_counting=questions.exclude(pk__in=dropped.values("pk")).count() - questions.counting().count(),
        questions_dropped=list(dropped.order_by(*order).values_list("public_id", flat=True)),
        answers_dropped=Answer.objects.in_project(project).dropped().count(),
    )


def articles_of(
    project: Project,
    split: str,
    report: SplitReport,
    sources: list[dict[str, Any]],
    selection: Selection = SQUAD_1_1,
) -> Iterator[datasets.Article]:
    """The articles of ``split`` that have a question of ``selection``, counted in ``report`` and their sources added
    to ``sources``. Raises NotExportable."""
    articles = Article.objects.in_project(project).in_splits([split]).order_by("position")
    last = -1
    while batch := list(articles.filter(position__gt=last)[:ARTICLES_AT_ONCE]):
        last = batch[-1].position
        rows, revisions = _Rows.of(batch, selection), _revisions(batch)
        for article in batch:
            if paragraphs := _paragraphs(article, rows, split, report, selection):
                report.articles += 1
                report.paragraphs += len(paragraphs)
                sources.append(_source(article, split, revisions[article.pk]))
                yield datasets.Article(article.title, paragraphs)
            else:
                report.articles_without_questions += 1


def _source(article: Article, split: str, revisions: list[str]) -> dict[str, Any]:
    """Where ``article`` is from; ``revisions`` are those of paragraphs that came in at another version."""
    names = ("source_url", "licence", "attribution", "language")
    source = {"title": article.title, "split": split} | {name: getattr(article, name) for name in names}
    return source | {"revisions": [revision for revision in (article.revision, *revisions) if revision]}


def _revisions(articles: list[Article]) -> dict[int, list[str]]:
    """The versions besides its own that paragraphs of each article (by its id) are from, in the order of its text."""
    found: dict[int, dict[str, None]] = defaultdict(dict)
    rows = Paragraph.objects.filter(article__in=articles).exclude(revision="").order_by("position")
    for article_id, revision in rows.values_list("article", "revision"):
        found[article_id][revision] = None
    return defaultdict(list, {article_id: list(revisions) for article_id, revisions in found.items()})


# Of a question: its key, public id, text and writer. Of an answer: whether it is adjudicated, who gave it, start, end
# and text, the last three None where it says that there is none. Bare tuples, as the garbage collector loses sight of
# them: it took as long as all else.
_Asked = tuple[int, str, str, str | None]
_Given = tuple[bool, str | None, int | None, int | None, str | None]


@dataclass(slots=True)
class _Rows:
    """What the database has of some articles: their paragraphs by article, questions by paragraph, answers by question,
    each by the key of its row and in order."""

    paragraphs: dict[int, list[tuple[int, str]]]
    questions: dict[int, list[_Asked]]
    answers: dict[int, list[_Given]]

    @classmethod
    def of(cls, articles: list[Article], selection: Selection) -> _Rows:
        ids = [article.pk for article in articles]
        rows = cls(defaultdict(list), defaultdict(list), defaultdict(list))
        texts = Paragraph.objects.filter(article__in=ids).order_by("article__position", "position")
        for pk, article_id, text in texts.values_list("pk", "article", "text"):
            rows.paragraphs[article_id].append((pk, text))
        worker_field = ("assignment__worker",) if selection.with_workers else ()
        asked = Question.objects.counting().filter(paragraph__article__in=ids).order_by("pk")
        fields = ("pk", "paragraph", "public_id", "text", *worker_field)
        for pk, paragraph_id, public_id, text, *worker in asked.values_list(*fields).iterator(ROWS_AT_ONCE):
            rows.questions[paragraph_id].append((pk, public_id, text, _named(*worker)))
        rows._read_answers(ids, worker_field)
        return rows

    def _read_answers(self, article_ids: list[int], worker_field: tuple[str, ...]) -> None:
        """The answers of each question: the latest adjudication, if any, then by position."""
        given = Answer.objects.for_export().filter(question__paragraph__article__in=article_ids)
        fields = ("question", "position", "adjudicated_by", "start", "end", "text", *worker_field)
        # Adjudications have no position, and NULLs come last; of several the latest is written last and stands.
        ordered = given.order_by("question", "position", "pk").values_list(*fields)
        for question, position, adjudicator, start, end, text, *worker in ordered.iterator(ROWS_AT_ONCE):
            answer = (adjudicator is not None, _named(*worker), start, end, text)
            if position is not None:
                self.answers[question].append(answer)
            else:
                self.answers[question] = [answer, *(other for other in self.answers[question] if not other[0])]


def _named(worker: int | None = None) -> str | None:
    """How a worker stands in what is read: by the key of their row, None where no worker did it."""
    return None if worker is None else str(worker)


def _paragraphs(
    article: Article, rows: _Rows, split: str, report: SplitReport, selection: Selection
) -> list[datasets.Paragraph]:
    """The paragraphs of ``article`` that have an exported question."""
    paragraphs = []
    for pk, text in rows.paragraphs[article.pk]:
        exported = [
            question
            for asked in rows.questions[pk]
            if (question := _question(asked, text, rows.answers[asked[0]], split, report, selection))
        ]
        if exported:
            paragraphs.append(datasets.Paragraph(text, exported))
        else:
            report.paragraphs_without_questions += 1
    return paragraphs


def _question(
    asked: _Asked, text: str, answers: list[_Given], split: str, report: SplitReport, selection: Selection
) -> datasets.Question | None:
    """``asked`` with the answers that the file of ``split`` has, none where it cannot be answered; None where it is not
    part of ``selection``. Counted each way. Raises NotExportable for an answer that is not at its place in ``text``."""
    _pk, public_id, words, writer = asked
    spans = [_span(answer, text, public_id) for answer in answers]
    found = [(span, answer[1]) for span, answer in zip(spans, answers, strict=True) if span is not None]
    report.unanswerable_answers_left_out += len(answers) - len(found)
    # A reviewer's own word that there is no answer outweighs the workers'.
    is_overruled = bool(answers) and answers[0][0] and spans[0] is None
    is_impossible = is_overruled or not found
    if split in EVALUATION_SPLITS and 0 < len(answers if is_impossible else found) < selection.least_answers:
        report.questions_left_out.append({"id": public_id, "reason": Left.TOO_FEW_ANSWERS})
        return None
    if is_impossible:
        reason = Left.ONLY_UNANSWERABLE if answers else Left.NO_ANSWER
        reason = Left.ADJUDICATED_UNANSWERABLE if is_overruled else reason
        report.questions_left_out.append({"id": public_id, "reason": reason})
        is_wanted = bool(answers) and selection.with_impossible
        return datasets.Question(public_id, words, is_impossible=True, written_by=writer) if is_wanted else None
    if split in EVALUATION_SPLITS:
        if len(found) < WANTED_ANSWERS:
            report.questions_under_three_answers.append({"id": public_id, "answers": len(found)})
    else:
        report.further_answers_left_out += len(found) - 1
        found = found[:1]
    report.questions += 1
    report.answers += len(found)
    workers = [worker for _span, worker in found]
    return datasets.Question(public_id, words, [span for span, _worker in found], False, writer, workers)


def _span(answer: _Given, text: str, public_id: str) -> Span | None:
    _is_adjudicated, _given_by, start, end, words = answer
    if words is None or start is None or end is None:
        return None
    if text[start:end] != words:
        sentence = _("Question {id} has an answer that does not stand at its place in the paragraph. Drop the answer.")
        raise NotExportable(sentence.format(id=public_id))
    return Span(start, end, words)
