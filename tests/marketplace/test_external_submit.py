"""What arrives from the frame, and the XML that the requester gets of it."""

import threading
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from xml.etree.ElementTree import fromstring

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client, RequestFactory

from marketplace import answers
from marketplace.models import Assignment
from marketplace.views import external_submit

from .conftest import id_in, submit

pytestmark = pytest.mark.slow

NAMES = {"a": answers.NAMESPACE}


def fields_of(xml: str) -> dict:
    """As a requester's program reads an Answer."""
    assert xml.isascii()
    found = fromstring(xml).findall("a:Answer", NAMES)
    return {
        answer.find("a:QuestionIdentifier", NAMES).text: answer.find("a:FreeText", NAMES).text or "" for answer in found
    }


def sent(requester, worker, **fields) -> dict:
    hit = requester.hit()
    response = submit(id_in(worker.accept(hit)), **fields)
    assert response.status_code == 200
    return fields_of(requester.submitted(hit)[0]["Answer"])


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("plain", "plain"),
        ("", ""),
        ("<b>&amp;\"'</b> ]]>", "<b>&amp;\"'</b> ]]>"),
        ("Überdruß 🦉 Ελλάδα", "Überdruß 🦉 Ελλάδα"),
        ("line\nline\ttab\r\nwindows\rmac", "line\nline\ttab\r\nwindows\rmac"),
        ("nul \x00 bell \x07 esc \x1b end", "nul � bell � esc � end"),
        ("￾￿", "��"),
        ('[{"taskAnswers": 1}]', '[{"taskAnswers": 1}]'),
    ],
)
def test_values_come_back_as_they_were_sent(requester, worker, value, kept):
    assert sent(requester, worker, q1=value) == {"q1": kept}


def test_each_field_is_an_answer_but_for_the_frames_own_names(requester, worker):
    got = sent(
        requester,
        worker,
        **{"b": "2", "a": "1", "hitId": "3X", "workerId": "A1", "turkSubmitTo": "x", "weird <name>": "3"},
    )
    assert got == {"b": "2", "a": "1", "weird <name>": "3"}


def test_of_a_repeated_name_the_last_value_counts(requester, worker):
    assert sent(requester, worker, q1=["first", "last"]) == {"q1": "last"}


def test_without_any_field_the_answer_is_empty_but_counts(requester, worker):
    assert sent(requester, worker) == {}


def test_the_page_after_a_submit_may_be_shown_in_a_frame(requester, worker):
    response = submit(id_in(worker.accept(requester.hit())), q="a")
    assert "X-Frame-Options" not in response.headers
    assert "frame-ancestors *" in response.headers["Content-Security-Policy"]
    assert 'data-outcome="submitted"' in response.content.decode()
    assert "Set-Cookie" not in response.headers


def outcome(response) -> tuple[int, str]:
    page = response.content.decode()
    return response.status_code, page.split('data-outcome="')[1].split('"')[0]


def test_the_first_submit_is_kept(requester, worker):
    hit = requester.hit()
    assignment_id = id_in(worker.accept(hit))
    assert outcome(submit(assignment_id, q="first")) == (200, "submitted")
    assert outcome(submit(assignment_id, q="second")) == (409, "already")
    assert fields_of(requester.submitted(hit)[0]["Answer"]) == {"q": "first"}
    requester.mturk.approve_assignment(AssignmentId=assignment_id)
    assert outcome(submit(assignment_id, q="third")) == (409, "already")


@pytest.mark.parametrize(("seconds", "status"), [(590, 200), (600, 410), (601, 410)])
def test_a_submit_counts_until_the_deadline(requester, worker, pass_time, seconds, status):
    hit = requester.hit()
    assignment_id = id_in(worker.accept(hit))
    pass_time(seconds)
    assert submit(assignment_id, q="a").status_code == status
    assert len(requester.submitted(hit)) == (1 if status == 200 else 0)


