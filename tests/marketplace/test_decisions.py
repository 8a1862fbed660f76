"""What deciding on assignments leaves behind; what requesters see of it is in ``tests/contract``."""

import pytest

from marketplace.models import HIT, Assignment, Decision, IllegalMove


def test_decisions_leave_a_row(requester, worker, new_worker):
    hit = requester.hit(MaxAssignments=2)
    approved, rejected = worker.do(hit), new_worker().do(hit)
    requester.mturk.approve_assignment(AssignmentId=approved)
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="Empty")
    refusal = requester.refusal("approve_assignment", AssignmentId=approved)
    assert "This operation can be called with a status of: Submitted" in str(refusal)
    assert [(row.by, row.from_status, row.to_status) for row in Decision.objects.order_by("id")] == [
        ("requester", "submitted", "approved"),
        ("requester", "submitted", "rejected"),
    ]


def test_the_timers_decision_leaves_a_row(requester, worker, pass_time):
    hit = requester.hit(requester.hit_type(AutoApprovalDelayInSeconds=3600))
    worker.do(hit)
    pass_time(3600)
    assert requester.submitted(hit)[0]["AssignmentStatus"] == "Approved"
    assert Decision.objects.get().by == "timer"


def test_moves_that_the_table_does_not_have_are_refused(requester, worker):
    worker.do(requester.hit())
    with pytest.raises(IllegalMove):
        Assignment.objects.all().move(Assignment.Status.SUBMITTED, Assignment.Status.HELD)
    assert set(Assignment.MOVES) == set(Assignment.Status)
    assert set(HIT.MOVES) == set(HIT.Stage)
