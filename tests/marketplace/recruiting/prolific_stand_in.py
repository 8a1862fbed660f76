"""A server that stands in for Prolific in tests: real HTTP on a port of its own, with its state in memory.

It was built from what is public: Prolific's API documentation and help centre (paths, fields, statuses, bonuses paid
later, both shapes of errors, webhook signatures) and the source of Prolific's open command-line client (transitions,
rejection categories), as of August 2026. It was never compared with the live service. Where those sources are silent it
is strict: what is not known to be accepted is refused.
"""

import json
import secrets
import threading
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

NEEDED = {
    "name",
    "internal_name",
    "description",
    "external_study_url",
    "prolific_id_option",
    "completion_codes",
    "total_available_places",
    "estimated_completion_time",
    "reward",
    "device_compatibility",
    "peripheral_requirements",
    "filters",
}
STUDY_MOVES = {
    ("UNPUBLISHED", "PUBLISH"): "ACTIVE",
    ("ACTIVE", "PAUSE"): "PAUSED",
    ("PAUSED", "START"): "ACTIVE",
    ("ACTIVE", "STOP"): "AWAITING REVIEW",
    ("PAUSED", "STOP"): "AWAITING REVIEW",
    ("AWAITING REVIEW", "START"): "ACTIVE",
}
CATEGORIES = {"TOO_QUICKLY", "TOO_SLOWLY", "FAILED_INSTRUCTIONS", "INCOMP_LONGITUDINAL", "FAILED_CHECK", "LOW_EFFORT"}
CATEGORIES |= {"MALINGERING", "NO_CODE", "BAD_CODE", "NO_DATA", "UNSUPP_DEVICE", "OTHER"}


class Fault(Exception):
    def __init__(self, status: int, body: dict):
        super().__init__(status)
        self.status, self.body = status, body


def long_error(status: int, title: str, detail: object) -> Fault:
    return Fault(status, {"error": {"status": status, "error_code": 140000, "title": title, "detail": detail}})


def short_error(status: int, message: str, detail: str) -> Fault:
    return Fault(status, {"message": message, "detail": detail})


