"""Write a project's dataset as SQuAD 1.1 files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import ngettext

from annotation.models import Project
from reviewer.management.projects import project_named
from reviewer.services.dataset import NotExportable
from reviewer.services.export import ATTRIBUTION_NAME, REPORT_NAME, write_export


class Command(BaseCommand):
    help = (
        "Write the approved questions of project SLUG as SQuAD 1.1 files, one for each split that has articles, and "
        "a report of what is in them and what was left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the project's short name")
        parser.add_argument(
            "--out", metavar="DIR", required=True, type=Path, help="the folder; made where it is missing"
        )

    def handle(self, *, slug: str, out: Path, **options: Any) -> None:
        project: Project = project_named(slug)
        try:
            report = write_export(project, out)
        except NotExportable as refusal:
            raise CommandError(str(refusal)) from None
        except OSError as error:
            raise CommandError(f"{out}: {error.strerror or error}") from None
        for split in report.splits.values():
            self.stdout.write(
                f"{out / split.file}: {_questions(split.questions)}, "
                f"{ngettext('%d answer', '%d answers', split.answers) % split.answers}, "
                f"{ngettext('%d paragraph', '%d paragraphs', split.paragraphs) % split.paragraphs}, "
                f"{ngettext('%d article', '%d articles', split.articles) % split.articles}; sha256 {split.sha256}"
            )
            if split.questions_left_out:
                self.stdout.write(
                    f"  left out, without an answer to export: {_questions(len(split.questions_left_out))}"
                )
            if split.questions_under_three_answers:
                self.stdout.write(f"  under three answers: {_questions(len(split.questions_under_three_answers))}")
        for name in report.splits_without_articles:
            self.stdout.write(f"{name}: no articles, no file")
        if report.articles_without_split:
            sentence = ngettext(
                "%d article has no split and is in no file",
                "%d articles have no split and are in no file",
                report.articles_without_split,
            )
            self.stdout.write(sentence % report.articles_without_split)
        self.stdout.write(f"{out / REPORT_NAME}: names every question that was left out or falls under three answers")
        self.stdout.write(
            f"{out / ATTRIBUTION_NAME}: says where each article is from, under which licence, in whose words"
        )


def _questions(count: int) -> str:
    return ngettext("%d question", "%d questions", count) % count
