"""The Chromium that browser tests drive: the system's, or one that is installed here for them, with its fonts."""

import os
import shutil
import subprocess
import sys

from supervisor import debian, fonts
from supervisor.processes import python_module

HEADLESS = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def executable() -> str | None:
    """The browser to start: ``CHROMIUM`` if set, else the system's, else Playwright's own; None if there is none."""
    installed = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES), *MAC_APPLICATIONS]
    return next((found for found in installed if _runs(found)), None) or _playwrights_own()


def headless_executable() -> str | None:
    """The browser to start for tests that need no window's parts: ``CHROMIUM`` if set, else Debian's Chromium without
    windows, where a page costs an eighth of what it costs in the whole browser, else ``executable()``."""
    if os.environ.get("CHROMIUM"):
        return executable()
    return shutil.which(HEADLESS) or executable()


def provide() -> int:
    """See to it that there are a browser and fonts, installing them if need be; return the exit code.

    Only the browser is asked for: what no font draws is not tested.
    """
    needs_headless = debian.can_install() and not os.environ.get("CHROMIUM") and not shutil.which(HEADLESS)
    if executable() is None or needs_headless:
        print("Installing Chromium for the browser tests", flush=True)
        if debian.can_install():
            debian.install("chromium", HEADLESS)
        if executable() is None:
            subprocess.run(python_module("playwright", "install", "chromium"), stdin=subprocess.DEVNULL, check=False)
    if executable() is None:
        print(
            "The browser tests need Chromium, and it could not be installed: install the package chromium "
            "(or Google Chrome), or name one with CHROMIUM=/path/to/chromium.",
            file=sys.stderr,
        )
        return 1
    fonts.provide()
    return 0


def _playwrights_own() -> str | None:
    """The browser that ``playwright install`` puts down, where it would be for this release of Playwright."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if _runs(path) else None


def _runs(path: str | None) -> bool:
    return bool(path) and os.access(str(path), os.X_OK)
