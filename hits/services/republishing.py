"""Publishing again what a batch paid for in vain or never got: places that were rejected, or that nobody filled."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from annotation.models import Assignment, Paragraph, Project, Question, Task, TaskParagraph, TaskQuestion
from hits.models import HIT, Act, Batch

from . import batch_life, caps, sisters
from .batch_life import Change

# HITs of a batch that its page looks at before it looks at all.
LOOKED_AT_FIRST = 200


def plan_again(batch: Batch) -> Change:
    """New HITs for the places of ``batch`` that brought nothing, where the project still lacks what they were for."""
    rejected, unfilled, more = 0, 0, []
    in_vain = _in_vain(batch)
    batch_life.with_prices(batch, (one.hit for one in in_vain))
    lacking = _tasks_that_lack(batch.project, batch, in_vain)
    for one in in_vain:
        if one.hit.offer.task_id in lacking:
            more += sisters.priced(one.hit, one.again, is_sister=True, replaces=True)
            taken = min(one.again, one.empty)
            unfilled, rejected = unfilled + taken, rejected + one.again - taken
    return Change(
        batch,
        Act.Kind.REPUBLISH,
        more,
        (),
        sentences=_sentences(rejected, unfilled),
        left_usd=batch_life.left_usd(batch.project),
    )


def may_publish_again(batch: Batch) -> bool:
    """Whether :func:`plan_again` names anything."""
    for most in (LOOKED_AT_FIRST, None):  # mostly the first ones tell
        in_vain = _in_vain(batch, most)
        if not in_vain or _tasks_that_lack(batch.project, batch, in_vain):
            return bool(in_vain)
    return False


@dataclass(frozen=True)
class InVain:
    """A HIT with places that brought nothing: ``again`` may be offered again, ``empty`` of which nobody had filled."""

    hit: HIT
    empty: int
    again: int


def _in_vain(batch: Batch, most: int | None = None) -> list[InVain]:
    """The HITs of ``batch`` with places to offer again, as far as their work goes; of the first ``most`` to look at."""
    found, now = [], timezone.now()
    over = Q(status__in=[HIT.Status.REVIEWABLE, HIT.Status.CLOSED], listed_count__lt=F("max_assignments"))
    rows = HIT.objects.filter(batch=batch).annotate(lost=_lost_places(), replaced=_replaced_places())
    for hit in rows.filter(over | Q(lost__gt=0)).select_related("offer").order_by("pk")[:most]:
        ended = hit.status in {HIT.Status.REVIEWABLE, HIT.Status.CLOSED} and not batch_life.is_running(hit, now)
        empty = max(0, hit.max_assignments - hit.listed_count) if ended else 0
        # What was offered again already stands for the rejected places first.
        again = max(0, hit.lost + empty - hit.replaced)
        if again:
            found.append(InVain(hit, empty, again))
    return found


def _sentences(rejected: int, unfilled: int) -> list[str]:
    said = []
    if rejected:
        sentence = ngettext(
            "{n} place whose work was rejected is offered again.",
            "{n} places whose work was rejected are offered again.",
            rejected,
        )
        said.append(sentence.format(n=rejected))
    if unfilled:
        sentence = ngettext(
            "{n} place that nobody filled before its HIT ended, or that was returned, is offered again.",
            "{n} places that nobody filled before their HITs ended, or that were returned, are offered again.",
            unfilled,
        )
        said.append(sentence.format(n=unfilled))
    if said:
        said.append(_("They come as new HITs for the same tasks. Whoever has done a task is turned away from them."))
    return said


def _lost_places() -> Coalesce:
    """Places of a HIT that were filled and brought nothing: rejected, or a second submission by the same worker."""
    lost = Q(status=Assignment.Status.REJECTED) | Q(repeat_of__isnull=False, status__in=Assignment.LISTED)
    rows = Assignment.objects.filter(lost, offer=OuterRef("offer")).order_by().values("offer")
    return Coalesce(Subquery(rows.annotate(places=Count("pk")).values("places")), 0)


def _replaced_places() -> Coalesce:
    """Places of a HIT that others have been offering instead, and that are not given up themselves."""
    rows = HIT.objects.filter(sister_of=OuterRef("pk"), replaces_places__gt=0).order_by().values("sister_of")
    return Coalesce(Subquery(rows.annotate(places=Sum("replaces_places")).values("places")), 0)


def _tasks_that_lack(project: Project, batch: Batch, in_vain: list[InVain]) -> set[int]:
    """Those tasks of ``in_vain`` of which the project still lacks something that no other open HIT is after."""
    ids = [one.hit.offer.task_id for one in in_vain]
    mine = Task.objects.filter(pk__in=ids)
    elsewhere = HIT.objects.in_project(project).exclude(status=HIT.Status.CLOSED).exclude(batch=batch)
    others = elsewhere.values("offer__task")
    if batch.kind == Task.Kind.QUIZ:
        return set(ids)
    if batch.kind == Task.Kind.WRITE:
        held = TaskParagraph.objects.filter(task__in=mine)
        lacking = Paragraph.objects.needing_writers(project).filter(pk__in=held.values("paragraph")).values("pk")
        busy = TaskParagraph.objects.filter(task__in=others).values("paragraph")
        rows = held.filter(paragraph__in=lacking).exclude(paragraph__in=busy)
        return set(rows.exclude(task__in=_with_excluded(mine)).values_list("task", flat=True))
    real = TaskQuestion.objects.filter(purpose=TaskQuestion.Purpose.REAL)
    wanted = real.filter(task_paragraph__task__in=mine)
    questions = Question.objects.in_project(project).needing_answers(batch.extra_answers)
    unanswered = questions.filter(pk__in=wanted.values("question")).values("pk")
    being_answered = real.filter(task_paragraph__task__in=others).values("question")
    asked = wanted.filter(question__in=unanswered).exclude(question__in=being_answered)
    asked = asked.exclude(task_paragraph__task__in=_with_excluded(mine))
    return set(asked.values_list("task_paragraph__task", flat=True))


def _with_excluded(tasks: QuerySet[Task]) -> QuerySet:
    """Ids of those of ``tasks`` that hold a paragraph which was excluded since: they are not offered again."""
    return TaskParagraph.objects.filter(task__in=tasks, paragraph__is_excluded=True).values("task")


@transaction.atomic
def publish_again(
    batch: Batch, user: User | None, token: UUID | None = None, confirmed_usd: Decimal | None = None
) -> Change:
    """Offer again what :func:`plan_again` names; the money is set aside first. Raises NotDone or AskedBefore."""
    batch = caps.lock(batch)
    batch_life.refuse_repeats(token)
    change = plan_again(batch)
    batch_life.confirm(change, confirmed_usd)
    batch_life.make_room(batch, change.total_usd, user, _("Published again."))
    batch_life.note(batch, Act.Kind.REPUBLISH, user, token, hits=len(change.more))
    sisters.add_sisters(batch, change.more)
    return change
