"""The guide in Chromium: one key away while working, at its own address, and in the admin's editor."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.services import guides
from tests.annotation.factories import PASSWORD, make_member, make_project
from tests.browser.conftest import NewContext
from tests.browser.work_fixtures import MakeOffer, Open
from tests.pages import assert_accessible

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_one_key_opens_the_guide_and_closes_it_and_nothing_is_lost(
    open_work: Open, make_write_offer: MakeOffer
) -> None:
    work = open_work(make_write_offer(preset="squad-v1"))
    work.ask(1, "When was the la")
    work.press("F1")
    expect(work.part("guide")).to_be_visible()
    expect(work.frame.get_by_role("heading", name="How to write good questions")).to_be_focused()
    expect(work.part("guide")).to_contain_text("do not use a language model")
    work.press("F1")
    expect(work.part("guide")).to_be_hidden()
    work.page.keyboard.type("mp lit?")
    expect(work.field(1)).to_have_value("When was the lamp lit?")
    work.press("F1", "Escape")
    expect(work.field(1)).to_be_focused()
    work.part("open-guide").click()
    address = work.part("guide-address").text_content()
    assert address is not None
    alone = work.page.context.new_page()
    alone.goto(address)
    expect(alone.get_by_role("heading", level=1)).to_have_text("How to write good questions")
    expect(work.field(1)).to_have_value("When was the lamp lit?")


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_the_guides_own_page(
    new_context: NewContext, platform_server: str, make_write_offer: MakeOffer, width: int,
    pictures: Callable[[Page, str], None],
) -> None:  # fmt: skip
    page = new_context(width=width).new_page()
    offer = make_write_offer(preset="squad-v1")
    page.goto(platform_server + reverse("annotation:guide", args=[offer.key], query={"lang": "en"}))
    pictures(page, f"guide-{width}")
    assert_accessible(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_guide_is_written_and_seen_at_once(
    new_context: NewContext, platform_server: str, width: int, pictures: Callable[[Page, str], None]
) -> None:
    project = make_project(preset="squad-v1")
    make_member(project, "requester", "rosa")
    page = new_context(width=width).new_page()
    page.goto(platform_server + reverse("admin:annotation_guide", args=[project.pk]))
    page.get_by_label("Username").fill("rosa")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    shown = page.frame_locator("iframe[name=guide-preview]")
    expect(shown.get_by_role("heading", name="How to write good questions")).to_be_visible()
    pictures(page, f"guide-editor-{width}")
    typed = page.get_by_label("For writing questions")
    typed.fill("# Ask about mills\n\n+ When did it burn? -> 1742\n")
    expect(shown.get_by_role("heading", name="Not a guide yet")).to_be_visible()
    expect(shown.locator("body")).to_contain_text("says on the next line why")
    typed.press("Control+End")
    page.keyboard.type("The year alone.")
    expect(shown.get_by_role("heading", name="Ask about mills")).to_be_visible()
    expect(shown.locator("dd").first).to_have_text("The year alone.")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Saved as version 1.")).to_be_visible()
    kept = guides.current(project)
    assert kept is not None
    assert kept.texts["en"]["write"]["title"] == "Ask about mills"
    assert_accessible(page, within=".project-page")
