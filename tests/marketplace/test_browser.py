"""The workers' pages in a real browser, with a requester's page from another site in the frame."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from marketplace.models import Assignment
from supervisor.browser import headless_executable
from tests.pages import assert_accessible, picture

from .conftest import hook, question
from .test_external_submit import fields_of

pytestmark = pytest.mark.browser
expect.set_options(timeout=30_000)  # the machine may be busy with other tests

PAGE = """<!doctype html><html lang="en"><title>Task</title><meta name="viewport" content="width=device-width">
<h1>Which river?</h1><form method="post" action="{submit_to}/mturk/externalSubmit">
<input type="hidden" name="assignmentId" value="{assignment_id}">
<label>Answer <input name="answer"></label> <button {disabled}>Submit</button></form>"""


class RequestersPage(BaseHTTPRequestHandler):
    """The least page that a requester may have: a form that goes where turkSubmitTo says."""

    def do_GET(self):
        query = {name: values[-1] for name, values in parse_qs(urlsplit(self.path).query).items()}
        assignment_id = query.get("assignmentId", "")
        is_preview = assignment_id == "ASSIGNMENT_ID_NOT_AVAILABLE"
        body = PAGE.format(
            submit_to=query.get("turkSubmitTo", ""),
            assignment_id=assignment_id,
            disabled="disabled" if is_preview else "",
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def requesters_page():
    """Its address, on localhost: to a browser another site than the marketplace on 127.0.0.1."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), RequestersPage)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    yield f"http://localhost:{server.server_port}/task"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    flags += ["--disable-component-update", "--disable-sync", "--test-third-party-cookie-phaseout"]
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=headless_executable(), args=flags)
        yield running
        running.close()


@pytest.fixture(params=[1280, 390], ids=["wide", "phone"])
def width(request):
    return request.param


@pytest.fixture
def page(browser, width):
    context = browser.new_context(viewport={"width": width, "height": 800})
    opened = context.new_page()
    errors = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    yield opened
    context.close()
    assert [line for line in errors if "favicon" not in line] == []


@pytest.fixture
def account(requester):
    return hook("worker", standing={"approved": 5000, "percent": 99, "country": "US"})


