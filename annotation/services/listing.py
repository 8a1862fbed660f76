"""What an endpoint says about assignments, written down. Called by the room that asks it, and by nobody else."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from annotation.models import Answer, Assignment, Draft, IllegalMove, Offer, Question, Task, Worker
from annotation.services import quizzes
from annotation.services.work import finish_from_draft

logger = logging.getLogger(__name__)


@transaction.atomic
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
    worker, _ = Worker.objects.get_or_create(endpoint=offer.endpoint, mturk_worker_id=mturk_worker_id)
    # One writer a worker at a time: the second of two listed assignments of a task must see the first.
    Worker.objects.select_for_update().get(pk=worker.pk)
    assignment = _row_of(offer, mturk_assignment_id, worker)
    if assignment.status == status:
        return assignment
    if not assignment.is_listed:
        others = Assignment.objects.filter(
            mturk_assignment_id=mturk_assignment_id, offer__endpoint=offer.endpoint, status=Assignment.Status.OPEN
        ).exclude(pk=assignment.pk)
        for other in others:
            other.move_to(Assignment.Status.NOT_SUBMITTED)
        first = Assignment.objects.listed().filter(task=assignment.task_id, worker=worker).exclude(pk=assignment.pk)
        assignment.move_to(
            status,
            submitted_at=submitted_at,
            decided_at=decided_at,
            repeat_of=first.order_by("submitted_at", "pk").first(),
        )
        if offer.task.kind == Task.Kind.QUIZ:
            quizzes.record(assignment)
        elif assignment.finished_at is None and Draft.objects.filter(assignment=assignment).exists():
            _keep_draft(assignment)
    else:
        assignment.move_to(status, decided_at=decided_at)
    if status == Assignment.Status.APPROVED:
        number_answers(Question.objects.filter(answers__assignment=assignment).distinct())
    return assignment


def _row_of(offer: Offer, mturk_assignment_id: str, worker: Worker) -> Assignment:
    """The row of what the endpoint lists under ``offer``.

    Frame parameters are unsigned: a page may have been opened with this assignment's id under another offer. What was
    done there was never submitted, so that row gives the id up; it is kept and never counts.
    """
    mine = Assignment.objects.filter(mturk_assignment_id=mturk_assignment_id, worker=worker)
    for misplaced in mine.exclude(offer=offer):
        if misplaced.is_listed:
            raise IllegalMove(f"{misplaced} is listed under two HITs")
        if misplaced.status == Assignment.Status.OPEN:
            misplaced.move_to(Assignment.Status.NOT_SUBMITTED)
        Assignment.objects.filter(pk=misplaced.pk).update(mturk_assignment_id=f"misplaced-{misplaced.pk}")
    assignment, _ = mine.get_or_create(
        offer=offer,
        defaults={"task_id": offer.task_id, "mturk_assignment_id": mturk_assignment_id, "worker": worker},
    )
    return assignment


def _keep_draft(assignment: Assignment) -> None:
    """Keep what a draft holds. One that cannot be kept stays a draft; it must not hide that work was submitted."""
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
