"""The limits of every field: a value at the limit is taken, one past it is refused by the field's name."""

import pytest

from .conftest import external_question, message, turk_code
from .facts import DOCS, INFERRED, LEGACY, MODEL, OURS, cites

pytestmark = pytest.mark.slow

FACTS = "Limits; what botocore checks before sending, and what it does not; external question; qualifications"

GOOD_TYPE = {"Title": "T", "Description": "D", "Reward": "0.05", "AssignmentDurationInSeconds": 60}
GOOD_QUALIFICATION = {"Name": "N", "Description": "D", "QualificationTypeStatus": "Active"}
NUMBER_APPROVED, LOCALE = "00000000000000000040", "00000000000000000071"


def rule(**changes) -> list[dict]:
    return [{"QualificationTypeId": NUMBER_APPROVED, "Comparator": "GreaterThan", "IntegerValues": [1]} | changes]


def locale(*countries, comparator="In") -> list[dict]:
    places = [{"Country": country} for country in countries]
    return [{"QualificationTypeId": LOCALE, "Comparator": comparator, "LocaleValues": places}]


def shown(change: object) -> str:
    return str(change)[:60]


@pytest.mark.parametrize(
    "change",
    [
        {"Title": "t" * 128},
        {"Description": "d" * 2000},
        {"Keywords": "k" * 1000},
        {"Title": "Überschrift 🦉"},
        {"Reward": "1."},
        {"Reward": "0.01"},
        {"AssignmentDurationInSeconds": 30},
        {"AssignmentDurationInSeconds": 31536000},
        {"AutoApprovalDelayInSeconds": 0},
        {"AutoApprovalDelayInSeconds": 2592000},
    ],
    ids=shown,
)
@cites("CreateHITType", "128, 2000 and 1000 characters; 30 s to a year; 0 to 30 days", LEGACY)
@cites("CreateHITType", "money is dollars with a digit before the point and at most two after it", MODEL)
def test_values_at_the_limit_are_taken(requester, change):
    assert requester.mturk.create_hit_type(**GOOD_TYPE | change)["HITTypeId"]


@pytest.mark.parametrize(
    "change",
    [
        {"Title": "t" * 129},
        {"Title": ""},
        {"Title": None},
        {"Description": "d" * 2001},
        {"Description": ""},
        {"Keywords": "k" * 1001},
        {"Reward": "0.005"},
        {"Reward": "-1"},
        {"Reward": "1,50"},
        {"Reward": ".10"},
        {"Reward": "0.05\n"},
        {"Reward": "٣"},
        {"AssignmentDurationInSeconds": 29},
        {"AssignmentDurationInSeconds": 31536001},
        {"AssignmentDurationInSeconds": 2**63},
        {"AutoApprovalDelayInSeconds": -1},
        {"AutoApprovalDelayInSeconds": 2592001},
    ],
    ids=shown,
)
@cites("CreateHITType", "128, 2000 and 1000 characters; 30 s to a year; 0 to 30 days", LEGACY)
@cites("CreateHITType", "money is dollars with a digit before the point and at most two after it", MODEL)
def test_values_past_a_limit_are_refused(requester, change):
    refusal = requester.refusal("create_hit_type", **GOOD_TYPE | change)
    assert turk_code(refusal) == "InvalidParameterValue"
    assert next(iter(change)) in message(refusal)


@pytest.mark.parametrize("reward", ["0", "0.00", "10000.01", "1000000000"])
@cites("CreateHITType", "least and greatest reward are stated nowhere: 0.01 to 10000.00", OURS)
def test_a_reward_has_a_least_and_a_greatest_value(requester, reward):
    assert requester.refused("create_hit_type", **GOOD_TYPE | {"Reward": reward}) == "InvalidParameterValue"
    assert requester.mturk.create_hit_type(**GOOD_TYPE | {"Reward": "10000.00"})


@pytest.mark.parametrize("text", [" \n", "nul \x00", "half \ud83e"], ids=["blank", "NUL", "half a pair"])
@cites("CreateHITType", "a title of blanks, and characters that no database holds, are refused", OURS)
def test_a_title_that_is_none_is_refused(requester, text):
    assert requester.refused("create_hit_type", **GOOD_TYPE | {"Title": text}) == "InvalidParameterValue"


