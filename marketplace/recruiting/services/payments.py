"""What a panel's participants are to be approved for: the decisions here, in the panel's words and files."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from django.db.models import Count, Q, QuerySet, Sum

from ...models import Assignment
from ..models import Panel, PanelStudy, Visit, VisitAssignment


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

    Approving somebody twice changes nothing at a panel, so the file always holds everybody whose id is known still.
    """
    visits = study.visits.filter(participant__worker__erased_at=None).order_by("id")
    approved = [row for row in rows_of(visits) if row.verdict is Verdict.APPROVE]
    if study.panel.kind == Panel.Kind.PROLIFIC:
        return "".join(f"{panel_id(row.visit)}\n" for row in approved)
    table = [["participant", "session", "hits_approved", "reward_usd"]]
    for row in approved:
        reward = VisitAssignment.objects.filter(visit=row.visit).aggregate(
            usd=Sum("assignment__hit__hit_type__reward_usd", default=Decimal(0))
        )["usd"]
        table.append([row.visit.participant.participant_id, row.visit.session_id, str(row.approved), f"{reward:.2f}"])
    return table_text(table)


def table_text(table: Iterable[list[str]]) -> str:
    """``table`` as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[_cell(value) for value in row] for row in table])
    return text.getvalue()


def _cell(value: str) -> str:
    """``value`` so that no spreadsheet runs it as a formula."""
    return f"'{value}" if value.lstrip().startswith(("=", "+", "-", "@")) else value
