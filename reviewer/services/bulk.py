"""Deciding about all work that a filter chose: what it would do, doing it, and taking it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from annotation.models import Assignment, Project
from hits.models import AssignmentDecision
from hits.services import deciding
from reviewer.models import BulkAct, Review, ReviewRules, SecondLook
from reviewer.services import claims, looks
from reviewer.services.people import ago, display_name
from reviewer.services.reasons import checked_reason
from reviewer.services.review import CHUNK, can_wait, decide_some
from reviewer.services.signal_catalogue import NEVER_ALONE
from reviewer.services.verdicts import drop_all, take_back_drops

Decision = BulkAct.Decision


class NotAllowed(Exception):
    """A decision about many that is not made; the message says why and what to do."""


class TooLate(Exception):
    """A decision about many of which nothing can be taken back any more; the message says why."""


@dataclass(frozen=True)
class ActStanding:
    """A decision about many, and how many of it can still be taken back, until when."""

    act: BulkAct
    held: int
    until: datetime | None  # None for second looks, which can be withdrawn until somebody takes them

    @property
    def may_undo(self) -> bool:
        return self.act.undone_at is None and self.held > 0

    @property
    def may_tell(self) -> bool:
        """Whether a marketplace is still to be told of it."""
        return self.may_undo and self.act.decision != Decision.LOOK

    def sentence(self) -> str:
        """Who decided what about how many, and whether it can be taken back."""
        count = len(self.act.assignments)
        done = {
            Decision.APPROVE: ngettext("{name} approved {count} assignment", "{name} approved {count}", count),
            Decision.DROP: ngettext("{name} left {count} assignment out", "{name} left {count} out", count),
            Decision.REJECT: ngettext("{name} rejected {count} assignment", "{name} rejected {count}", count),
            Decision.LOOK: ngettext(
                "{name} asked for a second look at {count} assignment",
                "{name} asked for a second look at {count}",
                count,
            ),
        }[Decision(self.act.decision)]
        words = done.format(name=display_name(self.act.decided_by), count=f"{count:,}")
        return f"{words} {ago(self.act.decided_at)}."


def check(decision: str, reason: str, chosen_by: Mapping[str, str]) -> str:
    """The reason as it will be sent. Raises UnusableReason, and NotAllowed where the choice rests on a signal that is
    evidence alone."""
    if decision != Decision.REJECT:
        return ""
    if chosen_by.get("signal") in NEVER_ALONE:
        raise NotAllowed(
            _(
                "Text that reads as machine-written is evidence, and never a reason to reject by itself: look at each "
                "piece of work, or choose by another signal."
            )
        )
    return checked_reason(reason)


def decide_many(
    project: Project, ids: Sequence[int], decision: str, user: User, *, reason: str = "", chosen_by: Mapping[str, str]
) -> BulkAct:
    """Decide about those assignments ``ids`` of ``project`` that still wait. Endpoints are told once the time to undo
    is over. Raises UnusableReason and NotAllowed."""
    reason, rules = check(decision, reason, chosen_by), ReviewRules.objects.in_force(project)
    act = BulkAct.objects.create(
        project=project, decision=decision, reason=reason, chosen_by=dict(chosen_by), decided_by=user
    )
    # One is taken back on its own page, in its own time.
    hold = timedelta(seconds=rules.bulk_undo_seconds if len(ids) > 1 else rules.undo_seconds)
    for first in range(0, len(ids), CHUNK):
        _decide_chunk(act, ids[first : first + CHUNK], rules, user, hold)
    return act


@transaction.atomic
def _decide_chunk(act: BulkAct, ids: Sequence[int], rules: ReviewRules, user: User, hold: timedelta) -> None:
    if act.decision == Decision.LOOK:
        own = SecondLook.objects.waiting().filter(assignment__in=ids, asked_by=user, cause=SecondLook.Cause.ASKED)
        rows = Assignment.objects.filter(pk__in=ids, status=Assignment.Status.SUBMITTED).select_related("task")
        done = list(rows.exclude(pk__in=own.filter(question__isnull=True).values("assignment")))
        SecondLook.objects.bulk_create(
            SecondLook(assignment=row, cause=SecondLook.Cause.ASKED, first={"questions": {}}, asked_by=user, act=act)
            for row in done
        )
    else:
        kind = Review.Decision.REJECT if act.decision == Decision.REJECT else Review.Decision.APPROVE
        waiting = set(can_wait(ids, hold))
        done = decide_some([pk for pk in ids if pk in waiting], user, kind, act.reason, hold=hold, act=act)
        done += decide_some([pk for pk in ids if pk not in waiting], user, kind, act.reason, act=act)
        if act.decision == Decision.DROP:
            act.verdicts += [verdict.pk for verdict in drop_all(done, user)]
        looks.close_asked(done, user)
        for row in done:
            if looks.is_drawn(rules, row.pk):
                looks.draw(row, user, rules, kind)
    claims.let_all_go(done, user)
    act.assignments += [row.pk for row in done]
    act.save(update_fields=["assignments", "verdicts"])


def standing_of(act: BulkAct) -> ActStanding:
    """What of ``act`` can still be taken back."""
    if act.decision == Decision.LOOK:
        return ActStanding(act, SecondLook.objects.waiting().filter(act=act).count(), None)
    held = AssignmentDecision.objects.held(timezone.now()).filter(assignment__in=act.assignments)
    times = [time for time in held.values_list("held_until", flat=True) if time is not None]
    return ActStanding(act, len(times), min(times, default=None))


def latest(project: Project) -> ActStanding | None:
    """The latest decision about many of ``project`` within a day."""
    since = timezone.now() - timedelta(days=1)
    acts = BulkAct.objects.in_project(project).filter(decided_at__gte=since, assignments__len__gt=1)
    act = acts.select_related("decided_by").order_by("-pk").first()
    return None if act is None else standing_of(act)


@transaction.atomic
def undo(act: BulkAct, user: User) -> int:
    """Take ``act`` back as far as it goes, and return for how many assignments. Raises TooLate."""
    act = BulkAct.objects.select_for_update(of=("self",)).select_related("undone_by").get(pk=act.pk)
    if act.undone_at is not None:
        sentence = _("{name} took this back {when}.")
        raise TooLate(sentence.format(name=display_name(act.undone_by), when=ago(act.undone_at)))
    count = looks.withdraw_act(act, user) if act.decision == Decision.LOOK else _take_back(act, user)
    act.undone_by, act.undone_at, act.undone_count = user, timezone.now(), count
    act.save(update_fields=["undone_by", "undone_at", "undone_count"])
    return count


def _take_back(act: BulkAct, user: User) -> int:
    back = deciding.take_back(act.assignments, user)
    if not back:
        raise TooLate(_("This cannot be taken back: the marketplace has been told, and the workers with it."))
    take_back_drops(act.verdicts, back, user)
    Review.objects.bulk_create(
        [Review(assignment_id=pk, decision=Review.Decision.UNDO, reviewer=user, act=act) for pk in sorted(back)], CHUNK
    )
    return len(back)


def tell_now(act: BulkAct) -> int:
    """Hold ``act`` back no longer; return how many decisions were."""
    return deciding.tell_now(act.assignments)
