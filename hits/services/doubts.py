"""HITs of which nobody knows whether the endpoint has them: an attempt was made and its answer did not come.

Asking again with the same request token settles it while the endpoint remembers the token; after that, and wherever a
batch may not be published any more, the endpoint's list of HITs does, which shows our annotation.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotation.models import LostRace
from annotation.services import offers
from hits import mturk
from hits.models import HIT, Batch

# An endpoint may list a new HIT late (AWS calls its lists eventually consistent): absence from the list proves
# nothing before this. AWS states no bound.
LISTED_BY = timedelta(minutes=10)
# Request tokens are remembered for 24 hours (AWS, CreateHIT). Half of that, for clocks that are set anew in between.
TOKEN_LIFE = timedelta(hours=12)


def is_old(now: datetime) -> Q:
    """First attempts whose token the endpoint may have forgotten by now; or made by a clock that was wrong."""
    return Q(first_attempt_at__lte=now - TOKEN_LIFE) | Q(first_attempt_at__gte=now + LISTED_BY)


def look_for_old(batch: Batch) -> None:
    """Settle the old doubts of ``batch`` by one pass over the endpoint's list. Raises mturk's errors."""
    now = timezone.now()
    doubtful = of(batch.endpoint).filter(is_old(now), batch=batch)
    if not doubtful:
        return
    found = match(doubtful)
    for known in mturk.list_hits(batch.endpoint):
        found(known)
    dismiss(doubtful, now)


def of(endpoint: str) -> Any:
    """The HITs in doubt at ``endpoint``; asked for once, as they stand now."""
    return HIT.objects.filter(status=HIT.Status.PUBLISHING, batch__endpoint=endpoint).select_related("batch", "offer")


def match(doubtful: Any) -> Callable[[dict[str, Any]], bool]:
    """A function that takes a HIT of the endpoint's list and, if it is one of ``doubtful``, writes its id down."""
    waiting = {hit.annotation: hit for hit in doubtful}

    def found(known: dict[str, Any]) -> bool:
        hit = waiting.pop(known.get("RequesterAnnotation", ""), None)
        if hit is None:
            return False
        settle(hit, str(known["HITId"]), timezone.now())
        return True

    return found


@transaction.atomic
def settle(hit: HIT, mturk_hit_id: str, now: datetime) -> None:
    """Write down that the endpoint has ``hit``, under this id. Idempotent."""
    try:
        hit.move_to(
            HIT.Status.OPEN,
            mturk_hit_id=mturk_hit_id,
            published_at=now,
            expires_at=now + timedelta(seconds=hit.lifetime_seconds),
            claimed_until=None,
            first_attempt_at=None,
        )
    except LostRace:
        return  # another job got the same answer from the same token
    offers.set_hit(hit.offer, mturk_hit_id)


def dismiss(doubtful: Any, asked_at: datetime) -> None:
    """After a whole list, asked for at ``asked_at``, without them: those of ``doubtful`` that nobody has tried for
    since, and that have had the time to be listed, are not there, and are drafts again."""
    long_ago = Q(first_attempt_at__lte=asked_at - LISTED_BY) | is_old(asked_at)
    for hit in doubtful:
        same = HIT.objects.filter(pk=hit.pk, status=HIT.Status.PUBLISHING, first_attempt_at=hit.first_attempt_at)
        untried = same.unclaimed(asked_at).filter(long_ago)
        untried.update(status=HIT.Status.DRAFT, first_attempt_at=None, claimed_until=None)
