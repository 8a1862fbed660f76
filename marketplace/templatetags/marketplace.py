"""How money and time look on the workers' pages."""

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import doors
from ..models import Fault
from ..services import operating

register = template.Library()


@register.simple_tag
def entrances() -> list[doors.Entrance]:
    """The ways in for somebody who has no account."""
    return doors.entrances()


@register.simple_tag
def more_tabs() -> list[operating.Tab]:
    """The parts of the operator's area that other apps add."""
    return operating.TABS


@register.simple_tag
def faults_on() -> int:
    """How many faults are switched on, for the warning on every page of the operator's area."""
    return Fault.objects.active().count()


@register.simple_tag
def contact() -> str:
    """Whom people without a password ask, as the settings say; empty where they say nothing."""
    return settings.MARKETPLACE_CONTACT


@register.filter
def usd(amount: Decimal | float) -> str:
    """US dollars to the cent, halves up: ``$1,234.50``."""
    return f"${Decimal(str(amount)).quantize(Decimal('0.01'), ROUND_HALF_UP):,}"


@register.filter
def signed_usd(amount: Decimal) -> str:
    """US dollars to the cent with their sign, and a dash for none: ``+$1,234.50``, ``−$0.05``, ``–``."""
    sign = "+" if amount > 0 else "\N{MINUS SIGN}"
    return f"{sign}{usd(abs(amount))}" if amount else "\N{EN DASH}"


@register.filter
def mark(value: Decimal | float) -> str:
    """A mean mark to one decimal, halves up: ``4.3``."""
    return str(Decimal(str(value)).quantize(Decimal("0.1"), ROUND_HALF_UP))


@register.filter
def duration(seconds: int) -> str:
    """The two largest units: ``1 day 3 h``, ``2 h 5 min``, ``4 min``, ``30 s``; fractions are cut off."""
    seconds = max(0, int(seconds))
    if seconds < 60:
        return _("%d s") % seconds
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    day_text = ngettext("%d day", "%d days", days) % days if days else ""
    if days:
        return f"{day_text} {_('%d h') % (hours % 24)}" if hours % 24 else day_text
    if hours:
        return f"{_('%d h') % hours} {_('%d min') % (minutes % 60)}" if minutes % 60 else _("%d h") % hours
    return _("%d min") % minutes


@register.filter
def moment(when: datetime) -> SafeString:
    """A time in UTC, which times.js puts into the viewer's own zone."""
    local = timezone.localtime(when)
    return format_html('<time datetime="{}" data-moment>{} UTC</time>', when.isoformat(), f"{local:%-d %b %Y, %H:%M}")


@register.filter
def seconds_after(when: datetime, now: datetime) -> int:
    """Seconds from ``now`` until ``when``, at least 0."""
    return max(0, int((when - now).total_seconds()))
