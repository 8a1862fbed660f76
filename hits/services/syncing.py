"""Asking the endpoints what was submitted and decided, and writing it down. Polling alone is enough."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Assignment, LostRace, Project, Task
from annotation.services import first_looks
from annotation.services.listing import record_listing
from hits import endpoints, mturk
from hits.models import HIT, AssignmentDecision, Batch, EndpointStanding, Qualification

from . import acting, deciding, doubts, ledger, qualifications

logger = logging.getLogger(__name__)


# What was closed is looked at again this often, for this long: somebody may extend a HIT behind our back, or take a
# rejection back, which AWS allows for 30 days after the submission (ApproveAssignment).
LOOK_BACK_EVERY = timedelta(hours=1)
LOOK_BACK_FOR = timedelta(days=31)
# A HIT that the list does not show is asked for by its id, but not right after it was made: lists may be late.
LISTED_BY = timedelta(minutes=2)
# An endpoint may count a submission before it lists it: where the two do not agree, it is asked once more, later.
LIST_AGAIN_AFTER = timedelta(minutes=5)


# The timer's own approval carries its time, or is this much off.
TIMER_TOLERANCE = timedelta(seconds=2)


class AnotherAccount(mturk.Rejected):
    """The key belongs to an account that knows nothing of ours: nothing may be concluded from what it lacks."""


def sync(endpoint: str, *, seconds: float | None = None) -> int:
    """Bring our rows of ``endpoint`` up to date; return how many assignments changed. Idempotent.

    One pass over the endpoint's list of HITs tells which of them moved; only their assignments are fetched. What is
    not done after ``seconds`` is left for the next time. Raises mturk.Unavailable or mturk.Rejected.
    """
    until = None if seconds is None else time.monotonic() + seconds
    began = timezone.now()
    moved = _look_through(endpoint, began)
    changed = 0
    rows = HIT.objects.select_related("batch__project", "hit_type", "offer__task").in_bulk([pk for pk, _known in moved])
    for pk, known in moved:
        if until is not None and time.monotonic() > until:
            break
        changed += _sync_hit(rows[pk], known, began)
    live = HIT.objects.live().filter(batch__endpoint=endpoint)
    for project in {hit.batch.project for hit in live.select_related("batch__project").distinct("batch__project")}:
        _grant_wanted(project, endpoint)
    _close_batches(endpoint)
    return changed


def sync_one(hit: HIT) -> int:
    """Fetch the assignments of ``hit`` alone, by one list call a page; return how many changed."""
    return _sync_hit(hit, None, timezone.now())


def _look_through(endpoint: str, now: datetime) -> list[tuple[int, dict[str, Any]]]:
    """One pass over the endpoint's list: which of our HITs are to be fetched, and how they stand there."""
    ours = _watched(HIT.objects.live().filter(batch__endpoint=endpoint))
    doubtful = doubts.of(endpoint)
    found = doubts.match(doubtful)
    waiting = len(doubtful)
    looks_back = _is_time_to_look_back(endpoint, now)
    closed = _watched(_closed_lately(endpoint, now)) if looks_back else {}
    if not (ours or closed or waiting):
        return []
    again = set(_with_rejections(endpoint, now).values_list("mturk_hit_id", flat=True))
    moved, is_ours = [], False
    for known in mturk.list_hits(endpoint):
        watched = ours.pop(known["HITId"], None) or closed.pop(known["HITId"], None)
        if watched is not None:
            is_ours = True
            if watched.is_due(known, now) or known["HITId"] in again:
                moved.append((watched.pk, known))
        elif waiting and found(known):
            waiting -= 1
        if not (ours or closed or waiting):
            break  # most endpoints list the newest first
    else:
        doubts.dismiss(doubtful, now)
    moved += _ask_for_missing(endpoint, ours, now, is_ours=is_ours)
    if looks_back:
        EndpointStanding.objects.filter(endpoint=endpoint).update(looked_back_at=now)
    return moved


