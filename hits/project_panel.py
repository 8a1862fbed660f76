"""This room's part of a project's page: its batches and its money."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotation.models import Project
from annotation.panels import Panel, register
from hits.models import Batch
from hits.services.progress import money_of_project

LATEST = 10


def register_all() -> None:
    register(Panel("batches", 200, _("Batches and money"), "admin/hits/panel.html", context))


def context(project: Project, user: User) -> dict[str, Any]:
    return {
        "money": money_of_project(project),
        "batches": Batch.objects.in_project(project).order_by("-pk")[:LATEST],
    }
