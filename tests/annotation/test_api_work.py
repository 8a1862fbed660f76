"""The work API, rule by rule: who may write, what is stored, and the sentence for everything that is not."""

import json
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, replace
from typing import Any

import pytest
from django.core.signing import Signer
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Answer, Draft, Offer, Project, Question, Worker
from annotation.serializers import AnsweringSerializer, WritingSerializer
from annotation.services import work_body
from annotation.tokens import GRACE_SECONDS, Claims
from tests.annotation import work
from tests.annotation.factories import (
    make_superuser,
    make_user,
)
from tests.annotation.test_work_page import queries_of

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


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
    assert {"GET", "PUT", "POST"} <= set(reply["Access-Control-Allow-Methods"].split(", "))
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


def test_a_page_can_ask_what_was_saved_last(page: dict[str, Any]) -> None:
    def asked(token: str) -> Any:
        return work.client().get(page["endpoints"]["draft"], HTTP_AUTHORIZATION=f"Work {token}")

    assert asked(page["token"]).json() == {"version": 0, "paragraphs": []}
    paragraphs = work.whole(page)
    work.save(page, paragraphs, 3)
    assert asked(page["token"]).json() == {"version": 3, "paragraphs": paragraphs}
    assert asked(altered(page["token"])).status_code == 403


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


def with_one_id_for_all(page: dict[str, Any], *places: int) -> list[dict[str, Any]]:
    """Paragraphs of ``page`` with a question for each of ``places``, all under one id."""
    paragraphs = [work.paragraph(held["id"]) for held in page["paragraphs"]]
    question = work.whole(page)[0]["questions"][0]
    for place in places:
        paragraphs[place]["questions"].append(question)
    return paragraphs


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
        pytest.param(
            lambda page: {"version": 1, "paragraphs": with_one_id_for_all(page, 0, 0)},
            "paragraphs[0].questions[1].id",
            id="a question's id twice in a paragraph",
        ),
        pytest.param(
            lambda page: {"version": 1, "paragraphs": with_one_id_for_all(page, 0, 1)},
            "paragraphs[1].questions[0].id",
            id="a question's id in two paragraphs",
        ),
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
    reply = work.save(page, paragraphs, 1)
    assert (reply.status_code, reply.json()["code"]) == (400, "bad_shape")  # read, and found out


def test_a_draft_holds_no_more_than_the_task_can_have(offer: Offer, page: dict[str, Any]) -> None:
    longest = max(len(held["text"]) for held in page["paragraphs"])
    full = work.whole(page, offer.task.project.max_questions)
    full[0]["questions"][0]["answer"] = {"start": 0, "end": longest, "text": "x" * longest}
    assert work.save(page, full, 1).status_code == 200
    one_more_question = work.whole(page, offer.task.project.max_questions + 1)
    too_long = work.whole(page)
    too_long[1]["questions"][0]["answer"]["text"] = "x" * (longest + 1)
    for paragraphs, field in (
        ([*full, work.paragraph(10**9)], "paragraphs"),
        (one_more_question, "paragraphs[0].questions"),
        (too_long, "paragraphs[1].questions[0].answer.text"),
    ):
        reply = work.save(page, paragraphs, 2)
        assert (reply.status_code, reply.json()["code"], reply.json()["field"]) == (400, "bad_shape", field)
        assert field in reply.json()["detail"]
    assert Draft.objects.get().content == {"paragraphs": full}


def test_a_draft_from_before_the_most_was_lowered_can_still_be_saved(offer: Offer, page: dict[str, Any]) -> None:
    work.save(page, work.whole(page, 3), 1)
    Project.objects.update(max_questions=1)
    again = work.opened(offer)
    assert work.save(again, work.whole(again, 3), 2).status_code == 200
    assert work.save(again, work.whole(again, 4), 3).status_code == 400


def test_a_token_of_an_older_release_is_refused_in_words(page: dict[str, Any]) -> None:
    old = Signer(salt=Claims.SALT).sign_object(list(astuple(claims_of(page)))[:-3])
    reply = work.send(work.DRAFT, {"version": 1, "paragraphs": []}, old)
    assert (reply.status_code, reply.json()["code"]) == (403, "bad_token")


def test_other_methods_and_forms_are_refused_in_words(page: dict[str, Any]) -> None:
    token = f"Work {page['token']}"
    assert work.client().get(work.FINISH, HTTP_AUTHORIZATION=token).json()["code"] == "method_not_allowed"
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


# The schema


def test_the_schema_is_for_signed_in_staff() -> None:
    address = reverse("annotation:schema")
    assert Client().get(address).status_code == 401
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
