"""Blocking workers, and writing to them."""

import pytest

from .conftest import message, turk_code
from .facts import INFERRED, MODEL, OURS, SEEN, cites

FACTS = "Qualifications: blocks; operations; limits"
LETTER = {"Subject": "A second round", "MessageText": "There is more to do."}


def blocks(requester) -> dict[str, str]:
    pages = requester.mturk.get_paginator("list_worker_blocks").paginate(MaxResults=2)
    return {row["WorkerId"]: row["Reason"] for page in pages for row in page["WorkerBlocks"]}


@cites("CreateWorkerBlock", "a blocked worker works on none of the requester's HITs", MODEL)
@cites("CreateWorkerBlock", "they neither find nor preview them either", OURS)
def test_a_blocked_worker_finds_previews_and_accepts_nothing(requester, new_worker):
    hit, blocked, other = requester.hit(), new_worker(), new_worker()
    assert blocked.finds(hit)
    assert blocked.previews(hit)
    requester.block(blocked)
    assert not blocked.finds(hit)
    assert not blocked.previews(hit)
    assert blocked.try_accept(hit) is None
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)
    other.do(hit)


@cites("CreateWorkerBlock", "what they hold they may still submit", OURS)
def test_what_a_blocked_worker_holds_they_may_still_submit(requester, worker):
    hit = requester.hit()
    held = worker.accept(hit)
    requester.block(worker)
    assert worker.submit(held)
    assert requester.counters(hit) == ("Reviewable", 0, 0, 0)


@cites("CreateWorkerBlock", "a block is of one requester", MODEL)
def test_other_requesters_hits_stay_open(requester, stranger, worker):
    requester.block(worker)
    assert worker.try_accept(stranger.hit())


@cites("DeleteWorkerBlock", "a block is taken back; for a worker who is not blocked it succeeds too", MODEL)
@cites("CreateWorkerBlock", "blocking again replaces the reason", OURS)
def test_blocks_are_listed_and_taken_back(requester, new_worker):
    workers = [new_worker() for _ in range(3)]
    for number, worker in enumerate(workers):
        requester.block(worker, f"Reason {number}")
    requester.block(workers[0], "Another reason")
    listed = blocks(requester)
    assert [listed[worker.worker_id] for worker in workers] == ["Another reason", "Reason 1", "Reason 2"]
    for _ in range(2):
        requester.mturk.delete_worker_block(WorkerId=workers[0].worker_id, Reason="Explained.")
    assert workers[0].worker_id not in blocks(requester)
    assert workers[1].worker_id in blocks(requester)
    assert workers[0].try_accept(requester.hit())


@pytest.mark.parametrize("operation", ["create_worker_block", "delete_worker_block"])
@cites("DeleteWorkerBlock", "WorkerId is invalid.", MODEL)
@cites("RequestError", "the code is InvalidParameterValue", INFERRED)
def test_a_block_is_of_somebody(requester, operation):
    refusal = requester.refusal(operation, WorkerId="ANOBODY", Reason="x")
    assert turk_code(refusal) == "InvalidParameterValue"
    assert "WorkerId is invalid." in message(refusal)


@pytest.mark.parametrize("reason", [" ", "r" * 1025, "a\x02"], ids=["blank", "1025", "control"])
@cites("CreateWorkerBlock", "a reason of 1 to 1024 characters without control characters", OURS)
def test_a_block_has_a_reason(requester, worker, reason):
    call = {"WorkerId": worker.worker_id, "Reason": reason}
    assert requester.refused("create_worker_block", **call) == "InvalidParameterValue"
    requester.block(worker, "r" * 1024)


@cites("NotifyWorkers", "only workers whose work the caller has approved or rejected are written to", MODEL)
@cites("NotifyWorkers", "the others are failures, one each, and do not hold up the rest", MODEL)
@cites("NotifyWorkers", "their code is HardFailure, of strangers and of nobody alike", OURS)
def test_workers_whose_work_was_decided_are_written_to(requester, new_worker):
    hit = requester.hit(MaxAssignments=3)
    approved, rejected, waiting = (new_worker() for _ in range(3))
    requester.mturk.approve_assignment(AssignmentId=approved.do(hit))
    requester.mturk.reject_assignment(AssignmentId=rejected.do(hit), RequesterFeedback="No")
    waiting.do(hit)
    known = [approved.worker_id, rejected.worker_id]
    answer = requester.mturk.notify_workers(WorkerIds=known, **LETTER)
    assert answer["NotifyWorkersFailureStatuses"] == []
    strangers = [waiting.worker_id, "ANOBODY"]
    failures = requester.mturk.notify_workers(WorkerIds=[*strangers, *known], **LETTER)["NotifyWorkersFailureStatuses"]
    assert [failure["WorkerId"] for failure in failures] == strangers
    assert {failure["NotifyWorkersFailureCode"] for failure in failures} == {"HardFailure"}
    assert all(failure["NotifyWorkersFailureMessage"] for failure in failures)


@cites("HIT data structure", "workers see title, reward, requester; a requester learns a worker's id alone", SEEN)
def test_an_assignment_names_its_worker_by_id_alone(requester, worker):
    requester_sees = requester.mturk.get_assignment(AssignmentId=worker.do(requester.hit()))["Assignment"]
    assert requester_sees["WorkerId"] == worker.worker_id
    assert requester_sees["WorkerId"].startswith("A")
