"""What a worker typed and marked survives reloads, cut networks, second tabs and second goes. Real hands only."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Assignment, Draft, Offer, ParagraphWork, Worker
from tests.annotation.factories import NOON, make_offer
from tests.browser.stub import MarketplaceStub
from tests.browser.work_fixtures import PIER, SEALS, MakeOffer, Open
from tests.browser.worker import WorkPage, ready, work_address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_reload_right_after_a_mark_keeps_it(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "Typed and left at once")
    work.mark("1931")
    work = work.reload()
    expect(work.field(1)).to_have_value("Typed and left at once")
    assert work.marks() == [("1", "1931")]
    work.field(1).click()
    work.press("End")
    work.page.keyboard.type("!")
    work = work.reload()
    expect(work.field(1)).to_have_value("Typed and left at once!")
    work.ask(1, "!")
    work.wait_until_saved()
    expect(work.part("conflict")).to_be_hidden()


def test_where_the_frame_may_store_the_browsers_own_copy_helps(
    context: BrowserContext, platform_server: str, marketplace_stub: MarketplaceStub, make_write_offer: MakeOffer,
    console_errors: list[str],
) -> None:  # fmt: skip
    page = context.new_page()
    page.goto(work_address(platform_server, make_write_offer(), marketplace_stub.origin))  # the first party here
    work = ready(page)
    work.ask(1, "Saved")
    work.wait_until_saved()
    page.route("**/api/v1/work/draft*", lambda route: route.abort())
    page.keyboard.type(" and unsaved")
    expect(work.part("notice")).to_be_visible()
    assert Draft.objects.get().content["paragraphs"][0]["questions"][0]["text"] == "Saved"
    work = work.reload()
    expect(work.field(1)).to_have_value("Saved and unsaved")
    page.unroute("**/api/v1/work/draft*")
    work.wait_until_saved()
    assert Draft.objects.get().content["paragraphs"][0]["questions"][0]["text"] == "Saved and unsaved"
    console_errors[:] = [error for error in console_errors if "ERR_FAILED" not in error]


def test_two_tabs_are_told_of_each_other_and_the_worker_chooses(
    open_work: Open, make_write_offer: MakeOffer, console_errors: list[str],
    pictures: Callable[[Page, str], None],
) -> None:  # fmt: skip
    offer = make_write_offer()
    first, second = open_work(offer), open_work(offer)
    first.ask(1, "From the first tab")
    first.wait_until_saved()
    second.ask(1, "From the second tab")
    expect(second.part("conflict")).to_be_visible()
    expect(second.part("conflict")).to_contain_text("open in another window")
    assert Draft.objects.get().content["paragraphs"][0]["questions"][0]["text"] == "From the first tab"
    pictures(second.page, "two-tabs")
    second.part("keep").click()
    second.wait_until_saved()
    assert Draft.objects.get().content["paragraphs"][0]["questions"][0]["text"] == "From the second tab"
    first.page.bring_to_front()
    first.field(1).click()
    first.page.keyboard.type("!")
    expect(first.part("conflict")).to_be_visible()
    first.part("reload").click()
    first = ready(first.page)
    expect(first.field(1)).to_have_value("From the second tab")
    console_errors[:] = [error for error in console_errors if "409" not in error]


def test_a_page_that_may_not_save_any_more_says_so(
    open_work: Open, make_write_offer: MakeOffer, console_errors: list[str]
) -> None:
    work = open_work(make_write_offer())
    Worker.objects.update(mturk_worker_id="erased-1")
    work.ask(1, "Too late")
    expect(work.part("refused")).to_be_visible()
    expect(work.part("refused")).to_contain_text("Reload the page and try again")
    expect(work.part("saved")).to_contain_text("not saved yet")
    console_errors[:] = [error for error in console_errors if "403" not in error]


def test_what_was_typed_before_returning_the_hit_is_there_at_the_next_go_in_the_same_browser(
    new_context: Callable[..., BrowserContext],
    platform_server: str,
    marketplace_stub: MarketplaceStub,
    make_write_offer: MakeOffer,
) -> None:
    offer = make_write_offer()

    def opened(context: BrowserContext, **changed: str) -> WorkPage:
        page = context.new_page()
        page.goto(work_address(platform_server, offer, marketplace_stub.origin, **changed))  # may store: first party
        return ready(page)

    mine = new_context()
    returned = opened(mine)
    returned.ask(1, "From the first go")
    returned.wait_until_saved()
    again = opened(mine, assignment="A2")
    expect(again.field(1)).to_have_value("From the first go")
    again.wait_until_saved()
    assert Draft.objects.filter(assignment__mturk_assignment_id="A2").exists()
    for empty in (opened(mine, assignment="A3", worker="W2"), opened(new_context(), assignment="A3")):
        expect(empty.field(1)).to_have_value("")


def test_a_page_of_work_that_the_marketplace_has_listed_says_so(
    open_work: Open, make_write_offer: MakeOffer, console_errors: list[str]
) -> None:
    work = open_work(make_write_offer())
    Assignment.objects.update(status=Assignment.Status.SUBMITTED, submitted_at=NOON)
    work.ask(1, "Too late")
    expect(work.part("refused-text")).to_contain_text("already has this HIT as submitted")
    console_errors[:] = [error for error in console_errors if "409" not in error]


def test_a_page_of_a_hit_that_is_not_ready_opens_by_itself(
    context: BrowserContext, platform_server: str, marketplace_stub: MarketplaceStub
) -> None:
    offer = make_offer(mturk_hit_id="", worker_origins=[marketplace_stub.origin])
    page = context.new_page()
    page.goto(marketplace_stub.frame(work_address(platform_server, offer, marketplace_stub.origin, hitId="H7")))
    expect(page.frames[1].locator("h1")).to_have_text("This HIT is being set up")
    Offer.objects.update(mturk_hit_id="H7")
    page.frames[1].wait_for_selector(".card")


def test_time_at_work_is_counted_for_each_paragraph(open_work: Open, make_write_offer: MakeOffer) -> None:
    work = open_work(make_write_offer(PIER, SEALS))
    work.ask(1, "When?")
    work.mark("1931")
    work.page.wait_for_timeout(2500)  # the page counts whole seconds
    work.part("next").click()
    work.ask(1, "Where?")
    work.mark("June")
    work.submit()
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')")
    first, second = ParagraphWork.objects.order_by("task_paragraph__position").values_list("active_seconds", flat=True)
    assert first > second >= 0
