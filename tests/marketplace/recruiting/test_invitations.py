"""Invitation links: who comes in by one, and who does not."""

import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from marketplace import clock
from marketplace.models import OperatorAction, QualificationGrant, QualificationType, User, WorkerProfile
from marketplace.recruiting.models import Consent, Invitation, InvitationUse, Terms
from marketplace.recruiting.services import invitations

from .conftest import at_once, shown_terms

PASSWORD = "seven grey herons"


def make_link(**offer) -> str:
    """The path of a fresh invitation."""
    [link] = invitations.invite(invitations.Offer(**offer), clock.now())
    return link.removeprefix("http://127.0.0.1:8001")


def sign_up(path: str, username: str = "ada", browser: Client | None = None, **changes):
    values = {"username": username, "password": PASSWORD, "password_again": PASSWORD, "email": ""}
    return (browser or Client()).post(path, values | changes)


@pytest.fixture(autouse=True)
def _address(settings):
    settings.MARKETPLACE_URL = "http://127.0.0.1:8001"


def test_by_a_link_one_person_makes_an_account_and_is_at_work(requester):
    requester.hit()
    browser, path = Client(), make_link()
    assert "You are invited" in browser.get(path).content.decode()
    answer = sign_up(path, browser=browser, email="ada@example.org")
    assert (answer.status_code, answer.url) == (302, "/projects/")
    assert "Accept and work" in browser.get("/projects/").content.decode()
    assert User.objects.get(username="ada").email == "ada@example.org"
    assert Client().login(username="Ada", password=PASSWORD)


def test_a_link_for_one_lets_in_no_second_and_says_so():
    path = make_link()
    sign_up(path)
    answer = sign_up(path, "grace")
    assert (answer.status_code, User.objects.filter(username="grace").exists()) == (410, False)
    assert "This invitation has been used" in answer.content.decode()
    assert "This invitation has been used" in Client().get(path).content.decode()


def test_a_link_for_three_lets_in_three():
    path = make_link(places=3)
    assert [sign_up(path, name).status_code for name in ("ada", "grace", "mary", "joan")] == [302, 302, 302, 410]
    assert InvitationUse.objects.count() == WorkerProfile.objects.count() == 3


def test_a_link_lets_people_in_until_its_end(pass_time):
    path = make_link(places=2, expires_at=clock.now() + timedelta(hours=1))
    pass_time(3590)
    assert sign_up(path).status_code == 302
    pass_time(20)
    answer = sign_up(path, "grace")
    assert (answer.status_code, "This invitation is over" in answer.content.decode()) == (410, True)


def test_a_revoked_link_lets_nobody_in(operator):
    path = make_link(places=2)
    assert sign_up(path).status_code == 302
    pk = Invitation.objects.get().pk
    assert operator.post(f"/operator/recruiting/invitations/{pk}/revoke/").status_code == 302
    answer = sign_up(path, "grace")
    assert (answer.status_code, "was withdrawn" in answer.content.decode()) == (410, True)
    assert Client().login(username="ada", password=PASSWORD)
    assert operator.post(f"/operator/recruiting/invitations/{pk}/revoke/").status_code == 302
    assert OperatorAction.objects.filter(action="recruit").count() == 1


def test_a_link_that_never_was_is_not_known():
    answer = Client().get("/join/" + "x" * 32 + "/")
    assert (answer.status_code, "not known here" in answer.content.decode()) == (404, True)


def test_the_token_stands_nowhere_in_the_database():
    token = make_link().split("/")[2]
    assert Invitation.objects.get().token_hash == invitations.hash_of(token)
    assert token not in str(list(Invitation.objects.values()))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"password": "12345678", "password_again": "12345678"}, "entirely numeric"),
        ({"password": "password1", "password_again": "password1"}, "too common"),
        ({"password": "x1", "password_again": "x1"}, "too short"),
        ({"username": "ada.lovelace", "password": "ada.lovelace1", "password_again": "ada.lovelace1"}, "too similar"),
        ({"password_again": "seven grey egrets"}, "not the same"),
        ({"username": "TAKEN"}, "has this user name already"),
        ({"username": "no blanks"}, "valid username"),
        ({"username": "nul\0"}, "Null characters"),
        ({"username": "x" * 151}, "at most 150"),
        ({"username": ""}, "required"),
        ({"email": "nowhere"}, "valid email"),
    ],
)
def test_a_sign_up_that_does_not_hold_says_why_and_takes_no_place(changes, sentence):
    User.objects.create_user("taken")
    path = make_link()
    answer = sign_up(path, **changes)
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert Invitation.objects.get().places_taken == 0
    assert sign_up(path).status_code == 302


