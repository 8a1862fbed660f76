"""HTMLQuestion in a real browser: the pages of other people's programs work, and hostile ones get nowhere."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from . import test_browser
from .test_browser import sign_in
from .test_external_submit import fields_of
from .test_html_question import FORM, frame_of, html_question

pytestmark = [pytest.mark.browser, pytest.mark.slow]
account, browser = test_browser.account, test_browser.browser

CROWD = """<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>
<crowd-form>
  <crowd-input name="town" label="Town" required></crowd-input>
  <crowd-text-area name="why" label="Why"></crowd-text-area>
  <crowd-checkbox name="sure" checked>I am sure</crowd-checkbox>
  <crowd-radio-group>
    <crowd-radio-button name="wet" value="yes">Wet</crowd-radio-button>
    <crowd-radio-button name="dry" value="yes">Dry</crowd-radio-button>
  </crowd-radio-group>
  <crowd-classifier name="mood" categories="['glad', 'sad']" header="Which mood?">
    <classification-target>It rains.</classification-target>
  </crowd-classifier>
  <label>Note <input name="note"></label>
</crowd-form>"""

# Every way out that there is, each tried by itself; what came of it goes into the answer.
HOSTILE = """<!doctype html><form method="post" action="https://www.mturk.com/mturk/externalSubmit">
<input name="assignmentId"><textarea name="loot"></textarea></form><script>
(async () => {
  const loot = {};
  const attempt = async (name, act) => {
    try { loot[name] = String(await act()); } catch (e) { loot[name] = "refused"; }
  };
  await attempt("origin", () => window.origin);
  await attempt("cookie", () => document.cookie);
  await attempt("storage", () => localStorage.length);
  await attempt("parent page", () => parent.document.title);
  await attempt("parent address", () => parent.location.href);
  await attempt("top navigation", () => { top.location.href = "EVIL"; return "went"; });
  const earnings = "SITE/earnings/";
  const take = async (mode) => (await fetch(earnings, { credentials: "include", mode })).type;
  await attempt("page with credentials", () => take("cors"));
  await attempt("opaque page", () => take("no-cors"));
  await attempt("framed page", () => new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.onload = () => { try { done(frame.contentDocument.title); } catch (e) { done("refused"); } };
    frame.src = earnings; document.body.append(frame); setTimeout(() => done("refused"), 1000);
  }));
  await attempt("window of ours", async () => {
    const opened = window.open(earnings);
    if (!opened) return "refused";
    await new Promise((done) => setTimeout(done, 700));
    try { return opened.document.title || "refused"; } finally { opened.close(); }
  });
  document.querySelector("[name=loot]").value = JSON.stringify(loot);
  document.querySelector("[name=assignmentId]").value = new URLSearchParams(location.search).get("assignmentId");
  document.forms[0].submit();
})();
</script>"""


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def evil():
    """A site that wants to be visited; its address and the requests that it got."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    yield f"http://localhost:{server.server_port}/", seen
    server.shutdown()
    server.server_close()


def work(page, site, account, requester, html):
    hit = requester.hit(requester.hit_type(Title="A page of its own"), Question=html_question(html))
    sign_in(page, site, account)
    page.get_by_role("link", name="A page of its own", exact=True).click()
    return hit, page.frame_locator("iframe[data-frame]")


def answer_to(requester, hit) -> dict:
    return fields_of(requester.submitted(hit)[0]["Answer"])


def test_a_page_written_for_mechanical_turk_is_previewed_and_submitted(page, site, requester, account):
    hit, frame = work(page, site, account, requester, FORM)
    expect(frame.get_by_role("button", name="Accept the HIT first, then submit")).to_be_disabled()
    page.get_by_role("button", name="Accept and work").click()
    frame.get_by_label("Answer").fill("the Ilve")
    frame.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Submitted")).to_be_visible()
    assert answer_to(requester, hit) == {"answer": "the Ilve"}


def test_a_crowd_form_sends_one_answer_that_is_a_json_list(page, site, requester, account):
    hit, frame = work(page, site, account, requester, CROWD)
    expect(frame.get_by_role("button", name="Accept the HIT first, then submit")).to_be_disabled()
    page.get_by_role("button", name="Accept and work").click()
    frame.get_by_label("Town").fill("Ulm")
    frame.get_by_label("Why").fill("because")
    frame.get_by_label("Dry").check()
    frame.get_by_label("sad").check()
    frame.get_by_label("Note").fill("all")
    frame.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Submitted")).to_be_visible()
    answer = answer_to(requester, hit)
    assert list(answer) == ["taskAnswers"]
    assert json.loads(answer["taskAnswers"]) == [
        {
            "town": "Ulm",
            "why": "because",
            "sure": True,
            "wet": {"yes": False},
            "dry": {"yes": True},
            "mood": {"label": "sad"},
            "note": "all",
        }
    ]


def assert_nothing_was_taken(loot: dict):
    assert loot["origin"] == "null"
    assert loot["opaque page"] in ("opaque", "refused")  # sent at most without cookies, never readable
    for name in set(loot) - {"origin", "opaque page"}:
        assert loot[name] == "refused", name


def test_a_hostile_page_in_the_frame_reaches_nothing_of_the_marketplace(page, site, requester, account, evil):
    address, seen = evil
    html = HOSTILE.replace("SITE", site.url).replace("EVIL", address)
    hit, _frame = work(page, site, account, requester, html)
    page.get_by_role("button", name="Accept and work").click()
    expect(page.get_by_role("heading", name="Submitted")).to_be_visible()
    assert page.url.startswith(site.url)  # and not where top.location was sent
    assert seen == []
    assert_nothing_was_taken(json.loads(answer_to(requester, hit)["loot"]))


def test_the_page_by_itself_has_an_origin_of_its_own_too(page, site, requester, account, new_worker, evil):
    address, _seen = evil
    html = HOSTILE.replace("SITE", site.url).replace("EVIL", address).replace("top.location", "null.location")
    hit = requester.hit(Question=html_question(html.replace("document.forms[0].submit();", "")))
    sign_in(page, site, account)
    other = new_worker()
    frame = site.url + frame_of(other.client.get(other.accept(hit)))
    page.goto(frame)
    expect(page.get_by_role("heading", name="This page is part of a HIT")).to_be_visible()
    # And were it shown, by a browser that does not say where a page is to go, its own policy would hold.
    page.route(frame, lambda route: route.fulfill(response=route.fetch()))
    page.goto(frame)
    loot = page.locator("[name=loot]")
    expect(loot).not_to_have_value("")
    found = json.loads(loot.input_value())
    for name in ("parent page", "parent address"):  # here the page is its own parent
        found.pop(name)
    assert_nothing_was_taken(found)
