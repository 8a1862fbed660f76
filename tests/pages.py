"""What tests do with a page in Chromium, whichever site it belongs to: go on to the next one, hold it to WCAG."""

import os
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


def follow(page: Page, target: Locator) -> None:
    """Click what leads to another page and wait until that page stands: what is looked at next is no longer the old."""
    with page.expect_navigation():
        target.click()


def picture(page: Page, name: str) -> None:
    """Keep how the whole page looks, where SCREENSHOTS names a folder for it."""
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def assert_accessible(page: Page, name: str = "", *, within: str | None = None, rules: tuple[str, ...] = WCAG) -> None:
    """Axe finds nothing on the page, and nothing must be scrolled to sideways.

    ``within`` leaves out what stands around that selector; ``rules`` are axe's tags, all of its rules if empty.
    """
    # Gathering what is right too would take axe as long again; frames have no axe in them, and would be waited for.
    options: dict[str, Any] = {"resultTypes": ["violations"], "iframes": False}
    if rules:
        options["runOnly"] = list(rules)
    found = Axe().run(page, context=within, options=options)
    assert [rule["id"] for rule in found.response["violations"]] == [], f"{name}: {found.generate_report()}"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), name
