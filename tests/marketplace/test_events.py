"""Event notifications, told to a real SQS and SNS (moto's server)."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime

import boto3
import pytest
from django.db import connection, connections

from marketplace import clock
from marketplace.models import Event, Notice, NotificationSetting
from marketplace.services import events, notifications, overdue
from tests import aws as cloud

from .conftest import hook, id_in, question, submit, turk_code

pytestmark = pytest.mark.slow

ALL = [event.value for event in events.EventType if event != events.EventType.PING]
KEYS = cloud.KEYS


@pytest.fixture(scope="module")
def aws(tmp_path_factory):
    """The address of a moto server."""
    with cloud.serve(tmp_path_factory.mktemp("aws")) as address:
        yield address


@dataclass
class Queue:
    url: str
    sqs: object

    def bodies(self) -> list[str]:
        """All messages, taken off the queue."""
        found = []
        while got := self.sqs.receive_message(QueueUrl=self.url, MaxNumberOfMessages=10).get("Messages"):
            found += got
            for message in got:
                self.sqs.delete_message(QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"])
        return [message["Body"] for message in found]

    def documents(self) -> list[dict]:
        return [json.loads(body) for body in self.bodies()]

    def told(self) -> list[str]:
        """The types of all events that arrived, in the order in which they happened within each message."""
        return [event["EventType"] for document in self.documents() for event in document["Events"]]


_queues = iter(range(1, 10_000))


@pytest.fixture
def queue(aws, settings) -> Queue:
    settings.MARKETPLACE_SQS_ENDPOINT = settings.MARKETPLACE_SNS_ENDPOINT = aws
    settings.MARKETPLACE_EVENTS_ACCESS_KEY_ID = settings.MARKETPLACE_EVENTS_SECRET_ACCESS_KEY = "test"
    sqs = boto3.client("sqs", endpoint_url=aws, **KEYS)
    return Queue(sqs.create_queue(QueueName=f"events-{next(_queues)}")["QueueUrl"], sqs)


def specification(destination: str, *event_types: str, transport="SQS") -> dict:
    return {
        "Destination": destination,
        "Transport": transport,
        "Version": "2014-08-15",
        "EventTypes": list(event_types or ALL),
    }


def listen(requester, queue, *event_types, **changes) -> str:
    """A HIT type whose events go to ``queue``."""
    hit_type = requester.hit_type(**changes)
    requester.mturk.update_notification_settings(
        HITTypeId=hit_type, Notification=specification(queue.url, *event_types)
    )
    return hit_type


def deliver() -> dict[str, int]:
    return notifications.deliver(clock.now())


def noted(hit: dict) -> list[str]:
    return list(Event.objects.filter(hit_id=hit["HITId"]).order_by("id").values_list("event_type", flat=True))


def test_a_message_looks_as_mechanical_turks_did(requester, queue, worker):
    hit = requester.hit(listen(requester, queue, "AssignmentSubmitted"))
    assignment_id = worker.do(hit)
    assert deliver() == {"delivered": 1, "failed": 0, "given_up": 0}
    (document,) = queue.documents()
    (event,) = document["Events"]
    assert datetime.strptime(event.pop("EventTimestamp"), "%Y-%m-%dT%H:%M:%SZ")
    assert event == {
        "EventType": "AssignmentSubmitted",
        "HITId": hit["HITId"],
        "AssignmentId": assignment_id,
        "HITTypeId": hit["HITTypeId"],
    }
    assert re.fullmatch("[0-9a-f]{40}", document["EventDocId"])
    assert re.fullmatch("[0-9]{12}", document["SourceAccount"])
    assert document["CustomerId"] == requester.customer_id
    assert document["EventDocVersion"] == "2014-08-15"
    assert len(document) == 5
    assert deliver()["delivered"] == 0


def test_the_life_of_a_hit_is_told_event_by_event(requester, queue, new_worker):
    hit = requester.hit(listen(requester, queue), MaxAssignments=2)
    first, second, third = new_worker(), new_worker(), new_worker()
    first.give_back(first.accept(hit))
    approved, rejected = first.do(hit), second.do(hit)
    requester.mturk.approve_assignment(AssignmentId=approved)
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="No")
    requester.mturk.create_additional_assignments_for_hit(HITId=hit["HITId"], NumberOfAdditionalAssignments=1)
    last = third.do(hit)
    requester.mturk.approve_assignment(AssignmentId=last)
    requester.mturk.delete_hit(HITId=hit["HITId"])
    deliver()
    accept_and_submit = ["AssignmentAccepted", "AssignmentSubmitted"]
    assert queue.told() == [
        "HITCreated",
        "AssignmentAccepted",
        "AssignmentReturned",
        *accept_and_submit,
        *accept_and_submit,
        "HITReviewable",
        "AssignmentApproved",
        "AssignmentRejected",
        "HITExtended",
        *accept_and_submit,
        "HITReviewable",
        "AssignmentApproved",
        "HITDisposed",
    ]


def test_what_time_does_is_told_as_of_when_it_was_due(requester, queue, worker, new_worker, pass_time):
    hit_type = listen(requester, queue, AutoApprovalDelayInSeconds=60, AssignmentDurationInSeconds=600)
    hit = requester.hit(hit_type, MaxAssignments=3, LifetimeInSeconds=3600)
    worker.do(hit)
    new_worker().accept(hit)
    pass_time(7200)
    overdue.settle(clock.now())
    rows = list(Event.objects.order_by("id"))
    start = rows[0].occurred_at
    after = [(row.event_type, round((row.occurred_at - start).total_seconds())) for row in rows[4:]]
    assert after == [
        ("AssignmentAbandoned", pytest.approx(600, abs=5)),
        ("HITExpired", 3600),
        ("HITReviewable", pytest.approx(7200, abs=5)),
        ("AssignmentApproved", pytest.approx(60, abs=5)),
    ]


def test_a_hit_that_is_held_when_it_expires_is_reviewable_once_nobody_holds_it(requester, queue, new_worker, pass_time):
    hit = requester.hit(listen(requester, queue, "HITExpired", "HITReviewable"), MaxAssignments=2)
    submits, returns = new_worker(), new_worker()
    held, address = id_in(submits.accept(hit)), returns.accept(hit)
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
    assert noted(hit) == []  # every place is in somebody's hands: all of it may still be submitted
    submit(held, q1="Who?")
    assert noted(hit) == []
    returns.give_back(address)
    assert noted(hit) == ["HITExpired", "HITReviewable"]
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
    assert noted(hit) == ["HITExpired", "HITReviewable"]


def test_expiring_at_once_is_told_once_and_extending_too(requester, queue):
    hit = requester.hit(listen(requester, queue))
    for _ in range(2):
        requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
    assert noted(hit) == ["HITCreated", "HITExpired", "HITReviewable"]
    later = int(time.time()) + 7200
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=later)
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=later - 3600)  # shorter: no extension
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
    assert noted(hit)[3:] == ["HITExtended", "HITExpired", "HITReviewable"]


def test_old_hits_that_go_by_themselves_are_told(requester, queue, pass_time):
    hit = requester.hit(listen(requester, queue, "HITDisposed"))
    pass_time(121 * 86400)
    overdue.settle(clock.now())
    overdue.dispose_old(clock.now())
    assert noted(hit) == ["HITDisposed"]


def test_of_the_last_two_submits_at_once_one_makes_the_hit_reviewable(requester, queue, new_worker):
    hit = requester.hit(listen(requester, queue, "HITReviewable"), MaxAssignments=4)
    held = [id_in(new_worker().accept(hit)) for _ in range(4)]

    def send(assignment_id):
        try:
            return submit(assignment_id, q1="Who?").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(send, held)) == [200] * 4
    assert noted(hit) == ["HITReviewable"]


def test_what_does_not_happen_is_not_told(new_requester, queue, worker):
    requester = new_requester(funds="0.12")
    hit_type = listen(requester, queue)
    requester.hit(hit_type)
    refusal = requester.refusal(
        "create_hit_with_hit_type", HITTypeId=hit_type, LifetimeInSeconds=60, Question=question()
    )
    assert turk_code(refusal) == "InsufficientFunds"
    assert list(Event.objects.values_list("event_type", flat=True)) == ["HITCreated"]


def test_only_what_is_wanted_is_told_and_only_of_that_type(requester, queue, worker):
    wanted = requester.hit(listen(requester, queue, "AssignmentSubmitted", "HITReviewable"))
    other = requester.hit()
    for hit in (wanted, other):
        worker.do(hit)
    assert noted(wanted) == ["AssignmentSubmitted", "HITReviewable"]
    assert noted(other) == []


def test_settings_are_replaced_and_switched_off_and_on(requester, queue, aws):
    hit_type = listen(requester, queue, "HITCreated")
    requester.hit(hit_type)
    settings = {"HITTypeId": hit_type}
    requester.mturk.update_notification_settings(**settings, Active=False)
    requester.hit(hit_type)
    requester.mturk.update_notification_settings(**settings, Active=True)
    requester.hit(hit_type)
    assert Event.objects.count() == 2
    another = specification(queue.url, "HITDisposed")
    requester.mturk.update_notification_settings(**settings, Notification=another, Active=False)
    row = NotificationSetting.objects.get()
    assert (row.event_types, row.is_active) == (["HITDisposed"], False)
    requester.mturk.update_notification_settings(**settings, Notification=another)
    assert NotificationSetting.objects.get().is_active


def test_a_type_without_a_specification_cannot_be_switched_on(requester):
    hit_type = requester.hit_type()
    for given in ({"Active": True}, {}):
        refusal = requester.refusal("update_notification_settings", HITTypeId=hit_type, **given)
        assert turk_code(refusal) == "InvalidParameterValue"


def test_settings_are_for_ones_own_types(requester, new_requester, queue):
    given = {"HITTypeId": requester.hit_type(), "Notification": specification(queue.url)}
    assert turk_code(new_requester().refusal("update_notification_settings", **given)) == "HITTypeDoesNotExist"
    requester.mturk.update_notification_settings(**given)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"Transport": "Email", "Destination": "a@b.example"}, "InvalidParameterValue"),
        ({"Transport": "Pigeon"}, "InvalidParameterValue"),
        ({"Version": "1999-01-01"}, "InvalidParameterValue"),
        ({"EventTypes": []}, "InvalidParameterValue"),
        ({"EventTypes": ["Ping"]}, "InvalidParameterValue"),
        ({"EventTypes": ["HITPainted"]}, "InvalidParameterValue"),
        ({"Destination": "http://169.254.169.254/123456789012/x"}, "InvalidTransportEndpoint"),
        ({"Destination": "x" * 1025}, "InvalidParameterValue"),
        ({"Transport": "SNS", "Destination": "arn:aws:s3:::bucket"}, "InvalidTransportEndpoint"),
    ],
    ids=str,
)
def test_a_specification_that_cannot_be_followed_is_refused(requester, queue, wrong, code):
    given = {"HITTypeId": requester.hit_type(), "Notification": specification(queue.url) | wrong}
    assert turk_code(requester.refusal("update_notification_settings", **given)) == code
    assert not NotificationSetting.objects.exists()


@pytest.mark.parametrize(
    ("destination", "is_queue"),
    [
        ("https://sqs.us-east-1.amazonaws.com/123456789012/name", True),
        ("https://eu-west-1.queue.amazonaws.com/123456789012/name", True),
        ("https://sqs.us-east-1.amazonaws.com/123456789012/name.fifo", False),
        ("http://sqs.us-east-1.amazonaws.com/123456789012/name", False),
        ("https://sqs.us-east-1.amazonaws.com.evil.example/123456789012/name", False),
    ],
)
def test_without_an_endpoint_queues_are_amazons(requester, queue, settings, destination, is_queue):
    settings.MARKETPLACE_SQS_ENDPOINT = ""
    given = {"HITTypeId": requester.hit_type(), "Notification": specification(destination)}
    if is_queue:
        requester.mturk.update_notification_settings(**given)
    else:
        assert turk_code(requester.refusal("update_notification_settings", **given)) == "InvalidTransportEndpoint"


def test_a_marketplace_without_keys_says_that_it_sends_nothing(requester, queue, settings):
    settings.MARKETPLACE_EVENTS_ACCESS_KEY_ID = ""
    given = {"HITTypeId": requester.hit_type(), "Notification": specification(queue.url)}
    refusal = requester.refusal("update_notification_settings", **given)
    assert turk_code(refusal) == "InvalidTransportEndpoint"
    assert "sends no notifications" in refusal.response["Error"]["Message"]
    assert deliver() == {"delivered": 0, "failed": 0, "given_up": 0}


def test_where_the_keys_were_taken_away_what_waits_is_given_up_in_the_end(requester, queue, settings, pass_time):
    requester.hit(listen(requester, queue, "HITCreated"))
    settings.MARKETPLACE_EVENTS_SECRET_ACCESS_KEY = ""
    assert deliver() == {"delivered": 0, "failed": 1, "given_up": 0}
    pass_time(24 * 3600)
    assert deliver() == {"delivered": 0, "failed": 0, "given_up": 1}
    assert "no keys" in Notice.objects.get().failure


def test_many_events_share_a_message_and_requesters_do_not(requester, new_requester, queue):
    hit_type = listen(requester, queue, "HITCreated")
    for _ in range(105):
        requester.hit(hit_type)
    other = new_requester()
    other.hit(listen(other, queue, "HITCreated"))
    assert deliver()["delivered"] == 3
    documents = queue.documents()
    sizes = sorted((document["CustomerId"] == requester.customer_id, len(document["Events"])) for document in documents)
    assert sizes == [(False, 1), (True, 5), (True, 100)]


def test_a_topic_gets_the_message_inside_an_envelope(requester, queue, aws, worker):
    sns = boto3.client("sns", endpoint_url=aws, **KEYS)
    topic = sns.create_topic(Name=f"topic-{next(_queues)}")["TopicArn"]
    arn = queue.sqs.get_queue_attributes(QueueUrl=queue.url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
    hit_type = requester.hit_type()
    given = specification(topic, "HITCreated", transport="SNS")
    requester.mturk.update_notification_settings(HITTypeId=hit_type, Notification=given)
    hit = requester.hit(hit_type)
    deliver()
    (envelope,) = queue.documents()
    assert envelope["TopicArn"] == topic
    (event,) = json.loads(envelope["Message"])["Events"]
    assert (event["EventType"], event["HITId"]) == ("HITCreated", hit["HITId"])


@pytest.mark.parametrize("event_type", ["Ping", "AssignmentSubmitted", "HITExpired"])
def test_a_test_message_goes_out_at_once_whatever_is_listed(requester, queue, event_type):
    given = specification(queue.url, "HITDisposed")
    requester.mturk.send_test_event_notification(Notification=given, TestEventType=event_type)
    (document,) = queue.documents()
    (event,) = document["Events"]
    assert event["EventType"] == event_type
    assert ("AssignmentId" in event) == event_type.startswith("Assignment")


def test_a_test_message_that_does_not_arrive_is_an_error_with_its_reason(requester, queue):
    given = specification(queue.url + "-not-there")
    refusal = requester.refusal("send_test_event_notification", Notification=given, TestEventType="Ping")
    assert turk_code(refusal) == "InvalidTransportEndpoint"
    assert "NonExistentQueue" in refusal.response["Error"]["Message"]
    assert "NonExistentQueue" in Notice.objects.get(given_up_at__isnull=False).failure


def test_what_does_not_arrive_is_tried_again_ever_later_with_the_same_id(requester, queue, aws, pass_time):
    name = f"later-{next(_queues)}"
    url = f"{queue.url.rpartition('/')[0]}/{name}"
    requester.hit(listen(requester, Queue(url, queue.sqs), "HITCreated"))
    assert deliver() == {"delivered": 0, "failed": 1, "given_up": 0}
    assert deliver()["failed"] == 0  # not yet
    pauses = []
    for _ in range(3):
        row = Notice.objects.get()
        pauses.append(round((row.next_attempt_at - clock.now()).total_seconds()))
        pass_time(pauses[-1] + 1)
        deliver()
    assert pauses == [5, 10, 20]
    document_id = Notice.objects.get().document_id
    queue.sqs.create_queue(QueueName=name)
    pass_time(60)
    assert deliver()["delivered"] == 1
    (document,) = Queue(url, queue.sqs).documents()
    assert document["EventDocId"] == document_id
    assert Notice.objects.get().failure == ""


def test_after_a_day_it_is_given_up_and_the_reason_kept(requester, queue, pass_time):
    requester.hit(listen(requester, Queue(queue.url + "-not-there", queue.sqs), "HITCreated"))
    deliver()
    pass_time(24 * 3600)
    assert deliver() == {"delivered": 0, "failed": 0, "given_up": 1}
    row = Notice.objects.get()
    assert "NonExistentQueue" in row.failure
    assert row.given_up_at
    assert deliver()["given_up"] == 0
    assert notifications.forget(clock.now()) == 0
    pass_time(29 * 86400)
    assert notifications.forget(clock.now()) == 1
    assert not Event.objects.exists()


def test_a_place_that_cannot_be_reached_holds_up_no_other(requester, queue):
    for destination in (queue.url + "-not-there", queue.url):
        for _ in range(2):
            requester.hit(listen(requester, Queue(destination, queue.sqs), "HITCreated"))
    assert deliver() == {"delivered": 1, "failed": 1, "given_up": 0}


def test_a_message_whose_sender_died_goes_out_again_with_the_same_id(requester, queue, pass_time):
    requester.hit(listen(requester, queue, "HITCreated"))
    deliver()
    # As if the process had ended between sending and writing that down.
    Notice.objects.update(delivered_at=None, next_attempt_at=clock.now() + notifications.LEASE)
    assert deliver()["delivered"] == 0
    pass_time(notifications.LEASE.total_seconds() + 1)
    assert deliver()["delivered"] == 1
    first, second = queue.documents()
    assert first == second


def test_two_who_deliver_at_once_send_each_message_once(requester, queue):
    hits = [requester.hit(listen(requester, queue, "HITCreated")) for _ in range(3)]

    def work(_):
        try:
            return deliver()["delivered"]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))
    events_told = [event["HITId"] for document in queue.documents() for event in document["Events"]]
    assert sorted(events_told) == sorted(hit["HITId"] for hit in hits)


def test_a_fault_delivers_twice_with_one_id(requester, queue):
    hit_type = listen(requester, queue, "HITCreated")
    hook("faults", access_key=requester.access_key, next=[{"fault": "notify_twice"}])
    requester.hit(hit_type)
    deliver()
    requester.hit(hit_type)
    deliver()
    ids = [document["EventDocId"] for document in queue.documents()]
    assert len(ids) == 3
    assert len(set(ids)) == 2


def test_a_fault_puts_events_out_of_order(requester, queue, worker, pass_time):
    hit_type = listen(requester, queue, "HITCreated", "AssignmentAccepted", "AssignmentSubmitted")
    hook("faults", access_key=requester.access_key, next=[{"fault": "notify_out_of_order", "seconds": 30}])
    worker.do(requester.hit(hit_type))
    assert deliver()["delivered"] == 2
    assert queue.told() == ["AssignmentSubmitted", "AssignmentAccepted"]
    pass_time(30)
    deliver()
    assert queue.told() == ["HITCreated"]


def test_tick_tells_and_goes_on_as_a_service(requester, queue, postgres, aws, tmp_path):
    hit_type = listen(requester, queue, "HITCreated")
    env = os.environ | {
        "MARKETPLACE_DATABASE_URL": postgres.url(connection.settings_dict["NAME"]),
        "MARKETPLACE_SQS_ENDPOINT": aws,
        "MARKETPLACE_EVENTS_ACCESS_KEY_ID": "test",
        "MARKETPLACE_EVENTS_SECRET_ACCESS_KEY": "test",
    }
    command = [sys.executable, "manage.py", "tick", "--every", "0.2", "--settings", "config.settings.marketplace"]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        try:
            for _ in range(2):
                requester.hit(hit_type)
                got = []
                for _attempt in range(300):
                    got = queue.told()
                    if got:
                        break
                    time.sleep(0.1)
                assert got == ["HITCreated"]
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
    assert "1 notifications delivered" in (tmp_path / "log").read_text()
