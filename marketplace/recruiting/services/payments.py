"""What a panel's participants are to be approved for and paid: the decisions here, in the panel's words and files."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import Enum

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum

from ...models import Assignment, Bonus, OperatorAction, User
from ...services import operating
from ..models import BonusBatch, Panel, PanelBonus, PanelStudy, Visit, VisitAssignment
from . import amounts


class Verdict(Enum):
    """What the requesters' decisions come to for a visit."""

    APPROVE = "approve"  # complete, and all of it approved
    REJECT = "reject"  # complete, and all of it rejected
    WAIT = "wait"  # at work, or something is undecided
    LOOK = "look"  # some of it approved and some rejected, or work in a visit that did not become complete
    NOTHING = "nothing"  # ended without work


@dataclass(frozen=True)
class Row:
    visit: Visit
    verdict: Verdict
    submitted: int
    approved: int
    rejected: int


def rows_of(visits: QuerySet[Visit]) -> list[Row]:
    """The visits with what was decided on them; one query."""
    status = "taken__assignment__status"
    counted = visits.select_related("participant", "study__panel").annotate(
        submitted=Count("taken", filter=Q(**{f"{status}__in": Assignment.LISTED})),
        approved=Count("taken", filter=Q(**{status: Assignment.Status.APPROVED})),
        rejected=Count("taken", filter=Q(**{status: Assignment.Status.REJECTED})),
    )
    rows = []
    for visit in counted:
        numbers = (visit.submitted, visit.approved, visit.rejected)
        rows.append(Row(visit, _verdict(visit, *numbers), *numbers))
    return rows


def _verdict(visit: Visit, submitted: int, approved: int, rejected: int) -> Verdict:
    if visit.status == Visit.Status.WORKING or approved + rejected < submitted:
        return Verdict.WAIT
    if not submitted:
        return Verdict.NOTHING
    if visit.status == Visit.Status.COMPLETE and approved == submitted:
        return Verdict.APPROVE
    if visit.status == Visit.Status.COMPLETE and rejected == submitted:
        return Verdict.REJECT
    return Verdict.LOOK


def panel_id(visit: Visit) -> str:
    """What the panel knows the visit by: its session, or the participant where there are no sessions."""
    return visit.session_id or visit.participant.participant_id


def approvals_file(study: PanelStudy) -> str:
    """Whom to approve. For Prolific one submission id a line, as its bulk approval takes them; else a table.

    Approving somebody twice changes nothing at a panel, so the file always holds everybody.
    """
    approved = [row for row in rows_of(study.visits.order_by("id")) if row.verdict is Verdict.APPROVE]
    if study.panel.kind == Panel.Kind.PROLIFIC:
        return "".join(f"{panel_id(row.visit)}\n" for row in approved)
    table = [["participant", "session", "hits_approved", "reward_usd"]]
    for row in approved:
        reward = VisitAssignment.objects.filter(visit=row.visit).aggregate(
            usd=Sum("assignment__hit__hit_type__reward_usd", default=Decimal(0))
        )["usd"]
        table.append([row.visit.participant.participant_id, row.visit.session_id, str(row.approved), f"{reward:.2f}"])
    return _csv(table)


def bonuses_due(study: PanelStudy) -> QuerySet[Bonus]:
    """Bonuses of the study's participants that are in no batch yet."""
    taken = VisitAssignment.objects.filter(visit__study=study)
    rows = Bonus.objects.filter(assignment__in=taken.values("assignment"))
    return rows.exclude(pk__in=PanelBonus.objects.values("bonus"))


@transaction.atomic
def make_batch(
    study: PanelStudy,
    status: BonusBatch.Status,
    now: datetime,
    *,
    by: User | None = None,
    only_known_to_panel: bool = False,
) -> BonusBatch | None:
    """Put the bonuses that are due into a batch; None if there are none. One at a time for each study.

    ``only_known_to_panel`` leaves out visits that the panel has not shown: it would refuse the whole batch for one.
    """
    locked = PanelStudy.objects.select_for_update(of=("self",)).select_related("panel").get(pk=study.pk)
    rows = bonuses_due(locked)
    if only_known_to_panel:
        known = VisitAssignment.objects.filter(visit__study=locked).exclude(visit__panel_status="")
        rows = rows.filter(assignment__in=known.values("assignment"))
    due = list(rows.order_by("id"))
    if not due:
        return None
    visits = dict(
        VisitAssignment.objects.filter(assignment__in=[bonus.assignment_id for bonus in due]).values_list(
            "assignment_id", "visit_id"
        )
    )
    batch = BonusBatch.objects.create(study=locked, status=status, created_by=by, created_at=now, moved_at=now)
    PanelBonus.objects.bulk_create(
        PanelBonus(
            batch=batch,
            bonus=bonus,
            visit_id=visits[bonus.assignment_id],
            amount=amounts.from_usd(locked.panel, bonus.amount_usd),
        )
        for bonus in due
    )
    if by is not None:
        detail = f"took bonus batch {batch.pk}: {len(due)} bonuses"
        operating.record(by, OperatorAction.Action.RECRUIT, now, detail=detail)
    return batch


def lines_of(batch: BonusBatch) -> list[tuple[str, Decimal]]:
    """What the batch pays, one line for each of the panel's submissions: its id, and the sum of its bonuses."""
    bonuses = batch.bonuses.select_related("visit__participant").order_by("id")
    totals: dict[str, Decimal] = {}
    for bonus in bonuses:
        key = panel_id(bonus.visit)
        totals[key] = totals.get(key, Decimal(0)) + bonus.amount
    return list(totals.items())


def bonuses_file(batch: BonusBatch) -> str:
    """The batch as the panel takes it. For Prolific ``<id>,4.25`` a line, without a heading; else a table."""
    if batch.study.panel.kind == Panel.Kind.PROLIFIC:
        return _csv([[key, amounts.major_text(amount)] for key, amount in lines_of(batch)])
    table = [["participant", "session", "amount", "currency", "reason"]]
    for row in batch.bonuses.select_related("visit__participant", "bonus").order_by("id"):
        participant, session = row.visit.participant.participant_id, row.visit.session_id
        currency = batch.study.panel.currency
        table.append([participant, session, amounts.major_text(row.amount), currency, row.bonus.reason])
    return _csv(table)


def _csv(table: Iterable[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[_cell(value) for value in row] for row in table])
    return text.getvalue()


def _cell(value: str) -> str:
    """``value`` so that no spreadsheet runs it as a formula."""
    return f"'{value}" if value.lstrip().startswith(("=", "+", "-", "@")) else value


@transaction.atomic
def settle_stopped(batch: BonusBatch, was_paid: bool, by: User, now: datetime) -> bool:
    """A person looked at the panel: a stopped batch was paid there, or it was not and is paid by hand from its file."""
    new = BonusBatch.Status.PAID if was_paid else BonusBatch.Status.FILE
    if not batch.move_to(new, moved_at=now, last_error=""):
        return False
    found = "was paid" if was_paid else "was not paid, and goes out as a file"
    operating.record(by, OperatorAction.Action.RECRUIT, now, detail=f"found that bonus batch {batch.pk} {found}")
    return True
