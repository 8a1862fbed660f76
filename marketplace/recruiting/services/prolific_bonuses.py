"""Bonuses at Prolific, step by step: set up, which pays nothing; pay, which is asked for once; see that it was paid."""

import re
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from .. import prolific
from ..models import BonusBatch, PanelStudy, Visit
from . import amounts, bonus_batches, payments

Submissions = dict[str, dict[str, Any]]  # by id

RETRY_REFUSED = timedelta(hours=1)
# How long a payment that was asked for may take to show on the submissions before somebody has to look.
PAYMENT_SHOWS_WITHIN = timedelta(hours=24)
# Refusals of what was sent, and not of who sent it: one line may be to blame.
ABOUT_THE_LINES = (400, 422)


def is_of(seen: dict[str, Any], visit: Visit) -> bool:
    """Whether the submission is that of the visit's participant."""
    return (seen.get("participant_id") or seen.get("participant")) == visit.participant.participant_id


def settle(study: PanelStudy, client: prolific.Client, submissions: Submissions, now: datetime) -> int:
    """Put what may go out into a batch, and take all batches one step or more further; how many are paid now."""
    bonus_batches.leave_out_erased(study.bonus_batches.all())
    bonus_batches.send_within_budget(study, now)
    status = BonusBatch.Status
    waiting = study.bonus_batches.filter(status__in=[status.WANTED, status.SET_UP, status.PAYING])
    return sum(_settle(batch, client, submissions, now) for batch in waiting.order_by("id"))


def _settle(batch: BonusBatch, client: prolific.Client, submissions: Submissions, now: datetime) -> bool:
    if batch.try_at is not None and batch.try_at > now:
        return False
    try:
        if batch.status == BonusBatch.Status.WANTED:
            _set_up(batch, client, submissions, now)
        if batch.status == BonusBatch.Status.SET_UP:
            _pay(batch, client, now)
    except prolific.Unavailable as error:
        # Setting up pays nothing and is done anew. Paying is not: from PAYING on, only looking follows.
        BonusBatch.objects.filter(pk=batch.pk).update(last_error=str(error))
        return False
    except prolific.Refused as error:
        BonusBatch.objects.filter(pk=batch.pk).update(last_error=str(error), try_at=now + RETRY_REFUSED)
        return False
    return batch.status == BonusBatch.Status.PAYING and _see_paid(batch, submissions, now)


def _set_up(batch: BonusBatch, client: prolific.Client, submissions: Submissions, now: datetime) -> None:
    if bonus_batches.waits_for_another(batch):
        return
    if unknown := _not_shown(batch, submissions):
        sentence = _("Prolific does not show these submissions, so that it would refuse their bonuses.")
        bonus_batches.take_out(batch, unknown, BonusBatch.Status.STOPPED, sentence, now)
        batch.refresh_from_db()
    lines = bonus_batches.lines_of(batch)
    if batch.status != BonusBatch.Status.WANTED or not lines:
        return
    try:
        setup_id = client.set_up_bonuses(batch.study.external_id, bonus_batches.prolific_text(lines).rstrip("\n"))
    except prolific.Refused as refusal:
        _take_apart(batch, [key for key, _amount in lines], refusal, now)
        return
    seen_before = {key: len(_bonuses_shown(submissions.get(key))) for key, _amount in lines}
    bonus_batches.note_set_up(batch, lines, now, setup_id=setup_id, seen_before=seen_before)


def _not_shown(batch: BonusBatch, submissions: Submissions) -> set[str]:
    unknown = set()
    for bonus in batch.bonuses.select_related("visit__participant"):
        seen = submissions.get(bonus.visit.session_id)
        if seen is None or not is_of(seen, bonus.visit):
            unknown.add(payments.panel_id(bonus.visit))
    return unknown


def _take_apart(batch: BonusBatch, keys: list[str], refusal: prolific.Refused, now: datetime) -> None:
    """Let no line hold up the others: take out those that the refusal names, or try the two halves by themselves.

    Raises the refusal where it is not about a line, or where only one is left and it may be taken later.
    """
    if refusal.status not in ABOUT_THE_LINES:
        raise refusal
    said = set(re.findall(r"[\w.:@+~-]+", refusal.body))
    named = [key for key in keys if key in said]
    if named and (len(named) < len(keys) or len(keys) == 1):
        bonus_batches.take_out(batch, named, BonusBatch.Status.STOPPED, str(refusal), now)
    elif len(keys) > 1:
        bonus_batches.take_out(batch, keys[len(keys) // 2 :], BonusBatch.Status.WANTED, str(refusal), now)
    else:
        raise refusal
    batch.refresh_from_db()


def _pay(batch: BonusBatch, client: prolific.Client, now: datetime) -> None:
    # The move comes first and one alone makes it: whoever finds PAYING does not ask again.
    if not batch.move_to(BonusBatch.Status.PAYING, moved_at=now):
        return
    try:
        client.pay_bonuses(batch.setup_id)
    except (prolific.Throttled, prolific.Refused):
        batch.move_to(BonusBatch.Status.SET_UP)  # a plain no: nothing was paid
        raise
    batch.is_accepted = True
    batch.save(update_fields=["is_accepted"])


def _see_paid(batch: BonusBatch, submissions: Submissions, now: datetime) -> bool:
    """Whether each submission of the batch shows its payment."""
    amount_of = dict(bonus_batches.lines_of(batch))
    is_certain = batch.is_accepted or not bonus_batches.shares_with_file(batch)

    def is_shown(key: str, count: int) -> bool:
        new = _bonuses_shown(submissions.get(key))[count:]
        # Without an answer, somebody's payment by hand must not pass for this one.
        return bool(new) and (batch.is_accepted or (key in amount_of and amounts.minor_units(amount_of[key]) in new))

    if is_certain and batch.seen_before and all(is_shown(key, count) for key, count in batch.seen_before.items()):
        return batch.move_to(BonusBatch.Status.PAID, moved_at=now, last_error="")
    if batch.moved_at + PAYMENT_SHOWS_WITHIN < now:
        sentence = _("Prolific was asked to pay these and does not show them. Look there before anybody pays again.")
        batch.move_to(BonusBatch.Status.STOPPED, moved_at=now, last_error=sentence)
    return False


def _bonuses_shown(seen: dict[str, Any] | None) -> list[Any]:
    shown = (seen or {}).get("bonus_payments")
    return shown if isinstance(shown, list) else []
