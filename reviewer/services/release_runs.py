"""Making releases: a row first, then the work, by a job or by whoever asked; what was killed is begun again.

Whoever works on a run holds an advisory lock of its own database session, which PostgreSQL lets go when the process
dies. The rows of the dataset and of the project are not locked meanwhile.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import LostRace, Project
from reviewer.models import Release, ReleaseRun
from reviewer.services import releases
from reviewer.services.dataset import NotExportable
from reviewer.services.release_reading import TEST, ReleaseSpec
from scoring.json_files import FileError

logger = logging.getLogger(__name__)
UNFINISHED = (ReleaseRun.Status.WAITING, ReleaseRun.Status.RUNNING)
# Begun so often, a run is given up: something in it kills its process.
MOST_ATTEMPTS = 4
_LOCKS = 0x52454C  # the room's space among advisory locks


class NotReleasable(Exception):
    """A release that cannot be asked for now; the message says why and what to do."""


def ask(project: Project, spec: ReleaseSpec, user: User | None) -> tuple[ReleaseRun, bool]:
    """The run that makes the release of ``project``, and whether it is a new one: asked for twice, it is made once.
    Nothing is queued. Raises NotReleasable while another one is being made, and for a rehearsal."""
    if project.is_rehearsal:
        raise NotReleasable(_("This is a rehearsal: nothing of it is ever exported."))
    if spec.holds_back_test and TEST not in spec.splits:
        raise NotReleasable(_("Answers of test are to be held back, and test is not among the splits: choose one."))
    try:
        with transaction.atomic():
            return ReleaseRun.objects.create(project=project, asked=spec.stored(), asked_by=user), True
    except IntegrityError:
        run = unfinished(project)
        if run is None:  # it ended in between
            return ask(project, spec, user)
        if run.asked == spec.stored():
            return run, False
        sentence = _("A release of this project is being made, with other choices. Wait for it, or give it up.")
        raise NotReleasable(sentence) from None


def order(project: Project, spec: ReleaseSpec, user: User | None) -> ReleaseRun:
    """``ask``, and have a job make it."""
    from reviewer import tasks

    with transaction.atomic():
        run, is_new = ask(project, spec, user)
        if is_new:
            transaction.on_commit(lambda: tasks.make_release.delay(run.pk))
    return run


def release(project: Project, user: User | None = None, spec: ReleaseSpec | None = None) -> tuple[Release, bool]:
    """Make a release of ``project`` here and now; return it, and whether it is new. Raises NotReleasable,
    NotExportable, FileError and OSError."""
    row, _is_new = ask(project, spec or ReleaseSpec(), user)
    if not run(row, is_ours=True):
        raise NotReleasable(_("This release is being made already. Wait for it."))
    row.refresh_from_db()
    if row.release is None:
        raise NotReleasable(row.problem or _("It was given up."))
    return row.release, row.is_new


def unfinished(project: Project) -> ReleaseRun | None:
    """The run of ``project`` that is not over, of which there is one at most."""
    return ReleaseRun.objects.in_project(project).filter(status__in=UNFINISHED).first()


def nobody_works_on(row: ReleaseRun) -> bool:
    with _lock(row) as is_free:
        return is_free


def run(row: ReleaseRun, *, is_ours: bool = False) -> bool:
    """Make the release that ``row`` asks for, unless it is over or somebody is at it; return whether it is over now.
    What went wrong stands on the row; ``is_ours`` raises it too."""
    with _lock(row) as is_free:
        if not is_free:
            return False
        row.refresh_from_db()
        if row.is_over or not _begin(row):
            return True
        try:
            releases.make(
                row.project,
                ReleaseSpec.of(row.asked),
                row.asked_by,
                told=lambda written, in_all: _tell(row, files_written=written, files_in_all=in_all),
                keep=lambda made, is_new: _kept(row, made, is_new),
            )
        except LostRace as lost:
            logger.warning("%s", lost)
        except DatabaseError:
            raise  # it may be gone for a moment: the sweep begins again
        except (NotExportable, FileError, OSError) as refusal:
            _fail(row, str(refusal))
            if is_ours:
                raise
        except Exception:
            _fail(row, _("It broke off. The log of the jobs says where."))
            raise
    return True


def give_up(row: ReleaseRun, user: User) -> None:
    """Make no release out of ``row``, whoever is at it. Raises IllegalMove or LostRace where it is over."""
    row.move_to(ReleaseRun.Status.FAILED, ended_at=timezone.now(), problem=_("{user} gave it up.").format(user=user))


def _begin(row: ReleaseRun) -> bool:
    """Count the attempt; False where there were too many."""
    if row.attempt >= MOST_ATTEMPTS:
        _fail(row, _("It broke off {count} times. The log of the jobs says where.").format(count=row.attempt))
        return False
    begun = {"attempt": F("attempt") + 1, "files_written": 0, "files_in_all": None}
    if row.status == ReleaseRun.Status.WAITING:
        with suppress(LostRace):
            row.move_to(ReleaseRun.Status.RUNNING)
    changed = ReleaseRun.objects.filter(pk=row.pk, status=ReleaseRun.Status.RUNNING).update(**begun)
    row.refresh_from_db()
    return changed == 1


def _tell(row: ReleaseRun, **changes: int) -> None:
    """Note how far it is. Raises LostRace where the attempt is not the latest any more."""
    if _mine(row).update(**changes) != 1:
        raise LostRace(f"{row} was given up or begun anew meanwhile")


@contextmanager
def _kept(row: ReleaseRun, made: Release, is_new: bool) -> Iterator[None]:
    """A transaction in which the release comes to be and ``row`` is done, exactly once."""
    with transaction.atomic():
        if _mine(row).select_for_update().first() is None:
            raise LostRace(f"{row} was given up or begun anew meanwhile")
        yield
        _mine(row).update(
            status=ReleaseRun.Status.DONE, release=made, is_new=is_new, ended_at=timezone.now(), problem=""
        )


def _fail(row: ReleaseRun, problem: str) -> None:
    _mine(row).update(status=ReleaseRun.Status.FAILED, ended_at=timezone.now(), problem=problem)


def _mine(row: ReleaseRun) -> QuerySet[ReleaseRun]:
    """The row while this attempt is its latest, and it is not over."""
    return ReleaseRun.objects.filter(pk=row.pk, attempt=row.attempt, status=ReleaseRun.Status.RUNNING)


@contextmanager
def _lock(row: ReleaseRun) -> Iterator[bool]:
    """Whether this session has the run to itself while the block lasts."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [_LOCKS, row.pk % 2**31])
        (is_free,) = cursor.fetchone()
    try:
        yield is_free
    finally:
        if is_free:
            with suppress(DatabaseError), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [_LOCKS, row.pk % 2**31])
