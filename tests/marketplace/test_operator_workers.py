"""What an operator sees of workers and does to them."""

import html

import pytest
from django.test import Client

from marketplace import clock
from marketplace.models import Assignment, OperatorAction, User
from marketplace.services import accounts

from .conftest import id_in, submit
from .test_operator import page

pytestmark = pytest.mark.slow

RULES = [{"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThan", "IntegerValues": [100]}]


def address(worker, step: str = "") -> str:
    return f"/operator/workers/{worker.worker_id}/{step}"


def do(operator, worker, step: str, **values) -> str:
    """Carry a step out; the page that follows."""
    answer = operator.post(address(worker, step), values)
    assert (answer.status_code, answer.url) == (302, address(worker)), answer.content.decode()
    return page(operator, answer.url)


def refused(operator, worker, step: str, **values) -> str:
    """The page that says why a step cannot be carried out."""
    before = OperatorAction.objects.count()
    answer = operator.post(address(worker, step), values)
    assert answer.status_code == 400
    assert OperatorAction.objects.count() == before
    return html.unescape(answer.content.decode())


def test_workers_are_found_by_id_and_name(operator, new_worker):
    ada, bea = new_worker(), new_worker()
    User.objects.filter(pk=ada.profile.user_id).update(username="Ada.Lovelace")
    for search in ("lovelace", ada.worker_id, ada.worker_id[:8].lower()):
        found = page(operator, f"/operator/workers/?q={search}")
        assert ada.worker_id in found
        assert bea.worker_id not in found
    assert "No worker is like that." in page(operator, "/operator/workers/?q=%00nobody%00")
    everybody = page(operator, "/operator/workers/?before=x&state=%00")
    assert ada.worker_id in everybody
    assert bea.worker_id in everybody


def test_workers_come_in_pages(operator):
    for number in range(51):
        accounts.create_worker(f"many-{number}", clock.now())
    first = page(operator, "/operator/workers/?q=many")
    assert first.count("data-worker-id") == 50
    before = first.split("before=")[1].split('"')[0]
    assert page(operator, f"/operator/workers/?q=many&before={before}").count("data-worker-id") == 1


def test_a_worker_who_is_not_there_has_no_page(operator):
    assert operator.get("/operator/workers/ANOBODY/").status_code == 404
    assert operator.post("/operator/workers/ANOBODY/deactivate/", {"reason": "x"}).status_code == 404


def test_the_page_counts_the_workers_history(operator, requester, worker):
    hit_type = requester.hit_type()
    done = worker.do(requester.hit(hit_type))
    requester.mturk.approve_assignment(AssignmentId=done)
    worker.accept(requester.hit(hit_type))
    shown = page(operator, address(worker))
    assert '<dd data-count="approved">1</dd>' in shown
    assert '<dd data-count="in hand">1</dd>' in shown
    assert '<dd data-count="rejected">0</dd>' in shown


def test_a_standing_opens_work_and_taking_it_back_closes_it_again(operator, requester, worker):
    hit = requester.hit(requester.hit_type(QualificationRequirements=RULES), MaxAssignments=9)
    assert worker.try_accept(hit).status_code == 403
    shown = do(operator, worker, "standing/", approved="500", country="us", subdivision="pa", reason="Known to us")
    assert "US-PA" in shown
    worker.do(hit)
    do(operator, worker, "standing/", reason="Left to the history")
    second = requester.hit(requester.hit_type(QualificationRequirements=RULES))
    assert worker.try_accept(second).status_code == 403
    details = list(OperatorAction.objects.order_by("id").values_list("detail", flat=True))
    assert details == [
        "– → approved=500, country=US, subdivision=PA",
        "approved=500, country=US, subdivision=PA → –",
    ]


def test_every_system_value_can_be_set(operator, worker):
    do(operator, worker, "standing/", approved=7, percent=98, country="DE", masters="on", adult="on", reason="Tests")
    shown = page(operator, address(worker))
    assert shown.count("set here") == 5
    do(operator, worker, "standing/", percent=98, reason="Tests")
    assert page(operator, address(worker)).count("set here") == 1


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"percent": "101"}, "less than or equal to 100"),
        ({"approved": "-1"}, "greater than or equal to 0"),
        ({"approved": "9" * 30}, "less than or equal to"),
        ({"country": "U1"}, "country must be two letters"),
        ({"subdivision": "PA"}, "needs a country"),
        ({"country": "U\0"}, "Null characters"),
        ({"reason": ""}, "This field is required"),
        ({"reason": "x" * 501}, "at most 500 characters"),
    ],
)
def test_a_standing_that_makes_no_sense_changes_nothing(operator, worker, wrong, sentence):
    do(operator, worker, "standing/", approved=7, reason="Tests")
    assert sentence in refused(operator, worker, "standing/", **({"approved": 8, "reason": "Why"} | wrong))
    assert page(operator, address(worker)).count("set here") == 1


def test_a_closed_account_is_out_at_once_but_work_in_hand_may_be_submitted_and_is_paid(operator, new_requester, worker):
    requester = new_requester(funds="1.00")
    held = worker.accept(requester.hit())
    assert "closed" in do(operator, worker, "deactivate/", reason="Two accounts")
    assert worker.client.get("/tasks/").url.startswith("/signin/")
    name = worker.profile.user.username
    assert not Client().login(username=name, password="pass word")
    assert submit(id_in(held), q="a").status_code == 200
    requester.mturk.approve_assignment(AssignmentId=id_in(held))
    assert Assignment.objects.get().status == "approved"
    assert worker.worker_id in page(operator, "/operator/workers/?state=closed")
    assert worker.worker_id not in page(operator, "/operator/workers/?state=active")
    do(operator, worker, "reactivate/", reason="A mistake")
    assert Client().login(username=name, password="pass word")
    reasons = list(OperatorAction.objects.order_by("id").values_list("action", "reason"))
    assert reasons == [("deactivate_worker", "Two accounts"), ("reactivate_worker", "A mistake")]


def test_closing_needs_a_reason_and_an_open_account(operator, worker):
    assert "This field is required" in refused(operator, worker, "deactivate/")
    assert "open already" in refused(operator, worker, "reactivate/", reason="x")
    do(operator, worker, "deactivate/", reason="x")
    assert "closed already" in refused(operator, worker, "deactivate/", reason="x")


def test_an_operator_cannot_lock_an_operator_out(operator, worker):
    User.objects.filter(pk=worker.profile.user_id).update(is_operator=True)
    assert "also runs the marketplace" in refused(operator, worker, "deactivate/", reason="x")
    User.objects.filter(pk=worker.profile.user_id).update(is_operator=False)
    do(operator, worker, "deactivate/", reason="x")
