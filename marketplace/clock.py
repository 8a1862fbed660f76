"""The marketplace's time. Everything that depends on time reads it here."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone


def now() -> datetime:
    """The present moment, aware, in UTC; moved by the stored offset where test hooks are on."""
    if not settings.MARKETPLACE_TEST_HOOKS:
        return wall_clock()
    from .models import ClockOffset

    seconds = ClockOffset.objects.values_list("seconds", flat=True).first() or 0
    return wall_clock() + timedelta(seconds=seconds)


def wall_clock() -> datetime:
    """The machine's time, which no test moves: for signatures made by other people's clocks."""
    return timezone.now()
