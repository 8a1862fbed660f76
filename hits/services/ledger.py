"""Money. Entries are added here and nowhere else; the database keeps each from being added twice."""

from __future__ import annotations

from decimal import Decimal

from django.db import transaction

from annotation.models import Assignment, Project
from hits.models import HIT, Batch, LedgerEntry


def cost_of_one(hit: HIT) -> tuple[Decimal, Decimal]:
    """Reward and fee, USD, of one approved assignment of ``hit``."""
    return hit.hit_type.reward_usd, hit.fee_usd


def committed_usd(project: Project) -> Decimal:
    """What ``project`` has spent or set aside; its spending cap bounds this."""
    ledger = LedgerEntry.objects.in_project(project)
    return ledger.reserved_usd() + ledger.spent_usd()


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
    free_again(hit, assignment)
    LedgerEntry.objects.bulk_create(
        [
            _entry(hit, kinds.RELEASE, reward + fee, assignment),
            _entry(hit, kinds.REWARD, reward, assignment),
            _entry(hit, kinds.FEE, fee, assignment),
        ],
        ignore_conflicts=True,
    )


def release_rejected(hit: HIT, assignment: Assignment) -> None:
    """Enter that ``assignment`` was rejected: its share of the reservation is free again. Idempotent."""
    entry = _entry(hit, LedgerEntry.Kind.RELEASE, sum(cost_of_one(hit)), assignment)
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


@transaction.atomic
def release_rest(hit: HIT) -> None:
    """Enter that nothing more can come of ``hit``: what is still reserved for it is free again. Idempotent."""
    rest = LedgerEntry.objects.filter(hit=hit).reserved_usd()
    if rest > 0:
        LedgerEntry.objects.bulk_create([_entry(hit, LedgerEntry.Kind.RELEASE_REST, rest)], ignore_conflicts=True)


def _entry(hit: HIT, kind: str, amount_usd: Decimal | int, assignment: Assignment | None = None) -> LedgerEntry:
    batch: Batch = hit.batch
    return LedgerEntry(
        project_id=batch.project_id,
        batch=batch,
        hit=hit,
        assignment=assignment,
        endpoint=batch.endpoint,
        kind=kind,
        amount_usd=amount_usd,
    )
