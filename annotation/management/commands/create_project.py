"""``manage.py create_project SLUG --name NAME [--preset ...] [--set field=value ...]``: a project, from a script."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db.models import JSONField
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Project
from annotation.presets import PRESETS
from annotation.services.projects import create_project

# What --set may name: the fields that people edit, but for those that have an argument of their own.
SETTINGS = {
    field.name: field
    for field in Project._meta.fields
    if field.editable and field.name not in {"id", "slug", "name", "preset", "language"}
}


class Command(BaseCommand):
    help = "Create a project from a preset."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help=_("its short name, used in addresses and commands"))
        parser.add_argument("--name", help=_("its name; the short name where none is given"))
        parser.add_argument("--preset", default="own-crowd", choices=PRESETS)
        parser.add_argument("--language", default="en", help=_("a BCP 47 tag such as en or zh-Hant"))
        parser.add_argument("--cap", default="0", metavar="USD", help=_("the spending cap, in US dollars"))
        parser.add_argument("--owner", metavar="USERNAME", help=_("who becomes its requester"))
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="FIELD=VALUE",
            dest="changes",
            help=_("another value for a field of the preset, such as min_paragraph_chars=0; may be repeated"),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = None
        if options["owner"]:
            owner = User.objects.filter(username=options["owner"]).first()
            if owner is None:
                raise CommandError(_("There is no user %(username)s.") % {"username": options["owner"]})
        try:
            project = create_project(
                slug=options["slug"],
                name=options["name"] or options["slug"],
                preset=options["preset"],
                language=options["language"],
                owner=owner,
                **{"spending_cap_usd": value_of("spending_cap_usd", options["cap"])}
                | dict(assignment(text) for text in options["changes"]),
            )
        except ValidationError as error:
            raise CommandError(" ".join(sentences(error))) from error
        self.stdout.write(_("Created the project %(slug)s.") % {"slug": project.slug})


def assignment(text: str) -> tuple[str, Any]:
    """``field=value`` as a field's name and a value of its type. Raises CommandError."""
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(_("--set wants FIELD=VALUE, not %(text)s.") % {"text": text})
    return name, value_of(name, value)


def value_of(name: str, value: str) -> Any:
    """``value`` as the project's field ``name`` stores it. Raises CommandError, ValidationError."""
    field = SETTINGS.get(name)
    if field is None:
        raise CommandError(_("A project has no setting %(name)s.") % {"name": name})
    if isinstance(field, JSONField):
        try:
            return json.loads(value)
        except ValueError as error:
            raise CommandError(_("%(name)s wants JSON, not %(value)s.") % {"name": name, "value": value}) from error
    try:
        return field.to_python(None if value == "" and field.null else value)
    except ValidationError as error:
        raise ValidationError({name: error.messages}) from error


def sentences(error: ValidationError) -> list[str]:
    """What is wrong, each with the field it is about."""
    if not hasattr(error, "error_dict"):
        return error.messages
    return [
        message if field == "__all__" else f"{field}: {message}"
        for field, messages in error.message_dict.items()
        for message in messages
    ]
