"""A real Chromium, the platform on ``localhost``, and a page of another site that holds the worker's frame.

Browsers take ``localhost`` and ``127.0.0.1`` for two sites. Contexts block third-party cookies, and a test fails for
anything that its pages write to the console as an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test.testcases import LiveServerThread
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, sync_playwright

from supervisor.browser import executable, headless_executable
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import answer_offer, context, make_write_offer, open_phone, open_work
from tests.pages import picture

__all__ = ["answer_offer", "context", "make_write_offer", "open_phone", "open_work"]

ARGUMENTS = [
    "--no-sandbox",  # for containers whose user is root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--test-third-party-cookie-phaseout",  # as browsers do that block cookies of framed sites
]
NewContext = Callable[..., BrowserContext]


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def light_browser(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium without windows where there is one, for pages that stand by themselves."""
    started = playwright.chromium.launch(executable_path=headless_executable(), args=ARGUMENTS)
    yield started
    started.close()


@pytest.fixture(scope="session")
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """The system's Chromium where there is one, else the one that ``playwright install chromium`` put in place."""
    started = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
    yield started
    started.close()


@pytest.fixture
def browser(request: pytest.FixtureRequest) -> Browser:
    """The browser of a test. A page in another site's frame needs the whole one: without windows, no cookies are
    blocked, frames of other sites have no process of their own, and no window loses the focus."""
    is_framed = not {"marketplace_stub", "stack"}.isdisjoint(request.fixturenames)
    return request.getfixturevalue("whole_browser" if is_framed else "light_browser")


@pytest.fixture
def console_errors() -> list[str]:
    """What pages wrote to the console as errors. A test that expects some removes them from the list."""
    return []


@pytest.fixture
def new_context(browser: Browser, console_errors: list[str]) -> Iterator[NewContext]:
    """Makes browser contexts, each a person of their own: ``new_context(width=390, has_touch=True, ...)``."""
    contexts: list[BrowserContext] = []

    def heard(message: ConsoleMessage) -> None:
        address = message.location.get("url", "")
        # The icon is asked for by the browser itself, wherever a page names none.
        if message.type == "error" and not address.endswith("/favicon.ico"):
            console_errors.append(f"{message.text} ({address})")

    def make(width: int = 1280, height: int = 800, **options: Any) -> BrowserContext:
        made = browser.new_context(viewport={"width": width, "height": height}, **options)
        made.set_default_timeout(10_000)
        made.on("console", heard)
        made.on("weberror", lambda error: console_errors.append(str(error.error)))
        contexts.append(made)
        return made

    yield make
    for made in contexts:
        made.close()
    assert console_errors == []


class Platform(LiveServerThread):
    """The platform with nothing in front of it: its static files come from WhiteNoise, as in production."""

    def __init__(self, port: int = 0) -> None:
        super().__init__("localhost", lambda application: application, port=port)

    def run(self) -> None:
        # One handler for all requests, so that WhiteNoise looks for the files once.
        application = WSGIHandler()
        self.static_handler = lambda _application: application
        super().run()


@pytest.fixture(scope="session")
def platform_server(django_db_setup: None) -> Iterator[str]:
    """The address of the platform. Tests that use it need ``@pytest.mark.django_db(transaction=True)``."""
    server = Platform()
    server.daemon = True
    server.start()
    server.is_ready.wait()
    if server.error:
        raise server.error
    yield f"http://localhost:{server.port}"
    server.terminate()


@pytest.fixture
def marketplace_stub() -> Iterator[MarketplaceStub]:
    """A site on 127.0.0.1 that frames work pages and takes what they submit."""
    stub = MarketplaceStub()
    yield stub
    stub.close()


@pytest.fixture
def pictures() -> Callable[[Page, str], None]:
    """Keeps a picture of a page under its name, where SCREENSHOTS names a folder for it."""
    return picture
