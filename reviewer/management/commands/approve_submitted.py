"""``manage.py approve_submitted SLUG --as USERNAME``: approve everything that waits, as a reviewer would in bulk."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Assignment, Project
from annotation.permissions import REVIEWERS, has_role
from reviewer.services import review


class Command(BaseCommand):
    help = "Approve all submitted work of a project; Celery pays it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help=_("the short name of the project"))
        parser.add_argument("--as", required=True, dest="username", help=_("the reviewer who answers for it"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        user = User.objects.filter(username=options["username"]).first()
        if project is None or user is None or not has_role(user, project, *REVIEWERS):
            raise CommandError(
                _("There is no project {slug} in which {username} may approve.").format(
                    slug=options["project"], username=options["username"]
                )
            )
        waiting = Assignment.objects.in_project(project).filter(status=Assignment.Status.SUBMITTED)
        self.stdout.write(json.dumps({"approved": review.approve_all(waiting, user)}))
