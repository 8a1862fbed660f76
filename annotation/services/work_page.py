"""What the work page is told: the JSON inside it (``work-data``), from which the page and scripted players work.

::

    {"kind": "write" | "answer" | "quiz",
     "token": str | null,                       null in a preview
     "endpoints": {"draft": path, "finish": path, "notes": path} | null,   paths on the page's own host
     "version": n,                              the newest draft's; the next one is n + 1
     "submit": {"url": address, "assignment_id": str} | null,
     "project": {"language", "direction": "ltr" | "rtl", "copy_lock": bool, "min_questions", "max_questions",
                 "question_chars": longest question in characters, "stopping_advice": [code of scoring.advice]},
     "pay": {"reward_usd": "4.80", "paid_seconds", "allowed_seconds", "opened_at": ISO 8601 | null, "server_now"},
     "paragraphs": [{"id": task paragraph, "title", "text", "questions": [{"id": task question, "text"}],
                     "asked_before": [key of scoring.advice]}],
     "draft": {"paragraphs": [...]} | null,     the form that the draft endpoint takes; of this assignment alone
     "hold": {"left": n} | null,                how many HITs of others the worker may begin until somebody looks
     "notes": [...],                            what reviewers noted for this worker: ``notes.page_part``
     "finished": bool}

A quiz has no paragraphs, and what ``quizzes.page_part`` gives; its tries go to ``endpoints.finish``.
``questions`` of a paragraph is empty when writing, and ``asked_before`` when answering and in a preview. Offsets count
Unicode code points of ``text``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from decimal import ROUND_CEILING
from typing import Any

from django.urls import reverse
from django.utils import timezone

from annotation.models import Offer, Paragraph, Project, Task, TaskQuestion
from annotation.models.projects import CENT
from annotation.services import first_looks, guides, notes, quizzes
from annotation.services.asked_before import asked_before
from annotation.services.gathering import paragraphs_of
from annotation.services.work import Opened
from annotation.services.work_body import MOST_QUESTION_CHARS
from annotation.tokens import Claims, receipt

# A preview is read and cannot be sent.
NO_ACCESS: dict[str, Any] = dict.fromkeys(("token", "endpoints", "submit", "draft", "hold")) | {
    "version": 0,
    "notes": [],
}


def sample_offer(project: Project) -> Offer:
    """An offer that is never stored: writing questions on one paragraph of ``project``, at its own terms."""
    seconds = project.seconds_per_paragraph
    return Offer(
        task=Task(project=project, kind=Task.Kind.WRITE, guide=guides.in_force(project)),
        reward_usd=(project.hourly_rate_usd * seconds / 3600).quantize(CENT, ROUND_CEILING),
        paid_seconds=seconds,
        allowed_seconds=seconds * project.time_allowance,
    )


def page_data(
    offer: Offer,
    opened: Opened | None,
    submit_to: str,
    language: str = "",
    sample: Sequence[Paragraph] = (),
) -> dict[str, Any]:
    """The page's data for ``opened``, or for a preview where that is None.

    ``sample`` are the paragraphs of an offer that is not stored. ``submit_to`` is the origin that the finished work is
    sent on to; ``language`` that of the page's sentences, for the sentences of the API to match.
    """
    project = offer.task.project
    assignment = opened.assignment if opened else None
    paragraphs = [_shown(row.pk, row) for row in sample] or _paragraphs(offer.task, is_open=opened is not None)
    data = _access(opened, submit_to, language, _most(project, opened, paragraphs)) if opened else NO_ACCESS
    if offer.task.kind == Task.Kind.QUIZ and offer.task.guide is not None:
        data = data | quizzes.page_part(offer.task.guide, assignment)
        if data["quiz"]["outcome"] and data["quiz"]["outcome"]["is_over"] and assignment:
            fields = {"assignmentId": assignment.mturk_assignment_id, "receipt": receipt(assignment)}
            data["quiz"]["outcome"]["submit"] = {"url": data["submit"]["url"], "fields": fields}
    return data | {
        "kind": offer.task.kind,
        "project": {
            "language": project.language,
            "direction": project.text_direction,
            "copy_lock": project.copy_lock,
            "min_questions": project.min_questions,
            "max_questions": project.max_questions,
            "question_chars": MOST_QUESTION_CHARS,
            "stopping_advice": project.stopping_advice,
        },
        "pay": {
            "reward_usd": f"{offer.reward_usd:.2f}",
            "paid_seconds": offer.paid_seconds,
            "allowed_seconds": offer.allowed_seconds,
            "opened_at": assignment.opened_at.isoformat() if assignment else None,
            "server_now": timezone.now().isoformat(),
        },
        "paragraphs": paragraphs,
        "finished": bool(assignment and assignment.finished_at),
    }


def _most(project: Project, opened: Opened, paragraphs: list[dict[str, Any]]) -> tuple[int, int, int]:
    """The most paragraphs, questions on one, and characters of an answer that an honest draft can have.

    A draft from before the project's numbers were lowered can still be saved; what is too many is said at the end.
    """
    drafted = opened.content.get("paragraphs", []) if opened.content else []
    questions = [len(paragraph["questions"]) for paragraph in (*paragraphs, *drafted)]
    return (
        len(paragraphs),
        max([project.max_questions, *questions]),
        max((len(paragraph["text"]) for paragraph in paragraphs), default=0),
    )


def _access(opened: Opened, submit_to: str, language: str, most: tuple[int, int, int]) -> dict[str, Any]:
    """What lets the worker save and send."""
    assignment = opened.assignment
    claims = Claims.of(assignment, submit_to, most)
    query = f"?lang={language}" if language else ""
    return {
        "token": claims.signed(),
        "endpoints": {
            "draft": reverse("annotation:work-draft") + query,
            "finish": reverse("annotation:work-quiz" if claims.kind == Task.Kind.QUIZ else "annotation:work-finish")
            + query,
            "notes": reverse("annotation:work-notes") + query,
        },
        "version": opened.version,
        "submit": {"url": claims.submit_url, "assignment_id": assignment.mturk_assignment_id},
        "draft": opened.content,
        "hold": first_looks.page_part(assignment),
        "notes": [] if opened.is_first else notes.page_part(assignment),
    }


def _paragraphs(task: Task, *, is_open: bool) -> list[dict[str, Any]]:
    """The task's paragraphs; ``is_open`` where the worker may write about them."""
    held = paragraphs_of(task.pk)
    if task.kind == Task.Kind.WRITE:
        before = asked_before([one.paragraph_id for one in held], task.project.language) if is_open else {}
        return [_shown(one.pk, one.paragraph, asked_before=before.get(one.paragraph_id, [])) for one in held]
    asked = defaultdict(list)
    if task.kind == Task.Kind.ANSWER:
        questions = TaskQuestion.objects.filter(task_paragraph__task=task).select_related("question")
        questions = questions.only("task_paragraph_id", "question__text")
        for task_question in questions.order_by("position"):
            entry = {"id": task_question.pk, "text": task_question.question.text}
            asked[task_question.task_paragraph_id].append(entry)
    return [_shown(one.pk, one.paragraph, questions=asked[one.pk]) for one in held]


def _shown(pk: int, paragraph: Paragraph, **lists: list[Any]) -> dict[str, Any]:
    return {
        "id": pk,
        "title": str(paragraph.article),
        "text": paragraph.text,
        "questions": [],
        "asked_before": [],
    } | lists
