"""The worker's page in Chromium, inside another site's frame: marking, typing, saving, sending. Real hands only."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Answer, Assignment, Draft, Offer, ParagraphWork, Question, Worker
from tests.annotation.factories import (
    make_answer_task,
    make_article,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_task,
)
from tests.browser.conftest import NewContext
from tests.browser.stub import NO_ORIGIN, SANDBOX, MarketplaceStub
from tests.browser.worker import WorkPage, open_frame, ready, work_address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PIER = (
    "The lamp of the east pier was lit by hand until 1931. Its keeper, Ruth Amble, slept by day and rowed out at dusk. "
    "In 1907 the pier froze in, and in 1917 it froze again."
)
Open = Callable[..., WorkPage]


@pytest.fixture
def context(new_context: NewContext) -> BrowserContext:
    return new_context()


@pytest.fixture
def make_write_offer(marketplace_stub: MarketplaceStub) -> Callable[..., Offer]:
    """Makes an offer to write questions on paragraphs of the given texts, in a project of the given fields."""

    def make(*texts: str, **fields: Any) -> Offer:
        article = make_article(make_project(**fields), title="East_Pier")
        paragraphs = [make_paragraph(article=article, text=text) for text in texts or (PIER,)]
        return make_offer(make_task(*paragraphs), worker_origins=[marketplace_stub.origin])

    return make


@pytest.fixture
def answer_offer(marketplace_stub: MarketplaceStub) -> Offer:
    paragraph = make_paragraph(text=PIER)
    asked = ("Until when was it lit by hand?", "Who rowed out?", "Who built the pier?")
    questions = [make_question(paragraph, text, answer=None) for text in asked]
    return make_offer(make_answer_task(*questions), worker_origins=[marketplace_stub.origin])


@pytest.fixture
def open_work(context: BrowserContext, platform_server: str, marketplace_stub: MarketplaceStub) -> Open:
    """Opens the work page of an offer in the stub's frame, in a new tab."""

    def opened(offer: Offer, sandbox: str = SANDBOX, **changed: str) -> WorkPage:
        address = work_address(platform_server, offer, marketplace_stub.origin, **changed)
        return open_frame(context.new_page(), marketplace_stub, address, sandbox)

    return opened


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


# Marking by mouse


def test_a_drag_marks_the_answer_of_the_open_question(open_work: Open, make_write_offer: Callable[..., Offer]) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "Until when was the lamp lit by people?")
    work.mark("until 1931")
    assert work.answer(1) == "until 1931"
    work.mark("1931")
    assert work.answer(1) == "1931"
    assert work.marks() == [("1", "1931")]
    work.ask(2, "Who looked after it?")
    work.mark("Ruth Amble")
    assert work.marks() == [("1", "1931"), ("2", "Ruth Amble")]
    work.wait_until_saved()
    start = PIER.index("1931")
    saved = Draft.objects.get().content["paragraphs"][0]["questions"]
    assert saved[0]["answer"] == {"start": start, "end": start + 4, "text": "1931"}


def test_part_of_a_word_is_widened_to_the_word(open_work: Open, make_write_offer: Callable[..., Offer]) -> None:
    work = open_work(make_write_offer())
    start = PIER.index("Ruth Amble")
    work.drag(start + 2, start + 7)
    assert work.answer(1) == "Ruth Amble"
    work.click(PIER.index("dusk") + 1, times=2)
    assert work.answer(1) == "dusk"


def test_marks_may_overlap_and_the_text_stays_as_it_is(open_work: Open, make_write_offer: Callable[..., Offer]) -> None:
    work = open_work(make_write_offer())
    work.mark("Its keeper, Ruth Amble")
    work.ask(2, "Who?")
    work.mark("Ruth Amble, slept")
    assert work.marks() == [("1", "Its keeper, "), ("1 2", "Ruth Amble"), ("2", ", slept")]
    assert work.passage.text_content() == PIER
    work.ask(3, "When?")
    work.mark("1917")  # after the highlights, which split the text into several nodes
    assert work.answer(3) == "1917"
    work.wait_until_saved()
    last = Draft.objects.get().content["paragraphs"][0]["questions"][-1]["answer"]
    assert last["start"] == PIER.index("1917")


