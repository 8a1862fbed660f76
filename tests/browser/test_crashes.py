"""What a worker typed and marked survives a server, a tab and a browser that are killed, at the worst of moments.

The server is the platform under gunicorn, killed as by a power cut (SIGKILL, its workers too) and started again.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

import psutil
import pytest
from django.db import connection, models, transaction
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, Route, expect

from annotation.models import Answer, Assignment, Draft, Question
from supervisor.browser import executable
from supervisor.ports import Listener
from supervisor.servers import Postgres
from supervisor.sites import PLATFORM, Site
from tests.browser.conftest import ARGUMENTS, NewContext
from tests.browser.stub import NO_ORIGIN, SANDBOX, MarketplaceStub
from tests.browser.work_fixtures import MakeOffer, Open
from tests.browser.worker import WorkPage, open_frame, ready, work_address

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

# A request of the platform that waits for a lock which the test holds.
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"


class Platform:
    """The platform on this run's database, which can be killed and started again at the same address."""

    def __init__(self, postgres: Postgres, folder: Path) -> None:
        self.postgres, self.folder, self.port = postgres, folder, 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        listener = Listener.open(self.port)
        self.port = listener.port
        env = {"DATABASE_URL": self.postgres.url(connection.settings_dict["NAME"]), "PLATFORM_URL": self.url}
        self.site = Site.start(PLATFORM, listener, folder=self.folder, env=env, processes=1)
        self.site.wait()

    def kill(self) -> None:
        """End it; nothing of it listens any more when this returns."""
        workers = psutil.Process(self.site.child.pid).children(recursive=True)
        self.site.child.kill()
        _gone, alive = psutil.wait_procs(workers, timeout=10)
        assert alive == []

    @contextmanager
    def held_up(self, rows: type[models.Model]) -> Iterator[None]:
        """Nobody else can change ``rows`` meanwhile: requests that want to are under way until the end."""
        with transaction.atomic():
            assert rows.objects.select_for_update().exists()  # type: ignore[attr-defined]
            yield

    def wait_for_a_request(self, page: Page) -> None:
        """Wait until a request is in the middle of its work."""
        for _try in range(200):
            with connection.cursor() as cursor:
                cursor.execute(WAITING)
                if cursor.fetchone() != (0,):
                    return
            page.wait_for_timeout(50)
        pytest.fail("No request came to the rows that are held.")


