"""Measuring how long the work of a HIT group takes, and so what it pays an hour."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from ..models import HITType, Pace

ENOUGH_SUBMISSIONS = 10
ENOUGH_WORKERS = 3  # one quick worker is no measure
MEASURED = 200  # submissions at most
SEARCHED = 1000  # HITs, the latest that were begun, in which they are looked for
MEASURED_ANEW = timedelta(minutes=10)
MEASURED_AT_ONCE = 200  # groups

MEASURE = """
INSERT INTO marketplace_pace (hit_type_id, median_seconds, submissions, workers, measured_at)
SELECT wanted.id,
       CASE WHEN count(timed.worker_id) >= %(enough)s AND count(DISTINCT timed.worker_id) >= %(workers)s
            THEN GREATEST(1, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY timed.seconds))) END,
       count(timed.worker_id), count(DISTINCT timed.worker_id), %(now)s
FROM unnest(%(hit_types)s) AS wanted(id)
LEFT JOIN LATERAL (
    SELECT done.worker_id, extract(epoch FROM done.submitted_at - done.accepted_at)::float AS seconds
    FROM (SELECT hit.id FROM marketplace_hit hit
          WHERE hit.hit_type_id = wanted.id AND hit.open_places < hit.max_assignments
          ORDER BY hit.id DESC LIMIT %(searched)s) AS begun
    JOIN marketplace_assignment done ON done.hit_id = begun.id AND done.status = 'approved'
    LIMIT %(measured)s) AS timed ON true
GROUP BY wanted.id
ON CONFLICT (hit_type_id) DO UPDATE SET median_seconds = excluded.median_seconds, submissions = excluded.submissions,
    workers = excluded.workers, measured_at = excluded.measured_at
RETURNING hit_type_id, median_seconds, submissions, workers
"""


@dataclass(frozen=True)
class Time:
    """What is known of a group's time: ``median_seconds`` of so many ``submissions``, None where they are too few."""

    median_seconds: int | None = None
    submissions: int = 0
    workers: int = 0


def is_stale(measured_at: datetime | None, now: datetime) -> bool:
    return measured_at is None or not now - MEASURED_ANEW < measured_at <= now


def measure(hit_types: Sequence[int], now: datetime) -> dict[int, Time]:
    """Measure the HIT types of these keys anew, and write it down."""
    if not hit_types:
        return {}
    values: dict[str, Any] = {
        "hit_types": sorted(hit_types),
        "now": now,
        "enough": ENOUGH_SUBMISSIONS,
        "workers": ENOUGH_WORKERS,
        "measured": MEASURED,
        "searched": SEARCHED,
    }
    with connection.cursor() as cursor:
        cursor.execute(MEASURE, values)
        return {row[0]: Time(*row[1:]) for row in cursor.fetchall()}


STALE = """
SELECT hit_type.id FROM marketplace_hittype hit_type
LEFT JOIN marketplace_pace pace ON pace.hit_type_id = hit_type.id
WHERE hit_type.closes_at > %(now)s AND (pace.measured_at IS NULL OR pace.measured_at <= %(due)s)
ORDER BY pace.measured_at NULLS FIRST, hit_type.id DESC LIMIT %(limit)s
"""


def measure_stale(now: datetime) -> None:
    """Measure the open groups whose turn it is, MEASURED_AT_ONCE of them at most."""
    with connection.cursor() as cursor:
        cursor.execute(STALE, {"now": now, "due": now - MEASURED_ANEW, "limit": MEASURED_AT_ONCE})
        stale = [row[0] for row in cursor.fetchall()]
    measure(stale, now)


def of_type(hit_type: HITType, now: datetime) -> Time:
    """The time of one group, measured anew where that is due."""
    row = Pace.objects.filter(hit_type=hit_type).first()
    if row is None or is_stale(row.measured_at, now):
        return measure([hit_type.pk], now)[hit_type.pk]
    return Time(row.median_seconds, row.submissions, row.workers)
