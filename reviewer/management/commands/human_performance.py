"""Human EM and F1 of a file with several answers a question, which needs no database, or of a project's split."""

import json
import re
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Article
from reviewer.management.input_files import read_file
from reviewer.management.projects import project_named
from reviewer.services.agreement import agreement
from scoring.human import PERCENT_PLACES, AnsweredQuestion, HumanPerformance, human_performance
from scoring.squad_files import read_gold


class Command(BaseCommand):
    help = (
        "Print human EM and F1 as JSON, in percent: the second answer of each question against all others, and "
        "against the first and third alone. Takes a FILE, or a project and one of its splits."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", help="a SQuAD file, plain or gzip-compressed")
        parser.add_argument("--language", help="of the FILE, as a tag such as zh; it sets the tokens (default: en)")
        parser.add_argument("--project", metavar="SLUG", help="the short name of a project")
        parser.add_argument("--split", choices=Article.Split.values, help="the split of the project")

    def handle(
        self, *, file: str | None, language: str | None, project: str | None, split: str | None, **options: Any
    ) -> None:
        if file is not None and project is None and split is None:
            performance = _of_file(file, language or "en")
        elif file is None and project is not None and split is not None and language is None:
            performance = agreement(project_named(project), split).performance
        else:
            raise CommandError("Name either a FILE, or a project and a split: --project SLUG --split dev.")
        self.stdout.write(_with_all_places(json.dumps(performance.report(), indent=2)))


def _with_all_places(report: str) -> str:
    """``report``, which is JSON, with every percentage to ``PERCENT_PLACES``: as a number still, ``100.000``."""
    return re.sub(r"(?<=: )\d+\.\d+(?=,?\n)", lambda found: f"{float(found[0]):.{PERCENT_PLACES}f}", report)


def _of_file(path: str, language: str) -> HumanPerformance:
    questions = read_file(path, read_gold)
    return human_performance((AnsweredQuestion(one.id, one.answers) for one in questions), language=language)
