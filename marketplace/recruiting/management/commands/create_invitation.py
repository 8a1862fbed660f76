"""Make invitation links."""

import json
from argparse import ArgumentParser
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from marketplace import clock
from marketplace.models import QualificationType

from ...services import invitations


class Command(BaseCommand):
    help = "Make links by which people make themselves workers' accounts; each is printed once and kept nowhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--note", default="", help="who the links are for")
        parser.add_argument("--count", type=int, default=1, help="how many links to make")
        parser.add_argument("--places", type=int, default=1, help="how many people may use each link")
        parser.add_argument("--days", type=int, help="let nobody in any more after so many days")
        parser.add_argument(
            "--standing",
            default="",
            metavar="approved=5000,percent=99,country=US",
            help="system qualification values that those who come in get",
        )
        parser.add_argument("--qualification", metavar="ID", help="a qualification type of a requester, granted too")
        parser.add_argument("--value", type=int, default=1, help="the value of that qualification")
        parser.add_argument("--json", action="store_true", help="print one JSON list of the links")

    def handle(self, *args: Any, **options: Any) -> None:
        now = clock.now()
        pairs = [part.partition("=") for part in options["standing"].split(",") if part]
        offer = invitations.Offer(
            note=options["note"][:200],
            places=options["places"],
            expires_at=self._end(now, options["days"]),
            standing={name.strip(): value.strip() for name, _, value in pairs},
            qualification_type=self._qualification(options["qualification"]),
            qualification_value=options["value"],
        )
        try:
            links = invitations.invite(offer, now, links=options["count"])
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(links) if options["json"] else "\n".join(links))

    @staticmethod
    def _end(now: datetime, days: int | None) -> datetime | None:
        if days is None:
            return None
        if not 1 <= days <= 3650:
            raise CommandError(f"--days must be from 1 to 3650, not {days}.")
        return now + timedelta(days=days)

    @staticmethod
    def _qualification(type_id: str | None) -> QualificationType | None:
        if type_id is None:
            return None
        found = QualificationType.objects.exclude(requester=None).filter(type_id=type_id).first()
        if found is None:
            raise CommandError(f"No requester has a qualification type {type_id!r}.")
        return found
