"""Bonuses of a panel's participants in batches: for a file, or for the panel's API within what the study may spend."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...models import Bonus, OperatorAction, User
from ...services import operating
from ..models import BonusBatch, Panel, PanelBonus, PanelStudy, Participant, ProlificStudy, VisitAssignment
from . import amounts
from .payments import panel_id, table_text

Line = tuple[str, Decimal]

Status = BonusBatch.Status
# On their way by the API, or it is not known what became of them.
UNSETTLED = (Status.WANTED, Status.SET_UP, Status.PAYING, Status.STOPPED)


class OtherTotal(Exception):
    """What was typed is not what the bonuses come to; the message says so."""


def bonuses_due(study: PanelStudy) -> QuerySet[Bonus]:
    """Bonuses of the study's participants that are in no batch yet. The panel's id of who was erased is gone."""
    return _in_no_batch(study).filter(worker__erased_at=None)


def bonuses_of_erased(study: PanelStudy) -> QuerySet[Bonus]:
    """Bonuses that cannot be paid through the panel, as nobody knows any more whose they are there."""
    return _in_no_batch(study).exclude(worker__erased_at=None)


def _in_no_batch(study: PanelStudy) -> QuerySet[Bonus]:
    taken = VisitAssignment.objects.filter(visit__study=study)
    return Bonus.objects.filter(assignment__in=taken.values("assignment")).exclude(
        pk__in=PanelBonus.objects.values("bonus")
    )


def sendable(study: PanelStudy) -> QuerySet[Bonus]:
    """Bonuses that are due, of visits that the panel has shown and of which no other bonus is on its way.

    Two payments to one submission at once could not be told apart if an answer was lost.
    """
    known = VisitAssignment.objects.filter(visit__study=study).exclude(visit__panel_status="")
    on_its_way = PanelBonus.objects.filter(batch__study=study, batch__status__in=UNSETTLED)
    free = known.exclude(visit__in=on_its_way.values("visit"))
    return bonuses_due(study).filter(assignment__in=free.values("assignment"))


def total_usd(bonuses: QuerySet[Bonus]) -> Decimal:
    total: Decimal = bonuses.aggregate(sum=Sum("amount_usd", default=Decimal(0)))["sum"]
    return total


def spent_usd(study: PanelStudy) -> Decimal:
    """What went out by itself; batches that an operator took or confirmed are not counted."""
    own = PanelBonus.objects.filter(batch__study=study, batch__created_by=None)
    spent: Decimal = own.aggregate(sum=Sum("bonus__amount_usd", default=Decimal(0)))["sum"]
    return spent


@transaction.atomic
def set_budget(study: PanelStudy, budget_usd: Decimal, by: User, now: datetime) -> None:
    """Let bonuses of the study go out by themselves until they come to ``budget_usd`` in all."""
    _locked(study)
    ProlificStudy.objects.filter(study=study).update(bonus_budget_usd=budget_usd)
    detail = f"set the bonus budget of study {study.key} to {budget_usd} USD"
    operating.record(by, OperatorAction.Action.RECRUIT, now, detail=detail)


@transaction.atomic
def make_file(study: PanelStudy, by: User, now: datetime) -> BonusBatch | None:
    """Put the bonuses that are due into a batch that is paid by hand from its file; None if there are none."""
    locked = _locked(study)
    return _make(locked, Status.FILE, list(bonuses_due(locked).order_by("id")), now, by)


@transaction.atomic
def send_within_budget(study: PanelStudy, now: datetime) -> BonusBatch | None:
    """Put what the study may still spend into a batch for the API; None if that is nothing.

    A bonus that is more than what is left waits for a person, and does not hold up smaller ones after it.
    """
    locked = _locked(study)
    left = ProlificStudy.objects.get(study=study).bonus_budget_usd - spent_usd(study)
    fitting = []
    for bonus in sendable(locked).order_by("id"):
        if bonus.amount_usd <= left:
            left -= bonus.amount_usd
            fitting.append(bonus)
    return _make(locked, Status.WANTED, fitting, now, None)


@transaction.atomic
def send_confirmed(study: PanelStudy, typed_usd: Decimal, by: User, now: datetime) -> BonusBatch | None:
    """Put all that can be sent into a batch for the API, beyond any budget. Raises OtherTotal."""
    locked = _locked(study)
    rows = sendable(locked)
    if total_usd(rows) != typed_usd:
        raise OtherTotal(_("Type the total of the bonuses as it stands there. Nothing was sent."))
    return _make(locked, Status.WANTED, list(rows.order_by("id")), now, by)


def _locked(study: PanelStudy) -> PanelStudy:
    return PanelStudy.objects.select_for_update(of=("self",)).select_related("panel").get(pk=study.pk)


def _make(study: PanelStudy, status: Status, due: list[Bonus], now: datetime, by: User | None) -> BonusBatch | None:
    if not due:
        return None
    taken = VisitAssignment.objects.filter(assignment__in=[bonus.assignment_id for bonus in due])
    visits = dict(taken.values_list("assignment_id", "visit_id"))
    batch = BonusBatch.objects.create(study=study, status=status, created_by=by, created_at=now, moved_at=now)
    PanelBonus.objects.bulk_create(
        PanelBonus(
            batch=batch,
            bonus=bonus,
            visit_id=visits[bonus.assignment_id],
            amount=amounts.from_usd(study.panel, bonus.amount_usd),
        )
        for bonus in due
    )
    if by is not None:
        verb = "took" if status == Status.FILE else "sent"
        detail = f"{verb} bonus batch {batch.pk}: {len(due)} bonuses, {sum(bonus.amount_usd for bonus in due)} USD"
        operating.record(by, OperatorAction.Action.RECRUIT, now, detail=detail)
    return batch


def _payable(batch: BonusBatch) -> QuerySet[PanelBonus]:
    rows = batch.bonuses.select_related("visit__participant", "bonus").order_by("id")
    return rows.filter(visit__participant__worker__erased_at=None)


def lines_of(batch: BonusBatch) -> list[Line]:
    """What the batch pays, one line for each of the panel's submissions: its id, and the sum of its bonuses."""
    totals: dict[str, Decimal] = {}
    for bonus in _payable(batch):
        key = panel_id(bonus.visit)
        totals[key] = totals.get(key, Decimal(0)) + bonus.amount
    return list(totals.items())


