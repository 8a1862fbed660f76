"""Batches in tests: launched through the service, published and synced in the test's own process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from annotation.models import Project, Task
from hits import mturk
from hits.models import Batch
from hits.services import launching, publishing
from hits.services.planning import BatchSpec
from tests.annotation.factories import make_article, make_paragraph, make_project


@pytest.fixture
def project(db) -> Project:
    """One article of five paragraphs, and money enough."""
    project = make_project(spending_cap_usd=100)
    article = make_article(project)
    for _ in range(5):
        make_paragraph(article=article)
    return project


@pytest.fixture
def count_calls(crowd) -> Callable[[], Counter[str]]:
    """Begin to count the platform's calls by operation, each attempt as it goes out."""

    def begin() -> Counter[str]:
        calls: Counter[str] = Counter()

        def count(request, **_):
            calls[request.headers["X-Amz-Target"].decode().rpartition(".")[2]] += 1

        mturk.client("marketplace").meta.events.register("before-send.mturk", count)
        return calls

    return begin


def writing(**changes: Any) -> BatchSpec:
    """One paragraph a HIT, at the project's rate."""
    values = {
        "kind": Task.Kind.WRITE,
        "endpoint": "marketplace",
        "units_per_hit": 1,
        "hourly_rate_usd": Decimal("9.00"),
    }
    return BatchSpec(**(values | changes))


def answering(**changes: Any) -> BatchSpec:
    return writing(**({"kind": Task.Kind.ANSWER, "units_per_hit": 5, "extra_answers": 2} | changes))


def launch(project: Project, spec: BatchSpec | None = None) -> Batch:
    return launching.launch(project, spec or writing(), user=None)


def published(project: Project, spec: BatchSpec | None = None) -> Batch:
    """A batch whose HITs are all at the marketplace."""
    batch = launch(project, spec)
    publishing.publish(batch)
    batch.refresh_from_db()
    return batch


def forget_claims(batch: Batch) -> None:
    """As if the job that held its HITs had died long enough ago."""
    batch.hits.update(claimed_until=None)
