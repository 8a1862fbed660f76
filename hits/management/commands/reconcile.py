"""``manage.py reconcile [--project SLUG] [--json]``: does the ledger say what the endpoints say?"""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Project
from hits import mturk
from hits.services import reconciling
from hits.services.reconciling import Report


class Command(BaseCommand):
    help = "Compare the ledger with what the endpoints say was paid, to the cent. Exits with 1 where they differ."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", help=_("the short name of a project; all of them where none is given"))
        parser.add_argument("--json", action="store_true", help=_("print everything as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        projects = Project.objects.order_by("pk")
        if options["project"]:
            projects = projects.filter(slug=options["project"])
            if not projects.exists():
                raise CommandError(_("There is no project {slug}.").format(slug=options["project"]), returncode=2)
        else:
            projects = projects.filter(batches__isnull=False).distinct()
        try:
            reports = reconciling.reconcile(projects, self._told if sys.stderr.isatty() else lambda done, total: None)
        except (mturk.Unavailable, mturk.Rejected) as error:
            raise CommandError(str(error), returncode=2) from error
        if options["json"]:
            self.stdout.write(json.dumps([report.as_json() for report in reports], indent=1))
        else:
            for report in reports:
                self._show(report)
        if any(report.differences for report in reports):
            sys.exit(1)

    def _show(self, report: Report) -> None:
        sums = _("{project}: ${ours} paid by the ledger, ${theirs} by the endpoints; {differences} in {hits}.")
        count = len(report.differences)
        told = sums.format(
            project=report.project,
            ours=report.ours_usd,
            theirs=report.theirs_usd,
            differences=ngettext("{n} difference", "{n} differences", count).format(n=count),
            hits=ngettext("{n} HIT", "{n} HITs", report.hits).format(n=report.hits),
        )
        self.stdout.write(told)
        for one in report.differences:
            where = f"  HIT {one.mturk_hit_id}, assignment {one.mturk_assignment_id}"
            self.stdout.write(f"{where}: ${one.ours_usd} / ${one.theirs_usd}. {one.sentence}")
        for gone in report.not_compared:
            sentence = _("  HIT {id} is gone from its endpoint and was not compared; the ledger paid ${paid} for it.")
            self.stdout.write(sentence.format(id=gone["mturk_hit_id"], paid=gone["ours_usd"]))

    def _told(self, done: int, total: int) -> None:
        self.stderr.write(f"\r{done} / {total} HITs ", ending="\n" if done == total else "")
        self.stderr.flush()
