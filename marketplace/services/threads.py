"""Conversations between a worker and a requester as both read them, and how often each may write."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count

from ..models import Assignment, HITType, Message, RequesterProfile, WorkerProfile
from . import messages

THREADS, MESSAGES = 30, 50  # on a page
# A worker writes so many messages to one requester in an hour, and to all in a day; a requester to one worker.
HOURLY_TO_ONE = 5
DAILY_TO_ALL = 20
SAME_WITHIN = timedelta(minutes=10)  # the same words again are a second click


@dataclass(frozen=True)
class Thread:
    """All that a worker and a requester wrote to each other, seen from one side."""

    last: Message
    unread: int


@dataclass(frozen=True)
class Inbox:
    threads: list[Thread]  # the one with the latest message first
    next_before: int | None


@dataclass(frozen=True)
class Conversation:
    messages: list[Message]  # oldest first
    next_before: int | None  # where older ones begin


class TooMany(Exception):
    """The writer has written as much as they may for now; ``args[0]`` says what they may, as a number of messages."""


def of_worker(worker: WorkerProfile, before: int | None = None) -> Inbox:
    return _inbox({"worker": worker}, "requester", Message.Direction.TO_WORKER, before)


def of_requester(requester: RequesterProfile, before: int | None = None) -> Inbox:
    return _inbox({"requester": requester}, "worker", Message.Direction.TO_REQUESTER, before)


def _inbox(mine: dict[str, Any], other: str, incoming: Message.Direction, before: int | None) -> Inbox:
    latest = Message.objects.filter(**mine).order_by(other, "-id").distinct(other)
    rows = Message.objects.filter(pk__in=latest.values("pk")).select_related(other).order_by("-id")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: THREADS + 1])
    shown = found[:THREADS]
    unread = dict(
        Message.objects.filter(**mine, direction=incoming, read_at=None)
        .filter(**{f"{other}__in": [getattr(row, f"{other}_id") for row in shown]})
        .order_by()
        .values_list(other)
        .annotate(Count("id"))
    )
    threads = [Thread(row, unread.get(getattr(row, f"{other}_id"), 0)) for row in shown]
    return Inbox(threads, shown[-1].pk if len(found) > THREADS else None)


def conversation(worker: WorkerProfile, requester: RequesterProfile, before: int | None = None) -> Conversation:
    rows = Message.objects.filter(worker=worker, requester=requester).select_related("hit_type", "assignment")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.defer("assignment__answer").order_by("-id")[: MESSAGES + 1])
    shown = found[:MESSAGES]
    return Conversation(shown[::-1], shown[-1].pk if len(found) > MESSAGES else None)


def mark_read(read: Conversation, incoming: Message.Direction, now: datetime) -> int:
    """The side that ``incoming`` messages are for has seen those of ``read``; return how many were new to it."""
    shown = [message.pk for message in read.messages if message.direction == incoming and message.read_at is None]
    return Message.objects.filter(pk__in=shown, read_at=None).update(read_at=now) if shown else 0


def may_write(worker: WorkerProfile, requester: RequesterProfile) -> bool:
    """Whether ``worker`` has had to do with ``requester``: took work of theirs, or heard from them."""
    return (
        Assignment.objects.of_worker(worker).filter(hit__requester=requester).exists()
        or Message.objects.filter(worker=worker, requester=requester).exists()
    )


@transaction.atomic
def write_to_requester(
    worker: WorkerProfile,
    requester: RequesterProfile,
    subject: str,
    text: str,
    now: datetime,
    *,
    hit_type: HITType | None = None,
    assignment: Assignment | None = None,
) -> Message:
    """Send a worker's message, once however often the button is pressed. Raises TooMany."""
    WorkerProfile.objects.select_for_update().get(pk=worker.pk)  # so that two at once are counted one after the other
    sent = Message.objects.filter(worker=worker, direction=Message.Direction.TO_REQUESTER)
    if again := _same(sent.filter(requester=requester), subject, text, now):
        return again
    if sent.filter(sent_at__gt=now - timedelta(days=1)).count() >= DAILY_TO_ALL:
        raise TooMany(DAILY_TO_ALL)
    if sent.filter(requester=requester, sent_at__gt=now - timedelta(hours=1)).count() >= HOURLY_TO_ONE:
        raise TooMany(HOURLY_TO_ONE)
    return messages.send_to_requester(worker, requester, subject, text, now, hit_type=hit_type, assignment=assignment)


@transaction.atomic
def answer_worker(
    requester: RequesterProfile, worker: WorkerProfile, subject: str, text: str, now: datetime
) -> Message:
    """Send a requester's message in a conversation that there is, once. Raises TooMany."""
    RequesterProfile.objects.select_for_update(no_key=True).get(pk=requester.pk)
    sent = Message.objects.filter(requester=requester, worker=worker, direction=Message.Direction.TO_WORKER)
    if again := _same(sent, subject, text, now):
        return again
    if sent.filter(sent_at__gt=now - timedelta(hours=1)).count() >= HOURLY_TO_ONE:
        raise TooMany(HOURLY_TO_ONE)
    return messages.send_to_worker(requester, worker, subject, text, now)


def _same(sent: Any, subject: str, text: str, now: datetime) -> Message | None:
    return sent.filter(subject=subject, text=text, sent_at__gt=now - SAME_WITHIN).order_by("-id").first()
