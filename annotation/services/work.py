"""A worker's go at a task: opening it, saving a draft, finishing. The work page, its API and ``hits`` call these."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import tokens
from annotation.models import (
    Answer,
    Assignment,
    Draft,
    Exclusion,
    Offer,
    ParagraphWork,
    Project,
    Question,
    QuestionSignals,
    Task,
    TaskQuestion,
    Worker,
)
from annotation.services import first_looks, standing
from annotation.services.gathering import Gathered, Problem, gather
from annotation.services.joins import Join
from annotation.services.stopping_advice import stopped
from annotation.services.work_body import QuizBody, WorkBody

# From finishing here until the endpoint's list is known here, with time to spare.
JUST_SENT = timedelta(minutes=10)


class DoneBefore(Exception):
    """This worker's work on this task has arrived, or is on its way, under another assignment."""


class WritersOwnQuestions(Exception):
    """The task asks this worker to answer a question that they wrote."""


class AnsweredBefore(Exception):
    """The task asks this worker to answer a question that they answered in another task."""


class KeptOut(Exception):
    """The worker is excluded from the project."""


class FailedQuiz(KeptOut):
    """The worker took the quiz of the project and did not pass, and nobody has let them try again."""


class PassedBefore(Exception):
    """The worker has passed the quiz of the project already."""


class QuotaReached(Exception):
    """The worker has done as many tasks as one worker may, in the project or in this series of offers."""


class NotThisHIT(Exception):
    """The assignment id belongs to work on another HIT."""


class ErasedBefore(Exception):
    """The assignment is one of a worker whose data was erased."""


