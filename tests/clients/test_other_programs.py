"""Every operation of the API, through programs that nobody here wrote: only the endpoint is ours.

What the answers must be is tests/contract's subject; here it is that these programs can say and read all of it.
"""

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from .programs import Failed, Program, service_model

pytestmark = pytest.mark.slow

QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>https://requester.example/task?a=1&amp;b=2</ExternalURL>'
    "<FrameHeight>0</FrameHeight></ExternalQuestion>"
)
TYPE = {
    "Title": "Name the animal – ein Tier",
    "Description": "Look at the picture and name what is in it.",
    "Keywords": "picture, animal",
    "Reward": "0.25",
    "AssignmentDurationInSeconds": 600,
    "AutoApprovalDelayInSeconds": 3600,
}


def hits_and_their_changes(program: Program, queue_url: str) -> None:
    call = program.call
    assert call("GetAccountBalance")["AvailableBalance"] == "100.00"
    hit_type = call("CreateHITType", **TYPE)["HITTypeId"]
    token = str(uuid.uuid4())
    place = {"LifetimeInSeconds": 3600, "MaxAssignments": 2, "Question": QUESTION, "RequesterAnnotation": "row 7"}
    made = call("CreateHITWithHITType", HITTypeId=hit_type, UniqueRequestToken=token, **place)["HIT"]
    with pytest.raises(Failed, match=made["HITId"]) as refusal:
        call("CreateHITWithHITType", HITTypeId=hit_type, UniqueRequestToken=token, **place)
    assert refusal.value.kind == "RequestError"
    if program.tells_turk_codes:
        assert refusal.value.turk_code == "HitAlreadyExists"
    assert made["Title"] == TYPE["Title"]
    assert made["Question"] == QUESTION
    assert abs(made["Expiration"] - made["CreationTime"] - timedelta(hours=1)) < timedelta(seconds=2)
    other = call("CreateHIT", **TYPE | {"Title": "Name the plant"}, **place)["HIT"]
    assert {hit["HITId"] for hit in call("ListHITs", MaxResults=100)["HITs"]} == {made["HITId"], other["HITId"]}
    first = call("ListHITs", MaxResults=1)
    second = call("ListHITs", MaxResults=1, NextToken=first["NextToken"])
    assert first["HITs"][0]["HITId"] != second["HITs"][0]["HITId"]

    call("UpdateHITTypeOfHIT", HITId=other["HITId"], HITTypeId=hit_type)
    assert call("GetHIT", HITId=other["HITId"])["HIT"]["HITTypeId"] == hit_type
    call("CreateAdditionalAssignmentsForHIT", HITId=other["HITId"], NumberOfAdditionalAssignments=3)
    assert call("GetHIT", HITId=other["HITId"])["HIT"]["NumberOfAssignmentsAvailable"] == 5
    call("UpdateExpirationForHIT", HITId=other["HITId"], ExpireAt=0)
    reviewable = call("ListReviewableHITs", HITTypeId=hit_type)["HITs"]
    assert [hit["HITId"] for hit in reviewable] == [other["HITId"]]
    call("UpdateHITReviewStatus", HITId=other["HITId"], Revert=False)
    assert call("GetHIT", HITId=other["HITId"])["HIT"]["HITStatus"] == "Reviewing"
    report = call("ListReviewPolicyResultsForHIT", HITId=other["HITId"], PolicyLevels=["Assignment", "HIT"])
    assert report["HITId"] == other["HITId"]
    call("DeleteHIT", HITId=other["HITId"])
    with pytest.raises(Failed, match=f"Hit {other['HITId']} does not exist"):
        call("GetHIT", HITId=other["HITId"])
    with pytest.raises(Failed):
        call("CreateHIT", **TYPE | {"Title": "t" * 129}, **place)


