"""Gold questions: known ones among those that workers answer, planted in the tasks of a batch.

They are answered, paid and reviewed like the others. What workers answer to them is marked (``Answer.is_gold``), so
that it has no position, enters no figure and no export, and can be held against what is known.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Answer, GoldQuestion, Import, Paragraph, Project, Question, TaskQuestion
from annotation.services.tasks import PlannedTask
from scoring.signals import best_agreement

# So many checks at most among the questions of a task; our choice.
MOST_A_TASK = 5


class AskedAlready(ValueError):
    """A check that is there already; the message says so."""


@dataclass(frozen=True)
class Checked:
    """The gold checks of a project so far: how many stand in its tasks, how many answers workers gave to them, and how
    many of these are, normalised, one of the known answers."""

    planted: int
    answered: int
    right: int


@transaction.atomic
def add(question: Question, user: User, note: str = "") -> GoldQuestion:
    """Make ``question`` a gold one, or take a retired one up again."""
    gold, is_new = GoldQuestion.objects.get_or_create(
        question=question, defaults={"project_id": question.project_id, "added_by": user, "note": note}
    )
    if not is_new and gold.retired_at is not None:
        gold.retired_at = gold.retired_by = None
        gold.save(update_fields=["retired_at", "retired_by"])
    return gold


@transaction.atomic
def write_check(paragraph: Paragraph, text: str, user: User, note: str = "") -> GoldQuestion:
    """A question about ``paragraph`` that is written to check workers and is no part of the dataset. Raises
    AskedAlready, as the same question could be planted twice in a task otherwise."""
    # Of the same form sent twice at once the second waits here, and finds the check.
    list(Paragraph.objects.select_for_update(no_key=True).filter(pk=paragraph.pk).values_list("pk"))
    in_use = GoldQuestion.objects.in_project(paragraph.project).in_use()
    if in_use.filter(question__paragraph=paragraph, question__text=text).exists():
        raise AskedAlready(_("A gold check asks this about the paragraph already."))
    source = Import.objects.create(
        project=paragraph.project,
        file_name="gold questions",
        file_sha256=hashlib.sha256(text.encode()).hexdigest(),
        report={"gold_questions": 1},
        imported_by=user,
    )
    question = Question.objects.create(project=paragraph.project, paragraph=paragraph, text=text, imported_from=source)
    return GoldQuestion.objects.create(
        project=paragraph.project, question=question, for_checking=True, note=note, added_by=user
    )


def retire(gold: GoldQuestion, user: User) -> None:
    """Plant ``gold`` no more. Tasks that have it keep it; one written for checking stays out of the dataset."""
    GoldQuestion.objects.filter(pk=gold.pk, retired_at__isnull=True).update(retired_at=timezone.now(), retired_by=user)


def plant(project: Project, plan: Sequence[PlannedTask], per_task: int) -> list[PlannedTask]:
    """``plan`` with ``per_task`` gold questions in each of its answering tasks, as far as there are as many that the
    task does not ask anyway.

    Those about the task's own article come first, as its workers read it already. Which ones, and where they stand
    among the others, is drawn by the project's seed and the task's place in the plan: the same plan is planted the
    same, so that what was priced is what is launched.
    """
    pool = [
        (gold.question_id, gold.question.paragraph_id, gold.question.paragraph.article_id)
        for gold in GoldQuestion.objects.in_project(project).in_use().select_related("question__paragraph")
    ]
    if not pool or not per_task:
        return list(plan)
    articles = dict(
        Paragraph.objects.filter(pk__in={task.paragraphs[0][0] for task in plan}).values_list("pk", "article")
    )
    planted = []
    for place, task in enumerate(plan):
        draw = random.Random(f"{project.split_seed}:{place}")  # noqa: S311 - a draw that can be repeated, no secret
        asked = {question for _paragraph, questions in task.paragraphs for question in questions}
        free = [one for one in pool if one[0] not in asked]
        draw.shuffle(free)
        own = articles[task.paragraphs[0][0]]
        chosen = sorted(free, key=lambda one: one[2] != own)[:per_task]
        planted.append(_with(task, chosen, draw))
    return planted


def _with(task: PlannedTask, chosen: Sequence[tuple[int, int, int]], draw: random.Random) -> PlannedTask:
    paragraphs = {paragraph: list(questions) for paragraph, questions in task.paragraphs}
    order = list(paragraphs)
    for question, paragraph, _article in chosen:
        if paragraph in paragraphs:
            paragraphs[paragraph].insert(draw.randint(0, len(paragraphs[paragraph])), question)
        else:
            paragraphs[paragraph] = [question]
            order.insert(draw.randint(0, len(order)), paragraph)
    return replace(
        task,
        paragraphs=tuple((paragraph, tuple(paragraphs[paragraph])) for paragraph in order),
        gold=frozenset(question for question, _paragraph, _article in chosen),
    )


def checked(project: Project) -> Checked:
    """What came of the gold checks of ``project``."""
    planted = TaskQuestion.objects.filter(
        task_paragraph__task__project=project, purpose=TaskQuestion.Purpose.GOLD
    ).values_list("question", flat=True)
    known: dict[int, list[str | None]] = defaultdict(list)
    given: dict[int, list[str | None]] = defaultdict(list)
    for answer in Answer.objects.in_project(project).filter(question__in=set(planted)):
        if answer.is_gold and answer.assignment_id:
            given[answer.question_id].append(answer.text)
        elif answer.is_gold or answer.position is not None:
            known[answer.question_id].append(answer.text)
    answered = [(question, text) for question, texts in given.items() for text in texts]
    right = [best_agreement(text, known[question], project.language) == 1 for question, text in answered]
    return Checked(len(planted), len(answered), sum(right))
