"""``manage.py undo_passages SLUG DECISION --why REASON``: take a decision about passages back."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from annotation.management.choosing import project_named, user_named
from annotation.models import PassageAct
from annotation.services.choosing import NotChosen, undo


class Command(BaseCommand):
    help = "Undo an exclusion or inclusion for those of its paragraphs that nobody decided about since."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help=_("the short name of the project"))
        parser.add_argument("decision", type=int, help=_("its number, as exclude_passages prints it"))
        parser.add_argument("--why", required=True, help=_("the reason, kept with the decision"))
        parser.add_argument("--as", dest="user", help=_("the login that decides"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        acts = PassageAct.objects.in_project(project).exclude(kind=PassageAct.Kind.SPLIT)
        act = acts.filter(pk=options["decision"]).first()
        if act is None:
            raise CommandError(_("There is no such decision to undo in this project."))
        try:
            undone = undo(act, options["why"], user_named(options["user"]))
        except NotChosen as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps({"decision": undone.pk, "paragraphs": undone.paragraphs}))
