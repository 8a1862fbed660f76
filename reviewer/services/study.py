"""Agreement of a project's split in every view of it: measures, articles, workers, batches, over time, questions.

Working it out reads every answer of the split. What came out is kept in the cache with a mark of the rows that it
hangs on, so that a page of a large project never works it out itself: it shows what is known, says from when it is,
and a job brings it up to date.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from annotation.models import Answer, Project, Question
from hits.services.pseudonyms import worker_key
from reviewer.services.agreement import Extra
from reviewer.services.study_groups import GROUPS, AnswerRow, Compared, figures_by, groups_of, percent
from scoring.agreement import GivenAnswers, most_given, question_agreement
from scoring.agreement_figures import figures_of
from scoring.alpha import unitized_alpha
from scoring.human import PERCENT_PLACES, AnsweredQuestion, human_performance
from scoring.normalization import runs

# Up to so many questions with answers a page works its figures out by itself, in some tenths of a second.
WORKED_OUT_AT_ONCE = 1500
# Bumped where the shape of what is kept changes.
SHAPE = 4
# With a row for each question, or eleven figures for each article and worker: most of the room that a study takes.
LONG = frozenset({"least_agreed", "measures"})
# What is known of a question, in its row.
OF_A_QUESTION = (
    *("id", "answers", "exact_match", "f1", "has_majority", "human_exact_match", "human_f1"),
    *("leave_one_out_exact_match", "leave_one_out_f1", "unanswerable", "alpha_spans"),
)
KEPT_SECONDS = 30 * 24 * 60 * 60
# For so long nobody queues the same job again.
UNDER_WAY_SECONDS = 120

Study = dict[str, Any]


@dataclass(frozen=True)
class Shown:
    """What a page shows: a study, or None while it is being worked out; ``is_current`` says whether nothing that it
    hangs on has changed since ``at``."""

    study: Study | None
    at: datetime | None = None
    is_current: bool = False


def shown(project: Project, split: str, mark: list[Any] | None = None) -> Shown:
    """What is known of ``split``; where that is nothing or has been overtaken, it is worked out here if it is little,
    and by a job otherwise. ``mark`` is ``mark_of`` of this moment, where the caller has it already."""
    mark = mark or mark_of(project)
    kept = cache.get(_key(project, split))
    if kept and kept["mark"] == mark:
        return Shown(kept["study"], kept["at"], is_current=True)
    if _answered(project, split)[: WORKED_OUT_AT_ONCE + 1].count() <= WORKED_OUT_AT_ONCE:
        study = work_out(project, split)
        return Shown(study, timezone.now(), is_current=True)
    if cache.add(f"{_key(project, split)}:under-way", 1, UNDER_WAY_SECONDS):
        from reviewer.tasks import work_out_agreement

        work_out_agreement.delay(project.pk, split)
    return Shown(kept["study"], kept["at"]) if kept else Shown(None)


def known(project: Project, split: str) -> Shown:
    """What was worked out last but for its lists of questions (``LONG``), without looking whether it is current."""
    kept = cache.get(f"{_key(project, split)}:head")
    return Shown(kept["study"], kept["at"]) if kept else Shown(None)


def work_out(project: Project, split: str) -> Study:
    """Work out the study of ``split`` and keep it. The same rows give the same figures."""
    mark = mark_of(project)
    study = _study(project, split)
    kept = {"mark": mark, "at": timezone.now(), "study": study}
    cache.set(_key(project, split), kept, KEPT_SECONDS)
    head = {name: value for name, value in study.items() if name not in LONG}
    cache.set(f"{_key(project, split)}:head", kept | {"study": head}, KEPT_SECONDS)
    cache.delete(f"{_key(project, split)}:under-way")
    return study


def public(project_id: int, found: Study) -> dict[str, Any]:
    """The study for those outside: workers by their key of this project, rows by what names them, each with all its
    figures."""
    groups = {
        name: [row | {"figures": told} for row, told in zip(found[name], figures_by(found, name), strict=True)]
        for name in GROUPS
    }
    groups["articles"] = [{k: v for k, v in row.items() if k != "key"} for row in groups["articles"]]
    groups["workers"] = [row | {"key": worker_key(project_id, row["key"])} for row in groups["workers"]]
    return (
        {name: value for name, value in found.items() if name != "measures"}
        | groups
        | {
            "least_agreed": [dict(zip(OF_A_QUESTION, row[1:], strict=True)) for row in found["least_agreed"]],
            "stops": [
                dict(zip(("answers", "stopped_after", "as_in_the_end", "questions"), row, strict=True))
                for row in found["stops"]
            ],
        }
    )


def _key(project: Project, split: str) -> str:
    # With the time, as a database may be made anew, and its keys come again, while the cache stays.
    return f"agreement:{SHAPE}:{project.pk}:{project.created_at.timestamp()}:{split}"


# Each part is one look at the end of an index, but for the assignments, of which there are few to a question: approving
# one gives its answers their positions.
_MARK = """
    SELECT
      (SELECT language FROM annotation_project WHERE id = %(project)s),
      (SELECT id FROM annotation_question WHERE project_id = %(project)s ORDER BY id DESC LIMIT 1),
      (SELECT max(id) FROM annotation_answer),
      (SELECT max(id) FROM annotation_verdict),
      (SELECT max(id) FROM annotation_passageact WHERE project_id = %(project)s),
      (SELECT max(id) FROM annotation_goldquestion WHERE project_id = %(project)s),
      (SELECT json_object_agg(status, n) FROM (
        SELECT assignment.status, count(*) AS n FROM annotation_assignment assignment
        JOIN annotation_task task ON task.id = assignment.task_id
        WHERE task.project_id = %(project)s GROUP BY assignment.status) counted)
