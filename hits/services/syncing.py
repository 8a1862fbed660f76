"""Asking the endpoints what was submitted and decided, and writing it down. Polling alone is enough."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.models import Assignment, Project, Task
from annotation.services.listing import record_listing
from hits import mturk
from hits.models import HIT, Batch, Qualification

from . import acting, deciding, ledger, qualifications

logger = logging.getLogger(__name__)


def sync(endpoint: str) -> int:
    """Bring our rows of ``endpoint`` up to date; return how many assignments changed. Idempotent.

    One pass over the endpoint's list of HITs tells which of them moved; only their assignments are fetched. Raises
    mturk.Unavailable or mturk.Rejected.
    """
    began = timezone.now()
    live = HIT.objects.live().filter(batch__endpoint=endpoint)
    ours = {hit.mturk_hit_id: hit for hit in live.select_related("batch__project", "hit_type", "offer__task")}
    changed = 0
    for known in mturk.list_hits(endpoint) if ours else ():
        hit = ours.pop(known["HITId"], None)
        if hit is not None and _moved(hit, known):
            changed += _sync_hit(hit, known, began)
    for hit in ours.values():
        if not mturk.hit_exists(endpoint, hit.mturk_hit_id):
            logger.warning("HIT %s is gone from %s; nothing more can come of it", hit.pk, endpoint)
            _nothing_more_comes(hit, undecided=0)
    for project in {hit.batch.project for hit in live.select_related("batch__project").distinct("batch__project")}:
        _grant_wanted(project, endpoint)
    _close_batches(endpoint)
    return changed


def _grant_wanted(project: Project, endpoint: str) -> None:
    try:
        qualifications.grant_wanted(project, endpoint)
    except mturk.Rejected as refusal:
        # Its answering batches wait for these grants and say why; other projects go on.
        logger.warning("%s: %s", project.slug, refusal)


def _moved(hit: HIT, known: dict[str, Any]) -> bool:
    """Whether the endpoint's counters say anything that ``hit`` does not know yet."""
    places = known["NumberOfAssignmentsAvailable"] + known["NumberOfAssignmentsPending"]
    # While a HIT has places, what is neither open nor in hand was submitted. Once expired its places read 0.
    listed = known["MaxAssignments"] - places
    return (
        known["HITStatus"] == "Reviewable"
        or listed != hit.listed_count
        or known["NumberOfAssignmentsCompleted"] != hit.decided_count
    )


def _sync_hit(hit: HIT, known: dict[str, Any], began: datetime) -> int:
    listed = list(mturk.list_assignments(hit.batch.endpoint, hit.mturk_hit_id))
    changed = sum(_record_alone(hit, assignment) for assignment in listed)
    decided = sum(assignment["AssignmentStatus"] != "Submitted" for assignment in listed)
    kept = Assignment.objects.listed().filter(offer=hit.offer_id).count()
    HIT.objects.filter(pk=hit.pk).update(listed_count=kept, decided_count=decided)
    is_over = known["HITStatus"] in {"Reviewable", "Reviewing"} and kept >= len(listed)
    if is_over and not acting.reopened_since(hit, began):
        _nothing_more_comes(hit, undecided=len(listed) - decided)
    return changed


def _record_alone(hit: HIT, listed: dict[str, Any]) -> bool:
    """Record one listed assignment; one that cannot be recorded stands in nobody else's way and is tried again."""
    try:
        return _record(hit, listed)
    except Exception:
        logger.exception("Assignment %s of HIT %s could not be recorded", listed["AssignmentId"], hit.pk)
        return False


@transaction.atomic
def _record(hit: HIT, listed: dict[str, Any]) -> bool:
    """Record one listed assignment with all that follows from it; return whether anything was new."""
    status = Assignment.Status(listed["AssignmentStatus"].lower())
    before = Assignment.objects.filter(
        mturk_assignment_id=listed["AssignmentId"],
        worker__endpoint=hit.batch.endpoint,
        worker__mturk_worker_id=listed["WorkerId"],
    ).values_list("status", flat=True)
    # A list read before a decision of ours says "submitted" after it; decisions never go back to that.
    stale = status == Assignment.Status.SUBMITTED and any(known in Assignment.LISTED for known in before)
    if status in before or stale:
        return False
    assignment = record_listing(
        hit.offer,
        mturk_assignment_id=listed["AssignmentId"],
        mturk_worker_id=listed["WorkerId"],
        status=status,
        submitted_at=listed["SubmitTime"],
        decided_at=listed.get("ApprovalTime") or listed.get("RejectionTime"),
    )
    if hit.offer.task.kind == Task.Kind.WRITE:
        # In this same transaction: no answering HIT can be published before the grant is known to be wanted.
        wrote = Qualification.Purpose.WROTE
        qualifications.want(hit.batch.project, hit.batch.endpoint, wrote, assignment.worker)
    deciding.settle(hit, assignment, status)
    return True


@transaction.atomic
def _nothing_more_comes(hit: HIT, undecided: int) -> None:
    # Another sync, or the last decision, may be closing it at this moment.
    hit.status = HIT.objects.select_for_update().get(pk=hit.pk).status
    if hit.status == HIT.Status.OPEN:
        hit.move_to(HIT.Status.REVIEWABLE)
    if undecided == 0 and hit.status != HIT.Status.CLOSED:
        hit.move_to(HIT.Status.CLOSED)
    ledger.release_rest(hit)


def _close_batches(endpoint: str) -> None:
    for batch in Batch.objects.filter(endpoint=endpoint, status=Batch.Status.OPEN):
        if not batch.hits.exclude(status=HIT.Status.CLOSED).exists():
            batch.move_to(Batch.Status.CLOSED)


def endpoints_in_use() -> Iterable[str]:
    """Keys of the endpoints that hold live HITs."""
    return HIT.objects.live().order_by().values_list("batch__endpoint", flat=True).distinct()
