"""Who looked at personal data of a project's workers, and when somebody looked at one worker's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditlog.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q, QuerySet

from accounts.looking import Look
from annotation.models import Project, Worker
from reviewer.services import rights

MOST = 200
LOOKS = dict(Look.choices)


@dataclass(frozen=True)
class Looked:
    """One view: when, by whom (empty: in the terminal), of what, and of which worker (None: of a list)."""

    at: datetime
    by: str
    what: str
    worker: int | None


def of_project(project: Project) -> list[Looked]:
    """The latest views of the personal data of ``project``'s workers, from its own pages or from none's."""
    of_lists = Q(content_type=ContentType.objects.get_for_model(Project), object_id=project.pk)
    mine = rights.workers_of(project).order_by().values("pk")
    here = Q(additional_data__project=project.pk) | Q(additional_data__project__isnull=True)
    rows = _looks().filter(of_lists | Q(_of_workers(), here, object_id__in=mine)).select_related("actor")
    return [_told(row) for row in rows.order_by("-timestamp", "-pk")[:MOST]]


def of_worker(worker: Worker, projects: QuerySet[Project] | None = None) -> Iterator[dict[str, Any]]:
    """When somebody looked at what is kept about ``worker``, and at what of it; with ``projects``, on their pages."""
    rows = _looks().filter(_of_workers(), object_id=worker.pk)
    if projects is not None:
        rows = rows.filter(additional_data__project__in=list(projects.values_list("pk", flat=True)))
    for at, said in rows.order_by("timestamp", "pk").values_list("timestamp", "additional_data"):
        yield {"at": at, "what": said["look"]}


def _looks() -> QuerySet[LogEntry]:
    return LogEntry.objects.filter(action=LogEntry.Action.ACCESS)


def _of_workers() -> Q:
    return Q(content_type=ContentType.objects.get_for_model(Worker))


def _told(row: LogEntry) -> Looked:
    of_one = row.content_type_id == ContentType.objects.get_for_model(Worker).pk
    look = row.additional_data["look"]
    by = row.actor.get_username() if row.actor else ""
    return Looked(row.timestamp, by, str(LOOKS.get(look, look)), row.object_id if of_one else None)
