"""The remarks that a project does not let pass, looked for in work that is about to be finished."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from annotation.advice_words import in_sentence
from annotation.models import Assignment, Task, TaskQuestion
from annotation.services.asked_before import asked_before
from annotation.services.gathering import Gathered, Problem, paragraphs_of
from scoring.advice import ASKED_BEFORE, Asked, advise


def stopped(assignment: Assignment, gathered: Gathered) -> list[Problem]:
    """A problem for each question of ``gathered`` with a remark that the project of ``assignment`` stops at.

    The page shows the same remarks while the worker writes; a program that sends without looking meets them here.
    """
    project = assignment.task.project
    if not project.stopping_advice:
        return []
    is_writing = assignment.task.kind == Task.Kind.WRITE
    ids = _page_ids(assignment, gathered, is_writing)
    found: dict[int, list[tuple[int | str, Asked]]] = defaultdict(list)
    for answer in gathered.answers:
        question = answer.question
        span = None if answer.start is None or answer.end is None else (answer.start, answer.end)
        found[question.paragraph_id].append((ids[question.pk or question.client_id], Asked(question.text, span)))
    looks_back = is_writing and ASKED_BEFORE in project.stopping_advice
    before = asked_before(list(found), project.language) if looks_back else {}
    problems = []
    for held in paragraphs_of(assignment.task_id):
        entries = found[held.paragraph_id]
        remarks = advise(
            held.paragraph.text,
            project.language,
            [one for _id, one in entries],
            is_writing=is_writing,
            asked_before=before.get(held.paragraph_id, ()),
        )
        for (page_id, _one), advice in zip(entries, remarks, strict=True):
            stopping = [in_sentence(remark) for remark in advice if remark.code in project.stopping_advice]
            if stopping:
                problems.append(Problem(held.pk, page_id, " ".join(stopping)))
    return problems


def _page_ids(assignment: Assignment, gathered: Gathered, is_writing: bool) -> dict[Any, Any]:
    """The id that the page knows a question by: its own when writing, the task question's when answering."""
    if is_writing:
        return {question.client_id: question.client_id for question in gathered.questions}
    asked = TaskQuestion.objects.filter(task_paragraph__task=assignment.task_id)
    return dict(asked.values_list("question_id", "pk"))
