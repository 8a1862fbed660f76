"""Every field of a call is checked: by the service model, and by the limits that AWS states in words."""

import json
import re

import pytest

from .conftest import question, turk_code
from .test_signatures import Signed

GOOD_TYPE = {"Title": "T", "Description": "D", "Reward": "0.05", "AssignmentDurationInSeconds": 60}


def requirement(**changes) -> list[dict]:
    return [
        {"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThan", "IntegerValues": [1]} | changes
    ]


def locale(*countries, comparator="In") -> list[dict]:
    places = [{"Country": country} for country in countries]
    return [{"QualificationTypeId": "00000000000000000071", "Comparator": comparator, "LocaleValues": places}]


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
        {"QualificationRequirements": requirement(Comparator="In", IntegerValues=list(range(15)))},
        {"QualificationRequirements": locale(*["US"] * 30)},
        {"QualificationRequirements": requirement() * 10},
    ],
    ids=lambda change: str(change)[:60],
)
def test_values_at_the_limit_are_taken(requester, change):
    assert requester.mturk.create_hit_type(**GOOD_TYPE | change)["HITTypeId"]


@pytest.mark.parametrize(
    "change",
    [
        {"Title": "t" * 129},
        {"Title": ""},
        {"Title": " \n"},
        {"Title": "nul \x00"},
        {"Title": None},
        {"Description": "d" * 2001},
        {"Keywords": "k" * 1001},
        {"Reward": "0"},
        {"Reward": "0.005"},
        {"Reward": "1000000000"},
        {"Reward": "-1"},
        {"Reward": "1,50"},
        {"Reward": "0.05\n"},
        {"Reward": "٣"},
        {"AssignmentDurationInSeconds": 29},
        {"AssignmentDurationInSeconds": 31536001},
        {"AssignmentDurationInSeconds": 2**63},
        {"AutoApprovalDelayInSeconds": -1},
        {"AutoApprovalDelayInSeconds": 2592001},
        {"QualificationRequirements": requirement() * 11},
        {"QualificationRequirements": requirement(Comparator="Near")},
        {"QualificationRequirements": requirement(Comparator="In", IntegerValues=list(range(16)))},
        {"QualificationRequirements": requirement(IntegerValues=[1, 2])},
        {"QualificationRequirements": requirement(IntegerValues=[])},
        {"QualificationRequirements": requirement(IntegerValues=[2**31])},
        {"QualificationRequirements": requirement(Comparator="Exists")},
        {"QualificationRequirements": requirement(ActionsGuarded="Everything")},
        {"QualificationRequirements": requirement(ActionsGuarded="Accept", RequiredToPreview=True)},
        {"QualificationRequirements": locale("USA")},
        {"QualificationRequirements": locale("us")},
        {"QualificationRequirements": locale(*["US"] * 31)},
        {"QualificationRequirements": locale("US", comparator="GreaterThan")},
        {"QualificationRequirements": requirement(LocaleValues=[{"Country": "US"}])},
    ],
    ids=lambda change: str(change)[:70],
)
def test_values_past_a_limit_are_refused(requester, change):
    refusal = requester.refusal("create_hit_type", **GOOD_TYPE | change)
    assert refusal.response["Error"]["Code"] == "RequestError"
    assert turk_code(refusal) == "InvalidParameterValue"


@pytest.mark.parametrize("reward", ["0.10", "0.1", ".10"])
def test_a_reward_is_dollars_with_a_digit_before_the_point(requester, reward):
    if reward == ".10":
        assert turk_code(requester.refusal("create_hit_type", **GOOD_TYPE | {"Reward": reward})) == (
            "InvalidParameterValue"
        )
    else:
        hit = requester.hit(requester.hit_type(Reward=reward))
        assert hit["Reward"] == "0.10"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Title": 5}, "Title must be a string"),
        ({"Reward": 0.05}, "Reward must be a string"),
        ({"AssignmentDurationInSeconds": "60"}, "AssignmentDurationInSeconds must be a whole number"),
        ({"AssignmentDurationInSeconds": True}, "AssignmentDurationInSeconds must be a whole number"),
        ({"QualificationRequirements": {}}, "QualificationRequirements must be a list"),
        ({"QualificationRequirements": [1]}, r"QualificationRequirements\[0\] must be an object"),
    ],
)
def test_a_wrong_type_is_named(site, requester, change, message):
    target, body = "MTurkRequesterServiceV20170117.CreateHITType", GOOD_TYPE | change
    status, document = Signed(site.url, requester, target=target, body=json.dumps(body)).send()
    assert (status, document["__type"]) == (400, "SerializationException")
    assert re.search(message, document["Message"])


def test_an_unknown_member_is_named(site, requester):
    call = Signed(site.url, requester, target="MTurkRequesterServiceV20170117.ListHITs", body='{"Page": 2}')
    status, document = call.send()
    assert (status, document["TurkErrorCode"]) == (400, "AWS.MechanicalTurk.InvalidParameterValue")
    assert "Page" in document["Message"]


