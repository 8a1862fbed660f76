"""Bonuses, paid exactly once: a row and its reservation first, then the call, then its result on the row."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Assignment, IllegalMove, LostRace, Worker
from hits import mturk
from hits.fees import CENT
from hits.models import HIT, Batch, Bonus, LedgerEntry
from hits.models.bonuses import REASON_CHARS

from . import caps, ledger
from .doubts import TOKEN_LIFE

# Our choice, as for rewards: the endpoint's own bounds are not published.
MOST_USD = Decimal("10000.00")
DECIDED = (Assignment.Status.APPROVED, Assignment.Status.REJECTED)
# Not allowed in XML 1.0, and so not in what workers are shown.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class NotPayable(Exception):
    """A bonus that cannot be asked for like this; the message says why and what to do."""


class Unknowable(Exception):
    """The endpoint does not know the work any more, so it cannot be asked whether it paid the bonus."""


@dataclass(frozen=True)
class Wish:
    """A bonus to be: what for, how much (USD, without the fee), and what the worker is told."""

    assignment: Assignment
    amount_usd: Decimal
    reason: str
    lifts_from_usd: Decimal | None = None


@transaction.atomic
def ask(
    batch: Batch,
    wishes: Sequence[Wish],
    user: User | None,
    confirmed_total_usd: Decimal | None = None,
    origin: str = Bonus.Origin.ASKED,
) -> list[Bonus]:
    """Ask for ``wishes``, all for work of ``batch``: set their money aside and queue the calls.

    Where the endpoint pays people, ``confirmed_total_usd`` is the total with fees that the requester typed. Raises
    NotPayable, or OverCap; then nothing is stored.
    """
    locked = caps.lock(batch)
    endpoint = locked.endpoint_settings
    hits = HIT.objects.filter(batch=batch, offer__in={wish.assignment.offer_id for wish in wishes})
    by_offer = {hit.offer_id: hit for hit in hits.select_related("batch")}
    _check_workers(wishes)
    rows = []
    for wish in wishes:
        _check(wish, by_offer)
        rows.append(
            Bonus(
                batch=batch,
                assignment=wish.assignment,
                worker_id=wish.assignment.worker_id,
                amount_usd=wish.amount_usd,
                fee_usd=endpoint.fees.bonus_fee_usd(wish.amount_usd),
                reason=wish.reason.strip(),
                origin=origin,
                lifts_from_usd=wish.lifts_from_usd,
                asked_by=user,
            )
        )
    total = sum((row.cost_usd for row in rows), Decimal("0.00"))
    if endpoint.pays_people and confirmed_total_usd != total:
        sentence = _("{endpoint} pays people: type the total with fees, {total}, to pay.")
        raise NotPayable(sentence.format(endpoint=endpoint.label, total=total))
    caps.require(locked, total - min(total, LedgerEntry.objects.filter(batch=batch).fund_left_usd()))
    _store(rows)
    ledger.hold_bonuses(locked, [(by_offer[row.assignment.offer_id], row) for row in rows])
    _queue()
    return rows


def _check_workers(wishes: Sequence[Wish]) -> None:
    """Raises NotPayable."""
    workers = Worker.objects.filter(pk__in={wish.assignment.worker_id for wish in wishes}, erased_at__isnull=False)
    if (erased := workers.order_by("pk").first()) is not None:
        sentence = _("What was known of {worker} was erased, their id too: the endpoint cannot be told whom to pay.")
        raise NotPayable(sentence.format(worker=erased))


def _check(wish: Wish, by_offer: dict[int, HIT]) -> None:
    """Raises NotPayable."""
    if wish.assignment.offer_id not in by_offer:
        raise NotPayable(_("Assignment {id} is not of this batch.").format(id=wish.assignment.pk))
    if wish.assignment.status not in DECIDED:
        sentence = _("Assignment {id} is not decided yet: approve or reject it first.")
        raise NotPayable(sentence.format(id=wish.assignment.pk))
    if not CENT <= wish.amount_usd <= MOST_USD or wish.amount_usd != wish.amount_usd.quantize(CENT):
        raise NotPayable(_("A bonus is from $0.01 to ${most}, in whole cents.").format(most=MOST_USD))
    reason = wish.reason.strip()
    if not reason or len(reason) > REASON_CHARS or CONTROL.search(reason):
        sentence = _("Give a reason of 1 to {most} characters, without control characters: the worker reads it.")
        raise NotPayable(sentence.format(most=REASON_CHARS))


def _store(rows: list[Bonus]) -> None:
    try:
        with transaction.atomic():
            Bonus.objects.bulk_create(rows)
    except IntegrityError as refusal:
        raise NotPayable(
            _("One of these bonuses has been asked for before, with the same reason. Nothing was stored.")
        ) from refusal


def _queue() -> None:
    from hits import tasks

    transaction.on_commit(tasks.send_bonuses.delay)


def send(*, seconds: float | None = None) -> int:
    """Pay every bonus that nobody else is paying; return how many were taken up.

    An endpoint that does not answer, does not let us in or lacks the money is left alone for this time; the others go
    on. No new call is begun after ``seconds``. Safe to run twice and at once. Raises mturk.Unavailable, worth a retry.
    """
    until = None if seconds is None else time.monotonic() + seconds
    done, out, failure = 0, set[str](), None
    while (until is None or time.monotonic() < until) and (bonus := _claim(out)) is not None:
        try:
            if not _send(bonus):
                out.add(bonus.batch.endpoint)
            done += 1
        except LostRace:
            pass  # somebody else took it up, and writes down what becomes of it
        except mturk.Unavailable as error:
            out.add(bonus.batch.endpoint)
            failure = error
    if failure is not None:
        raise failure
    return done


@transaction.atomic
def _claim(out: Collection[str] = ()) -> Bonus | None:
    now = timezone.now()
    waiting = Bonus.objects.to_send().exclude(batch__endpoint__in=out).select_related("batch", "assignment", "worker")
    bonus: Bonus | None = waiting.claim_one(now, now + mturk.CLAIM)
    if bonus is None:
        return None
    if bonus.status == Bonus.Status.WAITING:
        bonus.move_to(Bonus.Status.SENDING)
    return bonus


def _send(bonus: Bonus) -> bool:
    """Send ``bonus`` and write down what came of it; return whether the endpoint may be asked for others.

    Raises LostRace where it is in other hands by now, and mturk.Unavailable.
    """
    # No transaction spans the network call: a rollback could not take back money that has moved.
    now = timezone.now()
    if bonus.worker.erased_at is not None:  # while it was being asked for
        problem = _("The worker was erased, their id too: the endpoint cannot be told whom to pay. Give it up.")
        bonus.move_to(Bonus.Status.REFUSED, problem=problem, claimed_until=None)
        return True
    try:
        if bonus.first_attempt_at is None:
            Bonus.objects.filter(pk=bonus.pk).update(first_attempt_at=now)
        elif abs(now - bonus.first_attempt_at) > TOKEN_LIFE and settle_if_found(bonus):
            return True
        _keep(bonus)
        mturk.send_bonus(bonus)
    except mturk.NoAccess as refusal:
        _note(bonus, str(refusal))
        return False
    except mturk.Rejected as refusal:
        return _refused(bonus, refusal)
    except Unknowable as problem:
        bonus.move_to(Bonus.Status.REFUSED, problem=str(problem), claimed_until=None)
        return True
    _record_paid(bonus, None)
    return True


def _refused(bonus: Bonus, refusal: mturk.Rejected) -> bool:
    """The endpoint said no: to a repeat whose first try had paid, for want of money, or for good. As :func:`_send`."""
    was_tried = bonus.first_attempt_at is not None or is_repeat(refusal)
    try:
        if was_tried:
            _keep(bonus)
        if was_tried and settle_if_found(bonus):
            return True
    except mturk.NoAccess as problem:
        _note(bonus, str(problem))
        return False
    except Unknowable as problem:
        bonus.move_to(Bonus.Status.REFUSED, problem=str(problem), claimed_until=None)
        return True
    lacks_money = refusal.code == "InsufficientFunds"
    if lacks_money or is_repeat(refusal):
        # Money may be added, or the endpoint's list may lag; the claim keeps the next try a while away.
        _note(bonus, str(refusal))
    else:
        bonus.move_to(Bonus.Status.REFUSED, problem=str(refusal), claimed_until=None)
    return not lacks_money


def _keep(bonus: Bonus) -> None:
    """Hold ``bonus`` for one call more. Raises LostRace."""
    Bonus.objects.keep(bonus, timezone.now() + mturk.CLAIM)


def is_repeat(refusal: mturk.Rejected) -> bool:
    """Whether the endpoint refused a request token that it had seen before. Mechanical Turk's words for it contain
    "idempotency"; their code is not published."""
    return "idempotency" in str(refusal).lower() or refusal.code.lower().endswith("alreadyexists")


def _note(bonus: Bonus, problem: str) -> None:
    Bonus.objects.filter(pk=bonus.pk).update(problem=problem)


def settle_if_found(bonus: Bonus) -> bool:
    """Record ``bonus`` as paid if the endpoint lists it; return whether it does. Raises Unknowable."""
    payment = find_payment(bonus)
    if payment is None:
        return False
    _record_paid(bonus, payment)
    return True


def find_payment(bonus: Bonus) -> dict[str, Any] | None:
    """The payment of ``bonus`` in the endpoint's list, or None. Raises Unknowable, mturk.Unavailable."""
    others = Bonus.objects.filter(assignment=bonus.assignment_id, granted_at__isnull=False).exclude(pk=bonus.pk)
    taken = set(others.values_list("granted_at", flat=True))
    try:
        for payment in mturk.list_bonuses_of_assignment(bonus.batch.endpoint, bonus.assignment.mturk_assignment_id):
            if is_payment_of(bonus, payment) and payment["GrantTime"] not in taken:
                return payment
    except mturk.NoAccess:
        raise
    except mturk.Rejected as refusal:
        raise Unknowable(
            _("The endpoint does not know this work any more and cannot say whether it paid; nothing more is sent.")
        ) from refusal
    return None


