"""Sign-in protection of the platform: too many wrong passwords for a user name from an address, and it has to wait."""

import pytest
from axes.models import AccessAttempt, AccessLog
from django.test import Client
from django.urls import reverse

from tests.annotation.factories import make_superuser

pytestmark = pytest.mark.django_db
HERE, ELSEWHERE = "192.0.2.7", "192.0.2.8"


@pytest.fixture(autouse=True)
def _three_attempts(settings):
    settings.AXES_FAILURE_LIMIT = 3


@pytest.fixture
def name() -> str:
    user = make_superuser()
    user.set_password("pass word")
    user.save()
    return user.username


def attempt(username: str, password: str, address: str = HERE):
    return Client().post(reverse("admin:login"), {"username": username, "password": password}, REMOTE_ADDR=address)


def test_the_right_password_is_refused_after_three_wrong_ones(name):
    for status in (200, 200, 429):
        assert attempt(name, "wrong").status_code == status
    answer = attempt(name, "pass word")
    assert answer.status_code == 429
    assert "Wait 15 minutes, then sign in with the right one." in answer.content.decode()
    assert answer.headers["Retry-After"] == "900"
    assert attempt(name, "pass word", ELSEWHERE).status_code == 302


def test_two_wrong_ones_are_forgiven(name):
    for _ in range(2):
        assert attempt(name, "wrong").status_code == 200
    assert attempt(name, "pass word").status_code == 302
    assert not AccessAttempt.objects.exists()
    assert not AccessLog.objects.exists()
