"""UniqueRequestToken: a call that is made again does its work once."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.exceptions import ClientError

from .conftest import external_question, message, mturk_client, turk_code
from .facts import DOCS, INFERRED, MODEL, OURS, SEEN, cites

FACTS = "Retries and UniqueRequestToken"


@pytest.fixture
def token() -> str:
    return uuid.uuid4().hex


@cites("CreateHIT", "a repeat fails with HitAlreadyExists, and the message names the first HIT", DOCS)
@cites("CreateHIT", 'The HIT with ID "<id>" already exists.', SEEN)
@cites("CreateHIT", "a repeat with other parameters is a repeat", INFERRED)
def test_a_used_token_fails_and_names_the_hit(requester, token):
    first = requester.hit(UniqueRequestToken=token)
    refusal = requester.refusal(
        "create_hit_with_hit_type",
        HITTypeId=first["HITTypeId"],
        LifetimeInSeconds=60,
        Question=external_question("https://other.example/"),
        UniqueRequestToken=token,
    )
    assert turk_code(refusal) == "HitAlreadyExists"
    assert f'The HIT with ID "{first["HITId"]}" already exists.' in message(refusal)


@cites("CreateHIT", "CreateHIT and CreateHITWithHITType share their tokens", OURS)
def test_both_ways_to_create_a_hit_share_their_tokens(requester, token):
    requester.hit(UniqueRequestToken=token)
    values = {"Title": "T", "Description": "D", "Reward": "0.10", "AssignmentDurationInSeconds": 60}
    question = {"LifetimeInSeconds": 60, "Question": external_question()}
    assert requester.refused("create_hit", **values, **question, UniqueRequestToken=token) == "HitAlreadyExists"


@cites("CreateHIT", "without a token each call makes a HIT", DOCS)
@cites("CreateHIT", "tokens are of one account", INFERRED)
def test_tokens_are_of_one_account_and_without_one_each_call_makes_a_hit(requester, stranger, token):
    hits = [requester.hit(UniqueRequestToken=token), requester.hit(), requester.hit()]
    assert len({hit["HITId"] for hit in hits}) == 3
    assert stranger.hit(UniqueRequestToken=token)


@pytest.mark.parametrize(("seconds", "is_remembered"), [(24 * 3600 - 300, True), (24 * 3600, False)])
@cites("CreateHIT", "a token is remembered for 24 hours; then a repeat acts again", MODEL)
def test_a_token_is_remembered_for_24_hours(requester, token, pass_time, seconds, is_remembered):
    first = requester.hit(UniqueRequestToken=token, LifetimeInSeconds=200_000)
    pass_time(seconds)
    if is_remembered:
        values = {"HITTypeId": first["HITTypeId"], "LifetimeInSeconds": 60, "Question": external_question()}
        code = requester.refused("create_hit_with_hit_type", **values, UniqueRequestToken=token)
        assert code == "HitAlreadyExists"
    else:
        assert requester.hit(UniqueRequestToken=token)["HITId"] != first["HITId"]


@cites("CreateHIT", "a token of a call that failed is free again", OURS)
def test_a_token_of_a_call_that_failed_is_free_again(requester, token):
    wrong = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 1, "Question": external_question()}
    assert requester.refused("create_hit_with_hit_type", **wrong, UniqueRequestToken=token) == "InvalidParameterValue"
    assert requester.hit(UniqueRequestToken=token)


@cites("CreateAdditionalAssignmentsForHIT", "assignments are added once for a token; a repeat is an error", MODEL)
def test_added_assignments_are_added_once_for_a_token(requester, token):
    hit = requester.hit()
    more = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": 2, "UniqueRequestToken": token}
    requester.mturk.create_additional_assignments_for_hit(**more)
    refusal = requester.refusal("create_additional_assignments_for_hit", **more)
    assert refusal.response["Error"]["Code"] == "RequestError"
    assert requester.see(hit)["MaxAssignments"] == 3


@cites("CreateHIT", "one token used by several calls at once makes one HIT", INFERRED)
def test_one_token_used_by_eight_calls_at_once_makes_one_hit(endpoint, requester, token):
    hit_type = requester.hit_type()

    def call(_):
        client = mturk_client(endpoint.url, requester.access_key, requester.secret_key)
        try:
            made = client.create_hit_with_hit_type(
                HITTypeId=hit_type, LifetimeInSeconds=60, Question=external_question(), UniqueRequestToken=token
            )
            return made["HIT"]["HITId"]
        except ClientError as error:
            return message(error).split('"')[1]

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(call, range(8)))
    requester.made += outcomes[:1]
    assert len(set(outcomes)) == 1


@cites("CreateHIT", "botocore asks again after a time-out and sets no token by itself", SEEN)
def test_the_clients_own_retry_after_a_lost_answer_meets_the_hit_it_made(endpoint, requester, token):
    hit_type = requester.hit_type()
    lost = {"operation": "CreateHITWithHITType", "fault": "timeout_after", "seconds": 1.5, "times": 1}
    endpoint.hook("faults", access_key=requester.access_key, next=[lost])
    keys = requester.access_key, requester.secret_key
    patient = mturk_client(endpoint.url, *keys, retries={"total_max_attempts": 3}, read_timeout=1)
    call = {"HITTypeId": hit_type, "LifetimeInSeconds": 60, "Question": external_question()}
    with pytest.raises(ClientError) as caught:
        patient.create_hit_with_hit_type(**call, UniqueRequestToken=token)
    assert turk_code(caught.value) == "HitAlreadyExists"
    [hit] = requester.mturk.list_hits()["HITs"]
    assert hit["HITId"] in message(caught.value)
