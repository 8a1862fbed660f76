"""A worker's browser as the tests see it: what the frame's address gives, and what the page sends. No cookies."""

import json
import uuid
from html.parser import HTMLParser
from threading import local
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.models import Offer, Task

MARKETPLACE = "http://127.0.0.1:8001"
NIGHT = "The lamp of the east pier was lit by hand until 1931. Its keeper, Ruth Amble, slept by day."
DRAFT, FINISH = "/api/v1/work/draft", "/api/v1/work/finish"

_browser = local()  # one a thread: making a client reads all static files anew


def client() -> Client:
    """A browser that keeps no cookie, as browsers do for frames of other sites."""
    if not hasattr(_browser, "client"):
        _browser.client = Client()
    _browser.client.cookies.clear()
    return _browser.client


class Scripts(HTMLParser):
    """The text of each script element, by id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._open = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self._open = dict(attrs).get("id") or ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.found[self._open] = self.found.get(self._open, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._open = ""


def frame(offer: Offer, assignment: str | None = "A1", worker: str | None = "W1", **changed: Any) -> HttpResponse:
    """What the marketplace's frame of ``offer`` loads; ``changed`` replaces or, where None, drops a parameter."""
    asked = {"hitId": offer.mturk_hit_id, "assignmentId": assignment, "workerId": worker, "turkSubmitTo": MARKETPLACE}
    address = {name: value for name, value in (asked | changed).items() if value is not None}
    return client().get(reverse("annotation:work", args=[offer.key]), address)


def data_of(page: HttpResponse) -> dict[str, Any]:
    """The data inside a work page, as its scripts read it."""
    return json.loads(Scripts(page.content.decode()).found["work-data"])


def opened(offer: Offer, assignment: str = "A1", worker: str = "W1") -> dict[str, Any]:
    return data_of(frame(offer, assignment, worker))


def send(address: str, body: Any, token: str | None = None, **headers: str) -> HttpResponse:
    """``body`` (as JSON, bytes as they are) to the API, with the method that ``address`` takes."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    method = client().put if address.startswith(DRAFT) else client().post
    if token is not None:
        headers["HTTP_AUTHORIZATION"] = f"Work {token}"
    return method(address, content, content_type="application/json", **headers)


def save(page: dict[str, Any], paragraphs: list[dict[str, Any]], version: int) -> HttpResponse:
    return send(page["endpoints"]["draft"], {"version": version, "paragraphs": paragraphs}, page["token"])


def finish(page: dict[str, Any], paragraphs: list[dict[str, Any]], version: int = 1) -> HttpResponse:
    return send(page["endpoints"]["finish"], {"version": version, "paragraphs": paragraphs}, page["token"])


def span(text: str, answer: str) -> dict[str, Any]:
    """``answer`` where it first stands in ``text``."""
    start = text.index(answer)
    return {"start": start, "end": start + len(answer), "text": answer}


def written(text: str, answer: dict[str, Any] | None) -> dict[str, Any]:
    """A question as the page of a writer sends it."""
    return {"id": str(uuid.uuid4()), "text": text, "answer": answer}


def paragraph(task_paragraph: int, *questions: dict[str, Any], seconds: int = 0, blocked: int = 0) -> dict[str, Any]:
    return {
        "id": task_paragraph,
        "active_seconds": seconds,
        "blocked_actions": blocked,
        "questions": list(questions),
    }


def whole(page: dict[str, Any], questions: int = 1) -> list[dict[str, Any]]:
    """Work on ``page`` with nothing left open: each answer is the paragraph's first word."""
    paragraphs = []
    for held in page["paragraphs"]:
        answer = span(held["text"], next(iter(held["text"].split()), ""))
        if page["kind"] == Task.Kind.WRITE:
            asked = [written(f"Question {number}?", answer) for number in range(questions)]
        else:
            asked = [{"id": one["id"], "answer": answer, "unanswerable": False} for one in held["questions"]]
        paragraphs.append(paragraph(held["id"], *asked, seconds=60))
    return paragraphs
