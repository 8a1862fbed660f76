"""UniqueRequestToken: a call that is made again does its work once, as the service sees it."""

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError

from .conftest import hook, mturk_client, question, turk_code

pytestmark = pytest.mark.slow


def annotations(requester) -> list[str]:
    return sorted(hit["RequesterAnnotation"] for hit in requester.mturk.list_hits(MaxResults=100)["HITs"])


def test_a_token_of_a_call_that_failed_is_free_again(new_requester):
    requester = new_requester(funds="1.00")
    dear = requester.hit_type(Reward="5.00")
    values = {"LifetimeInSeconds": 60, "Question": question(), "UniqueRequestToken": "t"}
    refusal = requester.refusal("create_hit_with_hit_type", HITTypeId=dear, **values)
    assert turk_code(refusal) == "InsufficientFunds"
    assert requester.hit(UniqueRequestToken="t")


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