def test_the_last_place_goes_to_one_of_many_who_ask_at_once():
    path = make_link(places=2)
    statuses = at_once(6, lambda index: sign_up(path, f"worker{index}").status_code)
    assert sorted(statuses) == [302, 302, 410, 410, 410, 410]
    assert User.objects.count() == 2


def test_one_name_goes_to_one_of_two_who_ask_at_once_and_the_other_keeps_their_place():
    path = make_link(places=2)
    assert sorted(at_once(2, lambda _: sign_up(path).status_code)) == [302, 400]
    assert Invitation.objects.get().places_taken == 1


def test_a_link_gives_standing_and_a_requesters_qualification(requester):
    made = requester.mturk.create_qualification_type(
        Name="Lab", Description="Of the lab", QualificationTypeStatus="Active"
    )
    qualification = QualificationType.objects.get(type_id=made["QualificationType"]["QualificationTypeId"])
    rules = [
        {"QualificationTypeId": "000000000000000000L0", "Comparator": "GreaterThan", "IntegerValues": [96]},
        {"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThan", "IntegerValues": [999]},
        {"QualificationTypeId": "00000000000000000071", "Comparator": "EqualTo", "LocaleValues": [{"Country": "DE"}]},
        {"QualificationTypeId": qualification.type_id, "Comparator": "EqualTo", "IntegerValues": [7]},
    ]
    requester.hit(requester.hit_type(QualificationRequirements=rules))
    standing = {"approved": 1000, "percent": 97, "country": "DE"}
    invited, other = Client(), Client()
    sign_up(make_link(standing=standing, qualification_type=qualification, qualification_value=7), browser=invited)
    sign_up(make_link(), "grace", browser=other)
    assert "Accept and work" in invited.get("/projects/").content.decode()
    assert "Accept and work" not in other.get("/projects/").content.decode()


def test_a_worker_who_is_here_takes_what_a_link_gives_once(worker):
    path = make_link(places=2, standing={"masters": "yes"})
    assert "You have an account already" in worker.client.get(path).content.decode()
    for _ in range(2):
        assert worker.client.post(path).status_code == 302
    assert Invitation.objects.get().places_taken == 1
    assert QualificationGrant.objects.filter(worker=worker.profile, integer_value=1).exists()
    assert User.objects.count() == 1


def test_an_account_that_does_not_work_is_asked_to_sign_out(operator):
    path = make_link()
    assert "another kind of account" in operator.get(path).content.decode()
    assert "another kind of account" in operator.post(path).content.decode()
    assert Invitation.objects.get().places_taken == 0


def test_terms_are_shown_and_must_be_agreed_to_once_there_are_any(operator):
    assert "agree" not in Client().get(make_link()).content.decode()
    operator.post("/operator/recruiting/terms/", {"text": "Be kind & <careful>."})
    path = make_link(places=2)
    page = Client().get(path).content.decode()
    assert "Be kind &amp; &lt;careful&gt;." in page
    assert sign_up(path, **shown_terms(page)).status_code == 400
    assert sign_up(path, agrees="on", **shown_terms(page)).status_code == 302
    assert Consent.objects.get().terms == Terms.objects.get()
    operator.post("/operator/recruiting/terms/", {"text": ""})
    assert sign_up(path, "grace").status_code == 302
    assert Consent.objects.count() == 1


