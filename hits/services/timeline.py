"""The last events of a batch, of every kind, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, QuerySet, TextField, Value
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from annotation.models import Assignment, Worker
from hits.models import HIT, Act, Batch

MOST = 10


@dataclass(frozen=True, order=True)
class Event:
    at: datetime
    words: str
    who: str = ""


def last_events(batch: Batch) -> list[Event]:
    """What happened last: HITs published, work submitted and decided, acts asked for and refused."""
    work = Assignment.objects.listed().filter(offer__hit__batch=batch)
    acts = Act.objects.filter(batch=batch, hit__isnull=True)
    # The last of each kind, asked for at once: what it is, when it was, and what it is about.
    last = _last(HIT.objects.filter(batch=batch), "published", "published_at", "pk")
    rows = last.union(
        _last(work, "submitted", "submitted_at", "worker"),
        _last(work, "decided", "decided_at", "worker", "status"),
        _last(acts, "act", "asked_at", "pk", "kind", "asked_by__username"),
        all=True,
    )
    return sorted((_event(*row) for row in rows), reverse=True)[:MOST]


def _last(rows: QuerySet, what: str, at: str, about: str, word: str = "", who: str = "") -> QuerySet:
    """The last MOST of ``rows`` that have a moment, as (what, moment, key, word, name)."""
    nothing = Value("", output_field=TextField())
    return (
        rows.filter(**{f"{at}__isnull": False})
        .order_by(f"-{at}")
        .values_list(
            Value(what, output_field=TextField()),
            F(at),
            F(about),
            Cast(word, TextField()) if word else nothing,
            Cast(who, TextField()) if who else nothing,
        )[:MOST]
    )


def _event(what: str, at: datetime, about: int, word: str, who: str | None) -> Event:
    if what == "published":
        return Event(at, _("HIT {number} published").format(number=about))
    if what == "act":
        return Event(at, str(Act.Kind(word).label).capitalize(), who or "")
    worker = str(Worker(pk=about)).capitalize()
    if what == "submitted":
        return Event(at, _("{worker} submitted").format(worker=worker))
    return Event(at, f"{worker}: {Assignment.Status(word).label}")
