"""Comfort: dark and light, text sizes, spacing, German, scripts of the world, and screens from phone to 4K."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Draft
from tests.annotation.quiz import make_quiz_offer
from tests.browser.conftest import NewContext
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import PIER, SEALS, MakeOffer, Open
from tests.browser.worker import WorkPage, ready, work_address
from tests.pages import assert_accessible

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OpenPlain = Callable[..., WorkPage]


@pytest.fixture
def open_plain(platform_server: str, marketplace_stub: MarketplaceStub, make_write_offer: MakeOffer) -> OpenPlain:
    """Opens a work page of its own, as the first party, in a context."""

    def opened(context: BrowserContext, *texts: str, lang: str = "en", **fields: str) -> WorkPage:
        page = context.new_page()
        offer = make_write_offer(*texts, **fields)
        asked = {"assignment": f"A{offer.pk}", "lang": lang}
        page.goto(work_address(platform_server, offer, marketplace_stub.origin, **asked))
        return ready(page)

    return opened


def background(work: WorkPage) -> str:
    return work.frame.evaluate("getComputedStyle(document.body).backgroundColor")


DARK, LIGHT = "rgb(19, 23, 29)", "rgb(244, 246, 248)"


def test_the_page_is_dark_where_the_system_is_and_where_the_worker_says_so(
    new_context: NewContext, open_plain: OpenPlain
) -> None:
    work = open_plain(new_context(color_scheme="dark"))
    assert background(work) == DARK
    work.part("comfort").locator("summary").click()
    work.part("comfort-theme").select_option("light")
    assert background(work) == LIGHT
    work.part("comfort-theme").select_option("dark")
    work.page.emulate_media(color_scheme="light")
    assert background(work) == DARK
    work = work.reload()
    assert background(work) == DARK  # kept in the browser
    work.part("comfort").locator("summary").click()
    work.part("comfort-theme").select_option("system")
    assert background(work) == LIGHT


@pytest.mark.parametrize(("width", "lang"), [(390, "en"), (1280, "de")])
def test_axe_finds_nothing_in_the_dark_nor_with_the_largest_text_and_wide_spacing(
    new_context: NewContext, open_plain: OpenPlain, width: int, lang: str, pictures: Callable[[Page, str], None]
) -> None:
    work = open_plain(new_context(width=width, color_scheme="dark"), PIER, SEALS, lang=lang)
    assert_accessible(work.page)
    for number, (question, answer) in enumerate([("Until when?", "1931"), ("Who?", "Ruth Amble"), ("Lit by", "")], 1):
        work.ask(number, question)
        if answer:
            work.mark(answer)
    pictures(work.page, f"dark-{lang}-{width}")
    assert_accessible(work.page)
    work.part("comfort").locator("summary").click()
    pictures(work.page, f"dark-panel-{lang}-{width}")
    assert_accessible(work.page)
    work.part("comfort-text").select_option("largest")
    work.part("comfort-spacing").select_option("wide")
    assert_accessible(work.page)
    work.press("Escape")
    expect(work.part("comfort-text")).to_be_hidden()
    pictures(work.page, f"largest-{lang}-{width}")
    assert_accessible(work.page)
    work.part("open-guide").click()
    assert_accessible(work.page)


def test_text_grows_and_the_paragraph_is_spaced_but_letters_that_join_are_not(
    new_context: NewContext, open_plain: OpenPlain
) -> None:
    def look(work: WorkPage) -> tuple[float, str]:
        style = "getComputedStyle(document.querySelector('[data-part=passage]'))"
        return work.frame.evaluate(f"[parseFloat({style}.fontSize), {style}.letterSpacing]")

    context = new_context()
    work = open_plain(context)
    size, spacing = look(work)
    assert spacing == "normal"
    work.part("comfort").locator("summary").click()
    work.part("comfort-text").select_option("large")
    work.part("comfort-spacing").select_option("wide")
    larger, wide = look(work)
    assert larger > size
    assert wide != "normal"
    arabic = open_plain(context, "في عام ١٨٦٨ اكتمل بناء المنارة.", language="ar")
    assert look(arabic)[1] == "normal"
    assert look(arabic)[0] > size


def test_what_is_chosen_on_one_page_holds_on_the_quiz_the_guide_and_pages_that_only_say_something(
    new_context: NewContext, open_plain: OpenPlain, platform_server: str, marketplace_stub: MarketplaceStub,
    pictures: Callable[[Page, str], None], console_errors: list[str],
) -> None:  # fmt: skip
    context = new_context(width=390)
    offer = make_quiz_offer()
    page = context.new_page()
    page.goto(work_address(platform_server, offer, marketplace_stub.origin, assignment="ASSIGNMENT_ID_NOT_AVAILABLE"))
    quiz = ready(page)
    assert background(quiz) == LIGHT
    quiz.part("comfort").locator("summary").click()
    quiz.part("comfort-theme").select_option("dark")
    quiz.part("comfort-text").select_option("largest")
    quiz.part("comfort-spacing").select_option("wide")
    pictures(page, "quiz-panel")
    assert background(quiz) == DARK
    assert_accessible(page)
    page.goto(f"{platform_server}/work/{offer.key}/guide/?lang=en")
    guide = WorkPage(page, page.main_frame)
    expect(page.locator("html")).to_have_attribute("data-text", "largest")
    assert background(guide) == DARK
    guide.part("comfort").locator("summary").click()
    expect(guide.part("comfort-spacing")).to_have_value("wide")
    pictures(page, "guide-panel")
    assert_accessible(page)
    guide.part("languages").get_by_text("Deutsch").click()
    page.wait_for_url("**/guide/?lang=de")
    expect(page.locator("html")).to_have_attribute("data-text", "largest")
    page.goto(work_address(platform_server, offer, marketplace_stub.origin, hitId="ANOTHER"))
    expect(page.get_by_role("heading")).to_have_text("This is not the HIT you opened")
    expect(page.locator("html")).to_have_attribute("data-text", "largest")
    assert background(guide) == DARK
    console_errors[:] = [error for error in console_errors if "404" not in error]  # the page in words is one
    assert background(open_plain(context)) == DARK


def test_german_keeps_what_was_typed_in_english(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "When did it end?")
    work.part("comfort").locator("summary").click()
    work.part("languages").get_by_text("Deutsch").click()
    expect(work.part("submit")).to_have_text("Einreichen")
    expect(work.field(1)).to_have_value("When did it end?")
    work.mark("1931")
    expect(work.part("said")).to_contain_text("Markiert für Frage 1: „1931“")
    work.field(1).click()
    work.press("End")
    work.page.keyboard.type("!")
    expect(work.part("saved")).to_have_attribute("data-status", "saved")
    assert Draft.objects.get().content["paragraphs"][0]["questions"][0]["text"] == "When did it end?!"


def test_a_4k_screen_shows_larger_letters_and_no_long_lines(
    new_context: NewContext, open_plain: OpenPlain, pictures: Callable[[Page, str], None]
) -> None:
    work = open_plain(new_context(width=3840, height=2160))
    size = work.frame.evaluate("parseFloat(getComputedStyle(document.querySelector('[data-part=passage]')).fontSize)")
    box = work.passage.bounding_box()
    assert box is not None
    assert size > 30
    assert box["width"] / size < 60  # about 110 characters
    pictures(work.page, "4k")
    assert_accessible(work.page)


def test_nothing_moves_where_the_system_asks_for_less_motion(new_context: NewContext, open_plain: OpenPlain) -> None:
    def moving(work: WorkPage) -> int:
        return work.frame.evaluate(
            "[...document.querySelectorAll('*')]"
            ".filter((one) => getComputedStyle(one).transitionDuration !== '0s').length"
        )

    assert moving(open_plain(new_context(reduced_motion="reduce"))) == 0
    assert moving(open_plain(new_context(reduced_motion="no-preference"))) > 0
