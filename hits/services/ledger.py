"""Money. Entries are added here and nowhere else; the database keeps each from being added twice."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.db import transaction

from annotation.models import Assignment, Project
from hits.models import HIT, Act, Batch, Bonus, LedgerEntry


def cost_of_one(hit: HIT) -> tuple[Decimal, Decimal]:
    """Reward and fee, USD, of one approved assignment of ``hit``."""
    return hit.hit_type.reward_usd, hit.fee_usd


def committed_usd(project: Project) -> Decimal:
    """What ``project`` has spent or set aside; its spending cap bounds this."""
    return sum(LedgerEntry.objects.in_project(project).balance_usd(), Decimal("0.00"))


def reserve(hits: list[HIT]) -> None:
    """Set aside what ``hits`` of one batch can cost at most."""
    LedgerEntry.objects.bulk_create(
        [_entry(hit, LedgerEntry.Kind.RESERVE, hit.max_assignments * sum(cost_of_one(hit))) for hit in hits], 1000
    )


@transaction.atomic
def pay(hit: HIT, assignment: Assignment) -> None:
    """Enter that ``assignment`` was approved: its share of the reservation becomes reward and fee. Idempotent."""
    reward, fee = cost_of_one(hit)
    kinds = LedgerEntry.Kind
    _release_share(hit, assignment, is_paid=True)
    free_again(hit, assignment)
    LedgerEntry.objects.bulk_create(
        [_entry(hit, kinds.REWARD, reward, assignment), _entry(hit, kinds.FEE, fee, assignment)],
        ignore_conflicts=True,
    )


@transaction.atomic
def release_rejected(hit: HIT, assignment: Assignment) -> None:
    """Enter that ``assignment`` was rejected: its share of the reservation is free again. Idempotent."""
    _release_share(hit, assignment, is_paid=False)


def _release_share(hit: HIT, assignment: Assignment, *, is_paid: bool) -> None:
    """Free what is reserved for ``assignment``. Nothing may be: work that somebody let in behind our back, or that came
    after the HIT's rest was freed, was never reserved for; and no reservation is freed twice."""
    HIT.objects.select_for_update(no_key=True).get(pk=hit.pk)
    kinds = LedgerEntry.Kind
    if LedgerEntry.objects.filter(assignment=assignment, kind__in=[kinds.RELEASE, kinds.REWARD]).exists():
        return
    left = max(Decimal("0.00"), LedgerEntry.objects.of_hit(hit).for_places_usd())
    share = min(sum(cost_of_one(hit)), left)
    # An approval stands in the ledger by its reward; a rejection that frees nothing, by its entry of nothing alone.
    if share > 0 or not is_paid:
        entry = _entry(hit, LedgerEntry.Kind.RELEASE, share, assignment)
        LedgerEntry.objects.bulk_create([entry], ignore_conflicts=True)


def hold_again(hit: HIT, assignment: Assignment) -> None:
    """Set aside once more what the rejection of ``assignment`` freed, before it is taken back. Idempotent."""
    entry = _entry(hit, LedgerEntry.Kind.HOLD_AGAIN, sum(cost_of_one(hit)), assignment)
    LedgerEntry.objects.bulk_create([entry], ignore_conflicts=True)


def free_again(hit: HIT, assignment: Assignment) -> None:
    """Give back what :func:`hold_again` set aside, if it did. Idempotent."""
    held = LedgerEntry.objects.filter(assignment=assignment, kind=LedgerEntry.Kind.HOLD_AGAIN).first()
    if held is not None:
        entry = _entry(hit, LedgerEntry.Kind.FREE_AGAIN, held.amount_usd, assignment)
        LedgerEntry.objects.bulk_create([entry], ignore_conflicts=True)


def reserve_more(wanted: Iterable[tuple[HIT, Act, Decimal]]) -> None:
    """Set aside so many USD more for each HIT, as its act asks. Idempotent."""
    entries = [_entry(hit, LedgerEntry.Kind.RESERVE, amount, act=act) for hit, act, amount in wanted]
    LedgerEntry.objects.bulk_create(entries, 1000, ignore_conflicts=True)


def release_act(hit: HIT, act: Act) -> None:
    """Enter that ``act`` was refused: what it had set aside is free again. Idempotent."""
    held = LedgerEntry.objects.filter(act=act, kind=LedgerEntry.Kind.RESERVE).first()
    if held is not None:
        entry = _entry(hit, LedgerEntry.Kind.RELEASE_REST, held.amount_usd, act=act)
        LedgerEntry.objects.bulk_create([entry], ignore_conflicts=True)


def reserved_for_unfilled_usd(hit: HIT) -> Decimal:
    """What is still reserved for places of ``hit`` that nobody has submitted, USD."""
    places = LedgerEntry.objects.of_hit(hit).for_places_usd()
    undecided = Assignment.objects.filter(offer=hit.offer_id, status=Assignment.Status.SUBMITTED).count()
    return places - undecided * sum(cost_of_one(hit))


