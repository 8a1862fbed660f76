"""``manage.py delete_signals PROJECT``: forget how its questions were typed; what was written stays."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Project
from annotation.services.signals import delete_signals


class Command(BaseCommand):
    help = "Delete the signals of a project's finished work: keys, pastes, seconds a question."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help=_("its short name"))

    def handle(self, *args: Any, project: str, **options: Any) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(_("There is no project %(slug)s.") % {"slug": project})
        count = delete_signals(found)
        sentence = ngettext(
            "Deleted the signals of %(count)s question.", "Deleted the signals of %(count)s questions.", count
        )
        self.stdout.write(sentence % {"count": count})