class Stale(Exception):
    """A newer draft is stored already: another tab or an earlier request has overtaken this one."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(_("This work was saved from another window in the meantime."))
        self.version, self.saved_at = draft.version, draft.saved_at


class Finished(Exception):
    """A draft for an assignment that was finished before."""

    def __init__(self) -> None:
        super().__init__(_("This work was already sent; nothing can be changed any more."))


class ListedBefore(Finished):
    """The endpoint has listed the assignment: what it got is under review, and nothing can be added behind that."""

    def __init__(self) -> None:
        Exception.__init__(
            self, _("The marketplace already has this HIT as submitted; nothing can be changed any more.")
        )


class Incomplete(Exception):
    """Work that cannot be finished yet, with every reason."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(_("Some of the work is still open."))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Opened:
    """An assignment as its page shows it, with its stored draft: version 0 and no content where it has none yet.

    A draft of the same worker's earlier assignment is not shown: a worker id is no secret, and proves nothing. The
    page asks for it with the token that it had then.
    """

    assignment: Assignment
    version: int
    content: dict[str, Any] | None
    is_first: bool = False  # nothing was known of the worker before


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request to finish. ``already``: it had been finished before; ``changed``: and differently."""

    assignment: Assignment
    already: bool = False
    changed: bool = False


# The worker, with their earlier work on a task; one row without what there is not. ``erased`` is the assignment of that
# id where it is a worker's who was erased: opening it would tie their id to it again.
WORKER_AND_WORK = Join(
    """
    FROM (VALUES (1)) asked (once)
    LEFT JOIN annotation_worker worker
      ON worker.endpoint = %(endpoint)s AND worker.mturk_worker_id = %(mturk_worker_id)s
    LEFT JOIN annotation_assignment assignment
      ON assignment.worker_id = worker.id AND assignment.task_id = %(task_id)s
    LEFT JOIN annotation_draft draft ON draft.assignment_id = assignment.id
    LEFT JOIN annotation_assignment erased
      ON erased.offer_id = %(offer_id)s AND erased.mturk_assignment_id = %(mturk_assignment_id)s
      AND erased.worker_id IN (SELECT id FROM annotation_worker WHERE erased_at IS NOT NULL)
    ORDER BY assignment.id DESC
    """,
    worker=(Worker, ["id", "endpoint", "mturk_worker_id"]),
    assignment=(
        Assignment,
        ["id", "task_id", "offer_id", "worker_id", "mturk_assignment_id", "status", "opened_at", "finished_at"],
    ),
    draft=(Draft, ["assignment_id", "version", "content", "saved_at"]),
    erased=(Assignment, ["id"]),
)


def open_assignment(offer: Offer, mturk_assignment_id: str, mturk_worker_id: str) -> Opened:
    """The assignment behind the frame's address, made where it is new; asking again changes nothing.

    Raises DoneBefore, ListedBefore, ErasedBefore, WritersOwnQuestions, AnsweredBefore, KeptOut, PassedBefore,
    QuotaReached, first_looks.WaitsForLook or NotThisHIT, and then stores nothing of the assignment or the worker.
    """
    rows = WORKER_AND_WORK.fetch(
        task_id=offer.task_id,
        offer_id=offer.pk,
        endpoint=offer.endpoint,
        mturk_assignment_id=mturk_assignment_id,
        mturk_worker_id=mturk_worker_id,
    )
    worker = rows[0]["worker"]
    mine = {row["assignment"]: row["draft"] for row in rows if row["assignment"]}
    known = next((one for one in mine if one.mturk_assignment_id == mturk_assignment_id), None)
    is_finished = known is not None and known.finished_at is not None
    if not is_finished and any(other.is_listed or _just_sent(other, offer) for other in mine if other is not known):
        raise DoneBefore
    if known is not None and known.is_listed and not is_finished:
        raise ListedBefore
    if known is None:
        if rows[0]["erased"] is not None:
            raise ErasedBefore
        _check_may_begin(offer, worker, mturk_worker_id)
    person = worker or _worker(offer.endpoint, mturk_worker_id)
    assignment = known or _begun(offer, mturk_assignment_id, person)
    if assignment.offer_id != offer.pk:
        raise NotThisHIT
    assignment.offer, assignment.worker = offer, person
    own = mine.get(assignment)
    return Opened(assignment, own.version, own.content) if own else Opened(assignment, 0, None, is_first=worker is None)


def _just_sent(other: Assignment, offer: Offer) -> bool:
    """Whether ``other`` was finished a moment ago under another HIT of the same task, and is not listed yet.

    One that is still not listed later never reached the endpoint, and must not keep the worker from doing the task.
    """
    if other.offer_id == offer.pk or other.finished_at is None or other.status != Assignment.Status.OPEN:
        return False
    return timezone.now() - other.finished_at < JUST_SENT


# Saving is asked for every few seconds by everybody at work, so the usual case is one statement: it checks the token's
# claims against the row, and of two requests at once the older cannot overwrite the newer. The row is locked as the
# foreign key would lock it anyway, but before it is looked at: an erasure at the same moment is waited for and seen.
SAVE_DRAFT = """
    INSERT INTO annotation_draft (assignment_id, version, content, saved_at)
    SELECT assignment.id, %(version)s, %(content)s, %(now)s
    FROM annotation_assignment assignment
    JOIN annotation_worker worker ON worker.id = assignment.worker_id
    JOIN annotation_offer offer ON offer.id = assignment.offer_id
    WHERE assignment.id = %(assignment_id)s
      AND assignment.finished_at IS NULL
      AND assignment.status <> ALL(%(listed)s)
      AND assignment.task_id = %(task_id)s
      AND assignment.mturk_assignment_id = %(mturk_assignment_id)s
      AND worker.mturk_worker_id = %(mturk_worker_id)s
      AND offer.endpoint = %(endpoint)s
      AND offer.mturk_hit_id = %(mturk_hit_id)s
    FOR KEY SHARE OF assignment
    ON CONFLICT (assignment_id) DO UPDATE
      SET version = EXCLUDED.version, content = EXCLUDED.content, saved_at = EXCLUDED.saved_at
      WHERE annotation_draft.version < EXCLUDED.version
