"""Who may see and erase what is known of a worker: superusers all of it, requesters within their projects."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.models import User
from annotation.models import Assignment, Exclusion, Note, Project, QuizResult, Worker
from annotation.permissions import REQUESTERS

# The rows that tie a worker to a project, with the path to it.
TIES = ((Assignment, "task__project"), (Exclusion, "project"), (QuizResult, "project"), (Note, "project"))


def projects_knowing(worker: Worker) -> QuerySet[Project]:
    """The projects that know anything of ``worker``."""
    known = Q()
    for model, path in TIES:
        known |= Q(pk__in=model._default_manager.filter(worker=worker).order_by().values(path))
    return Project.objects.filter(known)


def projects_for(user: User, worker: Worker) -> QuerySet[Project]:
    """The projects that know ``worker`` and in which ``user`` answers for what they know: as a requester."""
    mine = Project.objects.with_role(user, *REQUESTERS)
    return projects_knowing(worker).filter(pk__in=mine.order_by().values("pk"))


def workers_of(project: Project) -> QuerySet[Worker]:
    """The workers of whom ``project`` knows anything."""
    known = Q()
    for model, path in TIES:
        known |= Q(pk__in=model._default_manager.filter(**{path: project}).order_by().values("worker"))
    return Worker.objects.filter(known)


def workers_for(user: User) -> QuerySet[Worker]:
    """The workers of whom any project knows in which ``user`` is a requester; all of them for a superuser."""
    if user.is_superuser:
        return Worker.objects.all()
    mine = Project.objects.with_role(user, *REQUESTERS).order_by().values("pk")
    known = Q()
    for model, path in TIES:
        known |= Q(pk__in=model._default_manager.filter(**{f"{path}__in": mine}).order_by().values("worker"))
    return Worker.objects.filter(known)


def others_projects(user: User, worker: Worker) -> int:
    """How many projects know ``worker`` for which ``user`` does not answer. An erasure reaches those too, so that it
    is for whoever answers for all of them, or for a superuser."""
    return projects_knowing(worker).exclude(pk__in=projects_for(user, worker).order_by().values("pk")).count()
