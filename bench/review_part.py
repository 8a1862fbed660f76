"""A reviewer in Chromium who goes through 100 paragraphs by keys alone: how long the machine lets them wait.

The queue is of the size of SQuAD, and each paragraph a piece of work with five questions. What is measured is from the
key that decides to the next page that is painted, and to its first key that acts: pages rest for a moment so that the
second stroke of a double one decides nothing. Reading and judging take no time here; they are what is left of the nine
seconds that a paragraph has where 100 are to take 15 minutes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page, Response, sync_playwright

from bench.client import WrongAnswer
from bench.floor import run_module
from bench.page_part import ARGUMENTS
from bench.pages_part import percentile
from bench.report import Figure, Report
from supervisor.browser import headless_executable
from supervisor.stack import Stack

PARAGRAPHS, MINUTES = 100, 15
# What the machine may take of a paragraph's nine seconds.
MOST_SECONDS = 1.0
# Of each ten paragraphs, what is done with them: most are kept whole. Our guess at ordinary work.
DECISIONS = ("keep", "drop", "keep", "keep", "fix", "keep", "keep", "reject", "keep", "keep")

# Notes when something of the page was painted and when its first decision could be made, by the clock of the machine.
WATCH = """
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.paintedAt = performance.timeOrigin + entry.startTime;
}).observe({ type: "paint", buffered: true });
const look = () => {
  const button = document.querySelector(".decide button");
  if (window.paintedAt && button && !button.disabled) {
    const now = performance.timeOrigin + performance.now();
    Object.assign(document.documentElement.dataset, { painted: paintedAt, armed: now });
  } else requestAnimationFrame(look);
};
look();
"""


@dataclass
class Step:
    """One key that leads to another page: seconds to its paint, to its first decision, and of the server within."""

    painted: float
    armed: float
    server: float


def measure(folder: Path, report: Report, say: Callable[[str], None]) -> None:
    """Review on a stack of its own in ``folder``; add the figures to ``report``."""
    with Stack(folder / "stack", celery=False, test_hooks=False, settings={"LOG_LEVEL": "WARNING"}, say=say) as stack:
        say("Loading 107,785 questions, and 1,500 paragraphs whose work waits")
        told = json.loads(run_module("bench.load_review", stack.env, json.dumps({"noted": PARAGRAPHS + 20})))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=headless_executable(), args=ARGUMENTS)
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            reviewer = Reviewer(page, stack.platform_url, told)
            say(f"Reviewing {PARAGRAPHS} paragraphs by keys")
            taken = reviewer.work(PARAGRAPHS)
            browser.close()
    report.details["review"] = {"decisions": [[name, *map(asdict, steps)] for name, steps in taken]}
    steps = [step for _name, steps in taken for step in steps]
    _add(report, "from a key to the next page", [step.painted for step in steps], None)
    _add(report, "of that, the server", [step.server for step in steps], None)
    waits = [sum(step.armed for step in steps) for _name, steps in taken]
    _add(report, "the machine's share of a paragraph", waits, MOST_SECONDS)
    for name in sorted(set(DECISIONS)):
        _add(report, f"  {name}", [sum(step.armed for step in steps) for done, steps in taken if done == name], None)
    allowed = 60 * MINUTES
    note = f"{100 * sum(waits) / allowed:.0f} % of {MINUTES} minutes; the rest is for reading"
    report.add(Figure(f"review: {len(taken)} paragraphs, s of waiting", sum(waits), note=note))


def _add(report: Report, name: str, seconds: list[float], most: float | None) -> None:
    ordered = sorted(seconds)
    note = f"median of {len(ordered)}; p95 {percentile(ordered, 0.95):.2f} s, longest {ordered[-1]:.2f} s"
    report.add(Figure(f"review: {name}, s", median(ordered), most, at_most=True, note=note))


class Reviewer:
    """Somebody who signs in, opens the queue, and then touches the keyboard alone."""

    def __init__(self, page: Page, url: str, told: dict[str, str]) -> None:
        self.page, self.server = page, 0.0
        page.add_init_script(WATCH)
        page.on("response", self._came)
        page.goto(f"{url}/admin/login/?next=/review/{told['slug']}/")
        page.fill("[name=username]", told["username"])
        page.fill("[name=password]", told["password"])
        page.press("[name=password]", "Enter")
        page.locator("[data-start]").click()
        self._armed()

    def work(self, count: int) -> list[tuple[str, list[Step]]]:
        """Decide about ``count`` paragraphs; what was done with each, and the steps that it took."""
        taken = []
        for number in range(count):
            name = DECISIONS[number % len(DECISIONS)]
            place = self.page.url
            taken.append((name, getattr(self, f"_{name}")(number)))
            if self.page.url == place:
                raise WrongAnswer(f"after {name}, the page stayed at {place}")
        return taken

    def _keep(self, _number: int) -> list[Step]:
        return [self._step("a")]

    def _drop(self, number: int) -> list[Step]:
        self.page.keyboard.press(str(1 + number % 5))
        return [self._step("d"), self._step("a")]

    def _fix(self, number: int) -> list[Step]:
        """Set the first answer right: two words of the paragraph, marked by arrows."""
        self.page.keyboard.press("1")
        self.page.keyboard.press("f")
        self.page.keyboard.press("F2")
        for _ in range(3 + number % 4):
            self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Shift+ArrowRight")
        self.page.keyboard.press("Enter")
        return [self._step("Enter"), self._step("a")]

    def _reject(self, _number: int) -> list[Step]:
        self.page.keyboard.press("x")
        self.page.keyboard.type("The questions are not about this paragraph.")
        self.page.keyboard.press("Tab")
        return [self._step("Enter")]

    def _step(self, key: str) -> Step:
        self.page.evaluate("document.documentElement.dataset.old = 1")
        self.server, pressed = 0.0, time.time()
        self.page.keyboard.press(key)
        painted, armed = self._armed()
        return Step(painted / 1000 - pressed, armed / 1000 - pressed, self.server / 1000)

    def _armed(self) -> tuple[float, float]:
        self.page.locator("html[data-armed]:not([data-old])").wait_for()
        found: Any = self.page.evaluate("({...document.documentElement.dataset})")
        return float(found["painted"]), float(found["armed"])

    def _came(self, response: Response) -> None:
        if response.request.resource_type == "document":
            timing = response.request.timing
            self.server += max(0.0, timing["responseStart"] - timing["requestStart"])
