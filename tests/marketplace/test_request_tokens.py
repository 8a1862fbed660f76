"""UniqueRequestToken: a call that is made again does its work once, as the service sees it."""

import threading

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError

from .conftest import hook, mturk_client, question, turk_code


def annotations(requester) -> list[str]:
    return sorted(hit["RequesterAnnotation"] for hit in requester.mturk.list_hits(MaxResults=100)["HITs"])


def test_a_used_token_fails_and_names_the_hit(requester):
    first = requester.hit(UniqueRequestToken="task-1")
    refusal = requester.refusal(
        "create_hit_with_hit_type",
        HITTypeId=first["HITTypeId"],
        LifetimeInSeconds=60,
        Question=question("http://other.example/"),
        UniqueRequestToken="task-1",
    )
    assert turk_code(refusal) == "HitAlreadyExists"
    assert f'The HIT with ID "{first["HITId"]}" already exists.' in str(refusal)
    assert len(requester.mturk.list_hits()["HITs"]) == 1


def test_tokens_are_of_one_account_and_without_one_each_call_makes_a_hit(requester, new_requester):
    requester.hit(UniqueRequestToken="t")
    new_requester().hit(UniqueRequestToken="t")
    requester.hit()
    requester.hit()
    assert len(requester.mturk.list_hits()["HITs"]) == 3


@pytest.mark.parametrize(("hours", "hits"), [(23.9, 1), (24, 2)])
def test_a_token_is_remembered_for_24_hours(requester, pass_time, hours, hits):
    requester.hit(UniqueRequestToken="t", LifetimeInSeconds=200_000)
    pass_time(int(hours * 3600))
    if hits == 1:
        values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 60, "Question": question()}
        refusal = requester.refusal("create_hit_with_hit_type", **values, UniqueRequestToken="t")
        assert turk_code(refusal) == "HitAlreadyExists"
    else:
        requester.hit(UniqueRequestToken="t")
    assert len(requester.mturk.list_hits()["HITs"]) == hits


def test_a_token_of_a_call_that_failed_is_free_again(new_requester):
    requester = new_requester(funds="1.00")
    dear = requester.hit_type(Reward="5.00")
    values = {"LifetimeInSeconds": 60, "Question": question(), "UniqueRequestToken": "t"}
    refusal = requester.refusal("create_hit_with_hit_type", HITTypeId=dear, **values)
    assert turk_code(refusal) == "InsufficientFunds"
    assert requester.hit(UniqueRequestToken="t")


def test_added_assignments_are_added_once_for_a_token(requester):
    hit = requester.hit()
    more = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": 2, "UniqueRequestToken": "more"}
    requester.mturk.create_additional_assignments_for_hit(**more)
    refusal = requester.refusal("create_additional_assignments_for_hit", **more)
    assert refusal.response["Error"]["Code"] == "RequestError"
    assert "more" in str(refusal)
    assert requester.see(hit)["MaxAssignments"] == 3


def test_one_token_used_by_eight_calls_at_once_makes_one_hit(site, requester):
    hit_type = requester.hit_type()
    outcomes = []

    def call():
        client = mturk_client(site.url, requester.access_key, requester.secret_key)
        try:
            made = client.create_hit_with_hit_type(
                HITTypeId=hit_type, LifetimeInSeconds=60, Question=question(), UniqueRequestToken="t"
            )
            outcomes.append(made["HIT"]["HITId"])
        except ClientError as error:
            outcomes.append(error.response["Message"].split('"')[1])  # 'The HIT with ID "..." already exists.'

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 8
    assert len(set(outcomes)) == 1
    assert len(requester.mturk.list_hits()["HITs"]) == 1


