"""What a worker finds on the list of HIT groups."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from .. import doors
from ..models import HIT, Assignment, HITType, WorkerProfile
from ..querysets import start_of_day
from . import assignments, blocks, overdue, pace, qualifications, ratings

PAGE_SIZE = 20
LEFT_CAP = 200  # groups with more open HITs say "more than": counting all of 100,000 would cost what nobody reads


@dataclass(frozen=True)
class Group:
    """A HIT type with HITs open to a worker."""

    hit_type: HITType
    requester_name: str
    left: int  # open HITs that the worker has not done; LEFT_CAP + 1 where more than LEFT_CAP are open at all
    standing: qualifications.Standing
    time: pace.Time = field(default_factory=pace.Time)
    rated: ratings.Rated = field(default_factory=ratings.Rated)
    customer_id: str = ""  # the requester's
    names: dict[str, qualifications.Named] | None = (
        None  # of custom qualification types by id; looked up where not given
    )
    is_blocked: bool = False  # the requester does not want this worker, or a door keeps the group for others

    @property
    def is_capped(self) -> bool:
        return self.left > LEFT_CAP

    @property
    def left_cap(self) -> int:
        return LEFT_CAP

    @property
    def hourly_usd(self) -> float | None:
        """Reward an hour in the measured time, None until it is measured: the time allotted says little of it."""
        seconds = self.time.median_seconds
        return float(self.hit_type.reward_usd) * 3600 / seconds if seconds else None

    @cached_property
    def needs(self) -> list[qualifications.Need]:
        """What to tell the worker: all but the exclusions (holding something) that do not concern them."""
        told = [
            requirement
            for requirement in self.hit_type.requirements
            if requirement["Comparator"] != "DoesNotExist" or requirement["QualificationTypeId"] in self.standing
        ]
        return qualifications.needs_of(told, self.standing, self.names)

    @property
    def may_discover(self) -> bool:
        return self._may("Discover")

    @property
    def may_preview(self) -> bool:
        return self._may("Preview")

    @property
    def may_accept(self) -> bool:
        return self._may("Accept")

    def _may(self, action: str) -> bool:
        return not self.is_blocked and qualifications.allows(self.hit_type.requirements, action, self.standing)


class Order(models.TextChoices):
    NEWEST = "newest", _("newest first")
    REWARD = "reward", _("highest reward first")
    HOURLY = "hourly", _("most an hour first, unmeasured last")
    LEFT = "left", _("most left first")


@dataclass(frozen=True)
class Wanted:
    """What a worker looks for."""

    search: str = ""
    least_reward_usd: Decimal | None = None
    least_hourly_usd: Decimal | None = None
    is_open_to_me: bool = False
    requester: str = ""  # a customer id
    order: Order = Order.NEWEST


@dataclass(frozen=True)
class Place:
    """Where a page begins: after the group of key ``pk``, whose value in the order is ``value``."""

    pk: int
    value: Decimal = Decimal(0)

    def __str__(self) -> str:
        return f"{self.value}-{self.pk}" if self.value else str(self.pk)

    @classmethod
    def parse(cls, text: str) -> "Place | None":
        """Read what ``str`` gives; None where ``text`` is nothing of the kind."""
        found = re.fullmatch(r"(?:([0-9]{1,16}(?:\.[0-9]{1,2})?)-)?([0-9]{1,18})", text)
        return cls(int(found[2]), Decimal(found[1] or 0)) if found else None


@dataclass(frozen=True)
class Board:
    groups: list[Group]
    next_place: Place | None  # where the next page begins, None on the last


UNDONE = """NOT EXISTS (
            SELECT 1 FROM marketplace_assignment done
            WHERE done.worker_id = %(worker)s AND done.hit_id = hit.id
              AND done.status IN ('held', 'submitted', 'approved', 'rejected'))"""
OPEN = "hit.hit_type_id = {hit_type} AND hit.open_places > 0 AND hit.expires_at > %(now)s"
OPEN_HERE = OPEN.format(hit_type="hit_type.id")
LEFT = "CASE WHEN counted.open_count < %(cap)s THEN counted.undone_count ELSE %(cap)s END"
# 0 for what is not measured yet, which so comes last.
HOURLY = "COALESCE(round(hit_type.reward_usd * 3600 / pace.median_seconds, 2), 0)"
# What a list is ordered by before the key, both downwards.
ORDERED_BY = {Order.NEWEST: "0", Order.REWARD: "hit_type.reward_usd", Order.HOURLY: HOURLY, Order.LEFT: LEFT}

# The lateral count stops at the cap, so a group of 100,000 HITs costs what one of 200 does. Where the worker has done
# all that was counted, what lies beyond is looked for, first after the HIT they took last.
GROUPS = f"""
WITH page AS (
SELECT hit_type.*, requester.name AS requester_name, requester.customer_id, overdue.is_due, {LEFT} AS left_count,
       pace.median_seconds, COALESCE(pace.submissions, 0) AS timed_submissions,
       COALESCE(pace.workers, 0) AS timed_workers, pace.measured_at, {{value}} AS value
FROM marketplace_hittype hit_type
JOIN marketplace_requesterprofile requester ON requester.id = hit_type.requester_id
LEFT JOIN marketplace_pace pace ON pace.hit_type_id = hit_type.id
CROSS JOIN LATERAL (
    SELECT count(*) AS open_count, count(*) FILTER (WHERE {UNDONE}) AS undone_count
    FROM (SELECT hit.id FROM marketplace_hit hit WHERE {OPEN_HERE} ORDER BY hit.id LIMIT %(cap)s) AS hit) AS counted
CROSS JOIN (
    SELECT EXISTS (SELECT 1 FROM marketplace_assignment held
                   WHERE held.status = 'held' AND held.deadline <= %(now)s) AS is_due) AS overdue
WHERE hit_type.closes_at > %(now)s
  AND NOT EXISTS (SELECT 1 FROM marketplace_workerblock block
                  WHERE block.requester_id = hit_type.requester_id AND block.worker_id = %(worker)s)
  AND CASE WHEN counted.undone_count > 0 THEN true
           WHEN counted.open_count < %(cap)s THEN false
           WHEN EXISTS (SELECT 1 FROM marketplace_hit hit WHERE {OPEN_HERE} AND {UNDONE}
                        AND hit.id > ({assignments.LAST_TAKEN.format(hit_type="hit_type.id")})) THEN true
           ELSE EXISTS (SELECT 1 FROM marketplace_hit hit WHERE {OPEN_HERE} AND {UNDONE}) END
  {{filters}}
ORDER BY {{order}}hit_type.id DESC LIMIT %(limit)s)
SELECT page.*, rated.* FROM page
CROSS JOIN LATERAL ({ratings.RATED.format(requester="page.requester_id")}) AS rated
ORDER BY page.value DESC, page.id DESC
"""  # noqa: S608  # put together from constants
SEARCH = """AND (hit_type.title ILIKE %(pattern)s OR hit_type.description ILIKE %(pattern)s
       OR hit_type.keywords ILIKE %(pattern)s OR requester.name ILIKE %(pattern)s)"""
ROUNDS = 6  # of reading, each twice as long as the one before, while groups that are not for the worker are passed


def find(worker: WorkerProfile, now: datetime, wanted: Wanted | None = None, after: Place | None = None) -> Board:
    """A page of the groups that ``worker`` may discover and ``wanted`` asks for, from ``after`` (exclusive) on.

    A page may hold few groups, or none, and yet have a next one: past so many that are not for the worker, we stop.
    """
    wanted = wanted or Wanted()
    action = "Accept" if wanted.is_open_to_me else "Discover"
    if wanted.order == Order.HOURLY or wanted.least_hourly_usd is not None:
        pace.measure_stale(now)
    found: list[HITType] = []
    standing: qualifications.Standing = {}
    for reading in range(ROUNDS):
        limit = (PAGE_SIZE << reading) + 1
        rows = _rows(worker, now, wanted, after, limit)
        asked = {type_id for row in rows for type_id in qualifications.types_asked(row.requirements)}
        standing |= qualifications.standing_of(worker, asked)
        allowed = [row for row in rows if qualifications.allows(row.requirements, action, standing)]
        reserved = doors.reserved(worker, (row.pk for row in allowed))
        found += [row for row in allowed if row.pk not in reserved]
        after = _place_of(rows[-1]) if len(rows) == limit else None
        if len(found) > PAGE_SIZE:
            found = found[:PAGE_SIZE]
            after = _place_of(found[-1])
        if after is None or len(found) == PAGE_SIZE:
            break
    return Board(_groups(found, standing, now), after)


def _place_of(row: HITType) -> Place:
    return Place(row.pk, Decimal(row.value))  # type: ignore[attr-defined]


def _rows(worker: WorkerProfile, now: datetime, wanted: Wanted, after: Place | None, limit: int) -> list[HITType]:
    value = ORDERED_BY[wanted.order]
    values: dict[str, Any] = {
        "now": now,
        "worker": worker.pk,
        "cap": LEFT_CAP + 1,
        "limit": limit,
        "today": start_of_day(now),
        "rated": ratings.COUNTED,
    }
    filters = []
    if after is not None:
        is_newest = wanted.order == Order.NEWEST
        filters.append(
            "AND hit_type.id < %(before)s" if is_newest else f"AND ({value}, hit_type.id) < (%(value)s, %(before)s)"
        )
        values |= {"before": after.pk, "value": after.value}
    if wanted.search:
        escaped = wanted.search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        filters.append(SEARCH)
        values["pattern"] = f"%{escaped}%"
    if wanted.requester:
        filters.append("AND requester.customer_id = %(requester)s")
        values["requester"] = wanted.requester
    if wanted.least_reward_usd is not None:
        filters.append("AND hit_type.reward_usd >= %(least_reward)s")
        values["least_reward"] = wanted.least_reward_usd
    if wanted.least_hourly_usd is not None:
        filters.append(f"AND {HOURLY} >= %(least_hourly)s")
        values["least_hourly"] = wanted.least_hourly_usd
    order = "" if wanted.order == Order.NEWEST else f"{value} DESC, "
    statement = GROUPS.format(value=value, filters="\n  ".join(filters), order=order)
    rows = list(HITType.objects.raw(statement, values))
    if rows[0].is_due if rows else overdue.is_anything_due(now):  # type: ignore[attr-defined]
        # Places are due to come back; they may be the only ones of their group.
        overdue.settle(now)
        rows = list(HITType.objects.raw(statement, values))
    return rows


def _groups(rows: list[Any], standing: qualifications.Standing, now: datetime) -> list[Group]:
    names = qualifications.names_of(
        {type_id for row in rows for type_id in qualifications.types_asked(row.requirements)}
    )
    measured = pace.measure([row.pk for row in rows if pace.is_stale(row.measured_at, now)], now)
    return [
        Group(
            row,
            row.requester_name,
            row.left_count,
            standing,
            measured.get(row.pk) or pace.Time(row.median_seconds, row.timed_submissions, row.timed_workers),
            ratings.Rated(row.rated_workers, row.rated_pay, row.rated_clarity, row.rated_fairness),
            row.customer_id,
            names,
        )
        for row in rows
    ]


def group_for(worker: WorkerProfile, hit_type: HITType, now: datetime) -> Group:
    """``hit_type`` as ``worker`` sees it, whether or not anything of it is left."""
    asked = qualifications.types_asked(hit_type.requirements)
    standing = qualifications.standing_of(worker, asked)
    time, rated = pace.of_type(hit_type, now), ratings.of_requester(hit_type.requester, now)
    requester = hit_type.requester
    is_blocked = blocks.is_blocked(worker, requester.pk) or bool(doors.reserved(worker, [hit_type.pk]))
    return Group(hit_type, requester.name, 0, standing, time, rated, requester.customer_id, is_blocked=is_blocked)


def discoverable(worker: WorkerProfile, group_id: str, now: datetime) -> Group | None:
    """The group of that id (an HITTypeId serves too), None also where ``worker`` may not discover it."""
    hit_type = HITType.objects.select_related("requester").by_address(group_id).first()
    if hit_type is None:
        return None
    group = group_for(worker, hit_type, now)
    return group if group.may_discover else None


def known(worker: WorkerProfile, group_id: str, now: datetime) -> HITType | None:
    """The HIT type of a group that ``worker`` may discover, or once took work of."""
    group = discoverable(worker, group_id, now)
    if group is not None:
        return group.hit_type
    hit_type = HITType.objects.select_related("requester").by_address(group_id).first()
    is_theirs = Assignment.objects.of_worker(worker).filter(hit__hit_type=hit_type).exists() if hit_type else False
    return hit_type if is_theirs else None


# Where ``assignments.accept`` would look first, and then from the start.
NEXT_HIT = f"""
SELECT hit.* FROM marketplace_hit hit
WHERE {OPEN.format(hit_type="%(hit_type)s")} AND {UNDONE}{{after}}
ORDER BY hit.id LIMIT 1
"""  # noqa: S608  # put together from constants


def next_hit(worker: WorkerProfile, hit_type: HITType, now: datetime) -> HIT | None:
    """The HIT of ``hit_type`` that a preview shows: the first that ``worker`` could be given."""
    values = {"hit_type": hit_type.pk, "worker": worker.pk, "now": now}
    for after in (assignments.AFTER_LAST, ""):
        for hit in HIT.objects.raw(NEXT_HIT.format(after=after), values):
            return hit
    return None


def is_anything_left(worker: WorkerProfile, hit_type: HITType, now: datetime) -> bool:
    """Whether ``worker`` could accept a HIT of ``hit_type`` now."""
    asked = qualifications.types_asked(hit_type.requirements)
    standing = qualifications.standing_of(worker, asked)
    is_blocked = blocks.is_blocked(worker, hit_type.requester_id) or bool(doors.reserved(worker, [hit_type.pk]))
    if is_blocked or not qualifications.allows(hit_type.requirements, "Accept", standing):
        return False
    if next_hit(worker, hit_type, now) is not None:
        return True
    if not overdue.is_anything_due(now):
        return False
    overdue.settle(now)  # places are due to come back; one of them may be of this group
    return next_hit(worker, hit_type, now) is not None
