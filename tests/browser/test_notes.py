"""A note in Chromium: from the reviewer's keys and marks to the panel that opens the worker's next task."""

import pytest
from playwright.sync_api import expect

from annotation.models import Membership, Note
from reviewer.services import notes
from tests.annotation.factories import (
    make_assignment,
    make_member,
    make_offer,
    make_paragraph,
    make_question,
    make_task,
)
from tests.browser.test_review_pages import open_assignment, project, ready, sign_in
from tests.browser.test_reviewing import fresh
from tests.browser.work_fixtures import PIER
from tests.browser.worker import ready as work_ready
from tests.browser.worker import work_address
from tests.pages import assert_accessible

__all__ = ["project", "sign_in"]

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_a_note_is_marked_and_sent_by_keys(sign_in, platform_server, project, pictures):
    work = fresh(project)
    page = sign_in(Membership.Role.REVIEWER)
    open_assignment(page, platform_server, work)
    ready(page)
    page.keyboard.press("1")
    page.keyboard.press("t")
    expect(page.locator("#note-reason-1")).to_be_focused()
    page.locator("#note-reason-1").select_option("shorter")
    page.keyboard.press("Tab")
    page.keyboard.type("One word is enough.")
    page.keyboard.press("Tab")
    page.keyboard.type("gravity")
    pictures(page, "note-form")
    assert_accessible(page, within="#question-1")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Sent: the worker reads the note before their next task.")
    expect(page.locator("#question-1 [data-sent-note]")).to_contain_text("note, not read yet")
    note = Note.objects.get()
    assert (note.reason, note.text, note.marked_words) == ("shorter", "One word is enough.", "gravity")


@pytest.fixture
def noted(marketplace_stub, db):
    """An offer of a second batch for a worker whose work in the first got two notes."""

    def make(project):
        first = make_task(make_paragraph(project, text=PIER))
        work = make_assignment(make_offer(first, worker_origins=[marketplace_stub.origin]), status="approved")
        paragraph = first.task_paragraphs.get().paragraph
        rosa = make_member(project, Membership.Role.REVIEWER)
        asked = make_question(paragraph, "Who rowed out?", assignment=work, answer="Its keeper, Ruth Amble")
        notes.send(work, asked, rosa, reason="shorter", words="Ruth Amble")
        late = make_question(paragraph, "When did it freeze?", assignment=work, answer="1907")
        notes.send(work, late, rosa, text="The paragraph names two winters.")
        offer = make_offer(
            make_task(make_paragraph(project, text=PIER + " And once more.")), worker_origins=[marketplace_stub.origin]
        )
        return offer, work.worker.mturk_worker_id

    return make


@pytest.mark.parametrize("width", [1280, 390])
def test_a_second_batch_opens_with_what_was_marked_in_the_first_and_only_once(
    new_context, platform_server, marketplace_stub, project, noted, width, pictures
):
    offer, worker = noted(project)
    page = new_context(width=width).new_page()
    address = work_address(platform_server, offer, marketplace_stub.origin, "A2", worker)
    page.goto(address)
    panel = page.locator('[data-part="notes"]')
    expect(panel).to_be_visible()
    expect(page.get_by_role("heading", name="Notes on your earlier work")).to_be_focused()
    first = panel.locator("li").filter(has_text="Who rowed out?")
    expect(first).to_contain_text("Your answer: “Its keeper, Ruth Amble”")
    expect(first).to_contain_text("The answer can be shorter")
    expect(first.locator("mark.noted-about")).to_have_text("Ruth Amble")
    assert first.locator("mark.noted-own").all_text_contents() == ["Its keeper, ", "Ruth Amble"]
    expect(panel.locator("li").first).to_contain_text("The paragraph names two winters.")
    pictures(page, f"notes-{width}")
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_response("**/api/v1/work/notes?*") as told:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    assert told.value.json() == {"read": 2}
    expect(panel).to_be_hidden()
    assert not Note.objects.unread().exists()
    work = work_ready(page)
    work.ask(1, "Who slept by day?")
    # They come back when they are asked for alone.
    page.reload()
    work = work_ready(page)
    expect(work.field(1)).to_have_value("Who slept by day?")
    expect(panel).to_be_hidden()
    page.get_by_role("button", name="Notes (2)").click()
    expect(panel.locator("li")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Notes (2)")).to_be_focused()
