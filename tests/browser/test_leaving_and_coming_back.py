"""What a worker typed and marked survives back buttons, closed tabs, a server that fails, and the last minute."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, expect

from annotation.models import Assignment, Draft, Offer, Question
from tests.browser.stub import NO_ORIGIN, MarketplaceStub
from tests.browser.work_fixtures import PIER, SEALS, MakeOffer, Open
from tests.browser.worker import ready

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def first_question() -> dict:
    return Draft.objects.get().content["paragraphs"][0]["questions"][0]


@pytest.mark.parametrize("act", ["save", "submit"])
def test_who_does_not_want_to_wait_for_the_next_try_asks_for_it(
    open_work: Open, make_write_offer: MakeOffer, context: BrowserContext, console_errors: list[str], act: str
) -> None:
    context.clock.install()
    work = open_work(make_write_offer())
    work.ask(1, "When?")
    work.mark("1931")
    work.wait_until_saved()
    context.clock.pause_at(datetime.now() + timedelta(minutes=1))
    work.page.route("**/api/v1/work/*", lambda route: route.abort("connectionrefused"))
    if act == "submit":
        work.submit()
    else:
        work.field(1).press("End")
        work.page.keyboard.type(" And then?")
        context.clock.run_for(700)
    expect(work.part("notice")).to_be_visible()
    work.page.unroute("**/api/v1/work/*")
    work.part("try-now").click()
    if act == "submit":
        work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
        assert Question.objects.count() == 1
    else:
        work.wait_until_saved()
        expect(work.part("notice")).to_be_hidden()
        assert first_question()["text"] == "When? And then?"
    console_errors[:] = [error for error in console_errors if "ERR_CONNECTION_REFUSED" not in error]


@pytest.mark.parametrize("sandbox", [None, NO_ORIGIN], ids=["with storage", "without storage"])
def test_back_and_forward_bring_the_work_as_it_was(
    open_work: Open, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub, sandbox: str | None
) -> None:
    work = open_work(make_write_offer(PIER, SEALS), *([sandbox] if sandbox else []))
    work.ask(1, "Typed just before leaving")
    work.mark("1931")
    work.page.goto(f"{marketplace_stub.origin}/elsewhere")
    work.page.go_back()
    work = ready(work.page)
    expect(work.field(1)).to_have_value("Typed just before leaving")
    assert work.marks() == [("1", "1931")]
    work.ask(2, "Who rowed?")
    work.wait_until_saved()
    expect(work.part("conflict")).to_be_hidden()


def test_a_tab_that_is_closed_without_a_word_keeps_the_last_keystrokes(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    offer = make_write_offer()
    work = open_work(offer)
    work.ask(1, "The last words")
    work.page.close(run_before_unload=True)
    again = open_work(offer)
    expect(again.field(1)).to_have_value("The last words")


def test_work_sent_after_the_time_is_over_is_taken_and_until_a_day_later(
    open_work: Open, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub
) -> None:
    offer = make_write_offer()
    work = open_work(offer)
    work.ask(1, "When did it end?")
    work.mark("1931")
    work.wait_until_saved()
    Assignment.objects.update(opened_at=timezone.now() - timedelta(seconds=offer.allowed_seconds + 60))
    work = work.reload()
    expect(work.part("time-left")).to_have_text("The time may be over: send what you have")
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    assert (Question.objects.count(), len(marketplace_stub.submitted)) == (1, 1)


def test_submitting_from_two_tabs_stores_the_work_once_and_both_may_hand_it_on(
    open_work: Open, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub, console_errors: list[str]
) -> None:
    offer = make_write_offer()
    first = open_work(offer)
    first.ask(1, "When did it end?")
    first.mark("1931")
    first.wait_until_saved()
    second = open_work(offer)
    first.submit()
    first.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    second.page.bring_to_front()
    second.submit()
    second.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    assert Question.objects.count() == 1
    assert marketplace_stub.submitted[0] == marketplace_stub.submitted[1]
    assert Offer.objects.count() == 1


def test_an_older_request_that_arrives_late_does_not_overwrite_a_newer_one(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    work = open_work(make_write_offer())
    held: list = []
    work.page.route("**/api/v1/work/draft*", lambda route: held.append(route) if not held else route.continue_())
    work.ask(1, "Old")
    work.page.wait_for_timeout(900)  # the first save is on its way, and stays there
    assert len(held) == 1
    work.page.keyboard.type(" and new")
    work = work.reload()  # leaving sends the newest
    expect(work.field(1)).to_have_value("Old and new")
    assert first_question()["text"] == "Old and new"
