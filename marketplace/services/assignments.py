"""A worker takes, returns and submits HITs. Who gets the last place is settled by the database."""

from collections import Counter
from datetime import datetime
from enum import Enum
from functools import partial
from typing import Any

from django.db import IntegrityError, connection, transaction

from .. import doors, ids
from ..models import HIT, Assignment, HITType, WorkerProfile
from . import events, overdue, policies, qualifications
from .events import EventType, Happened

MAX_HELD = 25  # assignments in hand at once; the figure often quoted for Mechanical Turk


class NoPlace(Exception):
    """The worker gets no assignment; ``reason`` says why."""

    class Reason(Enum):
        NOTHING_LEFT = "nothing_left"
        NOT_QUALIFIED = "not_qualified"
        TOO_MANY_HELD = "too_many_held"

    def __init__(self, reason: Reason, standing: qualifications.Standing | None = None):
        super().__init__(reason.value)
        self.reason = reason
        self.standing = standing or {}


# The HIT that the worker took last, if it was of this type. Looking on from there, instead of from the start again,
# a worker who has done thousands of HITs that wait for others too does not pay for passing them each time.
LAST_TAKEN = """
    SELECT last.id FROM (
        SELECT hit_id FROM marketplace_assignment WHERE worker_id = %(worker)s ORDER BY id DESC LIMIT 1) AS mine
    JOIN marketplace_hit last ON last.id = mine.hit_id AND last.hit_type_id = {hit_type}"""

# One statement, so one moment: pick a HIT that the worker has not done, take a place of it, write the assignment
# and, for a requester who wants to hear of it, the event.
TAKE = """
WITH picked AS (
    SELECT hit.id FROM marketplace_hit hit
    WHERE hit.hit_type_id = %(hit_type)s AND hit.open_places > 0 AND hit.expires_at > %(now)s{after}
      AND NOT EXISTS (
        SELECT 1 FROM marketplace_assignment mine
        WHERE mine.worker_id = %(worker)s AND mine.hit_id = hit.id
          AND mine.status IN ('held', 'submitted', 'approved', 'rejected'))
      AND NOT EXISTS (
        SELECT 1 FROM marketplace_workerblock block
        WHERE block.requester_id = hit.requester_id AND block.worker_id = %(worker)s)
      AND (SELECT count(*) FROM marketplace_assignment held
           WHERE held.worker_id = %(worker)s AND held.status = 'held') < %(max_held)s
    ORDER BY hit.id LIMIT 1 FOR UPDATE OF hit {skip_locked}),
taken AS (
    UPDATE marketplace_hit hit SET open_places = hit.open_places - 1
    FROM picked WHERE hit.id = picked.id RETURNING hit.id, hit.hit_id, hit.requester_id),
assigned AS (
    INSERT INTO marketplace_assignment
        (assignment_id, hit_id, worker_id, status, accepted_at, deadline, answer, feedback)
    SELECT %(assignment_id)s, taken.id, %(worker)s, 'held', %(now)s, %(now)s + %(seconds)s * interval '1 second', '', ''
    FROM taken),
noted AS (
    INSERT INTO marketplace_event
        (requester_id, transport, destination, event_type, type_id, hit_id, assignment_id, occurred_at)
    SELECT taken.requester_id, setting.transport, setting.destination, 'AssignmentAccepted', hit_type.type_id,
           taken.hit_id, %(assignment_id)s, %(now)s
    FROM taken
    JOIN marketplace_notificationsetting setting
        ON setting.hit_type_id = %(hit_type)s AND setting.is_active AND setting.event_types @> '"AssignmentAccepted"'
    JOIN marketplace_hittype hit_type ON hit_type.id = setting.hit_type_id)
SELECT taken.hit_id FROM taken
"""
AFTER_LAST = f"\n      AND hit.id > COALESCE(({LAST_TAKEN.format(hit_type='%(hit_type)s')}), 0)"
TAKE_FREE = TAKE.format(after=AFTER_LAST, skip_locked="SKIP LOCKED")
TAKE_WAITING = TAKE.format(after="", skip_locked="")


def accept(worker: WorkerProfile, hit_type: HITType, now: datetime) -> tuple[str, str]:
    """Give ``worker`` a place in some HIT of ``hit_type``; return its HIT id and assignment id. Raises NoPlace."""
    return doors.take(worker, hit_type, now, partial(_accept, worker, hit_type, now))


def _accept(worker: WorkerProfile, hit_type: HITType, now: datetime) -> tuple[str, str]:
    standing = qualifications.standing_of(worker, qualifications.types_asked(hit_type.requirements))
    if not qualifications.allows(hit_type.requirements, "Accept", standing):
        raise NoPlace(NoPlace.Reason.NOT_QUALIFIED, standing)
    if taken := _take(TAKE_FREE, worker, hit_type, now):
        return taken
    # Perhaps there is one further back, or locked by another worker though it has more places, or due to come back.
    overdue.settle(now)
    if taken := _take(TAKE_WAITING, worker, hit_type, now):
        return taken
    if Assignment.objects.of_worker(worker).held().count() >= MAX_HELD:
        raise NoPlace(NoPlace.Reason.TOO_MANY_HELD)
    raise NoPlace(NoPlace.Reason.NOTHING_LEFT)


