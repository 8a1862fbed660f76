"""HIT types and HITs: what they say, their states and counters."""

from datetime import timedelta

import pytest

from .conftest import PAGE, external_question, message, turk_code
from .driver import id_of
from .facts import DOCS, INFERRED, LEGACY, MODEL, OURS, SEEN, cites

pytestmark = pytest.mark.slow

FACTS = "HIT and assignment lifecycle: HIT states, counters, HIT types and grouping"


@cites("HIT data structure", "clients read counters, review status and requirements without asking", SEEN)
@cites("HIT data structure", "ids are 30 characters that begin with a 3", SEEN)
@cites("CreateHIT", "MaxAssignments is 1 and AutoApprovalDelayInSeconds 30 days where not given", LEGACY)
def test_a_new_hit_says_everything(requester):
    hit = requester.hit(RequesterAnnotation="batch 7")
    assert hit["HITStatus"] == "Assignable"
    assert hit["HITReviewStatus"] == "NotReviewed"
    assert hit["QualificationRequirements"] == []
    assert (hit["MaxAssignments"], hit["AutoApprovalDelayInSeconds"]) == (1, 2592000)
    assert hit["Question"] == external_question(PAGE)
    assert hit["RequesterAnnotation"] == "batch 7"
    assert hit["Expiration"] - hit["CreationTime"] == timedelta(hours=1)
    assert (len(hit["HITId"]), hit["HITId"][0]) == (30, "3")
    assert "Keywords" not in hit
    assert "LifetimeInSeconds" not in hit
    assert requester.see(hit) == hit


@cites("CreateHITType", "equal values give the same HIT type", DOCS)
def test_equal_values_are_one_hit_type_and_others_another(requester):
    values = {"Title": "Same", "Reward": "0.10"}
    first = requester.hit_type(**values)
    assert requester.hit_type(**values) == first
    assert requester.hit_type(**values | {"Reward": "0.1"}) == first
    for change in (
        {"Reward": "0.11"},
        {"Keywords": "new"},
        {"Description": "Other"},
        {"AssignmentDurationInSeconds": 601},
        {"AutoApprovalDelayInSeconds": 60},
    ):
        assert requester.hit_type(**values | change) != first


@cites("CreateHIT", "CreateHIT makes or finds the HIT type; HITs of one type are one group", DOCS)
def test_create_hit_makes_or_finds_the_hit_type(requester):
    values = {"Title": "Same", "Description": "D", "Reward": "0.10", "AssignmentDurationInSeconds": 60}
    hits = []
    for _ in range(2):
        made = requester.mturk.create_hit(**values, LifetimeInSeconds=60, Question=external_question())["HIT"]
        requester.made.append(made["HITId"])
        hits.append(made)
    assert hits[0]["HITId"] != hits[1]["HITId"]
    assert hits[0]["HITTypeId"] == hits[1]["HITTypeId"] == requester.mturk.create_hit_type(**values)["HITTypeId"]
    assert hits[0]["HITGroupId"] == hits[1]["HITGroupId"]


@cites("HIT data structure", "the developer guide's example of five assignments", DOCS)
def test_the_documented_example_of_counters(requester, new_worker):
    hit = requester.hit(MaxAssignments=5)
    workers = [new_worker() for _ in range(6)]
    assert requester.counters(hit) == ("Assignable", 5, 0, 0)
    held = [worker.accept(hit) for worker in workers[:3]]
    assert requester.counters(hit) == ("Assignable", 2, 3, 0)
    held += [worker.accept(hit) for worker in workers[3:5]]
    assert requester.counters(hit) == ("Unassignable", 0, 5, 0)
    for worker, own in zip(workers[:2], held, strict=False):
        worker.submit(own)
    assert requester.counters(hit) == ("Unassignable", 0, 3, 0)
    workers[2].give_back(held[2])
    assert requester.counters(hit) == ("Assignable", 1, 2, 0)
    workers[5].do(hit)
    for worker, own in zip(workers[3:5], held[3:], strict=True):
        worker.submit(own)
    assert requester.counters(hit) == ("Reviewable", 0, 0, 0)
    for assignment in requester.submitted(hit):
        requester.mturk.approve_assignment(AssignmentId=assignment["AssignmentId"])
    assert requester.counters(hit) == ("Reviewable", 0, 0, 5)


@cites("HIT data structure", "Pending counts what workers accepted; a preview is not counted", INFERRED)
def test_a_preview_takes_no_place(requester, worker):
    hit = requester.hit()
    assert worker.previews(hit)
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)


