"""A reviewer tells a worker what they saw, and the worker reads it with their next task: once, without a name."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Note, Worker
from reviewer.services import notes
from tests.annotation import work
from tests.annotation.factories import (
    make_answer,
    make_answer_task,
    make_assignment,
    make_offer,
    make_paragraph,
    make_task,
    make_worker,
)
from tests.reviewer.factories import make_answered, make_split, make_written, publish
from tests.reviewer.test_gold import rules_data
from tests.reviewer.test_review_api import api
from tests.reviewer.test_review_pages import messages_of, shown, sign_in
from tests.reviewer.test_review_pages import page as review_page

__all__ = ["api", "sign_in"]

pytestmark = pytest.mark.django_db

SHORTER = "The answer can be shorter: mark only the words that answer."


@pytest.fixture
def written(project):
    return make_written(project)


@pytest.fixture
def next_offer(project):
    return make_offer(make_task(make_paragraph(project)))


def post(client, assignment, **asked):
    """What the form of the review page sends about the assignment's only question."""
    values = {"question": assignment.questions.get().pk, "number": 1} | asked
    return client.post(reverse("review_note", args=[assignment.task.project.slug, assignment.pk]), values, follow=True)


def opened(offer, assignment, name="NEXT"):
    return work.opened(offer, name, assignment.worker.mturk_worker_id)


def read(page, *ids):
    return work.send(page["endpoints"]["notes"], {"read": list(ids)}, page["token"])


def test_a_note_reaches_the_workers_next_page_with_its_words_and_no_name(sign_in, written, next_offer):
    client = sign_in("reviewer")
    told = post(client, written, chosen_reason="shorter", note="The year is enough.", text="in 1742", start=19, end=26)
    assert messages_of(told) == ["Sent: the worker reads the note before their next task. “When was the mill built?”"]
    assert f"{SHORTER} The year is enough. “in 1742”" in shown(told)
    assert "note, not read yet" in shown(told)
    page = opened(next_offer, written)
    (note,) = page["notes"]
    assert note["question"] == "When was the mill built?"
    assert note["words"] == f"{SHORTER} The year is enough."
    assert note["span"] == {"start": 19, "end": 26, "text": "in 1742"}
    assert note["answer"] == {"start": 22, "end": 26, "text": "1742"}
    assert (note["is_new"], note["text"]) == (True, written.questions.get().paragraph.text)
    assert "reviewer" not in str(note)
    german = work.data_of(work.frame(next_offer, "NEXT", written.worker.mturk_worker_id, lang="de"))
    assert german["notes"][0]["words"].startswith("Die Antwort kann kürzer sein:")


def test_a_note_that_was_read_is_new_on_no_page_and_stays_to_be_opened(sign_in, written, next_offer, project):
    post(sign_in("reviewer"), written, chosen_reason="good")
    page = opened(next_offer, written)
    (note,) = page["notes"]
    assert read(page, note["id"]).json() == {"read": 1}
    assert read(page, note["id"]).json() == {"read": 1}
    later = opened(make_offer(make_task(make_paragraph(project))), written, "LATER")
    assert [(one["id"], one["is_new"]) for one in later["notes"]] == [(note["id"], False)]
    assert "note, read by the worker" in shown(sign_in("viewer").get(review_page(project, written)))


def test_nobody_reads_another_workers_notes_nor_those_of_another_project(sign_in, written, next_offer):
    post(sign_in("reviewer"), written, chosen_reason="good")
    note = Note.objects.get()
    other = work.opened(next_offer, "OTHER", make_worker().mturk_worker_id)
    assert other["notes"] == []
    assert read(other, note.pk).json() == {"read": 0}
    assert opened(make_offer(), written)["notes"] == []
    assert work.data_of(work.frame(next_offer, None, None))["notes"] == []  # a preview
    assert Note.objects.unread().count() == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "read"), ({"read": "1"}, "read"), ({"read": ["1"]}, "read[0]"), ({"read": [0]}, "read[0]"), ([], "")],
)
def test_what_is_no_list_of_notes_is_refused_with_the_field(written, next_offer, body, field):
    page = opened(next_offer, written)
    refused = work.send(page["endpoints"]["notes"], body, page["token"])
    assert (refused.status_code, refused.json()["field"]) == (400, field)
    assert work.send(page["endpoints"]["notes"], {"read": [1]}, "forged").status_code == 403


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "Choose a reason, or write what the worker should know."),
        ({"note": " \n "}, "Choose a reason, or write what the worker should know."),
        ({"chosen_reason": "sloppy"}, "There is no such reason. Choose one of the list, or write your own."),
        ({"note": "x" * 10_000}, "The note has 10000 characters; 1000 are allowed. Shorten it."),
        ({"note": "a\0b"}, "The note holds characters that cannot be shown. Type it again."),
        ({"note": "Yes.", "text": "1066"}, "“1066” does not stand in the paragraph, letter by letter."),
        (
            {"note": "Yes.", "text": "The"},
            "“The” stands in the paragraph 2 times. Mark the right one, or say which one it is.",
        ),
    ],
)
def test_a_note_that_cannot_be_sent_says_why(sign_in, written, asked, sentence):
    assert messages_of(post(sign_in("reviewer"), written, **asked)) == [sentence]
    assert not Note.objects.exists()


