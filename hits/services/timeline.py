"""The last events of a batch, of every kind, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from annotation.models import Assignment
from hits.models import HIT, Act, Batch

MOST = 10


@dataclass(frozen=True, order=True)
class Event:
    at: datetime
    words: str
    who: str = ""


def last_events(batch: Batch) -> list[Event]:
    """What happened last: HITs published, work submitted and decided, acts asked for and refused."""
    work = Assignment.objects.listed().filter(offer__hit__batch=batch).select_related("worker")
    hits = HIT.objects.filter(batch=batch, published_at__isnull=False)
    decided = work.filter(decided_at__isnull=False).order_by("-decided_at")[:MOST]
    events = [
        *(
            Event(hit.published_at, _("HIT {number} published").format(number=hit.pk))
            for hit in hits.order_by("-published_at")[:MOST]
            if hit.published_at
        ),
        *(
            Event(one.submitted_at, _("{worker} submitted").format(worker=str(one.worker).capitalize()))
            for one in work.order_by("-submitted_at")[:MOST]
            if one.submitted_at
        ),
        *(
            Event(one.decided_at, f"{str(one.worker).capitalize()}: {one.get_status_display()}")
            for one in decided
            if one.decided_at
        ),
        *(
            Event(act.asked_at, str(act.get_kind_display()).capitalize(), str(act.asked_by or ""))
            for act in Act.objects.filter(batch=batch, hit__isnull=True)
            .select_related("asked_by")
            .order_by("-pk")[:MOST]
        ),
    ]
    return sorted(events, reverse=True)[:MOST]
