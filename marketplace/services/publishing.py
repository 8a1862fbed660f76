"""A requester makes, extends, expires and removes HITs."""

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F

from .. import ids
from ..errors import Refused, invalid_value
from ..models import HIT, Assignment, HITType, RequesterProfile, RequestToken, ReviewPolicy
from ..querysets import Counts
from . import events, money
from .events import EventType, Happened
from .overdue import TOKEN_LIFE, close

MAX_ASSIGNMENTS = 1_000_000_000


def hit_type_for(requester: RequesterProfile, now: datetime, **values: Any) -> HITType:
    """The requester's HIT type with these field values: the one there is, or a new one."""
    canonical = json.dumps(values, sort_keys=True, default=_plain)
    return HITType.objects.get_or_create(
        requester=requester,
        content_hash=hashlib.sha256(canonical.encode()).hexdigest(),
        defaults={"created_at": now, **values},
    )[0]


def hit_type_of(requester: RequesterProfile, type_id: str) -> HITType:
    """The requester's HIT type of that id. Raises Refused."""
    hit_type = HITType.objects.of(requester).filter(type_id=type_id).first()
    if hit_type is None:
        raise Refused("HITTypeDoesNotExist", f"HITType {type_id} does not exist.")
    hit_type.requester = requester
    return hit_type


def _plain(value: object) -> str:
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    raise TypeError(value)


@transaction.atomic
def create_hit(
    hit_type: HITType,
    now: datetime,
    *,
    question: str,
    max_assignments: int,
    lifetime_seconds: int,
    annotation: str,
    token: str | None,
    policies: Iterable[ReviewPolicy] = (),
) -> HIT:
    """Make a HIT and reserve its money. Raises Refused: a used ``token`` gives HitAlreadyExists with the HIT's id."""
    requester = hit_type.requester
    hit_id = ids.new_entity_id()
    if token is not None and (existing := use_token(requester, "CreateHIT", token, hit_id, now)):
        raise Refused("HitAlreadyExists", f'The HIT with ID "{existing}" already exists.')
    hit = HIT.objects.create(
        hit_id=hit_id,
        hit_type=hit_type,
        requester=requester,
        question=question,
        annotation=annotation,
        max_assignments=max_assignments,
        open_places=max_assignments,
        fee_usd=money.fee_per_assignment(hit_type.reward_usd, max_assignments),
        expires_at=now + timedelta(seconds=lifetime_seconds),
        created_at=now,
    )
    for policy in policies:
        policy.hit = hit
        policy.save()
    _keep_open(hit_type, hit.expires_at)
    money.reserve(hit, max_assignments, now)
    events.note(Happened(EventType.HIT_CREATED, hit.pk, now))
    return hit


def _keep_open(hit_type: HITType, until: datetime) -> None:
    """See to it that workers find ``hit_type`` until then."""
    if hit_type.closes_at is None or hit_type.closes_at < until:
        hour = until.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        HITType.objects.filter(pk=hit_type.pk).exclude(closes_at__gte=hour).update(closes_at=hour)


CLAIM = """
INSERT INTO marketplace_requesttoken AS used (requester_id, operation, token, made_id, used_at)
VALUES (%(requester)s, %(operation)s, %(token)s, %(made_id)s, %(now)s)
ON CONFLICT (requester_id, operation, token) DO UPDATE SET made_id = excluded.made_id, used_at = excluded.used_at
WHERE used.used_at <= %(forgotten)s
RETURNING id
"""


def use_token(requester: RequesterProfile, operation: str, token: str, made_id: str, now: datetime) -> str | None:
    """Claim ``token`` for ``made_id``; return None, or the id that it was claimed for in the last 24 hours.

    A second claim at the same moment waits here until the first one's transaction ends.
    """
    values: dict[str, Any] = {"requester": requester.pk, "operation": operation, "token": token, "made_id": made_id}
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, {**values, "now": now, "forgotten": now - TOKEN_LIFE})
        if cursor.fetchone():
            return None
    return RequestToken.objects.get(requester=requester, operation=operation, token=token).made_id


