"""``manage.py create_api_token USERNAME NAME``: a key for a program that acts as that user."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.models import ApiToken, User


class Command(BaseCommand):
    help = "Make an API token for a user and print it. It is shown this once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("name", help=_("what the token is for, to know it again"))

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError(_("There is no active user {name}.").format(name=options["username"]))
        _token, text = ApiToken.make(user, options["name"][:100])
        self.stdout.write(text)
