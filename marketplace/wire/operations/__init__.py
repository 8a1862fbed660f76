"""The operations that this marketplace serves, one row each: a name of the API and the function that does it.

A function takes the call and its checked input and returns a dict that the output shape is cut from. It raises
``errors.Refused`` for what the caller got wrong.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import account, assignments, blocks, bonuses, hits, messages, notifications, policies, qualifications
from .call import Call

__all__ = ["OPERATIONS", "Call", "Operation"]


@dataclass(frozen=True)
class Operation:
    run: Callable[[Call, dict[str, Any]], dict[str, Any]]
    # Whether what time alone changed must be settled first, as the operation reads or moves it.
    settles: bool = True


OPERATIONS: dict[str, Operation] = {
    "AcceptQualificationRequest": Operation(qualifications.accept_request, settles=False),
    "ApproveAssignment": Operation(assignments.approve),
    "AssociateQualificationWithWorker": Operation(qualifications.associate, settles=False),
    "CreateAdditionalAssignmentsForHIT": Operation(hits.add_assignments),
    "CreateHIT": Operation(hits.create),
    "CreateHITType": Operation(hits.create_type, settles=False),
    "CreateHITWithHITType": Operation(hits.create_with_type),
    "CreateQualificationType": Operation(qualifications.create_type, settles=False),
    "CreateWorkerBlock": Operation(blocks.create, settles=False),
    "DeleteHIT": Operation(hits.delete),
    "DeleteQualificationType": Operation(qualifications.delete_type, settles=False),
    "DeleteWorkerBlock": Operation(blocks.delete, settles=False),
    "DisassociateQualificationFromWorker": Operation(qualifications.disassociate, settles=False),
    "GetAccountBalance": Operation(account.balance),
    "GetAssignment": Operation(assignments.get),
    "GetFileUploadURL": Operation(assignments.file_upload_url),
    "GetHIT": Operation(hits.get),
    "GetQualificationScore": Operation(qualifications.score, settles=False),
    "GetQualificationType": Operation(qualifications.get_type, settles=False),
    "ListAssignmentsForHIT": Operation(assignments.list_for_hit),
    "ListBonusPayments": Operation(bonuses.list_payments, settles=False),
    "ListHITs": Operation(hits.list_all),
    "ListHITsForQualificationType": Operation(hits.list_for_qualification_type),
    "ListQualificationRequests": Operation(qualifications.list_requests, settles=False),
    "ListQualificationTypes": Operation(qualifications.list_types, settles=False),
    "ListReviewPolicyResultsForHIT": Operation(policies.list_results),
    "ListReviewableHITs": Operation(hits.list_reviewable),
    "ListWorkerBlocks": Operation(blocks.list_all, settles=False),
    "ListWorkersWithQualificationType": Operation(qualifications.list_workers, settles=False),
    "NotifyWorkers": Operation(messages.notify_workers),
    "RejectAssignment": Operation(assignments.reject),
    "RejectQualificationRequest": Operation(qualifications.reject_request, settles=False),
    "SendBonus": Operation(bonuses.send),
    "SendTestEventNotification": Operation(notifications.send_test, settles=False),
    "UpdateExpirationForHIT": Operation(hits.update_expiration),
    "UpdateHITReviewStatus": Operation(hits.update_review_status),
    "UpdateHITTypeOfHIT": Operation(hits.change_type),
    "UpdateNotificationSettings": Operation(notifications.update_settings, settles=False),
    "UpdateQualificationType": Operation(qualifications.update_type, settles=False),
}
