"""What the best annotation pages in public use do or leave undone, line by line, on the worker's page.

``docs/worker-page.md`` (*Beside other pages*) has the figures of these tests and how they are measured. Each test is
through the page; what became of the marks is read from the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request, expect

from annotation.models import Answer, Draft, Offer, ParagraphWork, Question
from supervisor.browser import executable
from tests.browser.conftest import ARGUMENTS, NewContext
from tests.browser.phone import FINGER_PX, Finger
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import LAKE, PIER, SEALS, MakeOffer, Open, OpenPhone
from tests.browser.worker import WorkPage, open_frame, ready, work_address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_PRESSES = 12
MOST_POINTER_ACTIONS = 2
MOST_BYTES = 60_000
# A paragraph of a usual length: SQuAD's have 120 words in the middle.
HARBOUR = (Path(__file__).parent / "harbour.txt").read_text(encoding="utf-8")


def sent(work: WorkPage) -> None:
    """Wait until the work is with the marketplace."""
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')", timeout=40_000)


def stored() -> list[tuple[int, str]]:
    """Every answer as the database has it, each checked against its paragraph's own text."""
    answers = list(Answer.objects.select_related("question__paragraph").order_by("question__pk"))
    for answer in answers:
        assert answer.question.paragraph.text[answer.start : answer.end] == answer.text
    return [(answer.start, answer.text) for answer in answers]


# Marking with the keyboard


@dataclass
class Keys:
    """Hands that count."""

    work: WorkPage
    presses: int = 0

    def press(self, *keys: str) -> None:
        self.presses += len(keys)
        self.work.press(*keys)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        pytest.param(
            ["ArrowRight"] * 3 + ["Shift+ArrowRight"] * 2, "Elsen was dug", id="near the beginning, by arrows"
        ),
        pytest.param([*"li"] + ["Shift+ArrowRight"] * 2, "lie in the", id="in the middle, by letters"),
        pytest.param([*"sk", "Shift+ArrowLeft", "Shift+ArrowLeft"], "to the skerries", id="at the end, by letters"),
        pytest.param(
            ["ArrowDown"] * 4 + [*"mar"] + ["Shift+ArrowRight"] * 2,
            "Marit Sol, had",
            id="by lines and letters",
        ),
    ],
)
def test_three_words_anywhere_are_marked_and_sent_by_few_keys(
    open_work: Open, make_write_offer: MakeOffer, keys: list[str], words: str
) -> None:
    work = open_work(make_write_offer(HARBOUR))
    work.field(1).focus()
    work.page.keyboard.type("What of it?")
    hands = Keys(work)
    hands.press("F2", *keys)
    start = HARBOUR.index(words)
    expect(work.part("said")).to_contain_text(f"“{words}”, characters {start} to {start + len(words)}, words: 3")
    hands.press("Enter")
    expect(work.part("said")).to_contain_text(f"Marked for question 1: “{words}”")
    expect(work.field(1)).to_be_focused()  # back where the hands were
    hands.press("Control+Enter")
    sent(work)
    assert stored() == [(start, words)]
    assert hands.presses <= MOST_PRESSES


# The place that is stored


@pytest.fixture
def on_windows(playwright: Playwright, platform_server: str, marketplace_stub: MarketplaceStub) -> Iterator[Open]:
    """Opens a work page in a Chromium that takes the blank behind a double-clicked word too, as it does on Windows."""
    setting = "--blink-settings=selectTrailingWhitespaceEnabled=true"
    browser: Browser = playwright.chromium.launch(executable_path=executable(), args=[*ARGUMENTS, setting])

    def opened(offer: Offer) -> WorkPage:
        page = browser.new_page()
        return open_frame(page, marketplace_stub, work_address(platform_server, offer, marketplace_stub.origin))

    yield opened
    browser.close()


FERRY = "The ferry leaves Port Elsen at 06:40.\nIt returns at noon, and on most days with the post."
OWLS = "🦉 Owls of the 𝒩orth valley hunt at dusk; the 👩\u200d🚀-watch began in 1987 🎉 and ended in 2004."
LIGHT = "המגדלור נבנה בשנת 1868 על ידי עדה תורן, והיא גרה בו עד מותה."


