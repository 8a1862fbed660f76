"""Workers and requesters write to each other on the site; neither sees more of the other than name and worker id."""

import re

import pytest
from django.test import Client

from marketplace.models import Message, RequesterProfile
from marketplace.services import messages, threads

from .conftest import Requester

pytestmark = pytest.mark.slow

HOUR, DAY = 3600, 86400


def requester_client(requester: Requester) -> Client:
    client = Client()
    client.force_login(RequesterProfile.objects.get(customer_id=requester.customer_id).user)
    return client


def write(person, address: str, text: str = "How long shall an answer be?", subject: str = "A question"):
    client = person if isinstance(person, Client) else person.client
    return client.post(address, {"subject": subject, "text": text})


def unread_in(page: str) -> list[str]:
    return re.findall(r'data-unread="(\d+)"', page)


def test_a_question_is_answered(requester, worker):
    hit = requester.hit(requester.hit_type(Title="Name the river"))
    preview = worker.client.get(f"/projects/{hit['HITGroupId']}/tasks").content.decode()
    address = re.search(r'href="(/messages/\w+/\?group=\w+)"', preview)[1]
    page = worker.client.get(address).content.decode()
    assert 'value="About: Name the river"' in page
    sent = write(worker, address)
    assert (sent.status_code, sent.url) == (302, f"/messages/{requester.customer_id}/")

    lab = requester_client(requester)
    assert unread_in(lab.get("/requester/").content.decode()) == ["1"]
    inbox = lab.get("/requester/messages/").content.decode()
    assert worker.worker_id in inbox
    thread = f"/requester/messages/{worker.worker_id}/"
    page = lab.get(thread).content.decode()
    assert "How long shall an answer be?" in page
    assert "Name the river" in page
    assert 'value="Re: A question"' in page
    assert unread_in(page) == [], "what is being read is not unread any more"
    assert unread_in(lab.get("/requester/").content.decode()) == []
    assert write(lab, thread, "One word.", "Re: A question").status_code == 302

    assert unread_in(worker.client.get("/projects/").content.decode()) == ["1"]
    assert "1 new" in worker.client.get("/messages/").content.decode()
    page = worker.client.get(sent.url).content.decode()
    assert "One word." in page
    assert unread_in(page) == []
    assert unread_in(worker.client.get("/projects/").content.decode()) == []


def test_a_requester_learns_the_worker_id_alone(requester, worker):
    worker.do(requester.hit())
    write(worker, f"/messages/{requester.customer_id}/")
    lab = requester_client(requester)
    for address in ("/requester/", "/requester/messages/", f"/requester/messages/{worker.worker_id}/"):
        assert worker.profile.user.username not in lab.get(address).content.decode()
    assert worker.worker_id in lab.get("/requester/messages/").content.decode()


def test_nobody_reads_what_others_wrote(requester, new_requester, worker, new_worker):
    hit = requester.hit()
    worker.do(hit)
    write(worker, f"/messages/{requester.customer_id}/", "Between you and me")
    other, stranger = new_worker(), new_requester()
    other.do(requester.hit())
    for client, address in (
        (other.client, f"/messages/{requester.customer_id}/"),
        (other.client, "/messages/"),
        (requester_client(stranger), "/requester/messages/"),
    ):
        response = client.get(address)
        assert (response.status_code, "Between you and me" in response.content.decode()) == (200, False)
    address = f"/requester/messages/{worker.worker_id}/"
    assert requester_client(stranger).get(address).status_code == 404
    assert write(requester_client(stranger), address).status_code == 404
    assert requester_client(requester).get(address).status_code == 200


def test_a_requester_cannot_write_to_workers_who_never_wrote_or_were_written_to(requester, worker):
    worker.do(requester.hit())
    lab, address = requester_client(requester), f"/requester/messages/{worker.worker_id}/"
    assert (lab.get(address).status_code, write(lab, address).status_code) == (404, 404)
    write(worker, f"/messages/{requester.customer_id}/")
    assert (lab.get(address).status_code, write(lab, address).status_code) == (200, 302)


