"""The worker's page in Chromium: its weight, the time until it can be used, and how long it blocks at work."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench.client import WrongAnswer
from bench.floor import run_module
from bench.report import Figure, Report
from supervisor.browser import executable
from supervisor.stack import Stack

USUAL_CHARS, LONG_CHARS = 700, 20_000
MOST_KB, MOST_SLOW_SECONDS, MOST_SECONDS, MOST_BLOCKED_MS = 60.0, 1.0, 0.4, 50.0
# Chromium's and Lighthouse's "fast 3G": 1.6 Mbit/s down, 750 kbit/s up, 150 ms from each request to its answer.
THREE_G_FAST = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
QUESTIONS = 5

# Notes when the first question can be typed, in milliseconds from the start of the navigation, and each task that took
# 50 ms or longer, which is all that browsers tell of.
WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.longTasks.push([task.startTime, task.duration]);
}).observe({ type: "longtask", buffered: true });
const look = () => {
  const field = document.querySelector(".card textarea");
  if (field && field.checkVisibility() && !field.disabled) window.usableAt = performance.now();
  else requestAnimationFrame(look);
};
look();
"""
# Where on the screen a word stands, so far into the paragraph; scrolls to it.
WORD = """
(share) => {
  const passage = document.querySelector('[data-part="passage"]');
  const text = passage.lastChild;
  const start = text.data.indexOf(" ", Math.floor(text.data.length * share)) + 1;
  const range = document.createRange();
  range.setStart(text, start);
  range.setEnd(text, start + 1);
  passage.scrollTop = 0;
  passage.scrollTop = range.getBoundingClientRect().top - passage.getBoundingClientRect().top - 40;
  const box = range.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}
"""


@dataclass
class Load:
    """What one cold load of the page took: requests by what they asked for, and bytes as they came over the network."""

    seconds: float = 0.0
    code_bytes: int = 0
    page_bytes: int = 0
    addresses: dict[str, list[str]] = field(default_factory=dict)

    def count(self, *kinds: str) -> int:
        return sum(len(self.addresses.get(kind, ())) for kind in kinds)

    def foreign(self, own: str) -> int:
        """How many requests went anywhere but to ``own``."""
        asked = [url for urls in self.addresses.values() for url in urls]
        return sum(not url.startswith((own, "data:")) for url in asked)


def measure(folder: Path, report: Report, runs: int, say: Callable[[str], None]) -> None:
    """Open and use work pages of a stack of its own in ``folder``; add the figures to ``report``."""
    with Stack(folder / "stack", celery=False, test_hooks=False, settings={"LOG_LEVEL": "WARNING"}, say=say) as stack:
        order = {"lengths": [USUAL_CHARS, LONG_CHARS], "origin": stack.marketplace_url}
        usual, long = json.loads(run_module("bench.offer_pages", stack.env, json.dumps(order)))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
            _load(browser, usual)  # the server's and the browser's own first time
            say(f"Opening the worker's page cold, {runs} times on a throttled network and {runs} times without")
            slow = [_load(browser, usual, THREE_G_FAST) for _ in range(runs)]
            quick = [_load(browser, usual) for _ in range(runs)]
            say(f"Typing and marking on {LONG_CHARS:,} characters")
            longest = {name: _longest_task(browser, long, act) for name, act in WAYS.items()}
            browser.close()
    report.details["page"] = {"slow": list(map(asdict, slow)), "quick": list(map(asdict, quick)), "longest_ms": longest}
    _add_weight(report, slow[0], stack.platform_url)
    for name, loads, most, note in (
        ("usable, s on fast 3G", slow, MOST_SLOW_SECONDS, "1.6 Mbit/s, 150 ms a request"),
        ("usable, s", quick, MOST_SECONDS, "network unthrottled"),
    ):
        seconds = [load.seconds for load in loads]
        note = f"cold; median of {min(seconds):.2f} to {max(seconds):.2f}; {note}"
        report.add(Figure(f"page: {name}", statistics.median(seconds), most, at_most=True, note=note))
    for name, blocked_ms in longest.items():
        note = f"{LONG_CHARS:,} characters; 0 where no task took 50 ms"
        report.add(Figure(f"page: {name}, longest task, ms", blocked_ms, MOST_BLOCKED_MS, at_most=True, note=note))


