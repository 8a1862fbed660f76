"""How a call travels: transport, signature, and what the front end says to those who may not call."""

import json
import uuid
from datetime import UTC, datetime, timedelta

import boto3
import pytest
from botocore.exceptions import ClientError

from .conftest import external_question, mturk_client
from .facts import DOCS, INFERRED, MODEL, OURS, SEEN, WIRE, cites
from .signing import SERVICE, Signed

FACTS = "Wire protocol: transport, errors, signatures"
SIGNING = "Create a signed AWS API request"
OPERATIONS = sorted(boto3.client("mturk", region_name="us-east-1").meta.service_model.operation_names)


@cites("Common parameters", "JSON 1.1 over POST /, named by X-Amz-Target; success is status 200", WIRE)
@cites("GetAccountBalance", "the sandbox's balance is 10000.00", DOCS)
def test_a_well_signed_call_is_answered_with_json_and_a_request_id(endpoint, requester):
    status, headers, document = Signed(endpoint.url, requester).answer()
    assert status == 200
    assert headers["Content-Type"].startswith("application/x-amz-json-1.1")
    assert uuid.UUID(headers["x-amzn-RequestId"])
    assert document["AvailableBalance"] == "10000.00" if requester.is_sandbox else document["AvailableBalance"]


@cites("UpdateExpirationForHIT", "an empty result is {}, which botocore's parser takes; null it does not", WIRE)
def test_an_empty_result_is_an_empty_object(endpoint, requester):
    body = json.dumps({"HITId": requester.hit()["HITId"], "ExpireAt": 0})
    assert Signed(endpoint.url, requester, "UpdateExpirationForHIT", body=body).send() == (200, {})


@pytest.mark.parametrize("operation", OPERATIONS)
@cites("Operations", "the service has 39 operations", MODEL)
def test_every_operation_of_the_model_is_served(endpoint, requester, operation):
    status, document = Signed(endpoint.url, requester, operation).send()
    assert document.get("__type") != "UnknownOperationException"
    assert status in (200, 400)


def spoil_body(call):
    call.body = '{"MaxResults": 1}'


def spoil_target(call):
    call.headers["X-Amz-Target"] = f"{SERVICE}.ListHITs"


def swap_signature(call):
    call.headers["Authorization"] = call.headers["Authorization"][:-4] + "0000"


def unsign_target(call):
    call.headers["Authorization"] = call.headers["Authorization"].replace(";x-amz-target", "")


@pytest.mark.parametrize("spoil", [spoil_body, spoil_target, swap_signature, unsign_target])
@cites(SIGNING, "the signature covers the target, the date and the body; one that does not match is refused", DOCS)
@cites("Common errors", "the error is InvalidSignatureException, with status 400", INFERRED)
def test_a_call_changed_on_its_way_is_refused(endpoint, requester, spoil):
    call = Signed(endpoint.url, requester)
    spoil(call)
    status, document = call.send()
    assert (status, document["__type"]) == (400, "InvalidSignatureException")


def drop_authorization(call):
    del call.headers["Authorization"]


def drop_date(call):
    del call.headers["X-Amz-Date"]


def cut_signature(call):
    call.headers["Authorization"] = call.headers["Authorization"][:-1] + "x"


def name_unknown_key(call):
    call.headers["Authorization"] = call.headers["Authorization"].replace("Credential=A", "Credential=NO")


def add_session_token(call):
    call.headers["X-Amz-Security-Token"] = "of somewhere else"


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (drop_authorization, "MissingAuthenticationTokenException"),
        (drop_date, "IncompleteSignatureException"),
        (cut_signature, "IncompleteSignatureException"),
        (name_unknown_key, "UnrecognizedClientException"),
        (add_session_token, "UnrecognizedClientException"),
    ],
)
@cites("Common errors", "AWS's front ends name these errors; which of them MTurk's used was never seen", OURS)
def test_credentials_that_are_no_good_are_told_apart(endpoint, requester, spoil, code):
    call = Signed(endpoint.url, requester)
    spoil(call)
    status, document = call.send()
    assert (status, document["__type"]) == (400, code)


@cites("Common errors", "a wrong secret is an InvalidSignatureException, which boto3 raises as ClientError", INFERRED)
def test_a_wrong_secret_is_refused(endpoint, requester):
    wrong = mturk_client(endpoint.url, requester.access_key, "not the secret")
    with pytest.raises(ClientError, match="InvalidSignatureException"):
        wrong.get_account_balance()
    assert requester.mturk.get_account_balance()


@pytest.mark.parametrize("scope", [{"region": "eu-west-1"}, {"service": "s3"}])
@cites("Regions and endpoints", "the region is us-east-1 alone, the signing name mturk-requester", WIRE)
def test_a_signature_for_another_region_or_service_is_refused(endpoint, requester, scope):
    assert Signed(endpoint.url, requester, **scope).send()[1]["__type"] == "InvalidSignatureException"


