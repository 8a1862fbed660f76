"""What an operator wants to know about the marketplace, and the record of what operators do."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..models import HIT, Assignment, OperatorAction, Report, RequesterProfile, User, WorkerProfile

PAGE_SIZE = 50
# Submitted work that nobody has decided on for so long is worth a word with its requester.
LONG_UNDECIDED = timedelta(days=7)


class AlreadyDone(Exception):
    """A form was sent again that had been carried out."""


@dataclass(frozen=True)
class Number:
    """One figure of the overview, and where its rows are."""

    label: str
    count: int
    url: str = ""


@dataclass(frozen=True)
class Item:
    """Something that wants an operator, in a sentence, and the page where it is done."""

    sentence: str
    url: str


@dataclass(frozen=True)
class Tab:
    """A part of the operator's area with pages of its own; ``key`` is what those give ``overview.page``."""

    key: str
    label: str | Promise
    url_name: str


# Apps that rest on the marketplace add theirs here.
TABS: list[Tab] = []


def numbers(now: datetime) -> list[Number]:
    return [
        Number(_("Workers"), WorkerProfile.objects.filter(user__is_active=True).count(), reverse("operator-workers")),
        Number(_("Requesters"), RequesterProfile.objects.count(), reverse("operator-requesters")),
        Number(_("HITs with open places"), HIT.objects.filter(open_places__gt=0).count()),
        Number(_("Assignments in hand"), Assignment.objects.held().count()),
        Number(_("Undecided for 7 days or more"), undecided_for_long(now)),
        Number(
            _("Reports that wait"), Report.objects.filter(settled_at__isnull=True).count(), reverse("operator-reports")
        ),
    ]


def undecided_for_long(now: datetime) -> int:
    """How many submissions have waited for their requester longer than LONG_UNDECIDED."""
    waiting = Assignment.objects.filter(status=Assignment.Status.SUBMITTED)
    return waiting.filter(submitted_at__lte=now - LONG_UNDECIDED).count()


def agenda(now: datetime) -> list[Item]:
    """What needs doing, the most pressing first."""
    return [item for source in AGENDA for item in source(now)]


def _requesters_without_funds(now: datetime) -> Iterable[Item]:
    paying = RequesterProfile.objects.filter(pays_nobody=False, available_usd=0, access_keys__is_active=True)
    if count := paying.distinct().count():
        sentence = ngettext(
            "%d requester who pays people has nothing left to spend.",
            "%d requesters who pay people have nothing left to spend.",
            count,
        )
        yield Item(sentence % count, reverse("operator-requesters"))


# Each gives the items of one subject; another subject adds its own here.
AGENDA: list[Callable[[datetime], Iterable[Item]]] = [_requesters_without_funds]


def record(
    operator: User,
    action: OperatorAction.Action,
    now: datetime,
    *,
    worker: WorkerProfile | None = None,
    requester: RequesterProfile | None = None,
    detail: str = "",
    reason: str = "",
    token: UUID | None = None,
) -> OperatorAction:
    """Write down what ``operator`` did, inside the transaction that does it.

    A form's ``token`` is good for one action: with one that was used before, this raises AlreadyDone.
    """
    row = OperatorAction(
        operator=operator,
        action=action,
        worker=worker,
        requester=requester,
        detail=detail[:500],
        reason=reason[:500],
        token=token,
        created_at=now,
    )
    if token is None:
        row.save()
        return row
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise AlreadyDone(_("This form was carried out already; it is not done twice. The log shows it.")) from None
    return row


@dataclass(frozen=True)
class Actions:
    rows: list[OperatorAction]
    next_before: int | None


def actions_on(row: WorkerProfile | RequesterProfile) -> list[OperatorAction]:
    """The newest actions that were about a worker or a requester."""
    return list(row.operator_actions.select_related("operator").order_by("-id")[:PAGE_SIZE])


def actions(before: int | None) -> Actions:
    """What operators did, newest first, from ``before`` (a key, exclusive) on."""
    rows = OperatorAction.objects.select_related("operator", "worker", "requester").order_by("-id")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: PAGE_SIZE + 1])
    shown = found[:PAGE_SIZE]
    return Actions(shown, shown[-1].pk if len(found) > PAGE_SIZE else None)
