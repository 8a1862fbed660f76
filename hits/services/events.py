"""Events from an endpoint's queue: each makes us ask the endpoint about its HIT at once, instead of at the next poll.

They are hints and nothing more. They may come twice, late, out of order, or not at all; what counts is what the
endpoint then lists, and polling finds everything without them. Source of the body's form: AWS, "Notification Receptor".
"""

from __future__ import annotations

import json
import logging
import re
import time
from datetime import timedelta
from typing import Any

from django.utils import timezone

from hits import endpoints, mturk, queues
from hits.endpoints import Endpoint
from hits.models import HIT, HITType, SeenEvent

from . import syncing

logger = logging.getLogger(__name__)

EVENT_TYPES = (
    "AssignmentSubmitted",
    "AssignmentApproved",
    "AssignmentRejected",
    "HITReviewable",
    "HITExpired",
    "HITExtended",
    "HITDisposed",
)
# SQS keeps a message for 14 days at most: no document can come again later.
REMEMBERED_FOR = timedelta(days=15)
# A document's id is 40 hexadecimal digits at AWS; other endpoints may have their own form. A HIT's is the API's.
DOCUMENT_ID = re.compile("[!-~]{1,100}")
HIT_ID = re.compile("[A-Z0-9]{1,64}")


class Broken(ValueError):
    """A message whose body is no document of events; it would be broken the next time, too."""


def subscribe(hit_type: HITType) -> None:
    """See to it that ``hit_type`` tells the endpoint's queue, where there is one. Repeating it is harmless.

    An endpoint that cannot is logged and polled: nothing waits for events.
    """
    queue_url = hit_type.batch.endpoint_settings.queue_url
    if not queue_url:
        return
    try:
        mturk.notify_queue(hit_type.batch.endpoint, hit_type.mturk_hit_type_id, queue_url, EVENT_TYPES)
    except (mturk.Unavailable, mturk.Rejected) as error:
        logger.warning("HIT type %s of %s sends no events: %s", hit_type.pk, hit_type.batch.endpoint, error)


def endpoints_with_queues() -> list[Endpoint]:
    return [endpoint for endpoint in endpoints.all_endpoints().values() if endpoint.queue_url]


def receive(endpoint: Endpoint, seconds: float) -> int:
    """Handle what waits in the endpoint's queue, for ``seconds`` at most; return how many messages were handled.

    A message is taken off the queue only when it is handled; one that cannot be stands in no other's way, and comes
    again. Raises queues.Unavailable, and mturk.Unavailable or mturk.NoAccess, which would meet the others too.
    """
    until, handled = time.monotonic() + seconds, 0
    while time.monotonic() < until and (messages := queues.receive(endpoint)):
        for receipt, body in messages:
            try:
                handle(endpoint.key, body)
            except Broken as problem:
                # It is set aside in the log: kept in the queue it would only come again and again.
                logger.warning("A message from the queue of %s is set aside: %s: %.500r", endpoint.key, problem, body)
            except (mturk.Unavailable, mturk.NoAccess):
                raise
            except Exception:
                logger.exception("A message from the queue of %s could not be handled", endpoint.key)
                continue
            queues.delete(endpoint, receipt)
            handled += 1
    return handled


def handle(endpoint_key: str, body: str) -> int:
    """Act on one message, unless its document was handled before; return how many HITs were asked about.

    Raises Broken, or mturk's errors; then it counts as not handled.
    """
    document = read(body)
    document_id = document["EventDocId"]
    if SeenEvent.objects.filter(endpoint=endpoint_key, document_id=document_id).exists():
        return 0
    named = {event["HITId"] for event in document["Events"] if "HITId" in event}
    ours = HIT.objects.live().filter(batch__endpoint=endpoint_key, mturk_hit_id__in=named)
    hits = list(ours.select_related("batch__project", "hit_type", "offer__task"))
    if unknown := named - {hit.mturk_hit_id for hit in hits}:
        logger.info("Events of HITs that are not open here, from %s: %s", endpoint_key, ", ".join(sorted(unknown)[:10]))
    for hit in hits:
        syncing.sync_one(hit)
    SeenEvent.objects.bulk_create(
        [SeenEvent(endpoint=endpoint_key, document_id=document_id, handled_at=timezone.now())], ignore_conflicts=True
    )
    return len(hits)


def read(body: str) -> dict[str, Any]:
    """The document of events in a message's body, bare or inside an SNS envelope. Raises Broken."""
    document = _json(body)
    if document.get("Type") == "Notification" and isinstance(document.get("Message"), str):
        document = _json(document["Message"])
    document_id, told = document.get("EventDocId"), document.get("Events")
    if not _is_id(document_id, DOCUMENT_ID):
        raise Broken("it has no EventDocId")
    if not isinstance(told, list) or not all(isinstance(event, dict) for event in told):
        raise Broken("it has no list of events")
    if not all(_is_id(event["HITId"], HIT_ID) for event in told if "HITId" in event):
        raise Broken("one of its events has a HITId that is none")
    return document


def _is_id(value: Any, form: re.Pattern[str]) -> bool:
    return isinstance(value, str) and form.fullmatch(value) is not None


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Broken("it is not JSON") from error
    if not isinstance(found, dict):
        raise Broken("it is not an object")
    return found


def forget() -> int:
    """Forget documents that cannot come again; return how many."""
    return SeenEvent.objects.filter(handled_at__lt=timezone.now() - REMEMBERED_FOR).delete()[0]
