"""A requester's own notes on workers: qualifications granted without a word are not shown to those who hold them."""

import pytest

from marketplace.models import QualificationType
from marketplace.recruiting.forms import InvitationForm

from .test_operator import page

NAME = "demo held 1930f7b1ac96"


@pytest.fixture
def note(requester, worker) -> str:
    """A type that the worker was granted silently."""
    made = requester.mturk.create_qualification_type(Name=NAME, Description="D", QualificationTypeStatus="Active")
    type_id = made["QualificationType"]["QualificationTypeId"]
    grant(requester, worker, type_id, SendNotification=False)
    return type_id


def grant(requester, worker, type_id, **values):
    requester.mturk.associate_qualification_with_worker(
        QualificationTypeId=type_id, WorkerId=worker.worker_id, IntegerValue=1, **values
    )


def test_a_silent_grant_is_shown_nowhere(requester, worker, note):
    hit_type = requester.hit_type(
        QualificationRequirements=[{"QualificationTypeId": note, "Comparator": "DoesNotExist"}]
    )
    hit = requester.hit(hit_type)
    for path in ("/qualifications/", "/qualifications/?q=held", "/projects/", f"/projects/{hit['HITGroupId']}/tasks"):
        assert NAME not in page(worker.client, path)
    assert worker.client.get(f"/qualifications/{note}/").status_code == 404
    refused = worker.try_accept(hit)
    assert refused.status_code == 403
    assert NAME not in refused.content.decode()
    assert "which they keep to themselves" in refused.content.decode()


def test_one_with_a_notification_is_shown_and_stays_so(requester, worker, note):
    grant(requester, worker, note)
    grant(requester, worker, note, SendNotification=False)
    assert NAME in page(worker.client, "/qualifications/")
    assert NAME in page(worker.client, f"/qualifications/{note}/")


def test_what_a_worker_can_get_by_themselves_is_shown_however_it_was_granted(requester, worker, note):
    QualificationType.objects.filter(type_id=note).update(auto_granted=True, auto_granted_value=1)
    assert NAME in page(worker.client, "/qualifications/")


def test_a_revocation_with_a_reason_tells_them(requester, worker, note):
    requester.mturk.disassociate_qualification_from_worker(
        QualificationTypeId=note, WorkerId=worker.worker_id, Reason="Over"
    )
    assert NAME in page(worker.client, "/qualifications/")


def test_operators_are_not_offered_a_note_to_give_to_newcomers(requester, worker, note):
    assert NAME not in str(InvitationForm()["qualification_type"])
    grant(requester, worker, note)
    assert NAME in str(InvitationForm()["qualification_type"])
