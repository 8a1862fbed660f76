"""Erasing a worker, as far as this room knows them. Called by the room that asks all others, and by nobody else.

What they wrote for the dataset, questions and answers, stays: it is the dataset, and nothing in it says who wrote it.
So do the facts that money and the protocol rest on: which assignment was when decided how, who was kept out, and
whether a quiz was passed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import CharField, Count, Model, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import (
    Assignment,
    Draft,
    Exclusion,
    ParagraphWork,
    QuestionSignals,
    QuizTry,
    Worker,
)
from annotation.services.work import JUST_SENT

ERASED = "(erased)"
# Rows that are deleted, by what the pages and commands call them.
TRACES: dict[str, tuple[type[Model], str]] = {
    "drafts": (Draft, "assignment__worker"),
    "time_at_work": (ParagraphWork, "assignment__worker"),
    "signals_of_the_page": (QuestionSignals, "assignment__worker"),
    "quiz_tries": (QuizTry, "assignment__worker"),
}


def locked(worker_pk: int) -> Worker:
    """The worker and all their assignments, locked until the transaction ends. Raises Worker.DoesNotExist."""
    worker = Worker.objects.select_for_update().get(pk=worker_pk)
    list(Assignment.objects.select_for_update().filter(worker=worker).order_by("pk").values_list("pk"))
    return worker


def in_the_way(worker: Worker) -> list[str]:
    """Why ``worker`` cannot be erased now, as sentences; empty where nothing is open with this room."""
    sentences = []
    work = Assignment.objects.filter(worker=worker)
    if waiting := list(work.filter(status=Assignment.Status.SUBMITTED).order_by("pk").values_list("pk", flat=True)):
        sentence = ngettext(
            "{n} piece of submitted work waits for its decision (assignment {which}): approve or reject it first.",
            "{n} pieces of submitted work wait for their decision (assignments {which}): approve or reject them first.",
            len(waiting),
        )
        sentences.append(sentence.format(n=len(waiting), which=numbers(waiting)))
    sent = work.filter(status=Assignment.Status.OPEN, finished_at__gt=timezone.now() - JUST_SENT)
    if on_the_way := list(sent.order_by("pk").values_list("pk", flat=True)):
        sentence = _(
            "Work was sent a moment ago and the endpoint has not listed it yet (assignment {which}): try again in "
            "{minutes} minutes."
        )
        minutes = int(JUST_SENT.total_seconds() // 60)
        sentences.append(sentence.format(which=numbers(on_the_way), minutes=minutes))
    return sentences


def counted(kinds: dict[str, QuerySet[Any]]) -> dict[str, int]:
    """How many rows each of ``kinds`` has, asked for at once."""
    asked = []
    for name, some in kinds.items():
        named = some.order_by().annotate(counted_as=Value(name, output_field=CharField()))
        asked.append(named.values("counted_as").annotate(rows_counted=Count("pk")))
    found = asked[0].union(*asked[1:], all=True).values_list("counted_as", "rows_counted")
    return dict.fromkeys(kinds, 0) | dict(found)


def rows(worker: Worker, name: str) -> QuerySet[Any]:
    """The rows of that kind of trace that ``worker`` left."""
    model, path = TRACES[name]
    return model._default_manager.filter(**{path: worker})


def erase(worker: Worker, now: datetime) -> dict[str, int]:
    """Delete ``worker``'s traces, and overwrite their row; return how many rows of each kind went.

    The worker is ``locked``, and nothing is ``in_the_way``.
    """
    gone = {name: rows(worker, name).delete()[0] for name in TRACES}
    unlisted = Assignment.objects.filter(worker=worker).exclude(status__in=Assignment.LISTED)
    # Should they submit it yet, it is new work of a new row, to which the assignment's id would tie this one.
    unlisted.update(
        status=Assignment.Status.NOT_SUBMITTED,
        mturk_assignment_id=Concat(Value("erased-"), Cast("pk", CharField())),
    )
    Exclusion.objects.filter(worker=worker).exclude(words="").update(words=ERASED)
    Worker.objects.filter(pk=worker.pk).update(mturk_worker_id="", erased_at=now)
    return gone


def numbers(keys: list[int], most: int = 10) -> str:
    """``keys`` for a sentence: the first few, and that there are more."""
    told = ", ".join(str(key) for key in keys[:most])
    return f"{told}, …" if len(keys) > most else told
