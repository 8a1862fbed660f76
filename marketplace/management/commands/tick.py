"""What time alone does, for what nobody looks at; and telling of what happened."""

import json
import logging
import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, close_old_connections, connection

from marketplace import clock
from marketplace.services import notifications, overdue, pace, policies

logger = logging.getLogger(__name__)

SENTENCES = {
    "disposed_hits": "{} old HITs disposed",
    "forgotten_tokens": "{} request tokens forgotten",
    "delivered": "{} notifications delivered",
    "failed": "{} to be tried again",
    "given_up": "{} given up",
    "forgotten_notices": "{} old notifications forgotten",
}


class Command(BaseCommand):
    help = (
        "Expire HITs, end overdue assignments, approve by timer, dispose old HITs, send notifications. Run it every "
        "minute or so, or as a service with --every."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--every", type=float, metavar="SECONDS", help="go on, with a pause of so many seconds")
        parser.add_argument("--json", action="store_true", help="print one JSON object each time")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["every"] is None:
            self._tell(self._tick(), options["json"])
            return
        if not 0.1 <= options["every"] <= 86400:
            raise CommandError("--every must be from 0.1 to 86400 seconds.")
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        while not stop.is_set():
            try:
                done = self._tick()
                if options["json"] or any(done.values()):
                    self._tell(done, options["json"])
            except DatabaseError:
                # The database is away or restarts; what is due now is due then too.
                logger.exception("This time nothing was settled; the next try is in %s s.", options["every"])
                connection.close()
            close_old_connections()
            stop.wait(options["every"])

    def _tick(self) -> dict[str, int]:
        now = clock.now()
        overdue.settle(now)
        pace.measure_stale(now)
        policies.carry_out_missed(now)
        return {
            "disposed_hits": overdue.dispose_old(now),
            "forgotten_tokens": overdue.forget_tokens(now),
            **notifications.deliver(now),
            "forgotten_notices": notifications.forget(now),
        }

    def _tell(self, done: dict[str, int], as_json: bool) -> None:
        now = clock.now()
        if as_json:
            self.stdout.write(json.dumps({"now": now.isoformat(), **done}))
        else:
            told = ", ".join(sentence.format(done[name]) for name, sentence in SENTENCES.items())
            self.stdout.write(f"Settled as of {now:%Y-%m-%d %H:%M:%S} UTC; {told}.")
