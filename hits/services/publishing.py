"""Publishing: each HIT that a batch intends is created at the endpoint, once, whatever dies in between."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from annotation.models import IllegalMove, LostRace
from annotation.services import offers
from hits import mturk
from hits.models import HIT, Batch, HITType

from . import ledger, qualifications

# How long a job holds the HIT that it is creating: longer than a call may take (see mturk.CALLS), short enough that
# a killed worker's HITs are taken up again soon.
CLAIM = timedelta(seconds=30)
# Request tokens are remembered for 24 hours (AWS, CreateHIT); an hour less, for clocks that differ.
TOKEN_LIFE = timedelta(hours=23)


def publish(batch: Batch) -> int:
    """Create at the endpoint every HIT of ``batch`` that nobody else is creating; return how many.

    Safe to run twice and at the same time. When the endpoint says no, the batch pauses with its sentence. Raises
    mturk.Unavailable, worth a retry.
    """
    done = 0
    batch.refresh_from_db(fields=["status"])
    if batch.status != Batch.Status.PUBLISHING:
        return done  # paused, closed or done since this job was queued
    try:
        _prepare(batch)
        while (hit := _claim(batch)) is not None:
            _publish_hit(hit)
            done += 1
    except mturk.Rejected as refusal:
        pause(batch, str(refusal))
    else:
        _open_if_published(batch)
    return done


def pause(batch: Batch, problem: str = "") -> None:
    """Stop publishing ``batch``; its HITs that were claimed wait as drafts again."""
    try:
        batch.move_to(Batch.Status.PAUSED, problem=problem)
    except LostRace:
        return  # another job met the same refusal
    HIT.objects.filter(batch=batch, status=HIT.Status.PUBLISHING).update(claimed_until=None)


def _prepare(batch: Batch) -> None:
    """See to what the HITs need: qualifications first, so that nobody can accept a HIT that they may not do."""
    project = batch.project
    qualifications.grant_wanted(project, batch.endpoint)
    types = list(HITType.objects.filter(batch=batch, mturk_hit_type_id="").select_related("batch"))
    if not types:
        return
    wanted = qualifications.requirements(project, batch.endpoint, batch.kind, rehearsal=project.is_rehearsal)
    for hit_type in types:
        hit_type.requirements = wanted
        hit_type.mturk_hit_type_id = mturk.create_hit_type(hit_type)
        hit_type.save(update_fields=["requirements", "mturk_hit_type_id"])


@transaction.atomic
def _claim(batch: Batch) -> HIT | None:
    now = timezone.now()
    waiting = HIT.objects.filter(batch=batch).to_publish().select_related("batch", "hit_type", "offer")
    hit = waiting.claim_one(now, now + CLAIM)
    if hit is None:
        return None
    if hit.status == HIT.Status.DRAFT:
        hit.move_to(HIT.Status.PUBLISHING)
    if hit.first_attempt_at is None:
        HIT.objects.filter(pk=hit.pk).update(first_attempt_at=now)
    return hit


def _publish_hit(hit: HIT) -> None:
    # No transaction spans the network call: a rollback could not take back a HIT that is already live.
    mturk_hit_id = None
    if hit.first_attempt_at is not None and timezone.now() - hit.first_attempt_at > TOKEN_LIFE:
        mturk_hit_id = _find_by_annotation(hit)
    if mturk_hit_id is None:
        try:
            mturk_hit_id = mturk.create_hit(hit, offers.work_url(hit.offer))
        except mturk.Rejected:
            hit.move_to(HIT.Status.DRAFT, claimed_until=None)  # it is certain that the endpoint has none
            raise
    _record(hit, mturk_hit_id, timezone.now())


@transaction.atomic
def _record(hit: HIT, mturk_hit_id: str, now: datetime) -> None:
    try:
        hit.move_to(
            HIT.Status.OPEN,
            mturk_hit_id=mturk_hit_id,
            published_at=now,
            expires_at=now + timedelta(seconds=hit.lifetime_seconds),
            claimed_until=None,
        )
    except LostRace:
        return  # another job got the same answer from the same token
    offers.set_hit(hit.offer, mturk_hit_id)


def _find_by_annotation(hit: HIT) -> str | None:
    """The endpoint's HIT that carries ``hit``'s annotation, where its token may be forgotten by now."""
    for known in mturk.list_hits(hit.batch.endpoint):
        if known.get("RequesterAnnotation") == hit.annotation:
            return str(known["HITId"])
    return None


def _open_if_published(batch: Batch) -> None:
    if HIT.objects.filter(batch=batch).to_publish().exists():
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

    batch.move_to(Batch.Status.PUBLISHING, problem="")
    transaction.on_commit(lambda: tasks.publish_batch.delay(batch.pk))
