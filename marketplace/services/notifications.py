"""Requesters say what they want to hear of, and are told: at least once, in any order.

``deliver`` makes notices of the events that wait and sends those that are due. A notice is claimed before it is sent,
so that several may deliver at once; one that fails is tried again, ever later, and given up after a day.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F

from .. import delivery
from ..errors import Refused, invalid_value
from ..models import Event, Fault, Notice, NotificationSetting, RequesterProfile
from . import faults, publishing
from .events import EventType

DOCUMENT_VERSION = "2014-08-15"
# The first is AWS's documentation's, the second the SDKs'; both are served the same.
VERSIONS = (DOCUMENT_VERSION, "2006-05-05")
MOST_EVENTS = 100  # in one message; ours
CLAIMED = 50  # notices in one go
LEASE = timedelta(minutes=15)  # longer than CLAIMED attempts that all time out
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=15)
GIVE_UP_AFTER = timedelta(hours=24)
KEEP = timedelta(days=30)  # what was delivered or given up
# In place of real ids in test messages; seen in one of AWS's.
TEST_HIT, TEST_TYPE, TEST_ASSIGNMENT = "1234567890" * 2, "0987654321" * 2, "1234567890" * 4


@dataclass(frozen=True)
class Specification:
    """Where to send, and what."""

    transport: str
    destination: str
    event_types: list[str]


def check(specification: Specification) -> None:
    """Raise Refused unless this marketplace can send there."""
    if not delivery.is_configured():
        raise Refused(
            "InvalidTransportEndpoint",
            "This marketplace sends no notifications: its operator has set no MARKETPLACE_EVENTS_ACCESS_KEY_ID.",
        )
    try:
        delivery.region_of(specification.transport, specification.destination)
    except ValueError as error:
        raise Refused("InvalidTransportEndpoint", str(error)) from None


@transaction.atomic
def update_setting(
    requester: RequesterProfile,
    type_id: str,
    now: datetime,
    *,
    specification: Specification | None = None,
    is_active: bool | None = None,
) -> None:
    """Replace what the requester wants to hear of a HIT type's HITs, or switch it on and off. Raises Refused.

    A new specification is on unless ``is_active`` says otherwise. What happened before goes where it was to go.
    """
    hit_type = publishing.hit_type_of(requester, type_id)
    if specification is None:
        rows = NotificationSetting.objects.filter(hit_type=hit_type)
        if not rows.update(is_active=is_active, updated_at=now):
            raise invalid_value("Active", f"HITType {type_id} has no notification specification yet.")
        return
    check(specification)
    values = asdict(specification) | {"is_active": is_active is not False, "updated_at": now}
    NotificationSetting.objects.update_or_create(hit_type=hit_type, defaults=values)


def send_test(requester: RequesterProfile, specification: Specification, event_type: EventType, now: datetime) -> None:
    """Send one made-up event at once, whatever the specification lists. Raises Refused if it does not arrive."""
    check(specification)
    with transaction.atomic():
        notice = Notice.objects.create(
            requester=requester,
            transport=specification.transport,
            destination=specification.destination,
            attempts=1,
            created_at=now,
            next_attempt_at=now + LEASE,
        )
        Event.objects.create(
            requester=requester,
            transport=specification.transport,
            destination=specification.destination,
            event_type=event_type.value,
            type_id=TEST_TYPE,
            hit_id=TEST_HIT,
            assignment_id=TEST_ASSIGNMENT if event_type.startswith("Assignment") else "",
            occurred_at=now,
            notice=notice,
        )
    try:
        delivery.send(notice.transport, notice.destination, document_of(notice))
    except delivery.Undelivered as error:
        _give_up(notice, str(error), now)
        raise Refused("InvalidTransportEndpoint", f"The test message did not arrive. {error}") from None
    _settle(notice, now)


def deliver(now: datetime) -> dict[str, int]:
    """Tell of everything that waits and is due; return how many messages were delivered, failed and given up."""
    counts = {"delivered": 0, "failed": 0, "given_up": 0}
    while _gather(now):
        pass
    unreachable: dict[tuple[str, str], str] = {}  # found out in this round, and not tried again in it
    while claimed := _claim(now):
        for notice in claimed:
            counts[_attempt(notice, unreachable, now)] += 1
    return counts


@transaction.atomic
def _gather(now: datetime) -> int:
    """Make notices of events that wait for one; return how many events there were."""
    waiting = Event.objects.filter(notice=None).select_related("requester").order_by("id")
    events = list(waiting.select_for_update(of=("self",), skip_locked=True)[: 10 * MOST_EVENTS])
    groups: dict[tuple[RequesterProfile, str, str], list[Event]] = defaultdict(list)
    for event in events:
        groups[event.requester, event.transport, event.destination].append(event)
    for (requester, transport, destination), of_group in groups.items():
        for start in range(0, len(of_group), MOST_EVENTS):
            for notice, told in _notices_of(requester, of_group[start : start + MOST_EVENTS], now):
                notice.transport, notice.destination = transport, destination
                notice.save()
                Event.objects.filter(pk__in=[event.pk for event in told]).update(notice=notice)
    return len(events)


def _notices_of(
    requester: RequesterProfile, events: list[Event], now: datetime
) -> Iterator[tuple[Notice, list[Event]]]:
    """One notice of all ``events``; or as many as there are, newest first, where a fault puts them out of order."""
    fault = faults.next_for_delivery(requester)
    if fault is None or fault.kind == Fault.Kind.NOTIFY_TWICE:
        yield Notice(requester=requester, created_at=now, next_attempt_at=now, copies=2 if fault else 1), events
        return
    oldest = events[0]
    for event in reversed(events):
        # The oldest is held back, so that those yet to come overtake it too.
        due = now + timedelta(seconds=fault.seconds) if event is oldest else now
        yield Notice(requester=requester, created_at=now, next_attempt_at=due), [event]


@transaction.atomic
def _claim(now: datetime) -> list[Notice]:
    """Notices that are due, kept from everybody else for as long as sending them can take."""
    due = Notice.objects.due(now).select_related("requester").order_by("next_attempt_at", "id")
    claimed = list(due.select_for_update(of=("self",), skip_locked=True)[:CLAIMED])
    keys = [notice.pk for notice in claimed]
    Notice.objects.filter(pk__in=keys).update(next_attempt_at=now + LEASE, attempts=F("attempts") + 1)
    return claimed


def _attempt(notice: Notice, unreachable: dict[tuple[str, str], str], now: datetime) -> str:
    """Try to deliver a claimed notice; return what became of it."""
    place = (notice.transport, notice.destination)
    try:
        if place in unreachable:
            raise delivery.Undelivered(unreachable[place])
        for _copy in range(notice.copies):
            delivery.send(notice.transport, notice.destination, document_of(notice))
    except delivery.Undelivered as error:
        unreachable[place] = str(error)
        return _put_off(notice, str(error), now)
    _settle(notice, now)
    return "delivered"


def _put_off(notice: Notice, failure: str, now: datetime) -> str:
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(notice.attempts, 16))
    if now + pause - notice.created_at >= GIVE_UP_AFTER:
        _give_up(notice, failure, now)
        return "given_up"
    Notice.objects.filter(pk=notice.pk).update(next_attempt_at=now + pause, failure=failure)
    return "failed"


def _give_up(notice: Notice, failure: str, now: datetime) -> None:
    Notice.objects.filter(pk=notice.pk).update(next_attempt_at=None, given_up_at=now, failure=failure)


def _settle(notice: Notice, now: datetime) -> None:
    Notice.objects.filter(pk=notice.pk).update(next_attempt_at=None, delivered_at=now, failure="")


def document_of(notice: Notice) -> str:
    """The message as JSON, as Mechanical Turk's looked (its notification reference)."""
    requester = notice.requester
    return json.dumps(
        {
            "Events": [_described(event) for event in notice.events.order_by("id")],
            "EventDocId": notice.document_id,
            "SourceAccount": f"{requester.pk:012d}",  # nobody here has an AWS account
            "CustomerId": requester.customer_id,
            "EventDocVersion": DOCUMENT_VERSION,
        },
        separators=(",", ":"),
    )


def _described(event: Event) -> dict[str, Any]:
    about = {"HITId": event.hit_id, "AssignmentId": event.assignment_id, "HITTypeId": event.type_id}
    return {
        "EventType": event.event_type,
        "EventTimestamp": f"{event.occurred_at:%Y-%m-%dT%H:%M:%SZ}",
        **{name: value for name, value in about.items() if value},
    }


def forget(now: datetime) -> int:
    """Delete notices that were delivered or given up 30 days ago, with their events; return how many."""
    old = Notice.objects.filter(next_attempt_at=None, created_at__lte=now - KEEP)
    return old.delete()[1].get("marketplace.Notice", 0)
