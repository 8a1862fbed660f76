"""More answers where they are needed: to questions whose answers so far disagree, one at a time, up to a limit.

A question is settled once more than half of its answers, two at least, are the same. Those that are not get one answer
more in each round; the rows of ``study`` say which they are, and what such rounds have brought before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import Article, Project, Question, Task
from hits.models import Batch
from hits.services import launching, planning
from hits.services.planning import BatchSpec, Estimate, NotLaunchable
from scoring.stopping import FIRST, Stopping, stopping

from . import study

# The author's answer and two more are the paper's; from there on two further tries.
USUAL_LIMIT = 5
MOST = 15
SPLITS = (Article.Split.DEV, Article.Split.TEST)


@dataclass(frozen=True)
class Asked:
    """What a requester asks for: no question gets more than ``limit`` answers, its author's among them."""

    splits: tuple[str, ...]
    limit: int
    endpoint: str
    units_per_hit: int
    hourly_rate_usd: Decimal


@dataclass(frozen=True)
class Level:
    """``questions`` that have ``answers`` answers and are not settled. ``chance`` is how often such a question is
    settled by the next answer, from ``seen`` questions here; ``further`` how many answers it takes until it is or the
    limit is reached, and ``in_the_end`` how often it is then. None where no question here tells."""

    answers: int
    questions: int
    chance: float | None
    seen: int
    further: float | None
    in_the_end: float | None


@dataclass(frozen=True)
class Round:
    """One answer more for each unsettled question: which they are, what that costs now, and what it brings."""

    asked: Asked
    questions: tuple[int, ...]
    settled: int
    at_limit: int  # not settled, and given up
    in_open_hits: int
    levels: tuple[Level, ...]
    told: Stopping
    estimate: Estimate

    @property
    def settled_by_it(self) -> float | None:
        """How many questions the next answer settles, as it has before; None where some level tells nothing."""
        return _sum([(level.questions, level.chance) for level in self.levels])

    @property
    def further_answers(self) -> float | None:
        """How many answers all rounds take together."""
        return _sum([(level.questions, level.further) for level in self.levels])

    @property
    def settled_in_the_end(self) -> float | None:
        return _sum([(level.questions, level.in_the_end) for level in self.levels])

    @property
    def to_the_limit(self) -> int:
        """How many answers it takes to bring each of them to the limit, agreed or not."""
        return sum(level.questions * (self.asked.limit - level.answers) for level in self.levels)

    @property
    def usd_an_answer(self) -> Decimal | None:
        answers = sum(line.assignments * line.units for line in self.estimate.lines)
        return self.estimate.total_usd / answers if answers else None

    @property
    def all_rounds_usd(self) -> Decimal | None:
        """What all rounds come to, at this round's price for an answer."""
        if self.further_answers is None or self.usd_an_answer is None:
            return None
        return (self.usd_an_answer * Decimal(self.further_answers)).quantize(Decimal("0.01"))

    @property
    def stopped_well_percent(self) -> float | None:
        """Of questions that would have been stopped early, how many had the same answer in the end."""
        early = self.told.stopped_early
        return 100 * self.told.as_in_the_end / early if early else None


class NotKnown(Exception):
    """The figures of a split are being worked out; the message says so."""


def next_round(project: Project, asked: Asked) -> Round:
    """The questions of ``asked.splits`` that need one answer more, and what that would cost and bring. Moves nothing;
    raises NotKnown."""
    having: dict[int, int] = {}
    stops: list[Sequence[int]] = []
    settled = 0
    mark = study.mark_of(project)
    for split in asked.splits:
        shown = study.shown(project, split, mark)
        if shown.study is None or not shown.is_current:
            raise NotKnown(_("The figures of {split} are being worked out; ask again in a minute.").format(split=split))
        stops += shown.study["stops"]
        settled += sum(row[5] for row in shown.study["least_agreed"])
        having |= _unsettled(project, split, shown.study)
    busy = set(planning.busy_questions(project).values_list("question", flat=True))
    waiting = having.keys() & busy
    needing = {pk: count for pk, count in having.items() if count < asked.limit and pk not in busy}
    told = stopping(stops)
    levels = [
        _level(count, questions, told, asked.limit) for count, questions in sorted(Counter(needing.values()).items())
    ]
    chosen = tuple(sorted(needing))
    return Round(
        asked,
        chosen,
        settled,
        at_limit=sum(count >= asked.limit for pk, count in having.items() if pk not in busy),
        in_open_hits=len(waiting),
        levels=tuple(levels),
        told=told,
        estimate=planning.estimate(project, _spec(asked, chosen)),
    )


def launch(project: Project, asked: Asked, user: User, confirmed_total_usd: Decimal | None = None) -> Batch:
    """Launch the next round as an answering batch for exactly its questions. Raises NotLaunchable and NotKnown."""
    found = next_round(project, asked)
    if not found.questions:
        raise NotLaunchable(_("No question needs one answer more: all are settled, at the limit, or in open HITs."))
    return launching.launch(project, _spec(asked, found.questions), user, confirmed_total_usd)


def _spec(asked: Asked, questions: tuple[int, ...]) -> BatchSpec:
    return BatchSpec(
        kind=Task.Kind.ANSWER,
        endpoint=asked.endpoint,
        units_per_hit=asked.units_per_hit,
        hourly_rate_usd=asked.hourly_rate_usd,
        extra_answers=asked.limit - 1,
        splits=asked.splits,
        questions=questions,
        answers_now=1,
    )


def _unsettled(project: Project, split: str, found: study.Study) -> dict[int, int]:
    """The answers of each question of ``split`` that is not settled, by key; those with one answer at most too."""
    answered = {row[0]: (row[2], row[5]) for row in found["least_agreed"]}
    counting = Question.objects.in_project(project).counting().filter(paragraph__article__split=split)
    having = {}
    for pk in counting.filter(paragraph__is_excluded=False).order_by().values_list("pk", flat=True):
        count, is_settled = answered.get(pk, (1, False))
        if not is_settled:
            having[pk] = count
    return having


def _level(answers: int, questions: int, told: Stopping, limit: int) -> Level:
    path = told.path(answers, limit)
    number = max(answers + 1, FIRST)
    further, in_the_end = path if path else (None, None)
    return Level(answers, questions, told.rates.get(number), told.seen.get(number, 0), further, in_the_end)


def _sum(parts: list[tuple[int, float | None]]) -> float | None:
    if any(share is None for _count, share in parts):
        return None
    return sum(count * (share or 0.0) for count, share in parts)
