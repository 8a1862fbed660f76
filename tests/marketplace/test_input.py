"""Input whose fate hangs on this marketplace's settings, or leaves a trace here; limits are in ``tests/contract``."""

import json
import time

import pytest

from .conftest import question, turk_code


@pytest.mark.parametrize("url", ["https:///no-host", "http://[broken/", "ftp://a.example/"])
def test_a_hit_that_is_refused_is_not_there(requester, url):
    values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 3600, "Question": question(url)}
    assert turk_code(requester.refusal("create_hit_with_hit_type", **values)) == "InvalidParameterValue"
    assert requester.mturk.list_hits()["NumResults"] == 0


def test_a_page_must_be_https_unless_plain_http_is_allowed(requester, settings):
    assert requester.hit(Question=question("http://a.example/"))
    settings.PLAIN_HTTP = False
    plain = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 60, "Question": question("http://a.example/")}
    assert turk_code(requester.refusal("create_hit_with_hit_type", **plain)) == "InvalidParameterValue"
    assert requester.hit(Question=question("https://a.example/"))


@pytest.mark.parametrize("strict", [True, False])
def test_a_lifetime_can_be_shortened_unless_the_switch_is_strict(requester, settings, strict):
    settings.MARKETPLACE_STRICT_EXPIRY = strict
    hit = requester.hit(LifetimeInSeconds=7200)
    sooner = {"HITId": hit["HITId"], "ExpireAt": int(time.time()) + 3600}
    if strict:
        assert turk_code(requester.refusal("update_expiration_for_hit", **sooner)) == "InvalidParameterValue"
        assert requester.see(hit)["Expiration"] == hit["Expiration"]
    else:
        requester.mturk.update_expiration_for_hit(**sooner)
        assert requester.see(hit)["Expiration"].timestamp() == sooner["ExpireAt"]
    for when in (sooner["ExpireAt"] + 7200, 0):
        requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=when)
    assert requester.see(hit)["HITStatus"] == "Reviewable"


@pytest.mark.parametrize("when", [10**400, -(10**400), 10**15])
def test_a_time_beyond_the_calendar_is_refused_with_a_sentence(requester, when):
    hit = requester.hit()
    body = json.dumps({"HITId": hit["HITId"], "ExpireAt": when})
    event = "before-call.mturk.UpdateExpirationForHIT"
    requester.mturk.meta.events.register(event, lambda params, **_: params.update(body=body.encode()))
    refusal = requester.refusal("update_expiration_for_hit", HITId=hit["HITId"], ExpireAt=0)
    assert turk_code(refusal) == "InvalidParameterValue"
    assert "It is no point in time." in refusal.response["Message"]
    assert requester.see(hit)["Expiration"] == hit["Expiration"]


def test_messages_end_with_a_stamp_that_tells_the_sandbox(new_requester):
    sandbox = new_requester().refusal("get_hit", HITId="3X")
    production = new_requester(funds="1.00").refusal("get_hit", HITId="3X")
    assert sandbox.response["Message"].endswith(" s)")
    assert production.response["Message"][-2].isdigit()
