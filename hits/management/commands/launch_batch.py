"""``manage.py launch_batch SLUG --kind write [...]``: launch a batch from a script."""

import json
from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from annotation.models import Article, Project, Task
from annotation.services.gold import MOST_A_TASK
from hits import endpoints
from hits.services import launching, planning
from hits.services.planning import BatchSpec


class Command(BaseCommand):
    help = "Launch a batch; Celery publishes it. With --dry-run, print what it would be and cost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_spec_arguments(parser)
        parser.add_argument("--endpoint", help=_("key of the crowd endpoint; the first one where none is given"))
        parser.add_argument("--total", help=_("the total, typed to confirm it where the endpoint pays people"))
        parser.add_argument("--dry-run", action="store_true", help=_("print what it would be and cost; launch nothing"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(_("There is no project {slug}.").format(slug=options["project"]))
        spec = spec_of(project, options)
        try:
            if options["dry_run"]:
                self._show(planning.estimate(project, spec))
                return
            total = money(options["total"]) if options["total"] else None
            batch = launching.launch(project, spec, user=None, confirmed_total_usd=total)
        except (planning.NotLaunchable, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error
        shown = {"batch": batch.pk, "hits": batch.hits.count(), "total_usd": str(batch.cap_usd)}
        self.stdout.write(json.dumps(shown))

    def _show(self, estimate: planning.Estimate) -> None:
        shown = {
            "hits": estimate.hits,
            "assignments": estimate.assignments,
            "lines": [
                {
                    "hits": line.hits,
                    "in_each": line.units,
                    "workers_each": list(line.parts),
                    "reward_usd": str(line.reward_usd),
                    "fee_usd": str(line.fee_usd),
                    "hit_usd": str(max(line.parts) * (line.reward_usd + line.fee_usd)),
                }
                for line in estimate.lines
            ],
            "rewards_usd": str(estimate.rewards_usd),
            "fees_usd": str(estimate.fees_usd),
            "saved_on_fees_usd": str(estimate.saving_usd),
            "bonus_reserve_usd": str(estimate.bonus_reserve_usd),
            "total_usd": str(estimate.total_usd),
            "left_usd": str(estimate.left_usd),
            "problem": estimate.problem(),
        }
        self.stdout.write(json.dumps(shown))


def add_spec_arguments(parser: ArgumentParser) -> None:
    """What a batch is to be, for every command that runs one."""
    parser.add_argument("project", help=_("the short name of the project"))
    parser.add_argument("--kind", required=True, choices=Task.Kind.values)
    parser.add_argument(
        "--split",
        action="append",
        default=[],
        choices=Article.Split.values,
        dest="splits",
        help=_("may be repeated; where none is given, all of them to write for, dev and test to answer"),
    )
    parser.add_argument("--units", type=int, help=_("paragraphs to write for, or questions to answer, in a HIT"))
    parser.add_argument("--rate", help=_("pay per hour, USD; the project's where none is given"))
    parser.add_argument("--bonus-reserve", default="0", help=_("set aside for bonuses, as a percentage of the rewards"))
    parser.add_argument("--most-hits", type=int, help=_("HITs for one worker, at most; all where none is given"))
    parser.add_argument("--workers", type=int, default=0, help=_("how many workers may take a quiz"))
    parser.add_argument("--extra-answers", type=int, help=_("answers wanted beside the author's"))
    parser.add_argument(
        "--gold",
        type=int,
        default=0,
        choices=range(MOST_A_TASK + 1),
        help=_("gold checks in each HIT that asks for answers"),
    )


def spec_of(project: Project, options: dict[str, Any]) -> BatchSpec:
    """What the options ask for; the project's numbers where they say nothing. Raises CommandError."""
    writing, quizzing = options["kind"] == Task.Kind.WRITE, options["kind"] == Task.Kind.QUIZ
    if quizzing != (options["workers"] > 0):
        raise CommandError(_("--workers says how many workers may take a quiz, and belongs to --kind quiz alone."))
    if options["most_hits"] is not None and options["most_hits"] < 1:
        raise CommandError(_("--most-hits is a whole number from 1 up: how many HITs one worker may do."))
    units = project.paragraphs_per_task if writing else project.questions_per_answer_task
    extra = options["extra_answers"] or project.extra_answers
    return BatchSpec(
        kind=options["kind"],
        endpoint=options.get("endpoint") or next(iter(endpoints.all_endpoints())),
        splits=tuple(options["splits"]),
        units_per_hit=1 if quizzing else options["units"] or units,
        quiz_workers=options["workers"],
        hourly_rate_usd=money(options["rate"]) if options["rate"] else project.hourly_rate_usd,
        extra_answers=0 if writing or quizzing else extra,
        gold_per_hit=0 if writing or quizzing else options["gold"],
        bonus_reserve_percent=percent(options["bonus_reserve"]),
        most_tasks_a_worker=options["most_hits"],
    )


def percent(text: str) -> Decimal:
    """``text`` as a number from 0 to 100. Raises CommandError."""
    value = money(text)
    if not value.is_finite() or not 0 <= value <= 100:
        raise CommandError(_("{text} is not a percentage from 0 to 100.").format(text=text))
    return value


def money(text: str) -> Decimal:
    """``text`` as US dollars. Raises CommandError."""
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise CommandError(_("{text} is not an amount of money.").format(text=text)) from error
