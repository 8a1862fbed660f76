"""Offers: how the room that publishes tells the work page under which terms a task is on offer."""

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from annotation.models import LostRace, Offer, Project, Task
from annotation.services.joins import Join


def new_offer(
    task: Task,
    *,
    endpoint: str,
    reward_usd: Decimal,
    paid_seconds: int,
    allowed_seconds: int,
    worker_origins: Sequence[str],
    series: UUID | None = None,
    most_in_series: int | None = None,
) -> Offer:
    """An unsaved offer of ``task``; it stands before its HIT does, with the HIT's id still empty."""
    return Offer(
        task=task,
        endpoint=endpoint,
        reward_usd=reward_usd,
        paid_seconds=paid_seconds,
        allowed_seconds=allowed_seconds,
        worker_origins=list(worker_origins),
        series=series,
        most_in_series=most_in_series,
    )


OFFER = Join(
    """
    FROM annotation_offer offer
    JOIN annotation_task task ON task.id = offer.task_id
    JOIN annotation_project project ON project.id = task.project_id
    WHERE offer.key = %(key)s
    """,
    offer=(
        Offer,
        [
            *("id", "key", "task_id", "endpoint", "mturk_hit_id"),
            *("reward_usd", "paid_seconds", "allowed_seconds", "worker_origins"),
            *("series", "most_in_series"),
        ],
    ),
    task=(Task, ["id", "project_id", "kind", "guide_id"]),
    project=(
        Project,
        [
            *("id", "language", "preset", "copy_lock", "stopping_advice", "min_questions", "max_questions"),
            *("most_tasks_a_worker", "tasks_before_look"),
        ],
    ),
)


def find_offer(key: UUID) -> Offer | None:
    """The offer of that key, with its task and project as far as the work page shows them."""
    for row in OFFER.fetch(key=key):
        offer: Offer = row["offer"]
        offer.task, offer.task.project = row["task"], row["project"]
        return offer
    return None


def set_hit(offer: Offer, mturk_hit_id: str) -> None:
    """Record the HIT that carries ``offer``. Doing it twice is harmless; a second HIT raises LostRace."""
    unset = Offer.objects.filter(pk=offer.pk, mturk_hit_id__in=["", mturk_hit_id])
    if unset.update(mturk_hit_id=mturk_hit_id) != 1:
        raise LostRace(f"{offer} already belongs to another HIT than {mturk_hit_id}")
    offer.mturk_hit_id = mturk_hit_id


def work_url(offer: Offer) -> str:
    """The address of the work page, for the HIT's ExternalQuestion."""
    return settings.PLATFORM_URL + reverse("annotation:work", args=[offer.key])
