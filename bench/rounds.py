"""One worker's round, request by request, on the floor and on our two sites.

A round of ours: the list, accept, the work page on the marketplace, the page in its frame on the platform, an autosave
after each question, finish, and the form that the frame sends to the marketplace.
"""

from __future__ import annotations

import html
import itertools
import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from bench.client import Visitor, WrongAnswer

QUESTIONS = 3  # written in a round, with an autosave after each
PASSWORD = "only for this run"  # noqa: S105 - of accounts that end with it
PLAIN, EXTENDED, PLATFORM_PART = 1, 2, 3  # batches of the floor


class NothingLeft(Exception):
    """There is no task any more for this worker."""

    def __init__(self) -> None:
        super().__init__("The tasks did not last: ask for more of them, or for shorter runs.")


@dataclass
class Worker:
    """One worker, signed in where that is needed. ``heard`` is called after each answer of a site."""

    name: str
    url: str
    heard: Callable[[], None] = lambda: None
    done: int = 0  # rounds that came to their end
    here: Visitor = field(init=False)

    requests_a_round = 0

    def __post_init__(self) -> None:
        self.here = Visitor(self.url, self._heard)

    def _heard(self) -> None:
        self.heard()

    def sign_in(self) -> None:
        """Sign in, if the rounds need it."""

    def round(self) -> None:
        """One round, with ``requests_a_round`` requests. Raises NothingLeft or WrongAnswer."""
        raise NotImplementedError

    def leave(self) -> None:
        """End the round's connections, as a browser does after a pause."""
        self.here.leave()


def asked(number: int) -> dict[str, Any]:
    """A question that no checker objects to; its answer is added by :func:`written`."""
    return {"id": str(uuid.uuid4()), "text": f"What does this paragraph say at its place number {number}?"}


def written(text: str) -> list[dict[str, Any]]:
    """QUESTIONS questions on the paragraph ``text``, each answered by one of its first words."""
    questions, start = [], 0
    for number, word in enumerate(text.split(" ", QUESTIONS)[:QUESTIONS], start=1):
        span = {"start": start, "end": start + len(word), "text": word}
        questions.append(asked(number) | {"answer": span})
        start += len(word) + 1
    return questions


class FloorWorker(Worker):
    """A worker of the floor: signed in, with a CSRF token, on one site."""

    def sign_in(self) -> None:
        token = self.here.get("/login").expect(200).body.decode()
        fields = {"csrfmiddlewaretoken": token, "username": self.name, "password": PASSWORD}
        self.here.post_form("/login", fields).expect(204)
        self.here.leave()

    @property
    def token(self) -> str:
        return self.here.cookies["csrftoken"]

    def send(self, path: str, value: dict[str, Any]) -> None:
        self.here.send_json("POST", path, value, {"X-CSRFToken": self.token}).expect(204)

    def submit(self, assignment: str) -> None:
        fields = {"csrfmiddlewaretoken": self.token, "start": "0", "end": "5"}
        self.here.post_form(f"/submit/{assignment}", fields).expect(302)

    def write(self, assignment: str, page: bytes) -> None:
        """The drafts and the finish of the page in the frame."""
        text = html.unescape(between(page, b'id="passage">', b"</p>").decode())
        questions = written(text)
        for version in range(1, QUESTIONS + 1):
            self.send(f"/draft/{assignment}", {"version": version, "questions": questions[:version]})
        whole = {"version": QUESTIONS + 1, "questions": questions, "active_seconds": 60}
        self.send(f"/finish/{assignment}", whole)


class PlainFloor(FloorWorker):
    """The floor as it is: one page, one submit."""

    requests_a_round = 2

    def round(self) -> None:
        page = self.here.get(f"/next/{PLAIN}").expect(200, 204)
        if page.status == 204:
            raise NothingLeft
        self.submit(between(page.body, b'action="/submit/', b'"').decode())


class ExtendedFloor(FloorWorker):
    """The floor with the requests and rows of our round."""

    requests_a_round = 6 + QUESTIONS

    def round(self) -> None:
        listed = self.here.get("/list").expect(200).body
        accept = between(listed, b'action="', b'"').decode()
        accepted = self.here.post_form(accept, {"csrfmiddlewaretoken": self.token}).expect(302, 204)
        if accepted.status == 204:
            raise NothingLeft
        frame = between(self.here.get(accepted.location).expect(200).body, b'src="', b'"').decode()
        assignment = frame.rpartition("/")[2]
        self.write(assignment, self.here.get(frame).expect(200).body)
        self.submit(assignment)


