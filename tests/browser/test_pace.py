"""Pace and pay: what the work comes to, and a call before the time of somebody who is away runs out."""

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from annotation.models import Offer
from tests.browser.work_fixtures import LAKE, PIER, MakeOffer, Open

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_top_line_says_pay_suggested_time_progress_and_the_rate_so_far(
    open_work: Open, make_write_offer: MakeOffer, context: BrowserContext
) -> None:
    context.clock.install()
    offer = make_write_offer(PIER, LAKE)
    Offer.objects.update(reward_usd="1.20", paid_seconds=480, allowed_seconds=1440)
    work = open_work(offer)
    expect(work.part("pay")).to_have_text("$1.20 · about 8 min (4 min a paragraph)")
    expect(work.part("pace")).to_have_text("0 of 2 paragraphs done")
    work.ask(1, "When did that end?")
    work.mark("1931")
    for _ in range(6):
        work.page.mouse.move(10, 10)
        work.page.mouse.move(20, 20)
        context.clock.run_for(20_000)
    expect(work.part("pace")).to_have_text(re.compile(r"1 of 2 paragraphs done · \$1[78]\.\d\d an hour so far"))


def test_who_is_away_is_called_back_before_the_time_is_over_and_thanked_by_silence(
    open_work: Open, make_write_offer: MakeOffer, context: BrowserContext
) -> None:
    context.clock.install()
    offer = make_write_offer()
    Offer.objects.update(paid_seconds=240, allowed_seconds=720)
    work = open_work(offer)
    context.clock.fast_forward(6 * 60_000)
    expect(work.part("away")).to_be_hidden()
    context.clock.fast_forward(2 * 60_000)
    expect(work.part("away")).to_have_text(re.compile("About 4 min are left"))
    work.field(1).click()
    context.clock.fast_forward(1000)
    expect(work.part("away")).to_be_hidden()
