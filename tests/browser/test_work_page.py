"""The worker's page in Chromium, inside another site's frame: writing, answering, the copy lock, sending."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Answer, Assignment, Offer, ParagraphWork, Question, Worker
from tests.browser.conftest import NewContext
from tests.browser.stub import NO_ORIGIN, SANDBOX, MarketplaceStub
from tests.browser.work_fixtures import LAKE, PIER, SEALS, MakeOffer, Open
from tests.browser.worker import WorkPage, ready, work_address
from tests.pages import assert_accessible

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_third_party_cookies_are_blocked_here(context: BrowserContext, marketplace_stub: MarketplaceStub) -> None:
    page = context.new_page()
    page.goto(marketplace_stub.cookie_frame())
    frame = page.frames[1]
    frame.wait_for_selector("text=Set")
    frame.goto(frame.url.replace("/set-cookie", "/cookies"))
    expect(frame.locator("body")).to_have_text("cookies: none")
    page.goto(frame.url.replace("/cookies", "/set-cookie"))
    page.goto(frame.url.replace("/set-cookie", "/cookies"))
    expect(page.locator("body")).to_have_text("cookies: seen=1")


# The copy lock


def test_the_paragraph_is_not_copied_and_nothing_is_pasted_and_each_try_is_counted(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "my own words")
    work.press("Control+a", "Control+x")  # one's own text is one's own
    expect(work.field(1)).to_have_value("")
    work.press("Control+v")
    expect(work.field(1)).to_have_value("")
    expect(work.card(1)).to_contain_text("Pasting is switched off here")
    work.passage.focus()
    work.press("Control+a", "Control+c")
    expect(work.part("said")).to_contain_text("Copying from the paragraph is switched off")
    work.page.mouse.click(*work.point(10, 0.5), button="right")
    box = work.field(1).bounding_box()
    assert box is not None
    work.press("Control+a")
    work.drag_between(work.point(10, 0.5), (box["x"] + 20, box["y"] + 10))
    expect(work.field(1)).to_have_value("")
    work.field(1).click()
    work.page.keyboard.type("Wen was it lit?")
    work.press("Control+z")
    work.press("Control+a", "Backspace")
    work.page.keyboard.type("When was it lit?")
    expect(work.field(1)).to_have_value("When was it lit?")
    expect(work.card(1)).not_to_contain_text("Pasting")
    work.mark("until 1931")
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    assert ParagraphWork.objects.get().blocked_actions == 4  # paste, copy, context menu, drag


def test_text_of_the_paragraph_cannot_be_dropped_on_a_question(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "words of mine")
    work.ask(2, "")
    work.field(1).click()
    work.press("Control+a")
    first, second = work.field(1).bounding_box(), work.field(2).bounding_box()
    assert first is not None
    assert second is not None
    work.drag_between((first["x"] + 30, first["y"] + 14), (second["x"] + 30, second["y"] + 14))
    expect(work.field(2)).to_have_value("")
    expect(work.card(2)).to_contain_text("Pasting is switched off here")


def test_without_the_lock_copying_and_pasting_work(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer(copy_lock=False))
    work.passage.focus()
    work.press("Control+a", "Control+c")
    work.field(1).click()
    work.press("Control+v")
    expect(work.field(1)).to_have_value(re.compile("Its keeper, Ruth Amble"))


def test_a_question_in_the_paragraphs_words_is_remarked_on(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "What was lit by hand")
    expect(work.card(1)).not_to_contain_text("Repeats")
    work.page.keyboard.type(" until 1931?")
    expect(work.card(1)).to_contain_text("Repeats 6 words in a row")


@pytest.mark.parametrize("width", [1000, 1280])
def test_the_paragraph_stays_where_it_is_while_a_question_is_typed_and_marked(
    open_work: Open, make_write_offer: MakeOffer, width: int
) -> None:
    work = open_work(make_write_offer())
    work.page.set_viewport_size({"width": width, "height": 800})
    before = work.passage.bounding_box()
    work.ask(1, "When did the lamp get its motor?")
    assert work.passage.bounding_box() == before
    work.mark("1931")
    assert work.answer(1) == "1931"
    assert work.passage.bounding_box() == before


# Paragraphs, questions, sending


def test_a_preview_is_read_and_cannot_be_filled_in(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer(PIER, SEALS), assignment="ASSIGNMENT_ID_NOT_AVAILABLE", worker="")
    expect(work.frame.locator("body")).to_contain_text("This is a preview")
    expect(work.passage).to_have_text(PIER)
    expect(work.field(1)).to_be_disabled()
    work.mark("1931")
    assert work.answer(1) == ""
    work.part("next").click()
    expect(work.passage).to_have_text(SEALS)
    expect(work.part("submit")).to_have_count(0)
    expect(work.part("next")).to_be_hidden()
    assert (Worker.objects.count(), Assignment.objects.count()) == (0, 0)


def test_paragraphs_are_done_one_by_one_and_what_is_open_is_listed(
    open_work: Open, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub
) -> None:
    work = open_work(make_write_offer(PIER, SEALS, LAKE, max_questions=2))
    expect(work.part("position")).to_have_text("paragraph 1 of 3")
    work.ask(1, "When?")
    work.ask(2, "Who?")
    expect(work.part("add")).to_be_disabled()
    work.mark("Ruth Amble")
    work.part("next").click()
    expect(work.part("reminder")).to_contain_text("Do not reuse the paragraph's phrases")
    work.part("next").click()
    expect(work.part("position")).to_have_text("paragraph 3 of 3")
    work.ask(1, "What froze?")
    work.mark("Lake Orra")
    work.submit()
    expect(work.part("open").get_by_role("listitem")).to_have_text(
        ["Paragraph 1, question 1: Needs an answer: mark it in the paragraph.", "Paragraph 2: Needs a question."]
    )
    work.part("open").get_by_role("button").first.click()
    expect(work.passage).to_have_text(PIER)
    work.mark("1931")
    expect(work.part("open").get_by_role("listitem")).to_have_text(["Paragraph 2: Needs a question."])
    work.part("open").get_by_role("button").first.click()
    work.ask(1, "Which animals?")
    work.mark("Harbour seals")
    expect(work.part("open")).to_be_hidden()
    work.part("next").click()
    assert work.answer(1) == "Lake Orra"
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    answers = Answer.objects.order_by("question__paragraph__position", "question__position")
    assert list(answers.values_list("text", flat=True)) == ["1931", "Ruth Amble", "Harbour seals", "Lake Orra"]
    assert marketplace_stub.submitted[0]["assignmentId"] == "A1"


def test_a_question_can_be_removed_and_the_others_keep_their_marks(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    work = open_work(make_write_offer())
    for number, answer in enumerate(("1931", "Ruth Amble", "dusk"), 1):
        work.ask(number, f"Question {number}?")
        work.mark(answer)
    work.card(1).get_by_role("button", name="Remove question 1").click()
    assert work.marks() == [("1", "Ruth Amble"), ("2", "dusk")]
    work.card(2).get_by_role("button", name="Clear the answer to question 2").click()
    assert work.marks() == [("1", "Ruth Amble")]
    expect(work.field(2)).to_have_value("Question 3?")


def test_answering_marks_each_question_or_says_that_there_is_no_answer(
    open_work: Open, answer_offer: Offer, marketplace_stub: MarketplaceStub
) -> None:
    work = open_work(answer_offer)
    work.mark("1931")
    work.part("next-open").click()
    work.mark("Ruth Amble")
    work.submit()
    expect(work.part("open").get_by_role("listitem")).to_have_text(
        ["Paragraph 1, question 3: Mark the answer, or say that the paragraph has none."]
    )
    none = work.card(3).get_by_role("checkbox")
    none.check()
    work.card(3).click(position={"x": 5, "y": 5})
    work.mark("dusk")  # a mark takes the place of "no answer"
    expect(none).not_to_be_checked()
    assert work.answer(3) == "dusk"
    none.check()
    assert work.answer(3) == ""
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    answers = Answer.objects.order_by("question__pk").values_list("text", "start")
    assert list(answers) == [("1931", PIER.index("1931")), ("Ruth Amble", PIER.index("Ruth Amble")), (None, None)]
    assert len(marketplace_stub.submitted) == 1


@pytest.mark.parametrize("sandbox", [SANDBOX, NO_ORIGIN], ids=["with its origin", "without an origin of its own"])
def test_the_whole_way_works_in_the_frame(
    open_work: Open, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub, sandbox: str
) -> None:
    offer = make_write_offer(PIER, SEALS)
    work = open_work(offer, sandbox)
    assert work.frame.evaluate("origin") == ("null" if sandbox == NO_ORIGIN else work.frame.evaluate("location.origin"))
    work.ask(1, "When?")
    work.mark("1931")
    work.wait_until_saved()
    work = work.reload()
    expect(work.field(1)).to_have_value("When?")
    assert work.marks() == [("1", "1931")]
    work.part("next").click()
    work.ask(1, "Where?")
    work.mark("north skerry")
    work.part("submit").dblclick()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    assert [sent["assignmentId"] for sent in marketplace_stub.submitted] == ["A1"]
    assert (Question.objects.count(), Answer.objects.count()) == (2, 2)
    work = work.reload()
    expect(work.frame.locator("h1")).to_have_text("Your work is saved.")
    work.frame.get_by_role("button", name="Send it to the marketplace").click()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    assert marketplace_stub.submitted[0] == marketplace_stub.submitted[1]


# For everybody


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_any_page_of_the_worker(
    new_context: NewContext, platform_server: str, marketplace_stub: MarketplaceStub,
    make_write_offer: MakeOffer, answer_offer: Offer, console_errors: list[str], width: int,
    pictures: Callable[[Page, str], None],
) -> None:  # fmt: skip
    page = new_context(width=width).new_page()
    writing = make_write_offer(PIER, SEALS)

    def visit(offer: Offer, **changed: str) -> WorkPage:
        page.goto(work_address(platform_server, offer, marketplace_stub.origin, **changed))
        return ready(page)

    def check(name: str) -> None:
        pictures(page, f"{name}-{width}")
        assert_accessible(page, name)

    visit(writing, assignment="ASSIGNMENT_ID_NOT_AVAILABLE")
    check("preview")
    work = visit(writing)
    check("write-empty")
    for number, (question, answer) in enumerate(
        [
            ("When did they stop?", "1931"),
            ("Who was the keeper?", "Its keeper, Ruth Amble"),
            ("Lit by hand until 1931?", ""),
        ],
        1,
    ):
        work.ask(number, question)
        if answer:
            work.mark(answer)
    check("write-three-questions")
    work.passage.focus()
    work.press("F2", "Shift+ArrowRight", "Shift+ArrowRight")
    check("write-marking")
    work.press("Escape")
    work.part("next").click()
    work.submit()
    check("write-still-open")
    work.part("open-guide").click()
    check("write-guide")
    work = visit(answer_offer, assignment="A2")
    work.mark("1931")
    work.card(3).get_by_role("checkbox").check()
    check("answer")
    work.submit()
    check("answer-still-open")
    work.part("open-guide").click()
    check("answer-guide")
    work.part("close-guide").click()
    work.card(2).get_by_role("checkbox").check()
    work.submit()
    page.wait_for_selector("h1:text-is('Submitted')")
    visit(answer_offer, assignment="A2")
    check("finished")
    visit(writing, hitId="NOPE")
    check("another-hit")
    visit(writing, worker="")
    check("no-worker")
    console_errors[:] = [error for error in console_errors if "status of 40" not in error]
