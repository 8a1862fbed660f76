"""Publishing again what a batch paid for in vain or never got: places that were rejected, or that nobody filled."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from annotation.models import Assignment, Paragraph, Project, Question, Task, TaskParagraph, TaskQuestion
from hits.models import HIT, Act, Batch

from . import batch_life, caps, sisters
from .batch_life import Change


def plan_again(batch: Batch) -> Change:
    """New HITs for the places of ``batch`` that brought nothing, where the project still lacks what they were for."""
    rejected, unfilled, more = 0, 0, []
    now = timezone.now()
    lost, replaced = _lost_places(batch), _replaced_places(batch)
    lacking = _tasks_that_lack(batch.project, batch)
    for hit in batch_life.hits_of(batch):
        if hit.offer.task_id not in lacking:
            continue
        refused = lost[hit.pk]
        ended = hit.status in {HIT.Status.REVIEWABLE, HIT.Status.CLOSED} and not batch_life.is_running(hit, now)
        empty = max(0, hit.max_assignments - hit.listed_count) if ended else 0
        # What was offered again already stands for the rejected places first.
        again = max(0, refused + empty - replaced[hit.pk])
        if again:
            more += sisters.priced(hit, again, is_sister=True, replaces=True)
            taken = min(again, empty)
            unfilled, rejected = unfilled + taken, rejected + again - taken
    return Change(
        batch,
        Act.Kind.REPUBLISH,
        more,
        (),
        sentences=_sentences(rejected, unfilled),
        left_usd=batch_life.left_usd(batch.project),
    )


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


def _lost_places(batch: Batch) -> Counter[int]:
    """Places by HIT that were filled and brought nothing: rejected, or a second submission by the same worker."""
    lost = Q(status=Assignment.Status.REJECTED) | Q(repeat_of__isnull=False, status__in=Assignment.LISTED)
    rows = Assignment.objects.filter(lost, offer__hit__batch=batch).order_by().values_list("offer__hit")
    return Counter(dict(rows.annotate(places=Count("pk"))))


def _replaced_places(batch: Batch) -> Counter[int]:
    """Places by HIT that other HITs have been offering instead, and that are not given up themselves."""
    rows = HIT.objects.filter(batch=batch, replaces_places__gt=0).order_by().values_list("sister_of")
    return Counter(dict(rows.annotate(places=Sum("replaces_places"))))


def _tasks_that_lack(project: Project, batch: Batch) -> set[int]:
    """Tasks of ``batch`` of which the project still lacks something that no other open HIT is after."""
    mine = Task.objects.filter(offers__hit__batch=batch)
    elsewhere = HIT.objects.in_project(project).exclude(status=HIT.Status.CLOSED).exclude(batch=batch)
    others = elsewhere.values("offer__task")
    if batch.kind == Task.Kind.QUIZ:
        return set(mine.values_list("pk", flat=True))
    if batch.kind == Task.Kind.WRITE:
        lacking = Paragraph.objects.needing_writers(project).values("pk")
        busy = TaskParagraph.objects.filter(task__in=others).values("paragraph")
        rows = TaskParagraph.objects.filter(task__in=mine, paragraph__in=lacking).exclude(paragraph__in=busy)
        return set(rows.exclude(task__in=_with_excluded(mine)).values_list("task", flat=True))
    unanswered = Question.objects.in_project(project).needing_answers(batch.extra_answers).values("pk")
    real = TaskQuestion.objects.filter(purpose=TaskQuestion.Purpose.REAL)
    being_answered = real.filter(task_paragraph__task__in=others).values("question")
    asked = real.filter(task_paragraph__task__in=mine, question__in=unanswered)
    asked = asked.exclude(question__in=being_answered).exclude(task_paragraph__task__in=_with_excluded(mine))
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
