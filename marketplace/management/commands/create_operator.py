"""Make an operator's account."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from marketplace import ids
from marketplace.models import User
from marketplace.services import accounts


class Command(BaseCommand):
    help = "Make a login that runs the marketplace; one who exists becomes an operator and gets the password given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", help="user name to sign in with")
        parser.add_argument("--password", help="without it a new operator gets one, which is printed this once")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        username, password = User.normalize_username(options["username"].strip()), options["password"]
        if not username or len(username) > 150 or "\0" in username:
            raise CommandError("The user name must be 1 to 150 characters long.")
        if password is None and not accounts.is_taken(username):
            password = ids.random_text(16)
        user = accounts.create_operator(username, password=password)
        if options["json"]:
            self.stdout.write(json.dumps({"username": user.username, "password": password}))
        else:
            self.stdout.write(f"{user.username}  {password or '(password unchanged)'}")