def test_workers_write_to_requesters_whose_work_they_know(requester, new_requester, worker):
    closed = [{"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThan", "IntegerValues": [100],
               "ActionsGuarded": "DiscoverPreviewAndAccept"}]  # fmt: skip
    hidden = requester.hit(requester.hit_type(QualificationRequirements=closed))
    seen = requester.hit()
    address = f"/messages/{requester.customer_id}/"
    assert worker.client.get(address).status_code == 404
    assert worker.client.get(f"{address}?group={hidden['HITGroupId']}").status_code == 404
    assert write(worker, f"{address}?group={hidden['HITGroupId']}").status_code == 404
    assert worker.client.get(f"/messages/{new_requester().customer_id}/?group={seen['HITGroupId']}").status_code == 404
    assert write(worker, f"{address}?group={seen['HITGroupId']}").status_code == 302
    assert worker.client.get(address).status_code == 200


@pytest.mark.parametrize("query", ["assignment=%00", "group=%00", "assignment=3X", "group=3X", "before=x", "before=-1"])
def test_nonsense_in_the_address_of_a_thread(requester, worker, query):
    worker.do(requester.hit())
    expected = 200 if query.startswith("before") or "%00" in query else 404
    assert worker.client.get(f"/messages/{requester.customer_id}/?{query}").status_code == expected


@pytest.mark.parametrize(
    ("subject", "answered_with"),
    [
        ("About: Name the river", "Re: Name the river"),
        ("Re: About: Re: Name the river", "Re: Name the river"),
        ("RE: re: AW: Name the river", "Re: Name the river"),
        ("Rejected: why?", "Re: Rejected: why?"),
        ("Re:", "Re: Re:"),
    ],
)
def test_subjects_do_not_grow_as_letters_go_to_and_fro(requester, worker, subject, answered_with):
    worker.do(requester.hit())
    lab, thread = requester_client(requester), f"/requester/messages/{worker.worker_id}/"
    write(worker, f"/messages/{requester.customer_id}/", subject=subject)
    assert f'value="{answered_with}"' in lab.get(thread).content.decode()
    write(lab, thread, "One word.", answered_with)
    assert f'value="{answered_with}"' in worker.client.get(f"/messages/{requester.customer_id}/").content.decode()


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"subject": "", "text": "x"}, "This field is required"),
        ({"subject": "x", "text": " "}, "This field is required"),
        ({"subject": "x" * (messages.SUBJECT + 1), "text": "x"}, "at most 200 characters"),
        ({"subject": "x", "text": "x" * (messages.TEXT + 1)}, "at most 4096 characters"),
        ({"subject": "x", "text": "a\0b"}, "Null characters are not allowed"),
    ],
)
def test_a_message_has_a_subject_and_a_text(requester, worker, values, problem):
    worker.do(requester.hit())
    response = worker.client.post(f"/messages/{requester.customer_id}/", values)
    assert (response.status_code, problem in response.content.decode()) == (400, True)
    assert not Message.objects.exists()


def test_what_a_message_says_is_no_html(requester, worker):
    worker.do(requester.hit())
    address = f"/messages/{requester.customer_id}/"
    write(worker, address, "<script>alert(1)</script>", "<b>")
    page = worker.client.get(address).content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page


def test_pressing_twice_sends_once(requester, worker):
    worker.do(requester.hit())
    address = f"/messages/{requester.customer_id}/"
    for _ in range(2):
        assert write(worker, address).status_code == 302
    assert Message.objects.count() == 1
    write(worker, address, "Something else")
    assert Message.objects.count() == 2


