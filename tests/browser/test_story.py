"""The story as people live it: a requester in the admin, four workers at the marketplace, and a file at the end.

Nothing here sets state: people click, drag and type; jobs run in a real Celery worker; third-party cookies are blocked.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from supervisor.stack import Stack
from tests.browser.worker import WorkPage

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

PASSWORD = "words that only this test knows"
PASSAGES = {
    "Gell_Pass": (
        "The Gell Pass tunnel was cut by hand between 1864 and 1870, and two of its nine shafts are still open to the "
        "sky. Before it was opened, coaches needed most of a day to cross the ridge, and in hard winters the road was "
        "closed from December until the first thaw. The engineer, Ida Rosk, had surveyed the line on foot. She chose "
        "the western slope because its rock was firm, although the route was longer by three miles. Trains still use "
        "the tunnel, but the station at its eastern end has been a museum since 1981."
    ),
    "Lake_Orra": (
        "Lake Orra froze over in 1907. Ten years later, in 1917, it froze again, and the ice of 1907 was thicker than "
        "the ice of 1917 by 7 centimetres. Fishermen crossed it with sledges, and a fair was held on the ice for three "
        "days. Since then the lake has stayed open in every winter, which the people of Elsen put down to the power "
        "station on the south shore. Its warm water is let into the bay, where herons now stay all the year round and "
        "where the first fishing boats of every spring are launched in March."
    ),
}
# Who asks what about which passage, and the answer that they mark.
ASKED = {
    "Gell_Pass": [
        ("Who walked the whole line to measure it?", "Ida Rosk"),
        ("What is the old station today?", "museum"),
    ],
    "Lake_Orra": [("Which birds spend the winter there?", "herons")],
}
SANDBOXES = {
    "own-origin": "allow-scripts allow-forms allow-same-origin",
    "opaque-origin": "allow-scripts allow-forms",
}


@pytest.fixture(params=SANDBOXES.values(), ids=SANDBOXES.keys())
def stack(request, open_folder):
    settings = {"SYNC_SECONDS": "1", "SWEEP_SECONDS": "2", "MARKETPLACE_FRAME_SANDBOX": request.param}
    # The first makes its databases by itself, as on a new machine.
    external = request.getfixturevalue("migrated_databases") if request.param_index else {}
    folder = open_folder / f"stack-{request.param_index}"
    with Stack(folder, test_hooks=False, settings=settings, external=external) as stack:
        stack.manage(
            *("createsuperuser", "--no-input", "--username", "ada", "--email", ""),
            env={"DJANGO_SUPERUSER_PASSWORD": PASSWORD},
        )
        stack.create_workers([f"worker-{number}" for number in range(1, 5)], PASSWORD)
        yield stack


@dataclass
class Worker:
    """A worker at the marketplace, signed in."""

    page: Page
    url: str
    name: str

    def sign_in(self) -> None:
        self.page.goto(f"{self.url}/signin/")
        self.page.get_by_label("User name").fill(self.name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_role("heading", name="Find work")).to_be_visible()

    def groups(self) -> list[str]:
        """The titles of the HITs on the list."""
        self.page.goto(f"{self.url}/projects/")
        return self.page.locator("article h2").all_inner_texts()

    def accept(self) -> WorkPage:
        self.page.goto(f"{self.url}/projects/")
        self.page.get_by_role("button", name="Accept and work").first.click()
        return self.framed()

    def framed(self) -> WorkPage:
        """The work page in the marketplace's frame, once it is the one that stays."""
        frame = self.page.wait_for_selector("[data-frame]").content_frame()
        frame.wait_for_load_state("load")
        frame.wait_for_selector(".card")
        return WorkPage(self.page, frame)

    def sign_out_elsewhere(self) -> None:
        """Sign out in another tab of the same browser."""
        tab = self.page.context.new_page()
        tab.goto(f"{self.url}/tasks/")
        tab.get_by_role("button", name="Sign out").click()
        expect(tab.get_by_role("link", name="Sign in").first).to_be_visible()
        tab.close()

    def sign_in_again(self) -> None:
        """The submission arrived; the page around it asks for the sign-in that had ended."""
        self.page.wait_for_url("**/signin/**", timeout=20_000)
        self.sign_in()
        self.page.goto(f"{self.url}/tasks/")
        expect(self.page.locator("tr[data-status=submitted]")).to_have_count(1)

    def wait_until_submitted(self) -> None:
        expect(self.page.locator("[data-assignment-status=submitted]")).to_be_visible(timeout=20_000)


