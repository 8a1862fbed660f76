"""``manage.py show_money SLUG``: a project's cap, what is reserved and what was spent, as JSON."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from annotation.models import Project
from hits.models import LedgerEntry
from hits.services.progress import money_of_project


class Command(BaseCommand):
    help = "Print a project's money, by its ledger."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help=_("the short name of the project"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(_("There is no project {slug}.").format(slug=options["project"]))
        money = money_of_project(project)
        shown = {
            "cap_usd": str(money.cap_usd),
            "reserved_usd": str(money.reserved_usd),
            "spent_usd": str(money.spent_usd),
            "paid_usd": str(LedgerEntry.objects.in_project(project).paid_usd()),
        }
        self.stdout.write(json.dumps(shown))
