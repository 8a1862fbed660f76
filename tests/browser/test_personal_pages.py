"""The pages about a worker's data in a real browser: found, given their record, erased; and what axe says of each."""

import json

import pytest
from playwright.sync_api import expect

from annotation.models import Membership, Worker
from hits import endpoints
from tests.annotation.factories import PASSWORD, make_member, make_project, make_worker
from tests.pages import assert_accessible
from tests.reviewer.factories import make_written

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_worker_who_writes_is_found_given_their_record_and_erased(
    new_context, platform_server, width, pictures, console_errors
):
    project = make_project(name="Weather and castles", slug="weather")
    worker = make_worker(endpoint=next(iter(endpoints.all_endpoints())), mturk_worker_id="A1FZ0NNQRT7XK2")
    make_written(project, status="approved", worker=worker)
    make_member(project, Membership.Role.REQUESTER, "anna")
    page = new_context(width=width).new_page()
    page.goto(f"{platform_server}/admin/login/?next=/privacy/weather/")
    page.locator("input[name=username]").fill("anna")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Personal data")
    page.get_by_label("Their worker id there").fill("SOMEBODY")
    page.get_by_role("button", name="Find them").click()
    expect(page.get_by_role("alert")).to_contain_text("Nobody of that id has worked in this project")
    console_errors[:] = [error for error in console_errors if "status of 422" not in error]
    assert_accessible(page)
    page.get_by_label("Their worker id there").fill("A1FZ0NNQRT7XK2")
    page.get_by_role("button", name="Find them").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"What is kept about worker {worker.pk}")
    assert_accessible(page)
    pictures(page, f"worker-data-{width}")
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download the record").click()
    record = json.loads(downloading.value.path().read_text())
    assert [one["project"] for one in record["assignments"]] == ["Weather and castles"]
    page.get_by_label("Who asked, and when").fill("By letter of 3 March")
    page.get_by_label("The worker's number, to confirm").fill(str(worker.pk))
    page.get_by_role("button", name=f"Erase worker {worker.pk} for good").click()
    expect(page.get_by_role("button", name="Erase worker")).to_have_count(0)
    assert_accessible(page)
    page.get_by_role("link", name="← Personal data").click()
    expect(page.get_by_role("cell", name="By letter of 3 March")).to_be_visible()
    assert_accessible(page)
    pictures(page, f"personal-data-{width}")
    for link, words in (("Who looked", "a worker's record, downloaded"), ("Who changed what", "Added: member anna")):
        page.get_by_role("link", name=link, exact=True).click()
        expect(page.get_by_text(words)).to_be_visible()
        assert_accessible(page)
        pictures(page, f"{link.lower().replace(' ', '-')}-{width}")
        page.get_by_role("link", name="← Personal data").click()
    assert Worker.objects.get(pk=worker.pk).mturk_worker_id == ""
    assert console_errors == []
