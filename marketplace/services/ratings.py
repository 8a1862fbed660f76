"""Workers rate what they have submitted; the marks are shown in sum, so that nobody can tell whose they are."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import connection, transaction

from ..models import Assignment, Rating, RequesterProfile, WorkerProfile
from ..querysets import start_of_day

ENOUGH_WORKERS = 3  # fewer could be told apart by the requester
COUNTED = 200  # the latest ratings of a requester
EARLIER = ("pay", "clarity", "fairness", "comment")  # told as they were until the day of a change is over
CHANGEABLE_FOR = timedelta(days=7)  # from the first word on

RATED = """
    SELECT count(DISTINCT latest.worker_id) AS rated_workers, avg(latest.pay) AS rated_pay,
           avg(latest.clarity) AS rated_clarity, avg(latest.fairness) AS rated_fairness
    FROM (SELECT rating.worker_id,
                 CASE WHEN rating.changed_at < %(today)s THEN rating.pay ELSE rating.earlier_pay END AS pay,
                 CASE WHEN rating.changed_at < %(today)s THEN rating.clarity ELSE rating.earlier_clarity END AS clarity,
                 CASE WHEN rating.changed_at < %(today)s THEN rating.fairness ELSE rating.earlier_fairness END
                     AS fairness
          FROM marketplace_rating rating
          WHERE rating.requester_id = {requester} AND rating.created_at < %(today)s
          ORDER BY rating.id DESC LIMIT %(rated)s) AS latest"""


@dataclass(frozen=True)
class Rated:
    """The mean marks, 1 to 5, that ``workers`` gave; only to be told where they are ``enough``."""

    workers: int = 0
    pay: Decimal | None = None
    clarity: Decimal | None = None
    fairness: Decimal | None = None

    @property
    def is_enough(self) -> bool:
        return self.workers >= ENOUGH_WORKERS


def of_requester(requester: RequesterProfile, now: datetime) -> Rated:
    with connection.cursor() as cursor:
        cursor.execute(
            RATED.format(requester="%(requester)s"),
            {"requester": requester.pk, "today": start_of_day(now), "rated": COUNTED},
        )
        return Rated(*cursor.fetchone())


class TooLate(Exception):
    """The rating stands: the days for changing it are over."""


@transaction.atomic
def rate(worker: WorkerProfile, assignment: Assignment, marks: dict[str, Any], now: datetime) -> Rating:
    """Write ``worker``'s marks (pay, clarity, fairness, comment) on a submission of theirs, or change them.

    Raises TooLate where they stand for longer than CHANGEABLE_FOR.
    """
    rating, is_new = Rating.objects.select_for_update().get_or_create(
        assignment=assignment,
        defaults={
            "worker": worker,
            "hit_type": assignment.hit.hit_type,
            "requester": assignment.hit.requester,
            "created_at": now,
            "changed_at": now,
            **marks,
        },
    )
    if is_new:
        return rating
    if not is_changeable(rating, now):
        raise TooLate
    if rating.changed_at < start_of_day(now):
        for name in EARLIER:
            setattr(rating, f"earlier_{name}", getattr(rating, name))
    for name, value in marks.items():
        setattr(rating, name, value)
    rating.changed_at = now
    rating.save(update_fields=[*marks, *(f"earlier_{name}" for name in EARLIER), "changed_at"])
    return rating


def is_changeable(rating: Rating, now: datetime) -> bool:
    return now < rating.created_at + CHANGEABLE_FOR
