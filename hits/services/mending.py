"""Taking what happened at an endpoint behind our back into the ledger: by a person, one difference at a time.

It happened there and cost what it cost; so no cap stands in the way, and the ledger tells the truth afterwards.
"""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Assignment
from hits import mturk
from hits.models import HIT, AssignmentDecision, Bonus
from hits.models.bonuses import REASON_CHARS

from . import bonuses, ledger, syncing
from .reconciling import Kind, differences_of, look


class NothingToMend(Exception):
    """The difference is gone, or cannot be mended here; the message says which."""


def mend(hit: HIT, kind: str, mturk_assignment_id: str, user: User | None) -> None:
    """Take the difference of ``kind`` on that assignment of ``hit`` into the ledger, if it is still there.

    Raises NothingToMend, and mturk.Unavailable or mturk.Rejected.
    """
    if kind not in Kind.MENDS:
        raise NothingToMend(_("This difference cannot be mended here."))
    sides = look(hit)
    found = [
        difference
        for difference in (differences_of(hit, sides) if sides else [])
        if (difference.kind, difference.mturk_assignment_id) == (kind, mturk_assignment_id)
    ]
    if sides is None or not found:
        raise NothingToMend(_("This difference is gone meanwhile: compare again."))
    if kind == Kind.APPROVED_UNRECORDED:
        _record_approval(hit, mturk_assignment_id, user)
    elif kind == Kind.BONUS_UNSETTLED:
        for bonus in Bonus.objects.filter(pk__in=[difference.bonus for difference in found if difference.bonus]):
            _settle(bonus)
    else:
        _adopt(hit, mturk_assignment_id, sides.payments, user)


def _record_approval(hit: HIT, mturk_assignment_id: str, user: User | None) -> None:
    listed = mturk.get_assignment(hit.batch.endpoint, mturk_assignment_id)
    if listed["HITId"] != hit.mturk_hit_id or listed["AssignmentStatus"] != "Approved":
        raise NothingToMend(_("This difference is gone meanwhile: compare again."))
    with transaction.atomic():
        assignment = syncing.record(hit, listed)
        # Who took it in, beside the other decisions about the same work.
        note = _("Found approved at the endpoint, and taken into the ledger.")
        AssignmentDecision.objects.create(
            assignment=assignment,
            kind=AssignmentDecision.Kind.APPROVE,
            asked_by=user,
            done_at=timezone.now(),
            problem=note,
        )


def _settle(bonus: Bonus) -> None:
    if not bonuses.settle_if_found(bonus):
        raise NothingToMend(_("This difference is gone meanwhile: compare again."))


def _adopt(hit: HIT, mturk_assignment_id: str, payments: list[dict[str, Any]], user: User | None) -> None:
    """A row and entries for each payment for that assignment that no row of ours stands for."""
    assignment = Assignment.objects.listed().filter(offer=hit.offer_id, mturk_assignment_id=mturk_assignment_id).first()
    if assignment is None:
        raise NothingToMend(_("The work behind this bonus is not recorded here yet: record it first."))
    free = list(Bonus.objects.filter(assignment=assignment).standing())
    for payment in payments:
        if payment["AssignmentId"] != mturk_assignment_id:
            continue
        known = next((row for row in free if bonuses.is_payment_of(row, payment)), None)
        if known is not None:
            free.remove(known)
            continue
        _adopt_one(hit, assignment, payment, user)


def _adopt_one(hit: HIT, assignment: Assignment, payment: dict[str, Any], user: User | None) -> None:
    amount = bonuses.amount_of(payment)
    try:
        with transaction.atomic():
            bonus = Bonus.objects.create(
                batch=hit.batch,
                assignment=assignment,
                worker_id=assignment.worker_id,
                amount_usd=amount,
                fee_usd=hit.batch.endpoint_settings.fees.bonus_fee_usd(amount),
                reason=payment.get("Reason", "").strip()[:REASON_CHARS] or "–",
                origin=Bonus.Origin.FOUND,
                status=Bonus.Status.PAID,
                paid_at=payment["GrantTime"],
                granted_at=payment["GrantTime"],
                asked_by=user,
            )
            ledger.pay_bonus(hit, bonus)
    except IntegrityError as refusal:
        raise NothingToMend(_("Somebody else has adopted this bonus at this moment.")) from refusal
