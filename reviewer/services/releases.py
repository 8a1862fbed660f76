"""Releases: a project's dataset frozen, numbered, and written in the formats that others read.

All is read in one repeatable-read transaction into one temporary file, an article a line; each format is written from
that file, an article at a time, so that memory does not grow with the dataset. The same data gives the same bytes, and
no new number: a release exists where something changed.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Article, Assignment, Guide, Project
from hits.models import Batch
from reviewer.models import Release
from reviewer.services import export
from reviewer.services.datasheet import card, datasheet
from scoring import datasets
from scoring.question_rows import csv_rows, json_rows, label_studio_chunks
from scoring.release_files import KEY, MANIFEST, described, difference, fingerprints, sealed
from scoring.spans import Span
from scoring.squad_writing import VERSION_1_1, VERSION_2_0, squad_chunks

PUBLIC, PRIVATE = "public", "private"
TEST = Article.Split.TEST
Chunks = Iterator[bytes]
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
    "quiz_required",
)


@dataclass
class Content:
    """What was read: files of one article a line, by split, and what the manifest says of it."""

    spools: dict[str, Path] = field(default_factory=dict)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    left_out: dict[str, Any] = field(default_factory=dict)
    sources: list[dict[str, Any]] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def sha256(self, holds_back_test: bool) -> str:
        """Of all that makes one release another."""
        digest = hashlib.sha256()
        facts = [self.sources, self.left_out, self.about, holds_back_test]
        digest.update(json.dumps(facts, sort_keys=True).encode())
        for split, path in self.spools.items():
            digest.update(f"\n{split}\n".encode())
            with open(path, "rb") as file:
                for line in file:
                    digest.update(line)
        return digest.hexdigest()


def folder_of(release: Release) -> Path:
    """Where the files of ``release`` are: ``public`` and, where test answers are held back, ``private``."""
    return _home(release.project) / str(release.number)


def release(project: Project, user: User | None = None, *, holds_back_test: bool = False) -> tuple[Release, bool]:
    """Release ``project`` as it is now; return the release and whether it is new: where nothing changed since the
    latest one, that one is returned. Raises export.NotExportable and OSError."""
    home = _home(project)
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=home) as unfinished:
        content = _read(project, Path(unfinished))
        if not any(counts["questions"] for counts in content.counts.values()):
            raise export.NotExportable(_("No question counts yet: there is nothing to release. Approve work first."))
        digest = content.sha256(holds_back_test)
        built = Path(unfinished) / "built"
        with transaction.atomic():
            # One release of a project at a time, so that numbers have no gaps.
            Project.objects.select_for_update().get(pk=project.pk)
            latest = Release.objects.in_project(project).order_by("number").last()
            if latest is not None and latest.content_sha256 == digest:
                return latest, False
            new = Release(
                project=project,
                number=latest.number + 1 if latest else 1,
                holds_back_test=holds_back_test,
                content_sha256=digest,
                released_by=user,
                released_at=timezone.now(),
            )
            _write(new, latest, content, built)
            new.save()
            target = folder_of(new)
            shutil.rmtree(target, ignore_errors=True)  # of a release whose row never came to be
            built.rename(target)
    return new, True


def deliver(release: Release, folder: Path) -> list[Path]:
    """Copy the public files of ``release`` into ``folder``, and held-back answers into its ``-private``; return the
    folders. Raises as ``targets`` does, and OSError."""
    places = targets(folder, holds_back_test=release.holds_back_test)
    for part, target in places.items():
        shutil.copytree(folder_of(release) / part, target, dirs_exist_ok=True)
    return list(places.values())


def targets(folder: Path, *, holds_back_test: bool) -> dict[str, Path]:
    """Where each part of a release goes that is delivered to ``folder``: held-back answers into a folder beside it that
    ends in ``-private``. Raises FileExistsError unless each is missing or empty."""
    folder = folder.resolve()
    places = {PUBLIC: folder}
    if holds_back_test:
        places[PRIVATE] = folder.with_name(f"{folder.name}-private")
    for target in places.values():
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            sentence = _("{folder} is not empty: name a folder that is empty or does not exist.")
            raise FileExistsError(None, sentence.format(folder=target))
    return places


def _home(project: Project) -> Path:
    return Path(settings.RELEASES_DIR) / f"project-{project.pk}"


def _read(project: Project, folder: Path) -> Content:
    """The content of ``project`` at one moment, spooled to ``folder``."""
    content = Content()
    with export.snapshot():
        report = export.begin(project)
        for split, split_report in report.splits.items():
            path = folder / f"{split}.spool"
            counts = dict.fromkeys(("articles", "paragraphs", "questions", "impossible_questions", "answers"), 0)
            articles = export.articles_of(project, split, split_report, content.sources, with_impossible=True)
            with open(path, "wb") as file:
                for article in articles:
                    _count(article, counts)
                    file.write(_spooled(article))
            content.spools[split], content.counts[split] = path, counts
        content.left_out = _left_out(report)
        content.about = _about(project)
        content.warnings = _warnings(project, report)
    return content


def _count(article: datasets.Article, counts: dict[str, int]) -> None:
    counts["articles"] += 1
    counts["paragraphs"] += len(article.paragraphs)
    for paragraph in article.paragraphs:
        counts["questions"] += len(paragraph.questions)
        counts["impossible_questions"] += sum(question.is_impossible for question in paragraph.questions)
        counts["answers"] += sum(len(question.answers) for question in paragraph.questions)


def _left_out(report: export.ExportReport) -> dict[str, Any]:
    whole = asdict(report)
    names = ("splits_without_articles", "articles_without_split", "questions_not_counting", "questions_dropped")
    of_splits = ("further_answers_left_out", "questions_left_out", "questions_under_three_answers")
    splits = {split: {name: facts[name] for name in of_splits} for split, facts in whole["splits"].items()}
    for facts in splits.values():
        # The others are in the release as questions that cannot be answered.
        facts["questions_left_out"] = [
            item for item in facts["questions_left_out"] if item["reason"] == export.Left.NO_ANSWER
        ]
    return {name: whole[name] for name in (*names, "answers_dropped")} | {"splits": splits}


def _about(project: Project) -> dict[str, Any]:
    guide = Guide.objects.in_project(project).order_by("number").last()
    return {
        "project": {"slug": project.slug, "name": project.name, "language": project.language},
        "protocol": {name: getattr(project, name) for name in PROTOCOL},
        "guide_version": guide.number if guide else None,
        "filters": ["approved or imported", "no standing drop", "no gold answers", "one answer a question in train"],
        "workers": "left out",
    }


def _warnings(project: Project, report: export.ExportReport) -> list[str]:
    """What whoever releases should know first: a release is never refused for it."""
    found = []
    running = Batch.objects.in_project(project).filter(status=Batch.Status.OPEN).count()
    waiting = Assignment.objects.in_project(project).filter(status=Assignment.Status.SUBMITTED).count()
    if running or waiting:
        sentence = _(
            "Work is under way: {batches} open batches, {waiting} assignments to review. None of it is in here."
        )
        found.append(sentence.format(batches=running, waiting=waiting))
    for split, facts in report.splits.items():
        if few := facts.questions_under_three_answers:
            sentence = _(
                "{split}: {count} questions have fewer than {wanted} answers. Launch a batch for extra answers."
            )
            found.append(sentence.format(split=split, count=len(few), wanted=export.WANTED_ANSWERS))
        nothing = sum(item["reason"] == export.Left.NO_ANSWER for item in facts.questions_left_out)
        if nothing:
            sentence = _("{split}: {count} questions have no answer left and are not in here. Ask for new answers.")
            found.append(sentence.format(split=split, count=nothing))
    return found


def _spooled(article: datasets.Article) -> bytes:
    paragraphs = [
        [
            paragraph.text,
            [
                [
                    question.id,
                    question.text,
                    question.is_impossible,
                    [[a.start, a.end, a.text] for a in question.answers],
                ]
                for question in paragraph.questions
            ],
        ]
        for paragraph in article.paragraphs
    ]
    return (json.dumps([article.title, paragraphs], ensure_ascii=False) + "\n").encode()


def _articles(path: Path, *, with_impossible: bool = True) -> Iterator[datasets.Article]:
    """What ``_spooled`` wrote; without questions that cannot be answered also without paragraphs of nothing else."""
    with open(path, "rb") as lines:
        for line in lines:
            title, stored = json.loads(line)
            paragraphs = []
            for text, rows in stored:
                questions = [
                    datasets.Question(key, asked, [Span(*answer) for answer in answers], is_impossible)
                    for key, asked, is_impossible, answers in rows
                    if with_impossible or not is_impossible
                ]
                if questions:
                    paragraphs.append(datasets.Paragraph(text, questions))
            if paragraphs:
                yield datasets.Article(title, paragraphs)


def _write(new: Release, latest: Release | None, content: Content, built: Path) -> None:
    """All files of ``new``, and its manifest, below ``built``."""
    public, private = built / PUBLIC, built / PRIVATE
    public.mkdir(parents=True)
    for split, spool in content.spools.items():
        _write_formats(public, split, spool, without_answers=new.holds_back_test and split == TEST)
    if new.holds_back_test:
        private.mkdir(mode=0o700)
        _save(private / KEY, json_rows(_articles(content.spools[TEST]) if TEST in content.spools else ()))
    _save(public / "attribution.json", [export.indented(content.sources)])
    _save(public / "left-out.json", [export.indented(content.left_out)])
    manifest = _manifest(new, latest, content, built)
    _save(public / "README.md", [card(manifest, content.sources).encode()])
    _save(public / "datasheet.md", [datasheet(manifest, content.sources).encode()])
    files = sorted(path for path in public.rglob("*") if path.is_file())
    manifest["files"] = [described(public, path) for path in files]
    manifest["private_files"] = [described(private, path) for path in sorted(private.glob("*"))]
    new.manifest = sealed(manifest)
    _save(public / MANIFEST, [export.indented(new.manifest)])


def _write_formats(public: Path, split: str, spool: Path, *, without_answers: bool) -> None:
    formats: dict[str, Callable[[], Chunks]] = {
        f"data/{split}.jsonl": lambda: json_rows(_articles(spool), without_answers=without_answers),
        f"csv/{split}.csv": lambda: csv_rows(_articles(spool), without_answers=without_answers),
        f"label-studio/{split}.json": lambda: label_studio_chunks(_articles(spool), without_answers=without_answers),
        f"squad-v2.0/{split}-v2.0.json": lambda: squad_chunks(
            _articles(spool), VERSION_2_0, without_answers=without_answers
        ),
        # Which test questions cannot be answered is an answer too: held back, the two versions hold the same ones.
        f"squad-v1.1/{split}-v1.1.json": lambda: squad_chunks(
            _articles(spool, with_impossible=without_answers), VERSION_1_1, without_answers=without_answers
        ),
    }
    for name, chunks in formats.items():
        _save(public / name, chunks())


def _save(path: Path, chunks: Iterable[bytes]) -> None:
    path.parent.mkdir(exist_ok=True)
    with open(path, "wb") as file:
        file.writelines(chunks)


def _manifest(new: Release, latest: Release | None, content: Content, built: Path) -> dict[str, Any]:
    counts = content.counts
    if new.holds_back_test and TEST in counts:
        held = ("impossible_questions", "answers")
        counts = counts | {TEST: {name: n for name, n in counts[TEST].items() if name not in held}}
    version = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
    return {
        "format": 1,
        "number": new.number,
        "released_at": new.released_at.isoformat(),
        "code_version": version,
        **content.about,
        "test_answers_held_back": new.holds_back_test,
        "counts": counts,
        "warnings": content.warnings,
        "previous": _changes(latest, built),
        "content_sha256": new.content_sha256,
    }


def _changes(latest: Release | None, built: Path) -> dict[str, Any] | None:
    """What changed since ``latest``, counted. The files of ``built`` are written, and its manifest not yet."""
    if latest is None:
        return None
    before = folder_of(latest)
    found = difference(fingerprints(before / PUBLIC, before / PRIVATE), fingerprints(built / PUBLIC, built / PRIVATE))
    counts = {"added": len(found.added), "removed": len(found.removed), "changed": len(found.changed)}
    return {"number": latest.number, "content_sha256": latest.content_sha256, "questions": counts}
