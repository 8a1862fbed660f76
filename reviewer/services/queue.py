"""The queue of submitted work: which assignments a page lists, in which order, and what stands beside each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, Sum
from django.utils.translation import gettext_lazy as _

from annotation.models import Answer, Assignment, ParagraphWork, Project, Question, TaskParagraph
from hits.models import AssignmentDecision

PAGE_ROWS = 50
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class State(models.TextChoices):
    """What the list is filtered by."""

    WAITING = "waiting", _("waiting")
    ON_ITS_WAY = "on-its-way", _("on its way")  # decided here; the endpoint has not been told yet
    APPROVED = "approved", _("approved")
    REJECTED = "rejected", _("rejected")
    ALL = "all", _("all")


@dataclass(frozen=True)
class Row:
    """One assignment of the list with what was counted in it."""

    assignment: Assignment
    article: str  # the title of the first; a task seldom has more
    questions: int
    answers: int
    active_seconds: int | None  # None where the page reported nothing
    is_on_its_way: bool

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


def assignments_in(project: Project, state: str, kind: str = "") -> models.QuerySet[Assignment]:
    """The listed assignments of ``project`` in ``state``, of one kind of task or (empty) of any."""
    on_its_way = Exists(AssignmentDecision.objects.to_carry_out().filter(assignment=OuterRef("pk")))
    rows = Assignment.objects.in_project(project).listed()
    if kind:
        rows = rows.filter(task__kind=kind)
    match state:
        case State.WAITING:
            return rows.filter(~on_its_way, status=Assignment.Status.SUBMITTED)
        case State.ON_ITS_WAY:
            return rows.filter(on_its_way)
        case State.APPROVED | State.REJECTED:
            return rows.filter(~on_its_way, status=state)
    return rows


def waiting_until(project: Project, kind: str, place: str) -> models.QuerySet[Assignment]:
    """The waiting assignments up to ``place`` and with it; all of them where ``place`` says nothing."""
    waiting = assignments_in(project, State.WAITING, kind)
    key = _key_of(place)
    return waiting if key is None else waiting.filter(_before(*key) | Q(pk=key[1]))


def page_of(project: Project, state: str, kind: str, after: str) -> Page:
    """One page of the list: waiting work the oldest first, everything else the latest first."""
    latest_first = state != State.WAITING
    rows = assignments_in(project, state, kind).select_related("task", "worker")
    if (key := _key_of(after)) is not None:
        rows = rows.filter(_before(*key) if latest_first else _after(*key))
    order = ("-submitted_at", "-pk") if latest_first else ("submitted_at", "pk")
    found = list(rows.order_by(*order)[: PAGE_ROWS + 1])
    shown = found[:PAGE_ROWS]
    return Page(_counted(shown), place_of(shown[-1]) if len(found) > PAGE_ROWS else None)


def last_waiting(project: Project, kind: str) -> Assignment | None:
    """The newest waiting assignment."""
    return assignments_in(project, State.WAITING, kind).order_by("-submitted_at", "-pk").first()


def neighbours(project: Project, kind: str, assignment: Assignment) -> tuple[Assignment | None, Assignment | None]:
    """The waiting assignments before and after ``assignment`` in the queue, whether or not it waits itself."""
    waiting = assignments_in(project, State.WAITING, kind)
    if assignment.submitted_at is None:
        return None, waiting.order_by("submitted_at", "pk").first()
    key = assignment.submitted_at, assignment.pk
    before = waiting.filter(_before(*key)).order_by("-submitted_at", "-pk").first()
    return before, waiting.filter(_after(*key)).order_by("submitted_at", "pk").first()


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


def _counted(assignments: Sequence[Assignment]) -> list[Row]:
    ids = [assignment.pk for assignment in assignments]

    def by_assignment(model: type[models.Model], figure: Count | Sum) -> dict[int, int]:
        rows = model._default_manager.filter(assignment__in=ids).order_by().values("assignment")
        return dict(rows.annotate(figure=figure).values_list("assignment", "figure"))

    questions, answers = by_assignment(Question, Count("pk")), by_assignment(Answer, Count("pk"))
    seconds = by_assignment(ParagraphWork, Sum("active_seconds"))
    asked = AssignmentDecision.objects.to_carry_out().filter(assignment__in=ids)
    on_their_way = set(asked.values_list("assignment", flat=True))
    first = TaskParagraph.objects.filter(task__in=[assignment.task_id for assignment in assignments], position=0)
    articles = {row.task_id: str(row.paragraph.article) for row in first.select_related("paragraph__article")}
    return [
        Row(
            assignment,
            articles.get(assignment.task_id, ""),
            questions.get(assignment.pk, 0),
            answers.get(assignment.pk, 0),
            seconds.get(assignment.pk),
            assignment.pk in on_their_way,
        )
        for assignment in assignments
    ]
