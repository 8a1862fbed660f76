"""Deleting what is not to be kept any longer: after so many days, by the site's settings. Off unless they are set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from auditlog.models import LogEntry
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Draft, QuestionSignals, Worker
from hits.models import Bonus
from reviewer.models import FoundSignal, RetentionRun, SignalRun, WorkerErasure
from reviewer.services import erasing

# Rows that are deleted at once; in between, others get their turn.
AT_ONCE = 1000
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Kept:
    """What one setting is about: its days (0: kept for good), and the rows that are older."""

    name: str
    label: str | Promise
    days: int
    older: Callable[[datetime], QuerySet[Any]]

    def due(self, now: datetime) -> QuerySet[Any]:
        """The rows that are to go by ``now``."""
        return self.older(now - timedelta(days=self.days))


def kept() -> list[Kept]:
    """What the settings bound, in the order in which it is deleted."""
    return [
        Kept("drafts", _("drafts, from the decision on"), settings.RETAIN_DRAFTS_DAYS, _drafts),
        Kept(
            "signals", _("signals of how somebody typed, from the decision on"), settings.RETAIN_SIGNALS_DAYS, _counted
        ),
        Kept("found", _("signals that were worked out, from the decision on"), settings.RETAIN_SIGNALS_DAYS, _found),
        Kept("worker_ids", _("worker ids, from the last work or pay on"), settings.RETAIN_WORKER_IDS_DAYS, _workers),
        Kept("looks", _("who looked at personal data"), settings.RETAIN_LOOKS_DAYS, _looks),
    ]


def due(now: datetime) -> dict[str, int]:
    """How many rows of each kind would go by ``now``; workers, too, whom something open still holds."""
    return {one.name: one.due(now).count() for one in kept() if one.days}


def carry_out(progress: Progress = lambda name, done, total: None) -> dict[str, int]:
    """Delete what is due, piece by piece; return how many rows of each kind went. Safe to stop, and to run twice.

    Workers of whom something is open are left for a later pass. Where anything went, a row says so.
    """
    began_at, gone = timezone.now(), {}
    for one in kept():
        if one.days:
            total = one.due(began_at).count()
            delete = _erase if one.name == "worker_ids" else _delete
            gone[one.name] = 0
            for number in delete(one.due(began_at)):
                gone[one.name] += number
                progress(one.name, gone[one.name], total)
    if any(gone.values()):
        days = {one.name: one.days for one in kept()}
        RetentionRun.objects.create(began_at=began_at, ended_at=timezone.now(), days=days, deleted=gone)
    return gone


def _delete(rows: QuerySet[Any]) -> Iterator[int]:
    while some := list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        if rows.model is FoundSignal:
            # That they were worked out stays, so that a page does not work them out again.
            looked_at = FoundSignal.objects.filter(pk__in=some).values("assignment")
            SignalRun.objects.filter(assignment__in=looked_at).update(against=0, worry=0)
        rows.model._default_manager.filter(pk__in=some).delete()
        yield len(some)


def _erase(workers: QuerySet[Worker]) -> Iterator[int]:
    for key in list(workers.order_by("pk").values_list("pk", flat=True)):
        try:
            erasing.erase(key, cause=WorkerErasure.Cause.RETENTION)
        except erasing.NotErasable:
            continue
        yield 1


def _over(before: datetime, path: str = "") -> Q:
    """Assignments (at the end of ``path``) that were decided before then, or never submitted and opened before then."""
    decided = Q(**{f"{path}status__in": ["approved", "rejected"], f"{path}decided_at__lt": before})
    left = Q(**{f"{path}status__in": ["open", "not_submitted"], f"{path}opened_at__lt": before})
    return decided | left


def _drafts(before: datetime) -> QuerySet[Draft]:
    return Draft.objects.filter(_over(before, "assignment__"))


def _counted(before: datetime) -> QuerySet[QuestionSignals]:
    return QuestionSignals.objects.filter(_over(before, "assignment__"))


def _found(before: datetime) -> QuerySet[FoundSignal]:
    return FoundSignal.objects.filter(_over(before, "assignment__"))


def _workers(before: datetime) -> QuerySet[Worker]:
    mine = Assignment.objects.filter(worker=OuterRef("pk"))
    lately = mine.filter(Q(opened_at__gte=before) | Q(submitted_at__gte=before) | Q(decided_at__gte=before))
    paid = Bonus.objects.filter(worker=OuterRef("pk")).filter(Q(asked_at__gte=before) | Q(paid_at__gte=before))
    known = Worker.objects.filter(erased_at__isnull=True, first_seen_at__lt=before)
    return known.exclude(Exists(lately)).exclude(Exists(paid))


def _looks(before: datetime) -> QuerySet[LogEntry]:
    return LogEntry.objects.filter(action=LogEntry.Action.ACCESS, timestamp__lt=before)
