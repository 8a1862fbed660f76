"""The shapes of the API about batches, HITs, assignments and money. Amounts are US dollars, as decimal strings.

Workers appear by a key of their project alone: their id at an endpoint never leaves the platform.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from annotation.models import Article, Assignment, Task
from annotation.services.gold import MOST_A_TASK
from hits.models import HIT, Batch, Bonus, LedgerEntry
from hits.models.bonuses import REASON_CHARS
from hits.services.bonuses import MOST_USD
from hits.services.progress import money_of_batch, progress_of
from hits.services.pseudonyms import worker_key

MOST_KEY = 2**63 - 1
PERIODS = [3600, 86400]


class Usd(serializers.DecimalField):
    """US dollars, in whole cents."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_digits=14, decimal_places=2, **options)


class MoneySerializer(serializers.Serializer[Any]):
    cap_usd = Usd()
    reserved_usd = Usd()
    spent_usd = Usd()
    left_usd = Usd()


class ProgressSerializer(serializers.Serializer[Any]):
    hits = serializers.IntegerField()
    published = serializers.IntegerField()
    places = serializers.IntegerField(help_text="How many assignments are wanted in all.")
    opened = serializers.IntegerField()
    waiting = serializers.IntegerField(help_text="Submitted, and not decided.")
    approved = serializers.IntegerField()
    rejected = serializers.IntegerField()


class BatchSerializer(serializers.ModelSerializer[Batch]):
    project: Any = serializers.SlugRelatedField(slug_field="slug", read_only=True)

    class Meta:
        model = Batch
        fields = [
            *("id", "project", "kind", "endpoint", "status", "problem", "splits", "articles", "units_per_hit"),
            *("hourly_rate_usd", "extra_answers", "cap_usd", "launched_at"),
        ]


class BatchDetailSerializer(BatchSerializer):
    """A batch with how far it is and how its money stands."""

    money = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()

    class Meta(BatchSerializer.Meta):
        fields = [*BatchSerializer.Meta.fields, "money", "progress"]

    def get_money(self, batch: Batch) -> MoneySerializer:
        return MoneySerializer(money_of_batch(batch)).data  # type: ignore[return-value]  # the hint is for the schema

    def get_progress(self, batch: Batch) -> ProgressSerializer:
        return ProgressSerializer(progress_of(batch)).data  # type: ignore[return-value]  # the hint is for the schema


class LaunchSerializer(serializers.Serializer[Any]):
    """A batch to launch. What is left out is as the project has it."""

    project = serializers.SlugField(help_text="The project's short name.")
    kind = serializers.ChoiceField(choices=Task.Kind.choices)
    endpoint = serializers.CharField(max_length=50, required=False, help_text="The first one where none is given.")
    splits = serializers.MultipleChoiceField(choices=Article.Split.choices, required=False)
    articles = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_KEY), required=False, max_length=10_000
    )
    units_per_hit = serializers.IntegerField(
        min_value=1, max_value=100, required=False, help_text="Paragraphs to write for, or questions to answer."
    )
    hourly_rate_usd = serializers.DecimalField(
        max_digits=8, decimal_places=2, min_value=Decimal(0), max_value=Decimal(1000), required=False
    )
    extra_answers = serializers.IntegerField(min_value=1, max_value=20, required=False)
    gold_per_hit = serializers.IntegerField(
        min_value=0, max_value=MOST_A_TASK, required=False, help_text="Known questions among those to answer."
    )
    quiz_workers = serializers.IntegerField(
        min_value=1, max_value=10_000, required=False, help_text="How many workers may take the quiz."
    )
    bonus_reserve_percent = serializers.DecimalField(
        max_digits=4, decimal_places=1, min_value=Decimal(0), max_value=Decimal(100), required=False
    )
    starts_at = serializers.DateTimeField(required=False, help_text="Publish nothing before.")
    pilot_hits = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)
    hits_a_period = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)
    period = serializers.ChoiceField(choices=PERIODS, required=False, help_text="Seconds.")
    most_open = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)
    most_tasks_a_worker = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)
    dry_run = serializers.BooleanField(default=False, help_text="Answer with the estimate and launch nothing.")
    confirmed_total_usd = Usd(required=False, help_text="The estimate's total; needed where the endpoint pays people.")


class EstimateSerializer(serializers.Serializer[Any]):
    """What a batch would be and cost."""

    hits = serializers.IntegerField()
    assignments = serializers.IntegerField()
    rewards_usd = Usd()
    fees_usd = Usd()
    saving_usd = Usd(help_text="Saved on fees by publishing large tasks in parts.")
    bonus_reserve_usd = Usd()
    total_usd = Usd()
    left_usd = Usd(help_text="Of the project's cap, before this batch.")
    problem = serializers.SerializerMethodField(help_text="Why it cannot be launched; empty if it can.")

    def get_problem(self, estimate: Any) -> str:
        return str(estimate.problem())


