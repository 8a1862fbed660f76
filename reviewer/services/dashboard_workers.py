"""The workers of a project for its dashboard: who made most, and of whom something speaks against their work.

Evidence with its numbers, to look at; no reason for anything by itself. Workers stand here by their own rows' keys.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import Count, Q, Sum

from annotation.models import Article, Assignment, Project, Question
from reviewer.models import FoundSignal, SignalRun
from reviewer.services import study

SHOWN = 5
# From so many on a share says something: decided assignments, questions, answers, assignments that were looked through.
LEAST_DECIDED, LEAST_QUESTIONS, LEAST_ANSWERS, LEAST_NOTED = 5, 10, 10, 5
# Shares from which they are shown as evidence: a fifth rejected, a fifth left out, one signal in every assignment.
MOST_REJECTED, MOST_DROPPED, MOST_SIGNALS = 0.2, 0.2, 1.0
MOST_GOLD_FAILED = 2
# Points of F1 below the mean of all answers of the project.
FAR_BELOW = 15.0

Row = dict[str, Any]


def workers(project: Project) -> Row:
    """How many workers submitted work, and the first SHOWN of both lists."""
    rows = _rows(project)
    mean = _mean_f1(rows.values())
    for row in rows.values():
        row["evidence"] = _evidence(row, mean)
    worrying = sorted(
        (row for row in rows.values() if row["evidence"]),
        key=lambda row: (-len(row["evidence"]), -row["questions"] - row["answers"], row["worker"]),
    )
    top = sorted(
        (row for row in rows.values() if row["approved"] and not row["evidence"]),
        key=lambda row: (-row["questions"] - row["answers"], -row["approved"], row["worker"]),
    )
    return {
        "workers": len(rows),
        "mean_f1": mean,
        "top": top[:SHOWN],
        "worrying": worrying[:SHOWN],
        "of": len(worrying),
    }


def _rows(project: Project) -> dict[int, Row]:
    """The record of each worker who submitted work of ``project``, by key."""
    status = Assignment.Status
    work = Assignment.objects.in_project(project).listed().order_by().values("worker")
    counted = work.annotate(
        approved=Count("pk", filter=Q(status=status.APPROVED)),
        rejected=Count("pk", filter=Q(status=status.REJECTED)),
        waiting=Count("pk", filter=Q(status=status.SUBMITTED)),
    )
    empty = {"questions": 0, "dropped": 0, "gold_failed": 0, "noted": 0, "signals": 0, "answers": 0, "f1": None}
    rows = {row["worker"]: row | empty for row in counted}
    written = Question.objects.in_project(project).filter(assignment__status__in=Assignment.LISTED).order_by()
    for name, questions in (("questions", written), ("dropped", written.dropped())):
        for worker, count in questions.values_list("assignment__worker").annotate(n=Count("pk")):
            rows[worker][name] = count
    failed = FoundSignal.objects.filter(assignment__task__project=project, signal="gold_failed").order_by()
    for worker, count in failed.values_list("assignment__worker").annotate(n=Count("pk")):
        if worker in rows:
            rows[worker]["gold_failed"] = count
    noted = SignalRun.objects.filter(assignment__task__project=project).order_by()
    for worker, count, against in noted.values_list("assignment__worker").annotate(n=Count("pk"), s=Sum("against")):
        if worker in rows:
            rows[worker] |= {"noted": count, "signals": against}
    _add_agreement(project, rows)
    return rows


def _add_agreement(project: Project, rows: dict[int, Row]) -> None:
    """Answers that were held against others' in any split, and their mean F1 in percent, as worked out last."""
    sums: dict[int, float] = defaultdict(float)
    for split in Article.Split.values:
        found = study.known(project, split).study
        for row in found["workers"] if found else ():
            if row["key"] in rows:
                rows[row["key"]]["answers"] += row["count"]
                sums[row["key"]] += row["count"] * row["f1"]
    for worker, total in sums.items():
        rows[worker]["f1"] = total / rows[worker]["answers"]


def _mean_f1(rows: Any) -> float | None:
    compared = [row for row in rows if row["f1"] is not None]
    answers = sum(row["answers"] for row in compared)
    return sum(row["f1"] * row["answers"] for row in compared) / answers if answers else None


def _evidence(row: Row, mean_f1: float | None) -> list[str]:
    """The names of what speaks against the work of ``row``; its numbers stand in the row."""
    decided = row["approved"] + row["rejected"]
    found = {
        "rejected": decided >= LEAST_DECIDED and row["rejected"] / decided >= MOST_REJECTED,
        "dropped": row["questions"] >= LEAST_QUESTIONS and row["dropped"] / row["questions"] >= MOST_DROPPED,
        "gold_failed": row["gold_failed"] >= MOST_GOLD_FAILED,
        "signals": row["noted"] >= LEAST_NOTED and row["signals"] / row["noted"] >= MOST_SIGNALS,
        "f1": mean_f1 is not None
        and row["f1"] is not None
        and row["answers"] >= LEAST_ANSWERS
        and row["f1"] <= mean_f1 - FAR_BELOW,
    }
    return [name for name, speaks in found.items() if speaks]
