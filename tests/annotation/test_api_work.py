"""The work API, rule by rule: who may write, what is stored, and the sentence for everything that is not."""

import json
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Answer, Assignment, Draft, Offer, ParagraphWork, Question, Worker
from annotation.serializers import AnsweringSerializer, WritingSerializer
from annotation.services import work_body
from annotation.services.work import finish_from_draft
from annotation.tokens import GRACE_SECONDS, Claims
from scoring.spans import trim
from tests.annotation import work
from tests.annotation.factories import (
    make_answer_task,
    make_article,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_superuser,
    make_task,
    make_user,
)
from tests.annotation.test_work_page import queries_of

pytestmark = pytest.mark.django_db

NIGHT = "The lamp of the east pier was lit by hand until 1931. Its keeper, Ruth Amble, slept by day."


@pytest.fixture
def offer() -> Offer:
    return make_offer(make_task(make_paragraph(text=NIGHT), make_paragraph()), mturk_hit_id="H1")


@pytest.fixture
def page(offer: Offer) -> dict[str, Any]:
    return work.opened(offer)


@pytest.fixture
def answering() -> dict[str, Any]:
    """The page of a task that asks two questions about one paragraph."""
    paragraph = make_paragraph(text=NIGHT)
    questions = [make_question(paragraph, text, answer="1931") for text in ("Until when?", "Who kept the lamp?")]
    return work.opened(make_offer(make_answer_task(*questions)), "A7")


def stored() -> tuple[int, int, int]:
    return Draft.objects.count(), Question.objects.count(), Answer.objects.count()


# Tokens


def claims_of(page: dict[str, Any]) -> Claims:
    return Claims.read(page["token"])


def altered(token: str) -> str:
    middle = len(token) // 3
    return token[:middle] + ("A" if token[middle] != "A" else "B") + token[middle + 1 :]


@pytest.mark.parametrize("address", [work.DRAFT, work.FINISH])
@pytest.mark.parametrize(
    ("headers", "code"),
    [
        pytest.param(lambda page: {}, "bad_token", id="none"),
        pytest.param(lambda page: {"HTTP_AUTHORIZATION": page["token"]}, "bad_token", id="another scheme"),
        pytest.param(lambda page: {"HTTP_AUTHORIZATION": "Work "}, "bad_token", id="empty"),
        pytest.param(lambda page: {"HTTP_AUTHORIZATION": f"Work {altered(page['token'])}"}, "bad_token", id="altered"),
        pytest.param(
            lambda page: {
                "HTTP_AUTHORIZATION": "Work " + replace(claims_of(page), expires_at=int(time.time()) - 1).signed()
            },
            "expired",
            id="expired",
        ),
        *(
            pytest.param(
                lambda page, name=name, value=value: {
                    "HTTP_AUTHORIZATION": "Work " + replace(claims_of(page), **{name: value}).signed()
                },
                "bad_token",
                id=f"for another {name}",
            )
            for name, value in [
                ("endpoint", "mturk"),
                ("mturk_hit_id", "H2"),
                ("mturk_assignment_id", "A2"),
                ("mturk_worker_id", "W2"),
                ("task_id", 10**6),
                ("assignment_id", 10**6),
            ]
        ),
    ],
)
def test_without_a_fitting_token_nothing_is_stored(
    page: dict[str, Any], address: str, headers: Callable[[dict[str, Any]], dict[str, str]], code: str
) -> None:
    body = {"version": 1, "paragraphs": work.whole(page)}
    reply = work.send(address, body, **headers(page))
    assert (reply.status_code, reply.json()["code"]) == (403, code)
    assert reply.json()["detail"].endswith(".")
    assert stored() == (0, 0, 0)
    assert work.send(address, body, page["token"]).status_code == 200


def test_a_token_holds_for_the_time_of_the_hit_and_a_day(page: dict[str, Any], offer: Offer) -> None:
    remaining = claims_of(page).expires_at - time.time()
    assert remaining == pytest.approx(offer.allowed_seconds + GRACE_SECONDS, abs=30)


def test_an_erased_workers_page_saves_no_more(page: dict[str, Any]) -> None:
    assert work.save(page, work.whole(page), 1).status_code == 200
    Worker.objects.update(mturk_worker_id="erased-1")
    assert work.save(page, work.whole(page), 2).status_code == 403


# Reached from a frame without an origin


@pytest.mark.parametrize("address", [work.DRAFT, work.FINISH])
def test_a_preflight_is_answered_without_a_token_and_kept(address: str) -> None:
    reply = work.client().options(
        address,
        HTTP_ORIGIN="null",
        HTTP_ACCESS_CONTROL_REQUEST_METHOD="PUT",
        HTTP_ACCESS_CONTROL_REQUEST_HEADERS="authorization,content-type",
    )
    assert reply.status_code == 204
    assert reply["Access-Control-Allow-Origin"] == "*"
    assert {"PUT", "POST"} <= set(reply["Access-Control-Allow-Methods"].split(", "))
    assert reply["Access-Control-Allow-Headers"] == "authorization, content-type"
    assert int(reply["Access-Control-Max-Age"]) >= 7200


