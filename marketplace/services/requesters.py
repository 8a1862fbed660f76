"""What an operator does for requesters: accounts, funds, keys and their rate."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from ..models import AccessKey, LedgerEntry, OperatorAction, RequesterProfile, User
from . import accounts, money, operating

LEDGER_SHOWN = 50


class NotPossible(Exception):
    """What the operator asked for cannot be done; the message says why and what to do."""


def listed(search: str) -> QuerySet[RequesterProfile]:
    """Requesters by a part of their name or the start of their id, with the number of their keys that work."""
    rows = RequesterProfile.objects.annotate(keys=Count("access_keys", filter=Q(access_keys__is_active=True)))
    if search:
        rows = rows.filter(Q(name__icontains=search) | Q(customer_id__startswith=search.upper()))
    return rows.order_by("-id")


def last_movements(requester: RequesterProfile) -> list[LedgerEntry]:
    """The newest LEDGER_SHOWN rows of the requester's ledger, with the balances after each."""
    return list(requester.ledger.with_balances().select_related("hit").order_by("-id")[:LEDGER_SHOWN])


@transaction.atomic
def create(operator: User, name: str, now: datetime, *, pays_nobody: bool, token: UUID) -> AccessKey:
    """Make a requester with an access key. Raises NotPossible, or AlreadyDone for a form sent twice."""
    _refuse_taken_name(name)
    key = accounts.create_requester(name, now, pays_nobody=pays_nobody)
    detail = _("pays nobody") if pays_nobody else _("pays people")
    operating.record(
        operator,
        OperatorAction.Action.CREATE_REQUESTER,
        now,
        requester=key.requester,
        detail=f"{detail}, {key.access_key_id}",
        token=token,
    )
    return key


def _refuse_taken_name(name: str, but: RequesterProfile | None = None) -> None:
    others = RequesterProfile.objects.filter(name=name)
    if but is not None:
        others = others.exclude(pk=but.pk)
    if others.exists():
        raise NotPossible(_("There is a requester of that name already. Choose another, or look for that one."))


@transaction.atomic
def add_funds(
    operator: User, requester: RequesterProfile, amount_usd: Decimal, now: datetime, *, reason: str, token: UUID
) -> None:
    """Put ``amount_usd`` into the account, once for each ``token``. Raises NotPossible, AlreadyDone."""
    if requester.pays_nobody:
        raise NotPossible(_("This requester pays nobody, so it needs no funds."))
    operating.record(
        operator,
        OperatorAction.Action.ADD_FUNDS,
        now,
        requester=requester,
        detail=f"${amount_usd:,.2f}",
        reason=reason,
        token=token,
    )
    money.add_funds(requester, amount_usd, now)


@transaction.atomic
def add_key(operator: User, requester: RequesterProfile, now: datetime, *, token: UUID) -> AccessKey:
    """A further access key for the requester, once for each ``token``. Raises AlreadyDone."""
    key = AccessKey.objects.create(requester=requester, created_at=now)
    operating.record(
        operator, OperatorAction.Action.ADD_KEY, now, requester=requester, detail=key.access_key_id, token=token
    )
    return key


@transaction.atomic
def revoke_key(operator: User, key: AccessKey, now: datetime, *, reason: str) -> None:
    """Let nobody sign with ``key`` from now on. Raises NotPossible."""
    if not AccessKey.objects.filter(pk=key.pk, is_active=True).update(is_active=False):
        raise NotPossible(_("This key was revoked already."))
    operating.record(
        operator,
        OperatorAction.Action.REVOKE_KEY,
        now,
        requester=key.requester,
        detail=key.access_key_id,
        reason=reason,
    )


@transaction.atomic
def rename(operator: User, requester: RequesterProfile, name: str, now: datetime, *, reason: str) -> None:
    """Change the name that workers see. Raises NotPossible."""
    _refuse_taken_name(name, but=requester)
    old = requester.name
    RequesterProfile.objects.filter(pk=requester.pk).update(name=name)
    operating.record(
        operator,
        OperatorAction.Action.RENAME_REQUESTER,
        now,
        requester=requester,
        detail=f"{old} → {name}",
        reason=reason,
    )


@transaction.atomic
def set_rate(operator: User, requester: RequesterProfile, rate: float | None, now: datetime) -> None:
    """How many calls a second the requester may make: None is what the settings say, 0 as many as it likes."""
    accounts.set_rate(requester, rate)
    detail = _("as the settings say") if rate is None else _("no limit") if rate == 0 else _("%g a second") % rate
    operating.record(operator, OperatorAction.Action.SET_RATE, now, requester=requester, detail=detail)
