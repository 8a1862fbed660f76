"""Sign-in protection: too many wrong passwords for a user name from an address, and it has to wait."""

import html
from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessLog
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from marketplace.services import accounts, erasure

from .test_operator import page

HERE, ELSEWHERE = "192.0.2.7", "192.0.2.8"


@pytest.fixture(autouse=True)
def _three_attempts(settings):
    settings.AXES_FAILURE_LIMIT = 3


def attempt(username: str, password: str, address: str = HERE, **headers):
    return Client().post(
        "/signin/", {"username": username, "password": password}, REMOTE_ADDR=address, headers=headers or None
    )


def lock(username: str, address: str = HERE, **headers) -> None:
    for status in (200, 200, 429):
        assert attempt(username, "wrong", address, **headers).status_code == status


@pytest.fixture
def name(worker) -> str:
    return worker.profile.user.username


def test_the_right_password_is_refused_after_three_wrong_ones(name):
    lock(name)
    answer = attempt(name, "pass word")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == str(15 * 60)
    assert "Wait 15 minutes, then sign in with the right one." in html.unescape(answer.content.decode())


def test_fewer_are_forgiven_and_forgotten_with_the_right_one(name):
    for _ in range(3):
        for _ in range(2):
            assert attempt(name, "wrong").status_code == 200
        assert attempt(name, "pass word").status_code == 302
    assert not AccessAttempt.objects.exists()


def test_after_the_pause_the_right_password_is_good_again(name):
    lock(name)
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=16))
    assert attempt(name, "pass word").status_code == 302


def test_trying_on_makes_the_pause_no_longer_and_keeps_nothing(name):
    lock(name)
    before = list(AccessAttempt.objects.values())
    for password in ("wrong", "pass word"):
        assert attempt(name, password).status_code == 429
    assert list(AccessAttempt.objects.values()) == before


def test_nobody_is_locked_out_by_somebody_else(name, new_worker):
    lock(name)
    assert attempt(name, "pass word", ELSEWHERE).status_code == 302
    assert attempt(new_worker().profile.user.username, "pass word", HERE).status_code == 302


def test_many_people_sign_in_from_one_address(new_worker):
    for _ in range(12):
        assert attempt(new_worker().profile.user.username, "pass word").status_code == 302


def test_another_way_to_write_the_name_gives_no_more_attempts(name):
    for written in (name, name.upper(), f" {name.capitalize()} "):
        assert attempt(written, "wrong").status_code in (200, 429)
    assert attempt(name, "pass word").status_code == 429


def test_another_browser_gives_no_more_attempts(name):
    for browser in ("Firefox", "Chromium", "Safari"):
        attempt(name, "wrong", User_Agent=browser)
    assert attempt(name, "pass word", User_Agent="Opera").status_code == 429


def test_a_user_name_that_nobody_has_is_locked_out_like_any_other():
    lock("nobody")
    assert attempt("nobody", "wrong").status_code == 429


@pytest.mark.parametrize("name_sent", ["x\0y", "ß" * 150, "x" * 5000, "", "ΐ" * 150])
def test_strange_user_names_are_answered(name_sent):
    for _ in range(4):
        assert attempt(name_sent, "wrong").status_code in (200, 429)


def test_without_a_proxy_the_word_of_the_client_is_not_believed(name):
    for number in range(3):
        attempt(name, "wrong", X_Forwarded_For=f"198.51.100.{number}")
    assert attempt(name, "pass word", X_Forwarded_For="198.51.100.77").status_code == 429


def test_behind_a_proxy_the_address_that_it_saw_counts_and_no_other(name, settings):
    settings.PROXIES_IN_FRONT = 1
    for number in range(3):
        attempt(name, "wrong", "10.0.0.1", X_Forwarded_For=f"198.51.100.{number}, {HERE}")
    assert attempt(name, "pass word", "10.0.0.2", X_Forwarded_For=HERE).status_code == 429
    assert attempt(name, "pass word", "10.0.0.1", X_Forwarded_For=f"{HERE}, {ELSEWHERE}").status_code == 302


@pytest.mark.parametrize("forwarded", ["", "nonsense", "198.51.100.1, \x00", "x" * 3000])
def test_what_a_proxy_cannot_have_said_is_still_counted(name, settings, forwarded):
    settings.PROXIES_IN_FRONT = 1
    lock(name, X_Forwarded_For=forwarded)
    assert attempt(name, "pass word", X_Forwarded_For=forwarded).status_code == 429


def test_who_has_an_ipv6_network_has_no_more_attempts_for_it(name):
    for number in (1, 2, 3):
        attempt(name, "wrong", f"2001:db8:1:2::{number}")
    assert attempt(name, "pass word", "2001:db8:1:2:ffff::9").status_code == 429
    assert attempt(name, "pass word", "2001:db8:1:3::1").status_code == 302


def test_the_api_and_whoever_is_signed_in_go_on(requester, worker, name):
    lock(name)
    lock(name, "127.0.0.1")
    assert requester.mturk.list_hits()["HITs"] == []
    page(worker.client, "/projects/")


def test_pages_cost_no_query_for_it(worker):
    with CaptureQueriesContext(connection) as caught:
        page(worker.client, "/projects/")
    assert [query for query in caught.captured_queries if "axes_" in query["sql"]] == []


def test_signing_in_leaves_no_record(name):
    attempt(name, "pass word")
    assert not AccessLog.objects.exists()


def test_no_password_is_kept(name):
    attempt(name, "a secret that was mistyped")
    kept = str(list(AccessAttempt.objects.values()))
    assert "mistyped" not in kept
    assert "POST" not in kept


def test_an_erased_workers_attempts_are_erased_too(name, worker, operator):
    lock(name)
    lena = accounts.create_operator("lena")
    erasure.erase(lena, worker.profile, worker.profile.created_at, reason="Asked for")
    assert not AccessAttempt.objects.exists()
