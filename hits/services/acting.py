"""Acts on HITs at their endpoint. Each is a row first, then a call, then its result on the row.

A crash between any two of these leaves a row that the sweep takes up again; the call may then be made twice, and each
operation knows its own repeat.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from hits import mturk
from hits.models import HIT, Act

from . import ledger

CLAIM = timedelta(seconds=45)


def carry_out() -> int:
    """Do every act that is due and that nobody else is doing; return how many were taken up.

    Safe to run twice and at the same time. Raises mturk.Unavailable, worth a retry.
    """
    taken = 0
    while (act := _claim()) is not None:
        _carry_out(act)
        taken += 1
    return taken


@transaction.atomic
def _claim() -> Act | None:
    now = timezone.now()
    waiting = Act.objects.to_carry_out().select_related("batch", "hit__hit_type", "hit__batch")
    act: Act | None = waiting.claim_one(now, now + CLAIM)
    if act is not None and act.first_attempt_at is None:
        Act.objects.filter(pk=act.pk).update(first_attempt_at=now)
    return act


def _carry_out(act: Act) -> None:
    try:
        _call(act)
    except mturk.NoAccess as refusal:
        # Nothing was done and a mended key will do it; the claim keeps the next try a while away.
        Act.objects.filter(pk=act.pk).update(problem=str(refusal))
    except mturk.Rejected as refusal:
        _refused(act, str(refusal))
    else:
        _done(act)


def _call(act: Act) -> None:
    assert act.hit is not None  # noqa: S101 - a constraint says so
    endpoint, mturk_hit_id, kinds = act.batch.endpoint, act.hit.mturk_hit_id, Act.Kind
    if act.kind == kinds.EXPIRE:
        mturk.expire_hit(endpoint, mturk_hit_id)
    elif act.kind == kinds.DELETE:
        mturk.delete_hit(endpoint, mturk_hit_id)
    elif act.kind == kinds.EXTEND:
        assert act.until is not None  # noqa: S101 - a constraint says so
        mturk.extend_hit(endpoint, mturk_hit_id, act.until)
    else:
        _add_places(act, act.hit)


def _add_places(act: Act, hit: HIT) -> None:
    """Add the places once. A token is forgotten after 24 hours, so a repeat first looks at what the HIT has by now;
    only one such act on a HIT is ever under way."""
    endpoint = act.batch.endpoint

    def has_them() -> bool:
        there = mturk.get_hit(endpoint, hit.mturk_hit_id)["MaxAssignments"]
        return bool(there >= hit.max_assignments + act.places)

    if act.first_attempt_at is not None and has_them():
        return
    try:
        mturk.add_assignments(endpoint, hit.mturk_hit_id, act.places, str(act.token))
    except mturk.NoAccess:
        raise
    except mturk.Rejected:
        if not has_them():  # a used token is refused too, and is a success
            raise


def _locked(act: Act) -> HIT:
    hits = HIT.objects.select_for_update(of=("self",)).select_related("batch", "hit_type")
    return hits.get(acts=act)


@transaction.atomic
def _done(act: Act) -> None:
    """Write down what the endpoint did. Idempotent."""
    hit = _locked(act)
    now = timezone.now()
    if not Act.objects.filter(pk=act.pk, done_at__isnull=True).update(done_at=now, problem=""):
        return
    kinds = Act.Kind
    if act.kind == kinds.EXPIRE:
        HIT.objects.filter(pk=hit.pk).update(expires_at=now)
    elif act.kind == kinds.EXTEND:
        HIT.objects.filter(pk=hit.pk).update(expires_at=act.until)
    elif act.kind == kinds.ADD:
        HIT.objects.filter(pk=hit.pk).update(max_assignments=F("max_assignments") + act.places)
    if act.kind in {kinds.EXTEND, kinds.ADD} and hit.status in {HIT.Status.REVIEWABLE, HIT.Status.CLOSED}:
        hit.move_to(HIT.Status.OPEN)


@transaction.atomic
def _refused(act: Act, sentence: str) -> None:
    """The endpoint said no for good: what was set aside for the act is free again. Idempotent."""
    hit = _locked(act)
    refused = Act.objects.filter(pk=act.pk, done_at__isnull=True)
    if refused.update(done_at=timezone.now(), problem=sentence):
        ledger.release_act(hit, act)


def reopened_since(hit: HIT, moment: datetime) -> bool:
    """Whether ``hit`` gets, or got since ``moment``, more time or places: a list read then does not know of it."""
    more = hit.acts.filter(kind__in=[Act.Kind.EXTEND, Act.Kind.ADD])
    return more.filter(done_at__isnull=True).exists() or more.filter(done_at__gte=moment, problem="").exists()


def ask(hit: HIT, kind: str, user: User | None, **values: Any) -> Act | None:
    """A row for one act on ``hit``; None where the same kind of act is on its way already."""
    act = Act(batch_id=hit.batch_id, hit=hit, kind=kind, asked_by=user, **values)
    Act.objects.bulk_create([act], ignore_conflicts=True)
    return Act.objects.filter(token=act.token).first()
