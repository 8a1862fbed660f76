"""What a worker typed and marked survives back buttons, crashes, a server that restarts, and the last minute."""

import os
import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.servers.basehttp import WSGIServer
from django.db import connections
from django.test.testcases import QuietWSGIRequestHandler
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, expect

from annotation.models import Assignment, Draft, Offer, Question
from tests.browser.conftest import Platform
from tests.browser.stub import NO_ORIGIN, MarketplaceStub
from tests.browser.work_fixtures import PIER, SEALS, MakeOffer, Open
from tests.browser.worker import open_frame, ready, work_address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class _OneAnswerEach(QuietWSGIRequestHandler):
    """Closes the connection after each answer: a server that stops would keep those that are open alive."""

    protocol_version = "HTTP/1.0"


class _Restartable(Platform):
    def _create_server(self, connections_override: Any = None) -> WSGIServer:
        return self.server_class(
            (self.host, self.port),
            _OneAnswerEach,
            allow_reuse_address=True,
            connections_override=connections_override,
        )


@pytest.fixture
def start_platform() -> Iterator[Callable[[int], Platform]]:
    """Starts a platform of one's own on a port (0: a free one), which can be stopped and started again."""
    running = []

    def start(port: int = 0) -> Platform:
        server = _Restartable(port=port)
        server.daemon = True
        server.start()
        server.is_ready.wait()
        if server.error:
            raise server.error
        running.append(server)
        return server

    yield start
    for server in running:
        server.terminate()
    connections.close_all()


def first_question() -> dict:
    return Draft.objects.get().content["paragraphs"][0]["questions"][0]


def test_a_server_that_restarts_loses_nothing_and_the_page_goes_on_by_itself(
    start_platform: Callable[..., Platform], context: BrowserContext, marketplace_stub: MarketplaceStub,
    make_write_offer: MakeOffer, console_errors: list[str],
) -> None:  # fmt: skip
    server = start_platform()
    address = f"http://localhost:{server.port}"
    work = open_frame(
        context.new_page(), marketplace_stub, work_address(address, make_write_offer(), marketplace_stub.origin)
    )
    work.ask(1, "Before")
    work.wait_until_saved()
    server.terminate()
    work.field(1).click()
    work.press("End")
    work.page.keyboard.type(" and in the gap?")
    expect(work.part("notice")).to_be_visible()
    work.mark("1931")
    work.submit()  # waits for the server too
    start_platform(server.port)
    work.page.frames[1].wait_for_selector("text=Submitted", timeout=30_000)
    assert Question.objects.get().text == "Before and in the gap?"
    assert len(marketplace_stub.submitted) == 1
    console_errors[:] = [error for error in console_errors if "ERR_" not in error]


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


def test_a_tab_that_crashes_loses_nothing_that_was_saved_and_opens_again(
    open_work: Open, make_write_offer: MakeOffer, browser: Browser
) -> None:
    offer = make_write_offer()
    work = open_work(offer)
    work.ask(1, "Typed before the crash?")
    work.mark("1931")
    work.wait_until_saved()
    session = browser.new_browser_cdp_session()
    with work.page.expect_event("crash"):
        for process in session.send("SystemInfo.getProcessInfo")["processInfo"]:
            if process["type"] == "renderer":
                os.kill(process["id"], signal.SIGKILL)
    again = open_work(offer)  # as a browser restores its session: the same address, in a new tab
    expect(again.field(1)).to_have_value("Typed before the crash?")
    assert again.marks() == [("1", "1931")]
    again.submit()
    again.page.frames[1].wait_for_selector("text=Submitted")
    assert Question.objects.count() == 1


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
    work.page.frames[1].wait_for_selector("text=Submitted")
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
    first.page.frames[1].wait_for_selector("text=Submitted")
    second.page.bring_to_front()
    second.submit()
    second.page.frames[1].wait_for_selector("text=Submitted")
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
