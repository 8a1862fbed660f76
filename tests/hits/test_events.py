"""Events from a queue: hints to ask at once. A real SQS server (moto's), and the marketplace's own delivery."""

import itertools
import json
import os
from datetime import timedelta

import boto3
import pytest
from botocore.awsrequest import AWSResponse
from django.utils import timezone

from annotation.models import Assignment
from hits import endpoints, mturk, queues, tasks
from hits.models import SeenEvent
from hits.services import checking, events, syncing
from supervisor.sites import Marketplace
from tests import aws as cloud
from tests.crowd import Crowd

from .conftest import published
from .test_syncing import submit_one

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

KEYS = {"region_name": "us-east-1", "aws_access_key_id": "test", "aws_secret_access_key": "test"}
_queues = itertools.count(1)


@pytest.fixture(scope="module")
def aws(tmp_path_factory):
    """The address of a moto server."""
    with cloud.serve(tmp_path_factory.mktemp("aws")) as address:
        yield address


@pytest.fixture(scope="module")
def telling_site(aws, postgres, marketplace_template, tmp_path_factory):
    """A marketplace that sends its events to that server."""
    name = f"marketplace_telling_{os.getpid()}"
    told = {
        "MARKETPLACE_SQS_ENDPOINT": aws,
        "MARKETPLACE_SNS_ENDPOINT": aws,
        "MARKETPLACE_EVENTS_ACCESS_KEY_ID": "test",
        "MARKETPLACE_EVENTS_SECRET_ACCESS_KEY": "test",
    }
    folder = tmp_path_factory.mktemp("telling")
    site = Marketplace.start(postgres, folder, database=name, template=marketplace_template, settings=told)
    yield site
    site.stop()
    postgres.drop_database(name)


class Queue:
    def __init__(self, aws):
        self.sqs = boto3.client("sqs", endpoint_url=aws, **KEYS)
        self.url = self.sqs.create_queue(QueueName=f"hits-{os.getpid()}-{next(_queues)}")["QueueUrl"]

    def put(self, body):
        self.sqs.send_message(QueueUrl=self.url, MessageBody=body if isinstance(body, str) else json.dumps(body))

    def left(self):
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        found = self.sqs.get_queue_attributes(QueueUrl=self.url, AttributeNames=names)["Attributes"]
        return sum(int(found[name]) for name in names)


@pytest.fixture
def queue(aws, crowd, settings):
    queue = Queue(aws)
    settings.QUEUE_ACCESS_KEY_ID = settings.QUEUE_SECRET_ACCESS_KEY = "test"
    crowd.become_endpoint(settings, queue_url=queue.url, queue_endpoint=aws)
    queues._client.cache_clear()
    yield queue
    queues._client.cache_clear()


def receive():
    return events.receive(endpoints.get("marketplace"), seconds=30)


def told_of(crowd, assignment_id, document="d1", kind="AssignmentSubmitted"):
    hit_id = crowd.mturk.get_assignment(AssignmentId=assignment_id)["HIT"]["HITId"]
    event = {
        "EventType": kind,
        "HITId": hit_id,
        "AssignmentId": assignment_id,
        "EventTimestamp": "2026-01-01T00:00:00Z",
    }
    return {"Events": [event], "EventDocId": document, "EventDocVersion": "2014-08-15", "CustomerId": "A1"}


@pytest.fixture
def batch(project, crowd, settings):
    """Published by an endpoint without a queue, so that each test says what is in it."""
    return published(project)


def test_an_event_fetches_its_hit_with_one_list_call_and_is_taken_off_the_queue(batch, crowd, queue, count_calls):
    assignment_id, _ = submit_one(crowd)
    submit_one(crowd)
    queue.put(told_of(crowd, assignment_id))
    calls = count_calls()
    assert receive() == 1
    assert dict(calls) == {"ListAssignmentsForHIT": 1}
    assert list(Assignment.objects.values_list("mturk_assignment_id", "status")) == [(assignment_id, "submitted")]
    assert queue.left() == 0
    assert syncing.sync("marketplace") == 1, "and polling finds what no event told of"


def test_an_event_that_comes_twice_asks_once(batch, crowd, queue, count_calls):
    assignment_id, _ = submit_one(crowd)
    for _ in range(3):
        queue.put(told_of(crowd, assignment_id))
    calls = count_calls()
    assert receive() == 3
    assert calls["ListAssignmentsForHIT"] == 1
    assert (SeenEvent.objects.count(), queue.left()) == (1, 0)


def test_events_out_of_order_end_in_what_the_endpoint_says(batch, crowd, queue):
    assignment_id, _ = submit_one(crowd)
    crowd.mturk.approve_assignment(AssignmentId=assignment_id)
    queue.put(told_of(crowd, assignment_id, "later", "AssignmentApproved"))
    queue.put(told_of(crowd, assignment_id, "earlier", "AssignmentSubmitted"))
    assert receive() == 2
    assert Assignment.objects.get().status == Assignment.Status.APPROVED


