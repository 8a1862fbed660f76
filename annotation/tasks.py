"""Jobs of this room. Each takes ids, does one thing, and runs safely twice; what is due is read from the rows."""

from celery import shared_task

from annotation.models import Project
from annotation.services import key_words


@shared_task
def describe(project_id: int) -> None:
    """Work out which words tell the articles of a project apart."""
    key_words.describe(Project.objects.get(pk=project_id))


@shared_task
def sweep() -> None:
    """Queue whatever is due and nobody is working on."""
    for project in key_words.undescribed():
        describe.delay(project.pk)