def sign_in(page, site, account):
    page.goto(f"{site.url}/signin/")
    page.get_by_label("User name").fill(account["username"])
    page.get_by_label("Password").fill(account["password"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Find work")).to_be_visible()


def work_in_frame(page, answer: str, *, by_keyboard: bool = False):
    """Fill and submit. After a picture of the whole page a click in a frame from another site may go astray, as the
    page had another size for a moment: use the keyboard there."""
    frame = page.frame_locator("iframe[data-frame]")
    field = frame.get_by_label("Answer")
    field.fill(answer)
    if by_keyboard:
        field.press("Enter")
    else:
        frame.get_by_role("button", name="Submit").click()


@pytest.mark.parametrize("sandbox", ["allow-scripts allow-forms allow-same-origin", "allow-scripts allow-forms"])
def test_a_worker_previews_accepts_submits_and_goes_on(
    page, site, requester, account, requesters_page, settings, sandbox
):
    settings.MARKETPLACE_FRAME_SANDBOX = sandbox
    hit_type = requester.hit_type(Title="Name the river")
    hits = [requester.hit(hit_type, Question=question(f"{requesters_page}?batch=1")) for _ in range(3)]
    sign_in(page, site, account)
    page.get_by_role("link", name="Name the river", exact=True).click()
    frame = page.frame_locator("iframe[data-frame]")
    expect(frame.get_by_role("heading", name="Which river?")).to_be_visible()
    expect(frame.get_by_role("button", name="Submit")).to_be_disabled()
    page.get_by_role("button", name="Accept and work").click()
    expect(frame.get_by_role("button", name="Submit")).to_be_enabled()
    expect(page.get_by_role("button", name="next HIT")).to_have_count(0)  # nothing was submitted yet
    work_in_frame(page, "the Ilve")
    expect(page.get_by_role("heading", name="Submitted")).to_be_visible()
    page.get_by_role("button", name="Accept the next HIT of this group").click()
    page.get_by_label("Accept the next HIT when I have submitted").check()
    work_in_frame(page, "the Elsen")
    expect(page.locator(f"[data-hit-id='{hits[2]['HITId']}']")).to_be_visible()
    expect(page.get_by_label("Accept the next HIT when I have submitted")).to_be_checked()
    page.get_by_role("button", name="Return this HIT").click()
    expect(page.get_by_text("Returned. Another worker can take it now")).to_be_visible()
    answers = [fields_of(requester.submitted(hit)[0]["Answer"]) for hit in hits[:2]]
    assert answers == [{"answer": "the Ilve"}, {"answer": "the Elsen"}]
    assert requester.counters(hits[2]) == ("Assignable", 1, 0, 0)


def test_without_javascript_the_same_work_is_done(browser, site, requester, account, requesters_page):
    hits = [requester.hit(requester.hit_type(Title="No scripts"), Question=question(requesters_page))]
    hits.append(requester.hit(hits[0]["HITTypeId"], Question=question(requesters_page)))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, site, account)
    page.get_by_role("button", name="Accept and work").click()
    work_in_frame(page, "the Ilve")
    expect(page.frame_locator("iframe[data-frame]").get_by_role("heading", name="Submitted")).to_be_visible()
    expect(page.get_by_text("When the page above says that your work was submitted:")).to_be_visible()
    page.get_by_role("button", name="I have submitted: next HIT").click()
    expect(page.locator(f"[data-hit-id='{hits[1]['HITId']}']")).to_be_visible()
    context.close()


def test_the_login_may_end_while_the_frame_is_open(page, site, requester, account, requesters_page):
    hit = requester.hit(Question=question(requesters_page))
    sign_in(page, site, account)
    page.get_by_role("button", name="Accept and work").click()
    expect(page.frame_locator("iframe[data-frame]").get_by_label("Answer")).to_be_visible()
    page.context.clear_cookies()
    work_in_frame(page, "the Ilve")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert fields_of(requester.submitted(hit)[0]["Answer"]) == {"answer": "the Ilve"}
    page.get_by_label("User name").fill(account["username"])
    page.get_by_label("Password").fill(account["password"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Submitted")).to_be_visible()


def test_every_page_is_accessible_and_fits(page, site, requester, account, requesters_page, width):
    rules = [{"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThan", "IntegerValues": [10000]}]
    closed = requester.hit_type(
        Title="For workers of long standing " + "with a title as long as titles may be " * 2,
        QualificationRequirements=rules,
        Reward="12.00",
        AssignmentDurationInSeconds=5400,
    )
    requester.hit(closed, MaxAssignments=5)
    open_type = requester.hit_type(Title="Name the river", Description="Read a paragraph, then name the river. " * 5)
    hits = [requester.hit(open_type, Question=question(requesters_page)) for _ in range(5)]

    def look(name, page=page):
        assert_accessible(page)
        picture(page, f"marketplace/{name}-{width}")

    page.goto(f"{site.url}/")
    look("home")
    page.goto(f"{site.url}/signin/")
    page.get_by_label("User name").fill("nobody")
    page.get_by_label("Password").fill("nothing")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    look("signin")
    sign_in(page, site, account)
    look("projects")
    nowhere = page.context.new_page()  # its console tells of the 404
    nowhere.goto(f"{site.url}/nowhere/")
    look("not-found", nowhere)
    page.goto(f"{site.url}/projects/?q=nothing-like-it")
    look("projects-empty")
    page.goto(f"{site.url}/earnings/")
    look("earnings-empty")
    page.goto(f"{site.url}/projects/{hits[0]['HITGroupId']}/tasks")
    look("preview")
    for number in range(3):
        page.goto(f"{site.url}/projects/?q=river")
        page.get_by_role("button", name="Accept and work").click()
        if not number:
            look("work")
        work_in_frame(page, "the Ilve", by_keyboard=True)
        expect(page.get_by_role("heading", name="Submitted")).to_be_visible()
    look("done")
    ids = list(Assignment.objects.order_by("id").values_list("assignment_id", flat=True))
    requester.mturk.approve_assignment(AssignmentId=ids[0], RequesterFeedback="Thank you, that was clear.")
    requester.mturk.reject_assignment(AssignmentId=ids[1], RequesterFeedback="The answer is a lake and not a river.")
    page.get_by_role("button", name="Accept the next HIT of this group").click()
    page.goto(f"{site.url}/tasks/")
    look("your-work")
    page.goto(f"{site.url}/earnings/")
    look("earnings")
