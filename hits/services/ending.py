"""Ending a batch early: expiring its HITs, and deleting them once all their work is decided."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from hits import tasks
from hits.models import HIT, Act, Batch

from . import acting, batch_life, caps, ledger
from .batch_life import Change
from .progress import Progress, progress_of


def plan_end(batch: Batch, hit_id: int | None = None) -> Change:
    """Expire every HIT of ``batch`` that runs, or the HIT ``hit_id``; with the batch, give up what is not published."""
    now = timezone.now()
    hits = batch_life.hits_of(batch, hit_id)
    asked = set(Act.objects.waiting().filter(batch=batch, kind=Act.Kind.EXPIRE).values_list("hit", flat=True))
    running = [hit for hit in hits if batch_life.is_running(hit, now) and hit.pk not in asked]
    drafts = [hit for hit in hits if hit.status == HIT.Status.DRAFT]
    sentences = []
    if running:
        sentence = ngettext(
            "{n} HIT expires at once: nobody new can take it.",
            "{n} HITs expire at once: nobody new can take them.",
            len(running),
        )
        sentences.append(sentence.format(n=len(running)))
        sentences.append(
            _(
                "Whoever has one in hand may still submit until their own deadline, and is paid as agreed. The money "
                "of places that nobody filled is free again when the endpoint says that nothing more comes."
            )
        )
    if drafts:
        sentence = ngettext(
            "{n} HIT that is not published yet is given up.",
            "{n} HITs that are not published yet are given up.",
            len(drafts),
        )
        sentences.append(sentence.format(n=len(drafts)))
    return Change(batch, Act.Kind.END, (), running + drafts, sentences=sentences)


@transaction.atomic
def end(batch: Batch, user: User | None, hit_id: int | None = None, token: UUID | None = None) -> Change:
    """Expire what :func:`plan_end` names. Raises NotDone or AskedBefore, and LostRace where a HIT moved meanwhile."""
    batch = caps.lock(batch)
    batch_life.refuse_repeats(token)
    change = plan_end(batch, hit_id)
    batch_life.confirm(change, None)
    batch_life.note(batch, Act.Kind.END, user, token, hits=len(change.touched))
    for hit in change.touched:
        if hit.status == HIT.Status.DRAFT:
            hit.move_to(HIT.Status.CLOSED)
            ledger.release_rest(hit)
    running = [hit for hit in change.touched if hit.status != HIT.Status.CLOSED]
    acting.ask(running, Act.Kind.EXPIRE, user)
    _settle(batch)
    transaction.on_commit(tasks.carry_out_acts.delay)
    return change


def _settle(batch: Batch) -> None:
    """Publishing has nothing left to do, but for HITs on their way to the endpoint right now."""
    hits = HIT.objects.filter(batch=batch)
    if hits.filter(status__in=[HIT.Status.DRAFT, HIT.Status.PUBLISHING]).exists():
        return
    if batch.status in {Batch.Status.PUBLISHING, Batch.Status.PAUSED}:
        batch.move_to(Batch.Status.OPEN, problem="")
    if batch.status == Batch.Status.OPEN and not hits.live().exists():
        batch.move_to(Batch.Status.CLOSED)


def plan_removal(batch: Batch) -> Change:
    """Delete every HIT of ``batch`` at its endpoint, as soon as that is possible."""
    hits = list(to_delete(batch).order_by("pk"))
    sentence = ngettext(
        "{n} HIT is deleted at {endpoint}, with everything that the endpoint knows of it.",
        "{n} HITs are deleted at {endpoint}, with everything that the endpoint knows of them.",
        len(hits),
    )
    sentences = [
        sentence.format(n=len(hits), endpoint=batch.endpoint_settings.label),
        _("What workers wrote, what was decided and what was paid stays here."),
        _("A rejection can no longer be taken back once its HIT is deleted."),
        *waits_for(progress_of(batch)),
    ]
    return Change(batch, Act.Kind.REMOVE, (), hits, sentences=sentences if hits else ())


def to_delete(batch: Batch) -> QuerySet[HIT]:
    """The HITs of ``batch`` that the endpoint has, but for those whose deletion was asked for and not refused."""
    asked = Act.objects.filter(hit=OuterRef("pk"), kind=Act.Kind.DELETE, problem="")
    return HIT.objects.filter(~Exists(asked), batch=batch).exclude(mturk_hit_id="")


def waits_for(progress: Progress) -> list[str]:
    """What has to happen before the HITs of a batch that is so far can be deleted; empty where nothing."""
    running, undecided = progress.open, progress.waiting
    sentences = []
    if running:
        sentence = ngettext(
            "{n} HIT is open: it is expired first, and then waits for the work that is in hand.",
            "{n} HITs are open: they are expired first, and then wait for the work that is in hand.",
            running,
        )
        sentences.append(sentence.format(n=running))
    if undecided:
        sentence = ngettext(
            "{n} submission waits for your decision: a HIT is deleted when all its work is approved or rejected.",
            "{n} submissions wait for your decision: a HIT is deleted when all its work is approved or rejected.",
            undecided,
        )
        sentences.append(sentence.format(n=undecided))
    return sentences


@transaction.atomic
def remove(batch: Batch, user: User | None, token: UUID | None = None) -> Change:
    """End ``batch`` and ask for its HITs to be deleted when nothing more can come of them.

    Raises NotDone or AskedBefore.
    """
    batch = caps.lock(batch)
    batch_life.refuse_repeats(token)
    change = plan_removal(batch)
    batch_life.confirm(change, None)
    batch_life.note(batch, Act.Kind.REMOVE, user, token, hits=len(change.touched))
    if not plan_end(batch).is_empty:
        end(batch, user)
    acting.ask(change.touched, Act.Kind.DELETE, user)
    transaction.on_commit(tasks.carry_out_acts.delay)
    return change


def is_deleted(batch: Batch, progress: Progress, acts: dict[str, int]) -> bool:
    """Whether every HIT that the endpoint had of ``batch`` is deleted there, and nothing of it is still to come."""
    return batch.status == Batch.Status.CLOSED and 0 < progress.published <= acts["done"]


def acts_counted(batch: Batch) -> dict[str, int]:
    """How many acts on ``batch`` are ``waiting``; of how many of its HITs deletion was ``asked``, and is ``done``."""
    deletion = Q(kind=Act.Kind.DELETE)
    return Act.objects.filter(batch=batch).aggregate(
        waiting=Count("pk", filter=Q(done_at__isnull=True)),
        asked=Count("pk", filter=deletion),
        done=Count("pk", filter=deletion & Q(done_at__isnull=False, problem="")),
    )
