"""What an endpoint says about assignments, written down. Called by the room that asks it, and by nobody else."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime

from django.db import IntegrityError, transaction

from annotation.models import Answer, Assignment, Draft, IllegalMove, Offer, Question, Task, Worker
from annotation.services import quizzes
from annotation.services.work import finish_from_draft

logger = logging.getLogger(__name__)


@transaction.atomic(savepoint=False)  # all of it or nothing, with whatever its caller does around it
def record_listing(
    offer: Offer,
    *,
    mturk_assignment_id: str,
    mturk_worker_id: str,
    status: str,
    submitted_at: datetime | None,
    decided_at: datetime | None = None,
) -> Assignment:
    """Record that the endpoint lists this assignment of ``offer``, by this worker, as ``status``. Idempotent.

    ``submitted_at`` is needed the first time that it is listed.

    The work that was finished under the same assignment id by anybody else is kept and marked *not submitted*.
    Work that was submitted there but never finished here is kept as far as its draft goes.
    """
    worker = _locked_worker(offer, mturk_assignment_id, mturk_worker_id)
    assignment = _row_of(offer, mturk_assignment_id, worker)
    if assignment is not None and assignment.is_listed:
        if assignment.status == status:
            return assignment
        assignment.move_to(status, decided_at=decided_at)
    else:
        others = Assignment.objects.filter(
            mturk_assignment_id=mturk_assignment_id, offer__endpoint=offer.endpoint, status=Assignment.Status.OPEN
        )
        for other in others.exclude(worker=worker):
            other.move_to(Assignment.Status.NOT_SUBMITTED)
        first = Assignment.objects.listed().filter(task=offer.task_id, worker=worker).order_by("submitted_at", "pk")
        facts = {"submitted_at": submitted_at, "decided_at": decided_at, "repeat_of": first.first()}
        if assignment is None:
            new = Assignment(
                offer=offer, worker=worker, mturk_assignment_id=mturk_assignment_id, status=status, **facts
            )
            assignment = _stored(new)
        if assignment.status != status:
            assignment.move_to(status, **facts)
            if offer.task.kind != Task.Kind.QUIZ and assignment.finished_at is None:
                _keep_draft(assignment)
        if offer.task.kind == Task.Kind.QUIZ:
            quizzes.record(assignment)
    if status == Assignment.Status.APPROVED:
        number_answers(Question.objects.filter(answers__assignment=assignment).distinct())
    return assignment


def _locked_worker(offer: Offer, mturk_assignment_id: str, mturk_worker_id: str) -> Worker:
    """The row of the worker of an assignment. One writer a worker at a time: the second of two listed assignments of a
    task must see the first.

    An endpoint goes on listing the work of a worker who was erased here, under the id that was erased: the assignment
    says whose it is. What it lists of that person for the first time is new work, of a new row.
    """
    endpoint = offer.endpoint
    same = Worker.objects.filter(endpoint=endpoint, mturk_worker_id=mturk_worker_id).select_for_update()
    worker = same.first()
    # After the lock, so that an erasure which held it is seen.
    erased = Assignment.objects.listed().filter(
        offer=offer, mturk_assignment_id=mturk_assignment_id, worker__erased_at__isnull=False
    )
    if (known := erased.first()) is not None:
        return Worker.objects.select_for_update().get(pk=known.worker_id)
    if worker is None:
        worker, is_new = Worker.objects.get_or_create(endpoint=endpoint, mturk_worker_id=mturk_worker_id)
        if not is_new:
            worker = same.get()
    return worker


def _row_of(offer: Offer, mturk_assignment_id: str, worker: Worker) -> Assignment | None:
    """The row of what the endpoint lists under ``offer``, if its page was ever opened or it was listed before.

    Frame parameters are unsigned: a page may have been opened with this assignment's id under another offer. What was
    done there was never submitted, so that row gives the id up; it is kept and never counts.
    """
    found = None
    for mine in Assignment.objects.filter(mturk_assignment_id=mturk_assignment_id, worker=worker):
        if mine.offer_id == offer.pk:
            found = mine
            continue
        if mine.is_listed:
            raise IllegalMove(f"{mine} is listed under two HITs")
        if mine.status == Assignment.Status.OPEN:
            mine.move_to(Assignment.Status.NOT_SUBMITTED)
        Assignment.objects.filter(pk=mine.pk).update(mturk_assignment_id=f"misplaced-{mine.pk}")
    return found


def _stored(new: Assignment) -> Assignment:
    """``new``, stored; or the row of the same assignment, where its page is opened at this very moment."""
    new.task_id = new.offer.task_id
    try:
        with transaction.atomic():
            new.save(force_insert=True)
    except IntegrityError:
        same = Assignment.objects.filter(mturk_assignment_id=new.mturk_assignment_id, worker=new.worker)
        opened = same.filter(offer=new.offer).first()
        if opened is None:
            raise
        return opened
    return new


def _keep_draft(assignment: Assignment) -> None:
    """Keep what a draft holds, if there is one. One that cannot be kept stays a draft; it must not hide that work was
    submitted."""
    if not Draft.objects.filter(assignment=assignment).exists():
        return
    try:
        with transaction.atomic():
            finish_from_draft(assignment)
    except Exception:
        logger.exception("The draft of assignment %s could not be kept", assignment.pk)


def number_answers(questions: Iterable[Question]) -> None:
    """Give the counting answers of ``questions`` their positions: imported ones as they came, then the author's,
    then by time of submission; one a worker, gold and adjudicated ones none."""
    authors = {question.pk: question.assignment_id for question in questions}
    # Two approvals of the same question at once must not number it apart from each other.
    list(Question.objects.select_for_update().filter(pk__in=authors).order_by("pk").values_list("pk"))
    answers = (
        Answer.objects.filter(question__in=authors, is_gold=False, adjudicated_by__isnull=True)
        .exclude(assignment__isnull=False, assignment__repeat_of__isnull=False)
        .exclude(assignment__isnull=False, assignment__status__in=["open", "submitted", "rejected", "not_submitted"])
        .select_related("assignment")
    )

    def order(answer: Answer) -> tuple:
        if answer.assignment is None:
            return (answer.question_id, 0, answer.position, answer.pk)
        is_author = answer.assignment_id == authors[answer.question_id]
        return (answer.question_id, 1 if is_author else 2, answer.assignment.submitted_at, answer.pk)

    moved, taken, workers = [], dict.fromkeys(authors, 0), set()
    for answer in sorted(answers, key=order):
        if answer.assignment is not None:
            if (answer.question_id, answer.assignment.worker_id) in workers:
                continue
            workers.add((answer.question_id, answer.assignment.worker_id))
        if answer.position != taken[answer.question_id]:
            answer.position = taken[answer.question_id]
            moved.append(answer)
        taken[answer.question_id] += 1
    Answer.objects.bulk_update(moved, ["position"])