def amount_of(payment: dict[str, Any]) -> Decimal:
    """USD of an item of ListBonusPayments, in whole cents."""
    return Decimal(payment["BonusAmount"]).quantize(CENT)


def is_payment_of(bonus: Bonus, payment: dict[str, Any]) -> bool:
    """Whether an item of ListBonusPayments can be ``bonus``: it carries no token, so amount and reason tell."""
    return amount_of(payment) == bonus.amount_usd and payment.get("Reason", "").strip() == bonus.reason


@transaction.atomic
def _record_paid(bonus: Bonus, payment: dict[str, Any] | None) -> None:
    granted_at = payment["GrantTime"] if payment else None
    paid = {"paid_at": granted_at or timezone.now(), "granted_at": granted_at, "claimed_until": None}
    row = Bonus.objects.select_for_update(no_key=True).get(pk=bonus.pk)
    statuses = Bonus.Status
    if row.status in {statuses.PAID, statuses.PAID_LATE}:
        return  # another job got the same answer from the same token
    if row.status == statuses.GIVEN_UP:
        # The money has moved all the same, and the ledger tells the truth.
        problem = _("The endpoint had paid it when it was given up here: its answer came too late.")
        row.move_to(statuses.PAID_LATE, problem=problem, **paid)
    else:
        row.move_to(statuses.PAID, problem="", **paid)
    ledger.pay_bonus(hit_of(bonus), row)


