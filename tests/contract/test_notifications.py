"""Event notifications."""

import json
import re
import time
from datetime import datetime

import boto3
import pytest

from .facts import DOCS, INFERRED, MODEL, OURS, SEEN, cites

pytestmark = pytest.mark.slow

FACTS = "Notifications"
PATIENCE_SECONDS = 60


class Queue:
    def __init__(self, endpoint, requester):
        if not endpoint.queue_url:
            pytest.skip("needs a queue that the endpoint can send to: MTURK_EVENTS_QUEUE_URL")
        self.url = endpoint.queue_url
        self._sqs = boto3.client(
            "sqs",
            endpoint_url=endpoint.events_endpoint or None,
            region_name="us-east-1",
            aws_access_key_id=requester.access_key,
            aws_secret_access_key=requester.secret_key,
        )

    def documents(self, wanted) -> list[dict]:
        """Messages, as they come, until ``wanted(messages)``; those are taken off the queue."""
        found: list[dict] = []
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not wanted(found) and time.monotonic() < deadline:
            got = self._sqs.receive_message(QueueUrl=self.url, MaxNumberOfMessages=10, WaitTimeSeconds=1)
            for message in got.get("Messages", []):
                found.append(json.loads(message["Body"]))
                self._sqs.delete_message(QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"])
        return found


@pytest.fixture
def queue(endpoint, requester) -> Queue:
    return Queue(endpoint, requester)


def specification(destination, *event_types, **changes) -> dict:
    values = {"Destination": destination, "Transport": "SQS", "Version": "2014-08-15", "EventTypes": list(event_types)}
    return values | changes


@cites("UpdateNotificationSettings", "the shape of the message; times to the second; no worker and no answer", DOCS)
@cites("UpdateNotificationSettings", "at least once, in any order; several events may share a message", DOCS)
def test_events_of_a_hit_type_are_told(endpoint, requester, worker, queue):
    hit_type = requester.hit_type()
    given = specification(queue.url, "HITCreated", "AssignmentSubmitted", "HITReviewable")
    requester.mturk.update_notification_settings(HITTypeId=hit_type, Notification=given)
    hit = requester.hit(hit_type)
    other = requester.hit()
    assignment_id = worker.do(hit)
    endpoint.tick()

    def of(documents):
        return [event for document in documents for event in document["Events"] if event["HITTypeId"] == hit_type]

    documents = queue.documents(lambda found: len({event["EventType"] for event in of(found)}) == 3)
    events = {event["EventType"]: event for event in of(documents)}
    assert set(events) == {"HITCreated", "AssignmentSubmitted", "HITReviewable"}
    submitted = events["AssignmentSubmitted"]
    assert datetime.strptime(submitted.pop("EventTimestamp"), "%Y-%m-%dT%H:%M:%SZ")
    assert submitted == {
        "EventType": "AssignmentSubmitted",
        "HITId": hit["HITId"],
        "AssignmentId": assignment_id,
        "HITTypeId": hit_type,
    }
    assert "AssignmentId" not in events["HITCreated"]
    for document in documents:
        assert re.fullmatch("[0-9a-f]{40}", document["EventDocId"])
        assert re.fullmatch("[0-9]{12}", document["SourceAccount"])
        assert re.fullmatch("A[A-Z0-9]+", document["CustomerId"])
        assert document["EventDocVersion"] == "2014-08-15"
        assert other["HITId"] not in json.dumps(document)


@pytest.mark.parametrize("event_type", ["Ping", "AssignmentSubmitted"])
@cites("SendTestEventNotification", "sent at once, whatever the specification lists", MODEL)
@cites("SendTestEventNotification", "made-up ids stand for HIT, HIT type and assignment", SEEN)
def test_a_test_message_goes_out_at_once(requester, queue, event_type):
    given = specification(queue.url, "HITDisposed")
    requester.mturk.send_test_event_notification(Notification=given, TestEventType=event_type)
    found = queue.documents(bool)
    assert event_type in [event["EventType"] for document in found for event in document["Events"]]


@cites("SendTestEventNotification", "a queue that is not there is an error of the call", OURS)
def test_a_test_message_to_nowhere_is_an_error(requester, queue):
    given = specification(f"{queue.url}-not-there", "HITDisposed")
    code = requester.refused("send_test_event_notification", Notification=given, TestEventType="Ping")
    assert code == "InvalidTransportEndpoint"


@cites("UpdateNotificationSettings", "Notification or Active is needed; Active alone needs a specification", MODEL)
def test_active_alone_needs_a_specification(requester, queue):
    hit_type = {"HITTypeId": requester.hit_type()}
    assert requester.refused("update_notification_settings", **hit_type) == "InvalidParameterValue"
    assert requester.refused("update_notification_settings", **hit_type, Active=True) == "InvalidParameterValue"
    given = specification(queue.url, "HITCreated")
    requester.mturk.update_notification_settings(**hit_type, Notification=given, Active=False)
    requester.mturk.update_notification_settings(**hit_type, Active=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"EventTypes": ["HITPainted"]},
        {"EventTypes": ["Ping"]},
        {"Transport": "Pigeon"},
        {"Version": "1999-01-01"},
    ],
    ids=str,
)
@cites("Notification", "transports, versions and events are those of the list; Ping is for the test alone", MODEL)
def test_a_specification_with_a_wrong_value_is_refused(requester, queue, wrong):
    given = specification(queue.url, "HITCreated") | wrong
    call = {"HITTypeId": requester.hit_type(), "Notification": given}
    assert requester.refused("update_notification_settings", **call) == "InvalidParameterValue"


@pytest.mark.parametrize("wrong", [{"Transport": "Email", "Destination": "a@b.example"}, {"EventTypes": []}], ids=str)
@cites("Notification", "Email, which the documentation no longer names, and no event at all are refused", OURS)
def test_email_and_nothing_are_refused(requester, queue, wrong):
    given = specification(queue.url, "HITCreated") | wrong
    call = {"HITTypeId": requester.hit_type(), "Notification": given}
    assert requester.refused("update_notification_settings", **call) == "InvalidParameterValue"


@pytest.mark.parametrize(
    "wrong",
    [
        {"Destination": "http://169.254.169.254/latest/meta-data"},
        {"Destination": "not an address"},
        {"Transport": "SNS", "Destination": "arn:aws:s3:::bucket"},
    ],
    ids=str,
)
@cites("RequestError", "a destination that is none is InvalidTransportEndpoint", INFERRED)
def test_a_destination_that_is_none_is_refused(requester, queue, wrong):
    given = specification(queue.url, "HITCreated") | wrong
    call = {"HITTypeId": requester.hit_type(), "Notification": given}
    assert requester.refused("update_notification_settings", **call) == "InvalidTransportEndpoint"