@pytest.mark.parametrize(
    "change",
    [
        {"MaxAssignments": 1_000_000_000},
        {"LifetimeInSeconds": 30},
        {"LifetimeInSeconds": 31536000},
        {"RequesterAnnotation": "a" * 255},
        {"UniqueRequestToken": "t" * 64},
        {"Question": question("http://requester.example/" + "x" * 65300)},
        {"Question": question(height=800)},
    ],
    ids=lambda change: str(change)[:50],
)
def test_hit_values_at_the_limit_are_taken(requester, change):
    assert requester.hit(**change)["HITStatus"] == "Assignable"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"MaxAssignments": 0}, "InvalidParameterValue"),
        ({"MaxAssignments": 1_000_000_001}, "InvalidParameterValue"),
        ({"LifetimeInSeconds": 0}, "InvalidParameterValue"),
        ({"LifetimeInSeconds": 29}, "InvalidParameterValue"),
        ({"LifetimeInSeconds": 31536001}, "InvalidParameterValue"),
        ({"RequesterAnnotation": "a" * 256}, "InvalidParameterValue"),
        ({"UniqueRequestToken": "t" * 65}, "InvalidParameterValue"),
        ({"UniqueRequestToken": ""}, "InvalidParameterValue"),
        ({"HITTypeId": "lower"}, "InvalidParameterValue"),
        ({"HITTypeId": "3" * 65}, "InvalidParameterValue"),
        ({"HITTypeId": "3NOBODYHASTHIS"}, "HITTypeDoesNotExist"),
        ({"Question": None}, "InvalidParameterValue"),
        ({"Question": question("http://requester.example/" + "é" * 33000)}, "InvalidParameterValue"),
        ({"Question": question("ftp://requester.example/")}, "InvalidParameterValue"),
        ({"Question": question("https:///no-host")}, "InvalidParameterValue"),
        ({"Question": question("http://[broken/")}, "InvalidParameterValue"),
        ({"Question": question("javascript:alert(1)")}, "InvalidParameterValue"),
        ({"Question": question(height="tall")}, "XMLParseError"),
        ({"Question": question(height=-1)}, "XMLParseError"),
        ({"Question": ""}, "XMLParseError"),
        ({"Question": "not xml"}, "XMLParseError"),
        ({"Question": question().replace("2006-07-14", "2007-07-14")}, "XMLParseError"),
        ({"Question": question().replace("FrameHeight", "Height")}, "XMLParseError"),
        ({"Question": '<!DOCTYPE x [<!ENTITY a "b">]>' + question()}, "XMLParseError"),
        ({"HITLayoutId": "3LAYOUT"}, "HITLayoutDoesNotExist"),
        ({"HITLayoutId": "3LAYOUT", "Question": None}, "HITLayoutDoesNotExist"),
        ({"HITLayoutParameters": [{"Name": "a", "Value": "b"}]}, "InvalidParameterValue"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_hit_values_past_a_limit_are_refused(requester, change, code):
    values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 3600, "Question": question()} | change
    refusal = requester.refusal("create_hit_with_hit_type", **{k: v for k, v in values.items() if v is not None})
    assert turk_code(refusal) == code
    assert requester.mturk.list_hits()["NumResults"] == 0


def test_a_page_must_be_https_unless_plain_http_is_allowed(requester, settings):
    settings.PLAIN_HTTP = False
    plain = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 60, "Question": question("http://a.example/")}
    assert turk_code(requester.refusal("create_hit_with_hit_type", **plain)) == "InvalidParameterValue"
    assert requester.hit(Question=question("https://a.example/"))


@pytest.mark.parametrize("size", [0, 101, -1])
def test_a_page_size_outside_1_to_100_is_refused(requester, size):
    assert turk_code(requester.refusal("list_hits", MaxResults=size)) == "InvalidParameterValue"


@pytest.mark.parametrize("operation", ["get_hit", "delete_hit", "list_assignments_for_hit"])
@pytest.mark.parametrize(
    ("hit_id", "code"),
    [("3UNKNOWN", "HITDoesNotExist"), ("with space", "InvalidParameterValue"), ("", "InvalidParameterValue")],
)
def test_ids_that_name_nothing_are_refused(requester, operation, hit_id, code):
    refusal = requester.refusal(operation, HITId=hit_id)
    assert turk_code(refusal) == code
    if code == "HITDoesNotExist":
        assert "Hit 3UNKNOWN does not exist. (" in refusal.response["Message"]


@pytest.mark.parametrize("operation", ["get_hit", "delete_hit", "list_assignments_for_hit"])
def test_another_requesters_hit_does_not_exist(new_requester, operation):
    hit = new_requester().hit()
    assert turk_code(new_requester().refusal(operation, HITId=hit["HITId"])) == "HITDoesNotExist"


def test_messages_end_with_a_stamp_that_tells_the_sandbox(new_requester):
    sandbox = new_requester().refusal("get_hit", HITId="3X")
    production = new_requester(funds="1.00").refusal("get_hit", HITId="3X")
    assert sandbox.response["Message"].endswith(" s)")
    assert production.response["Message"][-2].isdigit()
