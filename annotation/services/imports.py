"""Taking articles and paragraphs in, and with them, where asked, their questions and answers.

A file is taken whole or not at all; what was left out, and why, is counted in the import's report. Taking the same
file again adds nothing.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from annotation.models import Article, Import, Paragraph, Project
from annotation.services.bulk_copy import Progress, Steps, copy_rows, count_anew, max_chars, take_ids
from annotation.services.passage_intake import (
    JSON_LINES,
    FileParagraph,
    PassageFile,
    Tally,
    new_paragraphs,
    paragraphs_of,
    read_passage_file,
    without_mended,
)
from annotation.services.question_intake import (
    FaultyQuestions,
    NewQuestion,
    sort_questions,
    store_questions,
)
from annotation.services.splits import assign_splits
from annotation.services.standing_exclusions import hold
from scoring.json_files import MAX_BYTES, FileError
from scoring.passage_files import PROVENANCE
from scoring.sentences import _

PARAGRAPH_FIELDS = (
    *("pk", "project", "article", "position", "text", "text_sha256"),
    *("section", "revision", "is_excluded", "imported_from"),
)
FILE_NAME_CHARS = max_chars(Import, "file_name")


def import_file(
    project: Project,
    data: bytes,
    *,
    file_name: str,
    with_questions: bool = False,
    skip_faulty: bool = False,
    imported_by: User | None = None,
    curation: dict[str, Any] | None = None,
    max_bytes: int = MAX_BYTES,
    progress: Progress | None = None,
) -> Import:
    """Take the passages of a SQuAD JSON or JSON Lines file (plain or .gz) into ``project``; return the import with
    its report. Articles that are new get their splits.

    ``with_questions`` takes a SQuAD file's questions and answers too, under their ids. Faulty questions raise
    FaultyQuestions, unless ``skip_faulty`` leaves them out. Raises FileError for a file that cannot be read, or is
    larger than ``max_bytes`` unpacked. ``curation`` is the report of the curation that made the file, kept with the
    import. ``progress`` is told how many rows of how many are on their way.

    The report: ``{"format", "articles": {"read", "added"}, "paragraphs": {"read", "added", "dropped": {reason:
    {"count", "example"}}, "shortest", "excluded"}, "splits": {split: articles}}``, where ``shortest`` is how many
    characters the project asked for, and ``excluded`` how many came in excluded, as their article is; with questions
    also ``"questions"`` (as paragraphs, with ``"answers"``, how many were added, for the last two) and ``"faults"``,
    all of them.
    """
    file = read_passage_file(data, max_bytes, with_questions=with_questions)
    if with_questions and file.format == JSON_LINES:
        raise FileError(_("A JSON Lines file holds passages alone; take it in without questions."))
    with transaction.atomic():
        # One import a project at a time: each must see what the one before it stored.
        project = Project.objects.select_for_update().get(pk=project.pk)
        record = Import.objects.create(
            project=project,
            # A form or a shell may give a path; its end is what people know the file by.
            file_name=PurePath(file_name).name[-FILE_NAME_CHARS:],
            file_sha256=sha256(data).hexdigest(),
            imported_by=imported_by,
            curation=curation or {},
        )
        record.report = _store(record, file, with_questions, skip_faulty, progress)
        record.save(update_fields=["report"])
    return record


def _store(
    record: Import, file: PassageFile, with_questions: bool, skip_faulty: bool, progress: Progress | None
) -> dict[str, Any]:
    project = record.project
    report: dict[str, Any] = {"format": file.format}
    paragraphs = list(without_mended(project, paragraphs_of(file, project)))
    stored, tally = dict(project.paragraphs.values_list("text_sha256", "pk")), Tally()
    new = list(new_paragraphs(paragraphs, set(stored), tally))
    stored |= zip((paragraph.text_sha256 for paragraph in new), take_ids(Paragraph, len(new)), strict=True)
    questions: list[NewQuestion] = []
    if with_questions:
        questions, faults, question_tally = sort_questions(project, file, paragraphs, stored)
        if faults and not skip_faulty:
            raise FaultyQuestions(faults)
    steps = Steps(len(new) + len(questions) + sum(len(question.spans) for question in questions), progress)
    added = store_articles(record, file, new)
    store_paragraphs(record, new, stored, steps)
    if with_questions:
        answers = store_questions(record, questions, steps)
        report |= {"questions": question_tally.as_json() | {"answers": answers}, "faults": faults}
    return report | {
        "articles": {"read": len(file.articles), "added": added},
        "paragraphs": tally.as_json() | {"shortest": project.min_paragraph_chars, "excluded": hold(record)},
        "splits": assign_splits(project),
    }


def store_articles(record: Import, file: PassageFile, new: Sequence[FileParagraph]) -> int:
    """Store the articles of the paragraphs ``new`` that the project lacks; return how many. An article that comes
    twice in the file is one; what the first says of its source holds."""
    project = record.project
    there = set(project.articles.values_list("title", flat=True))
    first = {paragraph.title: paragraph.article for paragraph in reversed(new) if paragraph.title not in there}
    indices = sorted(first.values())
    free = project.articles.aggregate(last=Max("position", default=-1))["last"] + 1
    sources = [file.articles[index] for index in indices]
    articles = [
        Article(
            project=project,
            title=source.title,
            position=position,
            **{name: getattr(source, name) for name in PROVENANCE},
        )
        for position, source in enumerate(sources, start=free)
    ]
    Article.objects.bulk_create(articles, batch_size=1000)
    return len(articles)


def store_paragraphs(record: Import, new: Sequence[FileParagraph], ids: dict[str, int], steps: Steps) -> None:
    """Store the paragraphs ``new``, each at the end of its article, under the key that ``ids`` has for its hash."""
    ends = {
        title: (pk, revision, last + 1)
        for title, pk, revision, last in record.project.articles.annotate(
            last=Max("paragraphs__position", default=-1)
        ).values_list("title", "pk", "revision", "last")
    }

    def rows() -> Iterator[tuple[Any, ...]]:
        for paragraph in new:
            article_id, its_revision, position = ends[paragraph.title]
            ends[paragraph.title] = article_id, its_revision, position + 1
            digest = paragraph.text_sha256
            revision = "" if paragraph.revision == its_revision else paragraph.revision
            source = (paragraph.section, revision, False, record.pk)
            yield ids[digest], record.project_id, article_id, position, paragraph.text, digest, *source

    copy_rows(Paragraph, PARAGRAPH_FIELDS, steps.counted(rows()))
    count_anew(len(new), Paragraph)
