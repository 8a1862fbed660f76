"""All that is kept about one worker, in every project: for whoever has to answer that person's request to see it.

The words of other workers, and the names of staff, are other people's data and are left out.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet

from annotation.models import (
    Answer,
    Assignment,
    Draft,
    Exclusion,
    FirstLook,
    Note,
    ParagraphWork,
    Project,
    Question,
    QuestionSignals,
    QuizResult,
    QuizTry,
    Verdict,
    Worker,
)
from hits.models import Bonus, QualificationGrant, WorkerBlock
from reviewer.models import FoundSignal, Review
from reviewer.services import looked

READ_AT_ONCE = 500  # rows

# What each part holds: its model, the path from a row to the worker, and what a row is told by, name by name.
PARTS: dict[str, tuple[type[Model], str, dict[str, str]]] = {
    "assignments": (
        Assignment,
        "worker",
        {
            "number": "pk",
            "assignment_id": "mturk_assignment_id",
            "hit_id": "offer__mturk_hit_id",
            "project": "task__project__name",
            "kind": "task__kind",
            "reward_usd": "offer__reward_usd",
            "status": "status",
            "opened_at": "opened_at",
            "finished_at": "finished_at",
            "submitted_at": "submitted_at",
            "decided_at": "decided_at",
        },
    ),
    "drafts": (Draft, "assignment__worker", {"assignment": "assignment", "saved_at": "saved_at", "draft": "content"}),
    "questions": (
        Question,
        "assignment__worker",
        {"assignment": "assignment", "id": "public_id", "question": "text", "written_at": "created_at"},
    ),
    "answers": (
        Answer,
        "assignment__worker",
        {
            "assignment": "assignment",
            "question_id": "question__public_id",
            "answer": "text",
            "answer_start": "start",
            "answer_end": "end",
            "given_at": "created_at",
        },
    ),
    "time_at_work": (
        ParagraphWork,
        "assignment__worker",
        {
            "assignment": "assignment",
            "paragraph": "task_paragraph__position",
            "active_seconds": "active_seconds",
            "refused_pastes_and_copies": "blocked_actions",
            "focus_losses": "focus_losses",
        },
    ),
    "signals_of_the_page": (
        QuestionSignals,
        "assignment__worker",
        {
            "assignment": "assignment",
            "question_id": "question__public_id",
            "copied_words": "copied_words",
            **{name: name for name in QuestionSignals.COUNTED},
        },
    ),
    "signals_worked_out": (
        FoundSignal,
        "assignment__worker",
        {
            "assignment": "assignment",
            "question_id": "question__public_id",
            "signal": "signal",
            "speaks_for": "speaks_for",
        },
    ),
    "quiz_tries": (
        QuizTry,
        "assignment__worker",
        {
            "assignment": "assignment",
            "try": "number",
            "right": "right_count",
            "answers": "answers",
            "tried_at": "tried_at",
        },
    ),
    "quiz_results": (
        QuizResult,
        "worker",
        {"project": "project__name", "passed": "passed", "score": "score", "at": "taken_at"},
    ),
    "reviews": (
        Review,
        "assignment__worker",
        {"assignment": "assignment", "decision": "decision", "reason": "reason", "decided_at": "decided_at"},
    ),
    "verdicts_on_questions": (
        Verdict,
        "question__assignment__worker",
        {
            "question_id": "question__public_id",
            "decision": "decision",
            "reason": "reason",
            "decided_at": "decided_at",
        },
    ),
    "verdicts_on_answers": (
        Verdict,
        "answer__assignment__worker",
        {
            "question_id": "answer__question__public_id",
            "decision": "decision",
            "reason": "reason",
            "decided_at": "decided_at",
        },
    ),
    "notes": (
        Note,
        "worker",
        {
            "project": "project__name",
            "question_id": "question__public_id",
            "start": "start",
            "end": "end",
            "usual_reason": "reason",
            "note": "text",
            "written_at": "written_at",
            "read_at": "reading__read_at",
        },
    ),
    "first_looks": (FirstLook, "worker", {"project": "project__name", "looked_at": "looked_at"}),
    "exclusions": (
        Exclusion,
        "worker",
        {
            "project": "project__name",
            "cause": "reason",
            "lifted": "is_lifted",
            "reason": "words",
            "decided_at": "decided_at",
        },
    ),
    "blocks_at_the_endpoint": (
        WorkerBlock,
        "worker",
        {"project": "project__name", "lifted": "is_lifted", "reason": "words", "asked_at": "asked_at"},
    ),
    "qualifications": (
        QualificationGrant,
        "worker",
        {
            "project": "qualification__project__name",
            "purpose": "qualification__purpose",
            "wanted": "is_wanted",
            "granted_at": "granted_at",
        },
    ),
    "bonuses": (
        Bonus,
        "worker",
        {
            "assignment": "assignment",
            "amount_usd": "amount_usd",
            "reason": "reason",
            "status": "status",
            "asked_at": "asked_at",
            "paid_at": "paid_at",
        },
    ),
}


# Where a row that names its worker directly has its project.
PROJECTS = {"Assignment": "task__project", "QualificationGrant": "qualification__project", "Bonus": "batch__project"}


def of_worker(
    worker: Worker, projects: QuerySet[Project] | None = None, *, with_id: bool = True
) -> Iterator[tuple[str, Any]]:
    """The parts of the record by name, each a dict or an iterator of dicts, read in pieces.

    ``assignment`` in them is the number of an entry of ``assignments``. With ``projects``, what these know alone;
    without ``with_id``, the endpoint's id is left out, which says who the worker is.
    """
    told = {
        "endpoint": worker.endpoint,
        "worker_id": worker.mturk_worker_id,
        "here": str(worker),
        "first_seen_at": worker.first_seen_at,
    }
    yield "worker", told if with_id else {name: value for name, value in told.items() if name != "worker_id"}
    for name, (model, path, columns) in PARTS.items():
        rows = model._default_manager.filter(**{path: worker})
        if projects is not None:
            rows = rows.filter(**{f"{_to_project(model, path)}__in": projects.order_by().values("pk")})
        yield name, _read(rows, columns)
    yield "looked_at", looked.of_worker(worker, projects)


def _to_project(model: type[Model], path: str) -> str:
    """The path from a row to its project, beside the one to its worker."""
    if path == "worker":
        return PROJECTS.get(model.__name__, "project")
    return path.removesuffix("worker") + PROJECTS["Assignment"]


def _read(rows: QuerySet[Any], columns: dict[str, str]) -> Iterator[dict[str, Any]]:
    for row in rows.order_by("pk").values_list(*columns.values()).iterator(chunk_size=READ_AT_ONCE):
        yield dict(zip(columns, row, strict=True))


def as_json(parts: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """The record as JSON, piece by piece, one entry a line: a long one is never held as a whole."""
    yield "{"
    for number, (name, part) in enumerate(parts):
        yield f"{',' if number else ''}\n{json.dumps(name)}: "
        if isinstance(part, dict):
            yield _dump(part)
        else:
            yield "["
            for place, row in enumerate(part):
                yield f"{',' if place else ''}\n  {_dump(row)}"
            yield "]"
    yield "\n}\n"


def _dump(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
