"""Who may call: Signature Version 4, and what AWS's front end says to those who may not."""

import json
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from marketplace.models import AccessKey

from .conftest import mturk_client

TARGET = "MTurkRequesterServiceV20170117.GetAccountBalance"


class Signed:
    """A signed call that a test may spoil before it is sent."""

    def __init__(self, url, requester, *, target=TARGET, region="us-east-1", service="mturk-requester", body="{}"):
        headers = {"Content-Type": "application/x-amz-json-1.1"} | ({"X-Amz-Target": target} if target else {})
        self.request = AWSRequest("POST", url + "/", data=body, headers=headers)
        self.auth = SigV4Auth(Credentials(requester.access_key, requester.secret_key), service, region)
        self.auth.add_auth(self.request)
        self.headers = dict(self.request.headers)
        self.body = body

    def send(self) -> tuple[int, dict]:
        request = urllib.request.Request(self.request.url, self.body.encode(), self.headers)
        try:
            with urllib.request.urlopen(request) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)


def test_a_well_signed_call_is_answered(site, requester):
    assert Signed(site.url, requester).send() == (200, {"AvailableBalance": "10000.00"})


def spoil_body(call):
    call.body = '{"MaxResults": 1}'


def spoil_target(call):
    call.headers["X-Amz-Target"] = "MTurkRequesterServiceV20170117.ListHITs"


def spoil_signature(call):
    call.headers["Authorization"] = call.headers["Authorization"][:-1] + "x"


def swap_signature(call):
    call.headers["Authorization"] = call.headers["Authorization"][:-4] + "0000"


def drop_authorization(call):
    del call.headers["Authorization"]


def drop_date(call):
    del call.headers["X-Amz-Date"]


def unsign_target(call):
    call.headers["Authorization"] = call.headers["Authorization"].replace(";x-amz-target", "")


def name_unknown_key(call):
    call.headers["Authorization"] = call.headers["Authorization"].replace("Credential=AKIA", "Credential=AKIB")


def add_session_token(call):
    call.headers["X-Amz-Security-Token"] = "of somewhere else"


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (spoil_body, "InvalidSignatureException"),
        (spoil_target, "InvalidSignatureException"),
        (swap_signature, "InvalidSignatureException"),
        (unsign_target, "InvalidSignatureException"),
        (spoil_signature, "IncompleteSignatureException"),
        (drop_date, "IncompleteSignatureException"),
        (drop_authorization, "MissingAuthenticationTokenException"),
        (name_unknown_key, "UnrecognizedClientException"),
        (add_session_token, "UnrecognizedClientException"),
    ],
)
def test_a_call_changed_on_its_way_is_refused(site, requester, spoil, code):
    call = Signed(site.url, requester)
    spoil(call)
    status, document = call.send()
    assert (status, document["__type"]) == (400, code)


@pytest.mark.parametrize("scope", [{"region": "eu-west-1"}, {"service": "s3"}])
def test_a_signature_for_another_region_or_service_is_refused(site, requester, scope):
    assert Signed(site.url, requester, **scope).send()[1]["__type"] == "InvalidSignatureException"


@pytest.mark.parametrize(("minutes", "is_good"), [(-16, False), (-14, True), (14, True), (16, False)])
def test_a_signature_is_good_for_15_minutes_around_its_date(site, requester, monkeypatch, minutes, is_good):
    moved = datetime.now(UTC) + timedelta(minutes=minutes)
    monkeypatch.setattr("botocore.auth.get_current_datetime", lambda remove_tzinfo=True: moved.replace(tzinfo=None))
    status, document = Signed(site.url, requester).send()
    assert (status, document.get("__type")) == ((200, None) if is_good else (400, "InvalidSignatureException"))


def test_the_marketplaces_moved_clock_does_not_spoil_signatures(requester, pass_time):
    pass_time(86400)
    assert requester.mturk.list_hits()["NumResults"] == 0


def test_a_wrong_secret_and_a_key_that_was_closed_are_refused(site, requester):
    wrong = mturk_client(site.url, requester.access_key, "not the secret")
    with pytest.raises(ClientError, match="InvalidSignatureException"):
        wrong.get_account_balance()
    AccessKey.objects.filter(access_key_id=requester.access_key).update(is_active=False)
    assert requester.refusal("get_account_balance").response["Error"]["Code"] == "UnrecognizedClientException"


@pytest.mark.parametrize(
    "target", ["", "MTurkRequesterServiceV20170117.Nonsense", "SomeService.GetHIT", "MTurkRequesterServiceV20170117."]
)
def test_an_unknown_operation_is_named_so(site, requester, target):
    status, document = Signed(site.url, requester, target=target).send()
    assert (status, document["__type"]) == (400, "UnknownOperationException")


def test_an_operation_of_the_api_that_is_not_served_is_named(requester):
    refusal = requester.refusal("get_file_upload_url", AssignmentId="A1", QuestionIdentifier="q")
    assert refusal.response["Error"]["Code"] == "UnknownOperationException"
    assert "GetFileUploadURL" in str(refusal)


@pytest.mark.parametrize("body", ["", "[]", "null", '"x"', "{", '{"MaxResults": NaN}', "[" * 100_000, '{"a":' * 50_000])
def test_a_body_that_is_no_json_object_is_refused(site, requester, body):
    target = "MTurkRequesterServiceV20170117.ListHITs"
    status, document = Signed(site.url, requester, target=target, body=body).send()
    if body == "":  # nothing at all is an empty input
        assert (status, document["NumResults"]) == (200, 0)
    else:
        assert (status, document["__type"]) == (400, "SerializationException")


@pytest.mark.parametrize("size", [1_048_577, 2_000_000])
def test_a_call_above_a_megabyte_is_refused(site, requester, size):
    status, document = Signed(site.url, requester, body=" " * size).send()
    assert (status, document["__type"]) == (413, "RequestEntityTooLargeException")


def test_get_on_the_same_address_is_a_page_for_people(client):
    page = client.get("/")
    assert page.status_code == 200
    assert "boto3.client" in page.content.decode()
