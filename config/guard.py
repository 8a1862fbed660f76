"""What stands around either site's WSGI application, and sees a request before Django does."""

from __future__ import annotations

import codecs
import logging
import sys
from collections.abc import Callable, Iterable
from typing import Any

from django.utils.http import parse_header_parameters
from django.utils.translation import gettext as _

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

logger = logging.getLogger(__name__)

# As codecs.lookup names them. Each gives some text for any bytes when errors are replaced, and no half pairs; many of
# Python's other codecs raise, or are no text encodings at all.
CHARSETS = frozenset({"utf-8", "ascii", "iso8859-1"})


class Guard:
    """Answers 400 to a request whose charset Django would fail on, and a plain 500 where ``application`` raises.

    Django makes its request outside its own handling of errors, and decodes the query and the form by the charset of
    the Content-Type. What it raises there would reach gunicorn, which logs the whole address: a work page's address
    holds the ids of a worker and an assignment.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if not has_plain_charset(environ.get("CONTENT_TYPE", "")):
            return _text(start_response, "400 Bad Request", _("Send text as UTF-8: its charset is not served here."))
        try:
            return self._application(environ, start_response)
        except OSError:  # a broken connection, which is gunicorn's to see to
            raise
        except Exception:
            logger.exception("A request failed outside Django: %s", environ.get("REQUEST_METHOD"))
            status, sentence = "500 Internal Server Error", _("Something went wrong. Please try again.")
            return _text(start_response, status, sentence, sys.exc_info())


def has_plain_charset(content_type: str) -> bool:
    """Whether ``content_type`` names no charset, or one of CHARSETS."""
    try:
        charset = parse_header_parameters(content_type)[1].get("charset")
        return charset is None or codecs.lookup(charset).name in CHARSETS
    except (LookupError, ValueError):  # not a charset, or not a header
        return False


def _text(start_response: StartResponse, status: str, sentence: str, *exc_info: Any) -> list[bytes]:
    body = f"{sentence}\n".encode()
    headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]
    start_response(status, headers, *exc_info)
    return [body]
