"""Finishing work through the API: what is stored, what is refused with its place, and that it happens exactly once."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Answer, Assignment, Draft, Offer, ParagraphWork, Question
from annotation.services.work import finish_from_draft
from scoring.spans import trim
from tests.annotation import work
from tests.annotation.factories import (
    NOON,
    make_answer_task,
    make_article,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_task,
)
from tests.annotation.test_work_page import queries_of
from tests.annotation.work import NIGHT

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def stored() -> tuple[int, int, int]:
    return Draft.objects.count(), Question.objects.count(), Answer.objects.count()


def test_finishing_stores_questions_with_their_answers(page: dict[str, Any]) -> None:
    first, second = (paragraph["id"] for paragraph in page["paragraphs"])
    paragraphs = [
        work.paragraph(
            first,
            work.written(" Until when was it lit by hand?\n", work.span(NIGHT, "1931")),
            work.written("Who slept by day?", work.span(NIGHT, "Ruth Amble")),
            seconds=61,
            blocked=2,
        ),
        work.whole(page)[1],
    ]
    reply = work.finish(page, paragraphs)
    assert reply.status_code == 200
    assert reply.json()["already"] is False
    assert reply.json()["submit"]["url"] == f"{work.MARKETPLACE}/mturk/externalSubmit"
    assert reply.json()["submit"]["fields"]["assignmentId"] == "A1"
    assert reply.json()["submit"]["fields"]["receipt"]
    assignment = Assignment.objects.get()
    assert assignment.finished_at is not None
    assert assignment.status == Assignment.Status.OPEN  # only the endpoint says that it was submitted
    questions = Question.objects.filter(paragraph__task_paragraphs=first).order_by("position")
    assert [(question.text, question.answers.get().text, question.position) for question in questions] == [
        ("Until when was it lit by hand?", "1931", 0),
        ("Who slept by day?", "Ruth Amble", 1),
    ]
    answers = Answer.objects.values_list("assignment", "position", "is_gold", "is_mid_word").distinct()
    assert list(answers) == [(assignment.pk, None, False, False)]
    works = ParagraphWork.objects.order_by("task_paragraph").values_list("active_seconds", "blocked_actions")
    assert list(works) == [(61, 2), (60, 0)]
    assert second


def test_finishing_an_answering_task_stores_spans_and_explicit_absence(answering: dict[str, Any]) -> None:
    until, keeper = (question["id"] for question in answering["paragraphs"][0]["questions"])
    before = Question.objects.count()
    sent = [
        {"id": until, "answer": work.span(NIGHT, "1931"), "unanswerable": False},
        {"id": keeper, "answer": None, "unanswerable": True},
    ]
    assert work.finish(answering, [work.paragraph(answering["paragraphs"][0]["id"], *sent)]).status_code == 200
    given_answers = Answer.objects.filter(assignment__isnull=False).order_by("pk")
    assert [(answer.text, answer.is_unanswerable) for answer in given_answers] == [("1931", False), (None, True)]
    assert Question.objects.count() == before


def test_an_answer_to_a_gold_question_is_gold() -> None:
    gold, real = (make_question(text=text) for text in ("Gold?", "Real?"))
    page = work.opened(make_offer(make_answer_task(gold, real, gold=(gold,))))
    work.finish(page, work.whole(page))
    assert dict(Answer.objects.filter(assignment__isnull=False).values_list("question__text", "is_gold")) == {
        "Gold?": True,
        "Real?": False,
    }


def errors_of(reply: Any) -> list[tuple[Any, str]]:
    assert (reply.status_code, reply.json()["code"]) == (422, "incomplete"), reply.content
    return [(error["question"], error["message"]) for error in reply.json()["errors"]]


def test_what_is_missing_is_listed_with_its_place_and_nothing_is_stored(page: dict[str, Any]) -> None:
    first, second = (paragraph["id"] for paragraph in page["paragraphs"])
    blank = work.written(" \u200b", work.span(NIGHT, "1931"))
    unmarked = work.written("When?", None)
    reply = work.finish(page, [work.paragraph(first, blank, unmarked)])
    assert errors_of(reply) == [
        (blank["id"], "Type the question."),
        (unmarked["id"], "Mark the answer in the paragraph."),
        (None, "Write at least 1 question on this paragraph."),
    ]
    assert [error["paragraph"] for error in reply.json()["errors"]] == [first, first, second]
    assert stored() == (0, 0, 0)
    assert Assignment.objects.get().finished_at is None


@pytest.mark.parametrize(("least", "most", "sent", "status"), [
    (0, 5, 0, 200), (1, 5, 0, 422), (1, 5, 1, 200), (2, 2, 2, 200), (2, 2, 1, 422), (1, 5, 5, 200), (1, 5, 6, 422),
])  # fmt: skip
def test_the_project_says_how_many_questions(least: int, most: int, sent: int, status: int) -> None:
    project = make_project(min_questions=least, max_questions=most)
    page = work.opened(make_offer(make_task(make_paragraph(project))))
    assert work.finish(page, work.whole(page, sent)).status_code == status


def test_a_paragraph_that_may_stay_empty_need_not_be_sent() -> None:
    page = work.opened(make_offer(make_task(make_paragraph(make_project(min_questions=0)))))
    assert work.finish(page, []).status_code == 200


def test_an_unanswered_question_must_be_answered_or_called_unanswerable(answering: dict[str, Any]) -> None:
    asked = answering["paragraphs"][0]
    until, keeper = (question["id"] for question in asked["questions"])
    sent = {"id": until, "answer": None, "unanswerable": False}
    message = "Mark the answer, or say that the paragraph has none."
    assert errors_of(work.finish(answering, [work.paragraph(asked["id"], sent)])) == [
        (until, message),
        (keeper, message),
    ]
    both = {"id": until, "answer": work.span(NIGHT, "1931"), "unanswerable": True}
    assert work.finish(answering, [work.paragraph(asked["id"], both)]).json()["code"] == "bad_shape"


def test_foreign_paragraphs_and_questions_are_refused(page: dict[str, Any], answering: dict[str, Any]) -> None:
    foreign = answering["paragraphs"][0]["id"]
    reply = work.finish(page, [*work.whole(page), work.paragraph(foreign)])
    assert reply.json()["errors"] == [
        {"paragraph": foreign, "question": None, "message": "This paragraph is no part of the task."}
    ]
    sent = work.whole(answering)
    sent[0]["questions"].append({"id": 10**9, "answer": None, "unanswerable": True})
    assert errors_of(work.finish(answering, sent)) == [(10**9, "This question is no part of the task.")]


# Spans


def finish_with(page: dict[str, Any], answer: dict[str, Any]) -> Any:
    paragraphs = work.whole(page)
    paragraphs[0]["questions"] = [work.written("A question?", answer)]
    return work.finish(page, paragraphs)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        pytest.param({"start": 49, "end": 53, "text": "1931"}, "The text has", id="shifted by one"),
        pytest.param({"start": 80, "end": 900, "text": "slept by day."}, "does not lie in the text", id="past the end"),
        pytest.param({"start": 10, "end": 5, "text": ""}, "does not lie in the text", id="backwards"),
        pytest.param({"start": 3, "end": 4, "text": " "}, "The answer is empty", id="a blank"),
        pytest.param({"start": 3, "end": 3, "text": ""}, "The answer is empty", id="nothing"),
    ],
)
def test_a_span_that_is_not_the_paragraphs_own_text_is_refused(
    page: dict[str, Any], answer: dict[str, Any], wrong: str
) -> None:
    errors = errors_of(finish_with(page, answer))
    assert len(errors) == 1
    assert wrong in errors[0][1]
    assert Answer.objects.count() == 0
    assert finish_with(page, work.span(NIGHT, "1931")).status_code == 200


@pytest.mark.parametrize(
    ("text", "raw", "start", "kept"),
    [
        pytest.param("The  ferry\tleaves", (3, 11), 5, "ferry", id="blank, tab"),
        pytest.param("leaves Port\u00a0Elsen at noon", (6, 18), 7, "Port\u00a0Elsen", id="no-break space"),
        pytest.param("At 06:40.\nIt leaves", (3, 10), 3, "06:40.", id="line end"),
        pytest.param("🦉 hunts, 🦉-watch began", (8, 17), 9, "🦉-watch", id="code points"),
    ],
)
def test_blanks_at_the_edges_are_trimmed_whoever_sends_them(
    text: str, raw: tuple[int, int], start: int, kept: str
) -> None:
    page = work.opened(make_offer(make_task(make_paragraph(text=text))))
    assert finish_with(page, {"start": raw[0], "end": raw[1], "text": text[slice(*raw)]}).status_code == 200
    answer = Answer.objects.get()
    assert (answer.start, answer.text, text[answer.start : answer.end]) == (start, kept, kept)


def test_the_place_that_was_marked_is_kept_and_an_edge_inside_a_word_is_noted() -> None:
    text = "In 1907, in 1917 and in 1907 again."
    page = work.opened(make_offer(make_task(make_paragraph(make_project(min_questions=0), text=text))))
    paragraphs = [
        work.paragraph(
            page["paragraphs"][0]["id"],
            work.written("Last?", {"start": 24, "end": 28, "text": "1907"}),
            work.written("Digit?", {"start": 15, "end": 16, "text": "7"}),
        )
    ]
    assert work.finish(page, paragraphs).status_code == 200
    assert list(Answer.objects.order_by("pk").values_list("start", "text", "is_mid_word")) == [
        (24, "1907", False),
        (15, "7", True),
    ]


# Any text that PostgreSQL can hold.
TEXTS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1, max_size=60)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS, edges=st.tuples(st.integers(0, 60), st.integers(0, 60)))
def test_whatever_is_stored_is_the_paragraphs_own_text(db: None, text: str, edges: tuple[int, int]) -> None:
    start, end = sorted(min(edge, len(text)) for edge in edges)
    article = make_article(make_project())
    offer = make_offer(make_task(make_paragraph(article=article, text=text)))
    page = work.opened(offer, f"A{offer.pk}")
    reply = finish_with(page, {"start": start, "end": end, "text": text[start:end]})
    answer = Answer.objects.filter(question__project=article.project).first()
    assert (reply.status_code == 200) == (answer is not None) == (trim(text, start, end) is not None)
    if answer is not None:
        assert text[answer.start : answer.end] == answer.text == answer.text.strip()


# Exactly once


def test_a_second_finish_is_answered_like_the_first_and_changes_nothing(page: dict[str, Any]) -> None:
    sent = work.whole(page, 5)
    first, again = work.finish(page, sent), work.finish(page, sent)
    assert again.json() == first.json() | {"already": True}
    changed = work.whole(page, 4)
    late = work.finish(page, changed, 2)
    assert late.status_code == 200
    assert late.json()["already"] is True
    assert "not kept" in late.json()["detail"]
    assert late.json()["submit"] == first.json()["submit"]
    assert (Question.objects.count(), Answer.objects.count()) == (10, 10)
    saved = work.save(page, changed, 3)
    assert (saved.status_code, saved.json()["code"]) == (409, "finished")


def test_a_tab_that_fell_behind_cannot_finish_over_newer_work(page: dict[str, Any]) -> None:
    newer, older = work.whole(page, 2), work.whole(page, 1)
    work.save(page, newer, 5)
    late = work.finish(page, older, 5)
    assert (late.status_code, late.json()["code"], late.json()["version"]) == (409, "stale", 5)
    assert Question.objects.count() == 0
    assert work.finish(page, newer, 5).status_code == 200


def test_finishing_takes_few_queries_however_many_questions(page: dict[str, Any]) -> None:
    work.save(page, work.whole(page, 1), 1)
    assert len(queries_of(lambda: work.finish(page, work.whole(page, 5), 2))) <= 7


def test_two_workers_under_one_assignment_id_both_keep_their_work(offer: Offer) -> None:
    for worker in ("W-first", "W-second"):
        page = work.opened(offer, "A9", worker)
        assert work.finish(page, work.whole(page)).status_code == 200
    finished = Assignment.objects.filter(finished_at__isnull=False)
    assert sorted(finished.values_list("worker__mturk_worker_id", "questions__text").distinct()) == [
        ("W-first", "Question 0?"),
        ("W-second", "Question 0?"),
    ]


# Submitted at the endpoint, never finished here


def test_what_is_whole_in_the_draft_is_kept_and_the_rest_is_left(page: dict[str, Any]) -> None:
    first = page["paragraphs"][0]["id"]
    good = work.written("Until when?", work.span(NIGHT, "1931"))
    bad = [
        work.written("No answer yet", None),
        work.written("", work.span(NIGHT, "1931")),
        work.written("Shifted?", {"start": 1, "end": 5, "text": "1931"}),
    ]
    work.save(page, [work.paragraph(first, *bad, good, seconds=9), work.paragraph(10**9)], 1)
    assignment = Assignment.objects.get()
    finish_from_draft(assignment)
    finish_from_draft(assignment)
    assert assignment.finished_at is not None
    assert [(question.text, question.answers.get().text) for question in Question.objects.all()] == [
        ("Until when?", "1931")
    ]
    assert ParagraphWork.objects.get().active_seconds == 9
    assert work.finish(page, work.whole(page), 2).json()["already"] is True
    assert Question.objects.count() == 1


def test_a_stored_draft_that_uses_one_id_twice_keeps_both_questions(page: dict[str, Any]) -> None:
    paragraphs = work.whole(page)
    first, second = (paragraph["questions"][0] for paragraph in paragraphs)
    second["id"] = first["id"]
    assignment = Assignment.objects.get()
    Draft.objects.create(assignment=assignment, version=1, content={"paragraphs": paragraphs})
    finish_from_draft(assignment)
    ids = list(Question.objects.order_by("pk").values_list("client_id", flat=True))
    assert (str(ids[0]), len(set(ids))) == (first["id"], 2)
    assert Answer.objects.count() == 2


def test_without_a_draft_there_is_nothing_to_finish(page: dict[str, Any]) -> None:
    assignment = Assignment.objects.get()
    finish_from_draft(assignment)
    assert assignment.finished_at is Assignment.objects.get().finished_at is None
    assert stored() == (0, 0, 0)


LISTED = [status for status in Assignment.Status if status in Assignment.LISTED]


@pytest.mark.parametrize("status", LISTED)
def test_nothing_is_added_once_the_endpoint_has_listed_the_assignment(
    offer: Offer, page: dict[str, Any], status: str
) -> None:
    Assignment.objects.update(status=status, submitted_at=NOON)
    for send in (work.save, work.finish):
        reply = send(page, work.whole(page), 1)
        assert (reply.status_code, reply.json()["code"]) == (409, "finished")
        assert "already has this HIT as submitted" in reply.json()["detail"]
    assert stored() == (0, 0, 0)
    assert Assignment.objects.get().finished_at is None
    again = work.frame(offer)
    assert again.status_code == 409
    assert page["token"] not in again.content.decode()
    assert "work-data" not in again.content.decode()


@pytest.mark.parametrize("status", [Assignment.Status.OPEN, Assignment.Status.NOT_SUBMITTED])
def test_until_then_work_is_taken(page: dict[str, Any], status: str) -> None:
    Assignment.objects.update(status=status)
    assert work.save(page, work.whole(page), 1).status_code == 200
    assert work.finish(page, work.whole(page), 2).status_code == 200


def test_work_that_was_finished_in_time_can_be_asked_for_after_it_was_listed(
    offer: Offer, page: dict[str, Any]
) -> None:
    sent = work.whole(page)
    work.finish(page, sent)
    Assignment.objects.update(status=Assignment.Status.APPROVED, submitted_at=NOON)
    assert work.finish(page, sent).json()["already"] is True
    assert work.data_of(work.frame(offer))["finished"] is True


def test_the_draft_of_work_that_was_just_listed_is_still_finished(page: dict[str, Any]) -> None:
    work.save(page, work.whole(page), 1)
    Assignment.objects.update(status=Assignment.Status.SUBMITTED, submitted_at=NOON)
    finish_from_draft(Assignment.objects.get())
    assert Question.objects.count() == 2


def test_a_half_answered_draft_keeps_the_answers_that_are_there(answering: dict[str, Any]) -> None:
    asked = answering["paragraphs"][0]
    sent = {"id": asked["questions"][0]["id"], "answer": work.span(NIGHT, "1931"), "unanswerable": False}
    work.save(answering, [work.paragraph(asked["id"], sent)], 1)
    finish_from_draft(Assignment.objects.get())
    assert Answer.objects.get(assignment__isnull=False).text == "1931"
