"""How many calls a second a requester may make: the generic cell rate algorithm, in one statement of the database.

So it holds across any number of processes. Where no rate is set, nothing is asked.
"""

from django.conf import settings
from django.db import connection

from ..models import RequesterProfile

# Calls that come evenly are due one interval after the other. One that comes early by less than a second's worth of
# calls may pass, which lets a burst of that many through; a call that is refused moves nothing.
ADMIT = """
INSERT INTO marketplace_callrate AS rate (requester_id, due_at)
VALUES (%(requester)s, clock_timestamp() + %(interval)s * interval '1 second')
ON CONFLICT (requester_id) DO UPDATE
    SET due_at = GREATEST(rate.due_at, clock_timestamp()) + %(interval)s * interval '1 second'
    WHERE rate.due_at <= clock_timestamp() + %(early)s * interval '1 second'
RETURNING 1
"""


def rate_of(requester: RequesterProfile) -> float:
    """Calls a second that ``requester`` may make: its own rate, or else the settings'; 0 is as many as it likes."""
    own = requester.requests_per_second
    return settings.MARKETPLACE_REQUESTS_PER_SECOND if own is None else own


def admits(requester: RequesterProfile) -> bool:
    """Whether this call keeps to the requester's rate; it is counted if so."""
    rate = rate_of(requester)
    if not rate:
        return True
    interval = 1 / rate
    values = {"requester": requester.pk, "interval": interval, "early": max(0.0, 1 - interval)}
    with connection.cursor() as cursor:
        cursor.execute(ADMIT, values)
        return cursor.fetchone() is not None
