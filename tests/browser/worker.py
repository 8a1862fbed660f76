"""The worker's page as hands meet it: real mouse and keyboard. Scripts only look where things are."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Frame, Locator, Page, expect

from annotation.models import Offer
from tests.browser.stub import SANDBOX, MarketplaceStub

# The middle line of one code point of the paragraph, `fraction` of the way along it in reading direction.
POINT_IN_CHARACTER = """
([index, fraction]) => {
  const passage = document.querySelector('[data-part="passage"]');
  const chars = [...passage.textContent];
  const from = chars.slice(0, index).join("").length;
  const texts = document.createTreeWalker(passage, NodeFilter.SHOW_TEXT);
  let passed = 0;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (from < passed + node.data.length) {
      const range = document.createRange();
      range.setStart(node, from - passed);
      range.setEnd(node, from - passed + chars[index].length);
      range.startContainer.parentElement.scrollIntoView({ block: "nearest" });
      const box = [...range.getClientRects()].at(-1);
      // Numbers run from left to right in every script; what is neither letter nor number runs as the paragraph does.
      const isLetter = /[\\p{L}\\p{M}]/u.test(chars[index]);
      const isNumber = /\\p{N}/u.test(chars[index]);
      const backwards = isLetter ? /[\\u0590-\\u08ff]/u.test(chars[index]) : !isNumber && passage.dir === "rtl";
      const x = box.left + box.width * (backwards ? 1 - fraction : fraction);
      return { x, y: box.top + box.height / 2, width: box.width };
    }
    passed += node.data.length;
  }
}
"""


class WorkPage:
    """A work page, in a frame of ``page`` or as ``page`` itself."""

    def __init__(self, page: Page, frame: Frame) -> None:
        self.page, self.frame = page, frame

    # What is on it

    def part(self, name: str) -> Locator:
        return self.frame.locator(f'[data-part="{name}"]')

    @property
    def passage(self) -> Locator:
        return self.part("passage")

    def card(self, number: int) -> Locator:
        """The card of question ``number``, from 1."""
        return self.frame.locator(".card").nth(number - 1)

    def field(self, number: int) -> Locator:
        return self.card(number).locator("textarea")

    def answer(self, number: int) -> str:
        """The answer to question ``number`` as its card shows it."""
        return self.card(number).locator('[data-part="answer"]').text_content() or ""

    def marks(self) -> list[tuple[str, str]]:
        """Each highlighted piece of the paragraph: the numbers of its questions, and its text."""
        return [
            (piece.get_attribute("data-question") or "", piece.text_content() or "")
            for piece in self.passage.locator("mark").all()
        ]

    # What hands do

    def point(self, index: int, fraction: float) -> tuple[float, float]:
        """A place inside the paragraph's code point ``index``, in the coordinates of the whole page."""
        found: dict[str, Any] = self.frame.evaluate(POINT_IN_CHARACTER, [index, fraction])
        left, top = 0.0, 0.0
        if self.frame.parent_frame is not None:
            box = self.frame.frame_element().bounding_box()
            assert box is not None
            left, top = box["x"], box["y"]
        return found["x"] + left, found["y"] + top

    def drag(self, start: int, end: int) -> None:
        """Drag the mouse over the code points from ``start`` to ``end`` (exclusive); backwards if ``end`` is less."""
        if start < end:
            self.drag_between(self.point(start, 0.1), self.point(end - 1, 0.9))
        else:
            self.drag_between(self.point(start - 1, 0.9), self.point(end, 0.1))

    def drag_between(self, begin: tuple[float, float], end: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*begin)
        mouse.down()
        mouse.move((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
        mouse.move(*end)
        mouse.up()
        self.settle()

    def click(self, index: int, times: int = 1) -> None:
        """Click ``times`` in a row on the paragraph's code point ``index``."""
        self.page.mouse.click(*self.point(index, 0.5), click_count=times)
        self.settle()

    def tap(self, word: str, times: int = 1) -> None:
        """Tap ``word`` with a finger where it first stands in the paragraph."""
        start = (self.passage.text_content() or "").index(word)
        for _time in range(times):
            self.page.touchscreen.tap(*self.point(start + 1, 0.5))

    def settle(self) -> None:
        """Let the page take the selection, which it does as soon as the browser has settled it after a click."""
        self.frame.evaluate("new Promise((resolve) => setTimeout(resolve, 0))")

    def mark(self, text: str) -> None:
        """Drag over ``text`` where it first stands in the paragraph."""
        start = (self.passage.text_content() or "").index(text)
        self.drag(start, start + len(text))

    def ask(self, number: int, text: str) -> None:
        """Type ``text`` into question ``number``, which is added if it is the next one."""
        if self.frame.locator(".card").count() < number:
            self.part("add").click()
        self.field(number).click()
        self.page.keyboard.type(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def wait_until_saved(self) -> None:
        # Longer than the longest pause between two tries.
        expect(self.part("saved")).to_contain_text("saved", timeout=40_000)
        expect(self.part("saved")).not_to_contain_text("not saved", timeout=40_000)

    def submit(self) -> None:
        self.part("submit").click()

    def reload(self) -> WorkPage:
        """The page again, as after F5 in the marketplace."""
        self.page.reload()
        return ready(self.page)


def work_address(
    server: str, offer: Offer, submit_to: str, assignment: str = "A1", worker: str = "W1", **changed: str
) -> str:
    """The address that the marketplace frames for ``worker``."""
    asked = {"assignmentId": assignment, "hitId": offer.mturk_hit_id, "workerId": worker, "turkSubmitTo": submit_to}
    return f"{server}/work/{offer.key}/?{urlencode(asked | changed)}"


def open_frame(page: Page, stub: MarketplaceStub, address: str, sandbox: str = SANDBOX) -> WorkPage:
    """``address`` in the frame of another site's page."""
    page.goto(stub.frame(address, sandbox))
    return ready(page)


def ready(page: Page) -> WorkPage:
    """The work page in ``page`` (in its frame if it has one), once it can be used."""
    frame = page.frames[1] if len(page.frames) > 1 else page.main_frame
    frame.wait_for_selector('.card, main.message:not([data-part="sent"])')
    return WorkPage(page, frame)