def work_and_pay(program: Program, queue_url: str) -> None:
    call, crowd = program.call, program.crowd
    hit = call("CreateHIT", **TYPE, LifetimeInSeconds=3600, MaxAssignments=2, Question=QUESTION)["HIT"]
    workers = []
    for name in ("žirafa & co", "no idea"):
        site, worker_id = crowd.worker()
        held = crowd.accept(site)
        assert held is not None
        assert site.submit(held, {"animal": name})
        workers.append(worker_id)
    listed = call("ListAssignmentsForHIT", HITId=hit["HITId"], AssignmentStatuses=["Submitted"])["Assignments"]
    assert [row["WorkerId"] for row in listed] == workers
    assert "&#382;irafa &amp; co" in listed[0]["Answer"]
    assert datetime.now(UTC) - listed[0]["SubmitTime"] < timedelta(minutes=5)
    good, bad = listed[0]["AssignmentId"], listed[1]["AssignmentId"]
    call("ApproveAssignment", AssignmentId=good, RequesterFeedback="Thank you.")
    call("RejectAssignment", AssignmentId=bad, RequesterFeedback="Nothing was named.")
    call("ApproveAssignment", AssignmentId=bad, OverrideRejection=True)
    assert call("GetAssignment", AssignmentId=bad)["Assignment"]["AssignmentStatus"] == "Approved"
    assert call("GetAssignment", AssignmentId=good)["HIT"]["NumberOfAssignmentsCompleted"] == 2

    bonus = {"WorkerId": workers[0], "AssignmentId": good, "BonusAmount": "1.00", "Reason": "A fine drawing."}
    token = str(uuid.uuid4())
    call("SendBonus", UniqueRequestToken=token, **bonus)
    with pytest.raises(Failed):
        call("SendBonus", UniqueRequestToken=token, **bonus)
    paid = call("ListBonusPayments", AssignmentId=good)["BonusPayments"]
    assert [(row["BonusAmount"], row["Reason"]) for row in paid] == [("1.00", "A fine drawing.")]
    # Two rewards of 0.25 and a bonus of 1.00, each with a fee of 20 %.
    assert call("GetAccountBalance")["AvailableBalance"] == "98.20"

    failures = call("NotifyWorkers", Subject="News", MessageText="There is more to do.", WorkerIds=workers)
    assert failures["NotifyWorkersFailureStatuses"] == []
    call("CreateWorkerBlock", WorkerId=workers[1], Reason="Names photographers.")
    assert [row["WorkerId"] for row in call("ListWorkerBlocks")["WorkerBlocks"]] == [workers[1]]
    call("DeleteWorkerBlock", WorkerId=workers[1], Reason="A mistake.")
    assert call("ListWorkerBlocks")["WorkerBlocks"] == []
    with pytest.raises(Failed):
        call("GetFileUploadURL", AssignmentId=good, QuestionIdentifier="picture")


def qualifications(program: Program, queue_url: str) -> None:
    call, crowd = program.call, program.crowd
    _site, worker = crowd.worker()
    named = {"Name": f"Zoologist {uuid.uuid4()}", "Description": "Knows animals.", "QualificationTypeStatus": "Active"}
    made = call("CreateQualificationType", **named, RetryDelayInSeconds=60)["QualificationType"]
    qualification = made["QualificationTypeId"]
    with pytest.raises(Failed, match="already created a QualificationType with this name"):
        call("CreateQualificationType", **named)
    call("UpdateQualificationType", QualificationTypeId=qualification, Description="Knows all animals.")
    known = call("GetQualificationType", QualificationTypeId=qualification)["QualificationType"]
    assert known["Description"] == "Knows all animals."
    owned = call("ListQualificationTypes", MustBeRequestable=False, MustBeOwnedByCaller=True)["QualificationTypes"]
    assert [row["QualificationTypeId"] for row in owned] == [qualification]

    held = {"QualificationTypeId": qualification, "WorkerId": worker}
    call("AssociateQualificationWithWorker", **held, IntegerValue=88, SendNotification=False)
    assert call("GetQualificationScore", **held)["Qualification"]["IntegerValue"] == 88
    holders = call("ListWorkersWithQualificationType", QualificationTypeId=qualification, Status="Granted")
    assert [row["WorkerId"] for row in holders["Qualifications"]] == [worker]
    asked = {
        "QualificationTypeId": qualification,
        "Comparator": "GreaterThanOrEqualTo",
        "IntegerValues": [80],
        "ActionsGuarded": "DiscoverPreviewAndAccept",
    }
    abroad = {
        "QualificationTypeId": "00000000000000000071",
        "Comparator": "NotIn",
        "LocaleValues": [{"Country": "US", "Subdivision": "PA"}, {"Country": "CA"}],
    }
    hit = call(
        "CreateHIT", **TYPE, LifetimeInSeconds=3600, Question=QUESTION, QualificationRequirements=[asked, abroad]
    )["HIT"]
    assert hit["QualificationRequirements"] == [asked, abroad]
    guarded = call("ListHITsForQualificationType", QualificationTypeId=qualification)["HITs"]
    assert [row["HITId"] for row in guarded] == [hit["HITId"]]
    assert call("ListQualificationRequests", QualificationTypeId=qualification)["QualificationRequests"] == []
    with pytest.raises(Failed, match="does not exist"):
        call("AcceptQualificationRequest", QualificationRequestId="3NOSUCHREQUEST", IntegerValue=1)
    with pytest.raises(Failed, match="does not exist"):
        call("RejectQualificationRequest", QualificationRequestId="3NOSUCHREQUEST", Reason="Too few animals.")
    call("DisassociateQualificationFromWorker", **held, Reason="Forgot the animals.")
    with pytest.raises(Failed, match="Granted"):
        call("GetQualificationScore", **held)
    call("UpdateExpirationForHIT", HITId=hit["HITId"], ExpireAt=0)
    call("DeleteHIT", HITId=hit["HITId"])
    call("DeleteQualificationType", QualificationTypeId=qualification)