@pytest.fixture(scope="module")
def platform(django_db_setup: None, postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    started = Platform(postgres, tmp_path_factory.mktemp("platform"))
    yield started
    started.site.stop()


@pytest.fixture(scope="module")
def platform_server(platform: Platform) -> str:
    return platform.url


@pytest.fixture(autouse=True)
def expect_failed_requests(new_context: NewContext, console_errors: list[str]) -> Iterator[None]:
    """A server that is killed makes requests fail, which the browser writes down; nothing else may go wrong."""
    yield
    console_errors[:] = [error for error in console_errors if "net::ERR_" not in error]


def first_question() -> dict:
    return Draft.objects.get().content["paragraphs"][0]["questions"][0]


def type_at_end(work: WorkPage, text: str) -> None:
    work.field(1).click()
    work.press("End")
    work.page.keyboard.type(text)


def test_a_server_killed_in_the_middle_of_an_autosave_is_waited_for_and_nothing_is_lost(
    platform: Platform, open_work: Open, make_write_offer: MakeOffer
) -> None:
    work = open_work(make_write_offer())
    work.ask(1, "Before,")
    work.wait_until_saved()
    with platform.held_up(Draft):
        work.page.keyboard.type(" in the middle,")
        platform.wait_for_a_request(work.page)
        platform.kill()
        expect(work.part("notice")).to_be_visible()
        expect(work.part("saved")).to_contain_text("not saved yet")
    type_at_end(work, " and in the gap?")
    work.mark("1931")
    platform.start()
    work.wait_until_saved()
    expect(work.part("notice")).to_be_hidden()
    expect(work.part("conflict")).to_be_hidden()
    assert (first_question()["text"], first_question()["answer"]["text"]) == (
        "Before, in the middle, and in the gap?",
        "1931",
    )


def test_a_server_that_is_gone_for_a_while_is_asked_ever_less_often_and_gets_the_work_by_itself(
    platform: Platform, open_work: Open, make_write_offer: MakeOffer, context: BrowserContext
) -> None:
    context.clock.install()
    work = open_work(make_write_offer())
    work.ask(1, "Before,")
    work.wait_until_saved()
    context.clock.pause_at(datetime.now() + timedelta(minutes=1))  # from here on the page's time is the test's
    platform.kill()
    work.page.keyboard.type(" in the gap")
    context.clock.run_for(700)  # the pause in typing
    expect(work.part("notice")).to_contain_text("No connection just now. Go on working")
    expect(work.part("saved")).to_have_text("not saved yet")  # the next try is a second away
    for seconds, pause in ((1, "2 s"), (2, "4 s"), (4, "8 s"), (8, "10 s"), (16, "30 s")):
        work.page.keyboard.type(".")  # however much is typed meanwhile
        context.clock.run_for(seconds * 1000)
        expect(work.part("saved")).to_have_text(f"not saved yet, next try in {pause}")
        expect(work.part("notice")).to_be_visible()
    platform.start()
    context.clock.run_for(30_000)
    work.wait_until_saved()
    expect(work.part("notice")).to_be_hidden()
    assert first_question()["text"] == "Before, in the gap....."


def test_a_reload_while_the_server_is_down_brings_the_work_once_it_is_up_where_the_page_may_store(
    platform: Platform, context: BrowserContext, marketplace_stub: MarketplaceStub, make_write_offer: MakeOffer
) -> None:
    page = context.new_page()
    address = work_address(platform.url, make_write_offer(), marketplace_stub.origin)
    page.goto(address)  # the first party may store
    work = ready(page)
    work.ask(1, "Saved,")
    work.wait_until_saved()
    platform.kill()
    page.keyboard.type(" and typed with nobody there?")
    expect(work.part("notice")).to_be_visible()
    with pytest.raises(Error, match="net::ERR_"):
        page.reload()
    page.close()  # Chromium would reload it in its own time, and two tabs would be at it at once
    platform.start()
    page = context.new_page()
    page.goto(address)
    work = ready(page)
    expect(work.field(1)).to_have_value("Saved, and typed with nobody there?")
    work.wait_until_saved()
    assert first_question()["text"] == "Saved, and typed with nobody there?"


def test_a_server_killed_before_it_has_stored_the_work_gets_it_again(
    platform: Platform, open_work: Open, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub
) -> None:
    work = ready_to_submit(open_work, make_write_offer)
    with platform.held_up(Assignment):
        work.submit()
        platform.wait_for_a_request(work.page)
        platform.kill()
        expect(work.part("notice")).to_be_visible()
    assert Question.objects.count() == 0
    platform.start()
    arrived_once(work, marketplace_stub)


def test_a_server_killed_after_it_has_stored_the_work_does_not_store_it_again(
    platform: Platform, open_work: Open, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub
) -> None:
    work = ready_to_submit(open_work, make_write_offer)

    def kill_before_the_answer(route: Route) -> None:
        route.fetch()
        platform.kill()
        route.abort("connectionreset")

    work.page.route("**/api/v1/work/finish*", kill_before_the_answer, times=1)
    work.submit()
    expect(work.part("notice")).to_be_visible()
    assert Question.objects.count() == 1
    platform.start()
    arrived_once(work, marketplace_stub)


def ready_to_submit(open_work: Open, make_write_offer: MakeOffer) -> WorkPage:
    work = open_work(make_write_offer())
    work.ask(1, "When did it end?")
    work.mark("1931")
    work.wait_until_saved()
    return work


def arrived_once(work: WorkPage, stub: MarketplaceStub) -> None:
    work.page.frames[1].wait_for_selector("h1:text-is('Submitted')", timeout=30_000)
    assert list(Question.objects.values_list("text", flat=True)) == ["When did it end?"]
    assert list(Answer.objects.values_list("text", flat=True)) == ["1931"]
    assert len(stub.submitted) == 1


@pytest.mark.parametrize("sandbox", [SANDBOX, NO_ORIGIN], ids=["with storage", "without storage"])
def test_a_tab_that_crashes_is_opened_again_with_all_that_was_saved(
    open_work: Open, make_write_offer: MakeOffer, browser: Browser, marketplace_stub: MarketplaceStub, sandbox: str
) -> None:
    offer = make_write_offer()
    work = open_work(offer, sandbox)
    work.ask(1, "When did it end?")
    work.mark("1931")
    work.wait_until_saved()
    session = browser.new_browser_cdp_session()

    def renderers() -> set[int]:
        found = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return {process["id"] for process in found if process["type"] == "renderer"}

    killed = renderers()
    with work.page.expect_event("crash"):
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
    for _look in range(200):  # one that Chromium believes alive might be given the next tab
        if not killed & renderers():
            break
        time.sleep(0.05)
    assert not killed & renderers()
    again = open_work(offer, sandbox)
    expect(again.field(1)).to_have_value("When did it end?")
    assert again.marks() == [("1", "1931")]
    again.submit()
    arrived_once(again, marketplace_stub)


def test_a_browser_that_is_killed_restores_its_tabs_and_the_work_in_them(
    platform: Platform, playwright: Playwright, make_write_offer: MakeOffer, marketplace_stub: MarketplaceStub,
    tmp_path: Path,
) -> None:  # fmt: skip
    profile = tmp_path / "profile"
    (profile / "Default").mkdir(parents=True)
    settings = {"session": {"restore_on_startup": 1}, "profile": {"exit_type": "Normal"}}  # "continue where I left off"
    (profile / "Default" / "Preferences").write_text(json.dumps(settings))

    def open_browser(**options: list[str]):
        return playwright.chromium.launch_persistent_context(
            profile, executable_path=executable(), args=[*ARGUMENTS, "--hide-crash-restore-bubble"], **options
        )

    killed = open_browser()
    address = work_address(platform.url, make_write_offer(), marketplace_stub.origin)
    work = open_frame(killed.pages[0], marketplace_stub, address)
    work.ask(1, "When did it end?")
    work.mark("1931")
    work.wait_until_saved()
    work.page.wait_for_timeout(3000)  # Chromium writes its tabs down after two and a half seconds
    main_process(profile).kill()
    with suppress(Error):  # it is gone
        killed.close()
    restored = open_browser(ignore_default_args=["about:blank"])
    restored.pages[0].wait_for_selector("iframe")
    work = ready(restored.pages[0])
    expect(work.field(1)).to_have_value("When did it end?")
    assert work.marks() == [("1", "1931")]
    work.submit()
    arrived_once(work, marketplace_stub)
    restored.close()


def main_process(profile: Path) -> psutil.Process:
    """The browser of ``profile``, which has started all its other processes."""
    for process in psutil.Process().children(recursive=True):
        command = process.cmdline()
        if f"--user-data-dir={profile}" in command and not any(part.startswith("--type=") for part in command):
            return process
    raise AssertionError("The browser does not run.")