"""


def mark_of(project: Project) -> list[Any]:
    """What changes whenever a study would: what was answered and approved, verdicts, gold checks, splits, language."""
    with connection.cursor() as cursor:
        cursor.execute(_MARK, {"project": project.pk})
        return list(cursor.fetchone())


def _answered(project: Project, split: str) -> Any:
    """The counting questions of ``split``, by key."""
    return Question.objects.in_project(project).counting().filter(paragraph__article__split=split).order_by("pk")


def _rows(project: Project, split: str) -> Iterator[AnswerRow]:
    counting = _answered(project, split).order_by().values("pk")
    rows = Answer.objects.counting().filter(question__in=counting).order_by("question", "position")
    columns = rows.values_list(
        "question",
        "question__public_id",
        "question__paragraph__article",
        "text",
        "start",
        "end",
        "question__paragraph__characters",
        "position",
        "assignment__worker",
        "assignment__offer__hit__batch",
        "assignment__submitted_at",
    )
    for question, public_id, article, text, start, end, length, position, worker, batch, at in columns.iterator(5000):
        span = None if start is None or end is None else (start, end)
        day = at.date().isoformat() if at else None
        yield AnswerRow(question, public_id, article, text, span, length or 0, position or 0, worker, batch, day)


def _study(project: Project, split: str) -> Study:
    language = project.language
    found: list[Compared] = []
    asked, extra = [], Extra()
    for _question, group in groupby(_rows(project, split), key=lambda row: row.question):
        rows = list(group)
        texts = [row.text for row in rows]
        given = GivenAnswers(rows[0].public_id, texts, [row.span for row in rows], rows[0].length)
        asked.append(AnsweredQuestion(given.id, texts))
        others = [row.text for row in rows if row.position]
        extra.questions += bool(others)
        extra.unanswerable += None in others
        found.append((rows, question_agreement(given, language)))
    performance = human_performance(asked, language=language)
    questions = _answered(project, split).order_by().count()
    unanswered = questions - len(asked)
    performance.all_others.too_few_answers += unanswered
    performance.first_and_third.too_few_answers += unanswered
    compared = [agreed for _rows_of, agreed in found if agreed.answers > 1]
    return {
        "split": split,
        "language": language,
        "questions": questions,
        "readings": performance.report(),
        "extra": {"questions": extra.questions, "unanswerable": extra.unanswerable},
        "figures": {name: figure.report() for name, figure in figures_of(compared).items()},
        **groups_of(found),
        "least_agreed": _by_question(found),
        "stops": _stops(found, language),
    }


def _by_question(found: Iterable[Compared]) -> list[list[Any]]:
    """Questions with two answers or more, those first whose answers agree least: each its key, then
    ``OF_A_QUESTION``."""
    rows_ = []
    for rows, agreed in found:
        if agreed.pairwise is None:
            continue
        human, left, spans = agreed.each[1], agreed.leave_one_out, agreed.spans
        alpha = unitized_alpha(spans.observed, spans.expected) if spans else None
        rows_.append(
            [
                *(rows[0].question, agreed.id, agreed.answers),
                *(percent(agreed.pairwise.exact_match), percent(agreed.pairwise.f1), bool(agreed.is_settled)),
                *((percent(human.exact_match), percent(human.f1)) if human else (None, None)),
                *((percent(left.exact_match), percent(left.f1)) if left else (None, None)),
                *(agreed.unanswerable, None if alpha is None else round(alpha, PERCENT_PLACES)),
            ]
        )
    return sorted(rows_, key=lambda row: (row[4], row[3], row[0]))


def _stops(found: Iterable[Compared], language: str) -> list[list[int]]:
    """What asking one person after the other would have come to: for each number of answers, after how many of them
    most were the same for the first time (0: never), whether that answer is what most gave in the end (1; 0 where it
    is not, or nothing is), and in how many questions it was so."""
    counts: Counter[tuple[int, int, int]] = Counter()
    for rows, agreed in found:
        if agreed.answers < 2:
            continue
        marks = [None if row.text is None else tuple(runs(row.text, language)) for row in rows]
        stop = next((k for k in range(2, len(marks) + 1) if most_given(marks[:k]) is not None), 0)
        last = most_given(marks)
        early = most_given(marks[:stop]) if stop else None
        same = early is not None and last is not None and marks[early] == marks[last]
        counts[agreed.answers, stop, int(same)] += 1
    return [[*key, count] for key, count in sorted(counts.items())]
