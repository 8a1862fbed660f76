"""Marking by finger on a phone of 390 pixels: taps, holding a word, handles."""

import pytest
from playwright.sync_api import expect

from tests.browser.phone import Finger
from tests.browser.work_fixtures import PIER, MakeOffer, OpenPhone
from tests.browser.worker import WorkPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def boxes(work: WorkPage) -> list[dict[str, float] | None]:
    """Where everything is that a finger may be about to meet."""
    parts = [work.passage, work.part("undo"), work.card(1), work.part("add"), work.part("submit")]
    return [part.bounding_box() for part in parts]


def test_two_taps_mark_and_nothing_moves(open_phone: OpenPhone, make_write_offer: MakeOffer) -> None:
    work = open_phone(make_write_offer())
    expect(work.part("said")).to_contain_text("Tap the first and the last word")
    before = boxes(work)
    work.tap("Ruth")
    expect(work.part("said")).to_contain_text("Tap the last word, or pull the handles. So far: “Ruth”.")
    assert boxes(work) == before
    assert work.answer(1) == ""
    work.tap("slept")
    assert work.answer(1) == "Ruth Amble, slept"
    assert boxes(work) == before
    work.tap("keeper")  # backwards, and in place of the other mark
    work.tap("Its")
    assert work.answer(1) == "Its keeper"
    work.tap("dusk", times=2)  # one word
    assert work.answer(1) == "dusk"
    work.tap("pier")
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

    begin, end = work.point(PIER.index("Ruth"), 0.1), work.point(PIER.index("Amble") + 4, 0.9)
    finger.hold(*work.point(PIER.index("Ruth") + 1, 0.5))
    finger.move(*end)  # while it is held, the finger itself pulls
    finger.up()
    expect(work.part("said")).to_contain_text("“Ruth Amble”")
    finger.pull_handle(work, "start", begin, "keeper")
    expect(work.part("said")).to_contain_text("“keeper, Ruth Amble”")
    finger.pull_handle(work, "end", end, "dusk")
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