@dataclass
class FloorPlatformPart(FloorWorker):
    """The floor with the platform's requests alone; ``tasks`` gives the next task's id."""

    tasks: Iterator[int] = field(default_factory=itertools.count)
    requests_a_round = 2 + QUESTIONS

    def round(self) -> None:
        page = self.here.get(f"/open/{next(self.tasks)}").expect(200).body
        self.write(between(page, b'action="/submit/', b'"').decode(), page)


@dataclass
class PlatformWorker(Worker):
    """The platform's requests alone, in the frame of a HIT; ``frames`` gives the next HIT's page. No cookies."""

    frames: Iterator[str] = field(default_factory=lambda: iter(()))
    marketplace_url: str = ""
    requests_a_round = 2 + QUESTIONS

    def round(self) -> None:
        frame = next(self.frames, None)
        if frame is None:
            raise NothingLeft
        told = {"assignmentId": f"ONLY{uuid.uuid4().hex}", "workerId": self.name, "turkSubmitTo": self.marketplace_url}
        do_work(self.here, f"{frame}&{urlencode(told)}")


def do_work(platform: Visitor, frame: str) -> tuple[str, dict[str, str]]:
    """Open the page, autosave after each question, finish; the address and the fields of the form to send then."""
    page = platform.get(frame).expect(200).body
    data = json.loads(between(between(page, b'id="work-data"', b"</script>"), b">", None))
    (paragraph,) = data["paragraphs"]
    questions = written(paragraph["text"])
    access = {"Authorization": f"Work {data['token']}"}

    def body(version: int) -> dict[str, Any]:
        sent = {"id": paragraph["id"], "active_seconds": 20 * version, "blocked_actions": 0}
        return {"version": version, "paragraphs": [sent | {"questions": questions[:version]}]}

    for version in range(1, QUESTIONS + 1):
        platform.send_json("PUT", data["endpoints"]["draft"], body(version), access).expect(200)
    finished = platform.send_json("POST", data["endpoints"]["finish"], body(QUESTIONS + 1), access).expect(200)
    submit = json.loads(finished.body)["submit"]
    return submit["url"], submit["fields"]


@dataclass
class OurWorker(Worker):
    """The whole round on both sites; ``url`` is the marketplace's."""

    platform_url: str = ""
    platform: Visitor = field(init=False)
    requests_a_round = 6 + QUESTIONS

    def __post_init__(self) -> None:
        super().__post_init__()
        self.platform = Visitor(self.platform_url, self._heard)
        # The frame has no cookies, and its form takes none along to the marketplace.
        self.outside = Visitor(self.url, self._heard)

    def sign_in(self) -> None:
        self.here.get("/signin/").expect(200)
        fields = {"csrfmiddlewaretoken": self.token, "username": self.name, "password": PASSWORD}
        self.here.post_form("/signin/", fields).expect(302)
        self.here.leave()

    @property
    def token(self) -> str:
        return self.here.cookies["marketplace_csrf"]

    def round(self) -> None:
        listed = self.here.get("/projects/").expect(200).body
        group = self._group(listed)
        accept = f"/projects/{group}/tasks/accept_random"
        accepted = self.here.post_form(accept, {"csrfmiddlewaretoken": self.token}).expect(302, 409)
        if accepted.status == 409:
            raise NothingLeft
        page = self.here.get(accepted.location).expect(200).body
        frame = html.unescape(between(between(page, b"<iframe", b">"), b'src="', b'"').decode())
        url, fields = do_work(self.platform, frame.removeprefix(self.platform_url))
        self._hand_in(urlsplit(url).path, fields)

    def _group(self, listed: bytes) -> str:
        for part in listed.split(b"<article")[1:]:
            if b'data-may-accept="yes"' in part:
                return between(part, b'data-group-id="', b'"').decode()
        raise NothingLeft

    def _hand_in(self, path: str, fields: dict[str, str]) -> None:
        # Over the connection that is open already, but without its cookies.
        cookies, self.here.cookies = self.here.cookies, {}
        try:
            self.here.post_form(path, fields).expect(200)
        finally:
            self.here.cookies = cookies

    def leave(self) -> None:
        super().leave()
        self.platform.leave()


def between(page: bytes, before: bytes, after: bytes | None) -> bytes:
    """What stands between the first ``before`` and the next ``after``. Raises WrongAnswer where they are missing."""
    _, found, rest = page.partition(before)
    if not found:
        raise WrongAnswer(f"no {before!r} in {page[:300]!r}")
    return rest if after is None else rest.partition(after)[0]


def sign_all_in(workers: Sequence[Worker]) -> None:
    for worker in workers:
        worker.sign_in()