@pytest.mark.parametrize(("minutes", "is_good"), [(-16, False), (-14, True), (14, True), (16, False)])
@cites(SIGNING, "a signature is good for a quarter of an hour around its date", DOCS)
def test_an_old_signature_is_refused(endpoint, requester, monkeypatch, minutes, is_good):
    moved = datetime.now(UTC) + timedelta(minutes=minutes)
    monkeypatch.setattr("botocore.auth.get_current_datetime", lambda remove_tzinfo=True: moved.replace(tzinfo=None))
    status, document = Signed(endpoint.url, requester).send()
    assert (status, document.get("__type")) == ((200, None) if is_good else (400, "InvalidSignatureException"))


@cites("CreateHIT", "a call that is sent again as it was, token and signature, makes no second HIT", DOCS)
def test_a_replayed_call_does_its_work_once(endpoint, requester):
    body = {
        "HITTypeId": requester.hit_type(),
        "LifetimeInSeconds": 60,
        "Question": external_question(),
        "UniqueRequestToken": uuid.uuid4().hex,
    }
    call = Signed(endpoint.url, requester, "CreateHITWithHITType", body=json.dumps(body))
    status, document = call.send()
    assert status == 200
    requester.made.append(document["HIT"]["HITId"])
    status, document = call.send()
    assert (status, document["TurkErrorCode"]) == (400, "AWS.MechanicalTurk.HitAlreadyExists")


@pytest.mark.parametrize("target", ["", f"{SERVICE}.Nonsense", "SomeService.GetHIT", f"{SERVICE}."])
@cites("Common errors", "an unknown target is an UnknownOperationException", INFERRED)
def test_an_unknown_operation_is_named_so(endpoint, requester, target):
    status, document = Signed(endpoint.url, requester, target=target).send()
    assert (status, document["__type"]) == (400, "UnknownOperationException")


@pytest.mark.parametrize("body", ["[]", "null", '"x"', "{", '{"MaxResults": NaN}', "[" * 100_000, '{"a":' * 50_000])
@cites("Common errors", "a body that is no JSON object is a SerializationException", INFERRED)
def test_a_body_that_is_no_json_object_is_refused(endpoint, requester, body):
    status, document = Signed(endpoint.url, requester, "ListHITs", body=body).send()
    assert (status, document["__type"]) == (400, "SerializationException")


@cites("Common parameters", "a zero-length body is an empty input", INFERRED)
def test_no_body_is_an_empty_input(endpoint, requester):
    assert Signed(endpoint.url, requester, "ListHITs", body="").send()[0] == 200


@cites("Common errors", "a call of more than a megabyte is refused with status 413", OURS)
def test_a_call_above_a_megabyte_is_refused(endpoint, requester):
    status, document = Signed(endpoint.url, requester, body=" " * 1_048_577).send()
    assert (status, document["__type"]) == (413, "RequestEntityTooLargeException")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"Title": 5}, "Title"),
        ({"Reward": 0.05}, "Reward"),
        ({"AssignmentDurationInSeconds": "60"}, "AssignmentDurationInSeconds"),
        ({"AssignmentDurationInSeconds": True}, "AssignmentDurationInSeconds"),
        ({"QualificationRequirements": {}}, "QualificationRequirements"),
        ({"QualificationRequirements": [1]}, "QualificationRequirements[0]"),
    ],
    ids=str,
)
@cites("CreateHITType", "types are those of the model; a wrong one is a SerializationException", INFERRED)
def test_a_wrong_type_is_named(endpoint, requester, change, named):
    good = {"Title": "T", "Description": "D", "Reward": "0.05", "AssignmentDurationInSeconds": 60}
    status, document = Signed(endpoint.url, requester, "CreateHITType", body=json.dumps(good | change)).send()
    assert (status, document["__type"]) == (400, "SerializationException")
    assert named in document["Message"]


@cites("ListHITs", "a member that the model does not have is refused by its name", OURS)
def test_an_unknown_member_is_named(endpoint, requester):
    status, document = Signed(endpoint.url, requester, "ListHITs", body='{"Page": 2}').send()
    assert (status, document["TurkErrorCode"]) == (400, "AWS.MechanicalTurk.InvalidParameterValue")
    assert "Page" in document["Message"]


@cites("RequestError", "the useful code is the top-level TurkErrorCode, beside Message; boto3's typed exception", WIRE)
@cites("GetHIT", "Hit <id> does not exist.", SEEN)
@cites("RequestError", "messages end with milliseconds in brackets; the sandbox's with an s after them", SEEN)
def test_an_error_is_typed_has_a_turk_code_and_a_stamp(requester):
    refusal = requester.refusal("get_hit", HITId="3UNKNOWN")
    assert isinstance(refusal, requester.mturk.exceptions.RequestError)
    assert refusal.response["Error"]["Code"] == "RequestError"
    assert refusal.response["TurkErrorCode"] == "AWS.MechanicalTurk.HITDoesNotExist"
    text = refusal.response["Message"]
    assert text.startswith("Hit 3UNKNOWN does not exist. (")
    assert text.endswith(" s)") is requester.is_sandbox
    assert int(text.rpartition("(")[2].removesuffix(")").removesuffix(" s")) > 1_500_000_000_000
