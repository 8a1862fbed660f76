"""A phone of 390 pixels and the finger on it. Touches come from Chromium's own input."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.worker import WorkPage

FINGER_PX = 44  # WCAG 2.5.5
PHONE = {"width": 390, "has_touch": True, "is_mobile": True}
# Longer than the page takes for holding a word.
HELD_MS = 700


class Finger:
    """One finger on the screen, in the coordinates of the page."""

    def __init__(self, page: Page) -> None:
        self._page, self._devtools = page, page.context.new_cdp_session(page)

    def down(self, x: float, y: float) -> None:
        self._send("touchStart", x, y)
        self.at = (x, y)

    def move(self, x: float, y: float) -> None:
        """Move there in small steps, as a finger does."""
        (left, top), steps = self.at, 6
        for step in range(1, steps + 1):
            self._send("touchMove", left + (x - left) * step / steps, top + (y - top) * step / steps)
        self.at = (x, y)

    def up(self) -> None:
        self._devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def hold(self, x: float, y: float) -> None:
        self.down(x, y)
        self._page.wait_for_timeout(HELD_MS)

    def _send(self, kind: str, x: float, y: float) -> None:
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})

    def pull_handle(self, work: WorkPage, edge: str, beside: tuple[float, float], word: str) -> None:
        """Pull the handle that stands below the place ``beside`` until it stands so below ``word``."""
        handle = work.part(f"handle-{edge}").bounding_box()
        assert handle is not None
        assert min(handle["width"], handle["height"]) >= FINGER_PX
        x, y = handle["x"] + FINGER_PX / 2, handle["y"] + 15
        to_x, to_y = work.point((work.passage.text_content() or "").index(word) + 1, 0.5)
        self.down(x, y)
        self.move(to_x + x - beside[0], to_y + y - beside[1])
        self.up()