def test_sending_the_same_twice_sends_it_once(people, written):
    question = written.questions.get()
    first, again = (notes.send(written, question, people["reviewer"], reason="good") for _time in range(2))
    other = notes.send(written, question, people["reviewer"], reason="good", words="1742")
    assert (first, Note.objects.count(), other.marked_words) == (again, 2, "1742")


def test_a_worker_whose_data_was_erased_is_told_nothing(sign_in, written):
    Worker.objects.filter(pk=written.worker_id).update(mturk_worker_id="", erased_at=timezone.now())
    told = messages_of(post(sign_in("reviewer"), written, chosen_reason="good"))
    assert told == ["This worker's data has been erased: nobody would read the note."]


@pytest.mark.parametrize(("person", "status"), [("viewer", 403), ("outsider", 404), ("reviewer", 200)])
def test_reviewers_send_notes_and_others_are_refused(sign_in, written, person, status):
    assert post(sign_in(person), written, chosen_reason="good").status_code == status
    assert Note.objects.exists() == (status == 200)


def test_an_answerer_is_told_about_their_own_answer_and_never_about_a_gold_check(sign_in, project):
    real, check = make_split(project, "dev", ["1340"], ["1340"])
    work_done = make_answered(real, check, texts=["dug in 1340", "1340"])
    client = sign_in("reviewer")
    post_to = reverse("review_note", args=[project.slug, work_done.pk])
    client.post(post_to, {"question": real.pk, "chosen_reason": "shorter"})
    (note,) = work.opened(make_offer(make_task(make_paragraph(project))), "N", work_done.worker.mturk_worker_id)[
        "notes"
    ]
    assert (note["answer"]["text"], note["span"]) == ("dug in 1340", None)
    (stranger,) = make_split(project, "train", ["1742"], text="A mill of 1742.")
    assert client.post(post_to, {"question": stranger.pk, "chosen_reason": "good"}).status_code == 404
    planted = make_answer_task(real, check, gold=(check,))
    checked = make_assignment(publish(planted), status="submitted")
    make_answer(check, "1340", assignment=checked, is_gold=True)
    refused = client.post(
        reverse("review_note", args=[project.slug, checked.pk]), {"question": check.pk, "chosen_reason": "good"}
    )
    assert refused.status_code == 404


def test_programs_send_notes_and_see_whether_they_were_read(api, written, next_offer):
    question = written.questions.get().pk
    address = f"/api/v1/reviews/{written.pk}/questions/{question}/note"
    body = {"chosen_reason": "shorter", "text": "1742", "note": "Just the year."}
    made = api("reviewer").post(address, body, format="json")
    (note,) = made.json()["questions"][0]["notes"]
    assert (note["reason"], note["text"], note["note"], note["read_at"]) == ("shorter", "1742", "Just the year.", None)
    page = opened(next_offer, written)
    read(page, note["id"])
    found = api("viewer").get(f"/api/v1/reviews/{written.pk}").json()["questions"][0]["notes"]
    assert found[0]["read_at"] is not None
    refused = api("reviewer").post(address, {"text": "1742"}, format="json")
    assert (refused.status_code, refused.json()["detail"]) == (
        422,
        "Choose a reason, or write what the worker should know.",
    )
    assert api("viewer").post(address, body, format="json").status_code == 403


def test_a_project_keeps_reasons_of_its_own(sign_in, api, project, written, next_offer):
    client = sign_in("requester")
    rules = reverse("review_rules", args=[project.slug])
    own = "Years are written in digits here."
    refused = client.post(rules, rules_data(note_reasons="x" * 301))
    assert "Line 1 has more than 300 characters." in shown(refused)
    assert client.post(rules, rules_data(note_reasons=f"  {own}\n\n{own}\n{SHORTER}")).status_code == 302
    assert notes.own_reasons(project) == [own, SHORTER]
    reviewing = sign_in("reviewer")
    assert f"<option>{own}</option>" in reviewing.get(review_page(project, written)).content.decode()
    post(reviewing, written, chosen_reason=own, note="As in the guide.")
    (note,) = opened(next_offer, written)["notes"]
    assert note["words"] == f"{own} As in the guide."
    told = api("viewer").get(f"/api/v1/reviews/{written.pk}").json()["note_reasons"]
    assert told[0] == {"code": own, "sentence": own}
    assert told[2]["code"] == "own_words"
