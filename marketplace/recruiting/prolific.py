"""Prolific's API: the calls that a study needs, and nothing of this site's own.

Written from Prolific's public API documentation and the source of its open command-line client, as of August 2026, and
never tried against the live service; docs/recruiting.md lists what could not be verified. Money has two units there:
the reward of a study is an integer of pence or cents, a bonus a decimal of pounds or dollars (``services.amounts``).
"""

import json
import time
from collections.abc import Iterator
from typing import Any

import requests
from django.conf import settings

PAGE_SIZE = 100
LONGEST_WAIT_SECONDS = 60.0
MESSAGE_LENGTH = 100  # characters that the message of a rejection has at least


class Unavailable(Exception):
    """No answer, or none that says what became of the call: worth another try where the call may be repeated."""


class Throttled(Unavailable):
    """Too many calls: this one was not carried out."""


class Refused(Exception):
    """Prolific said no. ``body`` is its answer as it came, for whoever has to find out why."""

    def __init__(self, status: int, message: str, body: str):
        super().__init__(f"Prolific answered {status}: {message}")
        self.status = status
        self.body = body


class NotConfigured(Exception):
    """There is no token in the environment."""


class Client:
    """One researcher's account. ``backoff_seconds`` is the first wait after a 429; each next one is twice as long."""

    def __init__(
        self, url: str, token: str, *, attempts: int = 5, backoff_seconds: float = 1.0, timeout_seconds: float = 20.0
    ) -> None:
        self._url = url
        self._headers = {"Authorization": f"Token {token}", "Accept": "application/json"}
        self._attempts = attempts
        self._backoff_seconds = backoff_seconds
        self._timeout_seconds = timeout_seconds

    def find_study(self, internal_name: str) -> dict[str, Any] | None:
        """The study of that private title; of several, which nobody should have made, the oldest."""
        named = [study for study in self._pages("/studies/") if study.get("internal_name") == internal_name]
        return named[-1] if named else None

    def create_study(self, draft: dict[str, Any]) -> dict[str, Any]:
        """A draft, which costs nothing and which nobody sees until it is published."""
        return self._call("POST", "/studies/", draft)

    def get_study(self, study_id: str) -> dict[str, Any]:
        return self._call("GET", f"/studies/{study_id}/")

    def move_study(self, study_id: str, action: str) -> dict[str, Any]:
        """``action`` is PUBLISH, PAUSE, START or STOP."""
        return self._call("POST", f"/studies/{study_id}/transition/", {"action": action})

    def set_places(self, study_id: str, places: int) -> dict[str, Any]:
        """Prolific takes more places than there are, never fewer."""
        return self._call("PATCH", f"/studies/{study_id}/", {"total_available_places": places})

    def submissions(self, study_id: str) -> Iterator[dict[str, Any]]:
        return self._pages("/submissions/", study=study_id)

    def get_submission(self, submission_id: str) -> dict[str, Any]:
        return self._call("GET", f"/submissions/{submission_id}/")

    def approve(self, submission_id: str) -> None:
        """May be repeated: Prolific passes over what is approved already."""
        self._call("POST", f"/submissions/{submission_id}/transition/", {"action": "APPROVE"})

    def reject(self, submission_id: str, message: str, category: str) -> None:
        """``message`` goes to the participant and has 100 characters or more. Raises ValueError if it has fewer."""
        if len(message) < MESSAGE_LENGTH:
            raise ValueError(f"The message of a rejection needs {MESSAGE_LENGTH} characters, not {len(message)}.")
        body = {"action": "REJECT", "message": message, "rejection_category": category}
        self._call("POST", f"/submissions/{submission_id}/transition/", body)

    def set_up_bonuses(self, study_id: str, csv_bonuses: str) -> str:
        """The id of the bonuses, which are not paid by this; ``csv_bonuses`` is ``<submission id>,4.25`` a line."""
        body = {"study_id": study_id, "csv_bonuses": csv_bonuses}
        return str(self._call("POST", "/submissions/bonus-payments/", body)["id"])

    def pay_bonuses(self, setup_id: str) -> None:
        """Pay what was set up, within minutes. What a second call does is not known: there must be none."""
        self._call("POST", f"/bulk-bonus-payments/{setup_id}/pay/")

    def _pages(self, path: str, **query: str) -> Iterator[dict[str, Any]]:
        page = 1
        while True:
            try:
                answer = self._call("GET", path, query={**query, "page": page, "page_size": PAGE_SIZE})
            except Refused as refusal:
                if refusal.status == 404 and page > 1:
                    return  # the last page was full, and this one lies past the end
                raise
            yield from answer.get("results", [])
            if not ((answer.get("_links") or {}).get("next") or {}).get("href"):
                return
            page += 1

    def _call(
        self, method: str, path: str, body: dict[str, Any] | None = None, query: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Call, waiting and trying again where Prolific says that it is too much, and where only looking was asked."""
        for attempt in range(1, self._attempts + 1):
            try:
                return self._once(method, path, body, query)
            except Throttled as error:
                if attempt == self._attempts:
                    raise
                time.sleep(self._wait(attempt, error))
            except Unavailable:
                if method != "GET" or attempt == self._attempts:
                    raise
                time.sleep(self._wait(attempt, None))
        raise AssertionError("an attempt returns or raises")

    def _wait(self, attempt: int, error: Throttled | None) -> float:
        asked = error.args[1] if error is not None and len(error.args) > 1 else 0.0
        return float(min(LONGEST_WAIT_SECONDS, max(asked, self._backoff_seconds * 2 ** (attempt - 1))))

    def _once(
        self, method: str, path: str, body: dict[str, Any] | None, query: dict[str, Any] | None
    ) -> dict[str, Any]:
        try:
            # Following a redirect would show the token to whoever it leads to, and make a GET of a POST.
            answer = requests.request(
                method,
                f"{self._url}/api/v1{path}",
                json=body,
                params=query,
                headers=self._headers,
                timeout=self._timeout_seconds,
                allow_redirects=False,
            )
        except requests.RequestException as error:
            raise Unavailable(f"Prolific did not answer ({type(error).__name__}).") from None
        if answer.status_code == 429:
            raise Throttled("Prolific answers that there are too many calls.", _seconds(answer.headers))
        if answer.status_code >= 500:
            raise Unavailable(f"Prolific answered {answer.status_code}.")
        if answer.status_code >= 300:
            raise Refused(answer.status_code, error_message(answer.text), answer.text[:2000])
        try:
            parsed = answer.json() if answer.content else {}
        except ValueError:
            if method == "GET":
                raise Unavailable("Prolific's answer was cut off or is no JSON.") from None
            return {}
        return parsed if isinstance(parsed, dict) else {"results": parsed}


def _seconds(headers: Any) -> float:
    text = headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() else 0.0


def error_message(body: str) -> str:
    """What an error says, in either of the two shapes that Prolific's errors have, or its beginning as it came."""
    try:
        parsed = json.loads(body)
        error = parsed.get("error") if isinstance(parsed.get("error"), dict) else parsed
        parts = [error.get("title") or error.get("message"), error.get("detail"), error.get("additional_information")]
    except (ValueError, AttributeError):
        return body[:300]
    return ": ".join(part if isinstance(part, str) else json.dumps(part) for part in parts if part)[:1000] or body[:300]


def client(**options: Any) -> Client:
    """The client of the account whose token is in the environment. Raises NotConfigured."""
    if not settings.PROLIFIC_TOKEN:
        raise NotConfigured("PROLIFIC_TOKEN is not set in the environment.")
    return Client(settings.PROLIFIC_URL, settings.PROLIFIC_TOKEN, **options)


def plain_status(status: Any) -> str:
    """A status in one spelling: Prolific writes TIMED-OUT, AWAITING REVIEW, and SCREENED_OUT in some places."""
    return str(status or "").upper().replace("_", " ").replace("-", " ")