@dataclass(frozen=True)
class Watched:
    """A HIT of ours, as far as a pass over the list needs it."""

    pk: int
    status: str
    listed_count: int
    decided_count: int
    seen: str
    listed_at: datetime | None
    published_at: datetime | None

    def is_due(self, known: dict[str, Any], now: datetime) -> bool:
        """Whether the endpoint's state and counters say anything that we do not know yet."""
        is_over = known["HITStatus"] in OVER
        if is_over != (self.status != HIT.Status.OPEN):
            return True
        places = known["NumberOfAssignmentsAvailable"] + known["NumberOfAssignmentsPending"]
        if known["MaxAssignments"] - places == self.listed_count and (
            known["NumberOfAssignmentsCompleted"] == self.decided_count
        ):
            return False
        # Once expired its places read 0, and nothing says how many were submitted: has anything changed since?
        seen = snapshot(known)
        if self.seen == seen + UNSETTLED:
            return self.listed_at is None or abs(now - self.listed_at) >= LIST_AGAIN_AFTER
        return self.seen != seen


OVER = {"Reviewable", "Reviewing"}
UNSETTLED = " ?"


def snapshot(known: dict[str, Any]) -> str:
    """State and counters of a HIT, given as botocore's ``HIT`` shape. Every submission and decision changes them, but
    for a rejection that is taken back."""
    counters = ("MaxAssignments", "NumberOfAssignmentsAvailable", "NumberOfAssignmentsPending")
    numbers = [known[name] for name in (*counters, "NumberOfAssignmentsCompleted")]
    return " ".join(map(str, [known["HITStatus"], *numbers, int(known["Expiration"].timestamp())]))


def _watched(hits: QuerySet) -> dict[str, Watched]:
    names = [field.name for field in fields(Watched)]
    rows = hits.order_by().values_list("mturk_hit_id", *names)
    return {mturk_hit_id: Watched(*row) for mturk_hit_id, *row in rows}


def _is_time_to_look_back(endpoint: str, now: datetime) -> bool:
    last = EndpointStanding.objects.get_or_create(endpoint=endpoint)[0].looked_back_at
    return last is None or not now - LOOK_BACK_EVERY < last <= now


def _closed_lately(endpoint: str, now: datetime) -> QuerySet:
    closed = HIT.objects.filter(batch__endpoint=endpoint, status=HIT.Status.CLOSED).exclude(mturk_hit_id="")
    return closed.filter(Q(listed_at__gte=now - LOOK_BACK_FOR) | Q(offer__assignments__in=_revocable(now))).distinct()


def _with_rejections(endpoint: str, now: datetime) -> QuerySet:
    """HITs with a rejection that may have been taken back since we looked: no counter would tell."""
    hits = HIT.objects.filter(batch__endpoint=endpoint, listed_at__lte=now - LOOK_BACK_EVERY)
    return hits.filter(offer__assignments__in=_revocable(now)).distinct()


def _revocable(now: datetime) -> QuerySet:
    return Assignment.objects.filter(status=Assignment.Status.REJECTED, submitted_at__gte=now - LOOK_BACK_FOR)


def _ask_for_missing(
    endpoint: str, missing: dict[str, Watched], now: datetime, *, is_ours: bool
) -> list[tuple[int, dict[str, Any]]]:
    """HITs that the list did not show: those that are there all the same and have moved. Those that are gone close."""
    moved, gone = [], []
    for mturk_hit_id, watched in missing.items():
        if watched.published_at is not None and now - LISTED_BY < watched.published_at <= now:
            continue
        known = mturk.find_hit(endpoint, mturk_hit_id)
        if known is None:
            gone.append(watched.pk)
        elif watched.is_due(known, now):
            moved.append((watched.pk, known))
    if gone and not (is_ours or moved or _knows_us(endpoint)):
        sentence = _(
            "{endpoint} knows none of our HITs: its key seems to belong to another account. Nothing is changed."
        )
        raise AnotherAccount("AnotherAccount", sentence.format(endpoint=endpoints.get(endpoint).label))
    for hit in HIT.objects.filter(pk__in=gone).select_related("batch", "hit_type"):
        logger.warning("HIT %s is gone from %s; nothing more can come of it", hit.pk, endpoint)
        _nothing_more_comes(hit, undecided=0)
    return moved


