"""More workers, and more time, for a batch that runs."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from hits import tasks
from hits.models import HIT, Act, Batch

from . import acting, batch_life, caps, ledger, sisters
from .batch_life import Change, More
from .sisters import LARGE_HIT

MOST_PLACES = 100  # more for each HIT at a time; our choice
MOST_HOURS = 24 * 365  # AWS lets a HIT live for a year


def plan_places(batch: Batch, places: int, hit_id: int | None = None) -> Change:
    """``places`` more workers for each published HIT of ``batch``, or for the HIT ``hit_id`` alone.

    A HIT that runs is raised. One that has ended, or that may not be raised (fewer than 10 places to 10 or more), gets
    new HITs for the same task beside it.
    """
    now = timezone.now()
    more: list[More] = []
    barred = ended = 0
    busy = set(Act.objects.waiting().filter(batch=batch, kind=Act.Kind.ADD).values_list("hit", flat=True))
    for hit in batch_life.hits_of(batch, hit_id):
        if not hit.mturk_hit_id or (hit.sister_of_id is not None and hit_id is None) or hit.pk in busy:
            continue
        crosses = hit.max_assignments < LARGE_HIT <= hit.max_assignments + places
        running = batch_life.is_running(hit, now)
        barred += crosses and running
        ended += not running
        more += sisters.priced(hit, places, is_sister=crosses or not running)
    return Change(
        batch, Act.Kind.TOP_UP, more, (), sentences=_places_sentences(more, barred, ended), left_usd=_left(batch)
    )


def _left(batch: Batch) -> Decimal:
    return batch_life.left_usd(batch.project)


def _places_sentences(more: list[More], barred: int, ended: int) -> list[str]:
    raised = sum(not one.is_sister for one in more)
    sentences = []
    if raised:
        sentence = ngettext(
            "{n} HIT gets more places; they open at once.", "{n} HITs get more places; they open at once.", raised
        )
        sentences.append(sentence.format(n=raised))
    if barred:
        sentence = ngettext(
            "{n} HIT was made with fewer than 10 places, and no endpoint raises such a HIT to 10 or more. It gets new "
            "HITs of at most 9 beside it, for the same task; they save the surcharge on large HITs, too.",
            "{n} HITs were made with fewer than 10 places, and no endpoint raises such a HIT to 10 or more. They get "
            "new HITs of at most 9 beside them, for the same tasks; they save the surcharge on large HITs, too.",
            barred,
        )
        sentences.append(sentence.format(n=barred))
    if ended:
        sentence = ngettext(
            "{n} HIT has ended. It gets a new HIT beside it, for the same task.",
            "{n} HITs have ended. They get new HITs beside them, for the same tasks.",
            ended,
        )
        sentences.append(sentence.format(n=ended))
    if barred or ended:
        sentences.append(_("Whoever has done a task is turned away from its other HITs."))
    return sentences


@transaction.atomic
def add_places(
    batch: Batch,
    user: User | None,
    places: int,
    hit_id: int | None = None,
    token: UUID | None = None,
    confirmed_usd: Decimal | None = None,
) -> Change:
    """Ask for ``places`` more workers; the money is set aside first. Raises NotDone or AskedBefore, with nothing
    asked for."""
    batch = caps.lock(batch)
    batch_life.refuse_repeats(token)
    change = plan_places(batch, places, hit_id)
    batch_life.confirm(change, confirmed_usd)
    batch_life.make_room(batch, change.total_usd, user, _("More workers."))
    batch_life.note(batch, Act.Kind.TOP_UP, user, token, places=places, hits=len(change.more))
    raised = {one.hit.pk: one for one in change.more if not one.is_sister}
    acts = acting.ask([one.hit for one in raised.values()], Act.Kind.ADD, user, places=places)
    ledger.reserve_more((raised[act.hit_id or 0].hit, act, raised[act.hit_id or 0].total_usd) for act in acts)
    sisters.add_sisters(batch, change.more)
    transaction.on_commit(tasks.carry_out_acts.delay)
    return change


def plan_time(batch: Batch, hours: int, hit_id: int | None = None) -> Change:
    """``hours`` more for the HITs of ``batch`` that have unfilled places, from their end or, if that is past, from now.

    A HIT that has expired lost the money of its unfilled places; it is set aside again.
    """
    touched, held, reopened = [], Decimal("0.00"), 0
    waiting = Act.objects.waiting().filter(batch=batch, kind=Act.Kind.EXTEND).values_list("hit", flat=True)
    busy = set(waiting)
    for hit in batch_life.hits_of(batch, hit_id):
        at_the_endpoint = hit.status in {HIT.Status.OPEN, HIT.Status.REVIEWABLE}
        if at_the_endpoint and unfilled(hit) and hit.pk not in busy:
            touched.append(hit)
            held += lacking_usd(hit)
            reopened += hit.status == HIT.Status.REVIEWABLE
    sentence = ngettext(
        "{n} HIT with unfilled places stays open {hours} h longer.",
        "{n} HITs with unfilled places stay open {hours} h longer.",
        len(touched),
    )
    sentences = [sentence.format(n=len(touched), hours=hours)] if touched else []
    if reopened:
        sentence = ngettext(
            "{n} of them has expired and opens again; the money of its unfilled places is set aside again.",
            "{n} of them have expired and open again; the money of their unfilled places is set aside again.",
            reopened,
        )
        sentences.append(sentence.format(n=reopened))
    return Change(batch, Act.Kind.MORE_TIME, (), touched, held, sentences, _left(batch))


def _later(hit: HIT, now: datetime, hours: int) -> datetime:
    """When ``hit`` ends with ``hours`` more; whole seconds, which is the grain of the service."""
    return (max(now, hit.ends_at or now) + timedelta(hours=hours)).replace(microsecond=0)


def unfilled(hit: HIT) -> int:
    """Places of ``hit`` that nobody has submitted."""
    return max(0, hit.max_assignments - hit.listed_count)


def lacking_usd(hit: HIT) -> Decimal:
    """What the unfilled places of ``hit`` cost beyond what is still reserved for them, USD."""
    if hit.status == HIT.Status.OPEN:
        return Decimal("0.00")  # their money is only released when the endpoint says that nothing more comes
    return max(Decimal("0.00"), unfilled(hit) * sum(ledger.cost_of_one(hit)) - ledger.reserved_for_unfilled_usd(hit))


@transaction.atomic
def add_time(
    batch: Batch,
    user: User | None,
    hours: int,
    hit_id: int | None = None,
    token: UUID | None = None,
    confirmed_usd: Decimal | None = None,
) -> Change:
    """Ask for ``hours`` more; the money of reopened places is set aside first. Raises NotDone or AskedBefore."""
    batch = caps.lock(batch)
    batch_life.refuse_repeats(token)
    change = plan_time(batch, hours, hit_id)
    batch_life.confirm(change, confirmed_usd)
    batch_life.make_room(batch, change.total_usd, user, _("More time."))
    batch_life.note(batch, Act.Kind.MORE_TIME, user, token, places=hours, hits=len(change.touched))
    now = timezone.now()
    hits = {hit.pk: hit for hit in change.touched}
    acts = acting.ask_all(
        Act(batch=batch, hit=hit, kind=Act.Kind.EXTEND, asked_by=user, until=_later(hit, now, hours))
        for hit in hits.values()
    )
    lacking = [(hits[act.hit_id or 0], act, lacking_usd(hits[act.hit_id or 0])) for act in acts]
    ledger.reserve_more((hit, act, amount) for hit, act, amount in lacking if amount)
    transaction.on_commit(tasks.carry_out_acts.delay)
    return change
