"""Two of everything at the same moment: publishers, syncs, reviewers. The database settles it."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from annotation.models import Assignment
from hits.models import AssignmentDecision, LedgerEntry
from hits.services import deciding, launching, publishing, syncing
from hits.services.planning import NotLaunchable
from tests.annotation.factories import make_user

from .conftest import launch, published, writing
from .test_syncing import submit_one

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def at_once(*calls):
    """Run ``calls`` in threads of their own; what each returned, or raised."""

    def run(call):
        try:
            return call()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_four_publishers_make_each_hit_once(project, crowd):
    batch = launch(project)
    published_by = at_once(*[lambda: publishing.publish(batch)] * 4)
    assert sum(published_by) == 5
    assert set(Counter(hit["RequesterAnnotation"] for hit in crowd.hits()).values()) == {1}


def test_two_launches_cannot_both_spend_what_is_left(project, crowd):
    project.spending_cap_usd = "4.00"
    project.save()
    articles = [(article.pk,) for article in project.articles.all()]
    done = at_once(*[lambda: launching.launch(project, writing(articles=articles[0]), None)] * 2)
    assert sorted(type(one) for one in done if isinstance(one, Exception)) == [NotLaunchable]
    assert LedgerEntry.objects.reserved_usd() <= 4


def test_two_syncs_keep_each_submission_once(project, crowd):
    published(project)
    for _ in range(3):
        submit_one(crowd)
    done = at_once(*[lambda: syncing.sync("marketplace")] * 3)
    assert [one for one in done if isinstance(one, Exception)] == []
    assert Assignment.objects.filter(status="submitted").count() == 3


def test_two_reviewers_at_once_pay_once(project, crowd):
    published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    assignment, user = Assignment.objects.get(), make_user()
    at_once(*[lambda: deciding.decide([assignment], "approve", user)] * 4)
    assert AssignmentDecision.objects.count() == 1
    at_once(*[deciding.carry_out] * 4)
    assert Counter(LedgerEntry.objects.values_list("kind", flat=True))["reward"] == 1
    assert [listed["AssignmentStatus"] for listed in crowd.assignments()] == ["Approved"]
