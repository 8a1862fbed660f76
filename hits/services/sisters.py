"""More places for the tasks that a batch has: what they cost, and new HITs for them beside the old ones."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import prefetch_related_objects

from annotation.models import Offer
from annotation.services.offers import new_offer
from hits import tasks
from hits.models import HIT, Batch

from . import ledger, releasing
from .batch_life import More

# HITs of one endpoint that share a fee: from this many places up most schedules charge more, and a smaller HIT cannot
# be raised to it (AWS, CreateAdditionalAssignmentsForHIT).
LARGE_HIT = 10
MOST_SISTER_PLACES = LARGE_HIT - 1


def priced(hit: HIT, places: int, *, is_sister: bool, replaces: bool = False) -> list[More]:
    """``places`` more for ``hit`` with their price; on sisters, in HITs that stay below the surcharge."""
    reward = hit.hit_type.reward_usd
    if not is_sister:
        return [More(hit, places, False, replaces, reward, hit.fee_usd)]
    fees = hit.batch.endpoint_settings.fees
    sizes = [MOST_SISTER_PLACES] * (places // MOST_SISTER_PLACES)
    sizes += [places % MOST_SISTER_PLACES] if places % MOST_SISTER_PLACES else []
    return [More(hit, size, True, replaces, reward, fees.fee_usd(reward, size)) for size in sizes]


def add_sisters(batch: Batch, wanted: Sequence[More]) -> list[HIT]:
    """HITs for tasks that ``batch`` has already, as ``wanted``, with their money set aside; publishing them is queued.

    Whoever did a task by any of its HITs is turned away from the others by the work page.
    """
    sisters = [more for more in wanted if more.is_sister]
    prefetch_related_objects([more.hit for more in sisters], "offer__task")
    offers = [_offer_again(more.hit) for more in sisters]
    Offer.objects.bulk_create(offers)
    hits = HIT.objects.bulk_create(
        [
            HIT(
                batch=batch,
                hit_type=more.hit.hit_type,
                offer=offer,
                max_assignments=more.places,
                fee_usd=more.fee_usd,
                lifetime_seconds=more.hit.lifetime_seconds,
                sister_of=more.hit,
                replaces_places=more.places if more.replaces else 0,
            )
            for more, offer in zip(sisters, offers, strict=True)
        ]
    )
    ledger.reserve(hits)
    if hits:
        releasing.release_new(batch)
        if batch.status in {Batch.Status.OPEN, Batch.Status.CLOSED}:
            batch.move_to(Batch.Status.PUBLISHING)
        transaction.on_commit(lambda: tasks.publish_batch.delay(batch.pk))
    return hits


def _offer_again(hit: HIT) -> Offer:
    known = hit.offer
    return new_offer(
        known.task,
        endpoint=known.endpoint,
        reward_usd=known.reward_usd,
        paid_seconds=known.paid_seconds,
        allowed_seconds=known.allowed_seconds,
        worker_origins=known.worker_origins,
        series=known.series,
        most_in_series=known.most_in_series,
    )
