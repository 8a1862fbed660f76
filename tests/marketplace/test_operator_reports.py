"""What workers report, as an operator sees to it."""

import html

import pytest

from marketplace.models import OperatorAction, Report

from .test_operator import page

PATH = "/operator/reports/"


@pytest.fixture
def reported(requester, worker) -> Report:
    group = requester.hit()["HITGroupId"]
    answer = worker.client.post(f"/projects/{group}/report", {"kind": "personal", "text": "It wants my <b>phone</b>."})
    assert answer.status_code == 302
    return Report.objects.get()


def settle(operator, report, reason="Wrote to the lab"):
    return operator.post(f"{PATH}{report.pk}/settle/", {"reason": reason})


def test_a_report_waits_until_an_operator_has_seen_to_it(operator, reported):
    assert "1 report of a worker waits." in page(operator, "/operator/")
    shown = page(operator, PATH)
    assert "It wants my &lt;b&gt;phone&lt;/b&gt;." in shown
    assert reported.hit_type.title in shown
    assert settle(operator, reported).status_code == 302
    assert "No report waits." in page(operator, PATH)
    assert "seen to" in page(operator, f"{PATH}?all=1")
    assert "report of a worker waits" not in page(operator, "/operator/")
    row = OperatorAction.objects.get()
    assert (row.action, row.reason, row.requester) == ("settle_report", "Wrote to the lab", reported.hit_type.requester)


def test_a_report_is_seen_to_once_and_with_words(operator, reported):
    for words in ("", "x" * 501):
        answer = settle(operator, reported, words)
        assert answer.status_code == 400
        assert "Say in up to 500 characters" in html.unescape(answer.content.decode())
    assert settle(operator, reported).status_code == 302
    assert "saw to this report already" in settle(operator, reported).content.decode()
    assert OperatorAction.objects.count() == 1
    for pk in ("0", "9" * 30):
        assert operator.post(f"{PATH}{pk}/settle/", {"reason": "x"}).status_code == 404


def test_new_words_make_a_report_wait_again(operator, reported, worker):
    settle(operator, reported)
    group = reported.hit_type.group_id
    worker.client.post(f"/projects/{group}/report", {"kind": "personal", "text": "It still does."})
    assert "It still does." in page(operator, PATH)
