"""What a batch would be and cost, before a cent moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Article, Project, Task, TaskParagraph, TaskQuestion
from annotation.services import gold, guides
from annotation.services.tasks import Place, PlannedTask, plan_answering, plan_writing
from hits import endpoints, fees
from hits.fees import FeeSchedule
from hits.models import HIT, Batch

from .ledger import committed_usd
from .releasing import AT_ONCE, Release

# Splits whose questions get extra answers.
EVALUATED = (Article.Split.DEV, Article.Split.TEST)


# What a HIT may pay. Mechanical Turk's own bounds are not published; these are our marketplace's.
LEAST_REWARD_USD, MOST_REWARD_USD = Decimal("0.01"), Decimal("10000.00")


class NotLaunchable(Exception):
    """A batch that cannot be launched as asked; the message says why and what to do."""


@dataclass(frozen=True)
class BatchSpec:
    """What a requester asks for on the launch form. ``units_per_hit`` counts paragraphs, or questions to answer."""

    kind: str
    endpoint: str
    units_per_hit: int
    hourly_rate_usd: Decimal
    extra_answers: int = 0
    quiz_workers: int = 0  # how many workers may take the quiz
    splits: tuple[str, ...] = ()
    articles: tuple[int, ...] = ()
    # Some questions alone (ids), and how many answers each gets now, at most; None: all, and as many as they lack.
    questions: tuple[int, ...] | None = None
    answers_now: int | None = None
    # Of the rewards, set aside for bonuses beside them.
    bonus_reserve_percent: Decimal = Decimal(0)
    release: Release = AT_ONCE
    most_tasks_a_worker: int | None = None
    # Gold questions in each answering task, beside its own.
    gold_per_hit: int = 0


@dataclass(frozen=True)
class Line:
    """The tasks of an estimate that pay the same: ``tasks`` of them with ``units`` each, for ``workers`` workers each.

    Each task is published as one HIT for each of ``parts``, which add up to ``workers``.
    """

    kind: str
    units: int
    paragraphs: int  # different ones that a task of so many units has, at most
    workers: int
    tasks: int
    parts: tuple[int, ...]
    paid_seconds: int
    reward_usd: Decimal
    fee_usd: Decimal  # for one assignment
    whole_fee_usd: Decimal  # for one assignment, were each task one HIT

    @property
    def paid_minutes(self) -> Decimal:
        """The time that the reward is for, to a tenth of a minute."""
        return (Decimal(self.paid_seconds) / 60).quantize(Decimal("0.1"))

    @property
    def words(self) -> str:
        """The HITs of this line, such as "5 HITs of 5 paragraphs"."""
        hits = ngettext("{n} HIT", "{n} HITs", self.hits).format(n=self.hits)
        if self.kind == Task.Kind.QUIZ:
            return _("{hits} with the quiz").format(hits=hits)
        if self.kind == Task.Kind.WRITE:
            what = ngettext("{hits} of {n} paragraph", "{hits} of {n} paragraphs", self.units)
        else:
            what = ngettext("{hits} of {n} question", "{hits} of {n} questions", self.units)
        return what.format(hits=hits, n=self.units)

    @property
    def hits(self) -> int:
        return self.tasks * len(self.parts)

    @property
    def assignments(self) -> int:
        return self.tasks * self.workers

    @property
    def total_usd(self) -> Decimal:
        return self.assignments * (self.reward_usd + self.fee_usd)

    @property
    def saving_usd(self) -> Decimal:
        """What publishing each task in parts saves of the fee."""
        return self.assignments * (self.whole_fee_usd - self.fee_usd)


@dataclass(frozen=True)
class Estimate:
    """The receipt: what would be published, what it costs at most, and what the project has left."""

    spec: BatchSpec
    plan: Sequence[PlannedTask]
    lines: tuple[Line, ...]
    schedule: FeeSchedule
    cap_usd: Decimal
    committed_usd: Decimal
    # Where nothing is left to write for: how many paragraphs the open HITs of which batches hold.
    in_open_hits: Sequence[tuple[Batch, int]] = ()

    @property
    def hits(self) -> int:
        return sum(line.hits for line in self.lines)

    @property
    def units(self) -> int:
        return sum(line.tasks * line.units for line in self.lines)

    @property
    def paragraphs(self) -> int:
        """How many different paragraphs workers read for all of it."""
        return len({paragraph for task in self.plan for paragraph, _questions in task.paragraphs})

    @property
    def in_several_tasks(self) -> int:
        """How many paragraphs have their questions in more than one task."""
        held = Counter(paragraph for task in self.plan for paragraph, _questions in task.paragraphs)
        return sum(tasks > 1 for tasks in held.values())

    @property
    def assignments(self) -> int:
        return sum(line.assignments for line in self.lines)

    @property
    def rewards_usd(self) -> Decimal:
        return sum((line.assignments * line.reward_usd for line in self.lines), Decimal("0.00"))

    @property
    def fees_usd(self) -> Decimal:
        return sum((line.assignments * line.fee_usd for line in self.lines), Decimal("0.00"))

    @property
    def bonus_reserve_usd(self) -> Decimal:
        """What is set aside for bonuses, with their fee as if they were one."""
        share = self.rewards_usd * self.spec.bonus_reserve_percent / 100
        bonuses = share.quantize(fees.CENT, ROUND_CEILING)
        return bonuses + self.schedule.bonus_fee_usd(bonuses) if bonuses else bonuses

    @property
    def total_usd(self) -> Decimal:
        return self.rewards_usd + self.fees_usd + self.bonus_reserve_usd

    @property
    def saving_usd(self) -> Decimal:
        """What publishing large tasks in parts saves of the fees."""
        return sum((line.saving_usd for line in self.lines), Decimal("0.00"))

    @property
    def left_usd(self) -> Decimal:
        """What is left of the project's cap before this batch."""
        return max(Decimal("0.00"), self.cap_usd - self.committed_usd)

    @property
    def affordable_units(self) -> int:
        """How many of the paragraphs or questions fit into what is left, taking the tasks in order."""
        left, units = self.left_usd, 0
        for line in self.lines:
            each = self._with_reserve(line)
            tasks = line.tasks if each == 0 else min(line.tasks, int(left / each))
            units, left = units + tasks * line.units, left - tasks * each
        return units

    def _with_reserve(self, line: Line) -> Decimal:
        """What one task of ``line`` costs at most, its share of the bonus reserve rounded up."""
        share = line.workers * line.reward_usd * self.spec.bonus_reserve_percent / 100
        with_fee = (share * (1 + self.schedule.rate)).quantize(fees.CENT, ROUND_CEILING)
        rounding = 2 * fees.CENT if share else Decimal(0)
        return line.workers * (line.reward_usd + line.fee_usd) + with_fee + rounding

    def problem(self) -> str:
        """Why this cannot be launched, in one sentence or two; empty if it can."""
        writing = self.spec.kind == Task.Kind.WRITE
        if not self.plan:
            if self.spec.kind == Task.Kind.QUIZ:
                return _("The guide of this project has no quiz. Write one on the guide's page first.")
            if writing and self.in_open_hits:
                return " ".join([*map(_in_open_hits, self.in_open_hits), _("Wait for its work, or expire it first.")])
            if writing:
                return _("There is no paragraph left to write for here. Import passages, or choose other articles.")
            return _(
                "No question here needs more answers: approve written questions first, ask for more answers a "
                "question, or wait until the open batch is done."
            )
        if any(not LEAST_REWARD_USD <= line.reward_usd <= MOST_REWARD_USD for line in self.lines):
            sentence = _("A HIT pays from ${least} to ${most}: change the pay per hour, or how much is in a HIT.")
            return sentence.format(least=LEAST_REWARD_USD, most=MOST_REWARD_USD)
        if self.total_usd > self.left_usd:
            advice = {
                Task.Kind.WRITE: _("Lower the number of paragraphs to {count}, or raise the cap."),
                Task.Kind.ANSWER: _("Lower the number of questions to {count}, or raise the cap."),
                Task.Kind.QUIZ: _("Lower the number of workers, or raise the cap."),
            }[Task.Kind(self.spec.kind)]
            sentence = _("The batch would cost ${total}; ${left} is left of the cap.")
            return f"{sentence} {advice}".format(total=self.total_usd, left=self.left_usd, count=self.affordable_units)
        return ""