@pytest.mark.parametrize(
    "rules",
    [
        rule() * 10,
        rule(Comparator="In", IntegerValues=list(range(15))),
        rule(Comparator="Exists", IntegerValues=[]),
        locale(*["US"] * 30),
        locale("US", comparator="EqualTo"),
        rule(ActionsGuarded="DiscoverPreviewAndAccept"),
        rule(RequiredToPreview=True),
    ],
    ids=shown,
)
@cites("QualificationRequirement", "10 a HIT; 15 integers or 30 locales with In and NotIn, else one", MODEL)
def test_requirements_within_the_rules_are_taken(requester, rules):
    assert requester.mturk.create_hit_type(**GOOD_TYPE, QualificationRequirements=rules)["HITTypeId"]


@pytest.mark.parametrize(
    "rules",
    [
        rule() * 11,
        rule(Comparator="Near"),
        rule(Comparator="In", IntegerValues=list(range(16))),
        rule(IntegerValues=[1, 2]),
        rule(IntegerValues=[]),
        rule(IntegerValues=[2**31]),
        rule(Comparator="Exists"),
        rule(ActionsGuarded="Everything"),
        rule(ActionsGuarded="Accept", RequiredToPreview=True),
        rule(LocaleValues=[{"Country": "US"}]),
        locale("USA"),
        locale("us"),
        locale(*["US"] * 31),
        locale("US", comparator="GreaterThan"),
    ],
    ids=shown,
)
@cites("QualificationRequirement", "which values go with which comparator", MODEL)
def test_requirements_against_the_rules_are_refused(requester, rules):
    assert requester.refused("create_hit_type", **GOOD_TYPE, QualificationRequirements=rules) == "InvalidParameterValue"


@pytest.mark.parametrize(
    "change",
    [
        {"MaxAssignments": 9},
        {"LifetimeInSeconds": 30},
        {"LifetimeInSeconds": 31536000},
        {"RequesterAnnotation": "a" * 255},
        {"UniqueRequestToken": "t" * 64},
        {"Question": external_question("https://requester.example/" + "x" * 65200)},
        {"Question": external_question(height=800)},
    ],
    ids=shown,
)
@cites("CreateHITWithHITType", "lifetime 30 s to a year", LEGACY)
@cites("CreateHITWithHITType", "annotation 255 characters, token 64, question 65535 bytes", DOCS)
def test_hit_values_at_the_limit_are_taken(requester, change):
    assert requester.hit(**change)["HITStatus"] == "Assignable"


@cites("CreateHITWithHITType", "MaxAssignments is 1 to a thousand million", LEGACY)
def test_a_thousand_million_assignments_are_the_most(requester):
    if not requester.is_sandbox:
        pytest.skip("only a sandbox can afford it")
    assert requester.hit(MaxAssignments=1_000_000_000)["NumberOfAssignmentsAvailable"] == 1_000_000_000


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"MaxAssignments": 0}, "InvalidParameterValue"),
        ({"MaxAssignments": -1}, "InvalidParameterValue"),
        ({"MaxAssignments": 1_000_000_001}, "InvalidParameterValue"),
        ({"LifetimeInSeconds": 0}, "InvalidParameterValue"),
        ({"LifetimeInSeconds": 29}, "InvalidParameterValue"),
        ({"LifetimeInSeconds": 31536001}, "InvalidParameterValue"),
        ({"RequesterAnnotation": "a" * 256}, "InvalidParameterValue"),
        ({"UniqueRequestToken": "t" * 65}, "InvalidParameterValue"),
        ({"UniqueRequestToken": ""}, "InvalidParameterValue"),
        ({"Question": external_question("https://requester.example/" + "é" * 33000)}, "InvalidParameterValue"),
        ({"Question": external_question("ftp://requester.example/")}, "InvalidParameterValue"),
        ({"Question": external_question("javascript:alert(1)")}, "InvalidParameterValue"),
    ],
    ids=shown,
)
@cites("CreateHITWithHITType", "lifetime 30 s to a year; MaxAssignments 1 to a thousand million", LEGACY)
@cites("ExternalQuestion", "the address is https; the question has 65535 bytes at most, in UTF-8", DOCS)
def test_hit_values_past_a_limit_are_refused(requester, change, code):
    values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 3600, "Question": external_question()} | change
    refusal = requester.refusal("create_hit_with_hit_type", **values)
    assert turk_code(refusal) == code
    assert next(iter(change)) in message(refusal)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "not xml",
        external_question(height="tall"),
        external_question(height=-1),
        external_question().replace("2006-07-14", "2007-07-14"),
        external_question().replace("FrameHeight", "Height"),
        '<!DOCTYPE x [<!ENTITY a "b">]>' + external_question(),
    ],
    ids=shown,
)
@cites("ExternalQuestion", "a question that is not of a schema is refused", DOCS)
@cites("RequestError", "the code is XMLParseError", INFERRED)
def test_a_question_that_is_none_is_refused(requester, question):
    values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 3600, "Question": question}
    assert requester.refused("create_hit_with_hit_type", **values) == "XMLParseError"