def notifications(program: Program, queue_url: str) -> None:
    call = program.call
    hit_type = call("CreateHITType", **TYPE)["HITTypeId"]
    told = {
        "Destination": queue_url,
        "Transport": "SQS",
        "Version": "2014-08-15",
        "EventTypes": ["AssignmentSubmitted", "HITReviewable"],
    }
    call("UpdateNotificationSettings", HITTypeId=hit_type, Notification=told, Active=True)
    call("UpdateNotificationSettings", HITTypeId=hit_type, Active=False)
    call("SendTestEventNotification", Notification=told, TestEventType="Ping")
    with pytest.raises(Failed):
        call("UpdateNotificationSettings", HITTypeId="3NOSUCHTYPE", Notification=told)


STORIES = {
    hits_and_their_changes: {
        "GetAccountBalance",
        "CreateHITType",
        "CreateHITWithHITType",
        "CreateHIT",
        "ListHITs",
        "UpdateHITTypeOfHIT",
        "GetHIT",
        "CreateAdditionalAssignmentsForHIT",
        "UpdateExpirationForHIT",
        "ListReviewableHITs",
        "UpdateHITReviewStatus",
        "ListReviewPolicyResultsForHIT",
        "DeleteHIT",
    },
    work_and_pay: {
        "CreateHIT",
        "ListAssignmentsForHIT",
        "ApproveAssignment",
        "RejectAssignment",
        "GetAssignment",
        "SendBonus",
        "ListBonusPayments",
        "GetAccountBalance",
        "NotifyWorkers",
        "CreateWorkerBlock",
        "ListWorkerBlocks",
        "DeleteWorkerBlock",
        "GetFileUploadURL",
    },
    qualifications: {
        "CreateQualificationType",
        "UpdateQualificationType",
        "GetQualificationType",
        "ListQualificationTypes",
        "AssociateQualificationWithWorker",
        "GetQualificationScore",
        "ListWorkersWithQualificationType",
        "CreateHIT",
        "ListHITsForQualificationType",
        "ListQualificationRequests",
        "AcceptQualificationRequest",
        "RejectQualificationRequest",
        "DisassociateQualificationFromWorker",
        "UpdateExpirationForHIT",
        "DeleteHIT",
        "DeleteQualificationType",
    },
    notifications: {"CreateHITType", "UpdateNotificationSettings", "SendTestEventNotification"},
}


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_other_peoples_programs_work_by_changing_the_endpoint(program, place, story):
    story(program, place.queue_url)
    assert program.called == STORIES[story]


def test_every_operation_of_the_api_is_in_a_story():
    assert set.union(*STORIES.values()) == set(service_model().operation_names)
