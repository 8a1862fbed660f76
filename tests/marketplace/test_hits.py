"""HITs and assignments as a requester sees them: states, counters, and who may change what."""

from datetime import UTC, datetime, timedelta

import pytest

from marketplace.models import HIT, Assignment, Decision, IllegalMove

from .conftest import PAGE, id_in, question, submit, turk_code
from .test_signatures import Signed


def soon(hit: dict, **later) -> datetime:
    return hit["Expiration"] + timedelta(**later)


def test_the_documented_example_of_five_assignments(requester, new_worker):
    """The counters of the developer guide: accept three, all, submit two, return one, submit all, approve."""
    hit = requester.hit(MaxAssignments=5)
    workers = [new_worker() for _ in range(6)]
    assert requester.counters(hit) == ("Assignable", 5, 0, 0)
    held = [worker.accept(hit) for worker in workers[:3]]
    assert requester.counters(hit) == ("Assignable", 2, 3, 0)
    held += [worker.accept(hit) for worker in workers[3:5]]
    assert requester.counters(hit) == ("Unassignable", 0, 5, 0)
    for address in held[:2]:
        submit(id_in(address), q="a")
    assert requester.counters(hit) == ("Unassignable", 0, 3, 0)
    workers[2].give_back(held[2])
    assert requester.counters(hit) == ("Assignable", 1, 2, 0)
    workers[5].do(hit)
    for address in held[3:]:
        submit(id_in(address), q="a")
    assert requester.counters(hit) == ("Reviewable", 0, 0, 0)
    for assignment in requester.submitted(hit):
        requester.mturk.approve_assignment(AssignmentId=assignment["AssignmentId"])
    assert requester.counters(hit) == ("Reviewable", 0, 0, 5)


def test_a_new_hit_says_everything_that_clients_read_without_asking(requester):
    hit = requester.hit(RequesterAnnotation="batch 7")
    assert (hit["HITStatus"], hit["HITReviewStatus"], hit["QualificationRequirements"]) == (
        "Assignable",
        "NotReviewed",
        [],
    )
    assert (hit["MaxAssignments"], hit["AutoApprovalDelayInSeconds"]) == (1, 2592000)
    assert hit["Question"] == question(PAGE)
    assert hit["RequesterAnnotation"] == "batch 7"
    assert hit["Expiration"] - hit["CreationTime"] == timedelta(hours=1)
    assert len(hit["HITId"]) == 30
    assert hit["HITId"].startswith("3")
    assert "Keywords" not in hit
    assert requester.see(hit) == hit


def test_equal_values_are_one_hit_type_and_others_another(requester, new_requester):
    values = {"Title": "Same", "Reward": "0.10"}
    first = requester.hit_type(**values)
    assert requester.hit_type(**values) == first
    assert requester.hit_type(**values | {"Reward": "0.1"}) == first
    assert requester.hit_type(**values | {"Reward": "0.11"}) != first
    assert requester.hit_type(**values, Keywords="new") != first
    assert new_requester().hit_type(**values) != first


def test_create_hit_makes_or_finds_the_hit_type(requester):
    values = {
        "Title": "Same",
        "Description": "D",
        "Reward": "0.10",
        "AssignmentDurationInSeconds": 60,
        "LifetimeInSeconds": 60,
        "Question": question(),
    }
    hits = [requester.mturk.create_hit(**values)["HIT"] for _ in range(2)]
    assert hits[0]["HITId"] != hits[1]["HITId"]
    assert hits[0]["HITTypeId"] == hits[1]["HITTypeId"]
    assert hits[0]["HITGroupId"] == hits[1]["HITGroupId"]


def test_an_assignment_is_seen_from_its_submission_on(requester, worker):
    hit = requester.hit()
    assignment_id = id_in(worker.accept(hit))
    assert requester.submitted(hit) == []
    refusal = requester.refusal("get_assignment", AssignmentId=assignment_id)
    assert turk_code(refusal) == "InvalidAssignmentState"
    assert "This operation can be called with a status of: Reviewable,Approved,Rejected" in str(refusal)
    assert "with a status of: null" in str(requester.refusal("approve_assignment", AssignmentId=assignment_id))
    submit(assignment_id, q1="Who?")
    seen = requester.mturk.get_assignment(AssignmentId=assignment_id)
    assignment = seen["Assignment"]
    assert seen["HIT"]["HITId"] == hit["HITId"]
    assert (assignment["AssignmentStatus"], assignment["WorkerId"]) == ("Submitted", worker.worker_id)
    assert assignment["Deadline"] - assignment["AcceptTime"] == timedelta(minutes=10)
    assert assignment["AutoApprovalTime"] - assignment["SubmitTime"] == timedelta(days=30)
    assert {"ApprovalTime", "RejectionTime", "RequesterFeedback"}.isdisjoint(assignment)


