"""What an endpoint says about our qualifications against our rows, and bringing the two together."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.models import Project, Worker
from hits import mturk
from hits.models import Qualification, QualificationGrant

from . import holding, qualifications


@dataclass(frozen=True)
class Difference:
    """One qualification, by how many workers the two sides differ; workers by our keys alone."""

    qualification: int
    project: str
    purpose: str
    batch: int | None
    held: int  # as the endpoint says
    lost: list[int]  # we hold them for granted; the endpoint does not
    extra: list[int]  # the endpoint lists them; we do not want them to hold it
    is_gone: bool = False  # the endpoint does not know the type any more

    @property
    def is_none(self) -> bool:
        return not (self.lost or self.extra or self.is_gone)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def compare(project: Project, endpoint: str) -> list[Difference]:
    """Every qualification of ``project`` at ``endpoint``, compared. Changes nothing but what we want. Raises mturk's
    errors."""
    holding.refresh(project, endpoint)
    known = Qualification.objects.filter(project=project, endpoint=endpoint).exclude(mturk_qualification_type_id="")
    return [_compare(qualification) for qualification in known.order_by("pk")]


def _compare(qualification: Qualification) -> Difference:
    named = (qualification.pk, qualification.project.slug, qualification.purpose, qualification.batch_id)
    try:
        theirs = mturk.holders(qualification.endpoint, qualification.mturk_qualification_type_id)
    except mturk.Rejected as refusal:
        if refusal.code != "QualificationTypeDoesNotExist":
            raise
        return Difference(*named, held=0, lost=[], extra=[], is_gone=True)
    of_known = qualification.grants.filter(worker__erased_at__isnull=True).select_related("worker")
    grants = {grant.worker.mturk_worker_id: grant for grant in of_known}
    lost = [
        grant.worker_id
        for worker_id, grant in grants.items()
        if grant.is_wanted and grant.granted_at is not None and worker_id not in theirs
    ]
    surplus = {worker_id for worker_id in theirs if worker_id not in grants or not grants[worker_id].is_wanted}
    if qualification.grants.filter(worker__erased_at__isnull=False, granted_at__isnull=False).exists():
        # It is still held by somebody whose id was erased here, and may be any of those whom no grant of ours names:
        # to look for them would be to know them again.
        surplus &= grants.keys()
    # Those on their way to be taken back are no difference: both sides know.
    surplus -= {worker_id for worker_id, grant in grants.items() if not grant.is_wanted and grant.granted_at}
    extra = [_worker(qualification.endpoint, worker_id).pk for worker_id in sorted(surplus)]
    return Difference(*named, held=len(theirs), lost=sorted(lost), extra=extra)


def _worker(endpoint: str, mturk_worker_id: str) -> Worker:
    return Worker.objects.get_or_create(endpoint=endpoint, mturk_worker_id=mturk_worker_id)[0]


def mend(project: Project, endpoint: str, differences: list[Difference]) -> int:
    """Let the endpoint say what our rows want, for each of ``differences``; return how many calls that took.

    A type that is gone is not made again: HITs that ask for it would not know the new one. Raises mturk's errors.
    """
    for difference in differences:
        _note(difference)
    return qualifications.grant_wanted(project, endpoint)


@transaction.atomic
def _note(difference: Difference) -> None:
    grants = QualificationGrant.objects.filter(qualification=difference.qualification)
    grants.filter(worker__in=difference.lost).update(granted_at=None)
    now = timezone.now()
    QualificationGrant.objects.bulk_create(
        [
            QualificationGrant(qualification_id=difference.qualification, worker_id=worker, is_wanted=False)
            for worker in difference.extra
        ],
        ignore_conflicts=True,
    )
    grants.filter(worker__in=difference.extra, is_wanted=False).update(granted_at=now)
