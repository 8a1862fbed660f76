"""What a requester does to a batch after its launch. A plan is worked out first, so that a page can show what would
happen and what it costs; doing it stores rows, and jobs make the calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Offer, Project
from annotation.services.offers import new_offer
from hits import tasks
from hits.models import HIT, Act, Batch

from . import caps, ledger

# HITs of one endpoint that share a fee: from this many places up most schedules charge more, and a smaller HIT cannot
# be raised to it (AWS, CreateAdditionalAssignmentsForHIT).
LARGE_HIT = 10
MOST_SISTER_PLACES = LARGE_HIT - 1


class NotDone(Exception):
    """What was asked for cannot be done; the message says why and what to do instead."""


class AskedBefore(Exception):
    """The page was sent twice; the first time did it."""


@dataclass(frozen=True)
class More:
    """``places`` more for one HIT: on the HIT itself, or on new HITs for the same task."""

    hit: HIT
    places: int
    is_sister: bool
    replaces: bool = False  # places that this HIT had and that brought nothing
    reward_usd: Decimal = Decimal(0)
    fee_usd: Decimal = Decimal(0)  # for one place

    @property
    def total_usd(self) -> Decimal:
        return self.places * (self.reward_usd + self.fee_usd)


@dataclass(frozen=True)
class Change:
    """What an act on a batch would do. ``sentences`` say it to the requester; ``total_usd`` is set aside by it."""

    batch: Batch
    kind: str
    more: Sequence[More] = ()
    touched: Sequence[HIT] = ()
    held_usd: Decimal = Decimal("0.00")  # reserved again for places that were released
    sentences: Sequence[str] = ()
    left_usd: Decimal = Decimal("0.00")

    @property
    def total_usd(self) -> Decimal:
        return sum((more.total_usd for more in self.more), self.held_usd)

    @property
    def is_empty(self) -> bool:
        return not self.more and not self.touched

    def problem(self) -> str:
        """Why it cannot be done, in one sentence or two; empty if it can."""
        if self.is_empty:
            return _("There is nothing in this batch to do that to.")
        if self.total_usd > self.left_usd:
            sentence = _(
                "This would cost ${total}; ${left} is left of the project's cap. Raise the cap, or ask for less."
            )
            return sentence.format(total=self.total_usd, left=self.left_usd)
        return ""


def left_usd(project: Project) -> Decimal:
    """What is left of the project's spending cap, USD."""
    return max(Decimal("0.00"), project.spending_cap_usd - ledger.committed_usd(project))


def confirm(change: Change, confirmed_usd: Decimal | None) -> None:
    """Raises NotDone unless ``change`` can be done and, where it commits real money, its total was typed."""
    if problem := change.problem():
        raise NotDone(problem)
    endpoint = change.batch.endpoint_settings
    if endpoint.pays_people and change.total_usd and confirmed_usd != change.total_usd:
        sentence = _("{endpoint} pays people: type the total, {total}, to go on.")
        raise NotDone(sentence.format(endpoint=endpoint.label, total=change.total_usd))


def refuse_repeats(token: UUID | None) -> None:
    """Raises AskedBefore where the page that was given ``token`` has been sent already. Call with the batch locked."""
    if token is not None and Act.objects.filter(token=token).exists():
        raise AskedBefore


def note(
    batch: Batch, kind: str, user: User | None, token: UUID | None = None, *, places: int = 0, hits: int = 0
) -> None:
    """Write down who did what to ``batch``, for ``hits`` of its HITs."""
    values = {"token": token} if token is not None else {}
    Act.objects.create(
        batch=batch, kind=kind, asked_by=user, places=places, hits=hits, done_at=timezone.now(), **values
    )


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
    )


def make_room(batch: Batch, amount_usd: Decimal, user: User | None, why: str) -> None:
    """Raise the cap of ``batch`` by what it lacks for ``amount_usd``: its page has said so, and somebody agreed."""
    lacking = amount_usd - caps.left_of_batch(batch)
    if lacking > 0:
        caps.raise_cap(batch, batch.cap_usd + lacking, why, user)


def hits_of(batch: Batch, hit_id: int | None = None) -> list[HIT]:
    """The HITs of ``batch``, or the one of them, with all that pricing looks at."""
    hits = HIT.objects.filter(batch=batch).select_related("batch", "hit_type", "offer").order_by("pk")
    return list(hits.filter(pk=hit_id) if hit_id is not None else hits)


def is_running(hit: HIT, now: datetime) -> bool:
    """Whether workers can still take places of ``hit``, were there any."""
    return hit.status in {HIT.Status.OPEN, HIT.Status.REVIEWABLE} and hit.ends_at is not None and hit.ends_at > now
