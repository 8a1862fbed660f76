"""Qualification types, who holds them, and what they open and close."""

import pytest

from marketplace.models import Assignment
from marketplace.services import qualifications
from marketplace.services.qualifications import Value

from .conftest import Worker, question, turk_code

APPROVED, PERCENT, LOCALE = "00000000000000000040", "000000000000000000L0", "00000000000000000071"


@pytest.mark.parametrize(
    ("comparator", "wanted", "met_by", "not_met_by"),
    [
        ("LessThan", [5], [4], [5, 6, None]),
        ("LessThanOrEqualTo", [5], [4, 5], [6, None]),
        ("GreaterThan", [5], [6], [5, 4, None]),
        ("GreaterThanOrEqualTo", [5], [5, 6], [4, None]),
        ("EqualTo", [5], [5], [4, None]),
        ("NotEqualTo", [5], [4], [5, None]),
        ("In", [1, 5], [1, 5], [2, None]),
        ("NotIn", [1, 5], [2], [1, 5, None]),
        ("Exists", None, [0, 5], [None]),
        ("DoesNotExist", None, [None], [0, 5]),
    ],
)
def test_integer_comparators(comparator, wanted, met_by, not_met_by):
    requirement = {"QualificationTypeId": "3Q", "Comparator": comparator}
    if wanted is not None:
        requirement["IntegerValues"] = wanted
    for values, is_met in ((met_by, True), (not_met_by, False)):
        for value in values:
            held = None if value is None else Value(value)
            assert qualifications.meets(requirement, held) is is_met


@pytest.mark.parametrize(
    ("comparator", "places", "met_by", "not_met_by"),
    [
        ("EqualTo", ["US"], ["US", "US-PA"], ["CA", None]),
        ("EqualTo", ["US-PA"], ["US-PA"], ["US", "US-NY", None]),
        ("NotEqualTo", ["US"], ["CA"], ["US", "US-PA", None]),
        ("In", ["US", "CA"], ["US", "CA", "CA-ON"], ["DE", None]),
        ("NotIn", ["US", "CA"], ["DE"], ["US", "CA", None]),
        ("Exists", [], ["US"], [None]),
        ("DoesNotExist", [], [None], ["US"]),
    ],
)
def test_locale_comparators(comparator, places, met_by, not_met_by):
    requirement = {"QualificationTypeId": LOCALE, "Comparator": comparator}
    if places:
        parts = [place.partition("-") for place in places]
        requirement["LocaleValues"] = [
            {"Country": country} | ({"Subdivision": part} if part else {}) for country, _, part in parts
        ]
    for values, is_met in ((met_by, True), (not_met_by, False)):
        for place in values:
            country, _, part = (place or "").partition("-")
            held = Value(None, country, part) if place else None
            assert qualifications.meets(requirement, held) is is_met


def own_type(requester, name="took part", **changes) -> str:
    values = {"Name": name, "Description": "D", "QualificationTypeStatus": "Active"}
    values = {name: value for name, value in (values | changes).items() if value is not None}
    made = requester.mturk.create_qualification_type(**values)
    return made["QualificationType"]["QualificationTypeId"]


@pytest.mark.parametrize(
    ("guard", "discovers", "previews"),
    [
        (None, True, True),
        ("Accept", True, True),
        ("PreviewAndAccept", True, False),
        ("DiscoverPreviewAndAccept", False, False),
    ],
)
def test_a_requirement_guards_the_actions_that_it_names(requester, new_worker, guard, discovers, previews):
    type_id = own_type(requester)
    guarded = {"ActionsGuarded": guard} if guard else {}
    rule = {"QualificationTypeId": type_id, "Comparator": "GreaterThan", "IntegerValues": [5], **guarded}
    hit = requester.hit(requester.hit_type(QualificationRequirements=[rule]), MaxAssignments=3)
    without, below, holder = new_worker(), new_worker(), new_worker()
    for worker, value in ((below, 5), (holder, 6)):
        requester.mturk.associate_qualification_with_worker(
            QualificationTypeId=type_id, WorkerId=worker.worker_id, IntegerValue=value, SendNotification=False
        )
    preview = f"/projects/{hit['HITGroupId']}/tasks"
    for worker in (without, below):
        assert (worker.groups() == [hit["HITTypeId"]]) is discovers
        assert ("data-frame" in worker.client.get(preview).content.decode()) is previews
        assert worker.client.get(preview).status_code == (200 if discovers else 404)
        assert worker.try_accept(hit).status_code == (403 if discovers else 404)
    assert holder.groups() == [hit["HITTypeId"]]
    assert "data-frame" in holder.client.get(preview).content.decode()
    holder.accept(hit)
    assert Assignment.objects.count() == 1


