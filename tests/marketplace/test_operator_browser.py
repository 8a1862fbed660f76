"""The operator's pages in a real browser, wide and on a phone."""
# ruff: noqa: F811  # a fixture is named where it is wanted

from pathlib import Path

import pytest
from playwright.sync_api import expect

from marketplace import clock
from marketplace.models import Assignment, PaymentDetails
from marketplace.services import accounts, faults, reports
from tests.pages import assert_accessible, follow, picture

from .test_browser import browser, page, width  # noqa: F401  # fixtures
from .test_payouts import earn

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def signed_in(page, site):
    accounts.create_operator("lena", password="pass word")
    page.goto(f"{site.url}/signin/")
    page.get_by_label("User name").fill("lena")
    page.get_by_label("Password").fill("pass word")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    return page


def test_an_operator_pays_and_every_page_is_accessible_and_fits(
    signed_in,
    site,
    new_requester,
    worker,
    width,
):
    page = signed_in
    requester = new_requester(funds="100.00", name="Lab of reading")
    long_words = "Ada Augusta King, Countess of Lovelace, at the bank of somewhere far away"
    PaymentDetails.objects.create(
        worker=worker.profile, payee_name=long_words, note="IBAN DE00 1234 5678 9012 3456 78", changed_at=clock.now()
    )
    done = earn(requester, worker, "12.50")
    group = Assignment.objects.get(assignment_id=done).hit.hit_type
    reports.report(worker.profile, group, "personal", "It wants my phone number.", clock.now())

    def look(name):
        assert_accessible(page)
        picture(page, f"operator/{name}-{width}")

    def open_tab(name):
        follow(page, page.get_by_role("navigation", name="Operator").get_by_role("link", name=name))
        look(name.lower())

    open_tab("Payments")
    follow(page, page.get_by_role("button", name="Make a payout of $12.50"))
    look("payout")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the file (CSV)").click()
    assert long_words in Path(download.value.path()).read_text("utf-8")
    page.get_by_label("How it was paid").fill("Transfer 4711")
    page.get_by_role("button", name="Mark it paid").click()
    expect(page.get_by_text("Paid. The workers see it on their pages.")).to_be_visible()
    look("payout-paid")
    open_tab("Workers")
    page.get_by_role("link", name=worker.worker_id).click()
    page.get_by_label("HITs approved").fill("5000")
    page.locator("#standing-reason").fill("Known to us")
    page.get_by_role("button", name="Set the standing").click()
    expect(page.get_by_text("set here")).to_have_count(1)
    look("worker")
    open_tab("Requesters")
    page.get_by_role("link", name="Lab of reading").click()
    page.get_by_label("Amount in US dollars").fill("250")
    page.locator("#funds-reason").fill("Invoice 7")
    page.get_by_role("button", name="Put in", exact=True).click()
    expect(page.locator("dd[data-available]")).to_have_text("$335.00")
    look("requester")
    follow(page, page.get_by_role("button", name="Make another key"))
    look("key")
    open_tab("Faults")
    page.get_by_label("For").select_option(label="Lab of reading")
    page.get_by_role("button", name="Switch on", exact=True).click()
    expect(page.get_by_text("1 fault on purpose is switched on.")).to_be_visible()
    look("faults-on")
    page.get_by_role("button", name="Switch all off").click()
    expect(page.get_by_text("on purpose is switched on")).to_have_count(0)
    assert not faults.are_for_everybody()
    open_tab("Reports")
    page.get_by_label("What you did about it").fill("Wrote to the lab")
    page.get_by_role("button", name="Seen to").click()
    expect(page.get_by_text("No report waits.")).to_be_visible()
    open_tab("Log")
    open_tab("Overview")


def test_whoever_is_locked_out_is_told_what_to_do(page, site, worker, settings, width):
    settings.AXES_FAILURE_LIMIT = 1
    page = page.context.new_page()  # its console tells of the 429
    page.goto(f"{site.url}/signin/")
    page.get_by_label("User name").fill(worker.profile.user.username)
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Try again later")).to_be_visible()
    assert_accessible(page)
    picture(page, f"operator/locked-out-{width}")
