"""The API's one address: POST / in AWS JSON 1.1. Everything a call goes through, from signature to answer."""

import json
import logging
import socket
import time
import uuid
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ImproperlyConfigured, RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from .. import clock
from ..errors import Refused
from ..models import Fault
from ..models.faults import Met
from ..services import faults, overdue, throttling
from . import shapes, sigv4
from .errors import CallError, service_fault, throttled
from .operations import OPERATIONS, Call

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/x-amz-json-1.1"
TARGET = "MTurkRequesterServiceV20170117"


@csrf_exempt  # signed by its caller; no cookie is read
def endpoint(request: HttpRequest) -> HttpResponse:
    request_id = str(uuid.uuid4())
    try:
        document, status = _respond(request, request_id), 200
    except CallError as error:
        document, status = error.document(), error.http_status
    except Exception:
        logger.exception("A call failed: %s", request.headers.get("X-Amz-Target"))
        fault = service_fault()
        document, status = fault.document(), fault.http_status
    response = HttpResponse(json.dumps(document), status=status, content_type=CONTENT_TYPE)
    response.headers["x-amzn-RequestId"] = request_id
    return response


def _respond(request: HttpRequest, request_id: str) -> dict[str, Any]:
    operation = _operation(request)
    _check_size(request)
    requester = sigv4.caller(request).requester
    if not throttling.admits(requester):
        raise throttled()
    if operation not in OPERATIONS:
        raise CallError("UnknownOperationException", f"This marketplace does not serve the operation {operation}.")
    fault = faults.next_for(requester, operation)
    _fail_before(fault, request)
    now = clock.now()
    call = Call(requester, operation, now, request_id, sees_until=_sees_until(fault, now))
    try:
        params = shapes.read_input(operation, shapes.read_body(request.body))
        if OPERATIONS[operation].settles:
            overdue.settle(now)
        result = shapes.write_output(operation, OPERATIONS[operation].run(call, params))
    except Refused as refusal:
        stamp = f" ({int(now.timestamp() * 1000)}{' s' if requester.pays_nobody else ''})"
        raise CallError("RequestError", refusal.message + stamp, turk_code=refusal.code) from None
    _fail_after(fault, request)
    return result


def _operation(request: HttpRequest) -> str:
    service, _, operation = request.headers.get("X-Amz-Target", "").partition(".")
    if service != TARGET or not shapes.is_described(operation):
        raise CallError("UnknownOperationException", "X-Amz-Target names no operation of this service.")
    return operation


def _check_size(request: HttpRequest) -> None:
    too_big = CallError(
        "RequestEntityTooLargeException", f"The request is larger than {shapes.MAX_BODY_BYTES} bytes.", http_status=413
    )
    if int(request.headers.get("Content-Length") or 0) > shapes.MAX_BODY_BYTES:
        raise too_big
    try:
        size = len(request.body)
    except RequestDataTooBig:
        raise too_big from None
    if size > shapes.MAX_BODY_BYTES:
        raise too_big


def _sees_until(fault: Met | None, now: datetime) -> datetime | None:
    return now - timedelta(seconds=fault.seconds) if fault and fault.kind == Fault.Kind.HIDE_NEW else None


def _fail_before(fault: Met | None, request: HttpRequest) -> None:
    if fault is None:
        return
    if fault.kind == Fault.Kind.DROP_BEFORE:
        _hang_up(request)
        raise service_fault()
    if fault.kind == Fault.Kind.THROTTLE:
        raise throttled()
    if fault.kind == Fault.Kind.ERROR_500_BEFORE:
        raise service_fault()
    if fault.kind == Fault.Kind.SLOW:
        time.sleep(fault.seconds)


def _fail_after(fault: Met | None, request: HttpRequest) -> None:
    """See to it that the answer to work that is done does not reach the caller."""
    if fault is None:
        return
    if fault.kind == Fault.Kind.ERROR_500_AFTER:
        raise service_fault()
    if fault.kind == Fault.Kind.TIMEOUT_AFTER:
        time.sleep(fault.seconds)
    if fault.kind == Fault.Kind.DROP_AFTER:
        _hang_up(request)


def _hang_up(request: HttpRequest) -> None:
    """Close the connection under gunicorn's feet, so that the caller never sees an answer."""
    connection = request.META.get("gunicorn.socket")
    if connection is None:
        raise ImproperlyConfigured("Only gunicorn lets a request drop its connection; run the marketplace under it.")
    connection.shutdown(socket.SHUT_RDWR)
