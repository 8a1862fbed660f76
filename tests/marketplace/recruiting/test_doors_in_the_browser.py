"""The doors in a real browser: one whole visit of a panel's participant, a sign-up, and how the pages look."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from marketplace import clock
from marketplace.recruiting.models import Terms
from marketplace.recruiting.services import invitations
from marketplace.services import accounts
from tests.pages import assert_accessible, follow, picture

from ..conftest import hook, question
from ..test_browser import browser, page, requesters_page, sign_in, width, work_in_frame

__all__ = ["browser", "page", "requesters_page", "width"]  # fixtures
pytestmark = pytest.mark.browser


class PanelsPage(BaseHTTPRequestHandler):
    """Where the panel wants its participants back."""

    def do_GET(self):
        body = f"<!doctype html><title>Panel</title><h1>Thanks</h1><p>{self.path}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def panels_page():
    server = ThreadingHTTPServer(("127.0.0.1", 0), PanelsPage)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def look(width):
    """Check the page and keep a picture of it."""

    def take(page, name: str) -> None:
        assert_accessible(page)
        picture(page, f"recruiting/{name}-{width}")

    return take


def test_a_participant_comes_does_the_study_and_goes_back(
    page, site, requester, requesters_page, panels_page, new_panel, new_study, look
):
    hit_type = requester.hit_type(Title="Name the river", Description="Read a paragraph, then name the river.")
    hits = [requester.hit(hit_type, Question=question(requesters_page), MaxAssignments=5) for _ in range(3)]
    requester.hit(requester.hit_type(Title="Something else"), Question=question(requesters_page))
    study = new_study(hits[0], hits_wanted=2, complete_url=f"{panels_page}/done?cc={{code}}&s={{session}}")
    Terms.objects.create(text="You may stop at any time.\n\nWhat you write is published.", created_at=clock.now())
    link = f"{site.url}/study/{study.key}/?PROLIFIC_PID=60aa&STUDY_ID=80cc&SESSION_ID=70bb"
    page.goto(link)
    look(page, "study")
    page.get_by_role("button", name="I agree: start").click()
    expect(page.get_by_text("0 of 2 submitted.")).to_be_visible()
    expect(page.get_by_text("Something else")).to_have_count(0)
    look(page, "visit")
    page.get_by_role("button", name="Accept and work").click()
    page.get_by_label("Accept the next HIT when I have submitted").check()
    work_in_frame(page, "the Ilve")
    expect(page.frame_locator("iframe[data-frame]").get_by_label("Answer")).to_have_value("")
    page.goto(link)  # comes back in the middle: the second HIT is in hand
    expect(page.get_by_text("1 of 2 submitted.")).to_be_visible()
    page.get_by_role("link", name="Go on").click()
    work_in_frame(page, "the Elsen")
    expect(page.get_by_role("heading", name="You have done all of it")).to_be_visible()
    look(page, "complete")
    page.get_by_role("link", name="Back to Prolific").click()
    expect(page.get_by_text("/done?cc=DONE1&s=70bb")).to_be_visible()
    assert [len(requester.submitted(hit)) for hit in hits] == [1, 1, 0]


def test_without_javascript_a_participant_gets_through_too(browser, site, requester, requesters_page, new_study):
    hit = requester.hit(Question=question(requesters_page), MaxAssignments=5)
    study = new_study(hit)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}/study/{study.key}/?PROLIFIC_PID=60aa&STUDY_ID=80cc&SESSION_ID=70bb")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Accept and work").click()
    work_in_frame(page, "the Ilve")
    expect(page.frame_locator("iframe[data-frame]").get_by_role("heading", name="Submitted")).to_be_visible()
    page.goto(f"{site.url}/study/visit/")
    expect(page.get_by_text("DONE1")).to_be_visible()
    context.close()


def test_an_invited_person_signs_up_in_the_browser(page, site, requester, look, settings):
    settings.MARKETPLACE_URL = site.url
    requester.hit(requester.hit_type(Title="Name the river"))
    Terms.objects.create(text="You are paid for what is approved.", created_at=clock.now())
    [link] = invitations.invite(invitations.Offer(), clock.now())
    page.goto(link)
    look(page, "join")
    page = page.context.new_page()  # its console tells of the 400
    page.goto(link)
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password", exact=False).first.fill("seven grey herons")
    page.get_by_label("The password again").fill("seven grey egrets")
    page.get_by_label("I have read this and agree").check()
    page.get_by_role("button", name="Make my account").click()
    expect(page.get_by_role("alert")).to_contain_text("The two passwords are not the same.")
    look(page, "join-wrong")
    page.get_by_label("Password", exact=False).first.fill("seven grey herons")
    page.get_by_label("The password again").fill("seven grey herons")
    page.get_by_role("button", name="Make my account").click()
    expect(page.get_by_text("Welcome. Your account is made")).to_be_visible()
    expect(page.get_by_role("heading", name="Name the river")).to_be_visible()


def test_the_operators_pages_about_doors_are_accessible_and_fit(
    page, site, requester, new_panel, new_study, visitor, look, settings
):
    settings.MARKETPLACE_URL = site.url
    settings.PROLIFIC_TOKEN = "a token"
    hit = requester.hit(requester.hit_type(Title="Name the river"), MaxAssignments=5)
    study = new_study(hit, places=20)
    ann = visitor(study, "60aa7d0c0d4d3f0012ab34cd", "70bb7d0c0d4d3f0012ab34cd")
    ann.start()
    ann.do(hit)
    ann.see()
    invitations.invite(invitations.Offer(note="Reading lab, autumn", places=10, standing={"percent": 98}), clock.now())
    hook("worker", username="lena", password="pass word")
    accounts.create_operator("lena", password="pass word")
    sign_in(page, site, {"username": "lena", "password": "pass word"})
    recruiting = f"{site.url}/operator/recruiting/"
    page.goto(recruiting)
    look(page, "invitations")
    page.goto(f"{recruiting}invitations/new/")
    page.get_by_label("Note").fill("Reading lab")
    page.get_by_label("Links").fill("3")
    look(page, "invite")
    page.get_by_role("button", name="Make the links").click()
    expect(page.get_by_role("heading", name="3 links")).to_be_visible()
    look(page, "links")
    page.goto(f"{recruiting}applications/")
    follow(page, page.get_by_role("button", name="Let people apply"))
    look(page, "applications")
    page.goto(f"{recruiting}panels/")
    look(page, "panels")
    page.goto(f"{recruiting}panels/new/")
    look(page, "new-panel")
    page.goto(f"{recruiting}panels/{study.panel_id}/studies/new/")
    look(page, "new-study")
    page.goto(f"{recruiting}studies/{study.pk}/")
    look(page, "operator-study")
    page.goto(f"{recruiting}studies/{study.pk}/prolific/")
    look(page, "prolific")
    page.goto(f"{recruiting}terms/")
    look(page, "terms")
