"""``manage.py rehearse SLUG --kind write [--from FILE]``: a batch with scripted workers, before real money moves."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from annotation.models import Project
from hits import mturk
from hits.services import rehearsal
from hits.services.planning import NotLaunchable
from players.script import Script
from scoring.json_files import FileError, read_bytes
from scoring.squad_files import read_squad

from . import launch_batch


class Command(BaseCommand):
    help = "Run a batch with scripted workers in a clone of the project, which is never exported; nobody is paid."

    def add_arguments(self, parser: ArgumentParser) -> None:
        launch_batch.add_spec_arguments(parser)
        parser.add_argument("--from", type=Path, dest="file", help=_("a SQuAD file to take questions and answers from"))
        parser.add_argument("--seed", type=int, default=0, help=_("of the players' disagreement"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"], is_rehearsal=False).first()
        if project is None:
            raise CommandError(_("There is no project {slug}.").format(slug=options["project"]))
        try:
            dataset = read_squad(read_bytes(options["file"])) if options["file"] else None
            done = rehearsal.rehearse(
                project,
                launch_batch.spec_of(project, options),
                Script(dataset, options["seed"]),
                seed=options["seed"],
                told=self._told if sys.stderr.isatty() else lambda total: None,
            )
        except (NotLaunchable, FileError, OSError, mturk.Rejected, mturk.Unavailable) as error:
            raise CommandError(str(error)) from error
        shown = {
            "project": done.project.slug,
            "hits": done.standing.hits,
            "places": done.standing.places,
            "submitted": done.standing.submitted,
            "approved": done.standing.approved,
            "workers": len(done.played.submitted),
            "gold": {"planted": done.checks.planted, "answered": done.checks.answered, "right": done.checks.right},
            "would_cost_usd": str(done.spent_usd),
            "seconds": round(done.seconds, 1),
            "problems": done.played.problems,
        }
        self.stdout.write(json.dumps(shown, indent=1))

    def _told(self, total: int) -> None:
        self.stderr.write(f"\r{total} submitted ", ending="")
        self.stderr.flush()
