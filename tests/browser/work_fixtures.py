"""Offers and frames for the tests of the work page; ``conftest.py`` makes its fixtures known to all of them."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext

from annotation.models import Offer
from tests.annotation.factories import (
    make_answer_task,
    make_article,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_task,
)
from tests.browser.phone import PHONE
from tests.browser.stub import SANDBOX, MarketplaceStub
from tests.browser.worker import WorkPage, open_frame, ready, work_address

PIER = (
    "The lamp of the east pier was lit by hand until 1931. Its keeper, Ruth Amble, slept by day and rowed out at dusk. "
    "In 1907 the pier froze in, and in 1917 it froze again."
)
SEALS = "Harbour seals rest on the north skerry in June. They moult in August."
LAKE = "Lake Orra froze over in 1907. Ten years later, in 1917, it froze again, and the ice of 1907 was thicker."

Open = Callable[..., WorkPage]
OpenPhone = Callable[..., WorkPage]
MakeOffer = Callable[..., Offer]


@pytest.fixture
def context(new_context: Callable[..., BrowserContext]) -> BrowserContext:
    return new_context()


@pytest.fixture
def make_write_offer(marketplace_stub: MarketplaceStub) -> MakeOffer:
    """Makes an offer to write questions on paragraphs of the given texts, in a project of the given fields."""

    def make(*texts: str, **fields: Any) -> Offer:
        article = make_article(make_project(**fields), title="East_Pier")
        paragraphs = [make_paragraph(article=article, text=text) for text in texts or (PIER,)]
        return make_offer(make_task(*paragraphs), worker_origins=[marketplace_stub.origin])

    return make


@pytest.fixture
def answer_offer(marketplace_stub: MarketplaceStub) -> Offer:
    paragraph = make_paragraph(text=PIER)
    asked = ("Until when was it lit by hand?", "Who rowed out?", "Who built the pier?")
    questions = [make_question(paragraph, text, answer=None) for text in asked]
    return make_offer(make_answer_task(*questions), worker_origins=[marketplace_stub.origin])


@pytest.fixture
def open_work(context: BrowserContext, platform_server: str, marketplace_stub: MarketplaceStub) -> Open:
    """Opens the work page of an offer in the stub's frame, in a new tab."""

    def opened(offer: Offer, sandbox: str = SANDBOX, **changed: str) -> WorkPage:
        address = work_address(platform_server, offer, marketplace_stub.origin, **changed)
        return open_frame(context.new_page(), marketplace_stub, address, sandbox)

    return opened


@pytest.fixture
def open_phone(
    new_context: Callable[..., BrowserContext], platform_server: str, marketplace_stub: MarketplaceStub
) -> OpenPhone:
    """Opens the work page of an offer on a phone, in a window of its own."""

    def opened(offer: Offer, height: int = 844, **changed: Any) -> WorkPage:
        page = new_context(height=height, **PHONE | changed).new_page()
        page.goto(work_address(platform_server, offer, marketplace_stub.origin))
        return ready(page)

    return opened
