"""What a requester does to a batch after its launch. A plan is worked out first, so that a page can show what would
happen and what it costs; doing it stores rows, and jobs make the calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Project
from hits.models import HIT, Act, Batch, HITType

from . import caps, ledger


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


def make_room(batch: Batch, amount_usd: Decimal, user: User | None, why: str) -> None:
    """Raise the cap of ``batch`` by what it lacks for ``amount_usd``: its page has said so, and somebody agreed."""
    lacking = amount_usd - caps.left_of_batch(batch)
    if lacking > 0:
        caps.raise_cap(batch, batch.cap_usd + lacking, why, user)


def hits_of(batch: Batch, hit_id: int | None = None) -> list[HIT]:
    """The HITs of ``batch``, or the one of them, with all that pricing looks at."""
    rows = HIT.objects.filter(batch=batch).order_by("pk")
    return with_prices(batch, rows.filter(pk=hit_id) if hit_id is not None else rows)


def with_prices(batch: Batch, rows: Iterable[HIT]) -> list[HIT]:
    """``rows``, HITs of ``batch``, with the batch and their types: the same few objects for some thousand rows."""
    hits, types = list(rows), {one.pk: one for one in HITType.objects.filter(batch=batch)}
    for hit in hits:
        hit.batch, hit.hit_type = batch, types[hit.hit_type_id]
    return hits


def is_running(hit: HIT, now: datetime) -> bool:
    """Whether workers can still take places of ``hit``, were there any."""
    return hit.status in {HIT.Status.OPEN, HIT.Status.REVIEWABLE} and hit.ends_at is not None and hit.ends_at > now
