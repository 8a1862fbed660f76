"""The style guide: each piece of the worker's page in each state is whole, in reach, calm, readable on any machine.

Fonts differ from machine to machine, so that pictures may be kept (SCREENSHOTS=DIR) and are not compared: what is
asserted is what must be true of every picture.
"""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, Page, TimeoutError, expect

from annotation.styleguide.states import GROUPS, MESSAGE, STATES
from tests.annotation.factories import make_user
from tests.browser.conftest import NewContext
from tests.browser.looking import (
    ALARMING,
    CONTRAST,
    LEAST_FINGER_PX,
    LEAST_POINTER_PX,
    LOOK,
    RULES,
    SHIFTED,
    axe_finds,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOST_MS = 25_000  # more than the page itself waits for what it is to show
SCREEN: dict[str, Any] = {"width": 1280}
PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
VARIANTS = [
    pytest.param(SCREEN, {"colours": "light"}, id="screen"),
    pytest.param(SCREEN, {"colours": "dark", "direction": "rtl", "passage": "rtl"}, id="screen-mirrored"),
    pytest.param(PHONE, {"colours": "dark", "passage": "rtl"}, id="phone"),
    pytest.param(PHONE, {"colours": "light", "direction": "rtl", "text": "largest"}, id="phone-mirrored"),
]
# Pages in words have one template: of theirs, some variants show this one alone.
A_PAGE_IN_WORDS = "page-quota-reached"
# Of the page in the colours that it does not have now.
OTHER_COLOURS = """
() => {
  const dark = document.querySelector('link[data-part="dark"]');
  dark.media = dark.media === "all" ? "not all" : "all";
}
"""
MIRRORED = [".pay", ".comfort", ".reading", ".asking", ".number", "textarea", ".arrow", '[data-part="submit"]']
SIDES = """
(selectors) => selectors.map((selector) => {
  const { left, right } = document.querySelector(selector).getBoundingClientRect();
  return [Math.round(left), Math.round(document.documentElement.clientWidth - right)];
})
"""
# How far the paragraph's first letter is from the sides of the paragraph.
FIRST_LETTER = """
() => {
  const passage = document.querySelector('[data-part="passage"]');
  const range = document.createRange();
  range.setStart(passage.firstChild, 0);
  range.setEnd(passage.firstChild, 1);
  const [letter, frame] = [range.getBoundingClientRect(), passage.getBoundingClientRect()];
  return [letter.left - frame.left, frame.right - letter.right];
}
"""


def signed_in(context: BrowserContext, server: str) -> Page:
    """A page of somebody of the staff."""
    client = Client()
    client.force_login(make_user())
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])
    return context.new_page()


class Faults(list[str]):
    """Errors of the console without those that are none: a page without leave to send forms says so where it would send
    one, and the camera's own styles, which come without an address, are refused by the page's policy."""

    def append(self, error: str) -> None:
        if "allow-forms" not in error and not error.endswith("()"):
            super().append(error)


@pytest.fixture
def console_errors() -> list[str]:
    return Faults()


def show(page: Page, server: str, name: str, asked: dict[str, str]) -> None:
    """Open the state ``name`` and wait until it is there."""
    page.goto(f"{server}/styleguide/{name}/?{urlencode(asked)}")
    page.locator('html[data-state="shown"]').wait_for(timeout=MOST_MS)


@pytest.mark.parametrize(("options", "asked"), VARIANTS)
def test_every_piece_in_every_state_is_whole_in_reach_and_calm(
    new_context: NewContext, platform_server: str, request: pytest.FixtureRequest,
    pictures: Callable[[Page, str], None], options: dict[str, Any], asked: dict[str, str],
) -> None:  # fmt: skip
    page = signed_in(new_context(**options), platform_server)
    is_mirrored = "direction" in asked
    wrong: dict[str, list[str]] = {}
    for name, state in STATES.items():
        if is_mirrored and state.page == MESSAGE and name != A_PAGE_IN_WORDS:
            continue
        try:
            show(page, platform_server, name, asked)
        except TimeoutError as error:
            wrong[name] = [str(error)]
            continue
        pictures(page, f"styleguide-{name}-{request.node.callspec.id}")
        found = [*page.evaluate(SHIFTED), *page.evaluate(ALARMING)]
        found += page.evaluate(LOOK, [state.piece, LEAST_FINGER_PX if "has_touch" in options else LEAST_POINTER_PX])
        if not is_mirrored:
            found += axe_finds(page, RULES)
        if options is SCREEN and not is_mirrored:
            page.evaluate(OTHER_COLOURS)
            found += [*axe_finds(page, CONTRAST), *page.evaluate(ALARMING)]
        if found:
            wrong[name] = found
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


def test_the_page_is_mirrored_with_its_language_and_the_paragraph_has_a_direction_of_its_own(
    new_context: NewContext, platform_server: str
) -> None:
    page = signed_in(new_context(), platform_server)

    def sides(**asked: str) -> list[list[int]]:
        show(page, platform_server, "one-mark", asked)
        return page.evaluate(SIDES, MIRRORED)

    def begins_left() -> bool:
        left, right = page.evaluate(FIRST_LETTER)
        return left < right

    as_usual = sides()
    assert begins_left()
    assert sides(passage="rtl") == as_usual
    assert not begins_left()
    mirrored = sides(direction="rtl", passage="rtl")
    assert not begins_left()
    assert [[right, left] for left, right in mirrored] == [pytest.approx(places, abs=2) for places in as_usual]
    assert sides(direction="rtl") == mirrored
    assert begins_left()


def test_all_states_stand_on_one_page_in_the_colours_directions_and_width_that_are_asked_for(
    new_context: NewContext, platform_server: str, pictures: Callable[[Page, str], None]
) -> None:
    page = signed_in(new_context(), platform_server)
    page.goto(f"{platform_server}/styleguide/")
    expect(page.locator("iframe")).to_have_count(sum(len(states) for _title, states in GROUPS))
    page.get_by_label("Colours").select_option("dark")
    page.get_by_label("Direction of the page").select_option("from right to left")
    page.get_by_label("Size of the text").select_option("largest, widely spaced")
    page.get_by_label("Width").select_option("of a phone")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/styleguide/?colours=dark&direction=rtl&passage=ltr&text=largest&width=390")
    first = page.frame_locator("iframe").first
    expect(first.locator('html[data-state="shown"]')).to_have_attribute("dir", "rtl")
    expect(first.locator("html")).to_have_attribute("data-text", "largest")
    assert first.locator("body").evaluate("(body) => [getComputedStyle(body).backgroundColor, innerWidth]") == [
        "rgb(19, 23, 29)",
        390,
    ]
    # What comes up or gets the focus in a frame, be it a dialog, pulls the page around it nowhere.
    for name in ("still-open", "guide"):
        frame = page.locator(f'iframe[src*="/styleguide/{name}/"]')
        frame.scroll_into_view_if_needed()
        place = page.evaluate("scrollY")
        frame.content_frame.locator('html[data-state="shown"]').wait_for(state="attached", timeout=MOST_MS)
        assert page.evaluate("scrollY") == place
    pictures(page, "styleguide")
    assert axe_finds(page, RULES) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
