"""Ids that name nothing, name what is another's, or are no ids: every operation that takes one."""

import pytest

from .conftest import external_question
from .facts import INFERRED, MODEL, SEEN, cites

pytestmark = pytest.mark.slow

FACTS = "Errors: unknown id, or owned by someone else; id patterns"

# Operation, the id's parameter, and what else it takes.
OF_HITS = [
    ("get_hit", {}),
    ("delete_hit", {}),
    ("list_assignments_for_hit", {}),
    ("list_bonus_payments", {}),
    ("list_review_policy_results_for_hit", {}),
    ("update_expiration_for_hit", {"ExpireAt": 0}),
    ("update_hit_review_status", {}),
    ("create_additional_assignments_for_hit", {"NumberOfAdditionalAssignments": 1}),
]
OF_ASSIGNMENTS = [
    ("get_assignment", {}),
    ("approve_assignment", {}),
    ("reject_assignment", {"RequesterFeedback": "No"}),
    ("send_bonus", {"WorkerId": "A1", "BonusAmount": "0.05", "Reason": "r"}),
    ("list_bonus_payments", {}),
    ("get_file_upload_url", {"QuestionIdentifier": "q"}),
]
OF_TYPES = [
    ("get_qualification_type", {}),
    ("update_qualification_type", {"Description": "Mine now"}),
    ("delete_qualification_type", {}),
    ("associate_qualification_with_worker", {"WorkerId": "A1"}),
    ("disassociate_qualification_from_worker", {"WorkerId": "A1"}),
    ("get_qualification_score", {"WorkerId": "A1"}),
    ("list_workers_with_qualification_type", {}),
    ("list_qualification_requests", {}),
]
MALFORMED = ["", "lower", "with space", "3-DASH", "3" * 65, "3Ä", "3X\n"]


@pytest.mark.parametrize(("operation", "more"), OF_HITS)
@cites("GetHIT", "Hit <id> does not exist.", SEEN)
@cites("RequestError", "what is another's does not exist", INFERRED)
def test_a_hit_of_nobody_or_another_does_not_exist(requester, stranger, operation, more):
    foreign = stranger.hit()["HITId"]
    for hit_id in ("3UNKNOWN", foreign):
        assert requester.refused(operation, HITId=hit_id, **more) == "HITDoesNotExist"
    assert stranger.counters({"HITId": foreign})[:2] == ("Assignable", 1)


@pytest.mark.parametrize(("operation", "more"), OF_ASSIGNMENTS)
@cites("GetAssignment", "Assignment <id> does not exist.", SEEN)
@cites("RequestError", "what is another's does not exist", INFERRED)
def test_an_assignment_of_nobody_or_another_does_not_exist(requester, stranger, worker, operation, more):
    hit = stranger.hit()
    foreign = worker.do(hit)
    for assignment_id in ("3UNKNOWN", foreign):
        assert requester.refused(operation, AssignmentId=assignment_id, **more) == "AssignmentDoesNotExist"
    assert stranger.submitted(hit)[0]["AssignmentStatus"] == "Submitted"


@pytest.mark.parametrize(("operation", "more"), OF_TYPES)
@cites("RequestError", "QualificationTypeDoesNotExist, of what is another's too", INFERRED)
def test_a_qualification_type_of_nobody_does_not_exist(requester, operation, more):
    assert requester.refused(operation, QualificationTypeId="3UNKNOWN", **more) == "QualificationTypeDoesNotExist"


@pytest.mark.parametrize(("operation", "more"), OF_TYPES[1:])
@cites("RequestError", "QualificationTypeDoesNotExist, of what is another's too", INFERRED)
def test_a_qualification_type_of_another_does_not_exist(requester, stranger, operation, more):
    foreign = stranger.qualification_type()
    assert requester.refused(operation, QualificationTypeId=foreign, **more) == "QualificationTypeDoesNotExist"
    seen = stranger.mturk.get_qualification_type(QualificationTypeId=foreign)["QualificationType"]
    assert seen["Description"] == "D"


@pytest.mark.parametrize(
    ("operation", "more"),
    [
        ("create_hit_with_hit_type", {"LifetimeInSeconds": 60, "Question": "<a/>"}),
        ("update_notification_settings", {"Active": True}),
    ],
)
@cites("RequestError", "HITTypeDoesNotExist, of what is another's too", INFERRED)
def test_a_hit_type_of_nobody_or_another_does_not_exist(requester, stranger, operation, more):
    more = more | ({"Question": external_question()} if "Question" in more else {})
    for type_id in ("3UNKNOWN", stranger.hit_type()):
        assert requester.refused(operation, HITTypeId=type_id, **more) == "HITTypeDoesNotExist"


@cites("UpdateHITTypeOfHIT", "both must be the caller's", INFERRED)
def test_hit_and_hit_type_must_both_be_ones_own(requester, stranger):
    hit = requester.hit()
    foreign = stranger.hit()
    for hit_id, type_id, code in [
        (hit["HITId"], foreign["HITTypeId"], "HITTypeDoesNotExist"),
        (foreign["HITId"], hit["HITTypeId"], "HITDoesNotExist"),
    ]:
        assert requester.refused("update_hit_type_of_hit", HITId=hit_id, HITTypeId=type_id) == code


@pytest.mark.parametrize("operation", ["accept_qualification_request", "reject_qualification_request"])
@cites("RequestError", "QualificationRequestDoesNotExist", INFERRED)
def test_a_request_of_nobody_does_not_exist(requester, operation):
    code = requester.refused(operation, QualificationRequestId="3UNKNOWN")
    assert code == "QualificationRequestDoesNotExist"


@pytest.mark.parametrize("wrong", MALFORMED, ids=repr)
@cites("GetHIT", "ids are 1 to 64 capital letters and digits", MODEL)
def test_what_is_no_id_is_refused(requester, wrong):
    assert requester.refused("get_hit", HITId=wrong) == "InvalidParameterValue"
    assert requester.refused("get_assignment", AssignmentId=wrong) == "InvalidParameterValue"
    assert requester.refused("get_qualification_type", QualificationTypeId=wrong) == "InvalidParameterValue"
    assert requester.refused("create_worker_block", WorkerId=wrong or "", Reason="r") == "InvalidParameterValue"


@cites("ListHITs", "a list is of the caller's own", MODEL)
def test_lists_show_ones_own_alone(requester, stranger):
    mine, theirs = requester.hit(), stranger.hit()
    stranger.expire(theirs)
    for operation in ("list_hits", "list_reviewable_hits"):
        assert theirs["HITId"] not in {hit["HITId"] for hit in getattr(requester.mturk, operation)()["HITs"]}
    assert mine["HITId"] in {hit["HITId"] for hit in requester.mturk.list_hits()["HITs"]}