def test_every_reply_may_be_read_and_none_has_a_cookie(page: dict[str, Any]) -> None:
    good, refused = work.save(page, [], 1), work.send(work.DRAFT, {}, "x")
    for reply in (good, refused):
        assert reply["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in reply
        assert not reply.cookies


# Drafts


def test_a_draft_is_there_after_a_reload(offer: Offer, page: dict[str, Any]) -> None:
    paragraphs = [work.paragraph(page["paragraphs"][0]["id"], work.written("Half a qu", None), seconds=12, blocked=3)]
    reply = work.save(page, paragraphs, 1)
    assert (reply.status_code, reply.json()["version"]) == (200, 1)
    again = work.opened(offer)
    assert (again["version"], again["draft"]) == (1, {"paragraphs": paragraphs})


def test_the_newest_version_wins_and_an_older_one_hears_of_it(offer: Offer, page: dict[str, Any]) -> None:
    first, second = ([work.paragraph(page["paragraphs"][0]["id"], work.written(text, None))] for text in ("one", "two"))
    assert work.save(page, second, 5).status_code == 200
    late = work.save(page, first, 4)
    assert (late.status_code, late.json()["code"], late.json()["version"]) == (409, "stale", 5)
    assert work.opened(offer)["draft"] == {"paragraphs": second}


def test_a_version_counts_once_so_two_tabs_cannot_share_it(offer: Offer, page: dict[str, Any]) -> None:
    mine, theirs = (
        [work.paragraph(page["paragraphs"][0]["id"], work.written(text, None))] for text in ("mine", "theirs")
    )
    first = work.save(page, mine, 1)
    assert work.save(page, mine, 1).json() == first.json()  # a retry of the same request
    refused = work.save(page, theirs, 1)
    assert (refused.status_code, refused.json()["code"]) == (409, "stale")
    assert "another window" in refused.json()["detail"]
    assert work.opened(offer)["draft"] == {"paragraphs": mine}


def test_saving_a_draft_takes_one_query(page: dict[str, Any]) -> None:
    assert len(queries_of(lambda: work.save(page, work.whole(page), 1))) == 1
    assert len(queries_of(lambda: work.save(page, work.whole(page), 2))) == 1


# Bad input


def with_question(page: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """A whole body whose first question is ``changed``."""
    paragraphs = work.whole(page)
    paragraphs[0]["questions"][0].update(changed)
    return {"version": 1, "paragraphs": paragraphs}


Q = "paragraphs[0].questions[0]"


@pytest.mark.parametrize("address", [work.DRAFT, work.FINISH])
@pytest.mark.parametrize(
    ("body", "field"),
    [
        pytest.param(lambda page: b"", "version", id="nothing"),
        pytest.param(lambda page: b"{", "", id="not JSON"),
        pytest.param(lambda page: b'{"version": NaN}', "", id="a number that JSON has not"),
        pytest.param(lambda page: '{"version": "é"}'.encode("latin-1"), "", id="Latin-1"),
        pytest.param(lambda page: b"[" * 200_000, "", id="nested without end"),
        pytest.param(lambda page: b'{"version": ' + b"9" * 5000 + b"}", "", id="a number of 5000 digits"),
        pytest.param(lambda page: [], "", id="a list"),
        pytest.param(lambda page: {"paragraphs": []}, "version", id="no version"),
        pytest.param(lambda page: {"version": 0, "paragraphs": []}, "version", id="version 0"),
        pytest.param(lambda page: {"version": True, "paragraphs": []}, "version", id="version true"),
        pytest.param(lambda page: {"version": 2**31, "paragraphs": []}, "version", id="a version past an integer"),
        pytest.param(lambda page: {"version": 1}, "paragraphs", id="no paragraphs"),
        pytest.param(lambda page: {"version": 1, "paragraphs": [7]}, "paragraphs[0]", id="a number for a paragraph"),
        pytest.param(lambda page: {"version": 1, "paragraphs": work.whole(page) * 2}, "paragraphs", id="twice"),
        pytest.param(lambda page: {"version": 1, "paragraphs": [{}] * 201}, "paragraphs", id="too many paragraphs"),
        pytest.param(
            lambda page: {"version": 1, "paragraphs": [work.paragraph(1, seconds=-1)]},
            "paragraphs[0].active_seconds",
            id="negative seconds",
        ),
        pytest.param(
            lambda page: {"version": 1, "paragraphs": [work.paragraph(1, blocked=10**7)]},
            "paragraphs[0].blocked_actions",
            id="more refusals than a hand can make",
        ),
        pytest.param(
            lambda page: {"version": 1, "paragraphs": [work.paragraph(2**63)]}, "paragraphs[0].id", id="a huge id"
        ),
        pytest.param(lambda page: with_question(page, id="7"), f"{Q}.id", id="an id that is no UUID"),
        pytest.param(lambda page: with_question(page, text=7), f"{Q}.text", id="a number for a question"),
        pytest.param(lambda page: with_question(page, text="a\0b"), f"{Q}.text", id="a NUL"),
        pytest.param(lambda page: with_question(page, text="\ud83e"), f"{Q}.text", id="half a character"),
        pytest.param(lambda page: with_question(page, text="x" * 200_000), f"{Q}.text", id="200,000 characters"),
        pytest.param(lambda page: with_question(page, answer="1931"), f"{Q}.answer", id="an answer without place"),
        pytest.param(
            lambda page: with_question(page, answer={"start": 1.5, "end": 2, "text": ""}),
            f"{Q}.answer.start",
            id="a broken start",
        ),
        pytest.param(
            lambda page: with_question(page, answer={"start": 0, "end": 2, "text": "\0"}),
            f"{Q}.answer.text",
            id="a NUL in the answer",
        ),
    ],
)
def test_a_wrong_shape_is_refused_with_its_field(
    page: dict[str, Any], address: str, body: Callable[[dict[str, Any]], Any], field: str
) -> None:
    reply = work.send(address, body(page), page["token"])
    assert (reply.status_code, reply.json()["code"], reply.json()["field"]) == (400, "bad_shape", field)
    assert field in reply.json()["detail"] or field == f"{Q}.text"
    assert stored() == (0, 0, 0)


def test_a_body_over_a_megabyte_is_refused(page: dict[str, Any]) -> None:
    paragraphs = work.whole(page)
    paragraphs[0]["questions"][0]["answer"]["text"] = "x" * 1024 * 1024
    reply = work.save(page, paragraphs, 1)
    assert (reply.status_code, reply.json()["code"]) == (413, "too_large")
    paragraphs[0]["questions"][0]["answer"]["text"] = "x" * 1000 * 1024
    assert work.save(page, paragraphs, 1).status_code == 200


def test_other_methods_and_forms_are_refused_in_words(page: dict[str, Any]) -> None:
    token = f"Work {page['token']}"
    assert work.client().get(work.DRAFT, HTTP_AUTHORIZATION=token).json()["code"] == "method_not_allowed"
    form = work.client().post(work.FINISH, {"version": 1}, HTTP_AUTHORIZATION=token)
    assert (form.status_code, form.json()["code"]) == (415, "unsupported_media_type")


@given(raw=st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["version", "paragraphs", "id", "questions", "text", "answer", "start", "end"]), inner
    ),
))  # fmt: skip
def test_any_json_is_read_or_refused_in_words(raw: Any) -> None:
    with suppress(work_body.BadShape):  # any other exception would be a server error
        body = work_body.read_body(work_body.parse_json(json.dumps(raw).encode()), "write")
        assert json.dumps(body.content).encode()