OWLS = "🦉 Owls of the 𝒩orth valley hunt at dusk; the 🦉-watch began in 1987 🎉 and ended in 2004."
FERRY = "The  ferry\tleaves Port\u00a0Elsen at 06:40.\nIt returns at noon, most days."
LAKE = "Lake Orra froze over in 1907. Ten years later, in 1917, it froze again, and the ice of 1907 was thicker."
SEALS = "Harbour seals rest on the north skerry in June. They moult in August."


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        pytest.param(
            OWLS,
            [(62, 66, 62, "1987"), (45, 52, 45, "🦉-watch"), (14, 26, 14, "𝒩orth valley"), (82, 86, 82, "2004")],
            id="characters that a browser counts as two",
        ),
        pytest.param(
            FERRY,
            [
                (5, 11, 5, "ferry"),
                (3, 10, 5, "ferry"),
                (22, 28, 23, "Elsen"),
                (18, 28, 18, "Port\u00a0Elsen"),
                (32, 39, 32, "06:40."),
                (53, 57, 53, "noon"),
            ],
            id="blanks at the edges",
        ),
        pytest.param(
            LAKE, [(87, 91, 87, "1907"), (50, 54, 50, "1917"), (53, 54, 50, "1917")], id="the same text more than once"
        ),
        pytest.param(SEALS, [(68, 62, 62, "August"), (38, 26, 26, "north skerry")], id="from right to left"),
        pytest.param("Weißt du,\r\nwie 3,5 km?\r\n Nein.", [(15, 18, 15, "3,5"), (25, 29, 25, "Nein")], id="CRLF"),
        pytest.param(
            "塔建于1742年，由防守队长负责，1866年烧毁。",
            [(3, 7, 3, "1742"), (10, 12, 10, "防守")],
            id="Chinese",
        ),
        pytest.param(
            "بني برج المدينة القديم عام 1742، وسكنه الحارس سالم مع عائلته.",
            [(46, 50, 46, "سالم"), (27, 31, 27, "1742"), (41, 49, 39, "الحارس سالم")],
            id="Arabic",
        ),
    ],
)
def test_what_is_dragged_over_is_stored_at_its_place(
    open_work: Open,
    make_write_offer: Callable[..., Offer],
    text: str,
    spans: list[tuple[int, int, int, str]],
) -> None:
    language = "ar" if "برج" in text else "zh" if "塔" in text else "en"
    offer = make_write_offer(text, max_questions=10, language=language)
    work = open_work(offer)
    for number, (start, end, _right, _kept) in enumerate(spans, 1):
        work.ask(number, f"Question {number}?")
        work.drag(start, end)
    shown = work.marks()
    assert [work.answer(number) for number in range(1, len(spans) + 1)] == [kept for *_, kept in spans]
    work.wait_until_saved()
    work = work.reload()
    assert work.marks() == shown
    work.submit()
    work.page.frames[1].wait_for_selector("text=Submitted")
    answers = Answer.objects.order_by("question__position").values_list("start", "text")
    assert list(answers) == [(right, kept) for _start, _end, right, kept in spans]


def test_blanks_alone_are_no_answer(open_work: Open, make_write_offer: Callable[..., Offer]) -> None:
    work = open_work(make_write_offer(FERRY))
    work.mark("ferry")
    work.drag(3, 5)
    assert work.answer(1) == "ferry"
    expect(work.part("said")).to_contain_text("Only blanks")


def test_what_the_browser_calls_a_selection(open_work: Open, make_write_offer: Callable[..., Offer]) -> None:
    work = open_work(make_write_offer(SEALS))
    work.mark("north skerry")
    work.click(10)
    assert work.answer(1) == "north skerry"  # a plain click changes nothing
    heading = work.part("place").bounding_box()
    assert heading is not None
    work.drag_between((heading["x"] + 2, heading["y"] + 5), work.point(12, 0.9))
    assert work.answer(1) == "Harbour seals"  # cut at the paragraph's start
    work.click(10, times=3)
    assert work.answer(1) == SEALS
    work.mark("June")
    note = work.card(1).locator('[data-part="note"]').bounding_box()
    assert note is not None
    y = note["y"] + note["height"] / 2
    work.drag_between((note["x"] + 40, y), (note["x"] + 90, y))
    assert work.answer(1) == "June"  # a selection elsewhere is no answer


# Marking by keyboard


