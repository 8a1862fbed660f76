"""Assignments: when they are seen, how they are decided, and the answer that comes with them."""

from datetime import timedelta
from xml.etree import ElementTree

import pytest

from .conftest import SCHEMAS, message, turk_code
from .driver import id_of
from .facts import DOCS, INFERRED, MODEL, OURS, SEEN, cites

pytestmark = pytest.mark.slow

FACTS = "HIT and assignment lifecycle: assignments; external question: submission; worker side"
ANSWERS = f"{{{SCHEMAS}/2005-10-01/QuestionFormAnswers.xsd}}"


def answers_of(assignment: dict) -> dict[str, str]:
    rows = ElementTree.fromstring(assignment["Answer"])
    assert rows.tag == f"{ANSWERS}QuestionFormAnswers"
    return {
        row.findtext(f"{ANSWERS}QuestionIdentifier"): row.findtext(f"{ANSWERS}FreeText") or ""
        for row in rows.iter(f"{ANSWERS}Answer")
    }


@cites("GetAssignment", "an assignment is neither listed nor gettable before its submission", DOCS)
@cites("GetAssignment", "This operation can be called with a status of: Reviewable,Approved,Rejected", SEEN)
@cites("ApproveAssignment", "before the submission: called with a status of: null", SEEN)
@cites("Assignment data structure", "Deadline = AcceptTime + duration; AutoApprovalTime = SubmitTime + delay", DOCS)
def test_an_assignment_is_seen_from_its_submission_on(requester, worker):
    hit = requester.hit()
    held = worker.accept(hit)
    assignment_id = id_of(held)
    assert requester.submitted(hit) == []
    refusal = requester.refusal("get_assignment", AssignmentId=assignment_id)
    assert turk_code(refusal) == "InvalidAssignmentState"
    assert "This operation can be called with a status of: Reviewable,Approved,Rejected" in message(refusal)
    assert "with a status of: null" in message(requester.refusal("approve_assignment", AssignmentId=assignment_id))
    worker.submit(held)
    seen = requester.mturk.get_assignment(AssignmentId=assignment_id)
    assignment = seen["Assignment"]
    assert seen["HIT"]["HITId"] == assignment["HITId"] == hit["HITId"]
    assert (assignment["AssignmentStatus"], assignment["WorkerId"]) == ("Submitted", worker.worker_id)
    assert assignment["Deadline"] - assignment["AcceptTime"] == timedelta(minutes=10)
    assert assignment["AutoApprovalTime"] - assignment["SubmitTime"] == timedelta(days=30)
    assert {"ApprovalTime", "RejectionTime", "RequesterFeedback"}.isdisjoint(assignment)
    assert requester.submitted(hit) == [assignment]


@cites("HIT data structure", "a return or an abandonment leaves no record and opens the place again", DOCS)
@cites("GetAssignment", "a new accept is a new assignment", INFERRED)
def test_returned_work_leaves_no_record_and_opens_its_place(requester, worker):
    hit = requester.hit()
    held = worker.accept(hit)
    assert requester.counters(hit) == ("Unassignable", 0, 1, 0)
    worker.give_back(held)
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)
    assert requester.submitted(hit) == []
    assert requester.refused("get_assignment", AssignmentId=id_of(held)) == "InvalidAssignmentState"
    assert id_of(worker.accept(hit)) != id_of(held)


@cites("HIT data structure", "at its deadline an assignment ends, and the place opens again", DOCS)
def test_abandoned_work_opens_its_place(requester, worker, pass_time):
    hit = requester.hit()
    held = worker.accept(hit)
    pass_time(601)
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)
    assert not worker.submit(held)
    assert requester.submitted(hit) == []


@cites("HIT data structure", "MaxAssignments is the number of workers: one submits once for a HIT", DOCS)
def test_a_worker_gets_a_hit_once(requester, worker, new_worker):
    hit = requester.hit(MaxAssignments=2)
    held = worker.accept(hit)
    worker.submit(held)
    assert not worker.submit(held)
    assert worker.try_accept(hit) is None
    assert len(requester.submitted(hit)) == 1
    new_worker().do(hit)
    assert len(requester.submitted(hit)) == 2


