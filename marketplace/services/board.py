"""What a worker finds on the list of HIT groups."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import cached_property

from ..models import HIT, HITType, WorkerProfile
from . import assignments, overdue, qualifications

PAGE_SIZE = 20
LEFT_CAP = 200  # groups with more open HITs say "more than": counting all of 100,000 would cost what nobody reads


@dataclass(frozen=True)
class Group:
    """A HIT type with HITs open to a worker."""

    hit_type: HITType
    requester_name: str
    left: int  # open HITs that the worker has not done; LEFT_CAP + 1 where more than LEFT_CAP are open at all
    standing: qualifications.Standing

    @property
    def is_capped(self) -> bool:
        return self.left > LEFT_CAP

    @property
    def left_cap(self) -> int:
        return LEFT_CAP

    @property
    def hourly_usd(self) -> float:
        """Reward an hour if a worker uses all of the time allotted."""
        return float(self.hit_type.reward_usd) * 3600 / self.hit_type.assignment_duration_seconds

    @cached_property
    def needs(self) -> list[qualifications.Need]:
        """What to tell the worker: all but the exclusions (holding something) that do not concern them."""
        told = [
            requirement
            for requirement in self.hit_type.requirements
            if requirement["Comparator"] != "DoesNotExist" or requirement["QualificationTypeId"] in self.standing
        ]
        return qualifications.needs_of(told, self.standing)

    @property
    def may_preview(self) -> bool:
        return qualifications.allows(self.hit_type.requirements, "Preview", self.standing)

    @property
    def may_accept(self) -> bool:
        return qualifications.allows(self.hit_type.requirements, "Accept", self.standing)


@dataclass(frozen=True)
class Board:
    groups: list[Group]
    next_before: int | None  # where the next page begins, None on the last


UNDONE = """NOT EXISTS (
            SELECT 1 FROM marketplace_assignment done
            WHERE done.worker_id = %(worker)s AND done.hit_id = hit.id
              AND done.status IN ('held', 'submitted', 'approved', 'rejected'))"""
OPEN = "hit.hit_type_id = {hit_type} AND hit.open_places > 0 AND hit.expires_at > %(now)s"
OPEN_HERE = OPEN.format(hit_type="hit_type.id")

# The lateral count stops at the cap, so a group of 100,000 HITs costs what one of 200 does. Where the worker has done
# all that was counted, what lies beyond is looked for, first after the HIT they took last.
GROUPS = f"""
SELECT hit_type.*, requester.name AS requester_name, overdue.is_due,
       CASE WHEN counted.open_count < %(cap)s THEN counted.undone_count ELSE %(cap)s END AS left_count
FROM marketplace_hittype hit_type
JOIN marketplace_requesterprofile requester ON requester.id = hit_type.requester_id
CROSS JOIN LATERAL (
    SELECT count(*) AS open_count, count(*) FILTER (WHERE {UNDONE}) AS undone_count
    FROM (SELECT hit.id FROM marketplace_hit hit WHERE {OPEN_HERE} ORDER BY hit.id LIMIT %(cap)s) AS hit) AS counted
CROSS JOIN (
    SELECT EXISTS (SELECT 1 FROM marketplace_assignment held
                   WHERE held.status = 'held' AND held.deadline <= %(now)s) AS is_due) AS overdue
WHERE hit_type.closes_at > %(now)s AND hit_type.id < %(before)s
  AND CASE WHEN counted.undone_count > 0 THEN true
           WHEN counted.open_count < %(cap)s THEN false
           WHEN EXISTS (SELECT 1 FROM marketplace_hit hit WHERE {OPEN_HERE} AND {UNDONE}
                        AND hit.id > ({assignments.LAST_TAKEN.format(hit_type="hit_type.id")})) THEN true
           ELSE EXISTS (SELECT 1 FROM marketplace_hit hit WHERE {OPEN_HERE} AND {UNDONE}) END
  {{search}}
ORDER BY hit_type.id DESC LIMIT %(limit)s
"""  # noqa: S608  # put together from constants
SEARCH = """AND (hit_type.title ILIKE %(pattern)s OR hit_type.description ILIKE %(pattern)s
       OR hit_type.keywords ILIKE %(pattern)s OR requester.name ILIKE %(pattern)s)"""
FIRST = 2**62  # above every key


def find(worker: WorkerProfile, now: datetime, *, search: str = "", before: int | None = None) -> Board:
    """The groups that ``worker`` may discover, newest first, from ``before`` (a key, exclusive) on."""
    groups: list[Group] = []
    while True:
        rows = _rows(worker, now, search, before or FIRST)
        for row in rows:
            group = _group(worker, row)
            if qualifications.allows(row.requirements, "Discover", group.standing):
                if len(groups) == PAGE_SIZE:
                    return Board(groups, groups[-1].hit_type.pk)
                groups.append(group)
        if len(rows) <= PAGE_SIZE:
            return Board(groups, None)
        before = rows[-1].pk


def _rows(worker: WorkerProfile, now: datetime, search: str, before: int) -> list[HITType]:
    values = {"now": now, "worker": worker.pk, "cap": LEFT_CAP + 1, "before": before, "limit": PAGE_SIZE + 1}
    if search:
        escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        values["pattern"] = f"%{escaped}%"
    statement = GROUPS.format(search=SEARCH if search else "")
    rows = list(HITType.objects.raw(statement, values))
    if rows[0].is_due if rows else overdue.is_anything_due(now):  # type: ignore[attr-defined]
        # Places are due to come back; they may be the only ones of their group.
        overdue.settle(now)
        rows = list(HITType.objects.raw(statement, values))
    return rows


def _group(worker: WorkerProfile, row: HITType) -> Group:
    asked = qualifications.types_asked(row.requirements)
    standing = qualifications.standing_of(worker, asked)
    return Group(row, row.requester_name, row.left_count, standing)  # type: ignore[attr-defined]


def group_for(worker: WorkerProfile, hit_type: HITType, left: int = 0) -> Group:
    """``hit_type`` as ``worker`` sees it, whether or not anything of it is left."""
    asked = qualifications.types_asked(hit_type.requirements)
    standing = qualifications.standing_of(worker, asked)
    return Group(hit_type, hit_type.requester.name, left, standing)


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
    if not group_for(worker, hit_type).may_accept:
        return False
    if next_hit(worker, hit_type, now) is not None:
        return True
    if not overdue.is_anything_due(now):
        return False
    overdue.settle(now)  # places are due to come back; one of them may be of this group
    return next_hit(worker, hit_type, now) is not None
