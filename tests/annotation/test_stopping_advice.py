"""Remarks that a project does not let pass: work with one is sent back with a sentence at its question."""

import pytest

from annotation.models import Assignment, Question
from annotation.services.work import finish_from_draft
from tests.annotation import work
from tests.annotation.factories import (
    make_answer_task,
    make_article,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_task,
)
from tests.annotation.work import NIGHT

pytestmark = pytest.mark.django_db
LONG = work.span(NIGHT, "The lamp of the east pier was lit by hand until 1931. Its keeper")


def writing_offer(*stopping):
    article = make_article(make_project(stopping_advice=list(stopping)))
    return make_offer(make_task(make_paragraph(article=article, text=NIGHT)))


def written(page, *questions):
    return [work.paragraph(page["paragraphs"][0]["id"], *questions)]


COPIED = "What was lit by hand until 1931?"


@pytest.mark.parametrize(
    ("stopping", "problem"),
    [
        ([], None),
        (["duplicate", "long_answer"], None),
        (["copied"], "Repeats 6 words in a row: try your own words."),
    ],
)
def test_a_remark_stops_where_the_project_says_so(stopping, problem):
    page = work.opened(writing_offer(*stopping))
    assert page["project"]["stopping_advice"] == stopping
    question = work.written(COPIED, work.span(NIGHT, "1931"))
    reply = work.finish(page, written(page, question))
    if problem is None:
        assert (reply.status_code, Question.objects.count()) == (200, 1)
        return
    assert (reply.status_code, Question.objects.count()) == (422, 0)
    (error,) = reply.json()["errors"]
    assert error == {"paragraph": page["paragraphs"][0]["id"], "question": question["id"], "message": problem}
    question["text"] = "In which year did that end?"
    assert work.finish(page, written(page, question), version=2).status_code == 200


def test_questions_of_one_paragraph_are_held_against_each_other_and_not_against_those_of_another():
    article = make_article(make_project(stopping_advice=["duplicate"]))
    first, second = make_paragraph(article=article, text=NIGHT), make_paragraph(article=article, text=f"{NIGHT} ")
    page = work.opened(make_offer(make_task(first, second)))
    one, other = (paragraph["id"] for paragraph in page["paragraphs"])
    ask = [work.written("Who slept?", work.span(NIGHT, "Ruth Amble")) for _ in range(4)]
    reply = work.finish(page, [work.paragraph(one, ask[0], ask[1]), work.paragraph(other, ask[2])])
    assert [(e["question"], e["message"]) for e in reply.json()["errors"]] == [
        (ask[0]["id"], "This asks the same as question 2."),
        (ask[1]["id"], "This asks the same as question 1."),
    ]
    assert work.finish(page, [work.paragraph(one, ask[0]), work.paragraph(other, ask[2])], 2).status_code == 200


@pytest.mark.parametrize("stops", [True, False])
def test_a_question_that_somebody_asked_before_stops_where_the_project_says_so(stops):
    offer = writing_offer(*["asked_before"] * stops)
    page = work.opened(offer)
    paragraph = offer.task.task_paragraphs.get().paragraph
    make_question(paragraph, "Who slept by day?", answer=None)  # meanwhile
    question = work.written("Who by day slept", work.span(NIGHT, "Ruth Amble"))
    reply = work.finish(page, written(page, question))
    assert reply.status_code == (422 if stops else 200)
    if stops:
        (error,) = reply.json()["errors"]
        assert error["message"] == "This was asked about the paragraph before: could you ask for something else?"
        question["text"] = "Who was in bed by day?"
        assert work.finish(page, written(page, question), version=2).status_code == 200


def test_answering_asks_for_the_shortest_piece_where_the_project_insists():
    project = make_project(stopping_advice=["long_answer", "copied", "same_answer"])
    paragraph = make_paragraph(article=make_article(project), text=NIGHT)
    questions = [make_question(paragraph, text, answer=None) for text in (COPIED, "Who?")]
    page = work.opened(make_offer(make_answer_task(*questions)))
    held = page["paragraphs"][0]
    first, second = (question["id"] for question in held["questions"])
    none = {"id": second, "answer": None, "unanswerable": True}
    long, short = ({"id": first, "answer": span, "unanswerable": False} for span in (LONG, work.span(NIGHT, "1931")))
    reply = work.finish(page, [work.paragraph(held["id"], long, none)])
    assert [(e["question"], e["message"]) for e in reply.json()["errors"]] == [
        (first, "The answer has 14 words: is there a shorter piece that answers?")
    ]
    assert work.finish(page, [work.paragraph(held["id"], short, none)], 2).status_code == 200


def test_work_that_only_the_marketplace_knows_is_kept_whatever_remarks_it_has():
    page = work.opened(writing_offer("copied"))
    work.save(page, written(page, work.written(COPIED, work.span(NIGHT, "1931"))), 1)
    finish_from_draft(Assignment.objects.get())
    assert Question.objects.get().text == COPIED
