"""Who may take a HIT: the preset's requirements, and the project's own bookkeeping qualifications."""

from __future__ import annotations

import secrets
from typing import Any

from django.utils import timezone

from annotation.models import Project, Task, Worker
from hits import mturk
from hits.models import Qualification, QualificationGrant

# System qualification types: AWS, Mechanical Turk API reference, QualificationRequirement.
PERCENT_APPROVED = "000000000000000000L0"
NUMBER_HITS_APPROVED = "00000000000000000040"
LOCALE = "00000000000000000071"
# Nobody even sees a HIT that they may not accept.
GUARD = "DiscoverPreviewAndAccept"

DESCRIPTIONS = {
    Qualification.Purpose.WROTE: "Has written questions in this project, and so does not answer them.",
    Qualification.Purpose.HELD: "Is kept from further work in this project.",
    Qualification.Purpose.PLAYER: "Plays the part of a worker in a rehearsal.",
}


def ensure(project: Project, endpoint: str, purpose: str) -> Qualification:
    """The project's qualification type of ``purpose`` at ``endpoint``, created there if need be. Idempotent."""
    qualification, _ = Qualification.objects.get_or_create(
        project=project, endpoint=endpoint, purpose=purpose, defaults={"key": secrets.token_hex(6)}
    )
    if not qualification.mturk_qualification_type_id:
        found = mturk.ensure_qualification_type(qualification, DESCRIPTIONS[Qualification.Purpose(purpose)])
        qualification.mturk_qualification_type_id = found
        qualification.save(update_fields=["mturk_qualification_type_id"])
    return qualification


def requirements(project: Project, endpoint: str, kind: str, *, rehearsal: bool) -> list[dict[str, Any]]:
    """QualificationRequirements for HITs of ``kind``: held workers do nothing, writers do not answer.

    Every HIT type carries these from the project's first batch on, as HIT types cannot be changed.
    """
    purposes = Qualification.Purpose
    barred = [purposes.HELD, purposes.WROTE] if kind == Task.Kind.ANSWER else [purposes.HELD]
    ours = [_requirement(ensure(project, endpoint, purpose), "DoesNotExist") for purpose in barred]
    if rehearsal:
        return [*ours, _requirement(ensure(project, endpoint, purposes.PLAYER), "Exists")]
    return [*ours, *_preset(project)]


def _requirement(qualification: Qualification, comparator: str) -> dict[str, Any]:
    return {
        "QualificationTypeId": qualification.mturk_qualification_type_id,
        "Comparator": comparator,
        "ActionsGuarded": GUARD,
    }


def _preset(project: Project) -> list[dict[str, Any]]:
    wanted: list[dict[str, Any]] = []
    at_least = [(PERCENT_APPROVED, project.min_percent_approved), (NUMBER_HITS_APPROVED, project.min_hits_approved)]
    for qualification_type, minimum in at_least:
        if minimum is not None:
            wanted.append(
                {
                    "QualificationTypeId": qualification_type,
                    "Comparator": "GreaterThanOrEqualTo",
                    "IntegerValues": [minimum],
                    "ActionsGuarded": GUARD,
                }
            )
    if project.countries:
        countries = [{"Country": country} for country in project.countries]
        wanted.append(
            {"QualificationTypeId": LOCALE, "Comparator": "In", "LocaleValues": countries, "ActionsGuarded": GUARD}
        )
    return wanted


def want(project: Project, endpoint: str, purpose: str, worker: Worker) -> None:
    """Note that ``worker`` is to hold the qualification; :func:`grant_wanted` tells the endpoint. Idempotent.

    The qualification's row may not be known at the endpoint yet; the grant waits until it is.
    """
    qualification, _ = Qualification.objects.get_or_create(
        project=project, endpoint=endpoint, purpose=purpose, defaults={"key": secrets.token_hex(6)}
    )
    QualificationGrant.objects.get_or_create(qualification=qualification, worker=worker)


def grant_wanted(project: Project, endpoint: str) -> int:
    """Tell the endpoint of every grant that it does not know yet; return how many. Raises mturk's errors."""
    wanted = QualificationGrant.objects.filter(
        qualification__project=project, qualification__endpoint=endpoint, granted_at__isnull=True
    ).select_related("qualification__project", "worker")
    told = 0
    for grant in wanted.order_by("pk"):
        qualification = ensure(project, endpoint, grant.qualification.purpose)
        mturk.grant(endpoint, qualification.mturk_qualification_type_id, grant.worker.mturk_worker_id)
        QualificationGrant.objects.filter(pk=grant.pk).update(granted_at=timezone.now())
        told += 1
    return told
