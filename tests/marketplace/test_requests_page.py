"""Requests for qualifications, granted and declined on the requester's pages."""

import pytest

from marketplace.models import QualificationRequest

from .test_inbox import requester_client
from .test_operator import page
from .test_qualifications import own_type


@pytest.fixture
def asked(requester, worker) -> QualificationRequest:
    worker.client.post(f"/qualifications/{own_type(requester)}/ask")
    return QualificationRequest.objects.get()


def test_a_request_is_granted_with_a_value(requester, worker, asked):
    browser = requester_client(requester)
    shown = page(browser, "/requester/requests/")
    assert worker.worker_id in shown
    assert worker.profile.user.username not in shown
    place = f"/requester/requests/{asked.request_id}/"
    browser.post(place, {"decision": "grant", "value": "many"})
    assert "The value is a whole number." in page(browser, "/requester/requests/")
    browser.post(place, {"decision": "grant", "value": "7"})
    score = requester.mturk.get_qualification_score(
        QualificationTypeId=asked.qualification_type.type_id, WorkerId=worker.worker_id
    )
    assert score["Qualification"]["IntegerValue"] == 7
    assert "decided already" in browser.post(place, {"decision": "grant", "value": "8"}, follow=True).content.decode()
    assert "wait here for your word" in page(browser, "/requester/requests/")


def test_a_request_is_declined_with_a_reason_that_the_worker_reads(requester, worker, asked):
    browser = requester_client(requester)
    place = f"/requester/requests/{asked.request_id}/"
    browser.post(place, {"decision": "decline", "reason": ""})
    assert QualificationRequest.objects.get().status == "submitted"
    browser.post(place, {"decision": "decline", "reason": "Not now"})
    assert "Not now" in page(worker.client, f"/qualifications/{asked.qualification_type.type_id}/")


def test_others_requests_are_not_there(new_requester, asked):
    other = requester_client(new_requester())
    assert asked.request_id not in page(other, "/requester/requests/")
    place = f"/requester/requests/{asked.request_id}/"
    assert other.post(place, {"decision": "grant", "value": "1"}).status_code == 404
    assert QualificationRequest.objects.get().status == "submitted"
