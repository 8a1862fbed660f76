"""The worker's whole way from the keyboard alone: guide, quiz, writing, answering, each sent to the marketplace.

No mouse, no script that moves the focus: Tab goes from control to control, and wherever it stops is to be seen.
"""

import pytest
from playwright.sync_api import Locator, expect

from annotation.models import Answer, Offer, Question
from tests.annotation.quiz import make_quiz_offer
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import MakeOffer, Open
from tests.browser.worker import WorkPage

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOST_STOPS = 60
# What has the focus, in a sentence where that is not to be seen: out of the window, or under something else.
FOCUS = """
() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return "";
  const { left, top, width, height } = focused.getBoundingClientRect();
  const name = `${focused.tagName.toLowerCase()}[${focused.dataset.part ?? focused.className}]`;
  const outline = getComputedStyle(focused).outlineStyle;
  if (outline === "none" && focused.tagName !== "H1" && focused.tagName !== "H2") return `${name} shows no focus`;
  const hit = document.elementFromPoint(left + width / 2, Math.min(top + height / 2, innerHeight - 1));
  const isSeen = hit && (focused.contains(hit) || hit.contains(focused));
  return isSeen ? "" : `${name} has the focus under ${hit ? hit.className || hit.tagName : "the edge"}`;
}
"""


def tab_to(work: WorkPage, target: Locator, key: str = "Tab") -> None:
    """Press Tab until ``target`` has the focus; each stop on the way is in sight."""
    for _ in range(MOST_STOPS):
        work.press(key)
        assert work.frame.evaluate(FOCUS) == ""
        if target.evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError(f"Tab does not come to {target}")


def sent(work: WorkPage) -> None:
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")


def read_the_guide(work: WorkPage) -> None:
    """Open the guide by its key, at its title, and go back to where the work was."""
    work.press("F1")
    expect(work.frame.locator("#guide-title")).to_be_focused()
    work.press("Escape")
    expect(work.part("guide")).to_be_hidden()


def choose(work: WorkPage, number: int, choice: str) -> None:
    """Judge item ``number`` of the quiz: Tab to it, arrows to the judgement."""
    radios = work.card(number).get_by_role("radio")
    tab_to(work, radios.first)
    work.press("Space")
    for _ in range(radios.count()):
        if work.card(number).get_by_label(choice).is_checked():
            return
        work.press("ArrowDown")
    raise AssertionError(f"No arrow comes to {choice}")


def mark_by_words(work: WorkPage, *keys: str) -> None:
    work.press("F2")
    expect(work.passage).to_be_focused()
    work.press(*keys, "Enter")


@pytest.fixture
def quiz_offer(marketplace_stub: MarketplaceStub) -> Offer:
    offer = make_quiz_offer()
    offer.worker_origins = [marketplace_stub.origin]
    offer.save()
    return offer


def test_a_worker_goes_the_whole_way_without_a_mouse(
    open_work: Open, quiz_offer: Offer, make_write_offer: MakeOffer, answer_offer: Offer,
    marketplace_stub: MarketplaceStub,
) -> None:  # fmt: skip
    # The guide and the quiz
    work = open_work(quiz_offer)
    tab_to(work, work.part("open-guide"))
    read_the_guide(work)
    expect(work.part("open-guide")).to_be_focused()
    choose(work, 1, "The marked answer is too long")
    choose(work, 2, "Good as it is")
    tab_to(work, work.card(3).locator('[data-part="mark"]'))
    work.press("Enter")
    expect(work.passage).to_be_focused()
    work.press("Home", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Enter")
    assert work.answer(3) == "above Tarn"
    tab_to(work, work.card(4).get_by_role("checkbox"))
    work.press("Space")
    tab_to(work, work.part("check"))
    work.press("Enter")
    expect(work.part("outcome")).to_contain_text("You have passed")
    expect(work.part("outcome")).to_be_focused()
    tab_to(work, work.part("over").get_by_role("button"))
    work.press("Enter")
    sent(work)

    # Writing
    work = open_work(make_write_offer(), assignment="A2")
    tab_to(work, work.field(1))
    work.page.keyboard.type("Until when did somebody have to light it?")
    mark_by_words(work, "Home", *["ArrowRight"] * 11)
    assert work.answer(1) == "1931"
    expect(work.field(1)).to_be_focused()
    tab_to(work, work.part("add"))
    work.press("Enter")
    expect(work.field(2)).to_be_focused()
    work.page.keyboard.type("Who looked after it?")
    mark_by_words(work, "Home", *["ArrowRight"] * 14, "Shift+ArrowRight")
    assert work.answer(2) == "Ruth Amble"
    read_the_guide(work)
    expect(work.field(2)).to_be_focused()
    work.wait_until_saved()
    tab_to(work, work.part("submit"))
    work.press("Enter")
    sent(work)
    written = Question.objects.order_by("pk").values_list("text", flat=True)
    assert "Who looked after it?" in written

    # Answering
    work = open_work(answer_offer, assignment="A3")
    tab_to(work, work.card(1).locator('[data-part="mark"]'))
    work.press("Enter", "Home", *["ArrowRight"] * 11, "Enter")
    assert work.answer(1) == "1931"
    work.press("n")
    tab_to(work, work.card(2).get_by_role("checkbox"))
    work.press("Space")
    expect(work.card(2).get_by_role("checkbox")).to_be_checked()
    work.press("Control+z")
    expect(work.card(2).get_by_role("checkbox")).not_to_be_checked()
    expect(work.part("said")).to_have_text("Undone: question 2 has no answer.")
    work.press("n")
    expect(work.card(3).locator('[data-part="mark"]')).to_be_focused()
    tab_to(work, work.card(3).get_by_role("checkbox"))
    work.press("Space", "n")
    expect(work.card(2).locator('[data-part="mark"]')).to_be_focused()
    mark_by_words(work, "Home", *["ArrowRight"] * 14, "Shift+ArrowRight")
    assert work.answer(2) == "Ruth Amble"
    tab_to(work, work.part("submit"))
    work.press("Enter")
    sent(work)
    answers = Answer.objects.filter(assignment__mturk_assignment_id="A3").order_by("question__pk")
    assert list(answers.values_list("text", flat=True)) == ["1931", "Ruth Amble", None]
    assert [fields["assignmentId"] for fields in marketplace_stub.submitted] == ["A1", "A2", "A3"]