def estimate(project: Project, spec: BatchSpec) -> Estimate:
    """Work out the HITs of ``spec`` and their price. Moves nothing."""
    endpoint = endpoints.get(spec.endpoint)
    place = Place(spec.splits or _usual_splits(spec), spec.articles)
    if spec.kind == Task.Kind.WRITE:
        seconds = project.seconds_per_paragraph
        plan = plan_writing(project, place, spec.units_per_hit, busy_paragraphs(project))
    elif spec.kind == Task.Kind.QUIZ:
        seconds = project.seconds_per_quiz
        has_one = guides.content_now(project).quiz is not None and spec.quiz_workers > 0
        plan = [PlannedTask(Task.Kind.QUIZ, (), spec.quiz_workers)] if has_one else []
    else:
        seconds = project.seconds_per_answer
        busy, chosen = busy_questions(project), spec.questions
        plan = plan_answering(
            project, place, spec.extra_answers, spec.units_per_hit, busy, chosen, most_now=spec.answers_now
        )
        plan = gold.plant(project, plan, spec.gold_per_hit)
    lines = []
    longest: dict[int, int] = {}
    for task in plan:
        longest[task.units] = max(longest.get(task.units, 0), len(task.paragraphs))
    for (units, workers), tasks in sorted(Counter((task.units, task.workers) for task in plan).items(), reverse=True):
        reward = fees.reward_usd(spec.hourly_rate_usd, units * seconds)
        parts = endpoint.fees.parts(reward, workers)
        fee, whole = (endpoint.fees.fee_usd(reward, size) for size in (max(parts), workers))
        lines.append(Line(spec.kind, units, longest[units], workers, tasks, parts, units * seconds, reward, fee, whole))
    held = _held_by_batches(project, place) if spec.kind == Task.Kind.WRITE and not plan else ()
    cap = project.spending_cap_usd
    return Estimate(spec, plan, tuple(lines), endpoint.fees, cap, committed_usd(project), held)


