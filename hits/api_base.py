"""What the views of the API about batches and money share beyond all others: calls under a key, and their refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from rest_framework.response import Response

from annotation import room_api
from annotation.models import IllegalMove, LostRace

from .services import api_calls, caps
from .services.batch_life import AskedBefore, NotDone
from .services.bonuses import NotPayable
from .services.planning import NotLaunchable


class RoomView(room_api.RoomView):
    """Rows of the projects in which the user holds any role; what changes something is done once for its key."""

    refusals = [
        ((NotLaunchable, NotDone, NotPayable), 422, "refused", ""),
        ((caps.OverCap,), 422, "over_cap", ""),
        ((api_calls.OtherRequest,), 422, "key_used", ""),
        ((AskedBefore,), 409, "asked_before", ""),
        ((IllegalMove, LostRace), 409, "moved_on", _("The batch has moved on meanwhile: look at it again.")),
        ((ImproperlyConfigured,), 422, "refused", ""),
    ]

    def once(self, do: Callable[[UUID], tuple[int, Any]]) -> Response:
        """The answer of ``do`` (status and data), given once for the request's idempotency key."""
        key, request = self.key(), self.request
        asked = (str(request.method), request.path, request.data)
        status, answer = api_calls.once(self.user, key, asked, lambda: do(key))
        return Response(answer, status)