def hit_of(bonus: Bonus) -> HIT:
    return HIT.objects.select_related("batch").get(offer=bonus.assignment.offer_id)


def try_again(bonus: Bonus) -> None:
    """Send a refused bonus once more, under its own token. Raises IllegalMove if it was not refused, or LostRace."""
    if bonus.status != Bonus.Status.REFUSED:
        raise IllegalMove(f"{bonus} is {bonus.status}")
    with transaction.atomic():
        bonus.move_to(Bonus.Status.SENDING, problem="", claimed_until=None)
        _queue()


def give_up(bonus: Bonus) -> bool:
    """Do not pay ``bonus`` after all, and free its money; return False where it turns out to have been paid.

    One that was sent before is looked for in the endpoint's list first. Raises IllegalMove if it is settled, LostRace
    if a job has it in hand, Unknowable, mturk.Unavailable or mturk.Rejected.
    """
    held = _take(bonus)
    if held.first_attempt_at is not None and settle_if_found(held):
        return False
    with transaction.atomic():
        _keep(held)
        held.move_to(Bonus.Status.GIVEN_UP, claimed_until=None)
        ledger.free_bonus(hit_of(held), held)
    return True


@transaction.atomic
def _take(bonus: Bonus) -> Bonus:
    """``bonus``, claimed so that no job sends it meanwhile. Raises IllegalMove or LostRace."""
    now = timezone.now()
    if Bonus.Status.GIVEN_UP not in Bonus.MOVES[bonus.status]:
        raise IllegalMove(f"{bonus} is {bonus.status}")
    free = Bonus.objects.unclaimed(now).filter(pk=bonus.pk, status=bonus.status)
    if free.update(claimed_until=now + mturk.CLAIM) != 1:
        raise LostRace(f"{bonus} is being sent at this moment")
    return Bonus.objects.select_related("batch", "assignment", "worker").get(pk=bonus.pk)
