"""Fees, and the only functions that move a requester's money.

Each writes the ledger and the requester's balance together, inside the caller's transaction. Requesters who pay
nobody have neither. Rows are locked in the order assignment, HIT, requester everywhere.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import F

from ..errors import Refused
from ..models import HIT, Assignment, Bonus, LedgerEntry, RequesterProfile

CENT = Decimal("0.01")
# Of the reward. Mechanical Turk's price list of 2026-08, as is the next one.
FEE_RATE = Decimal("0.20")
# On top, where a HIT has this many assignments or more.
LARGE_HIT = 10
LARGE_HIT_RATE = Decimal("0.20")
MINIMUM_FEE = Decimal("0.01")
SANDBOX_BALANCE = Decimal("10000.00")


def fee_per_assignment(reward_usd: Decimal, max_assignments: int) -> Decimal:
    """The fee in US dollars for one assignment: 20 % of the reward, 40 % from 10 assignments a HIT on, to the cent,
    halves up, and at least one cent."""
    rate = FEE_RATE + (LARGE_HIT_RATE if max_assignments >= LARGE_HIT else Decimal(0))
    return max(MINIMUM_FEE, (reward_usd * rate).quantize(CENT, ROUND_HALF_UP))


def fee_of_bonus(amount_usd: Decimal) -> Decimal:
    """The fee in US dollars for a bonus: 20 % to the cent, halves up, and at least one cent; never a surcharge."""
    return max(MINIMUM_FEE, (amount_usd * FEE_RATE).quantize(CENT, ROUND_HALF_UP))


def cost_per_assignment(hit: HIT) -> Decimal:
    return hit.hit_type.reward_usd + hit.fee_usd


def add_funds(requester: RequesterProfile, amount_usd: Decimal, now: datetime) -> None:
    RequesterProfile.objects.filter(pk=requester.pk).update(available_usd=F("available_usd") + amount_usd)
    LedgerEntry.objects.create(requester=requester, kind=LedgerEntry.Kind.FUNDS, amount_usd=amount_usd, created_at=now)


def reserve(hit: HIT, places: int, now: datetime) -> None:
    """Set aside what ``places`` of ``hit`` may come to cost. Raises Refused (InsufficientFunds)."""
    requester = hit.requester
    if requester.pays_nobody or not places:
        return
    amount = places * cost_per_assignment(hit)
    affordable = RequesterProfile.objects.filter(pk=requester.pk, available_usd__gte=amount)
    if not affordable.update(available_usd=F("available_usd") - amount, held_usd=F("held_usd") + amount):
        raise _insufficient_funds()
    _enter(hit, LedgerEntry.Kind.RESERVE, amount, now)


def release(hit: HIT, places: int, now: datetime) -> None:
    """Give back what was set aside for ``places`` of ``hit`` that nobody will be paid for."""
    requester = hit.requester
    if requester.pays_nobody or not places:
        return
    amount = places * cost_per_assignment(hit)
    RequesterProfile.objects.filter(pk=requester.pk).update(
        available_usd=F("available_usd") + amount, held_usd=F("held_usd") - amount
    )
    _enter(hit, LedgerEntry.Kind.RELEASE, amount, now)


def pay(assignments: Iterable[Assignment], now: datetime) -> None:
    """Pay reward and fee of ``assignments``, all of one requester, out of what was set aside."""
    entries: list[LedgerEntry] = []
    requester = None
    for assignment in assignments:
        hit = assignment.hit
        requester = hit.requester
        if requester.pays_nobody:
            return
        amounts = ((LedgerEntry.Kind.REWARD, hit.hit_type.reward_usd), (LedgerEntry.Kind.FEE, hit.fee_usd))
        entries += [
            LedgerEntry(
                requester=requester, kind=kind, amount_usd=amount, hit=hit, assignment=assignment, created_at=now
            )
            for kind, amount in amounts
        ]
    if requester is None:
        return
    total = sum((entry.amount_usd for entry in entries), Decimal(0))
    RequesterProfile.objects.filter(pk=requester.pk).update(held_usd=F("held_usd") - total)
    LedgerEntry.objects.bulk_create(entries)


def pay_bonus(bonus: Bonus) -> None:
    """Pay a bonus and its fee out of what is available. Raises Refused (InsufficientFunds)."""
    requester, total = bonus.requester, bonus.amount_usd + bonus.fee_usd
    if requester.pays_nobody:
        return
    affordable = RequesterProfile.objects.filter(pk=requester.pk, available_usd__gte=total)
    if not affordable.update(available_usd=F("available_usd") - total):
        raise _insufficient_funds()
    amounts = ((LedgerEntry.Kind.BONUS, bonus.amount_usd), (LedgerEntry.Kind.BONUS_FEE, bonus.fee_usd))
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            requester=requester,
            kind=kind,
            amount_usd=amount,
            hit_id=bonus.assignment.hit_id,
            assignment=bonus.assignment,
            bonus=bonus,
            created_at=bonus.granted_at,
        )
        for kind, amount in amounts
    )


def _insufficient_funds() -> Refused:
    return Refused(
        "InsufficientFunds",
        "This Requester has insufficient funds in their account to complete this transaction. "
        "Please visit https://requester.mturk.com/prepayments/new to purchase Prepaid HITs.",
    )


def _enter(hit: HIT, kind: LedgerEntry.Kind, amount_usd: Decimal, now: datetime) -> None:
    LedgerEntry.objects.create(requester_id=hit.requester_id, kind=kind, amount_usd=amount_usd, hit=hit, created_at=now)
