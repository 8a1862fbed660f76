"""A worker tells the operator that something is wrong with a HIT group."""

from datetime import datetime, timedelta

from django.db import transaction

from ..models import HITType, Report, WorkerProfile

DAILY = 10  # reports of one worker


class TooMany(Exception):
    """The worker has reported as often as they may in a day."""


@transaction.atomic
def report(worker: WorkerProfile, hit_type: HITType, kind: str, text: str, now: datetime) -> Report:
    """Write the report down; the same kind again on the same group puts new words to the first. Raises TooMany."""
    WorkerProfile.objects.select_for_update().get(pk=worker.pk)
    first = Report.objects.filter(worker=worker, hit_type=hit_type, kind=kind).first()
    if first is not None:
        if text and text != first.text:
            first.text = text
            first.save(update_fields=["text"])
        return first
    if Report.objects.filter(worker=worker, created_at__gt=now - timedelta(days=1)).count() >= DAILY:
        raise TooMany
    return Report.objects.create(worker=worker, hit_type=hit_type, kind=kind, text=text, created_at=now)
