"""The queue of submitted work: which assignments a page lists, in which order, and what stands beside each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotation.models import Answer, Assignment, ParagraphWork, Project, Question, Task, TaskParagraph
from hits.models import AssignmentDecision
from reviewer.models import FoundSignal, Review, ReviewRules, SecondLook
from reviewer.services import claims
from reviewer.services.signal_catalogue import Code

PAGE_ROWS = 50
# The time from which a reviewer's pace is told.
LATELY = timedelta(minutes=10)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class State(models.TextChoices):
    """What the list is filtered by."""

    WAITING = "waiting", _("waiting")
    ON_ITS_WAY = "on-its-way", _("on its way")  # decided here; the endpoint has not been told yet
    APPROVED = "approved", _("approved")
    REJECTED = "rejected", _("rejected")
    SECOND = "second-look", _("second look")  # waits for another reviewer's eyes
    ALL = "all", _("all")


@dataclass(frozen=True)
class Filter:
    """What a list, or a decision about many, is narrowed by; empty values narrow nothing. ``signal`` is a code of the
    catalogue, or whether any or none speaks against the work."""

    ANY = "any"
    NONE = "none"

    kind: str = ""
    signal: str = ""
    worker: int | None = None
    batch: int | None = None

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Filter:
        """The filter in an address or a form; what is no value that a field could have narrows nothing."""
        kind, signal = str(asked.get("kind", "")), str(asked.get("signal", ""))
        return cls(
            kind=kind if kind in Task.Kind.values else "",
            signal=signal if signal in (cls.ANY, cls.NONE, *Code.values) else "",
            worker=key_of(asked.get("worker")),
            batch=key_of(asked.get("batch")),
        )

    def words(self) -> dict[str, str]:
        """The filter as an address has it."""
        return {name: str(value) for name, value in asdict(self).items() if value}

    def narrow(self, rows: models.QuerySet[Assignment]) -> models.QuerySet[Assignment]:
        """Those of ``rows`` that it lets through."""
        if self.kind:
            rows = rows.filter(task__kind=self.kind)
        if self.worker:
            rows = rows.filter(worker=self.worker)
        if self.batch:
            rows = rows.filter(offer__hit__batch=self.batch)
        if self.signal == self.ANY:
            return rows.filter(signal_run__against__gt=0)
        if self.signal == self.NONE:
            return rows.filter(signal_run__against=0)
        if self.signal:
            return rows.filter(Exists(FoundSignal.objects.filter(assignment=OuterRef("pk"), signal=self.signal)))
        return rows


# A bigint's digits; longer ones are nobody's key.
MAX_KEY_DIGITS = 18


def key_of(text: Any) -> int | None:
    """The key that ``text`` writes down, None where it is none."""
    text = str(text or "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_KEY_DIGITS else None


ALL_WORK = Filter()


@dataclass(frozen=True)
class Row:
    """One assignment of the list with what was counted in it."""

    assignment: Assignment
    article: str  # the title of the first; a task seldom has more
    questions: int
    answers: int
    active_seconds: int | None  # None where the page reported nothing
    is_on_its_way: bool
    said: Sequence[str]  # the names of the signals against it

    @property
    def state(self) -> str:
        if self.is_on_its_way:
            return State.ON_ITS_WAY
        is_waiting = self.assignment.status == Assignment.Status.SUBMITTED
        return State.WAITING if is_waiting else self.assignment.status

    @property
    def state_label(self) -> str:
        return str(State(self.state).label)


@dataclass(frozen=True)
class Page:
    """Some rows of the list, and the place after which the next page starts (None on the last)."""

    rows: Sequence[Row]
    next_place: str | None


def assignments_in(project: Project, state: str, chosen: Filter = ALL_WORK) -> models.QuerySet[Assignment]:
    """The listed assignments of ``project`` in ``state`` that ``chosen`` lets through."""
    return in_state(chosen.narrow(Assignment.objects.in_project(project).listed()), state)


def in_state(rows: models.QuerySet[Assignment], state: str) -> models.QuerySet[Assignment]:
    """Those of ``rows`` that are in ``state``."""
    on_its_way = Exists(AssignmentDecision.objects.to_carry_out().filter(assignment=OuterRef("pk")))
    match state:
        case State.WAITING:
            return rows.filter(~on_its_way, status=Assignment.Status.SUBMITTED)
        case State.ON_ITS_WAY:
            return rows.filter(on_its_way)
        case State.APPROVED | State.REJECTED:
            return rows.filter(~on_its_way, status=state)
        case State.SECOND:
            return rows.filter(Exists(SecondLook.objects.waiting().filter(assignment=OuterRef("pk"))))
    return rows


def waiting_until(project: Project, chosen: Filter, place: str) -> models.QuerySet[Assignment]:
    """The waiting assignments up to ``place`` and with it; all of them where ``place`` says nothing."""
    waiting = assignments_in(project, State.WAITING, chosen)
    key = _key_of(place)
    return waiting if key is None else waiting.filter(_before(*key) | Q(pk=key[1]))


def page_of(project: Project, state: str, chosen: Filter, after: str) -> Page:
    """One page of the list: waiting work the oldest first, everything else the latest first."""
    latest_first = state != State.WAITING
    rows = assignments_in(project, state, chosen).select_related("task", "worker")
    if (key := _key_of(after)) is not None:
        rows = rows.filter(_before(*key) if latest_first else _after(*key))
    order = ("-submitted_at", "-pk") if latest_first else ("submitted_at", "pk")
    found = list(rows.order_by(*order)[: PAGE_ROWS + 1])
    shown = found[:PAGE_ROWS]
    return Page(rows_of(shown), place_of(shown[-1]) if len(found) > PAGE_ROWS else None)


def last_waiting(project: Project, chosen: Filter) -> Assignment | None:
    """The newest waiting assignment."""
    return assignments_in(project, State.WAITING, chosen).order_by("-submitted_at", "-pk").first()


def looked_at(project: Project, pk: int, chosen: Filter, user: User) -> models.QuerySet[Assignment]:
    """The listed assignment ``pk`` of ``project`` with what stands around it in the queue of ``user``: the keys of the
    waiting ones before and after it (``previous_pk``, ``next_pk``), how many wait (``waiting_count``), how many they
    decided lately (``decided_lately``), and their latest decision that can be taken back (``undo_pk``)."""
    ahead = ahead_of(project, chosen, user)
    mine, here = OuterRef("pk"), OuterRef("submitted_at")
    before = ahead.filter(Q(submitted_at__lt=here) | Q(submitted_at=here, pk__lt=mine)).order_by("-submitted_at", "-pk")
    after = ahead.filter(Q(submitted_at__gt=here) | Q(submitted_at=here, pk__gt=mine)).order_by("submitted_at", "pk")
    waiting = assignments_in(project, State.WAITING, chosen).order_by()
    now = timezone.now()
    lately = Review.objects.filter(reviewer=user, decided_at__gte=now - LATELY, act__isnull=True).order_by()
    undoable = AssignmentDecision.objects.held(now).filter(asked_by=user, assignment__task__project=project)
    rows = Assignment.objects.in_project(project).listed().filter(pk=pk)
    rules = ReviewRules.objects.in_project(project).order_by("-pk")
    return rows.select_related("task", "offer__hit", "worker", "signal_run").annotate(
        claim_minutes=Coalesce(Subquery(rules.values("claim_minutes")[:1]), ReviewRules().claim_minutes),
        previous_pk=Subquery(before.values("pk")[:1]),
        next_pk=Subquery(after.values("pk")[:1]),
        waiting_count=Coalesce(Subquery(_counting(waiting)), 0),
        decided_lately=Coalesce(Subquery(_counting(lately)), 0),
        undo_pk=Subquery(undoable.order_by("-pk").values("assignment")[:1]),
    )


def _counting(rows: models.QuerySet) -> models.QuerySet:
    return rows.annotate(same=Value(1)).values("same").annotate(count=Count("pk")).values("count")


def ahead_of(project: Project, chosen: Filter, user: User) -> models.QuerySet[Assignment]:
    """What waits for ``user``: no colleague has it open, and they have not asked a colleague to look at it."""
    asked = SecondLook.objects.waiting().filter(assignment=OuterRef("pk"), asked_by=user, cause=SecondLook.Cause.ASKED)
    return assignments_in(project, State.WAITING, chosen).exclude(claims.held_by_others(user)).exclude(Exists(asked))


def following(project: Project, chosen: Filter, user: User, assignment: Assignment) -> Assignment | None:
    """What waits for ``user`` after ``assignment``; the oldest where nothing stands behind it."""
    rows = ahead_of(project, chosen, user).exclude(pk=assignment.pk).order_by("submitted_at", "pk")
    behind = rows.none()
    if assignment.submitted_at is not None:
        behind = rows.filter(_after(assignment.submitted_at, assignment.pk))
    return behind.first() or rows.first()


def place_of(assignment: Assignment) -> str:
    """Where ``assignment`` stands in the queue, in a form that fits into an address."""
    return f"{((assignment.submitted_at or _EPOCH) - _EPOCH) // _MICROSECOND}-{assignment.pk}"


def _key_of(place: str) -> tuple[datetime, int] | None:
    """The key that ``place`` writes down, None where it is no place."""
    moment, _dash, pk = place.partition("-")
    if not (moment.isdecimal() and pk.isdecimal() and len(moment) < 18 and len(pk) < 19):
        return None
    try:
        return _EPOCH + int(moment) * _MICROSECOND, int(pk)
    except OverflowError:
        return None


def _before(submitted_at: datetime, pk: int) -> Q:
    return Q(submitted_at__lt=submitted_at) | Q(submitted_at=submitted_at, pk__lt=pk)


def _after(submitted_at: datetime, pk: int) -> Q:
    return Q(submitted_at__gt=submitted_at) | Q(submitted_at=submitted_at, pk__gt=pk)


def rows_of(assignments: Iterable[Assignment]) -> list[Row]:
    """``assignments`` with what is counted in each, in a fixed number of queries."""
    assignments = list(assignments)
    ids = [assignment.pk for assignment in assignments]

    def by_assignment(model: type[models.Model], figure: Count | Sum) -> dict[int, int]:
        rows = model._default_manager.filter(assignment__in=ids).order_by().values("assignment")
        return dict(rows.annotate(figure=figure).values_list("assignment", "figure"))

    questions, answers = by_assignment(Question, Count("pk")), by_assignment(Answer, Count("pk"))
    seconds = by_assignment(ParagraphWork, Sum("active_seconds"))
    asked = AssignmentDecision.objects.to_carry_out().filter(assignment__in=ids)
    on_their_way = set(asked.values_list("assignment", flat=True))
    first = TaskParagraph.objects.filter(task__in=[assignment.task_id for assignment in assignments], position=0)
    said: dict[int, list[tuple[bool, str]]] = defaultdict(list)
    for of, code, speaks_for in (
        FoundSignal.objects.filter(assignment__in=ids).order_by("pk").values_list("assignment", "signal", "speaks_for")
    ):
        if (speaks_for, code) not in said[of]:
            said[of].append((speaks_for, code))
    articles = {row.task_id: str(row.paragraph.article) for row in first.select_related("paragraph__article")}
    return [
        Row(
            assignment,
            articles.get(assignment.task_id, ""),
            questions.get(assignment.pk, 0),
            answers.get(assignment.pk, 0),
            seconds.get(assignment.pk),
            assignment.pk in on_their_way,
            [str(Code(code).label) for speaks_for, code in said[assignment.pk] if not speaks_for],
        )
        for assignment in assignments
    ]