@cites("RejectAssignment", "a rejection opens no place; Completed counts approved and rejected alike", MODEL)
def test_a_rejection_opens_no_place(requester, new_worker):
    hit = requester.hit(MaxAssignments=2)
    rejected, approved = new_worker().do(hit), new_worker().do(hit)
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="No")
    requester.mturk.approve_assignment(AssignmentId=approved)
    assert requester.counters(hit) == ("Reviewable", 0, 0, 2)
    requester.mturk.approve_assignment(AssignmentId=rejected, OverrideRejection=True)
    assert requester.counters(hit) == ("Reviewable", 0, 0, 2)


@cites("DeleteHIT", "only Reviewable and Reviewing HITs with every submission decided", DOCS)
@cites("DeleteHIT", "This HIT is currently in the state '...'", SEEN)
@cites("DeleteHIT", "after disposal GetHIT, ListAssignmentsForHIT and GetAssignment no longer work", DOCS)
def test_only_finished_and_decided_hits_are_deleted(requester, new_worker):
    hit = requester.hit(MaxAssignments=2)
    delete = {"HITId": hit["HITId"]}

    def is_refused_as(state: str) -> None:
        refusal = requester.refusal("delete_hit", **delete)
        assert turk_code(refusal) == "InvalidHITState"
        assert f"This HIT is currently in the state '{state}'" in message(refusal)
        assert "This operation can be called with a status of: Reviewing, Reviewable" in message(refusal)

    is_refused_as("Assignable")
    first, other = new_worker().do(hit), new_worker()
    held = other.accept(hit)
    is_refused_as("Unassignable")
    other.submit(held)
    assert requester.refused("delete_hit", **delete) == "InvalidHITState"
    requester.mturk.approve_assignment(AssignmentId=first)
    requester.mturk.reject_assignment(AssignmentId=id_of(held), RequesterFeedback="No")
    requester.mturk.delete_hit(**delete)
    is_refused_as("Disposed")
    assert requester.refused("get_hit", **delete) == "HITDoesNotExist"
    assert requester.refused("list_assignments_for_hit", **delete) == "HITDoesNotExist"
    assert requester.refused("get_assignment", AssignmentId=first) == "AssignmentDoesNotExist"
    override = {"AssignmentId": id_of(held), "OverrideRejection": True}
    assert requester.refused("approve_assignment", **override) == "AssignmentDoesNotExist"
    assert hit["HITId"] not in [row["HITId"] for row in requester.mturk.list_hits(MaxResults=100)["HITs"]]


@cites("DeleteHIT", "a Reviewing HIT can be deleted", SEEN)
def test_a_reviewing_hit_is_deleted(requester):
    hit = requester.hit()
    requester.expire(hit)
    requester.mturk.update_hit_review_status(HITId=hit["HITId"])
    requester.mturk.delete_hit(HITId=hit["HITId"])
    assert requester.refused("get_hit", HITId=hit["HITId"]) == "HITDoesNotExist"


@cites("UpdateHITReviewStatus", "Reviewable to Reviewing, and back with Revert; no other move", MODEL)
def test_a_hit_is_marked_reviewing_and_back(requester):
    hit = requester.hit()
    mark = {"HITId": hit["HITId"]}
    assert requester.refused("update_hit_review_status", **mark) == "InvalidHITState"
    requester.expire(hit)
    assert requester.refused("update_hit_review_status", **mark, Revert=True) == "InvalidHITState"
    requester.mturk.update_hit_review_status(**mark)
    assert requester.counters(hit)[0] == "Reviewing"
    assert requester.refused("update_hit_review_status", **mark) == "InvalidHITState"

    def listed(**which):
        found = requester.mturk.list_reviewable_hits(MaxResults=100, HITTypeId=hit["HITTypeId"], **which)
        return [row["HITId"] for row in found["HITs"]]

    assert (listed(), listed(Status="Reviewing")) == ([], [hit["HITId"]])
    requester.mturk.update_hit_review_status(**mark, Revert=True)
    assert requester.counters(hit)[0] == "Reviewable"
    assert listed() == [hit["HITId"]]


@cites("CreateAdditionalAssignmentsForHIT", "a HIT that is Reviewing cannot grow", OURS)
def test_a_reviewing_hit_cannot_grow(requester):
    hit = requester.hit()
    requester.expire(hit)
    requester.mturk.update_hit_review_status(HITId=hit["HITId"])
    more = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": 1}
    assert requester.refused("create_additional_assignments_for_hit", **more) == "InvalidHITState"


