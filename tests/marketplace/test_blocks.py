"""Workers whom a requester has blocked."""

import pytest

from .conftest import id_in, submit, turk_code


def block(requester, worker, reason="Pasted text."):
    requester.mturk.create_worker_block(WorkerId=worker.worker_id, Reason=reason)


def preview(worker, hit):
    return worker.client.get(f"/projects/{hit['HITGroupId']}/tasks")


def test_a_blocked_worker_finds_previews_and_accepts_nothing_of_the_requester(
    requester, new_requester, worker, new_worker
):
    hit, elsewhere = requester.hit(), new_requester().hit()
    assert worker.groups() == [elsewhere["HITTypeId"], hit["HITTypeId"]]
    assert preview(worker, hit).status_code == 200
    block(requester, worker)
    assert worker.groups() == [elsewhere["HITTypeId"]]
    assert preview(worker, hit).status_code == 404
    assert worker.try_accept(hit).status_code == 404
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)
    assert preview(worker, elsewhere).status_code == 200
    assert preview(new_worker(), hit).status_code == 200


def test_what_a_blocked_worker_holds_they_may_still_submit(requester, worker):
    hit = requester.hit(MaxAssignments=2)
    address = worker.accept(hit)
    block(requester, worker)
    assert worker.client.get(address).status_code == 200
    assert submit(id_in(address), q1="Who?").status_code == 200
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)


def test_after_a_return_a_blocked_worker_gets_nothing_more(requester, worker):
    hit = requester.hit()
    address = worker.accept(hit)
    block(requester, worker)
    worker.give_back(address)
    assert worker.try_accept(hit).status_code == 404


def test_blocks_can_be_listed_and_taken_back(requester, new_requester, new_worker):
    workers = [new_worker() for _ in range(3)]
    for number, worker in enumerate(workers):
        block(requester, worker, f"Reason {number}")
    block(requester, workers[0], "Another reason")  # only replaces the first
    pages = list(requester.mturk.get_paginator("list_worker_blocks").paginate(MaxResults=2))
    listed = [(row["WorkerId"], row["Reason"]) for page in pages for row in page["WorkerBlocks"]]
    reasons = ["Another reason", "Reason 1", "Reason 2"]
    assert listed == [(worker.worker_id, reason) for worker, reason in zip(workers, reasons, strict=True)]
    assert [page["NumResults"] for page in pages] == [2, 1]
    assert new_requester().mturk.list_worker_blocks()["WorkerBlocks"] == []

    hit = requester.hit()
    requester.mturk.delete_worker_block(WorkerId=workers[0].worker_id, Reason="Explained.")
    requester.mturk.delete_worker_block(WorkerId=workers[0].worker_id)  # not blocked: succeeds
    assert requester.mturk.list_worker_blocks()["NumResults"] == 2
    workers[0].accept(hit)


@pytest.mark.parametrize("operation", ["create_worker_block", "delete_worker_block"])
def test_a_block_is_of_somebody(requester, operation):
    refusal = requester.refusal(operation, WorkerId="ANOBODY", Reason="x")
    assert turk_code(refusal) == "InvalidParameterValue"
    assert "WorkerId is invalid." in refusal.response["Error"]["Message"]


@pytest.mark.parametrize("reason", [" ", "r" * 1025, "a\x02"])
def test_a_block_has_a_reason(requester, worker, reason):
    refusal = requester.refusal("create_worker_block", WorkerId=worker.worker_id, Reason=reason)
    assert turk_code(refusal) == "InvalidParameterValue"
    assert requester.mturk.list_worker_blocks()["WorkerBlocks"] == []
