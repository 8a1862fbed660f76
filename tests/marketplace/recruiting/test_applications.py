"""Open sign-up: off unless switched on, with an operator's word, and bounded."""

import pytest
from django.test import Client

from marketplace.models import OperatorAction, User, WorkerProfile
from marketplace.recruiting.models import Application, Consent
from marketplace.recruiting.services import applications

from .conftest import at_once, shown_terms

PASSWORD = "seven grey herons"


def apply(username: str = "ada", browser: Client | None = None, address: str = "192.0.2.1", **changes):
    values = {"username": username, "password": PASSWORD, "password_again": PASSWORD, "email": "", "message": "Hello"}
    return (browser or Client()).post("/join/", values | changes, REMOTE_ADDR=address)


def decide(operator, decision: str, username: str = "ada", reason: str = ""):
    pk = Application.objects.get(user__username=username).pk
    form = {"decision": decision, "reason": reason}
    return operator.post(f"/operator/recruiting/applications/{pk}/decide/", form, follow=True).content.decode()


@pytest.fixture
def is_open(operator):
    operator.post("/operator/recruiting/applications/open/", {"open": "1"})


def test_nobody_applies_unless_an_operator_lets_them(operator):
    assert apply().status_code == 404
    assert "Accounts are made by invitation" in Client().get("/join/").content.decode()
    assert "Ask for an account" not in Client().get("/").content.decode()
    operator.post("/operator/recruiting/applications/open/", {"open": "1"})
    assert "Ask for an account" in Client().get("/").content.decode()
    assert apply().status_code == 302
    operator.post("/operator/recruiting/applications/open/")
    assert apply("grace").status_code == 404


def test_an_applicant_waits_and_works_once_approved(operator, is_open, requester):
    hit = requester.hit()
    browser = Client()
    assert apply(browser=browser).url == "/join/waiting/"
    assert browser.get("/projects/").url == "/join/waiting/"
    assert "Your application waits" in browser.get("/join/waiting/").content.decode()
    assert browser.post(f"/projects/{hit['HITGroupId']}/tasks/accept_random").url == "/join/waiting/"
    assert "1 person asks for an account" in operator.get("/operator/").content.decode()
    assert "“Hello”" in operator.get("/operator/recruiting/applications/").content.decode()
    decide(operator, "approve")
    assert browser.get("/join/waiting/").url == "/projects/"
    assert browser.post(f"/projects/{hit['HITGroupId']}/tasks/accept_random").status_code == 302
    assert OperatorAction.objects.filter(detail="approved an application").count() == 1


def test_who_is_declined_reads_why_and_may_be_approved_after_all(operator, is_open):
    browser = Client()
    apply(browser=browser)
    assert "Say why you decline" in decide(operator, "decline")
    assert Application.objects.get().status == "waiting"
    decide(operator, "decline", reason="Only <students>.")
    assert "“Only &lt;students&gt;.”" in browser.get("/join/waiting/").content.decode()
    assert not WorkerProfile.objects.exists()
    decide(operator, "approve")
    assert WorkerProfile.objects.count() == 1
    assert "was decided already" in decide(operator, "decline", reason="Too late.")
    assert Application.objects.get().status == "approved"


def test_two_operators_decide_once(operator, is_open):
    apply()
    pk = Application.objects.get().pk
    at_once(4, lambda _: operator.post(f"/operator/recruiting/applications/{pk}/decide/", {"decision": "approve"}))
    assert WorkerProfile.objects.count() == OperatorAction.objects.filter(detail="approved an application").count() == 1


def test_one_address_cannot_fill_the_queue(is_open, pass_time):
    statuses = at_once(8, lambda index: apply(f"flood{index}").status_code)
    assert sorted(statuses) == [302] * 5 + [429] * 3
    assert User.objects.filter(application__isnull=False).count() == 5
    assert apply("ada", address="198.51.100.7").status_code == 302
    pass_time(86401)
    assert apply("grace").status_code == 302


@pytest.mark.parametrize("decision", ["approve", "decline"])
def test_deciding_on_applications_makes_no_room_for_more_from_that_address(is_open, operator, pass_time, decision):
    for index in range(5):
        apply(f"flood{index}")
        decide(operator, decision, f"flood{index}", "No.")
    assert apply("six").status_code == 429
    pass_time(86401)
    assert apply("six").status_code == 302


@pytest.mark.parametrize(("bound", "sentence"), [("MAX_WAITING", "than we can look at"), ("MAX_AN_HOUR", "in an hour")])
def test_many_addresses_cannot_either(is_open, monkeypatch, bound, sentence):
    monkeypatch.setattr(applications, bound, 2)
    answers = [apply(f"flood{index}", address=f"192.0.2.{index}") for index in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert sentence in answers[2].content.decode()


def test_the_address_of_an_applicant_is_not_kept(is_open, operator, pass_time):
    apply()
    assert "192.0.2.1" not in str(list(Application.objects.values()))
    decide(operator, "approve")
    pass_time(86401)
    operator.get("/operator/recruiting/applications/")
    assert Application.objects.get().source_hash == ""


def test_nobody_applies_under_terms_that_their_page_did_not_show(is_open, operator):
    operator.post("/operator/recruiting/terms/", {"text": "Be kind."})
    browser = Client()
    shown = shown_terms(browser.get("/join/").content.decode())
    operator.post("/operator/recruiting/terms/", {"text": "Be quick."})
    answer = apply(browser=browser, agrees="on", **shown)
    page = answer.content.decode()
    assert (answer.status_code, "have changed since" in page, "Be quick." in page) == (400, True, True)
    assert not User.objects.filter(username="ada").exists()
    assert " checked" not in page
    assert apply(browser=browser, agrees="on", **shown_terms(page)).status_code == 302
    assert Consent.objects.get().terms.text == "Be quick."


@pytest.mark.parametrize(
    "changes", [{"message": "x" * 1001}, {"message": "\0"}, {"password": "short"}, {"username": ""}]
)
def test_an_application_that_does_not_hold_says_why(is_open, changes):
    answer = apply(**changes)
    assert (answer.status_code, Application.objects.exists()) == (400, False)
    assert 'role="alert"' in answer.content.decode()


def test_who_is_signed_in_has_no_use_for_the_form(is_open, worker):
    assert worker.client.get("/join/").url == "/projects/"
    assert worker.client.get("/join/waiting/").status_code == 404
