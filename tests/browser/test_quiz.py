"""The quiz in Chromium, inside another site's frame: judging, marking, hints, passing and failing; by keyboard too."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Draft, Offer, QuizTry
from tests.annotation.quiz import make_quiz_offer
from tests.browser.conftest import NewContext
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import Open
from tests.browser.worker import WorkPage, ready, work_address
from tests.pages import assert_accessible

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def quiz_offer(marketplace_stub: MarketplaceStub) -> Offer:
    offer = make_quiz_offer()
    offer.worker_origins = [marketplace_stub.origin]
    offer.save()
    return offer


def judge(work: WorkPage, number: int, choice: str) -> None:
    work.card(number).get_by_label(choice).check()


def answer_all(work: WorkPage, first: str, place: str) -> None:
    judge(work, 1, first)
    judge(work, 2, "Good as it is")
    work.card(3).click(position={"x": 5, "y": 5})
    work.mark(place)
    work.card(4).get_by_role("checkbox").check()


def test_a_quiz_is_taken_with_hints_and_passed_in_the_second_try(
    open_work: Open, quiz_offer: Offer, marketplace_stub: MarketplaceStub
) -> None:
    work = open_work(quiz_offer)
    work.part("check").click()
    expect(work.part("open").get_by_role("listitem")).to_have_count(4)
    answer_all(work, "Repeats the paragraph's words", "mill")
    work.part("check").click()
    expect(work.part("outcome")).to_contain_text("2 of 4 are right, and 3 pass")
    expect(work.part("outcome")).to_be_focused()
    expect(work.card(1)).to_contain_text("✗ Not right. Count the years.")
    expect(work.card(2)).to_contain_text("✓ Right. Short and to the point.")
    work.card(3).click(position={"x": 5, "y": 5})
    work.mark("above Tarn")
    work.wait_until_saved()
    work = work.reload()
    expect(work.card(1)).to_contain_text("Count the years.")
    assert work.answer(3) == "above Tarn"
    judge(work, 1, "The marked answer is too long")
    work.part("check").dblclick()
    expect(work.part("outcome")).to_contain_text("You have passed. Thank you!")
    assert QuizTry.objects.count() == 2
    work.frame.get_by_role("button", name="Send it to the marketplace").click()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    assert marketplace_stub.submitted[0]["assignmentId"] == "A1"
    again = work.reload()
    expect(again.part("outcome")).to_contain_text("You have passed")
    again.frame.get_by_role("button", name="Send it to the marketplace").click()
    again.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    assert marketplace_stub.submitted[0] == marketplace_stub.submitted[1]


def test_who_fails_is_told_kindly_and_sends_it_all_the_same(
    open_work: Open, quiz_offer: Offer, marketplace_stub: MarketplaceStub
) -> None:
    work = open_work(quiz_offer)
    answer_all(work, "Repeats the paragraph's words", "mill")
    work.part("check").click()
    expect(work.part("outcome")).to_contain_text("tries left: 1")
    work.part("check").click()
    expect(work.part("outcome")).to_contain_text("This time it did not work out.")
    expect(work.part("outcome")).to_contain_text("you are paid for the quiz all the same")
    expect(work.card(3)).to_contain_text("Right: “above Tarn”. The place.")
    expect(work.card(1).get_by_role("radio").first).to_be_disabled()
    work.frame.get_by_role("button", name="Send it to the marketplace").click()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    assert len(marketplace_stub.submitted) == 1


def test_a_network_that_fails_at_the_check_counts_the_try_once(
    open_work: Open, quiz_offer: Offer, console_errors: list[str]
) -> None:
    work = open_work(quiz_offer)
    answer_all(work, "The marked answer is too long", "Tarn")
    work.wait_until_saved()
    lost: list[str] = []

    def lose_the_answer(route: Any) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.request.url)
        route.fetch()
        route.abort()

    work.page.route("**/api/v1/work/quiz*", lose_the_answer)
    work.part("check").click()
    expect(work.part("outcome")).to_contain_text("You have passed")
    assert (len(lost), QuizTry.objects.count()) == (1, 1)
    console_errors[:] = [error for error in console_errors if "ERR_FAILED" not in error]


def test_the_quiz_is_taken_by_keyboard_alone(open_work: Open, quiz_offer: Offer) -> None:
    work = open_work(quiz_offer)
    work.card(1).get_by_role("radio").first.focus()
    work.press("ArrowDown", "ArrowDown", "ArrowDown")  # the fourth: too long
    work.press("Tab", "Space")
    work.press("Tab", "Enter")  # mark the answer to the third
    expect(work.passage).to_be_focused()
    work.press("End", "ArrowLeft")
    for _ in range(12):
        if "“Tarn”" in (work.part("said").text_content() or ""):
            break
        work.press("ArrowLeft")
    work.press("Enter")
    assert work.answer(3) == "Tarn"
    work.card(4).get_by_role("checkbox").focus()
    work.press("Space", "F1")
    expect(work.part("guide")).to_be_visible()
    work.press("F1")
    work.part("check").focus()
    work.press("Enter")
    expect(work.part("outcome")).to_contain_text("You have passed")


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_the_quiz(
    new_context: NewContext, platform_server: str, marketplace_stub: MarketplaceStub, quiz_offer: Offer, width: int,
    pictures: Callable[[Page, str], None],
) -> None:  # fmt: skip
    page = new_context(width=width).new_page()

    def visit(**changed: str) -> WorkPage:
        page.goto(work_address(platform_server, quiz_offer, marketplace_stub.origin, **changed))
        return ready(page)

    def check(name: str) -> None:
        pictures(page, f"quiz-{name}-{width}")
        assert_accessible(page, name)

    visit(assignment="ASSIGNMENT_ID_NOT_AVAILABLE")
    check("preview")
    assert not Assignment.objects.exists()
    work = visit()
    check("begun")
    answer_all(work, "Repeats the paragraph's words", "mill")
    work.part("check").click()
    expect(work.part("outcome")).to_be_visible()
    check("hints")
    work.part("open-guide").click()
    check("guide")
    work.part("close-guide").click()
    work.part("check").click()
    expect(work.part("outcome")).to_contain_text("did not work out")
    check("failed")
    assert Draft.objects.count() == 1
