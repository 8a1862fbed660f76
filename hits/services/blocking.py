"""Excluding workers from a project, and blocking them at their endpoint; and taking both back."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Exclusion, Project, Worker
from annotation.services import standing
from hits import mturk, tasks
from hits.models import WorkerBlock


class NotExcluded(Exception):
    """A worker who cannot be excluded, or let in, as asked; the message says why."""


@transaction.atomic
def exclude(project: Project, worker: Worker, words: str, user: User | None, *, at_the_endpoint: bool = False) -> None:
    """Keep ``worker`` out of ``project``; with ``at_the_endpoint``, out of everything its account publishes there.

    ``words`` say why; the endpoint is told them, the worker is not. Raises NotExcluded.
    """
    if not words.strip():
        raise NotExcluded(_("Say why: the reason is kept with it."))
    _require_known(worker)
    standing.exclude(project, worker, Exclusion.Reason.BLOCKED, words.strip(), user)
    if at_the_endpoint and not is_blocked(worker, project):
        _ask(project, worker, words.strip(), user, is_lifted=False)
    _tell(project, worker)


@transaction.atomic
def readmit(project: Project, worker: Worker, words: str, user: User | None) -> None:
    """Lift what :func:`exclude` did, at the endpoint too unless another project still blocks the worker there.

    Raises NotExcluded.
    """
    _require_known(worker)
    standing.readmit(project, worker, Exclusion.Reason.BLOCKED, words.strip(), user)
    if is_blocked(worker, project):
        _ask(project, worker, words.strip(), user, is_lifted=True)
    _tell(project, worker)


def _require_known(worker: Worker) -> None:
    """Raises NotExcluded."""
    if worker.erased_at is not None:
        raise NotExcluded(_("This worker was erased: nobody knows any more whom to keep out or to let in."))


def _tell(project: Project, worker: Worker) -> None:
    transaction.on_commit(lambda: tasks.tell_standing.delay(project.pk, worker.endpoint))


def _ask(project: Project, worker: Worker, words: str, user: User | None, *, is_lifted: bool) -> None:
    rows = WorkerBlock.objects.filter(worker=worker, done_at__isnull=True)
    if rows.exists():
        raise NotExcluded(_("The endpoint is being told about this worker at this moment. Try again in a minute."))
    done = is_lifted and _blocked_elsewhere(worker, project)
    WorkerBlock.objects.create(
        project=project,
        worker=worker,
        words=words,
        asked_by=user,
        is_lifted=is_lifted,
        done_at=timezone.now() if done else None,
        problem=_("Another project still blocks this worker there.") if done else "",
    )


def is_blocked(worker: Worker, project: Project) -> bool:
    """Whether ``project`` wants ``worker`` blocked at their endpoint."""
    return _standing().filter(worker=worker, project=project).exists()


def _blocked_elsewhere(worker: Worker, project: Project) -> bool:
    return _standing().filter(worker=worker).exclude(project=project).exists()


def _standing() -> QuerySet:
    later = WorkerBlock.objects.filter(project=OuterRef("project"), worker=OuterRef("worker"), pk__gt=OuterRef("pk"))
    return WorkerBlock.objects.filter(~Exists(later), is_lifted=False)


def carry_out() -> int:
    """Tell the endpoints of every block and lifting that nobody else is telling them of; return how many.

    Both can be told twice without harm. Raises mturk.Unavailable, worth a retry.
    """
    told = 0
    while (row := _claim()) is not None:
        endpoint, worker_id = row.worker.endpoint, row.worker.mturk_worker_id
        problem = ""
        try:
            if row.is_lifted:
                mturk.unblock(endpoint, worker_id)
            else:
                mturk.block(endpoint, worker_id, row.words)
        except mturk.NoAccess as refusal:
            WorkerBlock.objects.filter(pk=row.pk).update(problem=str(refusal))
            continue
        except mturk.Rejected as refusal:
            problem = str(refusal)
        WorkerBlock.objects.filter(pk=row.pk).update(done_at=timezone.now(), problem=problem)
        told += 1
    return told


@transaction.atomic
def _claim() -> WorkerBlock | None:
    now = timezone.now()
    row: WorkerBlock | None = (
        WorkerBlock.objects.to_carry_out().select_related("worker").claim_one(now, now + mturk.CLAIM)
    )
    return row
