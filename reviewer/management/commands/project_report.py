"""A project's dashboard as a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from reviewer.management.projects import project_named
from reviewer.services import dashboard
from reviewer.services.dashboard_pdf import pdf_of
from reviewer.services.dashboard_report import html_of

KINDS = (".html", ".pdf")


class Command(BaseCommand):
    help = "Write a project's dashboard as a report: an HTML file that needs nothing else, or a PDF."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the short name of a project")
        parser.add_argument("--out", metavar="FILE", required=True, help="the file to write, .html or .pdf")

    def handle(self, *, slug: str, out: str, **options: Any) -> None:
        file = Path(out)
        if file.suffix.lower() not in KINDS:
            raise CommandError(f"{out} is neither .html nor .pdf: the file's name says what is written.")
        project = project_named(slug)
        kept = dashboard.work_out(project)
        shown = dashboard.Shown(kept.figures, kept.at, is_current=True)
        data = html_of(project, shown).encode() if file.suffix.lower() == ".html" else pdf_of(project, shown)
        try:
            file.write_bytes(data)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{out}: the figures of {project.name} as of {kept.at:%Y-%m-%d %H:%M:%S} UTC")
