"""The marketplace's worker site as one signed-in worker uses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urljoin, urlsplit

import requests

from .pages import Page

TIMEOUT_SECONDS = 30


class SiteError(Exception):
    """The worker site, or the page in its frame, answered with something a worker cannot go on from."""


@dataclass(frozen=True)
class Group:
    """A HIT group on the list. ``hit_type_id`` is the requester's id for what its HITs share."""

    group_id: str
    hit_type_id: str
    may_accept: bool


@dataclass(frozen=True)
class Held:
    """A HIT in this worker's hands: its page on the worker site, and the address that its frame shows."""

    page_url: str
    frame_url: str
    csrf_token: str = field(repr=False)

    @property
    def frame_parameters(self) -> dict[str, str]:
        """assignmentId, hitId, workerId, turkSubmitTo, and whatever the requester's address had before."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.frame_url).query).items()}


class WorkerSite:
    """One worker's browser: their cookies, and what they can do on the site. Not shared between threads."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._browser = requests.Session()
        self._csrf_token = ""

    def sign_in(self, username: str, password: str) -> None:
        """Sign in. Raises SiteError if the site does not let this worker in."""
        page = self._get("/signin/")
        answer = self._browser.post(
            f"{self.url}/signin/",
            data={"csrfmiddlewaretoken": page.csrf_token, "username": username, "password": password},
            headers={"Referer": f"{self.url}/signin/"},
            timeout=TIMEOUT_SECONDS,
            allow_redirects=False,
        )
        if answer.status_code != 302:
            raise SiteError(f"The worker site did not let {username!r} in ({answer.status_code}).")

    def groups(self, search: str = "") -> list[Group]:
        """The first page of HIT groups that this worker may see, newest first."""
        page = self._get("/projects/", q=search)
        self._csrf_token = page.csrf_token
        return [
            Group(article["data-group-id"], article["data-hit-type-id"], article["data-may-accept"] == "yes")
            for article in page.all("article", "data-group-id")
        ]

    def accept(self, group_id: str) -> Held | None:
        """Take the next HIT of a group from the list; None where nothing is left for this worker."""
        answer = self._browser.post(
            f"{self.url}/projects/{group_id}/tasks/accept_random",
            data={"csrfmiddlewaretoken": self._csrf_token},
            headers={"Referer": f"{self.url}/projects/"},
            timeout=TIMEOUT_SECONDS,
        )
        if answer.status_code in (403, 404, 409):
            return None
        return self._held(answer)

    def _held(self, answer: requests.Response) -> Held:
        page = Page(_text(answer))
        frame = page.first("iframe", "data-frame")
        if frame is None:
            raise SiteError(f"No frame on {answer.url}.")
        return Held(answer.url, urljoin(answer.url, frame["src"]), page.csrf_token)

    def give_back(self, held: Held) -> None:
        """Return the HIT; another worker can take it."""
        answer = self._browser.post(
            held.page_url,
            data={"csrfmiddlewaretoken": held.csrf_token},
            headers={"Referer": held.page_url},
            timeout=TIMEOUT_SECONDS,
        )
        _text(answer)

    def submit(self, held: Held, fields: Mapping[str, str], url: str = "") -> bool:
        """Send the form that the frame holds to ``url`` (the site's own externalSubmit unless given), without any
        cookie, as from a frame of another site. Whether it was taken; a second time, or too late, it is not."""
        parameters = held.frame_parameters
        answer = requests.post(
            url or f"{parameters['turkSubmitTo'].rstrip('/')}/mturk/externalSubmit",
            data={"assignmentId": parameters["assignmentId"], **fields},
            headers={"Origin": "null"},
            timeout=TIMEOUT_SECONDS,
        )
        return answer.status_code == 200

    def _get(self, path: str, **query: str) -> Page:
        answer = self._browser.get(
            self.url + path, params={name: value for name, value in query.items() if value}, timeout=TIMEOUT_SECONDS
        )
        return Page(_text(answer))


def _text(answer: requests.Response) -> str:
    if answer.status_code != 200:
        raise SiteError(f"{answer.url} answered {answer.status_code}.")
    return answer.text
