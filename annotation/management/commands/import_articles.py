"""``manage.py import_articles PROJECT_SLUG FILE [--with-questions] [--skip-faulty] [--report FILE] [--json]``."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from annotation.models import Project
from annotation.sentences import in_words
from annotation.services.curation_reports import MAX_REPORT_BYTES, read_report
from annotation.services.import_reports import fault_lines, report_lines
from annotation.services.imports import FaultyQuestions, FileError, import_file
from scoring.json_files import read_bytes

BAR_CHARS = 40
REPORT_ENDING = ".report.json"  # as manage.py curate writes it


class Command(BaseCommand):
    help = "Take the passages of a SQuAD JSON or JSON Lines file (plain or .gz) into a project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help=_("the short name of the project"))
        parser.add_argument("file", type=Path)
        parser.add_argument("--with-questions", action="store_true", help=_("take questions and answers too"))
        parser.add_argument("--skip-faulty", action="store_true", help=_("leave faulty questions out"))
        parser.add_argument(
            "--report",
            type=Path,
            help=_("what the curation that made the file says; FILE.report.json beside it where there is one"),
        )
        parser.add_argument("--json", action="store_true", help=_("print the report as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(_("There is no project %(slug)s.") % {"slug": options["project"]})
        path: Path = options["file"]
        try:
            curation = report_beside(path, options["report"])
        except FileError as error:
            name = (options["report"] or path.with_suffix(REPORT_ENDING)).name
            raise CommandError(f"{name}: {in_words(error.sentence)}") from error
        try:
            record = import_file(
                project,
                read_bytes(path),
                file_name=path.name,
                with_questions=options["with_questions"],
                skip_faulty=options["skip_faulty"],
                curation=curation,
                progress=self.show_progress if sys.stderr.isatty() else None,
            )
        except FileError as error:
            raise CommandError(f"{path.name}: {in_words(error.sentence)}") from error
        except FaultyQuestions as error:
            if options["json"]:
                self.stdout.write(json.dumps({"stored": False, "faults": error.faults}, ensure_ascii=False, indent=1))
            raise CommandError("\n".join(fault_lines(error.faults))) from error
        if options["json"]:
            self.stdout.write(json.dumps({"stored": True} | record.report, ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(report_lines(record.report)))

    def show_progress(self, done: int, total: int) -> None:
        """A bar on the terminal, closed when all rows are in."""
        filled = BAR_CHARS * done // total
        bar = "█" * filled + "░" * (BAR_CHARS - filled)
        self.stderr.write(f"\r{bar} {done:,} / {total:,} ", ending="\n" if done == total else "")
        self.stderr.flush()


def report_beside(path: Path, named: Path | None) -> dict[str, Any] | None:
    """The report of the curation that made ``path``: ``named``, or the one beside it, or None. Raises FileError."""
    beside = path.with_suffix(REPORT_ENDING)
    if named is None and not beside.is_file():
        return None
    return read_report(read_bytes(named or beside, MAX_REPORT_BYTES))
