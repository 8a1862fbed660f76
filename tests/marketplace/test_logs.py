"""What stands in an address and lets somebody in does not stand in the log."""

import re
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest

from config.logs import masked
from marketplace import question_views
from marketplace.models import HIT

from .recruiting.test_invitations import make_link
from .test_html_question import html_question

# A GET, a POST without the form's token, and one that is no form: it has a cookie, so that it is read, and no boundary.
CALLS = [
    (None, {}),
    (b"a=b", {}),
    (b"a=b", {"Content-Type": "multipart/form-data", "Cookie": f"marketplace_csrf={'a' * 32}"}),
]


def status_of(address: str, data: bytes | None, headers: dict[str, str]) -> int:
    try:
        return urllib.request.urlopen(urllib.request.Request(address, data=data, headers=headers)).status
    except urllib.error.HTTPError as error:
        return error.code


def text_with(log, words: str, before: int) -> str:
    """What was written after ``before`` characters, once ``words`` are in it: the access log comes after the answer."""
    for _ in range(100):
        if words in (written := log.read_text()[before:]):
            return written
        time.sleep(0.05)
    raise AssertionError(f"{words} is not in the log: {written}")


def test_no_secret_of_an_address_comes_into_the_log(gunicorn, requester):
    url, log = gunicorn
    hit = requester.hit(Question=html_question())
    page = question_views.html_address(HIT.objects.get(hit_id=hit["HITId"]))
    paths = [urlsplit(make_link()).path, "/study/not-the-key-of-any/", page, "/signin/link/" + "y" * 40 + "/"]
    before = len(log.read_text())
    answered = [[status_of(f"{url}{path}?workerId=A123WORKER", *call) for call in CALLS] for path in paths]
    assert answered[0] == [200, 403, 400]
    status_of(f"{url}/join/", None, {"User-Agent": "the last call"})
    written = text_with(log, "the last call", before)
    for path in paths:
        assert path.strip("/").split("/")[-1] not in written
    assert "A123WORKER" not in written
    assert "Forbidden (CSRF cookie not set.): /join/…/" in written
    assert "Bad request (Unable to parse request body): /join/…/" in written
    assert "Not Found: /study/…/" in written
    assert re.search(r'"GET /join/…/\?…', written), "the access log has the line too"


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Bad Request: /join/abc-DEF_1/", "Bad Request: /join/…/"),
        ("Forbidden: /study/read-rivers/?a=1", "Forbidden: /study/…/?a=1"),
        ("Not Found: /signin/link/abc-DEF_1/", "Not Found: /signin/link/…/"),
        ("/mturk/html/3XY/sig-nature_", "/mturk/html/3XY/…"),
        ("Not Found: /work/0b1c/guide/", "Not Found: /work/…/guide/"),
        (
            "/join/waiting/ /study/visit/ /api/v1/work/draft /join/",
            "/join/waiting/ /study/visit/ /api/v1/work/draft /join/",
        ),
        ("/operator/recruiting/studies/7/", "/operator/recruiting/studies/7/"),
    ],
)
def test_the_secret_alone_is_masked(line, kept):
    assert masked(line) == kept
