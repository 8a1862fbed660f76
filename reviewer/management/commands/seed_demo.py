"""The platform's part of the demo: two logins and a project with the sample's passages."""

import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Project
from annotation.services.imports import import_file
from annotation.services.projects import create_project

SAMPLE = Path("annotation", "sample", "xquad-sample.json")
SLUG = "demo"
# Enough to write for the whole sample and answer it twice over, several times.
CAP_USD = Decimal(500)


class Command(BaseCommand):
    help = (
        "Make the demo's logins (passwords from REQUESTER_PASSWORD and ADMIN_PASSWORD) and its project. "
        "What is there already is kept."
    )

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        requester = login("requester", "REQUESTER_PASSWORD", is_superuser=False)
        login("admin", "ADMIN_PASSWORD", is_superuser=True)
        project = Project.objects.filter(slug=SLUG).first()
        if project is None:
            project = create_project(
                name=_("Demo: Wikipedia passages"),
                slug=SLUG,
                owner=requester,
                spending_cap_usd=CAP_USD,
                # Five articles at the usual 80, 10 and 10 % would leave one split without any.
                train_percent=60,
                dev_percent=20,
                test_percent=20,
            )
        sample = settings.BASE_DIR / SAMPLE
        import_file(project, sample.read_bytes(), file_name=sample.name, imported_by=requester)
        self.stdout.write(json.dumps({"project": project.slug, "project_name": project.name}))


def login(username: str, variable: str, *, is_superuser: bool) -> User:
    """The staff login ``username`` with the password that the environment's ``variable`` holds."""
    password = os.environ.get(variable)
    if not password:
        raise CommandError(_("%(variable)s must hold a password.") % {"variable": variable})
    user, _made = User.objects.get_or_create(username=username)
    user.is_staff, user.is_superuser = True, is_superuser
    user.set_password(password)
    user.save()
    return user
