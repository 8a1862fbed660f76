"""What happens to HITs and assignments is written down for requesters who want to hear of it.

``note`` and ``note_reviewable`` run inside the transaction of what happened; ``services.notifications`` tells of it
later. Accepting is one SQL statement, which writes its own event (``services.assignments``).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ..models import HIT, Event


class EventType(StrEnum):
    """The API's names."""

    ASSIGNMENT_ACCEPTED = "AssignmentAccepted"
    ASSIGNMENT_ABANDONED = "AssignmentAbandoned"
    ASSIGNMENT_RETURNED = "AssignmentReturned"
    ASSIGNMENT_SUBMITTED = "AssignmentSubmitted"
    ASSIGNMENT_APPROVED = "AssignmentApproved"
    ASSIGNMENT_REJECTED = "AssignmentRejected"
    HIT_CREATED = "HITCreated"
    HIT_EXTENDED = "HITExtended"
    HIT_DISPOSED = "HITDisposed"
    HIT_REVIEWABLE = "HITReviewable"
    HIT_EXPIRED = "HITExpired"
    PING = "Ping"  # a test's alone


@dataclass(frozen=True)
class Happened:
    event_type: EventType
    hit: int  # primary key
    at: datetime
    assignment_id: str = ""


SETTING = "hit_type__notification__"


def note(*happened: Happened) -> None:
    """Write down those of ``happened`` that somebody wants to hear of; one query where nobody does."""
    heard = HIT.objects.filter(pk__in={each.hit for each in happened}, **{f"{SETTING}is_active": True})
    names = ("hit_id", "requester_id", "hit_type__type_id", *(SETTING + name for name in ("transport", "destination")))
    rows = {row["pk"]: row for row in heard.values("pk", *names, f"{SETTING}event_types")}
    wanted = [
        each for each in happened if each.hit in rows and each.event_type in rows[each.hit][f"{SETTING}event_types"]
    ]
    Event.objects.bulk_create(
        Event(
            requester_id=rows[each.hit]["requester_id"],
            transport=rows[each.hit][f"{SETTING}transport"],
            destination=rows[each.hit][f"{SETTING}destination"],
            event_type=each.event_type.value,
            type_id=rows[each.hit]["hit_type__type_id"],
            hit_id=rows[each.hit]["hit_id"],
            assignment_id=each.assignment_id,
            occurred_at=each.at,
        )
        for each in wanted
    )


def note_reviewable(hits: Iterable[int], at: datetime) -> None:
    """Note those of ``hits`` (keys, locked by the caller) that nobody holds or can take any more.

    To be called where the last place or the last assignment in hand may just have gone.
    """
    ready = HIT.objects.reviewable().filter(pk__in=list(hits), **{f"{SETTING}is_active": True})
    note(*(Happened(EventType.HIT_REVIEWABLE, pk, at) for pk in ready.order_by("id").values_list("pk", flat=True)))


def note_expired(hits: Iterable[HIT], now: datetime) -> None:
    """Note that ``hits`` expired before all of them was submitted, but for those whose expiry was noted before."""
    heard = HIT.objects.filter(pk__in=[hit.pk for hit in hits], **{f"{SETTING}is_active": True})
    keys = set(heard.values_list("pk", flat=True))
    for hit in hits:
        noted = Event.objects.filter(hit_id=hit.hit_id, event_type=EventType.HIT_EXPIRED.value)
        if hit.pk in keys and not noted.filter(occurred_at__gte=hit.expires_at).exists():
            note(Happened(EventType.HIT_EXPIRED, hit.pk, min(hit.expires_at, now)))