def locked_hit(requester: RequesterProfile, hit_id: str) -> HIT:
    """The requester's HIT, disposed ones too, locked until the transaction ends. Raises Refused."""
    hits = HIT.objects.of(requester).filter(hit_id=hit_id)
    hit = hits.select_related("hit_type", "requester").select_for_update(of=("self",)).first()
    if hit is None:
        raise no_such_hit(hit_id)
    return hit


def no_such_hit(hit_id: str) -> Refused:
    return Refused("HITDoesNotExist", f"Hit {hit_id} does not exist.")


def _counts(hit: HIT) -> Counts:
    return Assignment.objects.counts([hit]).get(hit.pk, Counts())


@transaction.atomic
def update_expiration(requester: RequesterProfile, hit_id: str, expires_at: datetime, now: datetime) -> None:
    """Let a HIT expire at ``expires_at``: now, if that is not in the future. Raises Refused.

    The same future time twice within 24 hours is refused, as AWS does. Expiring at once can be repeated: what AWS
    makes of that is not known. Shortening is allowed unless MARKETPLACE_STRICT_EXPIRY is on: AWS's two documents
    disagree about it.
    """
    hit = locked_hit(requester, hit_id)
    if hit.stage == HIT.Stage.DISPOSED:
        raise no_such_hit(hit_id)
    if expires_at <= now:
        HIT.objects.filter(pk=hit.pk).update(expires_at=min(now, hit.expires_at))
        close([hit], now)
        return
    if settings.MARKETPLACE_STRICT_EXPIRY and expires_at < hit.expires_at:
        raise invalid_value("ExpireAt", "A HIT can be extended or expired at once; its lifetime cannot be shortened.")
    token = f"{hit_id}{expires_at:%Y-%m-%dT%H:%M:%SZ}"
    if use_token(requester, "UpdateExpirationForHIT", token, hit_id, now):
        raise Refused("InvalidParameterValue", f'The idempotency token "{token}" has already been processed.')
    HIT.objects.filter(pk=hit.pk).update(expires_at=expires_at)
    if hit.stage == HIT.Stage.LIVE:
        _open(hit, hit.max_assignments - _counts(hit).live - hit.open_places, now)
    _keep_open(hit.hit_type, expires_at)
    if expires_at > hit.expires_at:
        events.note(Happened(EventType.HIT_EXTENDED, hit.pk, now))


def _open(hit: HIT, places: int, now: datetime) -> None:
    HIT.objects.filter(pk=hit.pk).update(open_places=F("open_places") + places)
    money.reserve(hit, places, now)


@transaction.atomic
def add_assignments(requester: RequesterProfile, hit_id: str, number: int, token: str | None, now: datetime) -> None:
    """Raise a HIT's MaxAssignments by ``number``; unless it has expired, the places open at once. Raises Refused."""
    hit = locked_hit(requester, hit_id)
    if hit.stage == HIT.Stage.DISPOSED:
        raise no_such_hit(hit_id)
    if hit.stage == HIT.Stage.REVIEWING:
        raise wrong_state(HIT.Status.REVIEWING, "Assignable, Unassignable, Reviewable")
    operation = "CreateAdditionalAssignmentsForHIT"
    if token is not None and use_token(requester, operation, token, hit_id, now):
        raise Refused(
            "AssignmentAlreadyExists", f'The idempotency token "{token}" has already been processed for HIT {hit_id}.'
        )
    total = hit.max_assignments + number
    if hit.max_assignments < money.LARGE_HIT <= total:
        raise Refused(
            "InvalidMaximumAssignmentsIncrease",
            f"HIT {hit_id} was created with fewer than {money.LARGE_HIT} assignments and cannot be raised to {total}.",
        )
    if total > MAX_ASSIGNMENTS:
        raise Refused("InvalidParameterValue", f"A HIT has at most {MAX_ASSIGNMENTS} assignments.")
    HIT.objects.filter(pk=hit.pk).update(max_assignments=total)
    if not hit.is_expired(now):
        _open(hit, number, now)
    events.note(Happened(EventType.HIT_EXTENDED, hit.pk, now))