@cites("QuestionFormAnswers", "one Answer a form field, in FreeText; assignmentId is not among them", DOCS)
def test_the_answer_is_the_form_as_xml(requester, worker):
    hit = requester.hit()
    worker.do(hit, q1="Who ruled Normandy?", q2="  two\nlines & <tags> ", empty="", hitId="ignored", smile="né 🦉")
    [assignment] = requester.submitted(hit)
    assert answers_of(assignment) == {
        "q1": "Who ruled Normandy?",
        "q2": "  two\nlines & <tags> ",
        "empty": "",
        "smile": "né 🦉",
    }
    assert assignment["Answer"].isascii()


@cites("QuestionFormAnswers", "characters that XML cannot hold do not come through, and break nothing", OURS)
def test_characters_that_xml_cannot_hold_break_nothing(requester, worker):
    hit = requester.hit()
    worker.do(hit, q1="bell \x07, nul \x00, escape \x1b, ￾, end")
    [assignment] = requester.submitted(hit)
    answer = answers_of(assignment)["q1"]
    assert answer.startswith("bell ")
    assert answer.endswith("end")


@cites("QuestionFormAnswers", "the size of an answer is stated nowhere: a megabyte is refused or kept whole", OURS)
def test_a_megabyte_is_kept_whole_or_refused_and_can_be_sent_shorter(requester, worker):
    hit = requester.hit()
    held = worker.accept(hit)
    if worker.submit(held, q1="x" * 1_000_000):
        [assignment] = requester.submitted(hit)
        assert len(answers_of(assignment)["q1"]) == 1_000_000
    else:
        assert requester.submitted(hit) == []
        assert worker.submit(held, q1="x")


@cites("ExternalQuestion", "submitting from the preview records nothing", DOCS)
@cites("ExternalQuestion", "an assignment that nobody holds cannot be submitted", INFERRED)
def test_what_nobody_holds_cannot_be_submitted(requester, worker):
    hit = requester.hit()
    held = worker.accept(hit)
    worker.give_back(held)
    assert not worker.submit(held)
    assert requester.counters(hit) == ("Assignable", 1, 0, 0)


@cites("ApproveAssignment", "a decision is made once: called with a status of: Submitted", SEEN)
def test_decisions_are_made_once(requester, new_worker):
    hit = requester.hit(MaxAssignments=2)
    approved, rejected = new_worker().do(hit), new_worker().do(hit)
    requester.mturk.approve_assignment(AssignmentId=approved, RequesterFeedback="Thank you")
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="Empty")
    rows = {row["AssignmentId"]: row for row in requester.submitted(hit)}
    assert (rows[approved]["AssignmentStatus"], rows[approved]["RequesterFeedback"]) == ("Approved", "Thank you")
    assert (rows[rejected]["AssignmentStatus"], rows[rejected]["RequesterFeedback"]) == ("Rejected", "Empty")
    assert rows[approved]["ApprovalTime"] >= rows[approved]["SubmitTime"]
    assert rows[rejected]["RejectionTime"] >= rows[rejected]["SubmitTime"]
    for operation in ("approve_assignment", "reject_assignment"):
        for assignment_id in (approved, rejected):
            refusal = requester.refusal(operation, AssignmentId=assignment_id, RequesterFeedback="again")
            assert turk_code(refusal) == "InvalidAssignmentState"
            assert "This operation can be called with a status of: Submitted" in message(refusal)


@cites("ApproveAssignment", "OverrideRejection on a submitted assignment is an ordinary approval", INFERRED)
def test_overriding_nothing_is_an_approval(requester, worker):
    hit = requester.hit()
    requester.mturk.approve_assignment(AssignmentId=worker.do(hit), OverrideRejection=True)
    assert requester.submitted(hit)[0]["AssignmentStatus"] == "Approved"


@cites("ApproveAssignment", "a rejection can be overridden for 30 days after the submission", DOCS)
def test_a_rejection_can_be_overridden_for_30_days(requester, new_worker, pass_time):
    hit = requester.hit(MaxAssignments=2)
    early, late = new_worker().do(hit), new_worker().do(hit)
    for assignment_id in (early, late):
        requester.mturk.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="No")
    pass_time(30 * 86400 - 60)
    requester.mturk.approve_assignment(AssignmentId=early, OverrideRejection=True)
    pass_time(120)
    override = {"AssignmentId": late, "OverrideRejection": True}
    assert requester.refused("approve_assignment", **override) == "InvalidAssignmentState"
    assert requester.counters(hit)[3] == 2


