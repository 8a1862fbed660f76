"""Agreement of a file with several answers a question, which needs no database, or of a project."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import ngettext

from annotation.models import Article
from reviewer.management.input_files import read_file
from reviewer.management.projects import project_named
from reviewer.services import study
from reviewer.services.aggregation import METHODS, NotAggregated, aggregate
from scoring.agreement import GivenAnswers, question_agreement
from scoring.agreement_figures import figures_of
from scoring.human import AnsweredQuestion, human_performance
from scoring.squad_files import read_answers


class Command(BaseCommand):
    help = (
        "Print how far the answers to the same questions agree: human EM and F1, each answer against the others, "
        "pairs, majorities, Krippendorff's alpha, each with its 95 % interval or the reason why it is undefined. Takes "
        "a FILE, or a project: then by article, worker, batch and time as well."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", help="a SQuAD file, plain or gzip-compressed")
        parser.add_argument("--language", help="of the FILE, as a tag such as zh; it sets the tokens (default: en)")
        parser.add_argument("--project", metavar="SLUG", help="the short name of a project")
        parser.add_argument("--split", choices=Article.Split.values, help="one split of the project; else all")
        parser.add_argument(
            "--aggregate",
            choices=METHODS,
            help="print instead, as JSON, one answer for each question of the --split, weighed by its workers' "
            "reliability; needs requirements-aggregation.txt",
        )
        parser.add_argument("--json", action="store_true", help="print all of it, as JSON")

    def handle(
        self, *, file: str | None, language: str | None, project: str | None, split: str | None, **options: Any
    ) -> None:
        if method := options["aggregate"]:
            self.stdout.write(json.dumps(_aggregated(project, split, method), indent=2, ensure_ascii=False))
            return
        if file is not None and project is None and split is None:
            reports = {file: _of_file(file, language or "en")}
        elif file is None and project is not None and language is None:
            reports = _of_project(project, [split] if split else list(Article.Split.values))
        else:
            raise CommandError("Name either a FILE (and its --language), or a --project SLUG (and a --split).")
        if options["json"]:
            self.stdout.write(json.dumps(reports[file] if file else reports, indent=2, ensure_ascii=False))
            return
        for name, report in reports.items():
            self.stdout.write(f"{name}: {_questions(report['questions'])}")
            for line in lines_of(report["figures"]):
                self.stdout.write(f"  {line}")
            if misplaced := report.get("misplaced_answers"):
                sentence = ngettext(
                    "{count} answer does not stand at its start; its text counts all the same",
                    "{count} answers do not stand at their start; their texts count all the same",
                    misplaced,
                )
                self.stdout.write(f"  {sentence.format(count=misplaced)}")


def _aggregated(slug: str | None, split: str | None, method: str) -> dict[str, Any]:
    if slug is None or split is None:
        raise CommandError("--aggregate takes a project and a split: --project SLUG --split dev.")
    try:
        return aggregate(project_named(slug), split, method).report()
    except NotAggregated as refusal:
        raise CommandError(str(refusal)) from None


def lines_of(figures: dict[str, dict[str, Any]]) -> list[str]:
    """A line for each figure: its value with its interval, or why there is none."""
    lines = []
    for name, figure in figures.items():
        if figure["value"] is None:
            lines.append(f"{name:26} undefined: {figure['why']}")
            continue
        around = figure["interval"]
        shown = f"[{around[0]:.3f}, {around[1]:.3f}]" if around else "no interval"
        lines.append(f"{name:26} {figure['value']:8.3f} {shown} ({_questions(figure['questions'])})")
    return lines


def _questions(count: int) -> str:
    return ngettext("{count} question", "{count} questions", count).format(count=count)


def _of_file(path: str, language: str) -> dict[str, Any]:
    questions, misplaced = read_file(path, read_answers)
    return file_report(questions, misplaced, language)


def file_report(questions: list[GivenAnswers], misplaced: list[str], language: str) -> dict[str, Any]:
    """The part of a project's report that a file has, and the answers whose offsets are wrong."""
    asked = [AnsweredQuestion(question.id, question.texts) for question in questions]
    compared = [question_agreement(question, language) for question in questions if len(question.texts) > 1]
    return {
        "language": language,
        "questions": len(questions),
        "readings": human_performance(asked, language=language).report(),
        "figures": {name: figure.report() for name, figure in figures_of(compared).items()},
        "misplaced_answers": len(misplaced),
        "questions_with_misplaced_answers": sorted(set(misplaced)),
    }


def _of_project(slug: str, splits: list[str]) -> dict[str, dict[str, Any]]:
    project = project_named(slug)
    return {split: study.public(project.pk, study.work_out(project, split)) for split in splits}