# Finishing


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


def test_without_a_draft_nothing_is_kept_and_the_assignment_is_finished(page: dict[str, Any]) -> None:
    assignment = Assignment.objects.get()
    finish_from_draft(assignment)
    assert assignment.finished_at == Assignment.objects.get().finished_at is not None
    assert stored() == (0, 0, 0)


def test_a_half_answered_draft_keeps_the_answers_that_are_there(answering: dict[str, Any]) -> None:
    asked = answering["paragraphs"][0]
    sent = {"id": asked["questions"][0]["id"], "answer": work.span(NIGHT, "1931"), "unanswerable": False}
    work.save(answering, [work.paragraph(asked["id"], sent)], 1)
    finish_from_draft(Assignment.objects.get())
    assert Answer.objects.get(assignment__isnull=False).text == "1931"


# The schema


def test_the_schema_is_for_signed_in_staff() -> None:
    address = reverse("annotation:schema")
    assert Client().get(address).status_code == 403
    for user, status in ((make_user(is_staff=False), 403), (make_superuser(), 200)):
        client = Client()
        client.force_login(user)
        assert client.get(address).status_code == status


def test_the_schema_agrees_with_what_is_read(page: dict[str, Any], answering: dict[str, Any]) -> None:
    for serializer, data in ((WritingSerializer, page), (AnsweringSerializer, answering)):
        body = {"version": 1, "paragraphs": work.whole(data)}
        assert serializer(data=body).is_valid(raise_exception=True)
        assert work_body.read_body(body, data["kind"]).paragraphs == body["paragraphs"]
        broken = {"version": 1, "paragraphs": [{"id": "x", "questions": [{"id": uuid.uuid4().hex}]}]}
        assert not serializer(data=broken).is_valid()
        with pytest.raises(work_body.BadShape):
            work_body.read_body(broken, data["kind"])