class Requester:
    """The requester's browser, in the admin and on the pages that lead on from it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        page.goto(f"{url}/admin/")
        page.locator("input[name=username]").fill("ada")
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("button[type=submit], input[type=submit]").first.click()
        page.wait_for_url("**/admin/**")

    def create_project(self) -> None:
        self.page.goto(f"{self.url}/admin/annotation/project/add/")
        self.page.get_by_label("Name").fill("Story")
        self.page.get_by_label("Spending cap, USD").fill("50")
        self.page.get_by_role("button", name="Create the project").click()
        expect(self.page.get_by_role("heading", name="Story").first).to_be_visible()
        self.home = self.page.url

    def put_everything_into_dev(self) -> None:
        self.page.goto(self.home)
        self.page.get_by_role("link", name="Settings").click()
        for field, percent in {"train_percent": "0", "dev_percent": "100", "test_percent": "0"}.items():
            self.page.locator(f"input[name={field}]").fill(percent)
        self.page.get_by_role("button", name="Save", exact=True).click()

    def import_passages(self, file: Path) -> None:
        self.page.goto(self.home)
        self.page.get_by_role("link", name=re.compile("^Import (passages|a file)$")).first.click()
        self.page.locator("input[name=file]").set_input_files(file)
        self.page.get_by_role("button", name="Import the file").click()
        expect(self.page.get_by_text("2 taken of 2.")).to_be_visible()

    def launch(self, kind: str, total: str) -> None:
        self.page.goto(self.home)
        self.page.get_by_role("link", name="New batch").last.click()
        self.page.get_by_label(kind, exact=True).check()
        expect(self.page.locator("[data-total]")).to_have_attribute("data-total", total)
        self.page.get_by_role("button", name="Launch").click()
        # The page shows by itself how the HITs appear.
        expect(self.page.locator("[data-published]")).to_have_attribute("data-published", "2", timeout=30_000)
        self.batch = self.page.url

    def wait_for_submissions(self, count: int) -> None:
        self.page.goto(self.batch)
        expect(self.page.locator("[data-submitted]")).to_have_attribute("data-submitted", str(count), timeout=30_000)

    def open_queue(self) -> None:
        self.page.goto(f"{self.url}/review/story/")

    def approve_first(self) -> None:
        """Look at the first piece of work and approve it there."""
        self.open_queue()
        self.page.locator("table.queue tbody th a").first.click()
        expect(self.page.locator(".paragraph mark, .paragraph .mark").first).to_be_visible()
        self.page.get_by_role("button", name=re.compile("^Approve")).click()

    def approve_rest(self) -> None:
        """Approve whatever else waits, in bulk."""
        self.open_queue()
        self.page.get_by_role("link", name=re.compile("^Approve all waiting")).click()
        self.page.get_by_role("button", name=re.compile("^Approve .* and pay")).click()
        expect(self.page.get_by_role("status")).to_contain_text("Approved")
        # Several wait a while to be taken back; nobody wants to here.
        tell = self.page.get_by_role("button", name="Tell the marketplace now")
        if tell.count():
            tell.click()

    def wait_until_spent(self, usd: str) -> None:
        self.page.goto(self.batch)
        expect(self.page.locator("[data-spent]")).to_have_attribute("data-spent", usd, timeout=60_000)


def test_from_passages_to_a_dataset(stack, new_context, pictures, tmp_path):
    passages = tmp_path / "passages.jsonl"
    passages.write_text(
        "".join(json.dumps({"title": title, "paragraphs": [text]}) + "\n" for title, text in PASSAGES.items())
    )
    requester = Requester(new_context().new_page(), stack.platform_url)
    requester.create_project()
    requester.put_everything_into_dev()
    requester.import_passages(passages)
    pictures(requester.page, "story-import")
    # Two HITs of one paragraph: 4 minutes at $9 an hour, and a fee of 20 %.
    requester.launch("write questions", "1.44")
    pictures(requester.page, "story-batch")

    workers = []
    for number in range(1, 5):
        worker = Worker(new_context().new_page(), stack.marketplace_url, f"worker-{number}")
        worker.sign_in()
        workers.append(worker)
    pictures(workers[0].page, "story-list")
    write(workers[0], pictures)
    # Their session at the marketplace ends while the frame is open; autosave and submission need none.
    write(workers[1], pictures, before_marking=workers[1].sign_out_elsewhere, after_submitting=workers[1].sign_in_again)

    requester.wait_for_submissions(2)
    requester.approve_first()
    pictures(requester.page, "story-review")
    requester.approve_rest()
    requester.wait_until_spent("1.44")
    requester.page.goto(requester.home)
    pictures(requester.page, "story-project")
    # Two answers for each of three questions: HITs of two and of one question, 24 seconds each.
    requester.launch("answer questions", "0.42")
    assert [worker.groups() for worker in workers[:2]] == [[], []], "writers see no HIT that asks for answers"
    for worker in workers[2:]:
        for _ in range(2):
            answer(worker, pictures)
    requester.wait_for_submissions(4)
    requester.approve_rest()
    requester.wait_until_spent("0.42")

    requester.page.goto(f"{stack.platform_url}/agreement/story/?split=dev")
    expect(requester.page.locator(".headline")).to_contain_text("3")
    expect(requester.page.locator(".headline")).to_contain_text("100")
    pictures(requester.page, "story-agreement")
    assert exported(requester, stack) == wanted()


def write(worker: Worker, pictures, before_marking=lambda: None, after_submitting=None) -> None:
    work = worker.accept()
    before_marking()
    title = next(title for title, text in PASSAGES.items() if text == work.passage.text_content())
    for number, (question, marked) in enumerate(ASKED[title], start=1):
        work.ask(number, question)
        work.mark(marked)
        assert marked in work.answer(number)
    work.wait_until_saved()
    pictures(worker.page, f"story-write-{title}")
    if after_submitting is None:
        worker.page.reload()
        work = worker.framed()  # nothing is lost
    assert [text for _, text in work.marks()] == [marked for _, marked in sorted_by_place(title)]
    work.submit()
    (after_submitting or worker.wait_until_submitted)()


def sorted_by_place(title: str) -> list[tuple[str, str]]:
    return sorted(ASKED[title], key=lambda asked: PASSAGES[title].index(asked[1]))


def answer(worker: Worker, pictures) -> None:
    work = worker.accept()
    title = next(title for title, text in PASSAGES.items() if text == work.passage.text_content())
    for number, (_, marked) in enumerate(ASKED[title], start=1):
        work.card(number).click()
        work.mark(marked)
        assert marked in work.answer(number)
    work.wait_until_saved()
    pictures(worker.page, f"story-answer-{title}")
    work.submit()
    worker.wait_until_submitted()


def exported(requester: Requester, stack: Stack) -> list[tuple[str, str, list[tuple[int, str]]]]:
    """The downloaded dev file: title, question, answers with their places."""
    requester.page.goto(f"{stack.platform_url}/release/story/")
    with requester.page.expect_download() as download:
        requester.page.locator('a[href*="dev-v1.1.json"], button:has-text("dev-v1.1.json")').first.click()
    data = json.loads(Path(download.value.path()).read_text())["data"]
    return sorted(
        (article["title"], qa["question"], [(one["answer_start"], one["text"]) for one in qa["answers"]])
        for article in data
        for paragraph in article["paragraphs"]
        for qa in paragraph["qas"]
    )


def wanted() -> list[tuple[str, str, list[tuple[int, str]]]]:
    return sorted(
        (title, question, [(PASSAGES[title].index(marked), marked)] * 3)
        for title, asked in ASKED.items()
        for question, marked in asked
    )
