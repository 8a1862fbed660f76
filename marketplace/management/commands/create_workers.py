"""Make workers' accounts."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from marketplace import clock, ids
from marketplace.services import accounts


class Command(BaseCommand):
    help = "Make workers; those who exist are kept, and get the password and standing that are given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--count", type=int, help="make worker-1, worker-2 and so on")
        who.add_argument("--names", help="user names, with commas between them")
        parser.add_argument("--password", help="one password for all; without it each new worker gets one of their own")
        parser.add_argument(
            "--standing",
            default="",
            metavar="approved=5000,percent=99,country=US",
            help="system qualification values: approved, percent, country, subdivision, masters, adult",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON list")

    def handle(self, *args: Any, **options: Any) -> None:
        names = [name.strip() for name in (options["names"] or "").split(",") if name.strip()]
        names = names or [f"worker-{number + 1}" for number in range(options["count"] or 0)]
        if not names:
            raise CommandError("Say how many workers (--count 6) or which (--names ada,grace).")
        standing = self._standing(options["standing"])
        now = clock.now()
        shown = []
        for name in names:
            password = options["password"]
            if password is None and not accounts.is_taken(name):
                password = ids.random_text(12)
            worker = accounts.create_worker(name, now, password=password)
            accounts.set_standing(worker, standing, now)
            shown.append({"username": worker.user.username, "password": password, "worker_id": worker.worker_id})
        if options["json"]:
            self.stdout.write(json.dumps(shown))
        else:
            lines = (
                f"{row['username']}  {row['password'] or '(password unchanged)'}  {row['worker_id']}" for row in shown
            )
            self.stdout.write("\n".join(lines))

    @staticmethod
    def _standing(text: str) -> accounts.Standing:
        pairs = [part.partition("=") for part in text.split(",") if part]
        try:
            return accounts.Standing.from_values({name.strip(): value.strip() for name, _, value in pairs})
        except ValueError as error:
            raise CommandError(f"--standing: {error}") from None
