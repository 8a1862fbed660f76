"""Publishing: each HIT that a batch intends is created at the endpoint, once, whatever dies in between."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from decimal import Decimal

from django import db
from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import IllegalMove, LostRace
from annotation.services import offers
from hits import mturk
from hits.models import HIT, Batch, HITType

from . import doubts, events, ledger, qualifications


def publish(batch: Batch, *, connections: int = 1, seconds: float | None = None) -> int:
    """Create at the endpoint every HIT of ``batch`` that nobody else is creating; return how many.

    Over so many ``connections`` at once, and no new one after ``seconds``. Safe to run twice and at the same time. When
    the endpoint says no, the batch pauses with its sentence. Raises mturk.Unavailable, worth a retry.
    """
    until = None if seconds is None else time.monotonic() + seconds
    batch.refresh_from_db(fields=["status"])
    if batch.status != Batch.Status.PUBLISHING:
        return 0  # paused, closed or done since this job was queued
    try:
        _prepare(batch)
        doubts.look_for_old(batch)
    except mturk.Rejected as refusal:
        _pause_for(batch, refusal)
        return 0
    done = _publish_hits(batch, until) if connections == 1 else _publish_over(connections, batch, until)
    _open_if_published(batch)
    return done


def _publish_over(connections: int, batch: Batch, until: float | None) -> int:
    """Publish over several connections. One that fails ends; its error is raised when the others have ended too."""

    def publish_some() -> int:
        try:
            return _publish_hits(copy(batch), until)
        finally:
            db.connection.close()

    with ThreadPoolExecutor(connections) as pool:
        running = [pool.submit(publish_some) for _ in range(connections)]
    return sum(each.result() for each in running)


def _publish_hits(batch: Batch, until: float | None) -> int:
    done = 0
    try:
        while (until is None or time.monotonic() < until) and (hit := _claim(batch)) is not None:
            _publish_hit(hit)
            done += 1
    except mturk.Rejected as refusal:
        _pause_for(batch, refusal)
    return done


def pause(batch: Batch, problem: str = "", waits_for: str = "") -> None:
    """Stop publishing ``batch``. A call that is under way ends as it may; its job writes down what came of it."""
    with suppress(LostRace):  # another job met the same refusal
        batch.move_to(Batch.Status.PAUSED, problem=problem, waits_for=waits_for)


def _pause_for(batch: Batch, refusal: mturk.Rejected) -> None:
    problem, lack = str(refusal), ""
    if isinstance(refusal, mturk.NoAccess):
        lack = Batch.Lack.ACCESS
    elif refusal.code == "InsufficientFunds":
        problem, lack = _what_is_missing(batch, refusal), Batch.Lack.FUNDS
    with suppress(IllegalMove):  # it is not being published any more
        pause(batch, problem, lack)


def _what_is_missing(batch: Batch, refusal: mturk.Rejected) -> str:
    try:
        balance_usd = Decimal(mturk.account_balance(batch.endpoint))
    except (mturk.Unavailable, mturk.Rejected):
        return str(refusal)
    needed_usd = still_to_publish_usd(batch)
    if needed_usd <= balance_usd:
        return str(refusal)
    sentence = _(
        "The account at {endpoint} holds ${balance}; what is still to be published needs ${needed}. Add ${missing}: "
        "publishing then goes on by itself."
    )
    return sentence.format(
        endpoint=batch.endpoint_settings.label,
        balance=balance_usd,
        needed=needed_usd,
        missing=needed_usd - balance_usd,
    )


def still_to_publish_usd(batch: Batch) -> Decimal:
    """What the endpoint sets aside for the HITs of ``batch`` that it does not have yet: rewards and fees, USD."""
    waiting = HIT.objects.filter(batch=batch, status__in=[HIT.Status.DRAFT, HIT.Status.PUBLISHING])
    each = (F("hit_type__reward_usd") + F("fee_usd")) * F("max_assignments")
    total: Decimal = waiting.aggregate(sum=Sum(each, default=Decimal(0)))["sum"]
    return total.quantize(Decimal("0.01"))


def resume_what_can_go_on() -> int:
    """Resume each batch whose endpoint paused it and has by now what it lacked; return how many."""
    resumed = 0
    for batch in Batch.objects.filter(status=Batch.Status.PAUSED).exclude(waits_for=""):
        try:
            balance_usd = Decimal(mturk.account_balance(batch.endpoint))
        except (mturk.Unavailable, mturk.Rejected):
            continue
        if batch.waits_for == Batch.Lack.FUNDS and balance_usd < still_to_publish_usd(batch):
            continue
        try:
            resume(batch)
        except LostRace:
            continue
        resumed += 1
    return resumed


def _prepare(batch: Batch) -> None:
    """See to what the HITs need: qualifications first, so that nobody can accept a HIT that they may not do."""
    project = batch.project
    qualifications.grant_wanted(project, batch.endpoint)
    types = list(HITType.objects.filter(batch=batch, mturk_hit_type_id="").select_related("batch"))
    if not types:
        return
    wanted = qualifications.requirements(
        project, batch.endpoint, batch.kind, rehearsal=project.is_rehearsal, batch=batch
    )
    for hit_type in types:
        hit_type.requirements = wanted
        hit_type.mturk_hit_type_id = mturk.create_hit_type(hit_type)
        hit_type.save(update_fields=["requirements", "mturk_hit_type_id"])
        events.subscribe(hit_type)  # before it has any HIT: events belong to the type


@transaction.atomic
def _claim(batch: Batch) -> HIT | None:
    """The next HIT for this job. ``first_attempt_at`` of what is returned is that of an *earlier* attempt, if any."""
    now = timezone.now()
    waiting = HIT.objects.filter(batch=batch).to_publish().select_related("batch", "hit_type", "offer")
    # What may be there already and whose token may be forgotten is looked for first.
    hit = waiting.exclude(doubts.is_old(now)).claim_one(now, now + mturk.CLAIM)
    if hit is None:
        return None
    if hit.status == HIT.Status.DRAFT:
        hit.move_to(HIT.Status.PUBLISHING)
    if hit.first_attempt_at is None:
        HIT.objects.filter(pk=hit.pk).update(first_attempt_at=now)
    return hit


def _publish_hit(hit: HIT) -> None:
    # No transaction spans the network call: a rollback could not take back a HIT that is already live.
    try:
        mturk_hit_id = mturk.create_hit(hit, offers.work_url(hit.offer))
    except (mturk.Rejected, mturk.NothingDone):
        _give_back(hit)
        raise
    doubts.settle(hit, mturk_hit_id, timezone.now())


def _give_back(hit: HIT) -> None:
    """This attempt made nothing. If it is also the only one, the HIT is a draft again; else it stays in doubt, until
    a list of the endpoint shows it or does not."""
    mine = HIT.objects.filter(pk=hit.pk, status=HIT.Status.PUBLISHING, claimed_until=hit.claimed_until)
    if hit.first_attempt_at is None:
        mine.update(status=HIT.Status.DRAFT, claimed_until=None, first_attempt_at=None)
    else:
        mine.update(claimed_until=None)


def is_unfinished(batch: Batch) -> bool:
    """Whether there is anything left to publish."""
    return HIT.objects.filter(batch=batch).to_publish().exists()


def _open_if_published(batch: Batch) -> None:
    if is_unfinished(batch) or HIT.objects.filter(batch=batch).unreleased().exists():
        return
    batch.refresh_from_db()
    if batch.status == Batch.Status.PUBLISHING:
        try:
            batch.move_to(Batch.Status.OPEN, problem="")
        except LostRace:
            return


@transaction.atomic
def close(batch: Batch) -> None:
    """Give up what a paused batch has not published: its money and its paragraphs or questions are free again.

    What is published already goes on. Raises IllegalMove if it is not paused, and LostRace if a HIT of it may have
    reached the endpoint: resuming finds that out.
    """
    if batch.status != Batch.Status.PAUSED:
        raise IllegalMove(f"{batch} is {batch.status}")
    hits = HIT.objects.filter(batch=batch).select_related("batch", "hit_type")
    if hits.filter(status=HIT.Status.PUBLISHING).exists():
        raise LostRace(f"a HIT of {batch} may be at the endpoint")
    for hit in hits.filter(status=HIT.Status.DRAFT):
        hit.move_to(HIT.Status.CLOSED)
        ledger.release_rest(hit)
    batch.move_to(Batch.Status.OPEN if hits.live().exists() else Batch.Status.CLOSED)


def resume(batch: Batch) -> None:
    """Go on publishing a paused batch. Raises IllegalMove if it is not paused."""
    from hits import tasks

    if batch.status != Batch.Status.PAUSED:
        raise IllegalMove(f"{batch} is {batch.status}")
    batch.move_to(Batch.Status.PUBLISHING, problem="", waits_for="")
    transaction.on_commit(lambda: tasks.publish_batch.delay(batch.pk))