def test_took_part_before_keeps_a_worker_out_from_the_grant_on(requester, worker):
    type_id = own_type(requester)
    rule = {"QualificationTypeId": type_id, "Comparator": "DoesNotExist", "ActionsGuarded": "DiscoverPreviewAndAccept"}
    hit_type = requester.hit_type(QualificationRequirements=[rule])
    first, second = requester.hit(hit_type), requester.hit(hit_type)
    worker.do(first)
    holds = {"QualificationTypeId": type_id, "WorkerId": worker.worker_id}
    requester.mturk.associate_qualification_with_worker(**holds)
    assert worker.groups() == []
    assert worker.try_accept(second).status_code == 404
    seen = requester.hit_type(QualificationRequirements=[rule | {"ActionsGuarded": "Accept"}])
    requester.hit(seen)
    assert "took part: not held" in worker.client.get("/projects/").content.decode()
    requester.mturk.disassociate_qualification_from_worker(**holds)
    assert worker.groups() == [seen, hit_type]
    assert "took part" not in worker.client.get("/projects/").content.decode()  # does not concern them now


def test_the_standing_that_operators_set_opens_hits(requester, new_worker):
    rules = [
        {"QualificationTypeId": APPROVED, "Comparator": "GreaterThan", "IntegerValues": [1000]},
        {"QualificationTypeId": PERCENT, "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [97]},
        {"QualificationTypeId": LOCALE, "Comparator": "In", "LocaleValues": [{"Country": "US"}, {"Country": "CA"}]},
    ]
    hit = requester.hit(requester.hit_type(QualificationRequirements=rules))
    assert new_worker(approved=1001, percent=96, country="US").try_accept(hit).status_code == 403
    assert new_worker(approved=1001, percent=97).try_accept(hit).status_code == 403
    refused = new_worker(approved=1000, percent=97, country="CA").try_accept(hit)
    assert "HITs approved above 1000" in refused.content.decode()
    new_worker(approved=1001, percent=97, country="CA").accept(hit)


def test_history_counts_where_no_operator_spoke(requester, worker):
    asked = [APPROVED, PERCENT]
    hits = requester.hit_type()
    decided = [worker.do(requester.hit(hits)) for _ in range(3)]
    requester.mturk.approve_assignment(AssignmentId=decided[0])
    requester.mturk.reject_assignment(AssignmentId=decided[1], RequesterFeedback="No")
    standing = qualifications.standing_of(worker.profile, asked)
    assert (standing[APPROVED].integer, standing[PERCENT].integer) == (1, 100)


def test_the_approval_rate_starts_at_100_submissions(requester, worker, monkeypatch):
    monkeypatch.setattr(qualifications, "RATE_COUNTS_FROM", 3)
    hits = requester.hit_type()
    decided = [worker.do(requester.hit(hits)) for _ in range(3)]
    requester.mturk.approve_assignment(AssignmentId=decided[0])
    requester.mturk.approve_assignment(AssignmentId=decided[1])
    requester.mturk.reject_assignment(AssignmentId=decided[2], RequesterFeedback="No")
    assert qualifications.standing_of(worker.profile, [PERCENT])[PERCENT].integer == 66


def test_a_type_is_made_once_and_read_back(requester, new_requester):
    made = requester.mturk.create_qualification_type(
        Name="Guidance quiz",
        Description="D",
        Keywords="quiz",
        QualificationTypeStatus="Active",
        RetryDelayInSeconds=60,
        AutoGranted=True,
    )["QualificationType"]
    assert (made["AutoGrantedValue"], made["RetryDelayInSeconds"], made["IsRequestable"]) == (1, 60, True)
    type_id = made["QualificationTypeId"]
    assert requester.mturk.get_qualification_type(QualificationTypeId=type_id)["QualificationType"] == made
    twin = {"Name": "Guidance quiz", "Description": "other", "QualificationTypeStatus": "Inactive"}
    refusal = requester.refusal("create_qualification_type", **twin)
    assert turk_code(refusal) == "QualificationTypeAlreadyExists"
    assert "already created a QualificationType with this name" in str(refusal)
    stranger = new_requester()
    own_type(stranger, "Guidance quiz")
    for operation, more in [
        ("get_qualification_type", {}),
        ("associate_qualification_with_worker", {"WorkerId": "A1"}),
        ("disassociate_qualification_from_worker", {"WorkerId": "A1"}),
        ("get_qualification_score", {"WorkerId": "A1"}),
        ("list_workers_with_qualification_type", {}),
    ]:
        refusal = stranger.refusal(operation, QualificationTypeId=type_id, **more)
        assert turk_code(refusal) == "QualificationTypeDoesNotExist"


@pytest.mark.parametrize(
    "change",
    [
        {"Name": ""},
        {"Name": "n" * 201},
        {"Description": "d" * 2001},
        {"Keywords": "k" * 1001},
        {"QualificationTypeStatus": "Sleeping"},
        {"RetryDelayInSeconds": -1},
        {"AutoGrantedValue": 3},
    ],
)
def test_a_type_with_a_wrong_value_is_refused(requester, change):
    values = {"Name": "N", "Description": "D", "QualificationTypeStatus": "Active"} | change
    assert turk_code(requester.refusal("create_qualification_type", **values)) == "InvalidParameterValue"


def test_types_are_listed_own_and_system(requester, new_requester):
    own_type(requester, "alpha", Keywords="greek")
    own_type(requester, "beta", QualificationTypeStatus="Inactive")
    own_type(new_requester(), "gamma")
    listed = lambda **which: [  # noqa: E731
        row["Name"]
        for row in requester.mturk.list_qualification_types(**{"MustBeRequestable": False, **which})[
            "QualificationTypes"
        ]
    ]
    assert listed(MustBeOwnedByCaller=True) == ["alpha", "beta"]
    assert listed(MustBeOwnedByCaller=True, MustBeRequestable=True) == ["alpha"]
    assert listed(Query="GREEK") == ["alpha"]
    assert "Worker_Locale" in listed()
    assert "gamma" not in listed(MaxResults=100)


def test_scores_are_given_changed_and_revoked(requester, worker: Worker):
    type_id = own_type(requester)
    holds = {"QualificationTypeId": type_id, "WorkerId": worker.worker_id}
    score = lambda: requester.mturk.get_qualification_score(**holds)["Qualification"]  # noqa: E731
    listed = lambda status: [  # noqa: E731
        row["WorkerId"]
        for row in requester.mturk.list_workers_with_qualification_type(QualificationTypeId=type_id, Status=status)[
            "Qualifications"
        ]
    ]
    refusal = requester.refusal("get_qualification_score", **holds)
    assert turk_code(refusal) == "QualificationDoesNotExist"
    assert "does not exist" in str(refusal)
    requester.mturk.associate_qualification_with_worker(**holds)
    assert (score()["IntegerValue"], score()["Status"]) == (1, "Granted")
    requester.mturk.associate_qualification_with_worker(**holds, IntegerValue=-7)
    assert score()["IntegerValue"] == -7
    assert (listed("Granted"), listed("Revoked")) == ([worker.worker_id], [])
    requester.mturk.disassociate_qualification_from_worker(**holds, Reason="for now")
    refusal = requester.refusal("get_qualification_score", **holds)
    assert turk_code(refusal) == "InvalidQualificationState"
    assert "with a status of: Granted" in str(refusal)
    assert (listed("Granted"), listed("Revoked")) == ([], [worker.worker_id])
    again = requester.refusal("disassociate_qualification_from_worker", **holds)
    assert turk_code(again) == "InvalidQualificationState"


def test_an_unknown_worker_cannot_be_given_anything(requester):
    call = {"QualificationTypeId": own_type(requester), "WorkerId": "ANOBODY"}
    assert turk_code(requester.refusal("associate_qualification_with_worker", **call)) == "InvalidParameterValue"


@pytest.mark.parametrize(
    ("status", "code"), [("Inactive", "InvalidQualificationTypeState"), (None, "QualificationTypeDoesNotExist")]
)
def test_hits_cannot_ask_for_a_type_that_is_inactive_or_anothers(requester, new_requester, status, code):
    owner = requester if status else new_requester()
    type_id = own_type(owner, QualificationTypeStatus=status or "Active")
    refusal = requester.refusal(
        "create_hit",
        Title="T",
        Description="D",
        Reward="0.10",
        AssignmentDurationInSeconds=60,
        LifetimeInSeconds=60,
        Question=question(),
        QualificationRequirements=[{"QualificationTypeId": type_id, "Comparator": "Exists"}],
    )
    assert turk_code(refusal) == code