@pytest.mark.parametrize("feedback", ["x" * 1025, "bell \x07", "escape \x1b"])
@cites("RejectAssignment", "1024 characters at most, no control characters but tab, line feed and return", DOCS)
def test_feedback_has_a_length_and_no_control_characters(requester, worker, feedback):
    decision = {"AssignmentId": worker.do(requester.hit())}
    for operation in ("approve_assignment", "reject_assignment"):
        assert requester.refused(operation, **decision, RequesterFeedback=feedback) == "InvalidParameterValue"
    requester.mturk.reject_assignment(**decision, RequesterFeedback="x" * 1021 + "\t\n\r")


@cites("RejectAssignment", "RequesterFeedback is required; that it must not be empty is our reading", INFERRED)
def test_a_rejection_has_a_reason(requester, worker):
    decision = {"AssignmentId": worker.do(requester.hit())}
    assert requester.refused("reject_assignment", **decision, RequesterFeedback="") == "InvalidParameterValue"
    assert requester.refused("reject_assignment", **decision) == "InvalidParameterValue"


@cites("ListAssignmentsForHIT", "all three statuses where none is named", MODEL)
def test_assignments_are_listed_by_status(requester, new_worker):
    hit = requester.hit(MaxAssignments=3)
    waiting, approved, rejected = (new_worker().do(hit) for _ in range(3))
    requester.mturk.approve_assignment(AssignmentId=approved)
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="No")

    def ids(*statuses):
        return {row["AssignmentId"] for row in requester.submitted(hit, AssignmentStatuses=statuses)}

    assert ids("Submitted") == {waiting}
    assert ids("Approved") == {approved}
    assert ids("Rejected", "Submitted") == {rejected, waiting}
    assert {row["AssignmentId"] for row in requester.submitted(hit)} == {waiting, approved, rejected}


@cites("ListAssignmentsForHIT", "in the order of submission", OURS)
def test_assignments_are_listed_in_the_order_of_submission(requester, new_worker):
    hit = requester.hit(MaxAssignments=3)
    made = [new_worker().do(hit) for _ in range(3)]
    assert [row["AssignmentId"] for row in requester.submitted(hit)] == made


@pytest.mark.parametrize(("delay", "passes"), [(0, 0), (3600, 3601)])
@cites("CreateHITType", "undecided work is approved after AutoApprovalDelayInSeconds; at once where it is 0", DOCS)
def test_undecided_work_is_approved_by_the_timer(requester, worker, request, delay, passes):
    hit = requester.hit(requester.hit_type(AutoApprovalDelayInSeconds=delay))
    assignment_id = worker.do(hit)
    if passes:
        request.getfixturevalue("pass_time")(passes)
    [assignment] = requester.submitted(hit)
    assert assignment["AssignmentStatus"] == "Approved"
    assert assignment["ApprovalTime"] == assignment["AutoApprovalTime"]
    refusal = requester.refusal("reject_assignment", AssignmentId=assignment_id, RequesterFeedback="No")
    assert turk_code(refusal) == "InvalidAssignmentState"


@cites("CreateHITType", "not before AutoApprovalDelayInSeconds", DOCS)
def test_before_its_time_the_timer_approves_nothing(requester, worker, pass_time):
    hit = requester.hit(requester.hit_type(AutoApprovalDelayInSeconds=3600))
    worker.do(hit)
    pass_time(3500)
    assert requester.submitted(hit)[0]["AssignmentStatus"] == "Submitted"


@cites("GetFileUploadURL", "files are no longer asked for since December 2017; that every call fails is ours", OURS)
def test_no_file_is_ever_to_be_fetched(requester, worker):
    call = {"AssignmentId": worker.do(requester.hit()), "QuestionIdentifier": "q1"}
    assert requester.refused("get_file_upload_url", **call) == "InvalidParameterValue"
    unknown = call | {"AssignmentId": "3NOTHERE"}
    assert requester.refused("get_file_upload_url", **unknown) == "AssignmentDoesNotExist"
