"""Releasing the HITs of a batch for publishing: a pilot first, so many an hour or a day, or so many open at a time.

How many may be released is worked out from the rows and the clock alone. Periods are counted from the batch's start, so
a late sweep makes the next ones no later; one that was missed altogether is not made up for, as that would flood. The
plan's row is locked meanwhile, so two sweeps cannot release the same allowance twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from hits import tasks
from hits.models import HIT, Act, Batch, ReleasePlan

from . import batch_life, caps
from .batch_life import Change

HOUR_SECONDS, DAY_SECONDS = 3600, 86400


@dataclass(frozen=True)
class Release:
    """How a batch is to be released: what stands in its plan. All zero: everything at once."""

    starts_at: datetime | None = None
    pilot_hits: int = 0
    hits_a_period: int = 0
    period_seconds: int = HOUR_SECONDS
    most_open: int = 0

    @property
    def is_planned(self) -> bool:
        return bool(self.starts_at or self.pilot_hits or self.hits_a_period or self.most_open)

    def sentences(self, hits: int) -> list[str]:
        """How ``hits`` HITs come out, for the receipt and the batch's page."""
        said = []
        if self.starts_at is not None:
            said.append(_("Nothing is published before {when} UTC.").format(when=_in_words(self.starts_at)))
        if self.pilot_hits and self.pilot_hits < hits:
            sentence = ngettext(
                "A pilot first: {n} HIT. The other {rest} wait until you release them.",
                "A pilot first: {n} HITs. The other {rest} wait until you release them.",
                self.pilot_hits,
            )
            said.append(sentence.format(n=self.pilot_hits, rest=hits - self.pilot_hits))
        if self.hits_a_period:
            a_day = self.period_seconds == DAY_SECONDS
            sentence = (
                ngettext("{n} HIT a day", "{n} HITs a day", self.hits_a_period)
                if a_day
                else ngettext("{n} HIT an hour", "{n} HITs an hour", self.hits_a_period)
            )
            rest = max(0, hits - self.pilot_hits) or hits
            periods = -(-rest // self.hits_a_period)
            length = (
                ngettext("{n} day", "{n} days", periods) if a_day else ngettext("{n} hour", "{n} hours", periods)
            ).format(n=periods)
            sentence = _("{pace}: all are out after {length} at the soonest.").format(pace=sentence, length=length)
            said.append(sentence.format(n=self.hits_a_period))
        if self.most_open:
            sentence = ngettext(
                "Never more than {n} HIT is open at a time.",
                "Never more than {n} HITs are open at a time.",
                self.most_open,
            )
            said.append(sentence.format(n=self.most_open))
        return said


AT_ONCE = Release()


def _in_words(moment: datetime) -> str:
    return date_format(moment.astimezone(timezone.get_default_timezone()), "Y-m-d H:i")


def allowed(
    plan: Release,
    in_pilot: bool,
    start: datetime,
    released: Sequence[datetime],
    waiting: int,
    is_open: int,
    now: datetime,
) -> int:
    """How many of ``waiting`` HITs may be released at ``now``.

    ``released`` are the times of those that were, ``is_open`` how many of them can still be taken; periods are counted
    from ``start``.
    """
    if plan.starts_at is not None and now < plan.starts_at:
        return 0
    may = waiting
    if in_pilot:
        may = min(may, plan.pilot_hits - len(released))
    if plan.hits_a_period:
        period = timedelta(seconds=plan.period_seconds)
        began = start + (now - start) // period * period
        may = min(may, plan.hits_a_period - sum(moment >= began for moment in released))
    if plan.most_open:
        may = min(may, plan.most_open - is_open)
    return max(0, may)


def plan_of(batch: Batch) -> ReleasePlan | None:
    return ReleasePlan.objects.filter(batch=batch).first()


def as_release(plan: ReleasePlan) -> Release:
    return Release(plan.starts_at, plan.pilot_hits, plan.hits_a_period, plan.period_seconds, plan.most_open)


@transaction.atomic
def release_due(batch: Batch) -> int:
    """Release what the plan of ``batch`` allows now, and queue its publishing; return how many.

    Safe to run twice and at the same time.
    """
    plan = ReleasePlan.objects.select_for_update().filter(batch=batch).first()
    if plan is None:
        return 0
    now = timezone.now()
    hits = HIT.objects.filter(batch=batch)
    waiting = hits.unreleased()
    times = [moment for moment in hits.values_list("released_at", flat=True) if moment is not None]
    is_open = hits.filter(released_at__isnull=False, status__in=HIT.RUNNING).count()
    start = plan.starts_at or batch.launched_at
    number = allowed(as_release(plan), plan.in_pilot, start, times, waiting.count(), is_open, now)
    chosen = list(waiting.order_by("pk").values_list("pk", flat=True)[:number])
    HIT.objects.filter(pk__in=chosen).update(released_at=now)
    if chosen:
        transaction.on_commit(lambda: tasks.publish_batch.delay(batch.pk))
    return len(chosen)


def release_all_due() -> int:
    """Release what is due in every batch that publishes; return how many HITs."""
    planned = Batch.objects.filter(status=Batch.Status.PUBLISHING, release_plan__isnull=False)
    waiting = planned.filter(hits__in=HIT.objects.unreleased()).distinct().order_by("pk")
    return sum(release_due(batch) for batch in waiting)


@transaction.atomic
def start(batch: Batch, release: Release) -> None:
    """Release the HITs of ``batch`` by ``release`` from its launch on; all of them where nothing is planned."""
    if release.is_planned:
        ReleasePlan.objects.create(batch=batch, **vars(release))
        release_due(batch)
    else:
        release_new(batch)


def release_new(batch: Batch) -> None:
    """Release the HITs that ``batch`` just got, unless its plan says when."""
    if plan_of(batch) is None:
        HIT.objects.filter(batch=batch).unreleased().update(released_at=timezone.now())


def plan_rest(batch: Batch) -> Change:
    """End the pilot of ``batch``: its other HITs are released, as its plan goes on."""
    plan = plan_of(batch)
    if plan is None or not plan.in_pilot:
        return Change(batch, Act.Kind.RELEASE)
    hits = list(HIT.objects.filter(batch=batch).unreleased())
    sentence = ngettext(
        "{n} HIT that waited for the end of the pilot is released.",
        "{n} HITs that waited for the end of the pilot are released.",
        len(hits),
    )
    sentences = [sentence.format(n=len(hits)), _("Their money was reserved at launch; nothing more is.")]
    pace = Release(hits_a_period=plan.hits_a_period, period_seconds=plan.period_seconds, most_open=plan.most_open)
    return Change(batch, Act.Kind.RELEASE, (), hits, sentences=[*sentences, *pace.sentences(len(hits))])


@transaction.atomic
def release_rest(batch: Batch, user: User | None, token: UUID | None = None) -> Change:
    """End the pilot of ``batch``. Raises NotDone or AskedBefore."""
    batch = caps.lock(batch)
    batch_life.refuse_repeats(token)
    change = plan_rest(batch)
    batch_life.confirm(change, None)
    batch_life.note(batch, Act.Kind.RELEASE, user, token, hits=len(change.touched))
    ReleasePlan.objects.filter(batch=batch).update(pilot_ended_at=timezone.now(), pilot_ended_by=user)
    release_due(batch)
    return change


def standing(batch: Batch, plan: ReleasePlan | None, waiting: int) -> list[str]:
    """How far the ``plan`` of ``batch`` is, for which so many HITs wait, in sentences; empty where it has none or is
    done."""
    if plan is None or not waiting:
        return []
    done = HIT.objects.filter(batch=batch, released_at__isnull=False).count()
    sentence = ngettext("{done} of {n} HIT is released.", "{done} of {n} HITs are released.", done + waiting)
    said = [sentence.format(done=done, n=done + waiting)]
    if plan.in_pilot and done >= plan.pilot_hits:
        sentence = ngettext(
            "The pilot is out. Look at its work, then release the other {n} HIT.",
            "The pilot is out. Look at its work, then release the other {n} HITs.",
            waiting,
        )
        said = [sentence.format(n=waiting)]
    # How far the pilot is stands above.
    return said + replace(as_release(plan), pilot_hits=0).sentences(waiting)
