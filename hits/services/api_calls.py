"""Doing what an API call asks for once, however often it arrives under its key."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from hits.models import ApiCall


class OtherRequest(Exception):
    """The key was used before, for another request."""


def once(user: User, key: UUID, request: tuple[str, str, Any], do: Callable[[], tuple[int, Any]]) -> tuple[int, Any]:
    """The status and answer of ``do``, or those that it gave under this key before.

    ``request`` is method, path and body. What ``do`` raises undoes everything, the key's use included, so that the call
    may be repeated. Raises OtherRequest.
    """
    digest = sha256(json.dumps(request, sort_keys=True, cls=DjangoJSONEncoder).encode()).hexdigest()
    try:
        with transaction.atomic():
            # A second call with this key waits here until the first is committed or undone.
            call = ApiCall.objects.create(user=user, key=key, request_digest=digest)
            status, answer = do()
            call.status, call.answer = status, json.loads(json.dumps(answer, cls=DjangoJSONEncoder))
            call.save(update_fields=["status", "answer"])
            return call.status, call.answer
    except IntegrityError as refusal:
        known = ApiCall.objects.filter(user=user, key=key).first()
        if known is None:
            raise
        if known.request_digest != digest:
            raise OtherRequest(
                _("This idempotency key was used for another request. Send a new one with each new request.")
            ) from refusal
        return known.status, known.answer
