"""Human EM and F1 of a dataset with several answers a question; needs no database."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from reviewer.management.input_files import read_file
from scoring.human import AnsweredQuestion, human_performance
from scoring.squad_files import read_gold


class Command(BaseCommand):
    help = (
        "Print human EM and F1 as JSON, in percent: the second answer of each question against all others, and "
        "against the first and third alone."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a SQuAD file, plain or gzip-compressed")

    def handle(self, *, file: str, **options: Any) -> None:
        questions = [AnsweredQuestion(question.id, question.answers) for question in read_file(file, read_gold)]
        self.stdout.write(json.dumps(human_performance(questions).report(), indent=2))
