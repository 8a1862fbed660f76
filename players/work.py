"""The work page and its API as a scripted worker uses them: read the page, save drafts, finish."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

import requests

from .pages import Page
from .site import TIMEOUT_SECONDS, SiteError


class WorkPage:
    """The page inside the frame, opened at ``frame_url``. No cookie is ever kept, as in a frame of another site.

    ``data`` is the page's own description of the work (see ``annotation.services.work_page``).
    """

    def __init__(self, frame_url: str) -> None:
        answer = requests.get(frame_url, timeout=TIMEOUT_SECONDS)
        if answer.status_code != 200:
            raise SiteError(f"The work page answered {answer.status_code}.")
        self._url = frame_url
        self.data: dict[str, Any] = Page(answer.text).json("work-data")
        self._version: int = self.data["version"]

    @property
    def is_write(self) -> bool:
        return bool(self.data["kind"] == "write")

    def save_draft(self, paragraphs: list[dict[str, Any]]) -> None:
        """Autosave what there is so far."""
        self._send("PUT", self.data["endpoints"]["draft"], paragraphs)

    def finish(self, paragraphs: list[dict[str, Any]]) -> tuple[str, dict[str, str]]:
        """Send the work; the address and the fields of the form that hands it to the marketplace."""
        done = self._send("POST", self.data["endpoints"]["finish"], paragraphs)
        return done["submit"]["url"], done["submit"]["fields"]

    def _send(self, method: str, path: str, paragraphs: list[dict[str, Any]]) -> dict[str, Any]:
        self._version += 1
        answer = requests.request(
            method,
            urljoin(self._url, path),
            json={"version": self._version, "paragraphs": paragraphs},
            headers={"Authorization": f"Work {self.data['token']}"},
            timeout=TIMEOUT_SECONDS,
        )
        if answer.status_code != 200:
            raise SiteError(f"{method} {path} answered {answer.status_code}: {answer.text[:500]}")
        return answer.json()
