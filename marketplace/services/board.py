"""What a worker finds on the list of HIT groups."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import cached_property

from ..models import HIT, HITType, WorkerProfile
from . import overdue, qualifications

PAGE_SIZE = 20
LEFT_CAP = 200  # groups with more open HITs say "more than": counting all of 100,000 would cost what nobody reads


@dataclass(frozen=True)
class Group:
    """A HIT type with HITs open to a worker."""

    hit_type: HITType
    requester_name: str
    left: int  # open HITs that the worker has not done, at most LEFT_CAP + 1
    standing: qualifications.Standing
    names: dict[str, str]

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
        return qualifications.needs_of(self.hit_type.requirements, self.standing, self.names)

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


# The lateral count stops at the cap, so a group of 100,000 HITs costs what one of 200 does.
GROUPS = """
SELECT hit_type.*, requester.name AS requester_name, open_hits.left_count, overdue.is_due
FROM marketplace_hittype hit_type
JOIN marketplace_requesterprofile requester ON requester.id = hit_type.requester_id
CROSS JOIN LATERAL (
    SELECT count(*) AS left_count FROM (
        SELECT 1 FROM marketplace_hit hit
        WHERE hit.hit_type_id = hit_type.id AND hit.open_places > 0 AND hit.expires_at > %(now)s
          AND NOT EXISTS (
            SELECT 1 FROM marketplace_assignment mine
            WHERE mine.worker_id = %(worker)s AND mine.hit_id = hit.id
              AND mine.status IN ('held', 'submitted', 'approved', 'rejected'))
        LIMIT %(cap)s) AS some_hits) AS open_hits
CROSS JOIN (
    SELECT EXISTS (SELECT 1 FROM marketplace_assignment held
                   WHERE held.status = 'held' AND held.deadline <= %(now)s) AS is_due) AS overdue
WHERE hit_type.closes_at > %(now)s AND open_hits.left_count > 0
  AND hit_type.id < %(before)s
  {search}
ORDER BY hit_type.id DESC LIMIT %(limit)s
"""
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
    return Group(row, row.requester_name, row.left_count, standing, qualifications.names_of(asked))  # type: ignore[attr-defined]


def group_for(worker: WorkerProfile, hit_type: HITType, left: int = 0) -> Group:
    """``hit_type`` as ``worker`` sees it, whether or not anything of it is left."""
    asked = qualifications.types_asked(hit_type.requirements)
    standing = qualifications.standing_of(worker, asked)
    return Group(hit_type, hit_type.requester.name, left, standing, qualifications.names_of(asked))


def next_hit(worker: WorkerProfile, hit_type: HITType, now: datetime) -> HIT | None:
    """The HIT of ``hit_type`` that a preview shows: the first that ``worker`` could be given."""
    rows = HIT.objects.raw(NEXT_HIT, {"hit_type": hit_type.pk, "worker": worker.pk, "now": now})
    return next(iter(rows), None)


NEXT_HIT = """
SELECT hit.* FROM marketplace_hit hit
WHERE hit.hit_type_id = %(hit_type)s AND hit.open_places > 0 AND hit.expires_at > %(now)s
  AND NOT EXISTS (
    SELECT 1 FROM marketplace_assignment mine
    WHERE mine.worker_id = %(worker)s AND mine.hit_id = hit.id
      AND mine.status IN ('held', 'submitted', 'approved', 'rejected'))
ORDER BY hit.id LIMIT 1
"""