def _knows_us(endpoint: str) -> bool:
    """Whether the account has any of the qualification types that we made at ``endpoint``."""
    made = Qualification.objects.filter(endpoint=endpoint).exclude(mturk_qualification_type_id="")
    return any(mturk.owns_qualification_type(endpoint, qualification.name) for qualification in made.order_by("-pk"))


def _grant_wanted(project: Project, endpoint: str) -> None:
    try:
        qualifications.grant_wanted(project, endpoint)
    except mturk.Rejected as refusal:
        # Its answering batches wait for these grants and say why; other projects go on.
        logger.warning("%s: %s", project.slug, refusal)


def _sync_hit(hit: HIT, known: dict[str, Any] | None, began: datetime) -> int:
    """Fetch and record what is listed for ``hit``, which the endpoint has shown as ``known`` since ``began``."""
    try:
        listed = list(mturk.list_assignments(hit.batch.endpoint, hit.mturk_hit_id))
    except mturk.Rejected as refusal:
        if refusal.code != "HITDoesNotExist":
            raise
        return 0  # deleted since it was listed; the next pass finds it gone
    before = hit.seen
    statuses = _kept_statuses(hit)
    wrote = _wrote(hit) if listed else None
    changed = sum(_record_alone(hit, assignment, statuses, wrote) for assignment in listed)
    decided = sum(assignment["AssignmentStatus"] != "Submitted" for assignment in listed)
    kept = Assignment.objects.listed().filter(offer=hit.offer_id).count()
    HIT.objects.filter(pk=hit.pk).update(listed_count=kept, decided_count=decided)
    if known is None or kept < len(listed) or acting.reopened_since(hit, began):
        return changed
    _follow(hit, known, undecided=len(listed) - decided)
    seen = snapshot(known)
    if not _agrees(known, listed, decided) and (changed or before != seen + UNSETTLED):
        seen += UNSETTLED
    HIT.objects.filter(pk=hit.pk).update(seen=seen, listed_at=timezone.now())
    return changed


def _agrees(known: dict[str, Any], listed: list[dict[str, Any]], decided: int) -> bool:
    """Whether the list is as long as the counters say. Once expired, a HIT does not say how many were submitted."""
    places = known["NumberOfAssignmentsAvailable"] + known["NumberOfAssignmentsPending"]
    return len(listed) >= known["MaxAssignments"] - places and decided == known["NumberOfAssignmentsCompleted"]


def _kept_statuses(hit: HIT) -> dict[tuple[str, str], str]:
    kept = Assignment.objects.filter(offer=hit.offer_id).values_list(
        "mturk_assignment_id", "worker__mturk_worker_id", "status"
    )
    return {(assignment_id, worker_id): status for assignment_id, worker_id, status in kept}


def _kept_status(listed: dict[str, Any], statuses: dict[tuple[str, str], str]) -> str | None:
    """How the listed assignment stands with us; that of a worker who was erased is known by its own id alone."""
    ours = (listed["AssignmentId"], listed["WorkerId"])
    return statuses.get(ours) or statuses.get((listed["AssignmentId"], ""))


def _wrote(hit: HIT) -> Qualification | None:
    """The qualification that whoever writes for ``hit`` is to hold; None where nobody writes."""
    if hit.offer.task.kind != Task.Kind.WRITE:
        return None
    return qualifications.row(hit.batch.project, hit.batch.endpoint, Qualification.Purpose.WROTE)


def _record_alone(
    hit: HIT, listed: dict[str, Any], statuses: dict[tuple[str, str], str], wrote: Qualification | None
) -> bool:
    """Record one listed assignment; one that cannot be recorded stands in nobody else's way and is tried again."""
    try:
        status = Assignment.Status(listed["AssignmentStatus"].lower())
        before = _kept_status(listed, statuses)
        # A list read before a decision of ours says "submitted" after it; decisions never go back to that.
        stale = status == Assignment.Status.SUBMITTED and before in Assignment.LISTED
        return not (before == status or stale) and _record(hit, listed, status, wrote)
    except Exception:
        logger.exception("Assignment %s of HIT %s could not be recorded", listed["AssignmentId"], hit.pk)
        return False