@pytest.mark.parametrize("question", [{}, {"Question": external_question()}], ids=["alone", "with a question"])
@cites("CreateHITWithHITType", "a layout is of the requester's site; HITLayoutDoesNotExist where it is none", INFERRED)
def test_a_layout_that_nobody_has_is_refused(requester, question):
    values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 3600, "HITLayoutId": "3LAYOUT"}
    assert requester.refused("create_hit_with_hit_type", **values, **question) == "HITLayoutDoesNotExist"


@cites("CreateHITWithHITType", "a HIT has a question, or a layout", DOCS)
def test_a_hit_without_a_question_is_refused(requester):
    values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 3600}
    assert requester.refused("create_hit_with_hit_type", **values) == "InvalidParameterValue"


@pytest.mark.parametrize("number", [0, -1, 1_000_000_001])
@cites("CreateAdditionalAssignmentsForHIT", "1 to a thousand million", LEGACY)
def test_added_assignments_have_bounds(requester, number):
    call = {"HITId": requester.hit(MaxAssignments=10)["HITId"], "NumberOfAdditionalAssignments": number}
    assert requester.refused("create_additional_assignments_for_hit", **call) == "InvalidParameterValue"


@pytest.mark.parametrize(
    "change",
    [
        {"Name": ""},
        {"Description": "d" * 2001},
        {"Keywords": "k" * 1001},
        {"QualificationTypeStatus": "Sleeping"},
        {"RetryDelayInSeconds": -1},
        {"Test": "t" * 65536, "TestDurationInSeconds": 60},
    ],
    ids=shown,
)
@cites("CreateQualificationType", "2000 and 1000 characters; a test of 65535 bytes", DOCS)
def test_a_qualification_type_past_a_limit_is_refused(requester, change):
    refused = requester.refused("create_qualification_type", **GOOD_QUALIFICATION | change)
    assert refused in ("InvalidParameterValue", "XMLParseError")


@pytest.mark.parametrize("size", [0, 101, -1])
@pytest.mark.parametrize(
    "operation", ["list_hits", "list_reviewable_hits", "list_worker_blocks", "list_qualification_requests"]
)
@cites("ListHITs", "MaxResults is 1 to 100", MODEL)
def test_a_page_size_outside_1_to_100_is_refused(requester, operation, size):
    assert requester.refused(operation, MaxResults=size) == "InvalidParameterValue"
    assert getattr(requester.mturk, operation)(MaxResults=100)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"Subject": "s" * 201}, "Subject"),
        ({"MessageText": "t" * 4097}, "MessageText"),
        ({"WorkerIds": [f"A{number}" for number in range(101)]}, "WorkerIds"),
        ({"WorkerIds": ["not an id"]}, "WorkerIds"),
    ],
    ids=["Subject", "MessageText", "101 workers", "no id"],
)
@cites("NotifyWorkers", "100 workers, a subject of 200 and a text of 4096 characters", MODEL)
def test_a_message_past_a_limit_is_refused(requester, wrong, named):
    good = {"WorkerIds": ["A1"], "Subject": "s", "MessageText": "t"}
    refusal = requester.refusal("notify_workers", **good | wrong)
    assert turk_code(refusal) == "InvalidParameterValue"
    assert named in message(refusal)


@pytest.mark.parametrize("wrong", [{"Subject": " "}, {"MessageText": ""}, {"WorkerIds": []}], ids=shown)
@cites("NotifyWorkers", "an empty message, or one to nobody, is refused", OURS)
def test_an_empty_message_is_refused(requester, wrong):
    good = {"WorkerIds": ["A1"], "Subject": "s", "MessageText": "t"}
    assert requester.refused("notify_workers", **good | wrong) == "InvalidParameterValue"
