"""When the HITs of a batch come out: a pilot, so many in a period, so many open at a time; never twice, never more."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.models import Membership
from hits import tasks
from hits.models import HIT, Batch, ReleasePlan
from hits.services import acting, ending, publishing, releasing
from hits.services.releasing import Release, allowed
from tests.annotation.factories import make_member

from .conftest import launch, writing
from .test_at_once import at_once
from .test_batch_life import press

pytestmark = pytest.mark.django_db(transaction=True)
START = datetime(2026, 12, 1, 8, tzinfo=UTC)


@pytest.fixture
def requester(project, client):
    client.force_login(make_member(project, Membership.Role.REQUESTER))
    return client


def planned(project, **plan):
    batch = launch(project, writing(release=Release(**plan)))
    publishing.publish(batch)
    batch.refresh_from_db()
    return batch


def out(batch):
    return HIT.objects.filter(batch=batch, released_at__isnull=False).count()


def an_hour_ago(batch):
    """As if all that was released had been released an hour earlier, and the batch launched then."""
    for hit in HIT.objects.filter(batch=batch, released_at__isnull=False):
        HIT.objects.filter(pk=hit.pk).update(released_at=hit.released_at - timedelta(hours=1))
    Batch.objects.filter(pk=batch.pk).update(launched_at=batch.launched_at - timedelta(hours=1))


def test_a_pilot_goes_first_and_the_rest_when_somebody_says_so(project, crowd, requester):
    batch = planned(project, pilot_hits=2)
    tasks.sweep()
    assert (len(crowd.hits()), batch.status) == (2, Batch.Status.PUBLISHING)
    page = requester.get(reverse("admin:hits_batch_life", args=[batch.pk])).content.decode()
    assert "The pilot is out." in page
    press(requester, batch, "release")
    publishing.publish(batch)
    batch.refresh_from_db()
    assert (len(crowd.hits()), batch.status) == (5, Batch.Status.OPEN)
    life = requester.get(reverse("admin:hits_batch_life", args=[batch.pk])).content.decode()
    assert "Release the rest" not in life
    again = requester.get(reverse("admin:hits_batch_act", args=[batch.pk, "release"])).content.decode()
    assert "There is nothing in this batch to do that to" in again


def test_so_many_come_out_in_each_period(project, crowd):
    batch = planned(project, hits_a_period=2)
    releasing.release_all_due()
    assert out(batch) == 2
    an_hour_ago(batch)
    releasing.release_all_due()
    assert out(batch) == 4


def test_never_more_than_so_many_are_open(project, crowd):
    batch = planned(project, most_open=3)
    releasing.release_all_due()
    assert out(batch) == 3
    ending.end(batch, None, hit_id=batch.hits.first().pk)
    acting.carry_out()
    HIT.objects.filter(pk=batch.hits.first().pk).update(status=HIT.Status.REVIEWABLE)
    releasing.release_all_due()
    assert out(batch) == 4


def test_nothing_comes_out_before_its_time_or_while_the_batch_is_paused(project, crowd):
    batch = planned(project, starts_at=datetime.now(UTC) + timedelta(hours=1))
    releasing.release_all_due()
    assert out(batch) == 0
    ReleasePlan.objects.update(starts_at=datetime.now(UTC) - timedelta(seconds=1))
    publishing.pause(batch)
    releasing.release_all_due()
    assert out(batch) == 0
    publishing.resume(batch)
    releasing.release_all_due()
    assert out(batch) == 5


@pytest.mark.slow
def test_two_sweeps_at_once_release_one_allowance(project, crowd):
    batch = launch(project, writing(release=Release(hits_a_period=2)))
    an_hour_ago(batch)
    at_once(*[releasing.release_all_due] * 4)
    assert out(batch) == 4


def test_the_launch_form_takes_a_plan_and_the_receipt_says_it(project, crowd, requester):
    fields = {
        "kind": "write",
        "units_per_hit": 1,
        "hourly_rate_usd": "9.00",
        "extra_answers": 2,
        "endpoint": "marketplace",
        "starts_at": "2026-12-01T08:00",
        "pilot_hits": 1,
        "hits_a_period": 2,
        "period": 86400,
        "most_open": 3,
        "most_tasks_a_worker": 2,
    }
    receipt = requester.get(reverse("admin:hits_batch_estimate", args=[project.pk]), fields).content.decode()
    for sentence in (
        "Nothing is published before 2026-12-01 08:00 UTC.",
        "A pilot first: 1 HIT. The other 4 wait until you release them.",
        "2 HITs a day: all are out after 2 days at the soonest.",
        "Never more than 3 HITs are open at a time.",
        "A worker does 2 HITs of this batch at most.",
    ):
        assert sentence in receipt
    requester.post(reverse("admin:hits_batch_launch", args=[project.pk]), fields)
    plan = ReleasePlan.objects.get()
    assert (plan.starts_at, plan.pilot_hits, plan.hits_a_period, plan.period_seconds, plan.most_open) == (
        START,
        1,
        2,
        86400,
        3,
    )
    assert plan.batch.most_tasks_a_worker == 2
    wrong = requester.get(reverse("admin:hits_batch_estimate", args=[project.pk]), fields | {"pilot_hits": "-1"})
    assert "page-error" in wrong.content.decode()


plans = st.builds(
    Release,
    starts_at=st.none() | st.just(START + timedelta(minutes=90)),
    pilot_hits=st.integers(0, 5),
    hits_a_period=st.integers(0, 7),
    period_seconds=st.sampled_from([3600, 86400]),
    most_open=st.integers(0, 6),
)


@settings(deadline=None)
@given(
    plan=plans,
    total=st.integers(0, 40),
    sweeps=st.lists(st.tuples(st.integers(1, 30_000), st.integers(0, 5)), max_size=30),
)
def test_whenever_the_sweep_comes_no_bound_is_broken_and_no_hit_comes_out_twice(plan, total, sweeps):
    """Each sweep comes some seconds after the last one, and so many HITs were closed meanwhile."""
    now, released, is_open = START, [], 0
    start = plan.starts_at or START
    for seconds, closed in sweeps:
        now += timedelta(seconds=seconds)
        is_open = max(0, is_open - closed)
        number = allowed(plan, bool(plan.pilot_hits), start, released, total - len(released), is_open, now)
        assert number >= 0
        released += [now] * number
        is_open += number
        assert len(released) <= total
        assert not released or plan.starts_at is None or released[0] >= plan.starts_at
        assert not plan.pilot_hits or len(released) <= plan.pilot_hits
        assert not plan.most_open or is_open <= plan.most_open
        if plan.hits_a_period:
            periods = [(moment - start) // timedelta(seconds=plan.period_seconds) for moment in released]
            assert all(periods.count(period) <= plan.hits_a_period for period in periods)
    # With nothing in the way, one sweep later everything that may be out is out.
    if not plan.pilot_hits and not plan.hits_a_period and not plan.most_open and now >= start and sweeps:
        assert len(released) == total
