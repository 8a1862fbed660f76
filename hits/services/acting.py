"""Acts on HITs at their endpoint. Each is a row first, then a call, then its result on the row.

A crash between any two of these leaves a row that the sweep takes up again; the call may then be made twice, and each
operation knows its own repeat.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from annotation.models import LostRace
from hits import mturk
from hits.models import HIT, Act

from . import ledger

CHUNK = 1000


def carry_out(*, seconds: float | None = None) -> int:
    """Do every act that is due and that nobody else is doing, for ``seconds`` at most; return how many were taken up.

    An endpoint that does not answer, or does not let us in, is left alone for this time; the others go on. Safe to run
    twice and at the same time. Raises mturk.Unavailable, worth a retry.
    """
    until = None if seconds is None else time.monotonic() + seconds
    taken, out, failure = 0, set[str](), None
    while (until is None or time.monotonic() < until) and (act := _claim(out)) is not None:
        try:
            _carry_out(act)
            taken += 1
        except LostRace:
            pass  # somebody else took it up, and writes down what becomes of it
        except mturk.Unavailable as error:
            out.add(act.batch.endpoint)
            failure = error
        except mturk.NoAccess as refusal:
            # Nothing was done, and a mended key will do it.
            out.add(act.batch.endpoint)
            Act.objects.filter(pk=act.pk).update(problem=str(refusal))
    if failure is not None:
        raise failure
    return taken


@transaction.atomic
def _claim(out: set[str]) -> Act | None:
    now = timezone.now()
    waiting = Act.objects.to_carry_out().select_related("batch", "hit__hit_type", "hit__batch")
    waiting = waiting.exclude(batch__endpoint__in=out)
    act: Act | None = waiting.claim_one(now, now + mturk.CLAIM)
    if act is not None and act.first_attempt_at is None:
        Act.objects.filter(pk=act.pk).update(first_attempt_at=now)
    return act


def _carry_out(act: Act) -> None:
    try:
        _call(act)
    except mturk.NoAccess:
        raise
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

    if act.first_attempt_at is not None:
        if has_them():
            return
        _keep(act)
    try:
        mturk.add_assignments(endpoint, hit.mturk_hit_id, act.places, str(act.token))
    except mturk.NoAccess:
        raise
    except mturk.Rejected:
        _keep(act)
        if not has_them():  # a used token is refused too, and is a success
            raise


def _keep(act: Act) -> None:
    """Hold ``act`` for one call more. Raises LostRace."""
    Act.objects.keep(act, timezone.now() + mturk.CLAIM)


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


def ask(hits: Iterable[HIT], kind: str, user: User | None, **values: Any) -> list[Act]:
    """A row for an act of ``kind`` on each of ``hits``; none where the same kind is on its way already."""
    return ask_all(Act(batch_id=hit.batch_id, hit=hit, kind=kind, asked_by=user, **values) for hit in hits)


def ask_all(acts: Iterable[Act]) -> list[Act]:
    """Store ``acts`` on HITs, but for those of a kind that is on its way already; return what was stored."""
    rows = list(acts)
    Act.objects.bulk_create(rows, CHUNK, ignore_conflicts=True)
    stored = {act.token: act.pk for act in Act.objects.filter(token__in=[row.token for row in rows])}
    for row in rows:
        row.pk = stored.get(row.token)
    return [row for row in rows if row.pk is not None]