def test_every_place_is_stored_right(on_windows: Open, make_write_offer: MakeOffer) -> None:
    work = on_windows(make_write_offer(SEALS, FERRY, OWLS, LAKE))
    asked: list[tuple[int, str]] = []

    def ask(number: int, text: str, place: tuple[int, str]) -> None:
        work.ask(number, text)
        asked.append(place)

    ask(1, "A double click that takes the blank behind the word?", (19, "on"))
    heard = "addEventListener('mouseup', () => { window.selected = getSelection().toString(); })"
    work.frame.evaluate(heard)
    work.click(19, times=2)
    assert work.frame.evaluate("selected") == "on "
    ask(2, "A drag from one blank to another?", (26, "north skerry"))
    work.drag(25, 39)
    work.part("next").click()
    ask(1, "Over the end of a line?", (31, "06:40.\nIt returns"))
    work.drag(31, 48)
    work.part("next").click()
    ask(1, "Behind emoji, which a browser counts twice and more?", (OWLS.index("1987"), "1987"))
    work.drag(OWLS.index("1987"), OWLS.index("1987") + 4)
    ask(2, "With one at its beginning?", (OWLS.index("👩"), "👩\u200d🚀-watch"))
    work.drag(OWLS.index("👩"), OWLS.index("👩") + 9)
    work.part("next").click()
    ask(1, "The second of two that are the same?", (87, "1907"))
    work.drag(87, 91)
    work.submit()
    sent(work)
    assert stored() == asked


def test_every_place_is_stored_right_in_hebrew(on_windows: Open, make_write_offer: MakeOffer) -> None:
    work = on_windows(make_write_offer(LIGHT, language="he"))
    work.ask(1, "מי?")
    work.drag(LIGHT.index("עדה"), LIGHT.index("עדה") + 8)
    work.ask(2, "מתי?")
    work.click(LIGHT.index("1868") + 1, times=2)
    work.ask(3, "איפה?")
    work.drag(LIGHT.index("גרה") + 6, LIGHT.index("גרה") - 1)  # against the reading direction, from blank to blank
    work.submit()
    sent(work)
    assert stored() == [(30, "עדה תורן"), (18, "1868"), (LIGHT.index("גרה"), "גרה בו")]


# Pointer actions, and a phone


def test_a_mark_and_the_submission_are_two_pointer_actions(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.field(1).focus()
    work.page.keyboard.type("Who kept it?")
    actions = [lambda: work.mark("Ruth Amble"), work.submit]
    for act in actions:
        act()
    sent(work)
    assert stored() == [(PIER.index("Ruth"), "Ruth Amble")]
    assert len(actions) <= MOST_POINTER_ACTIONS


@pytest.mark.parametrize("height", [844, 664], ids=["a whole phone", "a phone with its bars"])
@pytest.mark.parametrize("way", ["two taps", "a selection"])
def test_mark_question_and_submit_are_on_one_screen_of_a_phone(
    open_phone: OpenPhone, make_write_offer: MakeOffer, pictures: Callable[[Page, str], None], height: int, way: str
) -> None:
    work = open_phone(make_write_offer(PIER * 4), height=height)
    pictures(work.page, f"phone-{height}")
    for part in (work.passage, work.field(1), work.part("submit")):
        box = part.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
    work.field(1).tap()
    work.page.keyboard.type("Who kept it?")
    work.tap("Ruth")
    expect(work.part("handle-end")).to_be_visible()
    check_targets(work)
    if way == "two taps":
        work.tap("Amble")
    else:
        beside = work.point(PIER.index("Ruth") + 3, 0.9)
        Finger(work.page).pull_handle(work, "end", beside, "Amble")
        work.part("take").tap()
    assert work.answer(1) == "Ruth Amble"
    check_targets(work)
    work.part("submit").tap()
    work.page.wait_for_selector("h1:text-is('Submitted')")
    assert stored() == [(PIER.index("Ruth"), "Ruth Amble")]


def check_targets(work: WorkPage) -> None:
    """Whatever a finger may press is as large as a finger."""
    for control in work.page.locator(
        "button:visible, label:visible, summary:visible, textarea:visible, .handle:visible"
    ).all():
        box = control.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= FINGER_PX, control.text_content()


# Nothing marked, and nothing lost


def test_a_question_with_nothing_marked_is_not_sent(
    open_work: Open, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub
) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "Who kept it?")
    work.submit()
    expect(work.part("open").get_by_role("listitem")).to_have_text(
        ["Paragraph 1, question 1: Needs an answer: mark it in the paragraph."]
    )
    assert (Question.objects.count(), marketplace_stub.submitted) == (0, [])
    work.mark("Ruth Amble")
    work.submit()
    sent(work)
    assert stored() == [(PIER.index("Ruth"), "Ruth Amble")]


