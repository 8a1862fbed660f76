"""Qualification types, who holds them, and what they open and close."""

import pytest

from .conftest import external_question, message, turk_code
from .facts import DOCS, INFERRED, MODEL, OURS, SEEN, cites

pytestmark = pytest.mark.slow

FACTS = "Qualifications"
APPROVED, PERCENT, LOCALE = "00000000000000000040", "000000000000000000L0", "00000000000000000071"
SYSTEM = [APPROVED, PERCENT, LOCALE, "00000000000000000060"]


def grant(requester, worker, type_id, **changes):
    values = {"QualificationTypeId": type_id, "WorkerId": worker.worker_id, "SendNotification": False}
    requester.mturk.associate_qualification_with_worker(**values | changes)


@pytest.mark.parametrize("type_id", SYSTEM)
@cites("QualificationRequirement", "the system's types have these ids", DOCS)
def test_the_systems_types_are_there(requester, type_id):
    found = requester.mturk.get_qualification_type(QualificationTypeId=type_id)["QualificationType"]
    assert found["QualificationTypeId"] == type_id
    assert found["IsRequestable"] is False


@pytest.mark.parametrize(
    ("guard", "discovers", "previews"),
    [
        (None, True, True),
        ("Accept", True, True),
        ("PreviewAndAccept", True, False),
        ("DiscoverPreviewAndAccept", False, False),
    ],
)
@cites("QualificationRequirement", "ActionsGuarded: Accept where not given; each guards the stricter ones too", MODEL)
def test_a_requirement_guards_the_actions_that_it_names(requester, new_worker, guard, discovers, previews):
    type_id = requester.qualification_type()
    rule = {"QualificationTypeId": type_id, "Comparator": "GreaterThan", "IntegerValues": [5]}
    guarded = rule | ({"ActionsGuarded": guard} if guard else {})
    hit = requester.hit(requester.hit_type(QualificationRequirements=[guarded]), MaxAssignments=3)
    without, below, holder = new_worker(), new_worker(), new_worker()
    grant(requester, below, type_id, IntegerValue=5)
    grant(requester, holder, type_id, IntegerValue=6)
    for worker in (without, below):
        assert worker.finds(hit) is discovers
        assert worker.previews(hit) is previews
        assert worker.try_accept(hit) is None
    assert holder.finds(hit)
    assert holder.previews(hit)
    assert holder.try_accept(hit)


@cites("QualificationRequirement", "having taken part: DoesNotExist with DiscoverPreviewAndAccept, granted after", DOCS)
def test_took_part_before_keeps_a_worker_out_from_the_grant_on(requester, worker):
    type_id = requester.qualification_type()
    rule = {"QualificationTypeId": type_id, "Comparator": "DoesNotExist", "ActionsGuarded": "DiscoverPreviewAndAccept"}
    hit_type = requester.hit_type(QualificationRequirements=[rule])
    first, second = requester.hit(hit_type), requester.hit(hit_type)
    worker.do(first)
    grant(requester, worker, type_id)
    assert not worker.finds(second)
    assert worker.try_accept(second) is None
    holds = {"QualificationTypeId": type_id, "WorkerId": worker.worker_id}
    requester.mturk.disassociate_qualification_from_worker(**holds, Reason="Let in again")
    assert worker.finds(second)
    worker.accept(second)