"""


def save_draft(claims: tokens.Claims, body: WorkBody | QuizBody) -> datetime:
    """Store ``body`` as the draft and return when. The newest version wins; the same one again changes nothing.

    Raises TokenProblem, Finished, ListedBefore, or Stale for a version that is older than the stored one, or equal
    with another content.
    """
    now = timezone.now()
    if _write_draft(claims, body, now):
        return now
    # Nothing was written: find out why.
    assignment = assignment_for(claims)
    if assignment.finished_at is not None:
        raise Finished
    if assignment.is_listed:
        raise ListedBefore
    stored = Draft.objects.get(assignment=assignment)
    if _is_newer(stored, body):
        raise Stale(stored)
    return stored.saved_at


def stored_draft(claims: tokens.Claims) -> Draft | None:
    """The newest draft of the assignment, if it has one. Raises TokenProblem."""
    return _draft_of(assignment_for(claims))


@transaction.atomic
def finish(claims: tokens.Claims, body: WorkBody) -> Outcome:
    """Turn ``body`` into questions and answers, exactly once.

    Raises TokenProblem, ListedBefore, Stale, or Incomplete.
    """
    assignment = assignment_for(claims)
    if assignment.finished_at is not None:
        sent = Draft.objects.filter(assignment=assignment).first()
        return Outcome(assignment, already=True, changed=sent is not None and sent.content != body.content)
    if assignment.is_listed:
        raise ListedBefore
    stored = _draft_of(assignment)
    if stored is not None and _is_newer(stored, body):
        raise Stale(stored)
    gathered = gather(assignment, body.paragraphs)
    if problems := [*gathered.problems, *stopped(assignment, gathered)]:
        raise Incomplete(problems)
    _write_draft(claims, body, timezone.now())  # what was sent, to tell a later repeat from a change
    _store(assignment, gathered)
    return Outcome(assignment)


@transaction.atomic
def finish_from_draft(assignment: Assignment) -> None:
    """Finish ``assignment`` with whatever of its draft is whole, and without the rest. Doing it twice is harmless.

    For work that the endpoint lists as submitted although it never arrived here. Without a draft there is nothing to
    finish, and nothing changes; a quiz is finished by its tries alone.
    """
    locked = _locked(assignment.pk)
    assert locked is not None  # noqa: S101 - rows of assignments are never deleted
    draft = _draft_of(locked)
    if locked.finished_at is None and draft is not None and locked.task.kind != Task.Kind.QUIZ:
        gathered = gather(locked, draft.content["paragraphs"])
        _store(locked, gathered)
    assignment.finished_at = locked.finished_at


def _store(assignment: Assignment, gathered: Gathered) -> None:
    Question.objects.bulk_create(gathered.questions)
    Answer.objects.bulk_create(gathered.answers)
    ParagraphWork.objects.bulk_create(gathered.paragraph_works)
    QuestionSignals.objects.bulk_create(gathered.signals)
    assignment.finished_at = timezone.now()
    Assignment.objects.filter(pk=assignment.pk).update(finished_at=assignment.finished_at)


def _write_draft(claims: tokens.Claims, body: WorkBody | QuizBody, now: datetime) -> bool:
    """Store ``body`` as the draft; whether it was, which it is not where one as new is there already."""
    values: dict[str, Any] = {
        "assignment_id": claims.assignment_id,
        "task_id": claims.task_id,
        "mturk_assignment_id": claims.mturk_assignment_id,
        "mturk_worker_id": claims.mturk_worker_id,
        "endpoint": claims.endpoint,
        "mturk_hit_id": claims.mturk_hit_id,
        "version": body.version,
        "content": json.dumps(body.content),
        "now": now,
        "listed": [str(status) for status in Assignment.LISTED],
    }
    with connection.cursor() as cursor:
        cursor.execute(SAVE_DRAFT, values)
        return bool(cursor.rowcount)


def _is_newer(stored: Draft, body: WorkBody | QuizBody) -> bool:
    """Whether ``body`` was overtaken by ``stored``: a later version, or the same one with another content."""
    return stored.version > body.version or (stored.version == body.version and stored.content != body.content)


def assignment_for(claims: tokens.Claims) -> Assignment:
    """The row that ``claims`` were made for, locked. Raises TokenProblem where it is gone or says something else."""
    assignment = _locked(claims.assignment_id)
    if assignment is not None and assignment.worker.erased_at is not None:
        raise tokens.TokenOfErased
    if assignment is None or not claims.matches(assignment):
        raise tokens.not_ours()
    return assignment


LOCK = Join(
    """
    FROM annotation_assignment assignment
    JOIN annotation_offer offer ON offer.id = assignment.offer_id
    JOIN annotation_worker worker ON worker.id = assignment.worker_id
    JOIN annotation_task task ON task.id = assignment.task_id
    JOIN annotation_project project ON project.id = task.project_id
    LEFT JOIN annotation_draft draft ON draft.assignment_id = assignment.id
    WHERE assignment.id = %(assignment_id)s
    FOR UPDATE OF assignment
    """,
    assignment=(Assignment, ["id", "task_id", "offer_id", "worker_id", "mturk_assignment_id", "status", "finished_at"]),
    offer=(Offer, ["id", "endpoint", "mturk_hit_id"]),
    worker=(Worker, ["id", "mturk_worker_id", "erased_at"]),
    task=(Task, ["id", "project_id", "kind"]),
    project=(Project, ["id", "language", "min_questions", "max_questions", "stopping_advice"]),
    draft=(Draft, ["assignment_id", "version", "content", "saved_at"]),
)


def _locked(assignment_id: int) -> Assignment | None:
    """The assignment, locked until the transaction ends, with all that finishing it looks at."""
    rows = LOCK.fetch(assignment_id=assignment_id)
    if not rows:
        return None
    (row,) = rows
    assignment: Assignment = row["assignment"]
    assignment.offer, assignment.worker, assignment.task = row["offer"], row["worker"], row["task"]
    assignment.task.project = row["project"]
    if row["draft"]:
        assignment.draft = row["draft"]
    return assignment


def _draft_of(assignment: Assignment) -> Draft | None:
    return getattr(assignment, "draft", None)  # a missing one raises an AttributeError of Django's own


def _check_may_begin(offer: Offer, worker: Worker | None, mturk_worker_id: str) -> None:
    """Raises what ``open_assignment`` raises where the worker, who may be new, may not begin this work."""
    if _wrote_a_question_of(offer, mturk_worker_id):
        raise WritersOwnQuestions
    if worker is not None and _answered_a_question_of(offer, worker):
        raise AnsweredBefore
    if worker is not None:
        _check_standing(offer, worker)


def _wrote_a_question_of(offer: Offer, mturk_worker_id: str) -> bool:
    """The net under the qualification that keeps writers away from their own questions."""
    if offer.task.kind != offer.task.Kind.ANSWER:
        return False
    return TaskQuestion.objects.filter(
        task_paragraph__task=offer.task_id,
        question__assignment__worker__endpoint=offer.endpoint,
        question__assignment__worker__mturk_worker_id=mturk_worker_id,
    ).exists()


def _answered_a_question_of(offer: Offer, worker: Worker) -> bool:
    """Whether listed work of ``worker`` on another task has answered a question of this one: a further answer is to be
    another person's. Such questions come again where the first answers disagree."""
    if offer.task.kind != offer.task.Kind.ANSWER:
        return False
    # Gold questions check again and again, and never count.
    real = TaskQuestion.objects.filter(task_paragraph__task=offer.task_id, purpose=TaskQuestion.Purpose.REAL)
    answers = Answer.objects.filter(question__in=real.values("question"), assignment__worker=worker, is_gold=False)
    return answers.filter(assignment__status__in=Assignment.LISTED).exclude(assignment__task=offer.task_id).exists()


