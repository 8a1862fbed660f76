"""The operator's area: who gets in, what it shows, and the record of what operators do."""

import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from marketplace import clock
from marketplace.models import Assignment, OperatorAction, User
from marketplace.operator.urls import urlpatterns
from marketplace.services import accounts, operating

PAGES = ["/operator/", "/operator/log/", "/operator/workers/", "/operator/requesters/", "/operator/payments/"]
PAGES += ["/operator/requesters/new/", "/operator/faults/", "/operator/reports/"]


def page(browser: Client, path: str) -> str:
    response = browser.get(path)
    assert response.status_code == 200, (path, response.status_code)
    return response.content.decode()


@pytest.mark.parametrize("path", PAGES)
def test_operators_alone_see_the_area(path, operator, worker):
    page(operator, path)
    assert worker.client.get(path).status_code == 404
    assert Client().get(path).url == f"/signin/?next={path}"


def test_every_address_of_the_area_asks_for_an_operator():
    views = {str(route.pattern): route.callback for route in urlpatterns}
    assert "log/" in views
    open_to_all = [address for address, view in views.items() if not getattr(view, "is_for_operators", False)]
    assert open_to_all == []


def test_an_operator_who_was_dismissed_is_out_at_once(operator):
    page(operator, "/operator/")
    User.objects.update(is_operator=False)
    assert operator.get("/operator/").status_code == 404


def test_operators_arrive_in_their_area_and_workers_at_their_work(worker):
    accounts.create_operator("lena", password="pass word")
    for username, place in (("lena", "/operator/"), (worker.profile.user.username, "/projects/")):
        answer = Client().post("/signin/", {"username": username, "password": "pass word"})
        assert (answer.status_code, answer.url) == (302, place)


def test_an_operator_is_made_with_a_password_that_is_shown_once(capsys):
    call_command("create_operator", "lena", "--json")
    made = json.loads(capsys.readouterr().out)
    assert Client().login(**made)
    call_command("create_operator", "lena", "--json")
    assert json.loads(capsys.readouterr().out) == {"username": "lena", "password": None}
    assert Client().login(**made)
    call_command("create_operator", "Lena", "--password", "chosen")
    assert Client().login(username="lena", password="chosen")
    assert User.objects.filter(is_operator=True).count() == 1


def test_a_worker_can_become_an_operator_and_stays_a_worker(worker, capsys):
    call_command("create_operator", worker.profile.user.username)
    page(worker.client, "/operator/")
    assert "Operator" in page(worker.client, "/projects/")


@pytest.mark.parametrize("name", ["", "  ", "x" * 151])
def test_a_name_that_nobody_can_sign_in_with_makes_no_operator(name):
    with pytest.raises(CommandError, match="1 to 150 characters"):
        call_command("create_operator", name)
    assert not User.objects.exists()


def test_the_overview_counts(operator, requester, worker, new_worker):
    hit = requester.hit(MaxAssignments=5)
    worker.do(hit)
    new_worker().accept(hit)
    Assignment.objects.filter(status="submitted").update(submitted_at=clock.now() - timedelta(days=8))
    counts = {number.label: number.count for number in operating.numbers(clock.now())}
    assert counts["Workers"] == 2
    assert counts["HITs with open places"] == counts["Assignments in hand"] == 1
    assert counts["Undecided for 7 days or more"] == 1
    assert "Assignments in hand" in page(operator, "/operator/")


def test_a_paying_requester_without_funds_is_something_to_do(operator, new_requester):
    new_requester(funds="1.00")
    new_requester()
    assert "Nothing waits for an operator." in page(operator, "/operator/")
    new_requester(sandbox=False)
    assert "1 requester who pays people has nothing left to spend." in page(operator, "/operator/")


def test_the_log_shows_who_did_what_and_why_and_comes_in_pages(operator, worker):
    lena = User.objects.get(username="lena")
    for number in range(51):
        operating.record(
            lena,
            OperatorAction.Action.DEACTIVATE_WORKER,
            clock.now(),
            worker=worker.profile,
            reason=f"Two accounts <{number}>",
        )
    newest = page(operator, "/operator/log/")
    assert "Two accounts &lt;50&gt;" in newest
    assert worker.worker_id in newest
    assert "Two accounts &lt;0&gt;" not in newest
    oldest = page(operator, f"/operator/log/?before={operating.actions(None).next_before}")
    assert "Two accounts &lt;0&gt;" in oldest
    for nonsense in ("x", "-1", "9" * 30, "%00"):
        page(operator, f"/operator/log/?before={nonsense}")


def test_what_an_operator_did_stays_written_down(operator):
    row = operating.record(User.objects.get(), OperatorAction.Action.ADD_FUNDS, clock.now(), detail="$5.00")
    for change in (row.save, row.delete):
        with pytest.raises(TypeError):
            change()
    for statement in ("DELETE FROM marketplace_operatoraction", "UPDATE marketplace_operatoraction SET detail = ''"):
        with pytest.raises(DatabaseError, match="never changed or deleted"), transaction.atomic():
            connection.cursor().execute(statement)
    assert OperatorAction.objects.get().detail == "$5.00"