@transaction.atomic
def release_rest(hit: HIT) -> None:
    """Enter that nobody can fill a place of ``hit`` any more: what is reserved beyond its undecided work is free again.

    Idempotent. Call with the HIT locked.
    """
    rest = reserved_for_unfilled_usd(hit)
    if rest <= 0:
        return
    # Each reservation has at most one release: the newest that has none yet takes this one.
    kinds = LedgerEntry.Kind
    released = LedgerEntry.objects.filter(hit=hit, kind=kinds.RELEASE_REST).values_list("act", flat=True)
    reserved = LedgerEntry.objects.filter(hit=hit, kind=kinds.RESERVE).select_related("act").order_by("-pk")
    for reservation in reserved:
        if reservation.act_id not in set(released):
            entry = _entry(hit, kinds.RELEASE_REST, rest, act=reservation.act)
            LedgerEntry.objects.bulk_create([entry], ignore_conflicts=True)
            return


def fund(batch: Batch, amount_usd: Decimal) -> None:
    """Set aside ``amount_usd`` for bonuses of ``batch``, at its launch."""
    if amount_usd > 0:
        LedgerEntry.objects.create(**_of_batch(batch, LedgerEntry.Kind.FUND, amount_usd))


@transaction.atomic
def release_fund(batch: Batch) -> Decimal:
    """Free what is left of the bonus reserve of ``batch``; return how much that was. Idempotent."""
    _lock_fund(batch.pk)
    left = LedgerEntry.objects.filter(batch=batch).fund_left_usd()
    if left <= 0 or _fund_is_released(batch.pk):
        return Decimal("0.00")
    LedgerEntry.objects.create(**_of_batch(batch, LedgerEntry.Kind.FUND_REST, left))
    return left


def _lock_fund(batch_id: int) -> None:
    """Whoever else draws on the bonus reserve, gives back to it or frees it waits: caps.lock holds the same row."""
    Batch.objects.select_for_update(no_key=True).get(pk=batch_id)


def _fund_is_released(batch_id: int) -> bool:
    return LedgerEntry.objects.filter(batch=batch_id, kind=LedgerEntry.Kind.FUND_REST).exists()


def hold_bonuses(batch: Batch, bonuses: Iterable[tuple[HIT, Bonus]]) -> None:
    """Set aside what ``bonuses`` cost, out of the bonus reserve of ``batch`` first. The caller has locked the batch."""
    left = LedgerEntry.objects.filter(batch=batch).fund_left_usd()
    kinds, entries = LedgerEntry.Kind, []
    for hit, bonus in bonuses:
        draw = min(left, bonus.cost_usd)
        left -= draw
        if draw > 0:
            entries.append(_of_bonus(hit, kinds.FUND_DRAW, draw, bonus))
        entries.append(_of_bonus(hit, kinds.BONUS_HOLD, bonus.cost_usd, bonus))
    LedgerEntry.objects.bulk_create(entries, 1000)


def pay_bonus(hit: HIT, bonus: Bonus) -> None:
    """Enter that ``bonus`` was paid: what was held for it becomes bonus and fee. Idempotent."""
    kinds = LedgerEntry.Kind
    held = LedgerEntry.objects.filter(bonus=bonus, kind=kinds.BONUS_HOLD).exists()
    entries = [
        _of_bonus(hit, kinds.BONUS, bonus.amount_usd, bonus),
        _of_bonus(hit, kinds.BONUS_FEE, bonus.fee_usd, bonus),
    ]
    if held:
        entries.append(_of_bonus(hit, kinds.BONUS_FREE, bonus.cost_usd, bonus))
    LedgerEntry.objects.bulk_create(entries, ignore_conflicts=True)


@transaction.atomic
def free_bonus(hit: HIT, bonus: Bonus) -> None:
    """Enter that ``bonus`` will not be paid: what it held is free, or back in the bonus reserve. Idempotent."""
    kinds = LedgerEntry.Kind
    _lock_fund(hit.batch_id)  # a reserve that is freed meanwhile takes nothing back
    entries = [_of_bonus(hit, kinds.BONUS_FREE, bonus.cost_usd, bonus)]
    drawn = LedgerEntry.objects.filter(bonus=bonus, kind=kinds.FUND_DRAW).first()
    if drawn is not None and not _fund_is_released(hit.batch_id):
        entries.append(_of_bonus(hit, kinds.FUND_BACK, drawn.amount_usd, bonus))
    LedgerEntry.objects.bulk_create(entries, ignore_conflicts=True)


def _of_batch(batch: Batch, kind: str, amount_usd: Decimal) -> dict[str, Any]:
    return {
        "project_id": batch.project_id,
        "batch": batch,
        "endpoint": batch.endpoint,
        "kind": kind,
        "amount_usd": amount_usd,
    }


def _of_bonus(hit: HIT, kind: str, amount_usd: Decimal, bonus: Bonus) -> LedgerEntry:
    values = _of_batch(hit.batch, kind, amount_usd)
    return LedgerEntry(hit=hit, assignment_id=bonus.assignment_id, bonus=bonus, **values)


def _entry(
    hit: HIT, kind: str, amount_usd: Decimal | int, assignment: Assignment | None = None, act: Act | None = None
) -> LedgerEntry:
    values = _of_batch(hit.batch, kind, Decimal(amount_usd))
    return LedgerEntry(hit=hit, assignment=assignment, act=act, **values)
