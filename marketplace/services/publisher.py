"""What a requester sees of their own work: groups with their states, money, and what workers think."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import connection
from django.db.models import Avg, Count, Sum

from ..models import HITType, LedgerEntry, Rating, Report, RequesterProfile
from ..querysets import start_of_day
from . import ratings

GROUPS, ENTRIES, COMMENTS, REPORTS = 20, 50, 100, 100  # on a page
WORDS_AFTER = timedelta(days=7)  # what fewer workers report than may be told apart


@dataclass(frozen=True)
class GroupCounts:
    """HITs of a group, and the assignments of them by state."""

    hits: int = 0
    open_hits: int = 0
    open_places: int = 0
    held: int = 0
    submitted: int = 0
    approved: int = 0
    rejected: int = 0


@dataclass(frozen=True)
class OwnGroup:
    hit_type: HITType
    counts: GroupCounts


@dataclass(frozen=True)
class OwnGroups:
    groups: list[OwnGroup]  # newest first
    next_before: int | None


COUNTS = """
SELECT hit.hit_type_id, count(*), count(*) FILTER (WHERE hit.open_places > 0), COALESCE(sum(hit.open_places), 0),
       COALESCE(sum(done.held), 0), COALESCE(sum(done.submitted), 0), COALESCE(sum(done.approved), 0),
       COALESCE(sum(done.rejected), 0)
FROM marketplace_hit hit
LEFT JOIN (
    SELECT assignment.hit_id, count(*) FILTER (WHERE assignment.status = 'held') AS held,
           count(*) FILTER (WHERE assignment.status = 'submitted') AS submitted,
           count(*) FILTER (WHERE assignment.status = 'approved') AS approved,
           count(*) FILTER (WHERE assignment.status = 'rejected') AS rejected
    FROM marketplace_assignment assignment
    JOIN marketplace_hit own ON own.id = assignment.hit_id
    WHERE own.hit_type_id = ANY(%(hit_types)s)
    GROUP BY assignment.hit_id) AS done ON done.hit_id = hit.id
WHERE hit.hit_type_id = ANY(%(hit_types)s) AND hit.stage <> 'disposed'
GROUP BY hit.hit_type_id
"""


def groups_of(requester: RequesterProfile, before: int | None) -> OwnGroups:
    """A page of the requester's HIT groups, from ``before`` (a key, exclusive) on, with how they stand."""
    rows = HITType.objects.of(requester).order_by("-id")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: GROUPS + 1])
    shown = found[:GROUPS]
    with connection.cursor() as cursor:
        cursor.execute(COUNTS, {"hit_types": [row.pk for row in shown]})
        counts = {row[0]: GroupCounts(*row[1:]) for row in cursor.fetchall()}
    groups = [OwnGroup(row, counts.get(row.pk, GroupCounts())) for row in shown]
    return OwnGroups(groups, shown[-1].pk if len(found) > GROUPS else None)


@dataclass(frozen=True)
class Entries:
    rows: list[LedgerEntry]  # newest first
    next_before: int | None


def ledger_of(requester: RequesterProfile, before: int | None) -> Entries:
    """A page of the ledger, newest first, with the balances after each entry. Newer pages leave them as they are."""
    rows = requester.ledger.with_balances().select_related("hit__hit_type", "assignment", "bonus").order_by("-id")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.defer("hit__question", "assignment__answer")[: ENTRIES + 1])
    shown = found[:ENTRIES]
    return Entries(shown, shown[-1].pk if len(found) > ENTRIES else None)


@dataclass(frozen=True)
class GroupRated:
    hit_type: HITType
    rated: ratings.Rated


@dataclass(frozen=True)
class Opinions:
    """What workers say, without who or when."""

    overall: ratings.Rated
    groups: list[GroupRated]  # rated by enough workers, the newest group first
    comments: list[tuple[HITType, str]]
    reports: list[tuple[HITType, str, int, list[str]]]  # group, kind in words, how many, what they wrote
    enough: int = field(default=ratings.ENOUGH_WORKERS)


def opinions_on(requester: RequesterProfile, now: datetime) -> Opinions:
    """Marks, comments and reports. A comment is shown once enough workers have rated its group and the day on which
    it was written is over; comments come by their text, so that their order says nothing about who came first."""
    published = Rating.objects.published(now).filter(requester=requester)
    means = {
        row["hit_type"]: ratings.Rated(row["workers"], row["mean_pay"], row["mean_clarity"], row["mean_fairness"])
        for row in published.values("hit_type")
        .annotate(
            workers=Count("worker", distinct=True),
            mean_pay=Avg("told_pay"),
            mean_clarity=Avg("told_clarity"),
            mean_fairness=Avg("told_fairness"),
        )
        .filter(workers__gte=ratings.ENOUGH_WORKERS)
        .order_by("-hit_type")[:GROUPS]
    }
    types = {row.pk: row for row in HITType.objects.filter(pk__in=means)}
    comments = published.filter(hit_type__in=means).exclude(told_comment="").order_by("-id")
    written = [(types[key], text) for key, text in comments.values_list("hit_type", "told_comment")[:COMMENTS]]
    return Opinions(
        ratings.of_requester(requester, now),
        [GroupRated(types[key], rated) for key, rated in means.items()],
        sorted(written, key=lambda comment: (-comment[0].pk, comment[1].casefold())),
        _reports_on(requester, now),
    )


def _reports_on(requester: RequesterProfile, now: datetime) -> list[tuple[HITType, str, int, list[str]]]:
    """Reports of the days before today. Their words are told once enough workers have reported the group, and else
    when they are WORDS_AFTER old: in what reports a group alone, whoever came by shortly before would be known."""
    today = start_of_day(now)
    rows = Report.objects.filter(hit_type__requester=requester, created_at__lt=today)
    rows = rows.select_related("hit_type").order_by("-id")[:REPORTS]
    by_kind: dict[tuple[int, str], list[Report]] = {}
    workers: dict[int, set[int]] = {}
    for row in rows:
        by_kind.setdefault((row.hit_type_id, row.kind), []).append(row)
        workers.setdefault(row.hit_type_id, set()).add(row.worker_id)
    written_before = {
        group: today if len(found) >= ratings.ENOUGH_WORKERS else today - WORDS_AFTER
        for group, found in workers.items()
    }
    return [
        (
            found[0].hit_type,
            str(Report.Kind(found[0].kind).label),
            len(found),
            sorted(filter(None, (row.words(written_before[row.hit_type_id]) for row in found)), key=str.casefold),
        )
        for found in by_kind.values()
    ]


def totals_of(requester: RequesterProfile) -> dict[str, Decimal]:
    """Sums of the requester's ledger by kind, in US dollars, 0 for a kind that never occurred."""
    sums = dict(requester.ledger.order_by().values_list("kind").annotate(total=Sum("amount_usd")))
    return {kind: sums.get(kind, Decimal("0.00")) for kind in LedgerEntry.Kind.values}
