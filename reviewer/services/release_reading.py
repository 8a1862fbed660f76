"""What a release is made of: a project's dataset at one moment, in one temporary file a split.

All is read in one repeatable-read transaction, an article a line; each format is then written from these files, so that
memory does not grow with the dataset and no transaction is open while files are written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Article, Assignment, Guide, Project
from hits.models import Batch
from reviewer.models import Release
from reviewer.services import dataset
from reviewer.services.pseudonyms import pseudonym
from reviewer.services.release_facts import facts_of
from scoring import datasets
from scoring.spans import Span

TEST = Article.Split.TEST
# Of the folder: another one makes the same data another release.
FORMAT = 4
MOST_LEAST_ANSWERS = 20
COUNTED = ("articles", "paragraphs", "questions", "impossible_questions", "answers")
# The protocol: fields of the project that say how the data was made, and with which seed.
PROTOCOL = (
    "preset",
    "min_paragraph_chars",
    "train_percent",
    "dev_percent",
    "test_percent",
    "split_seed",
    "copy_lock",
    "stopping_advice",
    "min_questions",
    "max_questions",
    "writers_per_paragraph",
    "extra_answers",
    "min_percent_approved",
    "min_hits_approved",
    "countries",
    "quiz_required",
)
RULES = ["approved or imported", "no standing drop", "no gold answers", "one answer a question in train"]


@dataclass(frozen=True)
class ReleaseSpec:
    """What is asked for. ``least_answers`` is of a question in dev or test; ``workers`` one of ``Release.Workers``."""

    note: str = ""
    holds_back_test: bool = False
    workers: str = Release.Workers.LEFT_OUT
    splits: tuple[str, ...] = dataset.SPLITS
    least_answers: int = 1
    with_impossible: bool = True

    @classmethod
    def of(cls, asked: dict[str, Any]) -> ReleaseSpec:
        """What ``stored`` gave."""
        return cls(**asked | {"splits": tuple(asked["splits"])})

    def stored(self) -> dict[str, Any]:
        return asdict(self) | {"splits": [split for split in dataset.SPLITS if split in self.splits]}

    @property
    def with_workers(self) -> bool:
        return self.workers == Release.Workers.PSEUDONYMS

    def selection(self) -> dataset.Selection:
        return dataset.Selection(self.splits, self.with_impossible, self.least_answers, self.with_workers)


@dataclass
class Content:
    """What was read: files of one article a line, by split, and what the manifest says of it."""

    spools: dict[str, Path] = field(default_factory=dict)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    left_out: dict[str, Any] = field(default_factory=dict)
    sources: list[dict[str, Any]] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not any(counts["questions"] for counts in self.counts.values())

    def sha256(self, salt: str) -> str:
        """Of all that makes one release another, with workers under the names that ``salt`` gives them."""
        digest = hashlib.sha256()
        digest.update(json.dumps([FORMAT, self.sources, self.left_out, self.about], sort_keys=True).encode())
        for split, path in self.spools.items():
            digest.update(f"\n{split}\n".encode())
            with open(path, "rb") as file:
                for article in file:
                    digest.update(article)
                    digest.update(" ".join(name or "-" for name in _names(next(file), salt)).encode())
        return digest.hexdigest()


def read(project: Project, spec: ReleaseSpec, folder: Path) -> Content:
    """The content of ``project`` at one moment, spooled to ``folder``. Raises dataset.NotExportable."""
    content = Content()
    selection = spec.selection()
    with dataset.snapshot():
        report = dataset.begin(project, selection)
        for split, split_report in report.splits.items():
            path = folder / f"{split}.spool"
            counts = dict.fromkeys(COUNTED, 0)
            articles = dataset.articles_of(project, split, split_report, content.sources, selection)
            with open(path, "wb") as file:
                for article in articles:
                    _count(article, counts)
                    file.writelines(_spooled(article))
            content.spools[split], content.counts[split] = path, counts
        content.left_out = _left_out(report, spec)
        content.about = _about(project, spec)
        content.warnings = _warnings(project, report, content.sources)
    return content


def articles(path: Path, salt: str = "", *, with_impossible: bool = True) -> Iterator[datasets.Article]:
    """What ``read`` spooled to ``path``, with workers, if it names any, as ``salt`` names them; without questions that
    cannot be answered also without paragraphs of nothing else."""
    with open(path, "rb") as lines:
        for line in lines:
            title, stored = json.loads(line)
            names = _names(next(lines), salt)
            paragraphs = []
            for text, rows in stored:
                questions = []
                for key, asked, is_impossible, spans in rows:
                    writer, answered_by = next(names, None), [next(names, None) for _span in spans]
                    if with_impossible or not is_impossible:
                        answers = [Span(*span) for span in spans]
                        questions.append(datasets.Question(key, asked, answers, is_impossible, writer, answered_by))
                if questions:
                    paragraphs.append(datasets.Paragraph(text, questions))
            if paragraphs:
                yield datasets.Article(title, paragraphs)


def _spooled(article: datasets.Article) -> tuple[bytes, bytes]:
    """A line of the article, and one of its workers: of each question the writer, then who gave each answer."""
    paragraphs, workers = [], []
    for paragraph in article.paragraphs:
        questions = []
        for question in paragraph.questions:
            spans = [[answer.start, answer.end, answer.text] for answer in question.answers]
            questions.append([question.id, question.text, question.is_impossible, spans])
            workers += [question.written_by, *question.answered_by]
        paragraphs.append([paragraph.text, questions])
    named = workers if any(worker is not None for worker in workers) else []
    return _line([article.title, paragraphs]), _line(named)


def _line(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()


def _names(line: bytes, salt: str) -> Iterator[str | None]:
    return (pseudonym(salt, worker) for worker in json.loads(line))


def _count(article: datasets.Article, counts: dict[str, int]) -> None:
    counts["articles"] += 1
    counts["paragraphs"] += len(article.paragraphs)
    for paragraph in article.paragraphs:
        counts["questions"] += len(paragraph.questions)
        counts["impossible_questions"] += sum(question.is_impossible for question in paragraph.questions)
        counts["answers"] += sum(len(question.answers) for question in paragraph.questions)


def _left_out(report: dataset.ExportReport, spec: ReleaseSpec) -> dict[str, Any]:
    whole = asdict(report)
    names = ("splits_without_articles", "articles_without_split", "questions_not_counting", "questions_dropped")
    of_splits = ("further_answers_left_out", "questions_left_out", "questions_under_three_answers")
    splits = {split: {name: facts[name] for name in of_splits} for split, facts in whole["splits"].items()}
    if spec.with_impossible:
        # Of these the others are in the release, as questions that cannot be answered.
        reasons = (dataset.Left.NO_ANSWER, dataset.Left.TOO_FEW_ANSWERS)
        for facts in splits.values():
            facts["questions_left_out"] = [item for item in facts["questions_left_out"] if item["reason"] in reasons]
    if spec.holds_back_test and TEST in splits:
        # Only of what can be answered are answers counted: to name it would say so.
        del splits[TEST]["questions_under_three_answers"]
    return {name: whole[name] for name in (*names, "answers_dropped")} | {"splits": splits}


def _about(project: Project, spec: ReleaseSpec) -> dict[str, Any]:
    guide = Guide.objects.in_project(project).order_by("number").last()
    filters = {"rules": RULES, "splits": spec.stored()["splits"], "least_answers": spec.least_answers}
    return {
        "project": {"slug": project.slug, "name": project.name, "language": project.language},
        "protocol": {name: getattr(project, name) for name in PROTOCOL},
        "guide_version": guide.number if guide else None,
        "filters": filters | {"with_impossible": spec.with_impossible},
        "facts": facts_of(project, spec.splits),
        "workers": spec.workers,
        "test_answers_held_back": spec.holds_back_test,
    }


def _warnings(project: Project, report: dataset.ExportReport, sources: list[dict[str, Any]]) -> list[str]:
    """What whoever releases should know first: a release is never refused for it."""
    found = []
    running = Batch.objects.in_project(project).filter(status=Batch.Status.OPEN).count()
    waiting = Assignment.objects.in_project(project).filter(status=Assignment.Status.SUBMITTED).count()
    if running or waiting:
        sentence = _(
            "Work is under way (open batches: {batches}; assignments to review: {waiting}). None of it is in here."
        )
        found.append(sentence.format(batches=running, waiting=waiting))
    for split, facts in report.splits.items():
        if few := len(facts.questions_under_three_answers):
            sentence = ngettext(
                "{split}: {count} question has fewer than {wanted} answers. Launch a batch for extra answers.",
                "{split}: {count} questions have fewer than {wanted} answers. Launch a batch for extra answers.",
                few,
            )
            found.append(sentence.format(split=split, count=few, wanted=dataset.WANTED_ANSWERS))
        if nothing := sum(item["reason"] == dataset.Left.NO_ANSWER for item in facts.questions_left_out):
            sentence = ngettext(
                "{split}: {count} question has no answer left and is not in here. Ask for new answers.",
                "{split}: {count} questions have no answer left and are not in here. Ask for new answers.",
                nothing,
            )
            found.append(sentence.format(split=split, count=nothing))
        if short := sum(item["reason"] == dataset.Left.TOO_FEW_ANSWERS for item in facts.questions_left_out):
            sentence = ngettext(
                "{split}: {count} question has too few answers for this release and is not in here. Launch a batch "
                "for extra answers.",
                "{split}: {count} questions have too few answers for this release and are not in here. Launch a batch "
                "for extra answers.",
                short,
            )
            found.append(sentence.format(split=split, count=short))
    if bare := sum(not source["licence"] for source in sources):
        sentence = ngettext(
            "{count} article states no licence. Find out under which one its text may be given on.",
            "{count} articles state no licence. Find out under which one their texts may be given on.",
            bare,
        )
        found.append(sentence.format(count=bare))
    return found
