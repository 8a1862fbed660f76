"""Carry decisions and bonuses over to the panels that have an API."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from marketplace import clock

from ... import prolific
from ...services import prolific_sync, visits


class Command(BaseCommand):
    help = "Approve, reject and pay bonuses at Prolific as was decided here. Run it every minute or so."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        now = clock.now()
        visits.settle(now)
        try:
            client = prolific.client()
        except prolific.NotConfigured as error:
            raise CommandError(str(error)) from None
        counts = prolific_sync.sync_all(client, now)
        if options["json"]:
            self.stdout.write(json.dumps(counts))
        else:
            self.stdout.write(
                f"{counts['studies']} studies looked at, {counts['decisions']} decisions carried over, "
                f"{counts['bonus_batches']} batches of bonuses seen paid, {counts['failed']} studies failed."
            )
