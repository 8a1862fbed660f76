"""Prolific's notifications: who sent them, and which were here before."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import datetime, timedelta

from ..models import PanelEvent

WINDOW = timedelta(minutes=5)  # our choice: how old, or how far ahead, a signature's time may be


class NotFromProlific(Exception):
    """The signature or its time is wrong; the message is for the log alone."""


class NotAnEvent(Exception):
    """Signed by Prolific, and not what its notifications look like."""


def receive(body: bytes, headers: Mapping[str, str], secret: str, now: datetime) -> bool:
    """Keep the notification; False if it was here before. Raises NotFromProlific or NotAnEvent."""
    timestamp = headers.get("X-Prolific-Request-Timestamp", "")
    given = headers.get("X-Prolific-Request-Signature", "")
    # Over the bytes as they came: written anew, the JSON might differ in a blank.
    if not hmac.compare_digest(given.encode(), sign(body, timestamp, secret).encode()):
        raise NotFromProlific("wrong signature")
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 12:
        raise NotFromProlific("no time")
    if abs(now.timestamp() - int(timestamp)) > WINDOW.total_seconds():
        raise NotFromProlific("too old, or from the future")
    event_id = headers.get("X-Event-ID", "")
    try:
        event = json.loads(body)
        event_type, resource_id = str(event["event_type"]), str(event["resource_id"])
    except (ValueError, KeyError, TypeError):
        raise NotAnEvent from None
    if not 0 < len(event_id) <= 100 or len(event_type) > 100 or len(resource_id) > 100:
        raise NotAnEvent
    if "\0" in event_type + resource_id:
        raise NotAnEvent
    known = {"event_type": event_type, "resource_id": resource_id, "received_at": now}
    return PanelEvent.objects.get_or_create(event_id=event_id, defaults=known)[1]


def sign(body: bytes, timestamp: str, secret: str) -> str:
    """base64(HMAC-SHA256(secret, timestamp + body)), as Prolific's documentation says."""
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()