def test_three_words_are_marked_and_sent_with_few_keys(
    open_work: Open, make_write_offer: Callable[..., Offer], marketplace_stub: MarketplaceStub
) -> None:
    work = open_work(make_write_offer())
    work.field(1).focus()
    work.page.keyboard.type("What was lit?")
    keys = [
        "F2",
        "ArrowRight",
        "ArrowRight",
        "Shift+ArrowRight",
        "Shift+ArrowRight",
        "Shift+ArrowRight",
        "Shift+ArrowLeft",
    ]
    work.press(*keys)
    expect(work.part("said")).to_contain_text("“of the east”, characters 9 to 20")
    work.press("Enter")
    assert work.answer(1) == "of the east"
    expect(work.part("said")).to_contain_text("Marked for question 1: “of the east”")
    expect(work.field(1)).to_be_focused()  # back where the hands were
    work.press("Control+Enter")
    work.page.frames[1].wait_for_selector("text=Submitted")
    assert Answer.objects.get().text == "of the east"
    assert len(keys) + 2 <= 12


def test_marking_by_keyboard_can_be_left_moved_by_lines_and_cleared(
    open_work: Open, make_write_offer: Callable[..., Offer]
) -> None:
    work = open_work(make_write_offer())
    work.passage.focus()
    work.press("Enter", "End", "Enter")
    assert work.answer(1) == "again"
    work.press("F2", "Home", "Shift+ArrowDown")
    said = work.part("said").text_content() or ""
    below = re.search(r"“(.*)”", said)
    assert below is not None
    assert PIER.startswith(below.group(1))
    assert len(below.group(1).split()) > 5  # a whole line and the first word of the next
    work.press("ArrowUp", "Escape")
    assert work.answer(1) == "again"
    work.press("F2", "ArrowLeft", "Enter")
    assert work.answer(1) == "froze"
    work.press("Delete")
    assert work.answer(1) == ""
    assert work.marks() == []


def test_arrows_follow_the_reading_direction(open_work: Open, make_write_offer: Callable[..., Offer]) -> None:
    work = open_work(make_write_offer("بني برج المدينة القديم عام 1742.", language="ar"))
    work.passage.focus()
    work.press("F2", "ArrowLeft", "Shift+ArrowLeft", "Enter")
    assert work.answer(1) == "برج المدينة"


# The copy lock


def test_the_paragraph_is_not_copied_and_nothing_is_pasted_and_each_try_is_counted(
    open_work: Open, make_write_offer: Callable[..., Offer]
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
    work.page.frames[1].wait_for_selector("text=Submitted")
    assert ParagraphWork.objects.get().blocked_actions == 4  # paste, copy, context menu, drag


def test_text_of_the_paragraph_cannot_be_dropped_on_a_question(
    open_work: Open, make_write_offer: Callable[..., Offer]
) -> None:
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


def test_without_the_lock_copying_and_pasting_work(open_work: Open, make_write_offer: Callable[..., Offer]) -> None:
    work = open_work(make_write_offer(copy_lock=False))
    work.passage.focus()
    work.press("Control+a", "Control+c")
    work.field(1).click()
    work.press("Control+v")
    expect(work.field(1)).to_have_value(re.compile("Its keeper, Ruth Amble"))


def test_a_question_in_the_paragraphs_words_is_remarked_on(
    open_work: Open, make_write_offer: Callable[..., Offer]
) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "What was lit by hand")
    expect(work.card(1)).not_to_contain_text("Repeats")
    work.page.keyboard.type(" until 1931?")
    expect(work.card(1)).to_contain_text("Repeats 6 words in a row")


# Paragraphs, questions, sending


def test_a_preview_is_read_and_cannot_be_filled_in(open_work: Open, make_write_offer: Callable[..., Offer]) -> None:
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
    open_work: Open, make_write_offer: Callable[..., Offer], marketplace_stub: MarketplaceStub
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
    work.page.frames[1].wait_for_selector("text=Submitted")
    answers = Answer.objects.order_by("question__paragraph__position", "question__position")
    assert list(answers.values_list("text", flat=True)) == ["1931", "Ruth Amble", "Harbour seals", "Lake Orra"]
    assert marketplace_stub.submitted[0]["assignmentId"] == "A1"


