"""One-time links for people who forgot their password."""

import html
import uuid

import pytest
from axes.models import AccessAttempt
from django.test import Client

from marketplace.models import OperatorAction, RequesterProfile, SignInLink, User
from marketplace.services import accounts

from .test_operator import page
from .test_operator_workers import address, refused

NEW = {"new_password1": "a new pass word", "new_password2": "a new pass word"}


def make(operator, place: str, **values) -> str:
    """The path of a link made at ``place``."""
    answer = operator.post(place, {"reason": "Called us", "token": uuid.uuid4()} | values)
    assert answer.status_code == 200, answer.content.decode()
    assert "no-store" in answer.headers["Cache-Control"]
    link = answer.content.decode().split("data-link>")[1].split("<")[0]
    return "/" + link.split("/", 3)[3]


def test_a_worker_chooses_a_new_password_by_a_link_that_is_good_once(operator, worker):
    user = worker.profile.user
    AccessAttempt.objects.create(username=user.username.upper(), failures_since_start=20)
    path = make(operator, address(worker, "sign-in-link/"))
    visitor = Client()
    for _ in range(2):  # looking uses nothing up
        assert user.username in page(visitor, path)
    assert visitor.post(path, NEW | {"new_password2": "another"}).status_code == 400
    assert visitor.post(path, NEW).url == "/account/"
    assert user.username in page(visitor, "/account/")
    assert worker.client.get("/tasks/").url.startswith("/signin/"), "other devices are signed out"
    assert Client().post("/signin/", {"username": user.username, "password": "a new pass word"}).status_code == 302
    assert Client().post(path, NEW).status_code == 410
    assert path.rsplit("/", 2)[-2] not in str(SignInLink.objects.values())
    row = OperatorAction.objects.get(action="sign_in_link")
    assert (row.worker, row.reason, row.detail) == (worker.profile, "Called us", "")


def test_a_requester_gets_one_too(operator, requester):
    place = f"/operator/requesters/{requester.customer_id}/"
    assert "Make a sign-in link" in page(operator, place)
    path = make(operator, f"{place}sign-in-link/")
    visitor = Client()
    visitor.post(path, NEW)
    page(visitor, "/requester/")
    assert OperatorAction.objects.get(action="sign_in_link").requester == RequesterProfile.objects.get()


def test_a_link_ends_after_a_day_and_with_the_next_one(operator, worker, pass_time):
    first, second = (make(operator, address(worker, "sign-in-link/")) for _ in range(2))
    assert Client().get(first).status_code == 410
    pass_time(24 * 3600 - 60)
    page(Client(), second)
    pass_time(120)
    assert Client().post(second, NEW).status_code == 410


def test_a_form_sent_twice_makes_one_link(operator, worker):
    token = uuid.uuid4()
    path = make(operator, address(worker, "sign-in-link/"), token=token)
    assert "carried out already" in refused(operator, worker, "sign-in-link/", reason="Called", token=token)
    page(Client(), path)


def test_operators_and_closed_accounts_get_none(operator, worker):
    make(operator, address(worker, "sign-in-link/"))
    User.objects.filter(pk=worker.profile.user_id).update(is_active=False)
    assert "is closed" in refused(operator, worker, "sign-in-link/", reason="Called", token=uuid.uuid4())
    User.objects.filter(pk=worker.profile.user_id).update(is_active=True)
    accounts.create_operator(worker.profile.user.username)
    assert "create_operator" in refused(operator, worker, "sign-in-link/", reason="Called", token=uuid.uuid4())
    assert "Who asked" in refused(operator, worker, "sign-in-link/", reason="", token=uuid.uuid4())


@pytest.mark.parametrize(("contact", "said"), [("help@lab.example", 'href="mailto:help@lab.example"'), ("", "whoever")])
def test_the_sign_in_page_says_whom_to_ask(contact, said, settings):
    settings.MARKETPLACE_CONTACT = contact
    shown = html.unescape(page(Client(), "/signin/"))
    assert "Forgot your password?" in shown
    assert said in shown
