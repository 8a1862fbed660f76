"""The work page as the marketplace's frame loads it: what each address answers, and what it leaves in the database."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Assignment, Draft, Offer, Verdict, Worker
from scoring.advice import question_key
from tests.annotation import work
from tests.annotation.factories import (
    make_answer_task,
    make_article,
    make_assignment,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_task,
    make_user,
    make_worker,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def offer() -> Offer:
    return make_offer(make_task(make_paragraph(), make_paragraph()), mturk_hit_id="H1", reward_usd="4.80")


def rows() -> tuple[int, int]:
    return Worker.objects.count(), Assignment.objects.count()


@pytest.mark.parametrize(
    ("changed", "status", "stored"),
    [
        pytest.param({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "workerId": None}, 200, 0, id="a preview"),
        pytest.param({"assignmentId": None, "workerId": None}, 200, 0, id="no assignment id is a preview"),
        pytest.param({}, 200, 1, id="accepted"),
        pytest.param({"turkSubmitTo": work.MARKETPLACE + "/"}, 200, 1, id="a slash after the origin"),
        pytest.param({"workerId": ""}, 400, 0, id="an empty worker id"),
        pytest.param({"workerId": None}, 400, 0, id="no worker id"),
        pytest.param({"workerId": "W\0"}, 400, 0, id="a worker id with a NUL"),
        pytest.param({"workerId": "W" * 65}, 400, 0, id="a worker id too long to be one"),
        pytest.param({"hitId": "NOPE"}, 404, 0, id="another HIT's id"),
        pytest.param({"hitId": None}, 404, 0, id="no HIT id"),
        pytest.param({"turkSubmitTo": "https://evil.example"}, 400, 0, id="a foreign address to submit to"),
        pytest.param({"turkSubmitTo": None}, 400, 0, id="no address to submit to"),
    ],
)
def test_each_address_has_its_page_and_only_a_real_one_leaves_rows(
    offer: Offer, changed: dict[str, Any], status: int, stored: int
) -> None:
    page = work.frame(offer, **changed)
    assert page.status_code == status
    assert page["Content-Type"].startswith("text/html")
    assert rows() == (stored, stored)
    assert "X-Frame-Options" not in page  # the sentence must be seen inside the frame too
    assert f"frame-ancestors {work.MARKETPLACE};" in page["Content-Security-Policy"] + ";"


def test_a_preview_shows_the_task_and_gives_no_way_to_send_it(offer: Offer) -> None:
    data = work.data_of(work.frame(offer, "ASSIGNMENT_ID_NOT_AVAILABLE", None))
    assert [len(data["paragraphs"]), data["token"], data["endpoints"], data["submit"]] == [2, None, None, None]


def test_the_page_tells_what_a_worker_needs_to_know(offer: Offer) -> None:
    data = work.opened(offer)
    first = offer.task.task_paragraphs.first()
    assert data["kind"] == "write"
    assert data["submit"] == {"url": f"{work.MARKETPLACE}/mturk/externalSubmit", "assignment_id": "A1"}
    assert data["pay"]["reward_usd"] == "4.80"
    assert (data["version"], data["draft"], data["finished"]) == (0, None, False)
    assert data["paragraphs"][0] == {
        "id": first.pk,
        "title": str(first.paragraph.article),
        "text": first.paragraph.text,
        "questions": [],
        "asked_before": [],
    }


def test_an_answering_page_shows_the_questions_and_never_an_answer() -> None:
    question = make_question(text="When was it built?")
    offer = make_offer(make_answer_task(question))
    page = work.frame(offer)
    task_question = offer.task.task_paragraphs.get().task_questions.get()
    assert work.data_of(page)["paragraphs"][0]["questions"] == [{"id": task_question.pk, "text": "When was it built?"}]
    assert question.answers.get().text == "1742"
    assert '"1742"' not in page.content.decode()


def test_a_writers_page_has_keys_of_what_was_asked_before_and_no_question() -> None:
    paragraph = make_paragraph()
    texts = {"approved": "Who built it?", "submitted": "When was it built?", "rejected": "Why?", "open": "Where?"}
    for status, text in texts.items():
        wrote = make_assignment(make_offer(make_task(paragraph)), status=status)
        make_question(paragraph, text, assignment=wrote)
    dropped = make_question(paragraph, "Dropped?", answer=None)
    Verdict.objects.create(question=dropped, decision=Verdict.Decision.DROP, decided_by=make_user())
    make_question(paragraph, "Imported?", answer=None)
    make_question(text="Of another paragraph?", answer=None)
    offer = make_offer(make_task(paragraph))
    page = work.frame(offer)
    kept = [texts["approved"], texts["submitted"], "Imported?"]
    (held,) = work.data_of(page)["paragraphs"]
    assert held["asked_before"] == sorted(question_key(text, "en") for text in kept)
    assert not any(text in page.content.decode() for text in kept)
    (previewed,) = work.data_of(work.frame(offer, "ASSIGNMENT_ID_NOT_AVAILABLE", None))["paragraphs"]
    assert previewed["asked_before"] == []


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "  two  blanks \r\n end ", "\u2028🦉𝒩"])
def test_a_paragraph_arrives_to_the_character(text: str) -> None:
    assert work.opened(make_offer(make_task(make_paragraph(text=text))))["paragraphs"][0]["text"] == text


def test_loading_the_page_again_finds_the_same_assignment(offer: Offer) -> None:
    first, second = work.opened(offer), work.opened(offer)
    assert rows() == (1, 1)
    assert first["pay"]["opened_at"] == second["pay"]["opened_at"]


def test_a_hit_whose_id_is_not_known_yet_is_tried_again_by_itself() -> None:
    offer = make_offer(mturk_hit_id="")
    page = work.frame(offer, hitId="H9")
    assert (page.status_code, page["Refresh"]) == (202, "3")
    assert f"frame-ancestors {work.MARKETPLACE}" in page["Content-Security-Policy"]
    assert rows() == (0, 0)
    Offer.objects.filter(pk=offer.pk).update(mturk_hit_id="H9")
    assert work.frame(offer, hitId="H9").status_code == 200


def test_one_assignment_id_under_two_workers_is_two_rows(offer: Offer) -> None:
    work.opened(offer, "A9", "W-first")
    work.opened(offer, "A9", "W-second")
    assert sorted(Assignment.objects.values_list("mturk_assignment_id", "worker__mturk_worker_id")) == [
        ("A9", "W-first"),
        ("A9", "W-second"),
    ]


def test_an_assignment_id_of_another_hit_is_refused(offer: Offer) -> None:
    work.opened(offer, "A1", "W1")
    other_task, same_task = make_offer(), make_offer(offer.task)
    for other in (other_task, same_task):
        assert work.frame(other, "A1", "W1").status_code == 400
    assert rows() == (1, 1)


@pytest.mark.parametrize("status", [status for status in Assignment.Status if status in Assignment.LISTED])
def test_who_has_done_the_task_is_asked_to_return_it(offer: Offer, status: str) -> None:
    worker = make_worker(mturk_worker_id="W1")
    make_assignment(offer, worker, status=status)
    page = work.frame(make_offer(offer.task), "A2", "W1")
    assert page.status_code == 409
    assert "return this HIT" in page.content.decode()
    assert Assignment.objects.count() == 1


@pytest.mark.parametrize("status", [Assignment.Status.OPEN, Assignment.Status.NOT_SUBMITTED])
def test_who_has_only_opened_the_task_may_do_it_elsewhere(offer: Offer, status: str) -> None:
    make_assignment(offer, make_worker(mturk_worker_id="W1"), status=status)
    assert work.frame(make_offer(offer.task), "A2", "W1").status_code == 200


def test_nobody_answers_a_question_of_their_own() -> None:
    writer = make_worker(mturk_worker_id="W1")
    paragraph = make_paragraph()
    wrote = make_assignment(make_offer(make_task(paragraph)), writer, status=Assignment.Status.APPROVED)
    offer = make_offer(make_answer_task(make_question(paragraph, assignment=wrote)))
    assert work.frame(offer, "A2", "W1").status_code == 409
    assert work.frame(offer, "A2", "W2").status_code == 200


def test_an_earlier_draft_is_read_with_its_token_and_never_with_the_workers_id_alone(offer: Offer) -> None:
    returned = work.opened(offer, "A1")
    typed = [work.paragraph(returned["paragraphs"][0]["id"], work.written("Typed", None))]
    work.save(returned, typed, 7)
    page = work.frame(offer, "A2")
    again = work.data_of(page)
    assert "Typed" not in page.content.decode()
    assert (again["draft"], again["version"]) == (None, 0)
    for token, answer in (
        (returned["token"], {"version": 7, "paragraphs": typed}),
        (again["token"], {"version": 0, "paragraphs": []}),
    ):
        asked = work.client().get(again["endpoints"]["draft"], HTTP_AUTHORIZATION=f"Work {token}")
        assert asked.json() == answer
    assert Draft.objects.count() == 1


def test_another_assignment_under_a_workers_id_does_not_fill_that_workers_page(offer: Offer) -> None:
    forged = work.opened(offer, "INVENTED")
    work.save(forged, work.whole(forged), 1)
    assert work.opened(offer, "A1")["draft"] is None
    assert work.opened(offer, "INVENTED")["draft"] is not None


def test_a_finished_assignment_offers_to_send_the_work(offer: Offer) -> None:
    data = work.opened(offer)
    work.finish(data, work.whole(data))
    page = work.frame(offer)
    assert work.data_of(page)["finished"] is True
    text = page.content.decode()
    assert f'<form class="submit-form" method="post" action="{work.MARKETPLACE}/mturk/externalSubmit">' in text
    assert '<input type="hidden" name="assignmentId" value="A1">' in text


def test_no_cookie_is_read_or_set(offer: Offer) -> None:
    page = work.frame(offer)
    assert not page.cookies
    assert "Cookie" not in page.get("Vary", "")


def test_the_work_page_alone_can_be_framed(offer: Offer) -> None:
    client = Client()
    for address in ("/admin/", reverse("admin:login"), "/no-such-page/", "/work/00000000-0000-0000-0000-000000000000/"):
        page = client.get(address)
        assert page["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    policy = work.frame(offer)["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert f"form-action 'self' http://localhost:8000 {work.MARKETPLACE}" in policy
    assert "unsafe" not in policy


def test_the_language_of_the_page_is_a_parameter(offer: Offer) -> None:
    assert '<html lang="en" dir="ltr">' in work.frame(offer, lang="en").content.decode()
    assert '<html lang="en" dir="ltr">' in work.frame(offer, lang="tlh").content.decode()


def test_a_right_to_left_project_says_so() -> None:
    project = make_project(language="ar")
    offer = make_offer(make_task(make_paragraph(article=make_article(project), text="برج المدينة قديم.")))
    data = work.opened(offer)
    assert (data["project"]["language"], data["project"]["direction"]) == ("ar", "rtl")


def queries_of(act: Any) -> list[str]:
    """The statements of ``act``, without the savepoints that only a test's own transaction brings."""
    with CaptureQueriesContext(
        connection,
    ) as captured:
        act()
    return [query["sql"] for query in captured if "SAVEPOINT" not in query["sql"]]


def test_a_first_load_takes_at_most_eight_queries_and_a_reload_five() -> None:
    offer = make_offer(make_answer_task(*(make_question() for _ in range(5))))
    assert len(queries_of(lambda: work.frame(offer))) <= 8
    assert len(queries_of(lambda: work.frame(offer))) <= 5


def test_the_page_may_be_asked_for_its_headers_alone(offer: Offer) -> None:
    address = reverse("annotation:work", args=[offer.key])
    whole, headers = (method(address, {"hitId": "H1"}) for method in (Client().get, Client().head))
    assert (headers.status_code, headers.content) == (200, b"")
    assert headers["Content-Security-Policy"] == whole["Content-Security-Policy"]
    assert Client().post(address).status_code == 405