def test_the_clients_own_retry_after_a_lost_answer_meets_the_hit_it_made(site, requester):
    """Run A: the service did the work, the client saw a time-out and asked again."""
    hit_type = requester.hit_type()
    order = {"operation": "CreateHITWithHITType", "fault": "timeout_after", "seconds": 1.5, "times": 1}
    hook("faults", access_key=requester.access_key, next=[order])
    patient = mturk_client(
        site.url, requester.access_key, requester.secret_key, retries={"total_max_attempts": 3}, read_timeout=1
    )
    with pytest.raises(ClientError) as caught:
        patient.create_hit_with_hit_type(
            HITTypeId=hit_type, LifetimeInSeconds=60, Question=question(), UniqueRequestToken="task-1"
        )
    assert turk_code(caught.value) == "HitAlreadyExists"
    [hit] = requester.mturk.list_hits()["HITs"]
    assert hit["HITId"] in str(caught.value)


def test_without_a_token_the_same_retry_makes_a_second_hit(site, requester):
    hit_type = requester.hit_type()
    order = {"operation": "CreateHITWithHITType", "fault": "error_500_after", "times": 1}
    hook("faults", access_key=requester.access_key, next=[order])
    patient = mturk_client(site.url, requester.access_key, requester.secret_key, retries={"total_max_attempts": 3})
    patient.create_hit_with_hit_type(HITTypeId=hit_type, LifetimeInSeconds=60, Question=question())
    assert len(requester.mturk.list_hits()["HITs"]) == 2


def test_a_hit_of_last_week_is_found_by_its_annotation(requester, pass_time):
    """Run B: the token is no longer known, but the list shows the HIT, newest first."""
    for task in ("task-1", "task-2"):
        requester.hit(RequesterAnnotation=task, UniqueRequestToken=task)
    pass_time(7 * 86400)
    listed = [hit["RequesterAnnotation"] for hit in requester.mturk.list_hits()["HITs"]]
    assert listed == ["task-2", "task-1"]


def test_a_batch_stopped_by_throttling_is_completed_without_twins(requester):
    """Run D: the third of five calls is throttled; the run is stopped and started again."""
    hit_type = requester.hit_type()
    hook("faults", access_key=requester.access_key, next=[{"operation": "*", "fault": "throttle", "times": 0}])

    def publish(tasks) -> None:
        for task in tasks:
            try:
                requester.hit(hit_type, UniqueRequestToken=task, RequesterAnnotation=task)
            except ClientError as error:
                if error.response["Error"]["Code"] == "ThrottlingException":
                    return
                if turk_code(error) != "HitAlreadyExists":
                    raise

    tasks = [f"task-{number}" for number in range(5)]
    publish(tasks[:2])
    hook("faults", access_key=requester.access_key, next=[{"fault": "throttle", "times": 1}])
    publish(tasks[2:])
    assert annotations(requester) == tasks[:2]
    publish(tasks)
    assert annotations(requester) == tasks


@pytest.mark.parametrize(
    ("fault", "error", "hits"),
    [
        ("throttle", "ThrottlingException", 0),
        ("error_500_before", "ServiceFault", 0),
        ("error_500_after", "ServiceFault", 1),
        ("drop_after", ConnectionClosedError, 1),
        ("timeout_after", ReadTimeoutError, 1),
        ("slow", None, 1),
    ],
)
def test_faults_come_as_ordered(gunicorn_site, requester, fault, error, hits):
    hit_type = requester.hit_type()
    impatient = mturk_client(gunicorn_site, requester.access_key, requester.secret_key, read_timeout=1)
    seconds = 0.1 if fault == "slow" else 1.5
    order = {"operation": "CreateHITWithHITType", "fault": fault, "seconds": seconds, "times": 1}
    hook("faults", access_key=requester.access_key, next=[order])
    call = {"HITTypeId": hit_type, "LifetimeInSeconds": 60, "Question": question()}
    if error is None:
        impatient.create_hit_with_hit_type(**call)
    elif isinstance(error, str):
        with pytest.raises(ClientError) as caught:
            impatient.create_hit_with_hit_type(**call)
        assert caught.value.response["Error"]["Code"] == error
    else:
        with pytest.raises(error):
            impatient.create_hit_with_hit_type(**call)
    assert len(requester.mturk.list_hits()["HITs"]) == hits  # of another operation, so it meets no fault
    impatient.create_hit_with_hit_type(**call)  # used up
