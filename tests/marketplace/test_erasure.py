"""Erasing what is known of a person, while their work and its amounts stay."""

from decimal import Decimal

from django.test import Client

from marketplace.models import Assignment, Message, OperatorAction, PaymentDetails, Rating, Report, User, WorkerProfile
from marketplace.services import payouts

from .test_operator import page
from .test_operator_workers import address, do, refused
from .test_payouts import earn


def erase(operator, worker) -> str:
    return do(operator, worker, "erase/", worker_id=worker.worker_id.lower(), reason="Asked for by mail")


def test_personal_data_goes_and_work_and_amounts_stay(operator, new_requester, worker):
    requester = new_requester(funds="10.00")
    user = worker.profile.user
    User.objects.filter(pk=user.pk).update(email="ada@example.org")
    worker.client.post("/account/payment/", {"payee_name": "Ada Lovelace", "note": "IBAN DE00"})
    done = earn(requester, worker)
    assert "Pay it first" in page(operator, address(worker))
    shown = erase(operator, worker)
    assert "erased" in shown
    for word in (user.username, "ada@example.org", "Ada Lovelace", "IBAN"):
        assert word not in shown
        assert word not in page(operator, "/operator/payments/")
    assert not PaymentDetails.objects.exists()
    assert worker.client.get("/tasks/").url.startswith("/signin/")
    assert not Client().login(username=user.username, password="pass word")
    assert Assignment.objects.get(assignment_id=done).status == "approved"
    assert payouts.of_worker(worker.profile).due_usd == Decimal("1.50")
    assert requester.mturk.get_assignment(AssignmentId=done)["Assignment"]["WorkerId"] == worker.worker_id
    row = OperatorAction.objects.get(action="erase_worker")
    assert (row.worker, row.reason) == (worker.profile, "Asked for by mail")
    assert user.username not in row.detail


def test_what_they_wrote_goes_and_that_they_wrote_stays(operator, new_requester, worker):
    requester = new_requester(funds="10.00")
    hit = requester.hit()
    done = worker.do(hit)
    words = {"subject": "From Ada", "text": "My number is 555"}
    worker.client.post(f"/messages/{requester.customer_id}/", words)
    worker.client.post(f"/projects/{hit['HITGroupId']}/report", {"kind": "other", "text": "Ask Ada, 555"})
    worker.client.post(f"/tasks/{done}/rate", {"pay": 4, "clarity": 4, "comment": "Ada, 555"})
    erase(operator, worker)
    message, report, rating = Message.objects.get(), Report.objects.get(), Rating.objects.get()
    assert (message.subject, message.text, report.text, rating.comment) == ("(erased)", "(erased)", "(erased)", "")
    assert (message.worker, report.kind, rating.pay) == (worker.profile, "other", 4)


def test_the_user_name_is_free_for_somebody_else(operator, worker):
    name = worker.profile.user.username
    erase(operator, worker)
    User.objects.create_user(name, "pass word")


def test_erasing_takes_the_id_typed_and_a_reason(operator, worker, new_worker):
    other = new_worker()
    assert "not the id of the worker" in refused(operator, worker, "erase/", worker_id=other.worker_id, reason="x")
    assert "This field is required" in refused(operator, worker, "erase/", worker_id=worker.worker_id)
    assert not WorkerProfile.objects.filter(erased_at__isnull=False).exists()
    erase(operator, worker)
    assert list(WorkerProfile.objects.filter(erased_at__isnull=False)) == [worker.profile]


def test_an_erased_account_is_erased_once_and_never_opened_again(operator, worker):
    erase(operator, worker)
    again = refused(operator, worker, "erase/", worker_id=worker.worker_id, reason="x")
    assert "erased already" in again
    assert "nobody to open it for" in refused(operator, worker, "reactivate/", reason="x")
    assert "Open the account again" not in page(operator, address(worker))


def test_an_operators_own_login_is_not_erased(operator, worker):
    User.objects.filter(pk=worker.profile.user_id).update(is_operator=True)
    sentence = refused(operator, worker, "erase/", worker_id=worker.worker_id, reason="x")
    assert "also runs the marketplace" in sentence
