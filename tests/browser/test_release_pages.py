"""The pages of releases in a real browser: made from the form, watched, fetched; and what axe says of each."""

import threading

import pytest
from django.db import connection
from playwright.sync_api import expect

from annotation.models import Membership
from reviewer import tasks
from reviewer.models import ReleaseRun
from reviewer.services import release_runs
from reviewer.services.release_reading import ReleaseSpec
from reviewer.services.verdicts import give_verdict
from tests.annotation.factories import PASSWORD, make_member, make_project
from tests.pages import assert_accessible, follow
from tests.reviewer.factories import CASTLE, make_split

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def releases_dir(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"


@pytest.fixture
def project(db):
    project = make_project(name="Weather and castles", slug="weather")
    make_split(project, "train", ["61 m"], title="Brann Castle")
    make_split(project, "dev", ["1340", "the year 1340", "1340"], ["61 m"], text=f"{CASTLE} Dev.", title="Ilve")
    make_split(project, "test", ["the Crown"] * 3, text=f"{CASTLE} Test.", title="Abbot Ruad")
    return project


@pytest.fixture
def sign_in(new_context, platform_server, project):
    def as_requester(**options):
        user = make_member(project, Membership.Role.REQUESTER, "anna")
        page = new_context(**options).new_page()
        page.goto(f"{platform_server}/admin/login/?next=/releases/weather/")
        page.locator("input[name=username]").fill(user.username)
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("input[name=password]").press("Enter")
        page.wait_for_url("**/releases/weather/")
        return page

    return as_requester


def job(run_id):
    """Does what a worker of the jobs does, in a thread, as Playwright holds this one's event loop."""

    def work():
        try:
            tasks.make_release(run_id)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_release_is_made_from_the_form_watched_and_fetched(
    sign_in, project, width, pictures, monkeypatch, platform_server, console_errors
):
    monkeypatch.setattr(tasks.make_release, "delay", lambda _id: None)
    page = sign_in(width=width)

    def check(name):
        pictures(page, f"releases-{name}-{width}")
        assert_accessible(page, name)

    check("none")
    page.get_by_label("What is to be said of this version").fill("For the shared task")
    page.get_by_label("Least answers").fill("0")
    page.get_by_label("under pseudonyms").check()
    page.get_by_label("Hold the answers of test back").check()
    page.locator("form.choices").evaluate("form => form.noValidate = true")
    follow(page, page.get_by_role("button", name="Make the release"))
    expect(page.get_by_role("alert")).to_contain_text("cannot be used")
    check("refused")
    console_errors[:] = [error for error in console_errors if "status of 422" not in error]
    page.get_by_label("Least answers").fill("1")
    follow(page, page.get_by_role("button", name="Make the release"))
    expect(page.get_by_role("status")).to_contain_text("waits for its turn")
    check("waiting")
    job(ReleaseRun.objects.get().pk)
    expect(page.get_by_role("status")).to_contain_text("Release 1 is made.")
    expect(page.get_by_role("button", name="Give it up")).to_have_count(0)
    check("made")
    follow(page, page.get_by_role("link", name="Look at it"))
    with page.expect_download() as fetched:
        page.get_by_role("link", name="Download all files").click()
    assert fetched.value.suggested_filename == "weather-1.zip"
    with page.expect_download() as fetched:
        page.get_by_role("button", name="Download the answers of test").click()
    assert fetched.value.suggested_filename == "weather-1-test-key.jsonl"
    page.reload()
    expect(page.get_by_text("Nobody has fetched them.")).to_have_count(0)
    check("version")
    reviewer = make_member(project, Membership.Role.REVIEWER, "ben")
    give_verdict(project.questions.get(public_id="dev-0").answers.get(position=0), "drop", reviewer)
    give_verdict(project.questions.get(public_id="train-0"), "drop", reviewer)
    release_runs.release(project, spec=ReleaseSpec(holds_back_test=True))
    follow(page, page.get_by_role("link", name="Check the files"))
    expect(page.get_by_text("all as they were released")).to_be_visible()
    check("check")
    page.goto(f"{platform_server}/releases/weather/")
    check("list")
    follow(page, page.get_by_role("link", name="1 removed, 1 changed"))
    expect(page.get_by_role("heading", name="From release 1 to 2")).to_be_visible()
    check("changes")