def test_a_worker_writes_so_often_to_one_requester_and_no_more(requester, worker, pass_time):
    worker.do(requester.hit())
    address = f"/messages/{requester.customer_id}/"
    for number in range(threads.HOURLY_TO_ONE):
        assert write(worker, address, f"Question {number}").status_code == 302
    refused = write(worker, address, "One too many")
    assert (refused.status_code, Message.objects.count()) == (400, threads.HOURLY_TO_ONE)
    page = refused.content.decode()
    assert "You can send 5 messages for now" in page
    assert "One too many" in page, "the words are kept"
    pass_time(HOUR + 1)
    assert write(worker, address, "One too many").status_code == 302


def test_a_worker_writes_so_often_to_all_and_no_more(new_requester, worker, monkeypatch, pass_time):
    monkeypatch.setattr(threads, "DAILY_TO_ALL", 2)
    labs = [new_requester() for _ in range(3)]
    for lab in labs:
        worker.do(lab.hit())
    sent = [write(worker, f"/messages/{lab.customer_id}/").status_code for lab in labs]
    assert sent == [302, 302, 400]
    pass_time(DAY + 1)
    assert write(worker, f"/messages/{labs[2].customer_id}/").status_code == 302


def test_a_requester_writes_so_often_to_one_worker_and_no_more(requester, worker):
    worker.do(requester.hit())
    write(worker, f"/messages/{requester.customer_id}/")
    lab, address = requester_client(requester), f"/requester/messages/{worker.worker_id}/"
    sent = [write(lab, address, f"Answer {number}").status_code for number in range(threads.HOURLY_TO_ONE + 1)]
    assert sent == [302] * threads.HOURLY_TO_ONE + [400]


def test_what_comes_through_the_api_is_in_the_inbox(requester, worker):
    done = worker.do(requester.hit())
    requester.mturk.approve_assignment(AssignmentId=done)
    requester.mturk.notify_workers(Subject="New work", MessageText="Come back.", WorkerIds=[worker.worker_id])
    assert unread_in(worker.client.get("/tasks/").content.decode()) == ["1"]
    assert "Come back." in worker.client.get(f"/messages/{requester.customer_id}/").content.decode()


def test_a_rejection_can_be_appealed_while_it_can_be_turned_round(requester, worker, new_worker, pass_time):
    done = worker.do(requester.hit())
    requester.mturk.reject_assignment(AssignmentId=done, RequesterFeedback="Too short")
    address = re.search(r'href="(/messages/\w+/\?assignment=\w+)"', worker.client.get("/tasks/").content.decode())[1]
    page = worker.client.get(address).content.decode()
    assert "The requester can still approve this submission until" in page
    assert 'value="Please look at my submission again"' in page
    assert new_worker().client.get(address).status_code == 404
    write(worker, address, "It has all that was asked for.", "Please look at my submission again")
    page = requester_client(requester).get(f"/requester/messages/{worker.worker_id}/").content.decode()
    assert done in page
    pass_time(30 * DAY + 1)
    assert "The time in which a rejection can be turned round ended" in worker.client.get(address).content.decode()


def test_long_threads_and_inboxes_come_in_pages(requester, new_requester, worker, monkeypatch):
    monkeypatch.setattr(threads, "MESSAGES", 2)
    monkeypatch.setattr(threads, "THREADS", 1)
    for lab in (requester, new_requester()):
        worker.do(lab.hit())
        for number in range(3):
            write(worker, f"/messages/{lab.customer_id}/", f"Text {number}")
    page = worker.client.get(f"/messages/{requester.customer_id}/").content.decode()
    assert ("Text 0" in page, "Text 1" in page, "Text 2" in page) == (False, True, True)
    earlier = re.search(r'href="(\?before=\d+)"', page)[1]
    assert "Text 0" in worker.client.get(f"/messages/{requester.customer_id}/{earlier}").content.decode()
    page = worker.client.get("/messages/").content.decode()
    assert requester.customer_id not in page
    older = re.search(r'rel="next" href="([^"]+)"', page)[1]
    assert requester.customer_id in worker.client.get(f"/messages/{older}").content.decode()
