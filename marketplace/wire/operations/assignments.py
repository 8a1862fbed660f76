"""Assignments: listing them and deciding on them."""

from typing import Any

from ...errors import Refused, invalid_value
from ...models import HIT, Assignment
from ...services import publishing, review
from .. import paging
from . import hits
from .call import Call
from .limits import check_prose

FEEDBACK = 1024  # characters

# The API's names of the statuses.
NAMES = {
    Assignment.Status.SUBMITTED: "Submitted",
    Assignment.Status.APPROVED: "Approved",
    Assignment.Status.REJECTED: "Rejected",
}


def list_for_hit(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """In the order of submission, so that a list that grows while it is paged through loses nothing."""
    hit = HIT.objects.of(call.requester).undisposed().filter(hit_id=params["HITId"]).first()
    if hit is None:
        raise publishing.no_such_hit(params["HITId"])
    wanted = sorted(set(params.get("AssignmentStatuses") or NAMES.values()))
    statuses = [status for status, name in NAMES.items() if name in wanted]
    rows = call.seen(Assignment.objects.filter(hit=hit, status__in=statuses), "submitted_at").select_related("worker")
    scope = call.scope(hit.hit_id, *wanted)
    shown, numbers = paging.page(rows, params, scope=scope, order=("submitted_at", "id"))
    return {"Assignments": [described(assignment, hit.hit_id) for assignment in shown], **numbers}


def get(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    rows = Assignment.objects.filter(assignment_id=params["AssignmentId"], hit__requester=call.requester)
    rows = rows.exclude(hit__stage=HIT.Stage.DISPOSED)
    assignment = rows.select_related("worker", "hit__hit_type").first()
    if assignment is None:
        raise Refused("AssignmentDoesNotExist", f"Assignment {params['AssignmentId']} does not exist.")
    if assignment.status not in Assignment.LISTED or not call.sees(assignment.submitted_at):
        raise Refused(
            "InvalidAssignmentState",
            "This operation can be called with a status of: Reviewable,Approved,Rejected",
        )
    return {
        "Assignment": described(assignment, assignment.hit.hit_id),
        "HIT": hits.all_described([assignment.hit])[0],
    }


def approve(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    feedback = params.get("RequesterFeedback", "")
    check_prose("RequesterFeedback", feedback, FEEDBACK)
    override = params.get("OverrideRejection", False)
    _check_seen(call, params["AssignmentId"])
    review.approve(call.requester, params["AssignmentId"], call.now, feedback=feedback, override=override)
    return {}


def reject(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    check_prose("RequesterFeedback", params["RequesterFeedback"], FEEDBACK, least=1)
    _check_seen(call, params["AssignmentId"])
    review.reject(call.requester, params["AssignmentId"], call.now, feedback=params["RequesterFeedback"])
    return {}


def file_upload_url(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Always refused: since December 2017 no question can ask for a file, so there is none to be fetched."""
    get(call, {"AssignmentId": params["AssignmentId"]})
    raise invalid_value("QuestionIdentifier", "The HIT has no FileUploadAnswer of that name.")


def _check_seen(call: Call, assignment_id: str) -> None:
    """Refuse a submission that a fault hides, as Mechanical Turk does one that it does not show yet."""
    if call.sees_until is None:
        return
    hidden = Assignment.objects.filter(assignment_id=assignment_id, submitted_at__gt=call.sees_until)
    if hidden.filter(hit__requester=call.requester).exists():
        raise Refused("InvalidAssignmentState", "This operation can be called with a status of: null")


def described(assignment: Assignment, hit_id: str) -> dict[str, Any]:
    """``assignment`` with the members of the API's Assignment shape; times absent until they apply."""
    return {
        "AssignmentId": assignment.assignment_id,
        "WorkerId": assignment.worker.worker_id,
        "HITId": hit_id,
        "AssignmentStatus": NAMES[Assignment.Status(assignment.status)],
        "AutoApprovalTime": assignment.auto_approve_at,
        "AcceptTime": assignment.accepted_at,
        "SubmitTime": assignment.submitted_at,
        "ApprovalTime": assignment.approved_at,
        "RejectionTime": assignment.rejected_at,
        "Deadline": assignment.deadline,
        "Answer": assignment.answer,
        "RequesterFeedback": assignment.feedback or None,
    }