def prolific_text(lines: Iterable[Line]) -> str:
    """``<id>,4.25`` a line, without a heading."""
    return table_text([key, amounts.major_text(amount)] for key, amount in lines)


def bonuses_file(batch: BonusBatch) -> str:
    """The batch as the panel takes it: as Prolific's bulk bonuses, else a table."""
    if batch.study.panel.kind == Panel.Kind.PROLIFIC:
        return prolific_text(lines_of(batch))
    table = [["participant", "session", "amount", "currency", "reason"]]
    for row in _payable(batch):
        participant, session = row.visit.participant.participant_id, row.visit.session_id
        currency = batch.study.panel.currency
        table.append([participant, session, amounts.major_text(row.amount), currency, row.bonus.reason])
    return table_text(table)


def waits_for_another(batch: BonusBatch) -> bool:
    """Whether an earlier batch with a submission of this one is on its way still."""
    earlier = PanelBonus.objects.filter(batch__status__in=UNSETTLED, batch__lt=batch.pk)
    return earlier.filter(visit__in=batch.bonuses.values("visit")).exists()


def shares_with_file(batch: BonusBatch) -> bool:
    """Whether somebody may be paying a submission of this batch by hand, out of a file."""
    in_files = PanelBonus.objects.filter(batch__status=Status.FILE)
    return in_files.filter(visit__in=batch.bonuses.values("visit")).exists()


@transaction.atomic
def note_set_up(batch: BonusBatch, lines: list[Line], now: datetime, **values: object) -> bool:
    """Write down that ``lines`` were set up; False if the batch is no longer those, so that it is done anew."""
    BonusBatch.objects.select_for_update().filter(pk=batch.pk).first()
    return lines_of(batch) == lines and batch.move_to(Status.SET_UP, moved_at=now, try_at=None, last_error="", **values)


