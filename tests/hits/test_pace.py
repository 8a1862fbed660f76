"""The pace of an account: free until the endpoint refuses a call as one too many, then even, then slowly faster."""

from uuid import uuid4

import pytest
import redis
from django.conf import settings as platform

from hits import mturk, pace
from hits.services import publishing

from .conftest import launch
from .test_at_once import at_once
from .test_publishing import annotations, ours

pytestmark = pytest.mark.slow


@pytest.fixture
def key():
    return pace.account("https://crowd.example", str(uuid4()))


@pytest.fixture
def slow(monkeypatch):
    """After a refusal, a call every 100 seconds."""
    monkeypatch.setattr(pace, "FIRST", 0.01)
    monkeypatch.setattr(pace, "LEAST", 0.01)


def test_an_account_that_was_never_refused_is_not_held_back(key):
    assert [pace.turn(key, 0) for _ in range(100)] == [0] * 100


def test_after_a_refusal_turns_come_evenly_one_after_the_other_for_all(key, slow):
    pace.slower(key)
    waits = at_once(*[lambda: pace.turn(key, 1000)] * 4)
    assert sorted(round(wait / 100) for wait in waits) == [1, 2, 3, 4]
    assert pace.turn(key, 100) is None, "whoever cannot wait that long takes no turn"
    assert round(pace.turn(key, 1000) / 100) == 5


def test_after_a_refusal_the_account_rests_before_it_goes_on(key):
    pace.slower(key)
    waits = [pace.turn(key, 1000) for _ in range(3)]
    assert waits[0] > 0.8, "a second's rest, though calls then come five a second"
    assert [round(wait - waits[0], 1) for wait in waits] == [0, 0.2, 0.4]


def test_a_pace_is_learned_from_what_was_let_through(key, monkeypatch):
    monkeypatch.setattr(pace, "FIRST", 0.5)
    for _ in range(20):
        pace.turn(key, 0)
    pace.slower(key)  # 19 were let through, some of them in advance
    assert 5 < float(pace._redis().hget(key, "rate")) <= 0.95 * 19


def test_calls_that_were_refused_together_slow_down_once(key, slow):
    for _ in range(10):
        pace.slower(key)
    assert round(pace.turn(key, 1000) / 100) == 1


def test_each_account_has_a_pace_of_its_own(key, slow):
    pace.slower(key)
    assert pace.turn(pace.account("https://crowd.example", str(uuid4())), 0) == 0


def test_a_pace_without_refusals_becomes_faster_and_then_free(key, monkeypatch):
    monkeypatch.setattr(pace, "FASTER_EVERY", 0)
    monkeypatch.setattr(pace, "FASTER", 4.0)
    pace.slower(key)
    assert [pace.turn(key, 1000) > 0 for _ in range(3)] == [True] * 3  # 5 a second, then 20, 80, 320
    assert pace.turn(key, 1000) == 0, "1280 a second is more than is ever held back"


def test_without_redis_calls_are_made_without_a_pace(key, monkeypatch):
    gone = redis.Redis.from_url("redis://127.0.0.1:1/0")
    monkeypatch.setattr(pace, "_scripts", lambda: (gone.register_script("return 0"),) * 2)
    pace.slower(key)
    assert pace.turn(key, 0) == 0


def test_what_is_kept_names_no_account_and_is_forgotten(key, crowd):
    pace.slower(pace.account(crowd.url, crowd.access_key))
    names = [name.decode() for name in redis.Redis.from_url(platform.REDIS_URL).keys("*pace*")]
    assert names
    assert not any(crowd.access_key in name for name in names)
    assert pace.account(crowd.url, crowd.access_key) in names


@pytest.mark.django_db(transaction=True)
def test_a_throttled_batch_is_published_without_a_failure(project, crowd):
    batch = launch(project)
    crowd.faults({"operation": "CreateHITWithHITType", "fault": "throttle", "times": 2})
    assert publishing.publish(batch) == 5
    assert annotations(crowd) == ours(batch)


@pytest.mark.django_db(transaction=True)
def test_an_endpoint_that_throttles_for_long_puts_the_hit_off_and_leaves_no_doubt(project, crowd, monkeypatch):
    monkeypatch.setattr(mturk, "MOST_WAIT_SECONDS", 0.5)
    batch = launch(project)
    crowd.faults({"operation": "CreateHITWithHITType", "fault": "throttle", "times": 9})
    with pytest.raises(mturk.NothingDone):
        publishing.publish(batch)
    assert set(batch.hits.values_list("status", "first_attempt_at", "claimed_until")) == {("draft", None, None)}
    crowd.faults()
    monkeypatch.undo()
    publishing.publish(batch)
    assert annotations(crowd) == ours(batch)
