"""``manage.py apply_retention [--dry-run]``: delete what the settings keep no longer. A job does it every hour, too."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.translation import gettext as _

from reviewer.services import retention


class Command(BaseCommand):
    help = "Delete drafts, signals, worker ids and who looked, as old as the RETAIN settings say."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help=_("print how much would go, and delete nothing"))

    def handle(self, *args: Any, **options: Any) -> None:
        labels = {one.name: one.label for one in retention.kept()}
        if options["dry_run"]:
            told = retention.due(timezone.now())
        else:
            told = retention.carry_out(self._tell if sys.stderr.isatty() else lambda name, done, total: None)
        for one in retention.kept():
            if one.days:
                days = _("kept for {days} days").format(days=one.days)
                self.stdout.write(f"{told[one.name]:>9} {labels[one.name]} ({days})")
            else:
                self.stdout.write(_("        – {what}: kept for good").format(what=labels[one.name]))

    def _tell(self, name: str, done: int, total: int) -> None:
        self.stderr.write(f"\r{name}: {done} / {total} ", ending="\n" if done == total else "")
        self.stderr.flush()