def record(hit: HIT, listed: dict[str, Any]) -> Assignment:
    """Record one assignment as the endpoint lists it, whatever ``hit`` was taken for by now; return its row."""
    _record(hit, listed, Assignment.Status(listed["AssignmentStatus"].lower()), _wrote(hit))
    rows = Assignment.objects.listed().filter(offer=hit.offer_id)
    return rows.get(mturk_assignment_id=listed["AssignmentId"])


@transaction.atomic
def _record(hit: HIT, listed: dict[str, Any], status: Assignment.Status, wrote: Qualification | None) -> bool:
    """Record one listed assignment with all that follows from it; return whether anything was new."""
    assignment = record_listing(
        hit.offer,
        mturk_assignment_id=listed["AssignmentId"],
        mturk_worker_id=listed["WorkerId"],
        status=status,
        submitted_at=listed["SubmitTime"],
        decided_at=listed.get("ApprovalTime") or listed.get("RejectionTime"),
    )
    if wrote is not None:
        # In this same transaction: no answering HIT can be published before the grant is known to be wanted.
        qualifications.want_of(wrote, assignment.worker)
    elif hit.offer.task.kind == Task.Kind.QUIZ and status == Assignment.Status.SUBMITTED and assignment.finished_at:
        # A quiz is paid whatever its result, which is known: nobody has to look at it.
        thanks = _("The quiz is paid whatever its result. Thank you for taking it.")
        deciding.decide([assignment], AssignmentDecision.Kind.APPROVE, None, thanks)
    if status != Assignment.Status.SUBMITTED and not _by_the_timer(listed):
        first_looks.record([assignment])
    deciding.settle(hit, assignment, status)
    return True


def _by_the_timer(listed: dict[str, Any]) -> bool:
    """Whether the endpoint approved the assignment because nobody had decided in time: then nobody has looked."""
    if "RejectionTime" in listed or "AutoApprovalTime" not in listed or "ApprovalTime" not in listed:
        return False
    return bool(listed["ApprovalTime"] >= listed["AutoApprovalTime"] - TIMER_TOLERANCE)


@transaction.atomic
def _follow(hit: HIT, known: dict[str, Any], undecided: int) -> None:
    """Let our row follow the HIT's state at the endpoint."""
    if known["HITStatus"] in OVER:
        _nothing_more_comes(hit, undecided)
        return
    # Extended behind our back, after we took it for over.
    row = HIT.objects.select_for_update(no_key=True).get(pk=hit.pk)
    if row.status in {HIT.Status.REVIEWABLE, HIT.Status.CLOSED}:
        _open_again(row)


@transaction.atomic
def _nothing_more_comes(hit: HIT, undecided: int) -> None:
    # Another sync, or the last decision, may be closing it at this moment.
    row = HIT.objects.select_for_update(no_key=True).select_related("batch", "hit_type").get(pk=hit.pk)
    if row.status == HIT.Status.CLOSED and undecided:
        _open_again(row)  # work turned up late
    if row.status == HIT.Status.OPEN:
        row.move_to(HIT.Status.REVIEWABLE)
    if row.status == HIT.Status.REVIEWABLE and undecided == 0:
        row.move_to(HIT.Status.CLOSED)
    ledger.release_rest(row)


def _open_again(hit: HIT) -> None:
    hit.move_to(HIT.Status.OPEN)
    batch = hit.batch
    if batch.status == Batch.Status.CLOSED:
        with suppress(LostRace):
            batch.move_to(Batch.Status.OPEN)


def _close_batches(endpoint: str) -> None:
    for batch in Batch.objects.filter(endpoint=endpoint, status=Batch.Status.OPEN):
        if not batch.hits.exclude(status=HIT.Status.CLOSED).exists():
            batch.move_to(Batch.Status.CLOSED)


def endpoints_in_use() -> Iterable[str]:
    """Keys of the endpoints with HITs that live, are in doubt, or were closed lately."""
    lately = Q(status=HIT.Status.CLOSED, listed_at__gte=timezone.now() - LOOK_BACK_FOR)
    hits = HIT.objects.filter(Q(status__in=["open", "reviewable", "publishing"]) | lately)
    return hits.order_by().values_list("batch__endpoint", flat=True).distinct()
