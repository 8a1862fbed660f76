"""Erasing what is known of a worker: their id and the traces of how they worked go, their work and its amounts stay.

One transaction, once for each worker. Afterwards nothing here leads from the person to their work: the endpoint's list
still names both, and its operator erases there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy

from accounts.models import User
from annotation.models import Answer, Assignment, Project, Question, Worker
from annotation.services import erasing as at_work
from annotation.services.erasing import ERASED
from hits.models import LedgerEntry
from hits.services import erasing as at_the_endpoint
from reviewer.models import FoundSignal, ProjectFigures, ReviewClaim, SignalRun, WorkerErasure
from reviewer.models.erasures import WHY_CHARS

# Rows of this room that are deleted, by what the pages and commands call them.
TRACES: dict[str, type[models.Model]] = {
    "signals_worked_out": FoundSignal,
    "times_of_signals": SignalRun,
    "claims_of_reviewers": ReviewClaim,
}
# What each kind of row is called on pages and in the terminal.
NAMES = {
    "drafts": gettext_lazy("drafts"),
    "time_at_work": gettext_lazy("times at work on a paragraph"),
    "signals_of_the_page": gettext_lazy("counts of keys, pastes and returns"),
    "quiz_tries": gettext_lazy("tries at a quiz"),
    "signals_worked_out": gettext_lazy("signals that were worked out"),
    "times_of_signals": gettext_lazy("records of when signals were worked out"),
    "claims_of_reviewers": gettext_lazy("claims of reviewers"),
}
ROOMS = ("annotation", "hits", "reviewer")
# Their texts are about passages alone, or parts of them, or frozen for good: an id is not looked for in them.
NOT_SEARCHED = {
    *("Answer", "Article", "Guide", "Paragraph", "ParagraphChoice", "PassageAct", "TextRepair"),
    *("ReasoningLabel", "ReasoningSample", "Release"),
}
# An id shorter than this may stand in a text as an ordinary word or number.
SHORTEST_SEARCHED = 8
MOST_ID_CHARS = 64


class NotErasable(Exception):
    """Something about the worker is still open; ``sentences`` name it all and say what to do."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences


@dataclass(frozen=True)
class Outlook:
    """What erasing a worker would do. ``goes`` and ``stays`` are numbers of rows by kind."""

    worker: Worker
    in_the_way: list[str]
    goes: dict[str, int]
    stays: dict[str, int]


@dataclass(frozen=True)
class Erased:
    """An erasure, and whether it had been done before."""

    row: WorkerErasure
    already: bool


def find(endpoint: str, mturk_worker_id: str) -> Worker | None:
    """The worker of that id at that endpoint, if one is known here."""
    if not 0 < len(mturk_worker_id) <= MOST_ID_CHARS or "\0" in endpoint + mturk_worker_id:
        return None
    return Worker.objects.filter(endpoint=endpoint, mturk_worker_id=mturk_worker_id).first()


def outlook(worker: Worker) -> Outlook:
    """What :func:`erase` would do now. Changes nothing."""
    goes = {name: at_work.rows(worker, name) for name in at_work.TRACES}
    goes |= {name: _rows(model, worker) for name, model in TRACES.items()}
    work = Assignment.objects.filter(worker=worker)
    stays = {
        "assignments": work,
        "questions": Question.objects.filter(assignment__worker=worker),
        "answers": Answer.objects.filter(assignment__worker=worker),
        "ledger": LedgerEntry.objects.filter(assignment__worker=worker),
    }
    counts = at_work.counted(goes | stays)
    return Outlook(
        worker, _in_the_way(worker), {name: counts[name] for name in goes}, {name: counts[name] for name in stays}
    )


@transaction.atomic
def erase(worker_pk: int, user: User | None = None, why: str = "", cause: str = WorkerErasure.Cause.ASKED) -> Erased:
    """Erase what is known of the worker of that key. Doing it again changes nothing, and returns the first erasure.

    Raises Worker.DoesNotExist, or NotErasable while money or a decision is open; then nothing has changed.
    """
    worker = at_work.locked(worker_pk)
    if worker.erased_at is not None:
        return Erased(WorkerErasure.objects.get(worker=worker), already=True)
    if sentences := _in_the_way(worker):
        raise NotErasable(sentences)
    now, mturk_worker_id = timezone.now(), worker.mturk_worker_id
    gone = {name: _rows(model, worker).delete()[0] for name, model in TRACES.items()}
    at_the_endpoint.erase(worker)
    gone |= at_work.erase(worker, now)
    # Worked out from what is gone now.
    projects = Project.objects.filter(tasks__assignments__worker=worker)
    ProjectFigures.objects.filter(project__in=projects.order_by().values("pk")).delete()
    row = WorkerErasure.objects.create(
        worker=worker, erased_by=user, erased_at=now, cause=cause, why=why.strip()[:WHY_CHARS], deleted=gone
    )
    _take_out_of_texts(mturk_worker_id)
    row.refresh_from_db()
    return Erased(row, already=False)


def _in_the_way(worker: Worker) -> list[str]:
    return [*at_work.in_the_way(worker), *at_the_endpoint.in_the_way(worker)]


def _rows(model: type[models.Model], worker: Worker) -> QuerySet[Any]:
    return model._default_manager.filter(assignment__worker=worker)


def _take_out_of_texts(mturk_worker_id: str) -> None:
    """Overwrite the id wherever somebody has typed it, or the endpoint named it in a refusal, as a word of its own.

    Rows that are only ever added to let an erasure, and nothing else, overwrite their words.
    """
    if len(mturk_worker_id) < SHORTEST_SEARCHED:
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('spanwright.erasing', 'yes', true)")
        for model in apps.get_models():
            if model._meta.app_config.name not in ROOMS or model.__name__ in NOT_SEARCHED or model is Worker:
                continue
            for field in model._meta.concrete_fields:
                if _is_text(field):
                    cursor.execute(*_replacing(model._meta.db_table, field, mturk_worker_id))
        cursor.execute("SELECT set_config('spanwright.erasing', '', true)")


def _is_text(field: models.Field) -> bool:
    is_words = isinstance(field, models.CharField | models.TextField) and not field.choices and not field.primary_key
    return is_words or isinstance(field, models.JSONField)


def _replacing(table: str, field: models.Field, word: str) -> tuple[str, dict[str, str]]:
    """The statement that puts ``ERASED`` in the place of ``word``, and its values."""
    table, column = connection.ops.quote_name(table), connection.ops.quote_name(field.column or "")
    kind = "::jsonb" if isinstance(field, models.JSONField) else ""
    statement = f"""
        UPDATE {table} SET {column} = regexp_replace({column}::text, %(pattern)s, %(erased)s, 'g'){kind}
        WHERE strpos({column}::text, %(word)s) > 0 AND {column}::text ~ %(pattern)s
    """  # noqa: S608 - names of our own tables and columns
    escaped = "".join(character if character.isalnum() else f"\\{character}" for character in word)
    pattern = f"(?<![[:alnum:]]){escaped}(?![[:alnum:]])"
    return statement, {"pattern": pattern, "erased": ERASED, "word": word}
