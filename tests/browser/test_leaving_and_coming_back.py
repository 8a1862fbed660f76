"""What a worker typed and marked survives back buttons, closed tabs, a server that fails, and the last minute."""

from datetime import timedelta

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


def test_tries_to_save_grow_apart_while_the_server_is_away_and_the_last_content_arrives(
    open_work: Open, make_write_offer: MakeOffer, context: BrowserContext, console_errors: list[str]
) -> None:
    context.clock.install()
    work = open_work(make_write_offer())
    tries: list[int] = []

    def refuse(route) -> None:
        tries.append(1)
        route.fulfill(status=503, json={})

    work.page.route("**/api/v1/work/draft*", refuse)
    work.ask(1, "When?")
    context.clock.run_for(1000)
    expect(work.part("notice")).to_be_visible()
    for milliseconds, expected in ((1100, 2), (1100, 2), (1100, 3), (3000, 3), (1200, 4)):
        context.clock.run_for(milliseconds)
        work.frame.evaluate("fetch('/api/v1/work/nothing').catch(() => 0)")  # until the tries before it have arrived
        assert len(tries) == expected
    work.page.unroute("**/api/v1/work/draft*")
    work.page.keyboard.type(" And now?")
    context.clock.run_for(40_000)
    work.wait_until_saved()
    expect(work.part("notice")).to_be_hidden()
    assert first_question()["text"] == "When? And now?"
    console_errors[:] = [error for error in console_errors if "503" not in error and "404" not in error]


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
