"""What must be true of a page as it is shown, whatever the machine: scripts that look at it and answer in sentences."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.pages import WCAG

LEAST_FINGER_PX, LEAST_POINTER_PX = 44, 24  # WCAG 2.5.5 and 2.5.8
# Sizes of targets are looked at by LOOK, each in the middle of the screen: axe would count what is half scrolled away.
RULES = {
    "runOnly": list(WCAG),
    "rules": {"target-size": {"enabled": False}},
    "resultTypes": ["violations"],
    "iframes": False,
}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, "resultTypes": ["violations"]}

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

# Nothing is painted red: not the amber of notices (45 degrees) nor the rust of single words, but alarm.
ALARMING = """
() => {
  const isRed = (colour) => {
    const [red, green, blue, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
    const most = Math.max(red, green, blue);
    const spread = most - Math.min(red, green, blue);
    if (!alpha || most !== red || spread < 24) return false;
    const degrees = (60 * (green - blue)) / spread;
    return Math.abs(degrees) < 12;
  };
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && isRed(getComputedStyle(element).backgroundColor))
    .map((element) => `${element.tagName.toLowerCase()}.${element.className} is painted red`);
}
"""

# What came up while somebody worked, taken away and brought up again: everything else must stand where it stood.
SHIFTED = """
() => {
  const messages = [...document.querySelectorAll(".foot > :is(.banner, .open):not([hidden])")];
  const steady = [...document.querySelectorAll(".top *, .passage, .card, .card *, .below *, .bottom, .bottom *")];
  const places = () =>
    steady.map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left, top, width, height].map(Math.round).join();
    });
  for (const message of messages) message.hidden = true;
  scrollBy(0, -1); // or the browser would go back to where it was before there was less to scroll
  const before = places();
  for (const message of messages) message.hidden = false;
  const during = places();
  return steady.flatMap((element, place) =>
    before[place] === during[place]
      ? []
      : [`${element.tagName.toLowerCase()}.${element.className} moved from ${before[place]} to ${during[place]}`],
  );
}
"""


def axe_finds(page: Page, options: dict[str, object]) -> list[str]:
    """What axe has to say, a line for each element."""
    found = Axe().run(page, options=options).response["violations"]
    return [f"axe: {rule['id']}: {node['html'][:90]}" for rule in found for node in rule["nodes"]]
