"""Who may take a HIT: the preset's requirements, and the project's own bookkeeping qualifications."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from annotation.models import Project, Task, Worker
from hits import mturk
from hits.models import Batch, Qualification, QualificationGrant

from . import holding
from .requirements import of_project, requirement

DESCRIPTIONS = {
    Qualification.Purpose.WROTE: "Has written questions in this project, and so does not answer them.",
    Qualification.Purpose.HELD: "Is kept from further work in this project.",
    Qualification.Purpose.QUOTA: "Has done as many HITs of this batch as one worker may.",
    Qualification.Purpose.QUIZ: "Has passed the quiz of this project.",
    Qualification.Purpose.PLAYER: "Plays the part of a worker in a rehearsal.",
}


def ensure(project: Project, endpoint: str, purpose: str, batch: Batch | None = None) -> Qualification:
    """The project's qualification type of ``purpose`` at ``endpoint``, created there if need be. Idempotent."""
    qualification = row(project, endpoint, purpose, batch)
    if not qualification.mturk_qualification_type_id:
        found = mturk.ensure_qualification_type(qualification, DESCRIPTIONS[Qualification.Purpose(purpose)])
        qualification.mturk_qualification_type_id = found
        qualification.save(update_fields=["mturk_qualification_type_id"])
    return qualification


def row(project: Project, endpoint: str, purpose: str, batch: Batch | None = None) -> Qualification:
    """The row of a qualification, which the endpoint may not know yet."""
    qualification, _made = Qualification.objects.get_or_create(
        project=project, endpoint=endpoint, purpose=purpose, batch=batch, defaults={"key": secrets.token_hex(6)}
    )
    return qualification


def requirements(
    project: Project, endpoint: str, kind: str, *, rehearsal: bool, batch: Batch | None = None
) -> list[dict[str, Any]]:
    """QualificationRequirements for HITs of ``kind``: held workers do nothing, writers do not answer, whoever has
    passed the quiz does not take it again, and whoever has done enough of ``batch`` does no more of it.

    Every HIT type carries these from the project's first batch on, as HIT types cannot be changed.
    """
    purposes = Qualification.Purpose

    def asking(purpose: str, comparator: str, of_batch: Batch | None = None) -> dict[str, Any]:
        return requirement(ensure(project, endpoint, purpose, of_batch).mturk_qualification_type_id, comparator)

    barred = [purposes.HELD]
    if kind == Task.Kind.ANSWER:
        barred.append(purposes.WROTE)
    elif kind == Task.Kind.QUIZ:
        barred.append(purposes.QUIZ)
    ours = [asking(purpose, "DoesNotExist") for purpose in barred]
    if batch is not None and batch.most_tasks_a_worker is not None:
        ours.append(asking(purposes.QUOTA, "DoesNotExist", batch))
    if rehearsal:
        return [*ours, asking(purposes.PLAYER, "Exists")]
    if project.quiz_required and kind != Task.Kind.QUIZ:  # it could never be taken
        ours.append(asking(purposes.QUIZ, "Exists"))
    return [*ours, *of_project(project, endpoint)]


def want(project: Project, endpoint: str, purpose: str, worker: Worker) -> None:
    """Note that ``worker`` is to hold the qualification; :func:`grant_wanted` tells the endpoint. Idempotent.

    The qualification's row may not be known at the endpoint yet; the grant waits until it is.
    """
    want_of(row(project, endpoint, purpose), worker)


def want_of(qualification: Qualification, worker: Worker) -> None:
    """As :func:`want`, where the qualification's row is at hand."""
    _set(qualification, [worker.pk], is_wanted=True)


def want_exactly(
    project: Project, endpoint: str, purpose: str, workers: Iterable[int], batch: Batch | None = None
) -> None:
    """Note that ``workers`` of ``endpoint`` (by key), and nobody else, are to hold the qualification. Idempotent."""
    wanted = set(workers)
    existing = Qualification.objects.filter(project=project, endpoint=endpoint, purpose=purpose, batch=batch)
    if not wanted and not existing.exists():
        return
    qualification = row(project, endpoint, purpose, batch)
    held = set(qualification.grants.filter(is_wanted=True).values_list("worker", flat=True))
    _set(qualification, wanted - held, is_wanted=True)
    _set(qualification, held - wanted, is_wanted=False)


def _set(qualification: Qualification, workers: Iterable[int], *, is_wanted: bool) -> None:
    chosen = sorted(workers)  # in one order, so that two at once wait for each other and no more
    if is_wanted:
        QualificationGrant.objects.bulk_create(
            [QualificationGrant(qualification=qualification, worker_id=worker) for worker in chosen],
            update_conflicts=True,
            unique_fields=["qualification", "worker"],
            update_fields=["is_wanted"],
        )
    else:
        qualification.grants.filter(worker__in=chosen, is_wanted=True).update(is_wanted=False)


def grant_wanted(project: Project, endpoint: str) -> int:
    """Tell the endpoint of every grant, and end of one, that it does not know yet; return how many. Raises mturk's
    errors."""
    holding.refresh(project, endpoint)
    untold = QualificationGrant.objects.untold().filter(
        qualification__project=project, qualification__endpoint=endpoint, worker__erased_at__isnull=True
    )
    told = 0
    for grant in untold.select_related("qualification__project", "qualification__batch", "worker").order_by("pk"):
        qualification = grant.qualification
        if not qualification.mturk_qualification_type_id:
            qualification = ensure(project, endpoint, qualification.purpose, qualification.batch)
        type_id, worker_id = qualification.mturk_qualification_type_id, grant.worker.mturk_worker_id
        if grant.is_wanted:
            mturk.grant(endpoint, type_id, worker_id)
        else:
            mturk.revoke(endpoint, type_id, worker_id)
        granted_at = timezone.now() if grant.is_wanted else None
        QualificationGrant.objects.filter(pk=grant.pk, is_wanted=grant.is_wanted).update(granted_at=granted_at)
        told += 1
    return told