def _check_standing(offer: Offer, worker: Worker) -> None:
    """The net under the qualifications that keep workers out. Whoever has the page open already goes on."""
    project = offer.task.project
    if reasons := standing.reasons_out(project, worker):
        raise FailedQuiz if reasons == {Exclusion.Reason.QUIZ} else KeptOut
    if offer.task.kind == Task.Kind.QUIZ:
        if standing.passed_workers(project).filter(worker=worker).exists():
            raise PassedBefore
        return  # a quiz counts toward no quota
    bounds = [(project.most_tasks_a_worker, None), (offer.most_in_series, offer.series)]
    for most, series in bounds:
        if most is not None and standing.tasks_done(project, worker, series) >= most:
            raise QuotaReached


def _worker(endpoint: str, mturk_worker_id: str) -> Worker:
    return Worker.objects.get_or_create(endpoint=endpoint, mturk_worker_id=mturk_worker_id)[0]


def _begun(offer: Offer, mturk_assignment_id: str, worker: Worker) -> Assignment:
    """The assignment whose page is opened for the first time. Raises first_looks.WaitsForLook."""
    if offer.task.project.tasks_before_look is None or offer.task.kind == Task.Kind.QUIZ:
        return _assignment(offer, mturk_assignment_id, worker)
    with transaction.atomic():  # the second of two pages that are opened at once counts the first
        first_looks.require_place(offer, worker)
        return _assignment(offer, mturk_assignment_id, worker)


def _assignment(offer: Offer, mturk_assignment_id: str, worker: Worker) -> Assignment:
    try:
        with transaction.atomic():
            return Assignment.objects.create(
                offer=offer, task_id=offer.task_id, worker=worker, mturk_assignment_id=mturk_assignment_id
            )
    except IntegrityError:  # the page was loaded twice at once, or the id was used with another HIT
        return Assignment.objects.get(mturk_assignment_id=mturk_assignment_id, worker=worker)
