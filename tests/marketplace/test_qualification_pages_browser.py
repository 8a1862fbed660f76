"""The pages about qualifications in a real browser: accessible, wide and on a phone, from the card to the grant."""

import pytest
from playwright.sync_api import expect

from marketplace.models import WorkerProfile
from tests.pages import assert_accessible, follow, picture

from . import test_browser
from .test_browser import sign_in
from .test_qualification_tests import value_of, with_test
from .test_qualifications import own_type

pytestmark = [pytest.mark.browser, pytest.mark.slow]
account, browser, page, width = test_browser.account, test_browser.browser, test_browser.page, test_browser.width


def test_from_a_card_by_the_test_to_the_qualification(page, site, requester, account, width):
    def look(name):
        assert_accessible(page)
        picture(page, f"questions/{name}-{width}")

    words = "Some questions about where the rivers of the Alps run, for those who want to write about them. " * 3
    type_id = with_test(requester, "Rivers of the Alps", Description=words, RetryDelayInSeconds=86400)
    rule = {"QualificationTypeId": type_id, "Comparator": "GreaterThan", "IntegerValues": [80]}
    requester.hit(requester.hit_type(Title="Write about rivers", QualificationRequirements=[rule]))
    own_type(requester, "Short course", AutoGranted=True)
    lost = own_type(requester, "Reviewed before")
    worker = WorkerProfile.objects.get(worker_id=account["worker_id"])
    holds = {"QualificationTypeId": lost, "WorkerId": worker.worker_id}
    requester.mturk.associate_qualification_with_worker(**holds, IntegerValue=12)
    requester.mturk.disassociate_qualification_from_worker(**holds, Reason="It was given to you by mistake.")
    sign_in(page, site, account)
    look("card-with-a-way-to-qualify")
    follow(page, page.get_by_role("link", name="How to get it"))
    look("qualification")
    page.get_by_role("button", name="Begin the test").click()
    expect(page.get_by_role("heading", name="Rivers of the Alps")).to_be_visible()
    look("qualification-test")
    page.get_by_label("Vienna").check()
    page.get_by_label("Enns").check()
    page.get_by_label("Mur").check()
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Your test was handed in.")).to_be_visible()
    look("qualification-granted")
    follow(page, page.get_by_role("link", name="All qualifications"))
    look("qualifications")
    assert value_of(requester, worker, type_id) == 100
