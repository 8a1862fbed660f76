"""Figures in words, for the pages of this room."""

from datetime import UTC, datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from annotation.models import Note
from annotation.services.notes import in_words
from reviewer.services.numbers import localized

register = template.Library()


@register.filter
def duration(seconds: int | None) -> str:
    """Whole ``seconds`` as "41 s", "3 min 20 s" or "1 h 5 min"; nothing for None."""
    if seconds is None:
        return ""
    if seconds < 60:
        return _("{seconds} s").format(seconds=seconds)
    minutes, rest = divmod(seconds, 60)
    if minutes < 60:
        words = _("{minutes} min {seconds} s") if rest else _("{minutes} min")
        return words.format(minutes=minutes, seconds=rest)
    hours, rest = divmod(minutes, 60)
    words = _("{hours} h {minutes} min") if rest else _("{hours} h")
    return words.format(hours=hours, minutes=rest)


@register.filter
def moment(at: datetime) -> SafeString:
    """A moment as day and minute in UTC; ``platform.js`` says it in the reader's zone."""
    return format_html('<time datetime="{}">{} UTC</time>', at.isoformat(), f"{at.astimezone(UTC):%Y-%m-%d %H:%M}")


@register.filter
def clock(at: datetime) -> SafeString:
    """A moment of today as hours, minutes and seconds."""
    shown = f"{at.astimezone(UTC):%H:%M:%S}"
    return format_html('<time datetime="{}" data-clock>{} UTC</time>', at.isoformat(), shown)


@register.filter
def percent(value: float | None) -> str:
    """A percentage with the three decimals of a report, an en dash for None."""
    return "–" if value is None else localized(f"{value:.3f}")


@register.filter
def share(value: float) -> str:
    """A share from 0 to 1 in percent, to one decimal."""
    return localized(f"{100 * value:.1f}")


@register.filter
def thousands(count: int) -> str:
    """``count`` with its thousands parted."""
    return localized(f"{count:,}")


@register.filter
def note_words(note: Note) -> str:
    """What the worker reads in ``note``."""
    return in_words(note)
