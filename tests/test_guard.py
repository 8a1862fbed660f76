"""What stands before Django on both sites: charsets that it would fail on, and what gunicorn's log may hold."""

import logging
from io import BytesIO

import pytest
from django.test import RequestFactory
from gunicorn.config import Config

from config.guard import Guard
from config.gunicorn import NoSecrets
from config.wsgi_platform import application

PLAIN = ["", "text/plain", "text/html; charset=utf-8", 'text/html; charset="UTF8"', "a/b; charset=us-ascii"]
ODD = [
    "utf-7",
    "base64",
    "rot13",
    "idna",
    "zlib",
    "hex",
    "unicode_escape",
    "undefined",
    "punycode",
    "nosuch",
    '"a\0"',
    "",
]


def answer(site, content_type: str, method: str = "GET", address: str = "/work/x/?workerId=A1&q=%2B2AA-"):
    """Status and body of ``site`` (a WSGI application) for a request of ``content_type``."""
    got = {}
    environ = RequestFactory().generic(method, address, HTTP_HOST="localhost").environ
    environ |= {"CONTENT_TYPE": content_type, "wsgi.input": BytesIO()}
    body = b"".join(site(environ, lambda status, headers, *exc_info: got.update(status=status)))
    return int(got["status"].split()[0]), body.decode()


@pytest.mark.parametrize("content_type", [*PLAIN, "a/b; charset=iso-8859-1"])
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.django_db
def test_text_in_a_plain_charset_passes(content_type, method):
    assert answer(application, content_type, method)[0] == 404


@pytest.mark.parametrize("charset", ODD)
@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=b"])
def test_text_in_another_charset_is_refused_in_words(kind, charset):
    status, body = answer(application, f"{kind}; charset={charset}", "POST")
    assert status == 400
    assert "UTF-8" in body
    assert answer(application, f"{kind}; charset*=nosuch''utf-8")[0] == 400


def test_what_is_raised_outside_django_is_logged_without_the_address(caplog):
    def failing(environ, start_response):
        raise LookupError("not an encoding")

    status, body = answer(Guard(failing), "")
    assert (status, "went wrong" in body) == (500, True)
    assert "not an encoding" in caplog.text
    assert "workerId" not in caplog.text


def test_gunicorns_log_has_addresses_without_their_queries_and_keys(caplog):
    log = NoSecrets(Config())
    log.error_log.propagate = True
    with caplog.at_level(logging.WARNING, "gunicorn.error"):
        log.exception("Error handling request %s %s", "GET", "/work/x/?workerId=A1")
        log.warning("Invalid request from ip=127.0.0.1: GET /work/y/?workerId=A2 HTTP/1")
    assert caplog.text.count("GET /work/…/?…") == 2
    assert "workerId" not in caplog.text
