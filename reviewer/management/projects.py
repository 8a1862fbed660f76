"""Projects named on the command line."""

from django.core.management.base import CommandError
from django.db import OperationalError

from annotation.models import Project


def project_named(slug: str) -> Project:
    """The project with this short name. Raises CommandError, which lists the names there are, or says that the database
    cannot be reached."""
    try:
        project = Project.objects.filter(slug=slug).first()
    except OperationalError as error:
        told = str(error).partition("\n")[0]
        raise CommandError(f"Projects are in the database, which DATABASE_URL names: {told}") from None
    if project is None:
        known = ", ".join(Project.objects.order_by("pk").values_list("slug", flat=True)[:10]) or "none yet"
        raise CommandError(f"There is no project {slug!r}. Projects: {known}.")
    return project
