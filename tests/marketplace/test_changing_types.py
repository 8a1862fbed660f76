"""Giving a HIT another HIT type, finding HITs by what they require, and what is always refused."""

import time

import pytest

from .conftest import turk_code
from .test_money import check_books


def change(requester, hit, type_id):
    requester.mturk.update_hit_type_of_hit(HITId=hit["HITId"], HITTypeId=type_id)


def test_a_hit_takes_on_title_pay_and_rules_of_its_new_type(new_requester, worker):
    requester = new_requester(funds="10.00")
    hit = requester.hit(MaxAssignments=2)
    dearer = requester.hit_type(Reward="1.00", Title="Better paid")
    change(requester, hit, dearer)
    seen = requester.see(hit)
    assert (seen["HITTypeId"], seen["Title"], seen["Reward"]) == (dearer, "Better paid", "1.00")
    assert requester.balance() == ("7.60", "2.40")
    assert worker.groups() == [dearer]
    requester.mturk.approve_assignment(AssignmentId=worker.do(seen))
    assert requester.balance() == ("7.60", "1.20")
    check_books()


def test_a_type_that_cannot_be_paid_changes_nothing(new_requester):
    requester = new_requester(funds="1.00")
    hit = requester.hit()
    dear = {"HITId": hit["HITId"], "HITTypeId": requester.hit_type(Reward="1.00")}
    assert turk_code(requester.refusal("update_hit_type_of_hit", **dear)) == "InsufficientFunds"
    assert requester.see(hit)["HITTypeId"] == hit["HITTypeId"]
    assert requester.balance() == ("0.88", "0.12")
    check_books()


def test_once_a_worker_accepted_it_the_type_stays(requester, worker):
    hit, other = requester.hit(), requester.hit_type()
    worker.give_back(worker.accept(hit))
    refusal = requester.refusal("update_hit_type_of_hit", HITId=hit["HITId"], HITTypeId=other)
    assert turk_code(refusal) == "InvalidHITState"
    change(requester, requester.hit(), other)


def test_hit_and_type_must_be_the_callers_own(requester, new_requester):
    hit, stranger = requester.hit(), new_requester()
    for hit_id, type_id, code in [
        (hit["HITId"], stranger.hit_type(), "HITTypeDoesNotExist"),
        (stranger.hit()["HITId"], hit["HITTypeId"], "HITDoesNotExist"),
        ("3NOTHERE", hit["HITTypeId"], "HITDoesNotExist"),
    ]:
        assert turk_code(requester.refusal("update_hit_type_of_hit", HITId=hit_id, HITTypeId=type_id)) == code
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
    requester.mturk.delete_hit(HITId=hit["HITId"])
    gone = requester.refusal("update_hit_type_of_hit", HITId=hit["HITId"], HITTypeId=requester.hit_type())
    assert turk_code(gone) == "HITDoesNotExist"


def test_hits_are_found_by_the_qualification_that_they_require(requester, new_requester):
    made = requester.mturk.create_qualification_type(
        Name="Reader", Description="Reads.", QualificationTypeStatus="Active"
    )["QualificationType"]["QualificationTypeId"]
    needs = [{"QualificationTypeId": made, "Comparator": "Exists"}]
    hits = [requester.hit(requester.hit_type(QualificationRequirements=needs)) for _ in range(3)]
    requester.hit()
    expired, deleted = hits[0]["HITId"], hits[1]["HITId"]
    for hit_id in (expired, deleted):
        requester.mturk.update_expiration_for_hit(HITId=hit_id, ExpireAt=0)
    requester.mturk.delete_hit(HITId=deleted)
    pages = list(
        requester.mturk.get_paginator("list_hits_for_qualification_type").paginate(
            QualificationTypeId=made, MaxResults=1
        )
    )
    assert [hit["HITId"] for page in pages for hit in page["HITs"]] == [hits[2]["HITId"], expired]
    stranger = new_requester()
    refusal = stranger.refusal("list_hits_for_qualification_type", QualificationTypeId=made)
    assert turk_code(refusal) == "QualificationTypeDoesNotExist"
    system = "00000000000000000040"
    assert stranger.mturk.list_hits_for_qualification_type(QualificationTypeId=system)["HITs"] == []


def test_no_file_is_ever_to_be_fetched(requester, worker):
    assignment_id = worker.do(requester.hit())
    question = {"QuestionIdentifier": "q1"}
    refusal = requester.refusal("get_file_upload_url", AssignmentId=assignment_id, **question)
    assert turk_code(refusal) == "InvalidParameterValue"
    refusal = requester.refusal("get_file_upload_url", AssignmentId="3NOTHERE", **question)
    assert turk_code(refusal) == "AssignmentDoesNotExist"


@pytest.mark.parametrize("strict", [True, False])
def test_a_lifetime_can_be_shortened_unless_the_switch_is_strict(requester, settings, strict):
    settings.MARKETPLACE_STRICT_EXPIRY = strict
    hit = requester.hit(LifetimeInSeconds=7200)
    sooner = {"HITId": hit["HITId"], "ExpireAt": int(time.time()) + 3600}
    if strict:
        assert turk_code(requester.refusal("update_expiration_for_hit", **sooner)) == "InvalidParameterValue"
        assert requester.see(hit)["Expiration"] == hit["Expiration"]
    else:
        requester.mturk.update_expiration_for_hit(**sooner)
        assert requester.see(hit)["Expiration"].timestamp() == sooner["ExpireAt"]
    for when in (sooner["ExpireAt"] + 7200, 0):
        requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=when)
    assert requester.see(hit)["HITStatus"] == "Reviewable"