@pytest.mark.parametrize(
    "body",
    [
        "no json",
        "[]",
        "[" * 5000,
        {"Events": []},
        {"EventDocId": "d", "Events": "none"},
        {"EventDocId": "d" * 101, "Events": []},
        {"EventDocId": "d\x00", "Events": []},
        {"EventDocId": "d\ud800", "Events": []},
        {"EventDocId": "d", "Events": [{"HITId": "3A\x00"}]},
        {"EventDocId": "d", "Events": [{"HITId": "\ud800"}]},
        {"EventDocId": "d", "Events": [{"HITId": "A" * 65}]},
        {"EventDocId": "d", "Events": [{"HITId": 7}]},
        {"Type": "Notification", "Message": "no json"},
    ],
)
def test_a_broken_body_is_set_aside_with_a_line_in_the_log(batch, crowd, queue, caplog, body):
    queue.put(body)
    assert receive() == 1
    assert "is set aside" in caplog.text
    assert (queue.left(), SeenEvent.objects.count()) == (0, 0)


def test_an_event_of_a_hit_that_is_not_ours_is_handled_without_a_call(batch, crowd, queue, count_calls):
    calls = count_calls()
    queue.put({"EventDocId": "d", "Events": [{"EventType": "HITExpired", "HITId": "3STRANGER"}, {"EventType": "Ping"}]})
    assert receive() == 1
    assert (calls.total(), queue.left()) == (0, 0)


def refuse_once(operation):
    """Let the endpoint's next answer to ``operation`` be a refusal that says nothing about the others."""
    waiting = [operation]

    def refuse(request, **_):
        if not waiting or not request.headers["X-Amz-Target"].decode().endswith(f".{operation}"):
            return None
        waiting.pop()
        answer = AWSResponse(request.url, 400, {}, None)
        answer._content = b'{"__type": "RequestError", "Message": "Not now."}'
        return answer

    mturk.client("marketplace").meta.events.register("before-send.mturk", refuse)


def test_a_message_that_cannot_be_handled_stands_in_no_others_way(batch, crowd, queue, caplog):
    first, _ = submit_one(crowd)
    second, _ = submit_one(crowd)
    refuse_once("ListAssignmentsForHIT")
    queue.put(told_of(crowd, first, "one"))
    queue.put(told_of(crowd, second, "two"))
    assert receive() == 1
    assert "could not be handled" in caplog.text
    assert (Assignment.objects.count(), queue.left()) == (1, 1)


def test_an_sns_envelope_is_opened(batch, crowd, queue):
    assignment_id, _ = submit_one(crowd)
    queue.put({"Type": "Notification", "Message": json.dumps(told_of(crowd, assignment_id))})
    receive()
    assert Assignment.objects.get().mturk_assignment_id == assignment_id


def test_a_message_stays_in_the_queue_until_it_is_handled(batch, crowd, queue):
    assignment_id, _ = submit_one(crowd)
    queue.put(told_of(crowd, assignment_id))
    crowd.faults({"operation": "ListAssignmentsForHIT", "fault": "error_500_before"})
    with pytest.raises(mturk.Unavailable):
        receive()
    assert (queue.left(), SeenEvent.objects.count()) == (1, 0)
    tasks.receive_events()  # hidden from everybody for a while: the job ends without it
    queue.sqs.purge_queue(QueueUrl=queue.url)
    queue.put(told_of(crowd, assignment_id))
    assert receive() == 1
    assert Assignment.objects.count() == 1


def test_documents_are_forgotten_when_they_cannot_come_again(batch, queue):
    now = timezone.now()
    for number, days in enumerate((14, 16)):
        SeenEvent.objects.create(
            endpoint="marketplace", document_id=f"d{number}", handled_at=now - timedelta(days=days)
        )
    assert events.forget() == 1
    assert SeenEvent.objects.get().document_id == "d0"


def test_the_check_and_the_job_say_when_the_queue_does_not_answer(batch, crowd, settings, aws, caplog):
    settings.QUEUE_ACCESS_KEY_ID = settings.QUEUE_SECRET_ACCESS_KEY = "test"
    crowd.become_endpoint(settings, queue_url=f"{aws}/123456789012/no-such-queue", queue_endpoint=aws)
    queues._client.cache_clear()
    finding = checking.check("marketplace")[-1]
    assert (finding.subject, finding.level) == ("events", "warning")
    tasks.receive_events()
    assert "Events of marketplace: the queue says" in caplog.text
    queues._client.cache_clear()


def test_the_marketplace_tells_the_queue_of_a_submission_and_work_comes_in_without_a_poll(
    project, telling_site, aws, settings
):
    crowd, queue = Crowd(telling_site.url), Queue(aws)
    settings.QUEUE_ACCESS_KEY_ID = settings.QUEUE_SECRET_ACCESS_KEY = "test"
    crowd.become_endpoint(settings, queue_url=queue.url, queue_endpoint=aws)
    queues._client.cache_clear()
    published(project)
    assignment_id, _ = submit_one(crowd)
    telling_site.manage("tick")
    assert receive() >= 1
    assert list(Assignment.objects.values_list("mturk_assignment_id", "status")) == [(assignment_id, "submitted")]
    assert levels_of_events() == "ok"
    queues._client.cache_clear()
    crowd.reset()


def levels_of_events():
    return checking.check("marketplace")[-1].level