@cites("ListReviewableHITs", "those whose assignments are all submitted, or that expired with none in hand", DOCS)
def test_reviewable_hits_have_nothing_open_and_nothing_in_hand(requester, worker, new_worker):
    done, held, partly, expired = (requester.hit(MaxAssignments=number) for number in (1, 1, 2, 1))
    worker.do(done)
    worker.accept(held)
    new_worker().do(partly)
    requester.expire(expired)
    listed = {row["HITId"] for row in requester.mturk.list_reviewable_hits(MaxResults=100)["HITs"]}
    assert {done["HITId"], expired["HITId"]} <= listed
    assert not {held["HITId"], partly["HITId"]} & listed
    of_type = requester.mturk.list_reviewable_hits(HITTypeId=done["HITTypeId"])["HITs"]
    assert [row["HITId"] for row in of_type] == [done["HITId"]]
    assert requester.counters(held)[0] == "Unassignable"


@pytest.mark.parametrize(
    ("start", "more", "is_allowed"), [(1, 8, True), (1, 9, False), (9, 1, False), (10, 1, True), (10, 500, True)]
)
@cites("CreateAdditionalAssignmentsForHIT", "a HIT of fewer than 10 assignments stays below 10", MODEL)
def test_a_hit_of_fewer_than_10_stays_below_10(requester, start, more, is_allowed):
    hit = requester.hit(MaxAssignments=start)
    call = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": more}
    if is_allowed:
        requester.mturk.create_additional_assignments_for_hit(**call)
        assert requester.counters(hit)[1] == start + more
    else:
        code = requester.refused("create_additional_assignments_for_hit", **call)
        assert code == "InvalidMaximumAssignmentsIncrease"
        assert requester.see(hit)["MaxAssignments"] == start


@cites("CreateAdditionalAssignmentsForHIT", "places are added to an unexpired HIT, which is Assignable again", INFERRED)
def test_added_assignments_make_a_reviewable_hit_assignable(requester, worker):
    hit = requester.hit()
    worker.do(hit)
    more = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": 2}
    requester.mturk.create_additional_assignments_for_hit(**more)
    assert requester.counters(hit) == ("Assignable", 2, 0, 0)
    assert requester.see(hit)["MaxAssignments"] == 3


@cites("CreateAdditionalAssignmentsForHIT", "an expired HIT gets its added places when it is extended", OURS)
def test_an_expired_hit_gets_added_places_when_it_is_extended(requester):
    hit = requester.hit()
    requester.expire(hit)
    more = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": 2}
    requester.mturk.create_additional_assignments_for_hit(**more)
    assert requester.counters(hit) == ("Reviewable", 0, 0, 0)
    requester.expire(hit, hit["Expiration"] + timedelta(hours=1))
    assert requester.counters(hit) == ("Assignable", 3, 0, 0)


@cites("UpdateHITTypeOfHIT", "the HIT takes on the properties of the new type", MODEL)
@cites("UpdateHITTypeOfHIT", "refused once an assignment was accepted", DOCS)
def test_a_hits_type_changes_until_somebody_accepts_it(requester, worker):
    hit, dearer = requester.hit(), requester.hit_type(Reward="1.00", Title="Better paid")
    change = {"HITId": hit["HITId"], "HITTypeId": dearer}
    requester.mturk.update_hit_type_of_hit(**change)
    seen = requester.see(hit)
    assert (seen["HITTypeId"], seen["Title"], seen["Reward"]) == (dearer, "Better paid", "1.00")
    worker.accept(seen)
    back = change | {"HITTypeId": hit["HITTypeId"]}
    assert requester.refused("update_hit_type_of_hit", **back) == "InvalidHITState"


@cites("UpdateHITTypeOfHIT", "a HIT that was accepted and returned counts as accepted", OURS)
def test_a_returned_hit_keeps_its_type(requester, worker):
    hit, other = requester.hit(), requester.hit_type()
    worker.give_back(worker.accept(hit))
    change = {"HITId": hit["HITId"], "HITTypeId": other}
    assert requester.refused("update_hit_type_of_hit", **change) == "InvalidHITState"


@cites("DeleteHIT", "HITs are disposed 120 days on; that they count from the expiry is our choice", INFERRED)
def test_a_finished_hit_is_there_for_120_days(requester, pass_time):
    hit = requester.hit(LifetimeInSeconds=60)
    pass_time(119 * 86400)
    assert requester.see(hit)["HITStatus"] == "Reviewable"
