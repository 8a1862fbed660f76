"""A project's dataset as it is at one moment: which questions are in it, with which answers, and what is left out.

The same rows give the same content: articles and paragraphs stand in the order of their positions, questions in the
order of their keys, and nothing depends on time, collation or the planner.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation.models import Answer, Article, Paragraph, Project, Question
from annotation.querysets import QuestionQuerySet
from scoring import datasets
from scoring.spans import Span

# Articles that one round of queries reads; a SQuAD article has some 40 paragraphs and 200 questions.
ARTICLES_AT_ONCE = 25
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
        paragraphs, revisions = _paragraphs(batch, split, report, selection), _revisions(batch)
        for article in batch:
            if article.pk in paragraphs:
                report.articles += 1
                report.paragraphs += len(paragraphs[article.pk])
                sources.append(_source(article, split, revisions[article.pk]))
                yield datasets.Article(article.title, paragraphs[article.pk])
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


def _paragraphs(
    articles: list[Article], split: str, report: SplitReport, selection: Selection
) -> dict[int, list[datasets.Paragraph]]:
    """The paragraphs of each article (by its id) that have an exported question."""
    ids = [article.pk for article in articles]
    answers = _answers(ids, selection.with_workers)
    rows = Question.objects.counting().filter(paragraph__article__in=ids).order_by("pk")
    questions: dict[int, list[tuple[int, datasets.Question]]] = defaultdict(list)
    writer = ("assignment__worker",) if selection.with_workers else ()
    for pk, paragraph_id, public_id, text, *worker in rows.values_list("pk", "paragraph", "public_id", "text", *writer):
        asked = datasets.Question(public_id, text, written_by=_named(*worker))
        questions[paragraph_id].append((pk, asked))
    texts = Paragraph.objects.filter(article__in=ids).order_by("article__position", "position")
    paragraphs: dict[int, list[datasets.Paragraph]] = defaultdict(list)
    for pk, article_id, text in texts.values_list("pk", "article", "text"):
        exported = [
            question
            for question_pk, asked in questions[pk]
            if (question := _question(asked, text, answers[question_pk], split, report, selection))
        ]
        if exported:
            paragraphs[article_id].append(datasets.Paragraph(text, exported))
        else:
            report.paragraphs_without_questions += 1
    return dict(paragraphs)


@dataclass(frozen=True, slots=True)
class _Answer:
    is_adjudicated: bool
    start: int | None
    end: int | None
    text: str | None
    given_by: str | None


def _named(worker: int | None = None) -> str | None:
    """How a worker stands in what is read: by the key of their row, None where no worker did it."""
    return None if worker is None else str(worker)


def _answers(article_ids: list[int], with_workers: bool) -> dict[int, list[_Answer]]:
    """The answers of each question (by its id): the latest adjudication, if any, then by position."""
    rows = Answer.objects.for_export().filter(question__paragraph__article__in=article_ids)
    worker_field = ("assignment__worker",) if with_workers else ()
    fields = ("question", "position", "adjudicated_by", "start", "end", "text", *worker_field)
    answers: dict[int, list[_Answer]] = defaultdict(list)
    # Adjudications have no position, and NULLs come last; of several the latest is written last and stands.
    ordered = rows.order_by("question", "position", "pk").values_list(*fields)
    for question, position, adjudicator, start, end, text, *worker in ordered:
        answer = _Answer(adjudicator is not None, start, end, text, _named(*worker))
        if position is not None:
            answers[question].append(answer)
        else:
            answers[question] = [answer, *(other for other in answers[question] if not other.is_adjudicated)]
    return answers


def _question(
    asked: datasets.Question,
    text: str,
    answers: list[_Answer],
    split: str,
    report: SplitReport,
    selection: Selection,
) -> datasets.Question | None:
    """``asked`` with the answers that the file of ``split`` has, none where it cannot be answered; None where it is not
    part of ``selection``. Counted each way."""
    spans = [(_span(answer, text, asked.id), answer.given_by) for answer in answers]
    found = [(span, worker) for span, worker in spans if span is not None]
    report.unanswerable_answers_left_out += len(spans) - len(found)
    # A reviewer's own word that there is no answer outweighs the workers'.
    is_overruled = bool(answers) and answers[0].is_adjudicated and spans[0][0] is None
    is_impossible = is_overruled or not found
    if split in EVALUATION_SPLITS and 0 < len(spans if is_impossible else found) < selection.least_answers:
        report.questions_left_out.append({"id": asked.id, "reason": Left.TOO_FEW_ANSWERS})
        return None
    if is_impossible:
        reason = Left.ONLY_UNANSWERABLE if answers else Left.NO_ANSWER
        reason = Left.ADJUDICATED_UNANSWERABLE if is_overruled else reason
        report.questions_left_out.append({"id": asked.id, "reason": reason})
        return replace(asked, is_impossible=True) if answers and selection.with_impossible else None
    if split in EVALUATION_SPLITS:
        if len(found) < WANTED_ANSWERS:
            report.questions_under_three_answers.append({"id": asked.id, "answers": len(found)})
    else:
        report.further_answers_left_out += len(found) - 1
        found = found[:1]
    report.questions += 1
    report.answers += len(found)
    return replace(asked, answers=[span for span, _by in found], answered_by=[by for _span, by in found])


def _span(answer: _Answer, text: str, public_id: str) -> Span | None:
    if answer.text is None or answer.start is None or answer.end is None:
        return None
    if text[answer.start : answer.end] != answer.text:
        sentence = _("Question {id} has an answer that does not stand at its place in the paragraph. Drop the answer.")
        raise NotExportable(sentence.format(id=public_id))
    return Span(answer.start, answer.end, answer.text)
