"""Make a requester's account with an access key."""

import json
from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from marketplace import clock, ids
from marketplace.models import User
from marketplace.services import accounts

MOST_FUNDS = Decimal("1000000000000.00")  # US dollars; the balance's column has room for more


class Command(BaseCommand):
    help = "Make a requester with an access key; if one of that name exists, show its key."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name that workers see")
        parser.add_argument("--access-key", help="use this access key id instead of drawing one")
        parser.add_argument("--secret", help="use this secret key instead of drawing one")
        money = parser.add_mutually_exclusive_group()
        money.add_argument("--sandbox", action="store_true", help="pay nobody, as in Mechanical Turk's sandbox")
        money.add_argument("--funds", default="0", metavar="USD", help="put this much into the new account")
        parser.add_argument(
            "--password",
            nargs="?",
            const="",
            help="let them sign in to the site with this password; without a value one is drawn, printed this once",
        )
        parser.add_argument(
            "--username", help="user name to sign in with, also a worker's; drawn from the name if left out"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            funds = Decimal(options["funds"])
        except InvalidOperation:
            funds = Decimal("NaN")
        if not funds.is_finite() or not 0 <= funds <= MOST_FUNDS or funds != funds.quantize(Decimal("0.01")):
            raise CommandError(f"--funds must be dollars and cents, such as 1000.00, not {options['funds']!r}.")
        username, password = options["username"], options["password"]
        if username is not None:
            username = User.normalize_username(username)
            if not username.strip() or len(username) > 150 or "\0" in username:
                raise CommandError("The user name must be 1 to 150 characters long.")
        if password == "":
            password = ids.random_text(16)
        try:
            key = accounts.create_requester(
                options["name"],
                clock.now(),
                pays_nobody=options["sandbox"],
                funds_usd=funds,
                access_key_id=options["access_key"],
                secret_key=options["secret"],
                username=username,
                password=password,
            )
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        requester = key.requester
        shown = {
            "name": requester.name,
            "customer_id": requester.customer_id,
            "access_key": key.access_key_id,
            "secret_key": key.secret_key,
            "sandbox": requester.pays_nobody,
        }
        if password is not None:
            shown |= {"username": requester.user.username, "password": password}
        if options["json"]:
            self.stdout.write(json.dumps(shown))
        else:
            self.stdout.write("\n".join(f"{name}: {value}" for name, value in shown.items()))