def test_returned_and_abandoned_work_leaves_no_record_and_opens_its_place(requester, worker, new_worker, pass_time):
    hit = requester.hit(MaxAssignments=2)
    returned, abandoned = worker.accept(hit), new_worker().accept(hit)
    worker.give_back(returned)
    pass_time(600)
    assert requester.counters(hit) == ("Assignable", 2, 0, 0)
    for address in (returned, abandoned):
        refusal = requester.refusal("get_assignment", AssignmentId=id_in(address))
        assert turk_code(refusal) == "InvalidAssignmentState"
        refusal = requester.refusal("approve_assignment", AssignmentId=id_in(address))
        assert turk_code(refusal) == "AssignmentDoesNotExist"
    assert id_in(worker.accept(hit)) != id_in(returned)


def test_decisions_are_made_once_and_leave_a_row(requester, worker, new_worker):
    hit = requester.hit(MaxAssignments=2)
    approved, rejected = worker.do(hit), new_worker().do(hit)
    requester.mturk.approve_assignment(AssignmentId=approved, RequesterFeedback="Thank you")
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="Empty")
    rows = {row["AssignmentId"]: row for row in requester.submitted(hit)}
    assert (rows[approved]["AssignmentStatus"], rows[approved]["RequesterFeedback"]) == ("Approved", "Thank you")
    assert (rows[rejected]["AssignmentStatus"], rows[rejected]["RequesterFeedback"]) == ("Rejected", "Empty")
    for operation, assignment_id in [
        ("approve_assignment", approved),
        ("reject_assignment", approved),
        ("approve_assignment", rejected),
        ("reject_assignment", rejected),
    ]:
        refusal = requester.refusal(operation, AssignmentId=assignment_id, RequesterFeedback="again")
        assert turk_code(refusal) == "InvalidAssignmentState"
        assert "This operation can be called with a status of: Submitted" in str(refusal)
    assert [(row.by, row.from_status, row.to_status) for row in Decision.objects.order_by("id")] == [
        ("requester", "submitted", "approved"),
        ("requester", "submitted", "rejected"),
    ]


def test_a_rejection_can_be_overridden_for_30_days(requester, worker, new_worker, pass_time):
    hit = requester.hit(MaxAssignments=2)
    early, late = worker.do(hit), new_worker().do(hit)
    for assignment_id in (early, late):
        requester.mturk.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="No")
    pass_time(30 * 86400 - 60)
    requester.mturk.approve_assignment(AssignmentId=early, OverrideRejection=True)
    pass_time(120)
    refusal = requester.refusal("approve_assignment", AssignmentId=late, OverrideRejection=True)
    assert turk_code(refusal) == "InvalidAssignmentState"
    assert requester.counters(hit)[3] == 2


@pytest.mark.parametrize("feedback", ["", "x" * 1025, "bell \x07"])
def test_feedback_has_a_length_and_no_control_characters(requester, worker, feedback):
    assignment_id = worker.do(requester.hit())
    refusal = requester.refusal("reject_assignment", AssignmentId=assignment_id, RequesterFeedback=feedback)
    assert turk_code(refusal) == "InvalidParameterValue"
    requester.mturk.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="x" * 1024 + "")


def test_another_requesters_assignment_does_not_exist(requester, new_requester, worker):
    assignment_id = worker.do(requester.hit())
    stranger = new_requester()
    for operation in ("get_assignment", "approve_assignment", "reject_assignment"):
        feedback = {} if operation == "get_assignment" else {"RequesterFeedback": "mine"}
        refusal = stranger.refusal(operation, AssignmentId=assignment_id, **feedback)
        assert turk_code(refusal) == "AssignmentDoesNotExist"
        assert f"Assignment {assignment_id} does not exist." in str(refusal)


def test_assignments_are_listed_by_status(requester, worker, new_worker):
    hit = requester.hit(MaxAssignments=2)
    waiting, approved = worker.do(hit), new_worker().do(hit)
    requester.mturk.approve_assignment(AssignmentId=approved)
    ids = lambda *statuses: [row["AssignmentId"] for row in requester.submitted(hit, AssignmentStatuses=statuses)]  # noqa: E731
    assert ids("Submitted") == [waiting]
    assert ids("Approved") == [approved]
    assert ids("Rejected") == []
    assert ids() == ids("Approved", "Submitted", "Rejected") == [waiting, approved]