def test_an_answer_with_nothing_marked_is_not_sent_unless_it_says_that_there_is_none(
    open_work: Open, answer_offer: Offer, marketplace_stub: MarketplaceStub
) -> None:
    work = open_work(answer_offer)
    for number in (1, 2):
        work.card(number).get_by_role("checkbox").check()
    work.submit()
    expect(work.part("open").get_by_role("listitem")).to_have_text(
        ["Paragraph 1, question 3: Mark the answer, or say that the paragraph has none."]
    )
    assert (Answer.objects.count(), marketplace_stub.submitted) == (0, [])
    work.card(3).get_by_role("checkbox").check()
    work.submit()
    sent(work)
    assert list(Answer.objects.values_list("start", "end", "text")) == [(None, None, None)] * 3


def test_a_mark_outlives_a_reload_at_once_and_a_cut_network_and_is_sent_once(
    open_work: Open, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub, context: BrowserContext,
    console_errors: list[str],
) -> None:  # fmt: skip
    work = open_work(make_write_offer())
    work.ask(1, "Until when?")
    work.mark("1931")
    work = work.reload()
    assert work.marks() == [("1", "1931")]
    context.set_offline(True)
    work.mark("until 1931")
    expect(work.part("notice")).to_contain_text("No connection just now")
    expect(work.part("saved")).to_contain_text("not saved yet")
    context.set_offline(False)
    work.wait_until_saved()
    expect(work.part("notice")).to_be_hidden()
    assert Draft.objects.get().content["paragraphs"][0]["questions"][0]["answer"]["text"] == "until 1931"
    context.set_offline(True)
    work.submit()
    expect(work.part("notice")).to_be_visible()
    expect(work.part("saved")).to_have_text("sending …")
    context.set_offline(False)
    sent(work)
    assert stored() == [(PIER.index("until"), "until 1931")]
    assert len(marketplace_stub.submitted) == 1
    console_errors[:] = [error for error in console_errors if "ERR_INTERNET_DISCONNECTED" not in error]


# Copying and pasting


def test_by_default_nothing_is_copied_and_each_paste_is_noticed(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "Until when?")
    work.press("Control+a", "Control+c", "End", "Control+v")  # of one's own
    expect(work.field(1)).to_have_value("Until when?")
    expect(work.card(1)).to_contain_text("Pasting is switched off here")
    work.passage.focus()
    work.press("Control+a", "Control+c")
    expect(work.part("said")).to_contain_text("Copying from the paragraph is switched off")
    work.field(1).click()
    work.mark("1931")
    work.submit()
    sent(work)
    assert ParagraphWork.objects.get().blocked_actions == 2
    assert Question.objects.get().signals.get().pastes == 1


# Weight


def test_the_first_visit_is_light_and_asks_nobody_else(
    new_context: NewContext, platform_server: str, marketplace_stub: MarketplaceStub, make_write_offer: MakeOffer
) -> None:
    page = new_context().new_page()
    finished: list[Request] = []
    page.on("requestfinished", lambda request: finished.append(request))
    page.goto(work_address(platform_server, make_write_offer(), marketplace_stub.origin))
    ready(page)
    page.wait_for_load_state("networkidle")
    kinds = {request.resource_type for request in finished}
    assert kinds == {"document", "script", "stylesheet"}  # no font, no picture
    assert {request.url for request in finished if not request.url.startswith(platform_server)} == set()
    code = [request.sizes() for request in finished if request.resource_type != "document"]
    assert 0 < sum(size["responseBodySize"] + size["responseHeadersSize"] for size in code) <= MOST_BYTES