class ActSerializer(serializers.Serializer[Any]):
    """What some acts need beside their name."""

    hit = serializers.IntegerField(
        min_value=1, max_value=MOST_KEY, required=False, help_text="One HIT of the batch; all of them without it."
    )
    places = serializers.IntegerField(min_value=1, required=False, help_text="More workers for each HIT.")
    hours = serializers.IntegerField(min_value=1, required=False, help_text="Hours more.")
    confirmed_total_usd = Usd(
        required=False, help_text="What it costs; needed where that is something and the endpoint pays people."
    )


class HITSerializer(serializers.ModelSerializer[HIT]):
    project = serializers.CharField(source="batch.project.slug")
    endpoint = serializers.CharField(source="batch.endpoint")
    reward_usd = Usd(source="hit_type.reward_usd")
    task = serializers.IntegerField(source="offer.task_id")

    class Meta:
        model = HIT
        fields = [
            *("id", "project", "batch", "endpoint", "mturk_hit_id", "task", "sister_of", "status", "max_assignments"),
            *("reward_usd", "fee_usd", "listed_count", "decided_count", "published_at"),
        ]


class AssignmentSerializer(serializers.ModelSerializer[Assignment]):
    project = serializers.CharField(source="task.project.slug")
    batch = serializers.IntegerField(source="offer.hit.batch_id")
    hit = serializers.IntegerField(source="offer.hit.pk")
    worker = serializers.SerializerMethodField(
        help_text="A key of this worker in this project alone; it is no id of an endpoint and differs between projects."
    )
    active_seconds = serializers.IntegerField(
        allow_null=True, help_text="As the work page measured them; null where it did not."
    )

    class Meta:
        model = Assignment
        fields = [
            *("id", "project", "batch", "hit", "worker", "status", "repeat_of", "active_seconds", "opened_at"),
            *("finished_at", "submitted_at", "decided_at"),
        ]

    def get_worker(self, assignment: Assignment) -> str:
        return worker_key(assignment.task.project_id, assignment.worker_id)


class LedgerEntrySerializer(serializers.ModelSerializer[LedgerEntry]):
    project: Any = serializers.SlugRelatedField(slug_field="slug", read_only=True)

    class Meta:
        model = LedgerEntry
        fields = [
            *("id", "entered_at", "project", "batch", "hit", "assignment", "bonus", "endpoint", "kind", "amount_usd"),
        ]


class BonusSerializer(serializers.ModelSerializer[Bonus]):
    project = serializers.CharField(source="batch.project.slug")
    worker = serializers.SerializerMethodField(help_text="A key of this worker in this project alone.")

    class Meta:
        model = Bonus
        fields = [
            *("id", "project", "batch", "assignment", "worker", "amount_usd", "fee_usd", "reason", "origin", "status"),
            *("asked_at", "paid_at", "problem"),
        ]

    def get_worker(self, bonus: Bonus) -> str:
        return worker_key(bonus.batch.project_id, bonus.worker_id)


class GiveSerializer(serializers.Serializer[Any]):
    """A bonus to give."""

    assignment = serializers.IntegerField(min_value=1, max_value=MOST_KEY, help_text="Approved or rejected.")
    amount_usd = serializers.DecimalField(max_digits=8, decimal_places=2, min_value=Decimal("0.01"), max_value=MOST_USD)
    reason = serializers.CharField(max_length=REASON_CHARS, help_text="The worker reads it.")
    confirmed_total_usd = Usd(required=False, help_text="Amount and fee; needed where the endpoint pays people.")


class RequestRefusalSerializer(serializers.Serializer[Any]):
    """Why nothing was done."""

    code = serializers.CharField()
    detail = serializers.CharField(help_text="What is wrong and what to do, in a sentence.")
    errors = serializers.DictField(  # type: ignore[assignment]  # a field, not the serializer's own
        required=False, help_text="By field, where something sent cannot be used."
    )


class PageFilter(serializers.Serializer[Any]):
    """What every list takes."""

    project = serializers.SlugField(required=False, help_text="A project's short name.")
    endpoint = serializers.CharField(max_length=50, required=False)


class BatchFilter(PageFilter):
    status = serializers.ChoiceField(choices=Batch.Status.choices, required=False)
    kind = serializers.ChoiceField(choices=Task.Kind.choices, required=False)


class InBatchFilter(PageFilter):
    batch = serializers.IntegerField(min_value=1, max_value=MOST_KEY, required=False)


class HITFilter(InBatchFilter):
    status = serializers.ChoiceField(choices=HIT.Status.choices, required=False)


class AssignmentFilter(InBatchFilter):
    status = serializers.ChoiceField(choices=Assignment.Status.choices, required=False)
    hit = serializers.IntegerField(min_value=1, max_value=MOST_KEY, required=False)


class LedgerFilter(InBatchFilter):
    kind = serializers.ChoiceField(choices=LedgerEntry.Kind.choices, required=False)
    hit = serializers.IntegerField(min_value=1, max_value=MOST_KEY, required=False)
    assignment = serializers.IntegerField(min_value=1, max_value=MOST_KEY, required=False)


class BonusFilter(InBatchFilter):
    status = serializers.ChoiceField(choices=Bonus.Status.choices, required=False)
    assignment = serializers.IntegerField(min_value=1, max_value=MOST_KEY, required=False)
