"""What time alone does, for what nobody looks at."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from marketplace import clock
from marketplace.services import overdue, pace


class Command(BaseCommand):
    help = "Expire HITs, end overdue assignments, approve by timer, dispose old HITs. Run it every minute or so."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        now = clock.now()
        overdue.settle(now)
        pace.measure_stale(now)
        done = {"disposed_hits": overdue.dispose_old(now), "forgotten_tokens": overdue.forget_tokens(now)}
        if options["json"]:
            self.stdout.write(json.dumps({"now": now.isoformat(), **done}))
        else:
            self.stdout.write(
                f"Settled as of {now:%Y-%m-%d %H:%M:%S} UTC; {done['disposed_hits']} old HITs disposed, "
                f"{done['forgotten_tokens']} request tokens forgotten."
            )
