"""The queue of submitted work: which assignments a page lists, in which order, and what stands beside each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import models
from django.db.models import (
    Case,
    Count,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotation.models import Answer, Assignment, ParagraphWork, Project, Question, Task, TaskParagraph
from annotation.services import first_looks
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
    HELD = "held", _("first look")  # of workers who do no more until somebody has looked
    ALL = "all", _("all")


class Order(models.TextChoices):
    """The order in which waiting work is listed and gone through."""

    OLDEST = "oldest", _("oldest first")
    WORRYING = "worrying", _("most worrying first")
    DUE = "due", _("paid by itself soonest first")

    @property
    def keys(self) -> tuple[str, ...]:
        """What ``ranked`` rows are ordered by; the last tells any two apart."""
        return {
            Order.OLDEST: ("submitted_at", "pk"),
            Order.WORRYING: ("-worry", "submitted_at", "pk"),
            Order.DUE: ("due_at", "pk"),
        }[self]

    @property
    def sentence(self) -> str | Promise:
        """What the list says of it."""
        sentences: dict[Order, str | Promise] = {
            Order.OLDEST: _("What was submitted first comes first."),
            Order.WORRYING: _(
                "What has the weightiest signals against it comes first, and of equals the oldest. How much each "
                "signal weighs stands under “Signals and rules”."
            ),
            Order.DUE: _("What its marketplace would approve and pay by itself the soonest comes first."),
        }
        return sentences[self]


# Everything that waits no longer.
LATEST_FIRST = ("-submitted_at", "-pk")
_MOMENTS = {"submitted_at", "due_at"}


NOBODY = 0  # the key of no worker


@dataclass(frozen=True)
class Filter:
    """What a list, or a decision about many, is narrowed by, and the order of what waits; empty values narrow nothing.
    ``signal`` is a code of the catalogue, or whether any or none speaks against the work."""

    ANY = "any"
    NONE = "none"

    kind: str = ""
    signal: str = ""
    worker: int | None = None
    batch: int | None = None
    order: Order = Order.OLDEST

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Filter:
        """The filter in an address or a form; what is no value that a field could have narrows nothing."""
        kind, signal, order = (str(asked.get(name, "")) for name in ("kind", "signal", "order"))
        return cls(
            kind=kind if kind in Task.Kind.values else "",
            signal=signal if signal in (cls.ANY, cls.NONE, *Code.values) else "",
            worker=key_of(asked.get("worker")),
            batch=key_of(asked.get("batch")),
            order=Order(order) if order in Order.values else Order.OLDEST,
        )

    def words(self) -> dict[str, str]:
        """The filter and the order as an address has them."""
        order = {} if self.order == Order.OLDEST else {"order": str(self.order)}
        return self.narrowing() | order

    def narrowing(self) -> dict[str, str]:
        """The words that leave something out."""
        return {name: str(value) for name, value in asdict(self).items() if value and name != "order"}

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
    def is_held(self) -> bool:
        """Whether its worker does no more until somebody has looked."""
        return bool(getattr(self.assignment, "is_held", False))

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
        case State.HELD:
            return first_looks.of_waiting(rows)
    return rows


def keys_of(project: Project, order: Order) -> tuple[str, ...]:
    """What waiting work of ``project`` is ordered by: where it holds new workers, theirs comes first."""
    return order.keys if project.tasks_before_look is None else ("-is_held", *order.keys)


def held_in(project: Project) -> set[int]:
    """The workers (keys) of ``project`` who do no more until somebody has looked at their work: few, as a rule."""
    if project.tasks_before_look is None:
        return set()
    return set(first_looks.waiting_workers(project).values_list("worker", flat=True))


def ranked(
    rows: models.QuerySet[Assignment], order: Order, project: Project, held: set[int] | None = None
) -> models.QuerySet[Assignment]:
    """``rows`` of ``project`` with what ``order`` needs, in that order. Work whose signals were not worked out yet
    worries nobody. ``held`` is what ``held_in`` says, where that is known."""
    if project.tasks_before_look is not None:
        held = held_in(project) if held is None else held
        waits = When(worker__in=held or {NOBODY}, then=1)
        rows = rows.annotate(is_held=Case(waits, default=0, output_field=models.IntegerField()))
    if order == Order.WORRYING:
        rows = rows.annotate(worry=Coalesce("signal_run__worry", 0))
    elif order == Order.DUE:
        seconds = Coalesce(F("offer__hit__hit_type__auto_approval_seconds"), 0) * Value(timedelta(seconds=1))
        rows = rows.annotate(due_at=ExpressionWrapper(F("submitted_at") + seconds, output_field=DateTimeField()))
    return rows.order_by(*keys_of(project, order))


def waiting_until(project: Project, chosen: Filter, place: str) -> models.QuerySet[Assignment]:
    """The waiting assignments that were submitted up to ``place`` and with it; all of them where it says nothing."""
    waiting = assignments_in(project, State.WAITING, chosen)
    key = _key_of(place, LATEST_FIRST)
    return waiting if key is None else waiting.filter(_beyond(LATEST_FIRST, key) | Q(pk=key["pk"]))


def page_of(project: Project, state: str, chosen: Filter, after: str) -> Page:
    """One page of the list: waiting work in the order that was chosen, everything else the latest first."""
    rows = assignments_in(project, state, chosen).select_related("task", "worker")
    keys: tuple[str, ...] = LATEST_FIRST
    if state == State.WAITING:
        rows, keys = ranked(rows, chosen.order, project), keys_of(project, chosen.order)
    if (key := _key_of(after, keys)) is not None:
        rows = rows.filter(_beyond(keys, key))
    found = list(rows.order_by(*keys)[: PAGE_ROWS + 1])
    shown = found[:PAGE_ROWS]
    return Page(rows_of(shown), place_of(shown[-1], keys) if len(found) > PAGE_ROWS else None)


def last_waiting(project: Project, chosen: Filter) -> Assignment | None:
    """The newest waiting assignment."""
    return assignments_in(project, State.WAITING, chosen).order_by(*LATEST_FIRST).first()


def looked_at(project: Project, pk: int, chosen: Filter, user: User) -> models.QuerySet[Assignment]:
    """The listed assignment ``pk`` of ``project`` with what stands around it in the queue of ``user``: the keys of the
    waiting ones before and after it (``previous_pk``, ``next_pk``), how many wait (``waiting_count``), how many they
    decided lately (``decided_lately``), and their latest decision that can be taken back (``undo_pk``)."""
    keys, held = keys_of(project, chosen.order), held_in(project)
    ahead = ranked(ahead_of(project, chosen, user), chosen.order, project, held)
    here = {name: OuterRef(name) for name in _names(keys)}
    after, back = ahead.filter(_beyond(keys, here)), _turned(keys)
    before = ahead.filter(_beyond(back, here)).order_by(*back)
    waiting = assignments_in(project, State.WAITING, chosen).order_by()
    now = timezone.now()
    lately = Review.objects.filter(reviewer=user, decided_at__gte=now - LATELY, act__isnull=True).order_by()
    undoable = AssignmentDecision.objects.held(now).filter(asked_by=user, assignment__task__project=project)
    rows = ranked(Assignment.objects.in_project(project).listed().filter(pk=pk), chosen.order, project, held)
    rules = ReviewRules.objects.in_project(project).order_by("-pk")
    return rows.select_related("task", "offer__hit", "worker", "signal_run").annotate(
        claim_minutes=Coalesce(Subquery(rules.values("claim_minutes")[:1]), ReviewRules().claim_minutes),
        own_reasons=Subquery(rules.values("note_reasons")[:1]),
        previous_pk=Subquery(before.values("pk")[:1]),
        next_pk=Subquery(after.values("pk")[:1]),
        waiting_count=Coalesce(Subquery(counting(waiting)), 0),
        decided_lately=Coalesce(Subquery(counting(lately)), 0),
        undo_pk=Subquery(undoable.order_by("-pk").values("assignment")[:1]),
    )


def counting(rows: models.QuerySet) -> models.QuerySet:
    """``rows`` counted, for use in another query."""
    return rows.order_by().annotate(same=Value(1)).values("same").annotate(count=Count("pk")).values("count")


def ahead_of(project: Project, chosen: Filter, user: User) -> models.QuerySet[Assignment]:
    """What waits for ``user``: no colleague has it open, and they have not asked a colleague to look at it."""
    asked = SecondLook.objects.waiting().filter(assignment=OuterRef("pk"), asked_by=user, cause=SecondLook.Cause.ASKED)
    return assignments_in(project, State.WAITING, chosen).exclude(claims.held_by_others(user)).exclude(Exists(asked))


def first_ahead(project: Project, chosen: Filter, user: User) -> Assignment | None:
    """What ``user`` is to look at first."""
    return ranked(ahead_of(project, chosen, user), chosen.order, project).first()


def following(project: Project, chosen: Filter, user: User, assignment: Assignment) -> Assignment | None:
    """What waits for ``user`` after ``assignment``: work of somebody who waits for a look, else what stands behind it,
    else the first of all."""
    keys, held = keys_of(project, chosen.order), held_in(project)
    rows: Any = ranked(ahead_of(project, chosen, user).exclude(pk=assignment.pk), chosen.order, project, held)
    theirs: Assignment | None = rows.filter(worker__in=held).first() if held else None
    if theirs is not None:
        return theirs
    here: Any = ranked(Assignment.objects.filter(pk=assignment.pk), chosen.order, project, held).get()
    return rows.filter(_beyond(keys, {name: getattr(here, name) for name in _names(keys)})).first() or rows.first()


def place_of(assignment: Assignment, keys: Sequence[str] = LATEST_FIRST) -> str:
    """Where ``assignment``, one of rows that are ordered by ``keys``, stands, in a form that fits into an address."""
    values = [
        getattr(assignment, name) or _EPOCH if name in _MOMENTS else getattr(assignment, name) for name in _names(keys)
    ]
    return "-".join(str((one - _EPOCH) // _MICROSECOND if isinstance(one, datetime) else one) for one in values)


def _key_of(place: str, keys: Sequence[str]) -> dict[str, Any] | None:
    """The values that ``place`` writes down for ``keys``, None where it is no place."""
    names, parts = _names(keys), place.split("-")
    if len(parts) != len(names) or not all(part.isascii() and part.isdigit() and len(part) < 18 for part in parts):
        return None
    try:
        return {
            name: _EPOCH + int(part) * _MICROSECOND if name in _MOMENTS else int(part)
            for name, part in zip(names, parts, strict=True)
        }
    except OverflowError:
        return None


def _names(keys: Sequence[str]) -> list[str]:
    return [key.removeprefix("-") for key in keys]


def _turned(keys: Sequence[str]) -> tuple[str, ...]:
    """``keys`` for the opposite order."""
    return tuple(key.removeprefix("-") if key.startswith("-") else f"-{key}" for key in keys)


def _beyond(keys: Sequence[str], here: Mapping[str, Any]) -> Q:
    """The condition that a row comes after the values ``here`` in the order of ``keys``."""
    found, same = Q(), Q()
    for key, name in zip(keys, _names(keys), strict=True):
        found |= same & Q((f"{name}__{'lt' if key.startswith('-') else 'gt'}", here[name]))
        same &= Q((name, here[name]))
    return found


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