def _held_by_batches(project: Project, place: Place) -> list[tuple[Batch, int]]:
    """The batches whose open HITs ask to write for paragraphs of ``place``, and for how many each."""
    hits = HIT.objects.in_project(project).exclude(status=HIT.Status.CLOSED).filter(offer__task__kind=Task.Kind.WRITE)
    held = []
    for batch in Batch.objects.filter(hits__in=hits).distinct().order_by("pk"):
        rows = TaskParagraph.objects.filter(task__in=hits.filter(batch=batch).values("offer__task"))
        count = place.narrow(rows, "paragraph__article").values("paragraph").distinct().count()
        if count:
            held.append((batch, count))
    return held


def _in_open_hits(held: tuple[Batch, int]) -> str:
    batch, count = held
    sentence = ngettext(
        "{n} paragraph is in open HITs of batch {batch}.", "{n} paragraphs are in open HITs of batch {batch}.", count
    )
    return sentence.format(n=count, batch=batch.pk)


def _usual_splits(spec: BatchSpec) -> tuple[str, ...]:
    """Where nothing is chosen: everywhere to write, dev and test to answer (SQuAD paper, section 3.3)."""
    return EVALUATED if spec.kind == Task.Kind.ANSWER and not spec.articles else ()


def busy_paragraphs(project: Project) -> QuerySet:
    """Ids of paragraphs in writing tasks whose HIT can still bring questions."""
    return TaskParagraph.objects.filter(task__in=_open_tasks(project, Task.Kind.WRITE)).values("paragraph")


def busy_questions(project: Project) -> QuerySet:
    """Ids of questions in answering tasks whose HIT can still bring answers."""
    tasks = _open_tasks(project, Task.Kind.ANSWER)
    real = TaskQuestion.objects.filter(task_paragraph__task__in=tasks, purpose=TaskQuestion.Purpose.REAL)
    return real.values("question")


def _open_tasks(project: Project, kind: str) -> QuerySet:
    hits = HIT.objects.in_project(project).exclude(status=HIT.Status.CLOSED).filter(offer__task__kind=kind)
    return hits.values("offer__task")


def release_sentences(estimate: Estimate) -> list[str]:
    """When the HITs of ``estimate`` would come out, and how many of them one worker may do."""
    sentences = estimate.spec.release.sentences(estimate.hits)
    most = estimate.spec.most_tasks_a_worker
    if most is not None:
        sentence = ngettext(
            "A worker does {n} HIT of this batch at most.", "A worker does {n} HITs of this batch at most.", most
        )
        sentences.append(sentence.format(n=most))
    return sentences