@pytest.mark.parametrize(("delay", "passes"), [(0, 0), (3600, 3600)])
def test_undecided_work_is_approved_by_the_timer(requester, worker, pass_time, delay, passes):
    hit = requester.hit(requester.hit_type(AutoApprovalDelayInSeconds=delay))
    worker.do(hit)
    pass_time(passes)
    [assignment] = requester.submitted(hit)
    assert assignment["AssignmentStatus"] == "Approved"
    assert assignment["ApprovalTime"] == assignment["AutoApprovalTime"]
    assert Decision.objects.get().by == "timer"


def test_before_its_time_the_timer_approves_nothing(requester, worker, pass_time):
    hit = requester.hit(requester.hit_type(AutoApprovalDelayInSeconds=3600))
    worker.do(hit)
    pass_time(3500)
    assert requester.submitted(hit)[0]["AssignmentStatus"] == "Submitted"


def test_an_expired_hit_takes_nobody_but_keeps_who_holds_it(requester, worker, new_worker, pass_time):
    hit = requester.hit(MaxAssignments=3, LifetimeInSeconds=300)
    address, returned = worker.accept(hit), new_worker()
    given = returned.accept(hit)
    pass_time(300)
    assert requester.counters(hit) == ("Unassignable", 0, 2, 0)
    assert new_worker().try_accept(hit).status_code == 409
    returned.give_back(given)
    assert requester.counters(hit) == ("Unassignable", 0, 1, 0)
    assert submit(id_in(address), q="a").status_code == 200
    assert requester.counters(hit) == ("Reviewable", 0, 0, 0)


@pytest.mark.parametrize("expire_at", [0, datetime(2020, 1, 1, tzinfo=UTC)])
def test_a_time_in_the_past_expires_at_once_and_again(requester, worker, expire_at):
    hit = requester.hit()
    for _ in range(2):
        requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=expire_at)
        assert requester.counters(hit) == ("Reviewable", 0, 0, 0)
    assert worker.try_accept(hit).status_code == 409


def test_an_expired_hit_is_extended_by_the_places_that_were_not_taken(requester, worker, new_worker):
    hit = requester.hit(MaxAssignments=3)
    worker.do(hit)
    new_worker().accept(hit)
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
    assert requester.counters(hit) == ("Unassignable", 0, 1, 0)
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=soon(hit, hours=1))
    assert requester.counters(hit) == ("Assignable", 1, 1, 0)
    assert requester.see(hit)["Expiration"] == soon(hit, hours=1)


def test_the_same_new_expiration_twice_is_refused(requester):
    hit = requester.hit()
    later = soon(hit, hours=1)
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=later)
    refusal = requester.refusal("update_expiration_for_hit", HITId=hit["HITId"], ExpireAt=later)
    assert f'The idempotency token "{hit["HITId"]}' in str(refusal)
    assert "has already been processed." in str(refusal)
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=soon(hit, hours=2))


def test_a_shorter_life_is_allowed(requester, pass_time):
    hit = requester.hit()
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=soon(hit, minutes=-30))
    pass_time(31 * 60)
    assert requester.counters(hit)[0] == "Reviewable"


@pytest.mark.parametrize("when", ["1e12", "1e18", "-1e18", "1e400"])
def test_an_expiration_that_is_no_time_is_refused(site, requester, when):
    body = f'{{"HITId": "{requester.hit()["HITId"]}", "ExpireAt": {when}}}'
    target = "MTurkRequesterServiceV20170117.UpdateExpirationForHIT"
    status, document = Signed(site.url, requester, target=target, body=body).send()
    assert status == 400
    assert "ExpireAt" in document["Message"]


@pytest.mark.parametrize(
    ("start", "more", "is_allowed"), [(1, 8, True), (1, 9, False), (9, 1, False), (10, 1, True), (10, 500, True)]
)
def test_a_hit_of_fewer_than_10_stays_below_10(requester, start, more, is_allowed):
    hit = requester.hit(MaxAssignments=start)
    call = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": more}
    if is_allowed:
        requester.mturk.create_additional_assignments_for_hit(**call)
        assert requester.counters(hit)[1] == start + more
    else:
        refusal = requester.refusal("create_additional_assignments_for_hit", **call)
        assert turk_code(refusal) == "InvalidMaximumAssignmentsIncrease"
        assert requester.see(hit)["MaxAssignments"] == start


@pytest.mark.parametrize("number", [0, -1, 1_000_000_001, 1_000_000_000])
def test_added_assignments_have_bounds(requester, number):
    hit = requester.hit(MaxAssignments=10)
    call = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": number}
    assert turk_code(requester.refusal("create_additional_assignments_for_hit", **call)) == "InvalidParameterValue"


