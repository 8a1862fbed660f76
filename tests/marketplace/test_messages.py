"""A requester writes to workers."""

import pytest

from marketplace import clock
from marketplace.models import HITType, Message, RequesterProfile
from marketplace.services import messages

from .conftest import id_in

LETTER = {"Subject": "A second round", "MessageText": "There is more to do."}


def test_workers_whose_work_was_decided_get_the_message_once(requester, new_worker):
    hit = requester.hit(MaxAssignments=2)
    approved, rejected = new_worker(), new_worker()
    requester.mturk.approve_assignment(AssignmentId=approved.do(hit))
    requester.mturk.reject_assignment(AssignmentId=rejected.do(hit), RequesterFeedback="No")
    ids = [approved.worker_id, rejected.worker_id, approved.worker_id]
    answer = requester.mturk.notify_workers(WorkerIds=ids, **LETTER)
    assert answer["NotifyWorkersFailureStatuses"] == []
    sent = Message.objects.order_by("id").values_list("worker__worker_id", "direction", "subject", "text", "read_at")
    letter = ("to_worker", LETTER["Subject"], LETTER["MessageText"], None)
    assert list(sent) == [(approved.worker_id, *letter), (rejected.worker_id, *letter)]


def test_strangers_are_named_and_the_others_get_it_all_the_same(requester, new_requester, new_worker):
    hit = requester.hit(MaxAssignments=3)
    known, waiting, holding, of_another = (new_worker() for _ in range(4))
    requester.mturk.approve_assignment(AssignmentId=known.do(hit))
    waiting.do(hit)
    id_in(holding.accept(hit))
    other = new_requester()
    other.mturk.approve_assignment(AssignmentId=of_another.do(other.hit()))
    strangers = [waiting.worker_id, holding.worker_id, of_another.worker_id, "ANOBODY"]
    answer = requester.mturk.notify_workers(WorkerIds=[*strangers, known.worker_id], **LETTER)
    failures = answer["NotifyWorkersFailureStatuses"]
    assert [failure["WorkerId"] for failure in failures] == strangers
    assert {failure["NotifyWorkersFailureCode"] for failure in failures} == {"HardFailure"}
    assert Message.objects.get().worker.worker_id == known.worker_id


def test_a_worker_writes_to_a_requester_about_a_hit_type(requester, worker):
    requester.hit()
    profile = RequesterProfile.objects.get(customer_id=requester.customer_id)
    hit_type = HITType.objects.get()
    sent = messages.send_to_requester(worker.profile, profile, "A typo", "On line 2.", clock.now(), hit_type=hit_type)
    assert (sent.direction, sent.hit_type, sent.read_at) == ("to_requester", hit_type, None)
    with pytest.raises(ValueError, match="subject has 1 to 200 characters"):
        messages.send_to_requester(worker.profile, profile, " ", "On line 2.", clock.now())