@transaction.atomic
def take_out(batch: BonusBatch, keys: Collection[str], status: Status, reason: str, now: datetime) -> None:
    """Move the lines of ``keys`` out of a batch that nobody has set up, into one of their own that is ``status``."""
    locked = BonusBatch.objects.select_for_update().filter(pk=batch.pk, status=Status.WANTED).first()
    if locked is None:
        return
    rows = list(locked.bonuses.select_related("visit__participant"))
    taken = [row.pk for row in rows if panel_id(row.visit) in keys]
    if len(taken) == len(rows):
        if status != Status.WANTED:
            locked.move_to(status, last_error=reason, moved_at=now)
        return
    other = BonusBatch.objects.create(
        study=locked.study,
        status=status,
        created_by=locked.created_by,
        created_at=now,
        moved_at=now,
        last_error=reason,
    )
    PanelBonus.objects.filter(pk__in=taken).update(batch=other)


@transaction.atomic
def leave_out_erased(batches: QuerySet[BonusBatch]) -> None:
    """Take the bonuses of people who were erased out of those of ``batches`` that nobody has set up."""
    for batch in batches.filter(status=Status.WANTED).select_for_update():
        batch.bonuses.exclude(visit__participant__worker__erased_at=None).delete()
        if not batch.bonuses.exists():
            batch.delete()


@transaction.atomic
def forget(participant: Participant) -> None:
    """Drop what batches keep of the participant's ids at the panel. Called while their visits have them still."""
    keys = {panel_id(visit) for visit in participant.visits.select_related("participant")}
    theirs = PanelBonus.objects.filter(visit__participant=participant)
    for batch in BonusBatch.objects.filter(pk__in=theirs.values("batch")).select_for_update():
        batch.seen_before = {key: count for key, count in batch.seen_before.items() if key not in keys}
        for key in keys:
            batch.last_error = batch.last_error.replace(key, _("(erased)"))
        batch.save(update_fields=["seen_before", "last_error"])
        if batch.status == Status.WANTED:
            theirs.filter(batch=batch).delete()
            if not batch.bonuses.exists():
                batch.delete()


@transaction.atomic
def settle_stopped(batch: BonusBatch, was_paid: bool, by: User, now: datetime) -> bool:
    """A person looked at the panel: a stopped batch was paid there, or it was not and is paid by hand from its file."""
    new = Status.PAID if was_paid else Status.FILE
    if not batch.move_to(new, moved_at=now, last_error=""):
        return False
    found = "was paid" if was_paid else "was not paid, and goes out as a file"
    operating.record(by, OperatorAction.Action.RECRUIT, now, detail=f"found that bonus batch {batch.pk} {found}")
    return True


def agenda(now: datetime) -> Iterator[operating.Item]:
    """Bonuses that somebody has to look at at the panel, and those that are beyond their study's budget."""
    stopped = BonusBatch.objects.filter(status=Status.STOPPED).values_list("study", flat=True)
    for pk in sorted(set(stopped)):
        name = PanelStudy.objects.get(pk=pk).name
        sentence = _("Bonuses of “{study}” need a look at the panel.").format(study=name)
        yield operating.Item(sentence, reverse("recruiting-study", args=[pk]))
    published = ProlificStudy.objects.filter(status=ProlificStudy.Status.PUBLISHED).select_related("study")
    for row in published.order_by("id"):
        left = row.bonus_budget_usd - spent_usd(row.study)
        if count := sendable(row.study).filter(amount_usd__gt=left).count():
            sentence = ngettext(
                "%(count)d bonus of “%(study)s” is beyond its budget.",
                "%(count)d bonuses of “%(study)s” are beyond its budget.",
                count,
            ) % {"count": count, "study": row.study.name}
            yield operating.Item(sentence, reverse("recruiting-study", args=[row.study_id]))