def test_a_question_can_be_removed_and_the_others_keep_their_marks(
    open_work: Open, make_write_offer: Callable[..., Offer]
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
    work.page.frames[1].wait_for_selector("text=Submitted")
    answers = Answer.objects.order_by("question__pk").values_list("text", "start")
    assert list(answers) == [("1931", PIER.index("1931")), ("Ruth Amble", PIER.index("Ruth Amble")), (None, None)]
    assert len(marketplace_stub.submitted) == 1


@pytest.mark.parametrize("sandbox", [SANDBOX, NO_ORIGIN], ids=["with its origin", "without an origin of its own"])
def test_the_whole_way_works_in_the_frame(
    open_work: Open, make_write_offer: Callable[..., Offer], marketplace_stub: MarketplaceStub, sandbox: str
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
    work.page.frames[1].wait_for_selector("text=Submitted")
    assert [sent["assignmentId"] for sent in marketplace_stub.submitted] == ["A1"]
    assert (Question.objects.count(), Answer.objects.count()) == (2, 2)
    work = work.reload()
    expect(work.frame.locator("h1")).to_have_text("Your work is saved.")
    work.frame.get_by_role("button", name="Send it to the marketplace").click()
    work.page.frames[1].wait_for_selector("text=Submitted")
    assert marketplace_stub.submitted[0] == marketplace_stub.submitted[1]


# Nothing is lost


def test_a_reload_right_after_a_mark_keeps_it(open_work: Open, make_write_offer: Callable[..., Offer]) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "Typed and left at once")
    work.mark("1931")
    work = work.reload()
    expect(work.field(1)).to_have_value("Typed and left at once")
    assert work.marks() == [("1", "1931")]
    work.field(1).click()
    work.press("End")
    work.page.keyboard.type("!")
    work = work.reload()
    expect(work.field(1)).to_have_value("Typed and left at once!")


def test_a_cut_network_is_told_and_the_work_arrives_once_it_is_back(
    open_work: Open, make_write_offer: Callable[..., Offer], context: BrowserContext, console_errors: list[str],
    marketplace_stub: MarketplaceStub,
) -> None:  # fmt: skip
    work = open_work(make_write_offer())
    work.ask(1, "Before")
    work.wait_until_saved()
    context.set_offline(True)
    work.page.keyboard.type(" and after")
    expect(work.part("notice")).to_be_visible()
    expect(work.part("saved")).to_have_text("not saved yet")
    work.mark("1931")
    context.set_offline(False)
    expect(work.part("notice")).to_be_hidden()
    work.wait_until_saved()
    saved = Draft.objects.get().content["paragraphs"][0]["questions"][0]
    assert (saved["text"], saved["answer"]["text"]) == ("Before and after", "1931")
    context.set_offline(True)
    work.submit()
    expect(work.part("notice")).to_be_visible()
    context.set_offline(False)
    work.page.frames[1].wait_for_selector("text=Submitted")
    assert (Question.objects.count(), len(marketplace_stub.submitted)) == (1, 1)
    console_errors[:] = [error for error in console_errors if "ERR_INTERNET_DISCONNECTED" not in error]


def test_two_tabs_are_told_of_each_other_and_the_worker_chooses(
    open_work: Open, make_write_offer: Callable[..., Offer], console_errors: list[str]
) -> None:
    offer = make_write_offer()
    first, second = open_work(offer), open_work(offer)
    first.ask(1, "From the first tab")
    first.wait_until_saved()
    second.ask(1, "From the second tab")
    expect(second.part("conflict")).to_contain_text("open in another window")
    assert Draft.objects.get().content["paragraphs"][0]["questions"][0]["text"] == "From the first tab"
    second.part("keep").click()
    second.wait_until_saved()
    assert Draft.objects.get().content["paragraphs"][0]["questions"][0]["text"] == "From the second tab"
    first.page.bring_to_front()
    first.field(1).click()
    first.page.keyboard.type("!")
    first.part("reload").click()
    first = ready(first.page)
    expect(first.field(1)).to_have_value("From the second tab")
    console_errors[:] = [error for error in console_errors if "409" not in error]


def test_a_page_that_may_not_save_any_more_says_so(
    open_work: Open, make_write_offer: Callable[..., Offer], console_errors: list[str]
) -> None:
    work = open_work(make_write_offer())
    Worker.objects.update(mturk_worker_id="erased-1")
    work.ask(1, "Too late")
    expect(work.part("refused")).to_contain_text("Reload the page and try again")
    expect(work.part("saved")).to_have_text("not saved yet")
    console_errors[:] = [error for error in console_errors if "403" not in error]


def test_what_was_typed_before_returning_the_hit_is_there_at_the_next_go(
    open_work: Open, make_write_offer: Callable[..., Offer]
) -> None:
    offer = make_write_offer()
    returned = open_work(offer)
    returned.ask(1, "From the first go")
    returned.wait_until_saved()
    again = open_work(offer, assignment="A2")
    expect(again.field(1)).to_have_value("From the first go")
    again.wait_until_saved()
    assert Draft.objects.filter(assignment__mturk_assignment_id="A2").exists()


def test_a_page_of_a_hit_that_is_not_ready_opens_by_itself(
    context: BrowserContext, platform_server: str, marketplace_stub: MarketplaceStub
) -> None:
    offer = make_offer(mturk_hit_id="", worker_origins=[marketplace_stub.origin])
    page = context.new_page()
    page.goto(marketplace_stub.frame(work_address(platform_server, offer, marketplace_stub.origin, hitId="H7")))
    expect(page.frames[1].locator("h1")).to_have_text("This HIT is being set up")
    Offer.objects.update(mturk_hit_id="H7")
    page.frames[1].wait_for_selector(".card")


def test_time_at_work_is_counted_for_each_paragraph(open_work: Open, make_write_offer: Callable[..., Offer]) -> None:
    work = open_work(make_write_offer(PIER, SEALS))
    work.ask(1, "When?")
    work.mark("1931")
    work.page.wait_for_timeout(2500)  # the page counts whole seconds
    work.part("next").click()
    work.ask(1, "Where?")
    work.mark("June")
    work.submit()
    work.page.frames[1].wait_for_selector("text=Submitted")
    first, second = ParagraphWork.objects.order_by("task_paragraph__position").values_list("active_seconds", flat=True)
    assert first > second >= 0


# For everybody


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_any_page_of_the_worker(
    new_context: NewContext, platform_server: str, marketplace_stub: MarketplaceStub,
    make_write_offer: Callable[..., Offer], answer_offer: Offer, console_errors: list[str], width: int,
    pictures: Callable[[Page, str], None],
) -> None:  # fmt: skip
    page = new_context(width=width).new_page()
    writing = make_write_offer(PIER, SEALS)

    def visit(offer: Offer, **changed: str) -> WorkPage:
        page.goto(work_address(platform_server, offer, marketplace_stub.origin, **changed))
        return ready(page)

    def check(name: str) -> None:
        pictures(page, f"{name}-{width}")
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
        assert [rule["id"] for rule in found.response["violations"]] == [], found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

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
    page.wait_for_selector("text=Submitted")
    visit(answer_offer, assignment="A2")
    check("finished")
    visit(writing, hitId="NOPE")
    check("another-hit")
    visit(writing, worker="")
    check("no-worker")
    console_errors[:] = [error for error in console_errors if "status of 40" not in error]


def test_a_finger_marks_by_tapping_the_first_and_the_last_word(
    new_context: NewContext, platform_server: str, marketplace_stub: MarketplaceStub,
    make_write_offer: Callable[..., Offer],
) -> None:  # fmt: skip
    page = new_context(width=390, has_touch=True, is_mobile=True).new_page()
    page.goto(work_address(platform_server, make_write_offer(), marketplace_stub.origin))
    work = ready(page)

    def tap(word: str) -> None:
        page.touchscreen.tap(*work.point(PIER.index(word) + 1, 0.5))

    expect(work.part("said")).to_contain_text("Tap the first and the last word")
    tap("Ruth")
    expect(work.part("said")).to_contain_text("“Ruth”")
    tap("slept")
    expect(work.part("said")).to_contain_text("“Ruth Amble, slept”")
    tap("keeper")  # a third tap begins anew
    tap("Its")
    work.part("take").tap()
    expect(work.card(1).locator('[data-part="answer"]')).to_have_text("Its keeper")
    tap("dusk")
    work.part("reminder").tap()  # a tap elsewhere lets go
    expect(work.part("take")).to_be_hidden()
    assert work.answer(1) == "Its keeper"
    for control in page.locator("button:visible, label:visible").all():
        box = control.bounding_box()
        assert box is not None
        assert box["height"] >= 44, control.text_content()


def test_the_pages_weight_stays_small(context: BrowserContext, platform_server: str, open_work: Open,
                                       make_write_offer: Callable[..., Offer]) -> None:  # fmt: skip
    folder = Path(__file__).parents[2] / "static" / "annotation"
    scripts_and_styles = b"".join(path.read_bytes() for path in [*folder.glob("*.js"), *folder.glob("*.css")])
    assert len(gzip.compress(scripts_and_styles)) < 60_000
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    work = open_work(make_write_offer())
    assert {url for url in asked if not url.startswith((platform_server, "http://127.0.0.1", "data:"))} == set()
    assert json.loads(work.frame.locator("#work-data").text_content() or "")["kind"] == "write"
