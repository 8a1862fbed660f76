"""What time alone does: assignments run out, HITs expire, submitted work is approved, old HITs go.

Readers call ``settle`` first, so that nobody sees a state that is over; the ``tick`` command calls it for what
nobody reads. Rows are settled as of the moment they were due.
"""

from collections import Counter, defaultdict
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef

from ..models import HIT, Assignment, Decision, RequestToken
from . import events, money
from .events import EventType, Happened

BATCH = 500  # rows in one transaction
DISPOSAL_AFTER = timedelta(days=120)  # after a HIT's expiry; where AWS began to count is not known
TOKEN_LIFE = timedelta(hours=24)


def settle(now: datetime) -> None:
    """Bring everything that is overdue at ``now`` up to date; one cheap query where nothing is."""
    if not is_anything_due(now):
        return
    for step in (_abandon, _expire, _approve):
        while step(now) == BATCH:
            pass


# Three looks at the front of a partial index each; asked before most calls, so written out.
IS_ANYTHING_DUE = """
SELECT EXISTS (SELECT 1 FROM marketplace_assignment WHERE status = 'held' AND deadline <= %(now)s)
    OR EXISTS (SELECT 1 FROM marketplace_hit WHERE open_places > 0 AND expires_at <= %(now)s)
    OR EXISTS (SELECT 1 FROM marketplace_assignment WHERE status = 'submitted' AND auto_approve_at <= %(now)s)
"""


def is_anything_due(now: datetime) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(IS_ANYTHING_DUE, {"now": now})
        return bool(cursor.fetchone()[0])


@transaction.atomic
def _abandon(now: datetime) -> int:
    """End up to BATCH assignments whose time ran out; their places open again if the HIT has not expired."""
    rows = Assignment.objects.past_deadline(now).order_by("id").select_for_update()
    due = list(rows.only("hit", "assignment_id", "deadline")[:BATCH])
    Assignment.objects.filter(pk__in=[assignment.pk for assignment in due]).move(
        Assignment.Status.HELD, Assignment.Status.ABANDONED, ended_at=F("deadline")
    )
    events.note(*(Happened(EventType.ASSIGNMENT_ABANDONED, row.hit_id, row.deadline, row.assignment_id) for row in due))
    reopen(Counter(row.hit_id for row in due), now)
    return len(due)


def reopen(places: Counter[int], now: datetime) -> None:
    """Open ``places`` (by HIT primary key) that were given up, or release their money where the HIT has expired."""
    hits = HIT.objects.filter(pk__in=places).select_related("hit_type", "requester")
    expired = []
    for hit in hits.order_by("id").select_for_update(of=("self",)):
        if hit.is_expired(now):
            money.release(hit, places[hit.pk], now)
            expired.append(hit)
        else:
            HIT.objects.filter(pk=hit.pk).update(open_places=F("open_places") + places[hit.pk])
    _note_end(expired, now)


def _note_end(hits: list[HIT], now: datetime) -> None:
    """Note that places of ``hits`` (locked by the caller) went by unused, and which of them nobody holds any more."""
    if hits:
        events.note_expired(hits, now)
        events.note_reviewable([hit.pk for hit in hits], now)


@transaction.atomic
def _expire(now: datetime) -> int:
    """Close the open places of up to BATCH HITs whose lifetime is over."""
    hits = list(
        HIT.objects.due_to_expire(now)
        .select_related("hit_type", "requester")
        .order_by("id")
        .select_for_update(of=("self",))[:BATCH]
    )
    close(hits, now)
    return len(hits)


def close(hits: list[HIT], now: datetime) -> None:
    """Take away the open places of ``hits`` (locked by the caller) and release their money."""
    HIT.objects.filter(pk__in=[hit.pk for hit in hits]).update(open_places=0)
    for hit in sorted(hits, key=lambda hit: (hit.requester_id, hit.pk)):
        money.release(hit, hit.open_places, now)
    _note_end([hit for hit in hits if hit.open_places], now)


@transaction.atomic
def _approve(now: datetime) -> int:
    """Approve up to BATCH assignments whose requester let the time for a decision pass."""
    due = list(
        Assignment.objects.due_for_approval(now)
        .select_related("hit__hit_type", "hit__requester")
        .order_by("id")
        .select_for_update(of=("self",))[:BATCH]
    )
    status = Assignment.Status
    Assignment.objects.filter(pk__in=[assignment.pk for assignment in due]).move(
        status.SUBMITTED, status.APPROVED, approved_at=F("auto_approve_at")
    )
    Decision.objects.bulk_create(
        Decision(
            assignment=assignment,
            by=Decision.By.TIMER,
            from_status=status.SUBMITTED,
            to_status=status.APPROVED,
            created_at=assignment.auto_approve_at,
        )
        for assignment in due
    )
    events.note(
        *(
            Happened(EventType.ASSIGNMENT_APPROVED, row.hit_id, row.auto_approve_at, row.assignment_id)
            for row in due
            if row.auto_approve_at
        )
    )
    by_requester = defaultdict(list)
    for assignment in due:
        by_requester[assignment.hit.requester_id].append(assignment)
    for requester_id in sorted(by_requester):
        money.pay(by_requester[requester_id], now)
    return len(due)


@transaction.atomic
def dispose_old(now: datetime) -> int:
    """Dispose HITs 120 days after their expiry if nothing in them waits for anybody; return how many."""
    undecided = Assignment.objects.filter(
        hit=OuterRef("pk"), status__in=[Assignment.Status.HELD, Assignment.Status.SUBMITTED]
    )
    old = HIT.objects.undisposed().filter(~Exists(undecided), open_places=0, expires_at__lte=now - DISPOSAL_AFTER)
    hits = list(old.order_by("id").select_for_update().values_list("pk", flat=True))
    HIT.objects.filter(pk__in=hits).update(stage=HIT.Stage.DISPOSED)
    events.note(*(Happened(EventType.HIT_DISPOSED, pk, now) for pk in hits))
    return len(hits)


def forget_tokens(now: datetime) -> int:
    """Delete request tokens past their 24 hours; return how many."""
    return RequestToken.objects.filter(used_at__lte=now - TOKEN_LIFE).delete()[0]
