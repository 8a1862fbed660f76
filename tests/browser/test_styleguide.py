"""The style guide: each piece of the worker's page in each state is whole, in reach and readable, whatever the machine.

Fonts differ from machine to machine, so that pictures are kept (.test/pictures) and not compared: what is asserted is
what must be true of every picture.
"""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, Page, TimeoutError, expect

from annotation.styleguide.states import GROUPS, STATES
from tests.annotation.factories import make_user
from tests.browser.conftest import NewContext

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

# Sizes of targets are looked at below, each in the middle of the screen: axe would count what is half scrolled away.
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "rules": {"target-size": {"enabled": False}},
}
LEAST_FINGER_PX, LEAST_POINTER_PX = 44, 24  # WCAG 2.5.5 and 2.5.8
MOST_MS = 25_000  # more than the page itself waits for what it is to show
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
VARIANTS = [
    pytest.param({"width": 1280}, "light", "ltr", id="screen-light-ltr"),
    pytest.param({"width": 1280}, "dark", "rtl", id="screen-dark-rtl"),
    pytest.param(PHONE, "dark", "ltr", id="phone-dark-ltr"),
    pytest.param(PHONE, "light", "rtl", id="phone-light-rtl"),
]

# What is wrong with the page as it is shown: a list of sentences.
LOOK = """
([piece, leastTarget]) => {
  const wrong = [];
  const name = (element) => `${element.tagName.toLowerCase()}[${element.dataset.part ?? element.className}]`;
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const standsOut = ({ left, right, width }) => width && (left < -1 || right > innerWidth + 1);
  const isCut = (element) =>
    getComputedStyle(element).overflow !== "visible" &&
    (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
  // Sentences that are cut to two lines on purpose stand in full elsewhere; some are for screen readers alone.
  const isMeant = (element) =>
    getComputedStyle(element).webkitLineClamp !== "none" || element.classList.contains("aside");

  const sideways = document.documentElement.scrollWidth - innerWidth;
  if (sideways > 0) wrong.push(`it scrolls sideways by ${sideways} px`);
  const shown = [...document.querySelectorAll(piece)].find(isSeen);
  if (!shown) return ["the piece is not to be seen"];
  const room = shown.getBoundingClientRect();
  if (!room.width || !room.height) wrong.push("the piece has no room");
  if (standsOut(room)) wrong.push(`the piece stands out to the side: ${room.left} to ${room.right}`);

  // What lies under an open dialog or panel is out of reach, and is looked at in the other states.
  const top = document.querySelector("dialog[open], .comfort[open]") ?? document;
  const words = "p, button, summary, dt, dd, h1, h2, h3, label, .number, .answer-text";
  for (const element of top.querySelectorAll(words)) {
    if (!isSeen(element) || isMeant(element)) continue;
    if (isCut(element)) wrong.push(`${name(element)} is cut off: ${element.textContent.slice(0, 40)}`);
    if (standsOut(element.getBoundingClientRect())) wrong.push(`${name(element)} stands out to the side`);
  }
  for (const control of top.querySelectorAll("button, textarea, select, input, summary, a[href], .handle")) {
    if (!isSeen(control) || control.closest("[inert]") || control.type === "hidden") continue;
    control.scrollIntoView({ block: "center" });
    const target = control.closest("label") ?? control;
    const { width, height } = target.getBoundingClientRect();
    if (Math.min(width, height) < leastTarget - 0.5) {
      wrong.push(`${name(control)} is a target of ${Math.round(width)} x ${Math.round(height)} px`);
    }
    const at = control.getBoundingClientRect();
    const hit = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
    const isInReach = hit && (target.contains(hit) || hit.contains(target));
    if (!isInReach) wrong.push(`${name(control)} is covered by ${hit && name(hit)}`);
  }
  shown.scrollIntoView({ block: "nearest" });
  return wrong;
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


@pytest.mark.parametrize(("options", "colours", "direction"), VARIANTS)
def test_every_piece_in_every_state_is_whole_in_reach_and_readable(
    new_context: NewContext, platform_server: str,
    pictures: Callable[[Page, str], None], options: dict[str, Any], colours: str, direction: str,
) -> None:  # fmt: skip
    page = signed_in(new_context(**options), platform_server)
    wrong: dict[str, list[str]] = {}
    for name, state in STATES.items():
        page.goto(f"{platform_server}/styleguide/{name}/?colours={colours}&direction={direction}")
        try:
            page.locator('html[data-state="shown"]').wait_for(timeout=MOST_MS)
        except TimeoutError as error:
            wrong[name] = [str(error)]
            continue
        pictures(page, f"styleguide-{name}-{options['width']}-{colours}-{direction}")
        found = page.evaluate(LOOK, [state.piece, LEAST_FINGER_PX if "has_touch" in options else LEAST_POINTER_PX])
        axe = Axe().run(page, options=RULES).response["violations"]
        found += [f"axe: {rule['id']}: {node['html'][:80]}" for rule in axe for node in rule["nodes"]]
        if found:
            wrong[name] = found
    assert wrong == {}


def test_all_states_stand_on_one_page_in_the_colours_direction_and_width_that_are_asked_for(
    new_context: NewContext, platform_server: str, pictures: Callable[[Page, str], None]
) -> None:
    page = signed_in(new_context(), platform_server)
    page.goto(f"{platform_server}/styleguide/")
    expect(page.locator("iframe")).to_have_count(sum(len(states) for _title, states in GROUPS))
    page.get_by_label("Colours").select_option("dark")
    page.get_by_label("Direction").select_option("from right to left")
    page.get_by_label("Width").select_option("of a phone")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/styleguide/?colours=dark&direction=rtl&width=390")
    first = page.frame_locator("iframe").first
    expect(first.locator('html[data-state="shown"]')).to_have_attribute("dir", "rtl")
    assert first.locator("body").evaluate("(body) => [getComputedStyle(body).backgroundColor, innerWidth]") == [
        "rgb(19, 23, 29)",
        390,
    ]
    for number in range(0, len(STATES), 6):
        page.locator("iframe").nth(number).scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(1500)  # for frames to come into their states
    assert page.evaluate("scrollY") == 0
    pictures(page, "styleguide")
    assert Axe().run(page, options=RULES).response["violations"] == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
