"""Score a file of predictions against a SQuAD dataset; needs no database."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from reviewer.management.input_files import read_file
from scoring.squad_files import read_gold, read_predictions
from scoring.squad_metrics import Rule, ScoringError, score_predictions


class Command(BaseCommand):
    help = (
        "Print EM and F1 of PREDICTIONS against DATASET as JSON, in percent, with the ids of questions without a "
        "prediction and of predictions without a question. Both files may be gzip-compressed."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", metavar="DATASET", help="a SQuAD file")
        parser.add_argument("predictions", metavar="PREDICTIONS", help="a JSON object of answers by question id")
        parser.add_argument(
            "--rule",
            choices=[rule.value for rule in Rule],
            help="whose evaluation counts; without it 2.0's where the dataset says is_impossible, else 1.1's",
        )

    def handle(self, *, dataset: str, predictions: str, rule: str | None, **options: Any) -> None:
        questions = read_file(dataset, read_gold)
        answers = read_file(predictions, read_predictions)
        try:
            evaluation = score_predictions(questions, answers, Rule(rule) if rule else None)
        except ScoringError as error:
            raise CommandError(f"{dataset}: {error}") from None
        self.stdout.write(json.dumps(evaluation.report(), indent=2))