@transaction.atomic
def extend(requester: RequesterProfile, hit_id: str, now: datetime, *, most: int, seconds: int) -> bool:
    """Ask one more worker, with at least ``seconds`` for it; False if the HIT has ``most`` assignments already.

    Raises Refused.
    """
    hit = locked_hit(requester, hit_id)
    if hit.stage == HIT.Stage.LIVE and hit.max_assignments >= most:
        return False
    until = now + timedelta(seconds=seconds)
    if hit.stage == HIT.Stage.LIVE and hit.expires_at < until:
        HIT.objects.filter(pk=hit.pk).update(expires_at=until)
        _keep_open(hit.hit_type, until)
    add_assignments(requester, hit_id, 1, None, now)
    return True


@transaction.atomic
def change_type(requester: RequesterProfile, hit_id: str, type_id: str, now: datetime) -> None:
    """Give a HIT that nobody has ever accepted another HIT type, with its pay and rules. Raises Refused."""
    hit_type = hit_type_of(requester, type_id)
    hit = locked_hit(requester, hit_id)
    if hit.stage == HIT.Stage.DISPOSED:
        raise no_such_hit(hit_id)
    if hit.stage == HIT.Stage.REVIEWING:
        raise wrong_state(HIT.Status.REVIEWING, "Assignable, Reviewable")
    if hit.assignments.exists():
        raise Refused("InvalidHITState", f"HIT {hit_id} has been accepted by a worker, so its HIT type cannot change.")
    money.release(hit, hit.open_places, now)
    hit.hit_type, hit.fee_usd = hit_type, money.fee_per_assignment(hit_type.reward_usd, hit.max_assignments)
    hit.save(update_fields=["hit_type", "fee_usd"])
    money.reserve(hit, hit.open_places, now)
    if hit.open_places:
        _keep_open(hit_type, hit.expires_at)


@transaction.atomic
def dispose(requester: RequesterProfile, hit_id: str, now: datetime) -> None:
    """Remove a HIT whose work is done and decided. Raises Refused."""
    hit = locked_hit(requester, hit_id)
    counts = _counts(hit)
    status = hit.status(counts.pending)
    if status not in (HIT.Status.REVIEWABLE, HIT.Status.REVIEWING):
        raise wrong_state(status, "Reviewing, Reviewable")
    if counts.submitted:
        raise Refused("InvalidHITState", f"Assignments of HIT {hit_id} that wait for a decision: {counts.submitted}.")
    HIT.objects.filter(pk=hit.pk).update(stage=HIT.Stage.DISPOSED)
    events.note(Happened(EventType.HIT_DISPOSED, hit.pk, now))


@transaction.atomic
def mark_reviewing(requester: RequesterProfile, hit_id: str, *, revert: bool) -> None:
    """Move a HIT from Reviewable to Reviewing, or back. Raises Refused."""
    hit = locked_hit(requester, hit_id)
    old, new = HIT.Status.REVIEWABLE, HIT.Stage.REVIEWING
    if revert:
        old, new = HIT.Status.REVIEWING, HIT.Stage.LIVE
    status = hit.status(_counts(hit).pending)
    if status != old:
        raise wrong_state(status, old.value)
    HIT.objects.filter(pk=hit.pk).update(stage=new)


def wrong_state(status: HIT.Status, allowed: str) -> Refused:
    return Refused(
        "InvalidHITState",
        f"This HIT is currently in the state '{status.value}'. "
        f"This operation can be called with a status of: {allowed}",
    )
