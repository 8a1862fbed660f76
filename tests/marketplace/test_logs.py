"""What stands in an address and lets somebody in does not stand in the log."""

import re
import urllib.error
import urllib.request

import pytest

from config.logs import masked
from marketplace import question_views
from marketplace.models import HIT

from .recruiting.test_invitations import make_link
from .test_html_question import html_question


def statuses(address: str) -> list[int]:
    """What a GET, a POST without the form's token, and one that is no form at all are answered with."""
    plain = {"Content-Type": "multipart/form-data"}  # without a boundary: Django answers "Bad Request"
    calls = [(None, {}), (b"a=b", {}), (b"a=b", plain)]
    return [_status(urllib.request.Request(address, data=data, headers=headers)) for data, headers in calls]


def _status(request: urllib.request.Request) -> int:
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code


def test_no_secret_of_an_address_comes_into_the_log(gunicorn, requester):
    url, log = gunicorn
    hit = requester.hit(Question=html_question())
    page = question_views.html_address(HIT.objects.get(hit_id=hit["HITId"]))
    paths = [
        make_link(),
        "/study/not-the-key-of-any/",
        page,
        "/join/" + "x" * 40 + "/",
        "/signin/link/" + "y" * 40 + "/",
    ]
    before = len(log.read_text())
    for path in paths:
        assert {403, 404, 405, 400} & set(statuses(f"{url}{path}?workerId=A123WORKER"))
    written = log.read_text()[before:]
    for path in paths:
        secret = path.strip("/").split("/")[-1]
        assert secret not in written
    assert "A123WORKER" not in written
    assert "Forbidden (CSRF cookie not set.): /join/…/" in written
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
