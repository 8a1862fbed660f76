"""A rehearsal: a batch run by scripted workers in a clone of the project, before real money moves.

Only this module calls the players, with the worker site that the rehearsal endpoint's settings name.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Assignment, Project, Task, Worker
from annotation.services import gold
from annotation.services.cloning import clone_for_rehearsal
from hits import endpoints
from hits.endpoints import Endpoint
from hits.models import AssignmentDecision, Batch, Qualification
from players.play import Played, play
from players.script import Script

from . import deciding, launching, progress, publishing, qualifications, syncing
from .planning import BatchSpec, NotLaunchable
from .releasing import AT_ONCE


@dataclass(frozen=True)
class Rehearsal:
    """How it went: the clone and its batch, what the players did, and what it would have cost."""

    project: Project
    batch: Batch
    played: Played
    standing: progress.Progress
    spent_usd: Decimal
    seconds: float
    checks: gold.Checked


def refuse_quiz(spec: BatchSpec) -> None:
    """Raises NotLaunchable for a quiz: scripted workers do not know its answers."""
    if spec.kind == Task.Kind.QUIZ:
        raise NotLaunchable(_("A quiz cannot be rehearsed: the players do not know its answers."))


def rehearse(
    project: Project,
    spec: BatchSpec,
    script: Script | None = None,
    user: User | None = None,
    *,
    seed: int = 0,
    told: Callable[[int], None] = lambda total: None,
) -> Rehearsal:
    """Clone ``project``, launch ``spec`` there on the rehearsal endpoint, let the players do it, and approve it all.

    Without ``script`` the players make their questions up. ``told`` hears the number of submissions so far. Raises
    NotLaunchable, and what the endpoint's calls raise.
    """
    endpoint = rehearsal_endpoint()
    refuse_quiz(spec)
    started = time.monotonic()
    clone = clone_for_rehearsal(project)
    batch = launching.launch(
        clone, replace(spec, endpoint=endpoint.key, articles=(), release=AT_ONCE, most_tasks_a_worker=None), user
    )
    _let_players_in(clone, endpoint)
    publishing.publish(batch)
    batch.refresh_from_db()
    if batch.problem:
        raise NotLaunchable(batch.problem)
    players = [(name, password) for name, password, _worker_id in endpoint.players]
    hit_types = set(batch.hit_types.values_list("mturk_hit_type_id", flat=True))
    played = play(
        endpoint.worker_site, players, script or Script(None, seed), seed=seed, hit_types=hit_types, told=told
    )
    syncing.sync(endpoint.key)
    deciding.decide(
        Assignment.objects.filter(offer__hit__batch=batch, status=Assignment.Status.SUBMITTED),
        AssignmentDecision.Kind.APPROVE,
        user,
    )
    deciding.carry_out()
    syncing.sync(endpoint.key)
    batch.refresh_from_db()
    money = progress.money_of_batch(batch)
    seconds = time.monotonic() - started
    return Rehearsal(clone, batch, played, progress.progress_of(batch), money.spent_usd, seconds, gold.checked(clone))


def is_set_up() -> bool:
    """Whether an endpoint has players for rehearsals."""
    return any(endpoint.is_for_rehearsal and endpoint.players for endpoint in endpoints.all_endpoints().values())


def rehearsal_endpoint() -> Endpoint:
    """The endpoint that rehearsals run on. Raises NotLaunchable if none is set up with players."""
    for endpoint in endpoints.all_endpoints().values():
        if endpoint.is_for_rehearsal and endpoint.players:
            return endpoint
    raise NotLaunchable(
        _("No endpoint is set up for rehearsals: set REHEARSAL_PLAYERS and the rehearsal account's keys.")
    )


def _let_players_in(clone: Project, endpoint: Endpoint) -> None:
    """Give the players the qualification that the clone's HITs ask for, and that nobody else holds."""
    for _name, _password, worker_id in endpoint.players:
        worker, _made = Worker.objects.get_or_create(endpoint=endpoint.key, mturk_worker_id=worker_id)
        qualifications.want(clone, endpoint.key, Qualification.Purpose.PLAYER, worker)
    qualifications.grant_wanted(clone, endpoint.key)
