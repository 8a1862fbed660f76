"""Answering other people's questions on the work page: from the keyboard alone, undo, and letters as keys."""

import pytest
from playwright.sync_api import BrowserContext, expect

from annotation.models import Answer, Offer
from tests.annotation.factories import make_answer_task, make_offer, make_paragraph, make_question
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import PIER, SEALS, MakeOffer, Open
from tests.browser.worker import ready, work_address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_every_question_is_answered_and_sent_from_the_keyboard(open_work: Open, answer_offer: Offer) -> None:
    work = open_work(answer_offer)
    work.part("said").click()  # into the frame
    work.press("n", "F2", "End", "Enter")
    assert work.answer(2) == "again"  # N went from the first open question to the next
    work.press("n", "Tab", "Space")  # past the button that marks, to "cannot be answered"
    expect(work.card(3).get_by_role("checkbox")).to_be_checked()
    work.press("Control+Enter")
    expect(work.part("open").get_by_role("listitem")).to_have_count(1)
    work.press("n", "F2", "Home", "ArrowRight", "Enter")
    assert work.answer(1) == "lamp"
    expect(work.part("open")).to_be_hidden()
    work.press("n")
    expect(work.part("said")).to_have_text("Nothing is open any more.")
    work.press("Control+Enter")
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    assert list(Answer.objects.order_by("question__pk").values_list("text", flat=True)) == ["lamp", "again", None]


def test_each_mark_has_the_number_and_the_pattern_of_its_question(open_work: Open, answer_offer: Offer) -> None:
    work = open_work(answer_offer)
    for number, answer in enumerate(("1931", "Ruth Amble", "dusk"), 1):
        work.card(number).locator('[data-part="number"]').click()
        work.mark(answer)
        piece = work.passage.locator(f'mark[data-question="{number}"]')
        expect(piece).to_have_text(answer)
        assert piece.get_attribute("data-pattern") == work.card(number).get_attribute("data-pattern") == str(number)


def test_undo_takes_back_one_act_after_the_other_wherever_it_was(
    open_work: Open, marketplace_stub: MarketplaceStub
) -> None:
    first = make_paragraph(text=PIER)
    second = make_paragraph(article=first.article, text=SEALS)
    task = make_answer_task(make_question(first, "Who?", answer=None), make_question(second, "When?", answer=None))
    work = open_work(make_offer(task, worker_origins=[marketplace_stub.origin]))
    expect(work.part("undo")).to_be_disabled()
    work.mark("Ruth")
    work.mark("Ruth Amble")
    work.card(1).get_by_role("checkbox").check()
    work.part("next").click()
    work.mark("June")
    work.part("undo").click()
    assert work.answer(1) == ""
    expect(work.part("said")).to_have_text("Undone: question 1 has no answer.")
    work.press("Control+z")
    expect(work.passage).to_have_text(PIER)  # back where it was done
    assert work.answer(1) == "Ruth Amble"
    expect(work.card(1).get_by_role("checkbox")).not_to_be_checked()
    work.press("Control+z")
    assert work.marks() == [("1", "Ruth")]
    work.wait_until_saved()
    work = work.reload()
    assert work.marks() == [("1", "Ruth")]


def test_a_removed_question_comes_back_with_its_mark(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "Until when?")
    work.mark("1931")
    work.press("Control+z")  # outside a text field: the mark
    assert work.marks() == []
    work.mark("1931")
    work.card(1).get_by_role("button", name="Remove question 1").click()
    expect(work.field(1)).to_have_value("")
    work.part("undo").click()
    expect(work.field(1)).to_have_value("Until when?")
    assert work.marks() == [("1", "1931")]
    work.field(1).click()
    work.press("End")
    work.page.keyboard.type(" in")
    work.press("Control+z")  # in a text field: what was typed
    assert work.marks() == [("1", "1931")]


def test_letters_as_keys_can_be_switched_off_and_stay_off(
    context: BrowserContext, platform_server: str, marketplace_stub: MarketplaceStub, answer_offer: Offer
) -> None:
    page = context.new_page()
    page.goto(work_address(platform_server, answer_offer, marketplace_stub.origin))  # may store: first party
    work = ready(page)
    work.press("n")
    expect(work.card(2).locator('[data-part="mark"]')).to_be_focused()
    work.frame.get_by_text("Keys", exact=True).click()
    work.part("letter-keys").uncheck()
    work.press("n")
    expect(work.part("letter-keys")).to_be_focused()
    work = work.reload()
    work.press("n")
    expect(work.card(2).locator('[data-part="mark"]')).not_to_be_focused()
    expect(work.part("letter-keys")).not_to_be_checked()
    work.frame.get_by_text("Keys", exact=True).click()
    work.part("letter-keys").check()
    work.press("n")
    expect(work.card(2).locator('[data-part="mark"]')).to_be_focused()