def test_added_assignments_make_a_reviewable_hit_assignable_unless_it_expired(requester, worker):
    hit = requester.hit()
    worker.do(hit)
    more = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": 2}
    requester.mturk.create_additional_assignments_for_hit(**more)
    assert requester.counters(hit) == ("Assignable", 2, 0, 0)
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
    requester.mturk.create_additional_assignments_for_hit(**more)
    assert requester.counters(hit) == ("Reviewable", 0, 0, 0)
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=soon(hit, hours=1))
    assert requester.counters(hit) == ("Assignable", 4, 0, 0)


def test_only_finished_and_decided_hits_are_deleted(requester, worker, new_worker):
    hit = requester.hit(MaxAssignments=2)
    delete = {"HITId": hit["HITId"]}

    def state(expected: str) -> None:
        refusal = requester.refusal("delete_hit", **delete)
        assert turk_code(refusal) == "InvalidHITState"
        assert f"This HIT is currently in the state '{expected}'. " in str(refusal)
        assert "This operation can be called with a status of: Reviewing, Reviewable" in str(refusal)

    state("Assignable")
    first, second = worker.do(hit), new_worker().accept(hit)
    state("Unassignable")
    submit(id_in(second), q="a")
    assert turk_code(requester.refusal("delete_hit", **delete)) == "InvalidHITState"
    requester.mturk.approve_assignment(AssignmentId=first)
    requester.mturk.reject_assignment(AssignmentId=id_in(second), RequesterFeedback="No")
    requester.mturk.delete_hit(**delete)
    state("Disposed")
    assert turk_code(requester.refusal("get_hit", **delete)) == "HITDoesNotExist"
    assert turk_code(requester.refusal("list_assignments_for_hit", **delete)) == "HITDoesNotExist"
    assert turk_code(requester.refusal("get_assignment", AssignmentId=first)) == "AssignmentDoesNotExist"
    override = {"AssignmentId": id_in(second), "OverrideRejection": True}
    assert turk_code(requester.refusal("approve_assignment", **override)) == "AssignmentDoesNotExist"
    assert requester.mturk.list_hits()["HITs"] == []


def test_a_hit_is_marked_reviewing_and_back(requester):
    hit = requester.hit()
    mark = {"HITId": hit["HITId"]}
    assert turk_code(requester.refusal("update_hit_review_status", **mark)) == "InvalidHITState"
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
    assert turk_code(requester.refusal("update_hit_review_status", **mark, Revert=True)) == "InvalidHITState"
    requester.mturk.update_hit_review_status(**mark)
    assert requester.counters(hit)[0] == "Reviewing"
    listed = lambda **which: [row["HITId"] for row in requester.mturk.list_reviewable_hits(**which)["HITs"]]  # noqa: E731
    assert (listed(), listed(Status="Reviewing")) == ([], [hit["HITId"]])
    more = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": 1}
    assert turk_code(requester.refusal("create_additional_assignments_for_hit", **more)) == "InvalidHITState"
    requester.mturk.update_hit_review_status(**mark, Revert=True)
    assert requester.counters(hit)[0] == "Reviewable"


def test_reviewable_hits_are_those_with_nothing_open_and_nothing_in_hand(requester, worker, new_worker):
    hit_type = requester.hit_type()
    done, held, partly = (requester.hit(hit_type, MaxAssignments=number) for number in (1, 1, 2))
    other = requester.hit()
    for _ in range(2):  # places are given out in order
        worker.accept(done)
    for assignment in Assignment.objects.filter(hit__hit_id=done["HITId"]):
        submit(assignment.assignment_id, q="a")
    new_worker().do(partly)
    requester.mturk.update_expiration_for_hit(HITId=other["HITId"], ExpireAt=0)
    listed = lambda **which: [row["HITId"] for row in requester.mturk.list_reviewable_hits(**which)["HITs"]]  # noqa: E731
    assert listed() == [done["HITId"], other["HITId"]]
    assert listed(HITTypeId=hit_type) == [done["HITId"]]
    assert requester.counters(held)[0] == "Unassignable"


def test_moves_that_the_table_does_not_have_are_refused(requester, worker):
    worker.do(requester.hit())
    with pytest.raises(IllegalMove):
        Assignment.objects.all().move(Assignment.Status.SUBMITTED, Assignment.Status.HELD)
    assert set(Assignment.MOVES) == set(Assignment.Status)
    assert set(HIT.MOVES) == set(HIT.Stage)