class Prolific:
    """The server, and what a test does as a participant or reads behind its back."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(16)
        self.studies: dict[str, dict] = {}
        self.submissions: dict[str, dict] = {}
        self.setups: dict[str, list[tuple[str, Decimal]]] = {}
        self.paid: list[tuple[str, Decimal]] = []
        self.calls: list[tuple[str, str]] = []
        self.bodies: list[dict] = []
        self.faults: list[tuple[str, str]] = []  # the next calls whose path ends so: throttle, drop_after, error_500
        self.shows_payments = True
        self.refuses: set[str] = set()  # submissions whose bonuses cannot be set up, for whatever reason
        self.names_refused = True
        self.lock = threading.RLock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Handler,), {"prolific": self}))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=[0.01], daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def reserve(self, study_id: str, participant_id: str) -> str:
        """A participant takes a place; the submission's id, which is the session of their link."""
        session = secrets.token_hex(12)
        self.submissions[session] = {
            "id": session,
            "participant_id": participant_id,
            "study_id": study_id,
            "status": "ACTIVE",
            "started_at": "2026-11-30T10:00:00Z",
            "completed_at": None,
            "bonus_payments": [],
        }
        return session

    def complete(self, session: str) -> None:
        """The participant came back with a code."""
        self.submissions[session]["status"] = "AWAITING REVIEW"

    def count(self, method: str, ending: str) -> int:
        return sum(1 for called, path in self.calls if called == method and path.endswith(ending))

    # What the API does, by path.

    def handle(self, method: str, path: str, query: dict, body: dict) -> tuple[int, dict]:
        parts = [part for part in path.removeprefix("/api/v1/").split("/") if part]
        match method, parts:
            case "GET", ["users", "me"]:
                return 200, {"id": "r", "currency_code": "USD"}
            case "POST", ["studies"]:
                return 201, self._create(body)
            case "GET", ["studies"]:
                return 200, self._page(list(reversed(self.studies.values())), query, path)
            case "GET", ["studies", study_id]:
                return 200, self._study(study_id)
            case "PATCH", ["studies", study_id]:
                return 200, self._patch(self._study(study_id), body)
            case "POST", ["studies", study_id, "transition"]:
                return 200, self._move_study(self._study(study_id), body)
            case "GET", ["submissions"]:
                study_id = query["study"][0]
                rows = [row for row in self.submissions.values() if row["study_id"] == study_id]
                return 200, self._page([{k: v for k, v in row.items() if k != "study_id"} for row in rows], query, path)
            case "GET", ["submissions", session]:
                row = self._submission(session)
                return 200, {k: v for k, v in row.items() if k != "participant_id"} | {
                    "participant": row["participant_id"]
                }
            case "POST", ["submissions", session, "transition"]:
                return 200, self._move_submission(self._submission(session), body)
            case "POST", ["submissions", "bonus-payments"]:
                return 201, self._set_up(body)
            case "POST", ["bulk-bonus-payments", setup_id, "pay"]:
                return 202, self._pay(setup_id)
        raise short_error(404, "Not found", "There is nothing at this address.")

    def _create(self, body: dict) -> dict:
        if missing := NEEDED - set(body):
            raise long_error(400, "Validation error", {name: ["This field is required."] for name in sorted(missing)})
        whole = all(isinstance(body[name], int) and body[name] > 0 for name in ("reward", "total_available_places"))
        if not whole or not body["completion_codes"]:
            raise long_error(400, "Validation error", "reward, places: whole numbers; completion_codes: one")
        study = body | {"id": secrets.token_hex(12), "status": "UNPUBLISHED"}
        self.studies[study["id"]] = study
        return study

    def _study(self, study_id: str) -> dict:
        if study_id not in self.studies:
            raise long_error(404, "Not found", "No Study matches the given query.")
        return self.studies[study_id]

    @staticmethod
    def _patch(study: dict, body: dict) -> dict:
        if set(body) - {"internal_name", "total_available_places"} and study["status"] != "UNPUBLISHED":
            raise long_error(400, "Cannot update", "A published study can only be given more places.")
        if body.get("total_available_places", 10**9) < study["total_available_places"]:
            raise long_error(400, "Cannot update", ["Places can only be increased."])
        study.update(body)
        return study

    @staticmethod
    def _move_study(study: dict, body: dict) -> dict:
        new = STUDY_MOVES.get((study["status"], body.get("action")))
        if new is None:
            raise long_error(400, "Bad transition", f"{body.get('action')} from {study['status']}")
        study["status"] = new
        return study

    def _submission(self, session: str) -> dict:
        if session not in self.submissions:
            raise short_error(404, "Not found", "No Submission matches the given query.")
        return self.submissions[session]

    @staticmethod
    def _move_submission(row: dict, body: dict) -> dict:
        action = body.get("action")
        if action not in ("APPROVE", "REJECT"):
            raise long_error(400, "Bad transition", str(action))
        if action == "REJECT" and (
            len(body.get("message", "")) < 100 or body.get("rejection_category") not in CATEGORIES
        ):
            raise long_error(400, "Validation error", {"message": ["At least 100 characters, and a category."]})
        if row["status"] in ("ACTIVE", "RESERVED"):
            raise long_error(400, "Bad transition", "The submission is not awaiting review.")
        if row["status"] == "AWAITING REVIEW":
            row["status"] = {"APPROVE": "APPROVED", "REJECT": "REJECTED"}[action]
            row["message"] = body.get("message", "")
        return row

    def _set_up(self, body: dict) -> dict:
        lines = [line.split(",") for line in body["csv_bonuses"].split("\n")]
        known = {row["id"] for row in self.submissions.values() if row["study_id"] == body["study_id"]}
        if refused := self.refuses & {line[0] for line in lines}:
            raise long_error(400, "Bad Request", f"Cannot pay {refused}" if self.names_refused else "Cannot pay.")
        if unknown := [line[0] for line in lines if line[0] not in known]:
            raise long_error(400, "Bad Request", f"These ids are not known: {unknown}")
        setup_id = secrets.token_hex(12)
        self.setups[setup_id] = [(key, Decimal(amount)) for key, amount in lines]
        return {"id": setup_id, "total_amount": 0}

    def _pay(self, setup_id: str) -> dict:
        if setup_id not in self.setups:
            raise long_error(404, "Not found", "No such bonuses.")
        self.paid += self.setups[setup_id]
        if self.shows_payments:
            self.show_payments()
        return {}

    def show_payments(self) -> None:
        """What was paid shows on the submissions, some time later."""
        for row in self.submissions.values():
            row["bonus_payments"] = [int(amount * 100) for key, amount in self.paid if key == row["id"]]

    @staticmethod
    def _page(rows: list, query: dict, path: str) -> dict:
        page, size = int(query.get("page", ["1"])[0]), int(query.get("page_size", ["20"])[0])
        shown = rows[(page - 1) * size : page * size]
        if page > 1 and not shown:
            raise short_error(404, "Not found", "Invalid page.")
        more = len(rows) > page * size
        following = {"href": f"https://api.prolific.com{path}?page={page + 1}" if more else None}
        return {"results": shown, "_links": {"next": following}, "meta": {"count": len(rows)}}


class Handler(BaseHTTPRequestHandler):
    prolific: Prolific
    protocol_version = "HTTP/1.1"

    def _any(self) -> None:
        address = urlsplit(self.path)
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        with self.prolific.lock:
            self.prolific.calls.append((self.command, address.path))
            self.prolific.bodies.append(body)
            fault = self._fault(address.path)
            if fault == "throttle":
                return self._answer(429, {"message": "Too many requests", "detail": "Slow down."})
            if fault == "error_500":
                return self._answer(500, {"message": "Server error", "detail": ""})
            try:
                if self.headers.get("Authorization") != f"Token {self.prolific.token}":
                    raise long_error(401, "Unauthorized", "No valid token.")
                status, answer = self.prolific.handle(self.command, address.path, parse_qs(address.query), body)
            except Fault as error:
                status, answer = error.status, error.body
        if fault == "drop_after":
            self.close_connection = True
            return self.connection.close()
        return self._answer(status, answer)

    def _fault(self, path: str) -> str:
        for index, (ending, kind) in enumerate(self.prolific.faults):
            if path.endswith(ending):
                del self.prolific.faults[index]
                return kind
        return ""

    def _answer(self, status: int, body: dict) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = _any  # noqa: N815  # the base class's names

    def log_message(self, *args: object) -> None:
        pass
