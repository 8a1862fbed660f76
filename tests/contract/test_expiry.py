"""Expiring and extending HITs."""

from datetime import UTC, datetime, timedelta

import pytest

from .conftest import message
from .facts import DOCS, INFERRED, OURS, SEEN, cites
from .signing import Signed

pytestmark = pytest.mark.slow

FACTS = "HIT and assignment lifecycle: changing and removing; HIT states"


@cites("HIT data structure", "at its expiry a HIT takes nobody; who holds it may still submit", DOCS)
@cites("HIT data structure", "what is returned after the expiry opens no place", DOCS)
def test_an_expired_hit_takes_nobody_but_keeps_who_holds_it(requester, new_worker):
    hit = requester.hit(MaxAssignments=3)
    submits, returns = new_worker(), new_worker()
    held, returned = submits.accept(hit), returns.accept(hit)
    requester.expire(hit)
    assert requester.counters(hit) == ("Unassignable", 0, 2, 0)
    assert new_worker().try_accept(hit) is None
    returns.give_back(returned)
    assert requester.counters(hit) == ("Unassignable", 0, 1, 0)
    assert submits.submit(held)
    assert requester.counters(hit) == ("Reviewable", 0, 0, 0)


@cites("CreateHIT", "a HIT expires LifetimeInSeconds after its creation", DOCS)
def test_a_hit_expires_by_itself(requester, worker, pass_time):
    hit = requester.hit(LifetimeInSeconds=300)
    pass_time(301)
    assert requester.counters(hit) == ("Reviewable", 0, 0, 0)
    assert worker.try_accept(hit) is None


@pytest.mark.parametrize("expire_at", [0, datetime(2020, 1, 1, tzinfo=UTC)], ids=["0", "2020"])
@cites("UpdateExpirationForHIT", "0 or a time in the past expires the HIT at once", DOCS)
@cites("UpdateExpirationForHIT", "expiring at once can be repeated", OURS)
def test_a_time_in_the_past_expires_at_once_and_again(requester, expire_at):
    hit = requester.hit()
    for _ in range(2):
        requester.expire(hit, expire_at)
        assert requester.counters(hit) == ("Reviewable", 0, 0, 0)


@cites("UpdateExpirationForHIT", "extended, the places that were not taken open again", INFERRED)
def test_an_expired_hit_is_extended_by_the_places_that_were_not_taken(requester, new_worker):
    hit = requester.hit(MaxAssignments=3)
    new_worker().do(hit)
    new_worker().accept(hit)
    requester.expire(hit)
    assert requester.counters(hit) == ("Unassignable", 0, 1, 0)
    later = hit["Expiration"] + timedelta(hours=1)
    requester.expire(hit, later)
    assert requester.counters(hit) == ("Assignable", 1, 1, 0)
    assert requester.see(hit)["Expiration"] == later


@cites("UpdateExpirationForHIT", 'The idempotency token "<HITId><Date>" has already been processed.', SEEN)
def test_the_same_new_expiration_twice_is_refused(requester):
    hit = requester.hit()
    later = hit["Expiration"] + timedelta(hours=1)
    requester.expire(hit, later)
    refusal = requester.refusal("update_expiration_for_hit", HITId=hit["HITId"], ExpireAt=later)
    assert f'The idempotency token "{hit["HITId"]}' in message(refusal)
    assert "has already been processed." in message(refusal)
    requester.expire(hit, later + timedelta(hours=1))


@cites("UpdateExpirationForHIT", "AWS's documents disagree on shortening; allowed, unless a setting is strict", OURS)
def test_a_life_can_be_shortened(requester):
    hit = requester.hit()
    sooner = hit["Expiration"] - timedelta(minutes=30)
    requester.expire(hit, sooner)
    assert requester.see(hit)["Expiration"] == sooner


@pytest.mark.parametrize("when", ["1e12", "1e18", "-1e18", "1e400", '"tomorrow"'])
@cites("UpdateExpirationForHIT", "a time is a number of seconds that names a moment", INFERRED)
def test_an_expiration_that_is_no_time_is_refused(endpoint, requester, when):
    body = f'{{"HITId": "{requester.hit()["HITId"]}", "ExpireAt": {when}}}'
    status, document = Signed(endpoint.url, requester, "UpdateExpirationForHIT", body=body).send()
    assert status == 400
    assert "ExpireAt" in document["Message"]