def test_nobody_joins_under_terms_that_their_page_did_not_show(operator):
    path = make_link()
    operator.post("/operator/recruiting/terms/", {"text": "Be kind."})
    answer = sign_up(path, agrees="on")  # opened before there were any
    page = answer.content.decode()
    assert (answer.status_code, "have changed since" in page, "Be kind." in page) == (400, True, True)
    assert Invitation.objects.get().places_taken == 0
    assert sign_up(path, agrees="on", **shown_terms(page)).status_code == 302
    assert Consent.objects.get().terms.text == "Be kind."


def test_an_operator_makes_links_on_one_page_and_sees_who_came(operator, requester):
    page = "/operator/recruiting/invitations/new/"
    values = {"note": "The <lab>", "links": 10, "places": 1, "approved": "1000", "country": "de"}
    made = operator.post(page, values)
    links = made.content.decode().split("data-links>")[1].split("</code>")[0].split()
    assert len(set(links)) == 10
    sign_up(links[3].removeprefix("http://127.0.0.1:8001"))
    overview = operator.get("/operator/recruiting/").content.decode()
    assert (overview.count("0 of 1"), overview.count("1 of 1")) == (9, 1)
    assert "The &lt;lab&gt;" in overview
    assert all(f"<code>{link[-5:]}</code>" in overview for link in links)
    assert overview.index("1 of 1") > overview.rindex("0 of 1"), "unused ones first"
    assert f">{WorkerProfile.objects.get().user.username}</a>" in overview
    assert "9 invitations have not been used yet." in operator.get("/operator/").content.decode()
    assert OperatorAction.objects.get(action="recruit").detail == "10 invitations with 1 place each"
    assert QualificationGrant.objects.filter(country="DE").count() == 1
    assert OperatorAction.objects.get(action="recruit").reason == "The <lab>"


@pytest.mark.parametrize(
    "changes",
    [
        {"links": "0"},
        {"links": "201"},
        {"places": "-1"},
        {"places": "10001"},
        {"places": "many"},
        {"percent": "101"},
        {"approved": str(2**31)},
        {"country": "d1"},
        {"last_day": "2020-01-01"},
        {"last_day": "9999-12-31"},
        {"last_day": "soon"},
        {"qualification_type": "99999999"},
        {"note": ""},
        {"note": "\0"},
    ],
)
def test_nonsense_makes_no_links(operator, changes):
    values = {"note": "Lab", "links": "1", "places": "1"}
    answer = operator.post("/operator/recruiting/invitations/new/", values | changes)
    assert (answer.status_code, Invitation.objects.exists()) == (400, False)
    assert 'role="alert"' in answer.content.decode()
    assert operator.post("/operator/recruiting/invitations/new/", values).status_code == 200
    assert Invitation.objects.count() == 1


def test_the_command_prints_links_that_work(capsys):
    call_command("create_invitation", "--count", "2", "--places", "5", "--days", "7", "--note", "Lab", "--json")
    links = json.loads(capsys.readouterr().out)
    assert len(links) == 2
    assert sign_up(links[1].removeprefix("http://127.0.0.1:8001")).status_code == 302
    assert set(Invitation.objects.values_list("note", "places", "places_taken")) == {("Lab", 5, 0), ("Lab", 5, 1)}


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--count=0", "From 1 to 200 links"),
        ("--places=0", "from 1 to 10000 places"),
        ("--days=0", "--days must be"),
        ("--standing=karma=3", "no karma"),
        ("--qualification=NONE", "qualification type"),
    ],
)
def test_the_command_makes_no_link_out_of_nonsense(option, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("create_invitation", option)
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    "path", ["/operator/recruiting/", "/operator/recruiting/invitations/new/", "/operator/recruiting/terms/"]
)
def test_operators_alone_see_the_pages_about_doors(path, operator, worker):
    assert operator.get(path).status_code == 200
    assert worker.client.get(path).status_code == 404
    assert Client().get(path).url == f"/signin/?next={path}"


def test_every_address_about_doors_in_the_operators_area_asks_for_an_operator():
    from marketplace.recruiting.urls import operator_patterns

    views = {str(route.pattern): route.callback for route in operator_patterns}
    assert "terms/" in views
    assert [address for address, view in views.items() if not getattr(view, "is_for_operators", False)] == []