def _add_weight(report: Report, load: Load, own: str) -> None:
    files = load.count("Script", "Stylesheet")
    note = f"{files} files, over the network as served; the page itself {load.page_bytes / 1000:.1f} kB"
    report.add(Figure("page: scripts and styles, kB", load.code_bytes / 1000, MOST_KB, at_most=True, note=note))
    report.add(Figure("page: fonts fetched", load.count("Font"), 0, at_most=True))
    report.add(Figure("page: requests to other sites", load.foreign(own), 0, at_most=True))


def _load(browser: Browser, address: str, network: dict[str, Any] | None = None) -> Load:
    """One load with nothing in the browser's cache."""
    context = browser.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    load = _watched(session)
    if network:
        session.send("Network.emulateNetworkConditions", network)
    page.add_init_script(WATCH)
    page.goto(address)
    load.seconds = _usable_ms(page) / 1000
    page.wait_for_load_state("networkidle")
    context.close()
    return load


def _watched(session: CDPSession) -> Load:
    """A load that fills as ``session``'s page asks for files."""
    load, kinds = Load(), {}

    def asked(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = kind = event.get("type", "Other")
        load.addresses.setdefault(kind, []).append(event["request"]["url"])

    def came(event: dict[str, Any]) -> None:
        kind = kinds.get(event["requestId"])
        if kind in ("Script", "Stylesheet"):
            load.code_bytes += event["encodedDataLength"]
        elif kind == "Document":
            load.page_bytes += event["encodedDataLength"]

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.loadingFinished", came)
    session.send("Network.enable")
    return load


def _type_and_drag(page: Page) -> None:
    """Type questions, and mark an answer to each by double click and by drag."""
    for number in range(QUESTIONS):
        if number:
            page.locator('[data-part="add"]').click()
        page.locator(".card textarea").nth(number).click()
        page.keyboard.type(f"What is told of it in place {number}?", delay=20)
        x, y = page.evaluate(WORD, 0.1 + 0.15 * number)
        if number % 2:
            page.mouse.dblclick(x, y)
        else:
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x + 60, y + 4, steps=6)
            page.mouse.move(x + 120, y + 30, steps=6)
            page.mouse.up()
        page.wait_for_timeout(100)


def _mark_by_keyboard(page: Page) -> None:
    """Mark by F2, arrows and letters, over words and over lines, near the end of the paragraph too."""
    page.locator(".card textarea").first.click()
    for start in ("Home", "End"):
        page.keyboard.press("F2")
        for key in (start, "ArrowUp", "ArrowDown", "ArrowRight", "Shift+ArrowLeft", "Shift+ArrowDown", "F2", "F2", "t"):
            page.keyboard.press(key, delay=20)
        page.keyboard.press("Enter")
        page.wait_for_timeout(100)


WAYS = {"typing and marking by mouse": _type_and_drag, "marking by keyboard": _mark_by_keyboard}


def _longest_task(browser: Browser, address: str, act: Callable[[Page], None]) -> float:
    """Milliseconds that the page was blocked at most while ``act`` worked on it. Raises WrongAnswer."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    ready = _usable_ms(page)
    page.wait_for_timeout(300)
    act(page)
    page.wait_for_timeout(1800)  # remarks come when typing pauses
    tasks: list[list[float]] = page.evaluate("longTasks")
    if not page.locator("mark").count():
        raise WrongAnswer("nothing was marked on the worker's page")
    context.close()
    return max((duration for start, duration in tasks if start > ready), default=0.0)


def _usable_ms(page: Page) -> float:
    page.locator(".card textarea").first.wait_for()
    return float(page.wait_for_function("window.usableAt").json_value())
