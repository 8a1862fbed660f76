"""A worker tells the operator that something is wrong with a HIT group."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import ngettext

from ..models import HITType, OperatorAction, Report, User, WorkerProfile
from ..querysets import start_of_day
from . import operating

DAILY = 10  # reports of one worker


class TooMany(Exception):
    """The worker has reported as often as they may in a day."""


@transaction.atomic
def report(worker: WorkerProfile, hit_type: HITType, kind: str, text: str, now: datetime) -> Report:
    """Write the report down; the same kind again on the same group puts new words to the first, which
    an operator then has to see to again. Raises TooMany."""
    WorkerProfile.objects.select_for_update().get(pk=worker.pk)
    first = Report.objects.filter(worker=worker, hit_type=hit_type, kind=kind).first()
    if first is not None:
        if text and text != first.text:
            if first.changed_at < start_of_day(now):
                first.earlier_text, first.earlier_at = first.text, first.changed_at
            first.text, first.changed_at, first.settled_at = text, now, None
            first.save(update_fields=["text", "changed_at", "earlier_text", "earlier_at", "settled_at"])
        return first
    if Report.objects.filter(worker=worker, created_at__gt=now - timedelta(days=1)).count() >= DAILY:
        raise TooMany
    return Report.objects.create(worker=worker, hit_type=hit_type, kind=kind, text=text, created_at=now, changed_at=now)


def waiting() -> QuerySet[Report]:
    """Reports that no operator has seen to yet."""
    return Report.objects.filter(settled_at__isnull=True)


@transaction.atomic
def settle(operator: User, report: Report, now: datetime, *, reason: str) -> bool:
    """Keep that ``operator`` saw to the report, and what was done about it; False where somebody did before."""
    if not waiting().filter(pk=report.pk).update(settled_at=now):
        return False
    operating.record(
        operator,
        OperatorAction.Action.SETTLE_REPORT,
        now,
        worker=report.worker,
        requester=report.hit_type.requester,
        detail=f"{report.kind}: {report.hit_type.type_id}",
        reason=reason,
    )
    return True


def agenda(now: datetime) -> Iterator[operating.Item]:
    """What an operator has to do about reports."""
    if count := waiting().count():
        sentence = ngettext("%d report of a worker waits.", "%d reports of workers wait.", count)
        yield operating.Item(sentence % count, reverse("operator-reports"))
