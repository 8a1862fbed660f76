"""Launching a batch: rows for everything that is to happen, in one transaction; the jobs do it afterwards."""

from __future__ import annotations

from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from annotation.models import Offer, Project, Task
from annotation.services.offers import new_offer
from annotation.services.tasks import create_tasks
from hits import endpoints, tasks
from hits.models import HIT, Batch, HITType

from . import ledger, planning, releasing
from .planning import BatchSpec, Estimate, Line, NotLaunchable

DAY_SECONDS = 24 * 60 * 60
CHUNK = 1000


@transaction.atomic
def launch(project: Project, spec: BatchSpec, user: User | None, confirmed_total_usd: Decimal | None = None) -> Batch:
    """Launch what ``spec`` asks for, as one batch whose hard cap is its estimate, and queue its publishing.

    On an endpoint that pays people ``confirmed_total_usd`` is the total that the requester typed. Raises
    NotLaunchable; then nothing was stored.
    """
    # Two launches at once must not both spend what is left.
    project = Project.objects.select_for_update().get(pk=project.pk)
    endpoint = endpoints.get(spec.endpoint)
    if project.is_rehearsal != endpoint.is_for_rehearsal:
        raise NotLaunchable(_("Rehearsals run on the rehearsal endpoint, and nothing else does."))
    estimate = planning.estimate(project, spec)
    if problem := estimate.problem():
        raise NotLaunchable(problem)
    if endpoint.pays_people and confirmed_total_usd != estimate.total_usd:
        sentence = _("{endpoint} pays people: type the total, {total}, to launch.")
        raise NotLaunchable(sentence.format(endpoint=endpoint.label, total=estimate.total_usd))
    batch = Batch.objects.create(
        project=project,
        kind=spec.kind,
        endpoint=spec.endpoint,
        splits=list(spec.splits),
        articles=list(spec.articles),
        units_per_hit=spec.units_per_hit,
        hourly_rate_usd=spec.hourly_rate_usd,
        extra_answers=spec.extra_answers,
        cap_usd=estimate.total_usd,
        most_tasks_a_worker=spec.most_tasks_a_worker,
        launched_by=user,
    )
    hits = _create_hits(batch, estimate)
    ledger.reserve(hits)
    ledger.fund(batch, estimate.bonus_reserve_usd)
    releasing.start(batch, spec.release)
    transaction.on_commit(lambda: tasks.publish_batch.delay(batch.pk))
    return batch


def _create_hits(batch: Batch, estimate: Estimate) -> list[HIT]:
    """HITs for every task of the plan: one, or where that saves fees several, which are sisters of the first."""
    # Lines that pay the same and differ in how many workers they want share a HIT type.
    types = {line.units: line for line in estimate.lines}
    hit_types = {units: _create_hit_type(batch, line) for units, line in types.items()}
    lines = {(line.units, line.workers): line for line in estimate.lines}
    firsts, sisters = [], []
    for task, planned in zip(create_tasks(batch.project, estimate.plan), estimate.plan, strict=True):
        line = lines[planned.units, planned.workers]
        first, *others = (_hit(batch, hit_types[planned.units], task, size, line.fee_usd) for size in line.parts)
        firsts.append(first)
        for other in others:
            other.sister_of = first
            sisters.append(other)
    Offer.objects.bulk_create([hit.offer for hit in (*firsts, *sisters)], CHUNK)
    HIT.objects.bulk_create(firsts, CHUNK)
    HIT.objects.bulk_create(sisters, CHUNK)
    return [*firsts, *sisters]


def _hit(batch: Batch, hit_type: HITType, task: Task, max_assignments: int, fee_usd: Decimal) -> HIT:
    """An unsaved HIT of ``task``, with its unsaved offer."""
    offer = new_offer(
        task,
        endpoint=batch.endpoint,
        reward_usd=hit_type.reward_usd,
        paid_seconds=hit_type.paid_seconds,
        allowed_seconds=hit_type.allowed_seconds,
        worker_origins=batch.endpoint_settings.worker_origins,
        series=batch.series,
        most_in_series=batch.most_tasks_a_worker,
    )
    return HIT(
        batch=batch,
        hit_type=hit_type,
        offer=offer,
        max_assignments=max_assignments,
        fee_usd=fee_usd,
        lifetime_seconds=batch.project.lifetime_days * DAY_SECONDS,
    )


def _create_hit_type(batch: Batch, line: Line) -> HITType:
    project = batch.project
    if batch.kind == Task.Kind.QUIZ:
        titles = _("Take a short quiz on asking and answering questions")
        description = _("Judge questions about a paragraph and mark answers in it. Paid whatever the result.")
        keywords = _("quiz, qualification, reading, questions")
    elif batch.kind == Task.Kind.WRITE:
        titles = ngettext(
            "Write questions about a short paragraph", "Write questions about {n} short paragraphs", line.units
        )
        description = _("Read each paragraph, ask questions in your own words and mark each answer in the text.")
        keywords = _("reading, writing, questions, English")
    else:
        titles = ngettext(
            "Answer a question by marking words in a text",
            "Answer {n} questions by marking words in a text",
            line.units,
        )
        descriptions = ngettext(
            "Read {n} paragraph and mark the shortest part of it that answers each question.",
            "Read up to {n} paragraphs and mark the shortest part of them that answers each question.",
            line.paragraphs,
        )
        description = descriptions.format(n=line.paragraphs)
        keywords = _("reading, questions, answers, highlight")
    return HITType.objects.create(
        batch=batch,
        reward_usd=line.reward_usd,
        paid_seconds=line.paid_seconds,
        allowed_seconds=max(60, line.paid_seconds * project.time_allowance),
        auto_approval_seconds=project.auto_approval_days * DAY_SECONDS,
        title=titles.format(n=line.units),
        description=f"{description} {_usual_time(line.paid_seconds)}",
        keywords=keywords,
    )


def _usual_time(seconds: int) -> str:
    """What the worker is paid for, in words: endpoints show only how long a HIT may take at most."""
    minutes = round(seconds / 60)
    if minutes < 2:
        return _("It takes about {seconds} seconds.").format(seconds=seconds)
    return _("It takes about {minutes} minutes.").format(minutes=minutes)