def _take(statement: str, worker: WorkerProfile, hit_type: HITType, now: datetime) -> tuple[str, str] | None:
    assignment_id = ids.new_entity_id()
    values: dict[str, Any] = {
        "hit_type": hit_type.pk,
        "worker": worker.pk,
        "now": now,
        "max_held": MAX_HELD,
        "assignment_id": assignment_id,
        "seconds": hit_type.assignment_duration_seconds,
    }
    # The same worker, at the same moment in a second tab, can be handed the same HIT; the constraint refuses one
    # of the two, which then looks again.
    for _attempt in range(3):
        try:
            # One statement is its own transaction; a second BEGIN and COMMIT would double the time a place is locked.
            with connection.cursor() as cursor:
                cursor.execute(statement, values)
                row = cursor.fetchone()
        except IntegrityError:
            continue
        return (row[0], assignment_id) if row else None
    return None


class NotYours(Exception):
    """The assignment is not in this worker's hands (any more)."""


@transaction.atomic
def give_back(worker: WorkerProfile, assignment_id: str, now: datetime) -> None:
    """Return an assignment in hand; its place opens again at once if the HIT has not expired. Raises NotYours."""
    mine = Assignment.objects.of_worker(worker).filter(assignment_id=assignment_id)
    status = Assignment.Status
    if not mine.filter(deadline__gt=now).move(status.HELD, status.RETURNED, ended_at=now):
        raise NotYours
    hit = mine.values_list("hit_id", flat=True).get()
    events.note(Happened(EventType.ASSIGNMENT_RETURNED, hit, now, assignment_id))
    overdue.reopen(Counter([hit]), now)


# The deadline is part of the condition, so a late submit cannot slip in before anybody notices the time.
SUBMIT = """
UPDATE marketplace_assignment mine
SET status = 'submitted', answer = %(answer)s, submitted_at = %(now)s,
    auto_approve_at = %(now)s + hit_type.auto_approval_delay_seconds * interval '1 second'
FROM marketplace_hit hit JOIN marketplace_hittype hit_type ON hit_type.id = hit.hit_type_id
WHERE hit.id = mine.hit_id AND mine.assignment_id = %(assignment_id)s
  AND mine.status = 'held' AND mine.deadline > %(now)s
{heard}RETURNING mine.hit_id,
    EXISTS (SELECT 1 FROM marketplace_reviewpolicy policy WHERE policy.hit_id = mine.hit_id)
"""
# Where nobody wants to hear of it, it is one statement: its own transaction, with nothing to be locked.
UNHEARD = """  AND NOT EXISTS (
    SELECT 1 FROM marketplace_notificationsetting setting
    WHERE setting.hit_type_id = hit.hit_type_id AND setting.is_active)
"""


def submit(assignment_id: str, answer: str, now: datetime) -> bool:
    """Store ``answer`` (QuestionFormAnswers XML) for an assignment in hand; False if it is not in anybody's hands."""
    values = {"assignment_id": assignment_id, "answer": answer, "now": now}
    submitted = _submitted(SUBMIT.format(heard=UNHEARD), values) or _submit_heard(assignment_id, values, now)
    if submitted is None:
        return False
    hit, has_policies = submitted
    if has_policies:
        policies.carry_out_for(hit, now)
    return True


@transaction.atomic
def _submit_heard(assignment_id: str, values: dict[str, Any], now: datetime) -> tuple[int, bool] | None:
    """Submit, and note it for a requester who wants to hear of it."""
    submitted = _submitted(SUBMIT.format(heard=""), values)
    if submitted is not None:
        # Of several who submit at once, each would take the others to be at work still.
        HIT.objects.select_for_update().get(pk=submitted[0])
        events.note(Happened(EventType.ASSIGNMENT_SUBMITTED, submitted[0], now, assignment_id))
        events.note_reviewable([submitted[0]], now)
    return submitted


def _submitted(statement: str, values: dict[str, Any]) -> tuple[int, bool] | None:
    """The key of the HIT that was submitted to, and whether it has review policies."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone()


def why_not(assignment_id: str, now: datetime) -> tuple[str, int]:
    """Why ``submit`` stored nothing, as a word for the page and an HTTP status."""
    assignment = Assignment.objects.filter(assignment_id=assignment_id.replace("\0", "")).first()
    if assignment is None:
        return "unknown", 404
    if assignment.status in Assignment.LISTED:
        return "already", 409
    if assignment.status == Assignment.Status.RETURNED:
        return "returned", 410
    return "late", 410
