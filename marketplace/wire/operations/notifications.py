"""Event notifications."""

from typing import Any

from ...errors import invalid_value
from ...models.events import Transport
from ...services import notifications
from ...services.events import EventType
from ...services.notifications import VERSIONS, Specification
from .call import Call
from .limits import check_length

DESTINATION = 1024  # characters; ours


def update_settings(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    given = params.get("Notification")
    if given is None and "Active" not in params:
        raise invalid_value("Notification", "Notification or Active is needed.")
    specification = None
    if given is not None:
        specification = _specification(given)
        if not specification.event_types:
            raise invalid_value("Notification.EventTypes", "At least one is needed.")
        if EventType.PING in specification.event_types:
            raise invalid_value("Notification.EventTypes", "Ping is for SendTestEventNotification alone.")
    notifications.update_setting(
        call.requester, params["HITTypeId"], call.now, specification=specification, is_active=params.get("Active")
    )
    return {}


def send_test(call: Call, params: dict[str, Any]) -> dict[str, Any]:
    """Which events the specification lists makes no difference here."""
    specification = _specification(params["Notification"])
    notifications.send_test(call.requester, specification, EventType(params["TestEventType"]), call.now)
    return {}


def _specification(given: dict[str, Any]) -> Specification:
    if given["Transport"] not in Transport.values:
        # The model lists it; AWS's documentation no longer does.
        raise invalid_value("Notification.Transport", f"{given['Transport']} is not served; SQS and SNS are.")
    if given["Version"] not in VERSIONS:
        raise invalid_value("Notification.Version", f"It must be {' or '.join(VERSIONS)}.")
    check_length("Notification.Destination", given["Destination"], DESTINATION, least=1)
    return Specification(given["Transport"], given["Destination"], list(dict.fromkeys(given["EventTypes"])))
