"""Cutting paragraphs and questions into tasks. A plan is worked out first, so that it can be priced; then stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Paragraph, Project, Question, Task, TaskParagraph, TaskQuestion
from annotation.services import guides

# Rows that one INSERT carries.
CHUNK = 1000


@dataclass(frozen=True)
class PlannedTask:
    """One task to be: paragraph ids in order and, to answer, the question ids of each.

    ``units`` is what is paid for: paragraphs to write for, questions to answer, or one quiz.
    ``workers`` is how many different workers are to do it; ``gold`` are those of the questions that check them.
    """

    kind: str
    paragraphs: tuple[tuple[int, tuple[int, ...]], ...]
    workers: int
    gold: frozenset[int] = frozenset()

    @property
    def units(self) -> int:
        if self.kind == Task.Kind.QUIZ:
            return 1
        if self.kind == Task.Kind.WRITE:
            return len(self.paragraphs)
        return sum(len(questions) for _, questions in self.paragraphs)


@dataclass(frozen=True)
class Place:
    """Where to take paragraphs or questions from: some splits, some articles (by id), or everywhere (both empty)."""

    splits: Sequence[str] = ()
    articles: Sequence[int] = ()

    def narrow(self, rows: Any, article_path: str) -> Any:
        """The ``rows`` of this place; ``article_path`` leads from them to their article."""
        if self.splits:
            rows = rows.filter(**{f"{article_path}__split__in": self.splits})
        if self.articles:
            rows = rows.filter(**{f"{article_path}__in": self.articles})
        return rows


def even_runs(count: int, size: int) -> list[int]:
    """Lengths of the fewest runs of at most ``size`` that hold ``count``, as equal as can be, longer ones first."""
    if count == 0:
        return []
    runs = -(-count // size)
    short, extra = divmod(count, runs)
    return [short + 1] * extra + [short] * (runs - extra)


def plan_writing(project: Project, place: Place, paragraphs_per_task: int, busy: QuerySet) -> list[PlannedTask]:
    """Tasks that bring each paragraph of ``place`` to the writers that ``project`` wants, but for those in ``busy``.

    ``busy`` are ids of paragraphs that lie in open writing tasks. A task stays within one article; the paragraphs of an
    article that lack the same number of writers are cut into runs as equal as can be.
    """
    paragraphs = place.narrow(Paragraph.objects.needing_writers(project).exclude(pk__in=busy), "article")
    rows = paragraphs.order_by("article__position", "article_id", "writers", "position")
    plan = []
    for (_article, have), group in groupby(rows.values_list("article_id", "writers", "pk"), key=lambda row: row[:2]):
        workers = max(1, project.writers_per_paragraph - have)
        for run in _cut([pk for _, _, pk in group], paragraphs_per_task):
            planned = tuple((pk, ()) for pk in run)
            plan.append(PlannedTask(Task.Kind.WRITE, planned, workers))
    return plan


def plan_answering(
    project: Project,
    place: Place,
    wanted: int,
    questions_per_task: int,
    busy: QuerySet,
    chosen: Sequence[int] | None = None,
    most_now: int | None = None,
) -> list[PlannedTask]:
    """Tasks that bring each counting question of ``place`` to ``wanted`` extra answers, but for those in ``busy``: all
    of them, or those in ``chosen`` (ids), and in steps of ``most_now`` answers each where that is given.

    ``busy`` are ids of questions that already lie in open answering tasks. A task stays within one article, and its
    questions lack the same number of answers. Those of a paragraph stay together where they fit one task.
    """
    questions = Question.objects.in_project(project).needing_answers(wanted).exclude(pk__in=busy)
    questions = place.narrow(questions, "paragraph__article")
    if chosen is not None:
        questions = questions.filter(pk__in=chosen)
    rows = questions.order_by("paragraph__article__position", "paragraph__article_id", "extra_answers").values_list(
        "paragraph__article_id", "extra_answers", "paragraph_id", "paragraph__position", "position", "pk"
    )
    plan = []
    for (_article, have), group in groupby(rows, key=lambda row: row[:2]):
        ordered = sorted(group, key=lambda row: (row[3], row[5]))
        for run in _cut_between_paragraphs(ordered, questions_per_task):
            by_paragraph = groupby(run, key=lambda row: row[2])
            planned = tuple((paragraph, tuple(row[5] for row in rows)) for paragraph, rows in by_paragraph)
            workers = wanted - have if most_now is None else min(most_now, wanted - have)
            plan.append(PlannedTask(Task.Kind.ANSWER, planned, workers))
    return plan


def _cut(items: list, size: int) -> list[list]:
    runs, start = [], 0
    for length in even_runs(len(items), size):
        runs.append(items[start : start + length])
        start += length
    return runs


def _cut_between_paragraphs(rows: list[tuple], size: int) -> list[list[tuple]]:
    """``rows`` of :func:`plan_answering`, in order, as the fewest runs of at most ``size`` that keep each paragraph's
    questions together, as equal as can be. Those of a paragraph that has more are first cut into runs of their own."""
    blocks = [piece for _, group in groupby(rows, key=lambda row: row[2]) for piece in _cut(list(group), size)]
    # For each number of blocks from the front: how many runs they take at best, the sum of the squares of the runs'
    # lengths, which is least where they are most equal, and where the last of these runs begins.
    best = [(0, 0, 0)]
    for end in range(1, len(blocks) + 1):
        options, length = [], 0
        for start in range(end - 1, -1, -1):
            length += len(blocks[start])
            if length > size:
                break
            runs, squares, _ = best[start]
            options.append((runs + 1, squares + length**2, start))
        best.append(min(options))
    cut: list[list[tuple]] = []
    end = len(blocks)
    while end:
        start = best[end][2]
        cut.append([row for block in blocks[start:end] for row in block])
        end = start
    return cut[::-1]


@transaction.atomic
def create_tasks(project: Project, plan: Sequence[PlannedTask]) -> list[Task]:
    """Store ``plan``; the tasks come back in its order. Their workers read the guide that is in force now."""
    guide = guides.in_force(project)
    tasks = Task.objects.bulk_create([Task(project=project, kind=planned.kind, guide=guide) for planned in plan], CHUNK)
    held = [
        TaskParagraph(task=task, position=position, paragraph_id=paragraph)
        for task, planned in zip(tasks, plan, strict=True)
        for position, (paragraph, _) in enumerate(planned.paragraphs)
    ]
    TaskParagraph.objects.bulk_create(held, CHUNK)
    asked = [(questions, planned.gold) for planned in plan for _, questions in planned.paragraphs]
    TaskQuestion.objects.bulk_create(
        [
            TaskQuestion(
                task_paragraph=task_paragraph,
                position=position,
                question_id=question,
                purpose=TaskQuestion.Purpose.GOLD if question in gold else TaskQuestion.Purpose.REAL,
            )
            for task_paragraph, (questions, gold) in zip(held, asked, strict=True)
            for position, question in enumerate(questions)
        ],
        CHUNK,
    )
    return tasks
