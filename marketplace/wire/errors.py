"""What a call can fail with, and how it looks on the wire (AWS JSON 1.1)."""

from typing import Any


class CallError(Exception):
    """A call that fails. ``kind`` is what clients see as the error's code; ``turk_code`` goes beside it."""

    def __init__(self, kind: str, message: str, *, turk_code: str | None = None, http_status: int = 400):
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.turk_code = turk_code
        self.http_status = http_status

    def document(self) -> dict[str, Any]:
        body = {"__type": self.kind, "Message": self.message}
        return body | {"TurkErrorCode": self.turk_code} if self.turk_code else body


def service_fault() -> CallError:
    """Ours, not the caller's: worth another try."""
    return CallError(
        "ServiceFault", "Something went wrong here. Try again.", turk_code="AWS.ServiceUnavailable", http_status=500
    )


def throttled() -> CallError:
    return CallError("ThrottlingException", "Rate exceeded")