def test_a_returned_hit_cannot_be_submitted_and_anothers_place_is_not_touched(requester, worker, new_worker):
    hit = requester.hit()
    returned = worker.accept(hit)
    worker.give_back(returned)
    held = id_in(new_worker().accept(hit))
    assert outcome(submit(id_in(returned), q="late")) == (410, "returned")
    assert requester.submitted(hit) == []
    assert outcome(submit(held, q="in time")) == (200, "submitted")


@pytest.mark.parametrize(
    ("assignment_id", "expected"),
    [
        ("ASSIGNMENT_ID_NOT_AVAILABLE", (403, "preview")),
        ("", (400, "no_assignment")),
        ("3NOBODYHOLDSTHIS", (404, "unknown")),
        ("\x00", (404, "unknown")),
        ("3" * 10_000, (404, "unknown")),
    ],
)
def test_what_names_no_assignment_in_hand_is_refused(requester, worker, assignment_id, expected):
    worker.accept(requester.hit())
    assert outcome(submit(assignment_id, q="a")) == expected
    assert Assignment.objects.get().status == "held"


def test_too_much_is_refused_and_can_be_sent_again_smaller(requester, worker):
    assignment_id = id_in(worker.accept(requester.hit()))
    assert outcome(submit(assignment_id, q="x" * 1_100_000)) == (413, "too_large")
    assert outcome(submit(assignment_id, q="é" * 300_000)) == (413, "too_large")
    assert outcome(submit(assignment_id, q="x" * 2_000_000)) == (413, "too_large")
    assert outcome(submit(assignment_id, **{f"q{number}": "" for number in range(1001)})) == (413, "too_large")
    assert Assignment.objects.get().status == "held"
    assert outcome(submit(assignment_id, q="x" * 1_000_000)) == (200, "submitted")


@pytest.mark.slow
@pytest.mark.parametrize(("charset", "status"), [("utf-8", 404), ("utf-7", 400), ("base64", 400), ("undefined", 400)])
def test_a_form_in_a_charset_that_is_not_plain_is_refused(gunicorn_site, charset, status):
    form = b'--b\r\nContent-Disposition: form-data; name="assignmentId"\r\n\r\n3X\r\n--b--\r\n'
    kind = f"multipart/form-data; boundary=b; charset={charset}"
    call = Request(f"{gunicorn_site}/mturk/externalSubmit", form, {"Content-Type": kind})
    with pytest.raises(HTTPError) as caught:
        urlopen(call)
    assert caught.value.code == status


def test_a_file_is_passed_over_and_the_text_beside_it_is_kept(requester, worker):
    assert sent(requester, worker, q="text", scan=SimpleUploadedFile("a.png", b"x" * 100_000)) == {"q": "text"}


def test_a_form_that_is_too_large_for_its_files_is_refused_unread(requester, worker):
    assignment_id = id_in(worker.accept(requester.hit()))
    form = RequestFactory().post(
        "/mturk/externalSubmit", {"assignmentId": assignment_id, "scan": SimpleUploadedFile("a.png", b"x" * 1_600_000)}
    )
    assert outcome(external_submit(form)) == (413, "too_large")
    assert not form._read_started
    many = [SimpleUploadedFile("a.png", b"x")] * 101
    assert outcome(submit(assignment_id, scan=many)) == (413, "too_large")
    assert Assignment.objects.get().status == "held"


def test_only_a_post_submits(requester, worker):
    assignment_id = id_in(worker.accept(requester.hit()))
    response = Client().get("/mturk/externalSubmit", {"assignmentId": assignment_id, "q": "a"})
    assert outcome(response) == (405, "not_a_post")
    assert Assignment.objects.get().status == "held"


def test_two_submits_at_once_are_one(requester, worker):
    hit = requester.hit()
    assignment_id = id_in(worker.accept(hit))
    statuses = []

    def send(number):
        statuses.append(submit(assignment_id, q=str(number)).status_code)
        connection.close()

    threads = [threading.Thread(target=send, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 409, 409, 409, 409, 409]
    assert len(requester.submitted(hit)) == 1
