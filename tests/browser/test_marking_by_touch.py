"""Marking by finger on a phone of 390 pixels: taps, holding a word, handles. Touches come from Chromium's own input."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Answer, Offer
from tests.browser.conftest import NewContext
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import PIER, MakeOffer
from tests.browser.worker import WorkPage, ready, work_address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FINGER_PX = 44  # WCAG 2.5.5
PHONE = {"width": 390, "has_touch": True, "is_mobile": True}
# Longer than the page takes for holding a word.
HELD_MS = 700
OpenPhone = Callable[..., WorkPage]


class Finger:
    """One finger on the screen, in the coordinates of the page."""

    def __init__(self, page: Page) -> None:
        self._page, self._devtools = page, page.context.new_cdp_session(page)

    def down(self, x: float, y: float) -> None:
        self._send("touchStart", x, y)
        self.at = (x, y)

    def move(self, x: float, y: float) -> None:
        """Move there in small steps, as a finger does."""
        (left, top), steps = self.at, 6
        for step in range(1, steps + 1):
            self._send("touchMove", left + (x - left) * step / steps, top + (y - top) * step / steps)
        self.at = (x, y)

    def up(self) -> None:
        self._devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def hold(self, x: float, y: float) -> None:
        self.down(x, y)
        self._page.wait_for_timeout(HELD_MS)

    def _send(self, kind: str, x: float, y: float) -> None:
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})


@pytest.fixture
def open_phone(new_context: NewContext, platform_server: str, marketplace_stub: MarketplaceStub) -> OpenPhone:
    def opened(offer: Offer, height: int = 844, **changed: Any) -> WorkPage:
        page = new_context(height=height, **PHONE | changed).new_page()
        page.goto(work_address(platform_server, offer, marketplace_stub.origin))
        return ready(page)

    return opened


def tap(work: WorkPage, word: str, times: int = 1) -> None:
    text = work.passage.text_content() or ""
    for _time in range(times):
        work.page.touchscreen.tap(*work.point(text.index(word) + 1, 0.5))


def boxes(work: WorkPage) -> list[dict[str, float] | None]:
    """Where everything is that a finger may be about to meet."""
    parts = [work.passage, work.part("undo"), work.card(1), work.part("add"), work.part("submit")]
    return [part.bounding_box() for part in parts]


def test_two_taps_mark_and_nothing_moves(open_phone: OpenPhone, make_write_offer: MakeOffer) -> None:
    work = open_phone(make_write_offer())
    expect(work.part("said")).to_contain_text("Tap the first and the last word")
    before = boxes(work)
    tap(work, "Ruth")
    expect(work.part("said")).to_contain_text("Tap the last word, or pull the handles. So far: “Ruth”.")
    assert boxes(work) == before
    assert work.answer(1) == ""
    tap(work, "slept")
    assert work.answer(1) == "Ruth Amble, slept"
    assert boxes(work) == before
    tap(work, "keeper")  # backwards, and in place of the other mark
    tap(work, "Its")
    assert work.answer(1) == "Its keeper"
    tap(work, "dusk", times=2)  # one word
    assert work.answer(1) == "dusk"
    tap(work, "pier")
    work.part("reminder").tap()  # a tap elsewhere lets go
    expect(work.part("take")).to_be_hidden()
    assert work.answer(1) == "dusk"
    work.part("undo").tap()
    assert work.answer(1) == "Its keeper"


def test_a_word_is_held_and_the_handles_are_pulled(open_phone: OpenPhone, make_write_offer: MakeOffer) -> None:
    work = open_phone(make_write_offer())
    finger = Finger(work.page)
    finger.hold(*work.point(PIER.index("Ruth") + 1, 0.5))
    finger.up()
    expect(work.part("said")).to_contain_text("“Ruth”")
    assert work.frame.evaluate("getSelection().toString()") == ""  # the browser's own menu has nothing to copy

    def pull(edge: str, beside: tuple[float, float], word: str) -> None:
        """Pull the handle that stands below the place ``beside`` until it stands so below ``word``."""
        handle = work.part(f"handle-{edge}").bounding_box()
        assert handle is not None
        assert min(handle["width"], handle["height"]) >= FINGER_PX
        x, y = handle["x"] + FINGER_PX / 2, handle["y"] + 15
        to_x, to_y = work.point(PIER.index(word) + 1, 0.5)
        finger.down(x, y)
        finger.move(to_x + x - beside[0], to_y + y - beside[1])
        finger.up()

    begin, end = work.point(PIER.index("Ruth"), 0.1), work.point(PIER.index("Amble") + 4, 0.9)
    finger.hold(*work.point(PIER.index("Ruth") + 1, 0.5))
    finger.move(*end)  # while it is held, the finger itself pulls
    finger.up()
    expect(work.part("said")).to_contain_text("“Ruth Amble”")
    pull("start", begin, "keeper")
    expect(work.part("said")).to_contain_text("“keeper, Ruth Amble”")
    pull("end", end, "dusk")
    expect(work.part("said")).to_contain_text("at dusk”")
    work.part("take").tap()
    answer = work.card(1).locator('[data-part="answer"]')
    expect(answer).to_have_text("keeper, Ruth Amble, slept by day and rowed out at dusk")


def test_letters_are_marked_by_finger_too(open_phone: OpenPhone, make_write_offer: MakeOffer) -> None:
    text = "The spring is 3.5km from the well-known pier."
    work = open_phone(make_write_offer(text))
    work.part("precise").tap()
    for character in ("3.5km", "5km"):
        work.page.touchscreen.tap(*work.point(text.index(character), 0.5))
    assert work.answer(1) == "3.5"


@pytest.mark.parametrize("height", [844, 664], ids=["a whole phone", "a phone with its bars"])
def test_mark_question_and_submit_are_on_one_screen(
    open_phone: OpenPhone, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub, height: int,
    pictures: Callable[[Page, str], None],
) -> None:  # fmt: skip
    work = open_phone(make_write_offer(PIER * 4), height=height)
    pictures(work.page, f"phone-{height}")
    for part in (work.passage, work.field(1), work.part("submit")):
        box = part.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
    work.field(1).tap()
    work.page.keyboard.type("Who kept it?")
    tap(work, "Ruth")
    tap(work, "Amble")
    for control in work.page.locator("button:visible, label:visible, .handle:visible").all():
        box = control.bounding_box()
        assert box is not None
        assert box["height"] >= FINGER_PX, control.text_content()
    work.part("submit").tap()
    work.page.wait_for_selector("h1:text-is('Submitted')")
    assert Answer.objects.get().text == "Ruth Amble"
