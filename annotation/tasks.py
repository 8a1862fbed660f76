"""Jobs of this room. Each takes ids, does one thing, and runs safely twice; what is due is read from the rows."""

from celery import shared_task

from annotation.models import CurationRun, Project
from annotation.services import kept_counts, key_words


@shared_task
def describe(project_id: int) -> None:
    """Work out which words tell the articles of a project apart."""
    key_words.describe(Project.objects.get(pk=project_id))


@shared_task
def count(project_id: int) -> None:
    """Count what a project's page shows."""
    kept_counts.count(Project.objects.get(pk=project_id))


@shared_task
def curate(run_id: int) -> None:
    """Do a curation that was asked for, or import what it kept."""
    from annotation.services import curating

    curating.work(CurationRun.objects.select_related("project", "asked_by").get(pk=run_id))


@shared_task
def sweep() -> None:
    """Queue whatever is due and nobody is working on: killed workers leave such rows behind."""
    from annotation.services import curating

    for project in key_words.undescribed():
        describe.delay(project.pk)
    for run_id in curating.due():
        curate.delay(run_id)
    curating.forget_old_sources()
