"""Jobs of this room. Each takes ids, does one thing, and runs safely twice; what is due is read from the rows."""

from celery import shared_task

from annotation.models import Project
from reviewer.models import Release, ReleaseRun, ReviewRules


@shared_task
def make_release(run_id: int) -> None:
    """Make a release that was asked for."""
    from reviewer.services import release_runs

    release_runs.run(ReleaseRun.objects.select_related("project", "asked_by").get(pk=run_id))


@shared_task
def check_release(release_id: int) -> None:
    """Check the files of a release, for its page to show."""
    from reviewer.services import release_inspections

    release_inspections.check(Release.objects.select_related("project").get(pk=release_id))


@shared_task
def compare_releases(earlier_id: int, later_id: int) -> None:
    """Find out what changed between two releases, for their page to show."""
    from reviewer.services import release_inspections

    two = Release.objects.select_related("project").in_bulk([earlier_id, later_id])
    release_inspections.compare(two[earlier_id], two[later_id])


@shared_task
def sweep() -> None:
    """Queue again the releases that are not made and that nobody is at: killed workers leave such rows behind."""
    from reviewer.services import release_runs

    for run in ReleaseRun.objects.filter(status__in=release_runs.UNFINISHED).order_by("pk"):
        if release_runs.nobody_works_on(run):
            make_release.delay(run.pk)


@shared_task
def note_signals() -> None:
    """Work out the signals of work that has none yet, or none under the rules in force."""
    from reviewer.services import noticing

    for project in Project.objects.filter(pk__in=noticing.to_notice().order_by().values("task__project")):
        rules = ReviewRules.objects.in_force(project)
        if found := noticing.unnoticed(project, rules):
            noticing.notice(project, found, rules)


@shared_task
def work_out_agreement(project_id: int, split: str) -> None:
    """Work out how far the answers of a split agree, for its page to show."""
    from reviewer.services import study

    study.work_out(Project.objects.get(pk=project_id), split)


@shared_task
def weigh_answers(project_id: int, split: str, method: str) -> None:
    """Weigh the answers of a split by how reliable their workers are, for the API to show."""
    from reviewer.services import weighing

    weighing.work_out(Project.objects.get(pk=project_id), split, method)


@shared_task
def work_out_dashboard(project_id: int) -> None:
    """Work out the figures of a project, for its dashboard to show."""
    from reviewer.services import dashboard

    dashboard.work_out(Project.objects.get(pk=project_id))


@shared_task
def apply_retention() -> None:
    """Delete what the settings keep no longer."""
    from reviewer.services import retention

    retention.carry_out()