@cites("QualificationRequirement", "a bare country matches its subdivisions, which match no bare country", INFERRED)
@cites("QualificationRequirement", "approval rate, number approved and locale are the system's to say", DOCS)
def test_the_systems_values_open_hits(requester, new_worker):
    rules = [
        {"QualificationTypeId": APPROVED, "Comparator": "GreaterThan", "IntegerValues": [1000]},
        {"QualificationTypeId": PERCENT, "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [97]},
        {"QualificationTypeId": LOCALE, "Comparator": "In", "LocaleValues": [{"Country": "US"}, {"Country": "CA"}]},
    ]
    hit = requester.hit(requester.hit_type(QualificationRequirements=rules), MaxAssignments=5)
    assert new_worker(approved=1001, percent=96, country="US").try_accept(hit) is None
    assert new_worker(approved=1000, percent=97, country="US").try_accept(hit) is None
    assert new_worker(approved=1001, percent=97, country="DE").try_accept(hit) is None
    assert new_worker(approved=1001, percent=97, country="CA").try_accept(hit)
    assert new_worker(approved=1001, percent=97, country="US", subdivision="PA").try_accept(hit)


@cites("QualificationRequirement", "the approval rate reads 100 until 100 assignments were submitted", DOCS)
def test_a_newcomers_approval_rate_is_100(requester, new_worker):
    rule = {"QualificationTypeId": PERCENT, "Comparator": "EqualTo", "IntegerValues": [100]}
    hit_type = requester.hit_type(QualificationRequirements=[rule])
    worker = new_worker()
    requester.mturk.reject_assignment(AssignmentId=worker.do(requester.hit(hit_type)), RequesterFeedback="No")
    assert worker.try_accept(requester.hit(hit_type))


@pytest.mark.parametrize("comparator", ["NotEqualTo", "LessThan", "NotIn"])
@cites("QualificationRequirement", "without a value no comparator is met but DoesNotExist", OURS)
def test_without_a_value_no_comparison_is_met(requester, worker, comparator):
    type_id = requester.qualification_type()
    rule = {"QualificationTypeId": type_id, "Comparator": comparator, "IntegerValues": [5]}
    hit = requester.hit(requester.hit_type(QualificationRequirements=[rule]))
    assert worker.try_accept(hit) is None
    grant(requester, worker, type_id, IntegerValue=4)
    assert worker.try_accept(hit)


@cites("CreateQualificationType", "the name is unique for a requester", MODEL)
@cites("CreateQualificationType", "already created a QualificationType with this name", SEEN)
@cites("CreateQualificationType", "AutoGrantedValue is 1 where not given", DOCS)
def test_a_type_is_made_once_and_read_back(requester, stranger):
    name = f"Guidance quiz {requester.hit_type()}"
    values = {"Name": name, "Description": "D", "QualificationTypeStatus": "Active"}
    more = {"Keywords": "quiz", "RetryDelayInSeconds": 60, "AutoGranted": True}
    made = requester.mturk.create_qualification_type(**values, **more)["QualificationType"]
    assert (made["AutoGrantedValue"], made["RetryDelayInSeconds"], made["IsRequestable"]) == (1, 60, True)
    found = requester.mturk.get_qualification_type(QualificationTypeId=made["QualificationTypeId"])
    assert found["QualificationType"] == made
    refusal = requester.refusal("create_qualification_type", **values)
    assert turk_code(refusal) == "QualificationTypeAlreadyExists"
    assert "already created a QualificationType with this name" in message(refusal)
    assert stranger.mturk.create_qualification_type(**values)


@cites("UpdateQualificationType", "everything but name and keywords can change", MODEL)
def test_a_type_is_changed(requester):
    type_id = requester.qualification_type()
    changed = requester.mturk.update_qualification_type(
        QualificationTypeId=type_id, Description="Other", QualificationTypeStatus="Inactive"
    )["QualificationType"]
    assert (changed["Description"], changed["QualificationTypeStatus"]) == ("Other", "Inactive")
    assert requester.mturk.get_qualification_type(QualificationTypeId=type_id)["QualificationType"] == changed


@cites("DeleteQualificationType", "a deleted type is gone, and so are the HIT types that use it", MODEL)
def test_a_type_is_deleted(requester):
    type_id = requester.qualification_type()
    requester.mturk.delete_qualification_type(QualificationTypeId=type_id)
    asks = {"QualificationTypeId": type_id, "Comparator": "Exists"}
    code = requester.refused(
        "create_hit_type",
        Title="T",
        Description="D",
        Reward="0.10",
        AssignmentDurationInSeconds=60,
        QualificationRequirements=[asks],
    )
    assert code in ("QualificationTypeDoesNotExist", "InvalidQualificationTypeState")


@cites("CreateHIT", "an Inactive type cannot be used in new HITs", MODEL)
@cites("RequestError", "the code is InvalidQualificationTypeState", INFERRED)
def test_hits_cannot_ask_for_an_inactive_type(requester):
    type_id = requester.qualification_type(QualificationTypeStatus="Inactive")
    values = {"Title": "T", "Description": "D", "Reward": "0.10", "AssignmentDurationInSeconds": 60}
    rules = [{"QualificationTypeId": type_id, "Comparator": "Exists"}]
    question = {"LifetimeInSeconds": 60, "Question": external_question()}
    code = requester.refused("create_hit", **values, **question, QualificationRequirements=rules)
    assert code == "InvalidQualificationTypeState"


@cites("GetQualificationScore", "a grant overwrites; IntegerValue is 1 where not given", INFERRED)
@cites("GetQualificationScore", "never granted: does not exist; revoked: with a status of: Granted", SEEN)
@cites("ListWorkersWithQualificationType", "Granted where no status is given, or Revoked", MODEL)
def test_scores_are_given_changed_and_revoked(requester, worker):
    type_id = requester.qualification_type()
    holds = {"QualificationTypeId": type_id, "WorkerId": worker.worker_id}

    def listed(**status):
        rows = requester.mturk.list_workers_with_qualification_type(QualificationTypeId=type_id, **status)
        return [row["WorkerId"] for row in rows["Qualifications"]]

    refusal = requester.refusal("get_qualification_score", **holds)
    assert turk_code(refusal) == "QualificationDoesNotExist"
    assert "does not exist" in message(refusal)
    grant(requester, worker, type_id)
    score = requester.mturk.get_qualification_score(**holds)["Qualification"]
    assert (score["IntegerValue"], score["Status"]) == (1, "Granted")
    grant(requester, worker, type_id, IntegerValue=-7)
    assert requester.mturk.get_qualification_score(**holds)["Qualification"]["IntegerValue"] == -7
    assert (listed(), listed(Status="Revoked")) == ([worker.worker_id], [])
    requester.mturk.disassociate_qualification_from_worker(**holds, Reason="for now")
    refusal = requester.refusal("get_qualification_score", **holds)
    assert turk_code(refusal) == "InvalidQualificationState"
    assert "with a status of: Granted" in message(refusal)
    assert (listed(), listed(Status="Revoked")) == ([], [worker.worker_id])
    assert requester.refused("disassociate_qualification_from_worker", **holds) == "InvalidQualificationState"


@cites("AssociateQualificationWithWorker", "a worker of nobody's is an InvalidParameterValue", OURS)
def test_an_unknown_worker_cannot_be_given_anything(requester):
    call = {"QualificationTypeId": requester.qualification_type(), "WorkerId": "ANOBODY"}
    assert requester.refused("associate_qualification_with_worker", **call) == "InvalidParameterValue"


@cites("ListHITsForQualificationType", "HITs of any status but deleted ones", MODEL)
@cites("ListHITsForQualificationType", "the caller's own, newest first", OURS)
def test_hits_are_found_by_the_qualification_that_they_require(requester):
    type_id = requester.qualification_type()
    rule = {"QualificationTypeId": type_id, "Comparator": "Exists"}
    hits = [requester.hit(requester.hit_type(QualificationRequirements=[rule])) for _ in range(3)]
    requester.hit()
    for hit in hits[:2]:
        requester.expire(hit)
    requester.mturk.delete_hit(HITId=hits[1]["HITId"])
    paginator = requester.mturk.get_paginator("list_hits_for_qualification_type")
    pages = paginator.paginate(QualificationTypeId=type_id, MaxResults=1)
    assert [hit["HITId"] for page in pages for hit in page["HITs"]] == [hits[2]["HITId"], hits[0]["HITId"]]
