"""Calls a second: switched on for one requester or by the settings, and kept across processes."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.exceptions import ClientError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from marketplace.models import CallRate, RequesterProfile
from marketplace.services import throttling

from .conftest import hook, mturk_client
from .test_faults import outcome, outcomes


def set_rate(requester, rate) -> None:
    hook("rate", access_key=requester.access_key, requests_per_second=rate)


def test_calls_over_the_rate_are_refused_as_mechanical_turk_does(requester):
    set_rate(requester, 0.01)
    assert outcomes(requester, 3) == ["ok", "ThrottlingException", "ThrottlingException"]
    with pytest.raises(ClientError) as caught:
        requester.mturk.get_account_balance()
    assert caught.value.response["Error"] == {"Code": "ThrottlingException", "Message": "Rate exceeded"}
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    set_rate(requester, None)
    assert outcomes(requester, 3) == ["ok"] * 3


def test_a_call_is_let_through_again_when_it_is_due(requester):
    set_rate(requester, 0.01)
    assert outcomes(requester, 2) == ["ok", "ThrottlingException"]
    with connection.cursor() as cursor:  # as if 100 seconds had passed
        cursor.execute("UPDATE marketplace_callrate SET due_at = due_at - interval '101 seconds'")
    assert outcomes(requester, 2) == ["ok", "ThrottlingException"]


def test_what_was_not_used_is_not_saved_up_beyond_a_second(requester):
    set_rate(requester, 3)
    requester.mturk.list_hits()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE marketplace_callrate SET due_at = due_at - interval '1 day'")
    profile = RequesterProfile.objects.get()
    profile.requests_per_second = 0.001  # so slow that the test's own time does not count
    assert [throttling.admits(profile) for _ in range(3)] == [True, False, False]


def test_the_setting_is_for_all_who_have_no_rate_of_their_own(requester, new_requester, settings):
    settings.MARKETPLACE_REQUESTS_PER_SECOND = 0.01
    free = new_requester()
    set_rate(free, 0)
    assert outcomes(requester, 2) == ["ok", "ThrottlingException"]
    assert outcomes(free, 3) == ["ok"] * 3


def test_one_requesters_calls_do_not_count_for_another(requester, new_requester):
    other = new_requester()
    for one in (requester, other):
        set_rate(one, 0.01)
    assert outcomes(requester, 2) == ["ok", "ThrottlingException"]
    assert outcomes(other, 1) == ["ok"]


def test_a_call_with_a_wrong_signature_uses_nothing_up(site, requester):
    set_rate(requester, 0.01)
    forger = mturk_client(site.url, requester.access_key, "not the secret")
    assert outcome(forger.list_hits) == "InvalidSignatureException"
    assert outcomes(requester, 1) == ["ok"]


@pytest.mark.slow
def test_the_rate_holds_across_processes_and_threads(site, gunicorn_site, requester):
    """Two servers on one database, 20 callers at once: one call passes, whichever server it asks."""
    set_rate(requester, 0.01)
    clients = [
        mturk_client(url, requester.access_key, requester.secret_key, max_pool_connections=10)
        for url in (site.url, gunicorn_site)
    ]
    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(lambda number: outcome(clients[number % 2].list_hits), range(40)))
    assert sorted(results) == ["ThrottlingException"] * 39 + ["ok"]


def test_nothing_is_asked_of_the_database_where_no_rate_is_set(requester):
    profile = RequesterProfile.objects.get()
    with CaptureQueriesContext(connection) as caught:
        assert throttling.admits(profile)
    assert len(caught) == 0
    assert not CallRate.objects.exists()


@pytest.mark.parametrize("rate", [-1, 1e9, "fast", float("nan"), [], {}])
def test_a_rate_that_makes_no_sense_is_refused(requester, rate):
    body = {"access_key": requester.access_key, "requests_per_second": rate}
    answer = Client().post("/_test/rate", body, content_type="application/json")
    assert answer.status_code == 400
    assert outcomes(requester, 2) == ["ok"] * 2
