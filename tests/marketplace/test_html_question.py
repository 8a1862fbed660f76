"""HTMLQuestion: a page that comes with the HIT, served in an origin of its own."""

import re

import pytest
from django.test import Client

from marketplace import questions

from .conftest import id_in, turk_code

FORM = """<!doctype html><html><head>
<script type="text/javascript" src="https://s3.amazonaws.com/mturk-public/externalHIT_v1.js"></script></head>
<body><form name="mturk_form" method="post" id="mturk_form" action="https://www.mturk.com/mturk/externalSubmit">
<input type="hidden" value="" name="assignmentId" id="assignmentId">
<label>Answer <input name="answer"></label> <input type="submit" id="submitButton" value="Submit">
</form><script>turkSetAssignmentID();</script></body></html>"""


def html_question(html: str = FORM, height: int | str = 450) -> str:
    return (
        f'<HTMLQuestion xmlns="{questions.HTML}"><HTMLContent><![CDATA[{html}]]></HTMLContent>'
        f"<FrameHeight>{height}</FrameHeight></HTMLQuestion>"
    )


def frame_of(response) -> str:
    """The address of the page's frame."""
    return re.search(r'data-frame [^>]*src="([^"]+)"', response.content.decode())[1].replace("&amp;", "&")


def test_the_worker_gets_the_page_in_a_frame_with_the_parameters_of_mechanical_turk(requester, worker, site):
    hit = requester.hit(Question=html_question(height=620))
    assert hit["Question"] == html_question(height=620)
    preview = worker.client.get(f"/projects/{hit['HITGroupId']}/tasks")
    assert f"?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId={hit['HITId']}" in frame_of(preview)
    assert 'data-height="620"' in preview.content.decode()
    address = worker.accept(hit)
    frame = frame_of(worker.client.get(address))
    for name, value in {"assignmentId": id_in(address), "hitId": hit["HITId"], "workerId": worker.worker_id}.items():
        assert f"{name}={value}" in frame
    assert "turkSubmitTo=http%3A%2F%2F" in frame
    page = Client().get(frame)
    assert page.status_code == 200
    assert page["Content-Type"] == "text/html; charset=utf-8"


def test_the_page_can_neither_have_our_origin_nor_be_framed_by_others(requester, worker):
    hit = requester.hit(Question=html_question())
    page = Client().get(frame_of(worker.client.get(worker.accept(hit))))
    policy = page["Content-Security-Policy"]
    assert policy.startswith("sandbox allow-scripts allow-forms")
    assert "allow-same-origin" not in policy
    assert "allow-top-navigation" not in policy
    assert "frame-ancestors 'self'" in policy
    assert page["X-Frame-Options"] == "SAMEORIGIN"
    assert "Access-Control-Allow-Origin" not in page
    assert "Set-Cookie" not in page


@pytest.mark.parametrize(("destination", "status"), [("iframe", 200), ("document", 403), ("embed", 403)])
def test_the_page_is_shown_in_a_frame_alone(requester, worker, destination, status):
    hit = requester.hit(Question=html_question("<p>Type your password"))
    frame = frame_of(worker.client.get(worker.accept(hit)))
    page = worker.client.get(frame, headers={"Sec-Fetch-Dest": destination})
    assert page.status_code == status
    assert ("Type your password" in page.content.decode()) is (status == 200)


def test_only_the_pages_that_show_a_hit_give_its_address_out(requester, worker):
    hit = requester.hit(Question=html_question())
    frame = frame_of(worker.client.get(f"/projects/{hit['HITGroupId']}/tasks"))
    path, _, query = frame.partition("?")
    assert Client().get(frame).status_code == 200
    assert Client().get(f"{path[:-1]}{'A' if path[-1] != 'A' else 'B'}?{query}").status_code == 404
    other = requester.hit(Question=html_question("<p>Another"))
    assert Client().get(frame.replace(hit["HITId"], other["HITId"])).status_code == 404
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
    requester.mturk.delete_hit(HITId=hit["HITId"])
    assert Client().get(frame).status_code == 404


@pytest.mark.parametrize(
    ("written", "served"),
    [
        ('action="https://www.mturk.com/mturk/externalSubmit"', 'action="{site}/mturk/externalSubmit"'),
        ('action="https://workersandbox.mturk.com/mturk/externalSubmit"', 'action="{site}/mturk/externalSubmit"'),
        ('action="http://www.mturk.com/mturk/externalSubmit"', 'action="{site}/mturk/externalSubmit"'),
        ('action="//www.mturk.com/mturk/externalSubmit"', 'action="{site}/mturk/externalSubmit"'),
        ('action="https://lab.example/mturk/externalSubmit"', 'action="https://lab.example/mturk/externalSubmit"'),
        (
            'src="https://s3.amazonaws.com/mturk-public/externalHIT_v1.js"',
            'src="/static/marketplace/external_hit.js"',
        ),
        (
            'src="https://mturk-public.s3.us-east-1.amazonaws.com/externalHIT_v1.js"',
            'src="/static/marketplace/external_hit.js"',
        ),
        ('src="https://assets.crowd.aws/crowd-html-elements.js"', 'src="/static/marketplace/crowd.js"'),
        ('src="https://lab.example/crowd-html-elements.js"', 'src="https://lab.example/crowd-html-elements.js"'),
    ],
)
def test_known_addresses_of_mechanical_turk_lead_here(requester, worker, site, written, served):
    hit = requester.hit(Question=html_question(f"<p {written}>ä"))
    page = Client().get(frame_of(worker.client.get(worker.accept(hit)))).content.decode()
    assert page == f"<p {served.format(site=site.url)}>ä"


@pytest.mark.parametrize(
    "document",
    [
        html_question().replace("2011-11-11", "2012-11-11"),
        html_question(""),
        html_question(height="tall"),
        html_question().replace("<FrameHeight>450</FrameHeight>", ""),
        html_question().replace("<![CDATA[", "").replace("]]>", ""),
        f'<HTMLQuestion xmlns="{questions.HTML}"><FrameHeight>1</FrameHeight>'
        "<HTMLContent>a</HTMLContent></HTMLQuestion>",
        '<!DOCTYPE x [<!ENTITY a "b">]>' + html_question(),
        html_question().replace("</HTMLContent>", "</HTMLContent>loose"),
    ],
)
def test_an_html_question_that_does_not_fit_the_schema_is_refused(requester, document):
    values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 3600, "Question": document}
    assert turk_code(requester.refusal("create_hit_with_hit_type", **values)) == "XMLParseError"
    assert requester.mturk.list_hits()["NumResults"] == 0


def test_an_html_question_longer_than_65535_bytes_is_refused(requester):
    room = 65535 - len(html_question(""))
    assert requester.hit(Question=html_question("x" * room))
    values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 60, "Question": html_question("x" * (room + 1))}
    assert turk_code(requester.refusal("create_hit_with_hit_type", **values)) == "InvalidParameterValue"
