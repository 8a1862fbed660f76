"""A project's dashboard in a real browser: on a desk and on a phone, brought up to date by itself, and by axe."""

import pytest
from playwright.sync_api import expect

from annotation.models import Membership
from tests.annotation.factories import PASSWORD, make_member, make_paragraph, make_project, make_question, make_worker
from tests.pages import assert_accessible
from tests.reviewer.factories import CASTLE, make_split, make_written

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def project(db):
    project = make_project(name="Weather and castles", slug="weather")
    make_split(project, "train", ["61 m"], title="Brann Castle")
    make_split(project, "dev", ["1340", "the year 1340", "1340"], ["61 m", "61 m"], text=f"{CASTLE} Dev.", title="Ilve")
    good, bad = make_worker(), make_worker()
    for status in ("approved", "approved", "approved", "rejected", "rejected"):
        make_written(project, status="approved", worker=good)
        make_written(project, status=status, worker=bad)
    return project


@pytest.fixture
def open_page(new_context, platform_server, project):
    def as_viewer(**options):
        user = make_member(project, Membership.Role.VIEWER)
        page = new_context(**options).new_page()
        page.clock.install()
        page.goto(f"{platform_server}/admin/login/?next=/dashboard/weather/")
        page.locator("input[name=username]").fill(user.username)
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("input[name=password]").press("Enter")
        page.wait_for_url("**/dashboard/weather/")
        return page

    return as_viewer


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_is_accessible_and_needs_no_sideways_scrolling(open_page, pictures, width):
    page = open_page(width=width)
    expect(page.get_by_role("heading", name="Weather and castles at a glance")).to_be_visible()
    pictures(page, f"dashboard-{width}")
    assert_accessible(page, f"dashboard {width}")


def test_the_page_brings_itself_up_to_date_but_not_under_somebody_at_work_in_it(open_page, project):
    page = open_page()
    make_question(make_paragraph(project), text="Who built it?")
    link = page.get_by_role("link", name="Ledger")
    link.focus()
    page.clock.run_for(31_000)
    expect(page.get_by_role("img", name="who built", exact=False)).to_have_count(0)
    link.blur()
    page.clock.run_for(31_000)
    expect(page.get_by_role("img", name="who built", exact=False)).to_have_count(1)
