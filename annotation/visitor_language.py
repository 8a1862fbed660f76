"""Pages of the admin in the language of their visitor's browser.

The admin speaks English, but for pages all of whose sentences are translated: these are shown in the first language
that the browser asks for and that we have.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override


def in_visitors_language(view: Callable[..., Any]) -> Callable[..., Any]:
    """``view``, whose page is rendered, and whose messages are worded, in the visitor's language."""

    @wraps(view)
    def worded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        language = get_language_from_request(request)
        with override(language):
            response = view(request, *args, **kwargs)
            if hasattr(response, "render"):
                response = response.render()
        response.setdefault("Content-Language", language)
        patch_vary_headers(response, ["Accept-Language"])
        return response

    return worded
