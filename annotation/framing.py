"""Pages that a marketplace frames: rendered without a request's cookies, and let into frames of named origins alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import get_template
from django.utils.translation import get_language, get_language_bidi
from django.views.decorators.clickjacking import xframe_options_exempt


def rendered(template: str, context: dict[str, Any]) -> str:
    """``template`` as text, in the direction of its language unless ``context`` has another ``interface_direction``.

    Without the request: no context processor looks for a user or a session here.
    """
    direction = {"interface_language": get_language(), "interface_direction": "rtl" if get_language_bidi() else "ltr"}
    return get_template(template).render(direction | context)


def framed(request: HttpRequest, response: HttpResponse, origins: Sequence[str]) -> HttpResponseBase:
    """``response`` with leave to be framed by ``origins``, and to post its form there."""
    # In a frame without an origin of its own, browsers have differed over what 'self' means: name our address too.
    own = [SELF, settings.PLATFORM_URL]
    policy = {
        "script-src": own,
        "style-src": own,
        "connect-src": own,
        "form-action": [*own, *origins],
        "frame-ancestors": list(origins),
    }

    @xframe_options_exempt
    @csp_replace(policy)
    def respond(_request: HttpRequest) -> HttpResponse:
        return response

    return respond(request)
