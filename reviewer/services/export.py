"""A project's dataset as SQuAD 1.1 files, one a split, and a report of what is in them and what was left out.

The same rows give the same bytes: articles and paragraphs stand in the order of their positions, questions in the
order of their keys, and nothing depends on time, collation or the planner. No worker is named in any file.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation.models import Answer, Article, Paragraph, Project, Question
from annotation.querysets import QuestionQuerySet
from scoring import datasets
from scoring.spans import Span
from scoring.squad_writing import squad_chunks

# Articles that one round of queries reads; a SQuAD article has some 40 paragraphs and 200 questions.
ARTICLES_AT_ONCE = 25
SPLITS = tuple(Article.Split.values)
REPORT_NAME = "export-report.json"
# Where each article is from, whose words it is and under which licence: SQuAD's format has no place for it.
ATTRIBUTION_NAME = "attribution.json"
BESIDE = (REPORT_NAME, ATTRIBUTION_NAME)
# Splits in which each question is to have this many answers: the author's and two more (SQuAD paper, section 3).
EVALUATION_SPLITS = (Article.Split.DEV, Article.Split.TEST)
WANTED_ANSWERS = 3
# Zip files carry times; the earliest that they can say stands in all of ours.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


class NotExportable(Exception):
    """A project that gives no dataset; the message says why and what to do."""


class Left:
    """Why a question is left out."""

    NO_ANSWER = "no_answer"
    ONLY_UNANSWERABLE = "only_unanswerable"
    ADJUDICATED_UNANSWERABLE = "adjudicated_unanswerable"


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


def survey(project: Project) -> ExportReport:
    """What an export of ``project`` would hold, without writing it. Raises NotExportable."""
    with snapshot():
        report = begin(project)
        for split, split_report in report.splits.items():
            for _article in articles_of(project, split, split_report, report.sources):
                pass
    return report


def write_export(project: Project, folder: Path) -> ExportReport:
    """Write the files of ``project`` into ``folder``, made where it is missing, and return the report among them.

    Files take their names once all are whole, so that an interrupted export leaves none of them half written; a file
    of an earlier export that this one does not have is taken away. Raises NotExportable and OSError.
    """
    with snapshot(), ExitStack() as unfinished:
        report = begin(project)
        folder.mkdir(parents=True, exist_ok=True)
        written: dict[str, Path] = {}
        for split, split_report in report.splits.items():
            with _partial_file(folder, split_report.file, unfinished) as file:
                _write_split(project, split, report, file)
            written[split_report.file] = Path(file.name)
        for name, content in ((REPORT_NAME, report.json()), (ATTRIBUTION_NAME, report.attribution())):
            with _partial_file(folder, name, unfinished) as file:
                file.write(content)
            written[name] = Path(file.name)
        for name, path in written.items():
            path.chmod(0o644)
            os.replace(path, folder / name)
        for split in report.splits_without_articles:
            (folder / file_name(split)).unlink(missing_ok=True)
    return report


def open_file(project: Project, name: str) -> IO[bytes]:
    """The file ``name`` of an export of ``project``, or a .zip of all of them, open at its start.

    Raises NotExportable, and FileNotFoundError where an export has no such file.
    """
    with tempfile.TemporaryDirectory(prefix="spanwright-export-") as folder:
        report = write_export(project, Path(folder))
        if name == zip_name(project):
            return _zipped(Path(folder), [*(split.file for split in report.splits.values()), *BESIDE])
        # The open file outlives its folder.
        return open(Path(folder) / _known(report, name), "rb")


def zip_name(project: Project) -> str:
    return f"{project.slug}-squad-v1.1.zip"


def _known(report: ExportReport, name: str) -> str:
    if name not in {*BESIDE, *(split.file for split in report.splits.values())}:
        raise FileNotFoundError(name)
    return name


def _zipped(folder: Path, names: list[str]) -> IO[bytes]:
    packed = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with open(folder / name, "rb") as source, archive.open(entry, "w", force_zip64=True) as target:
                while chunk := source.read(1 << 20):
                    target.write(chunk)
    packed.seek(0)
    return packed


@contextmanager
def _partial_file(folder: Path, name: str, unfinished: ExitStack) -> Iterator[IO[bytes]]:
    """A new file beside its later place, removed with ``unfinished`` unless it was moved there."""
    with tempfile.NamedTemporaryFile(dir=folder, prefix=f".{name}.", suffix=".partial", delete=False) as file:
        unfinished.callback(Path(file.name).unlink, missing_ok=True)
        yield file
        file.flush()
        os.fsync(file.fileno())


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


def begin(project: Project) -> ExportReport:
    """The report with all that is not counted along the way."""
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
        splits={split: SplitReport(file_name(split)) for split in present},
        splits_without_articles=[split for split in SPLITS if split not in present],
        articles_without_split=Article.objects.in_project(project).filter(split="").count(),
        questions_not_counting=questions.exclude(pk__in=dropped.values("pk")).count() - questions.counting().count(),
        questions_dropped=list(dropped.order_by(*order).values_list("public_id", flat=True)),
        answers_dropped=Answer.objects.in_project(project).dropped().count(),
    )


def _write_split(project: Project, split: str, whole: ExportReport, file: IO[bytes]) -> None:
    digest, report = hashlib.sha256(), whole.splits[split]
    for chunk in squad_chunks(articles_of(project, split, report, whole.sources)):
        file.write(chunk)
        digest.update(chunk)
        report.bytes += len(chunk)
    report.sha256 = digest.hexdigest()


def articles_of(
    project: Project,
    split: str,
    report: SplitReport,
    sources: list[dict[str, Any]],
    *,
    with_impossible: bool = False,
) -> Iterator[datasets.Article]:
    """The articles of ``split`` that have an exported question, counted in ``report`` and their sources added to
    ``sources``; ``with_impossible`` gives questions that cannot be answered too, which SQuAD 1.1 has no place for."""
    articles = Article.objects.in_project(project).in_splits([split]).order_by("position")
    last = -1
    while batch := list(articles.filter(position__gt=last)[:ARTICLES_AT_ONCE]):
        last = batch[-1].position
        paragraphs, revisions = _paragraphs(batch, split, report, with_impossible), _revisions(batch)
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
    articles: list[Article], split: str, report: SplitReport, with_impossible: bool
) -> dict[int, list[datasets.Paragraph]]:
    """The paragraphs of each article (by its id) that have an exported question."""
    ids = [article.pk for article in articles]
    answers = _answers(ids)
    rows = Question.objects.counting().filter(paragraph__article__in=ids).order_by("pk")
    questions: dict[int, list[tuple[int, str, str]]] = defaultdict(list)
    for pk, paragraph_id, public_id, text in rows.values_list("pk", "paragraph", "public_id", "text"):
        questions[paragraph_id].append((pk, public_id, text))
    texts = Paragraph.objects.filter(article__in=ids).order_by("article__position", "position")
    paragraphs: dict[int, list[datasets.Paragraph]] = defaultdict(list)
    for pk, article_id, text in texts.values_list("pk", "article", "text"):
        exported = [
            question
            for question_pk, public_id, question_text in questions[pk]
            if (question := _question(public_id, question_text, text, answers[question_pk], split, report))
            and (with_impossible or not question.is_impossible)
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


def _answers(article_ids: list[int]) -> dict[int, list[_Answer]]:
    """The answers of each question (by its id): the latest adjudication, if any, then by position."""
    rows = Answer.objects.for_export().filter(question__paragraph__article__in=article_ids)
    fields = ("question", "position", "adjudicated_by", "start", "end", "text")
    answers: dict[int, list[_Answer]] = defaultdict(list)
    # Adjudications have no position, and NULLs come last; of several the latest is written last and stands.
    for question, position, adjudicator, start, end, text in rows.order_by("question", "position", "pk").values_list(
        *fields
    ):
        answer = _Answer(adjudicator is not None, start, end, text)
        if position is not None:
            answers[question].append(answer)
        else:
            answers[question] = [answer, *(other for other in answers[question] if not other.is_adjudicated)]
    return answers


def _question(
    public_id: str, question_text: str, text: str, answers: list[_Answer], split: str, report: SplitReport
) -> datasets.Question | None:
    """The question as the file of ``split`` has it, without answers where it cannot be answered, None where no answer
    counts; counted each way."""
    spans = [_span(answer, text, public_id) for answer in answers]
    found = [span for span in spans if span is not None]
    report.unanswerable_answers_left_out += len(spans) - len(found)
    # A reviewer's own word that there is no answer outweighs the workers'.
    is_overruled = bool(answers) and answers[0].is_adjudicated and spans[0] is None
    if is_overruled or not found:
        reason = Left.ONLY_UNANSWERABLE if answers else Left.NO_ANSWER
        reason = Left.ADJUDICATED_UNANSWERABLE if is_overruled else reason
        report.questions_left_out.append({"id": public_id, "reason": reason})
        return datasets.Question(public_id, question_text, is_impossible=True) if answers else None
    if split in EVALUATION_SPLITS:
        if len(found) < WANTED_ANSWERS:
            report.questions_under_three_answers.append({"id": public_id, "answers": len(found)})
    else:
        report.further_answers_left_out += len(found) - 1
        found = found[:1]
    report.questions += 1
    report.answers += len(found)
    return datasets.Question(public_id, question_text, found)


def _span(answer: _Answer, text: str, public_id: str) -> Span | None:
    if answer.text is None or answer.start is None or answer.end is None:
        return None
    if text[answer.start : answer.end] != answer.text:
        sentence = _("Question {id} has an answer that does not stand at its place in the paragraph. Drop the answer.")
        raise NotExportable(sentence.format(id=public_id))
    return Span(answer.start, answer.end, answer.text)
