"""The pages about finding, speaking and earning in a real browser: they fit a phone, a thumb, a keyboard and axe."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from marketplace import clock
from marketplace.models import Assignment, HITType, Message, RequesterProfile, WorkerProfile
from marketplace.services import accounts, ratings, threads
from tests.pages import assert_accessible, follow, picture

from . import test_browser
from .conftest import Worker, question
from .test_browser import sign_in, work_in_frame
from .test_finding import done

pytestmark = [pytest.mark.browser, pytest.mark.slow]
account, browser, page, width = test_browser.account, test_browser.browser, test_browser.page, test_browser.width
requesters_page = test_browser.requesters_page

# What a thumb has to hit, but for links in running text: those whose box is lower than 44 px.
SMALL = """() => [...document.querySelectorAll("a, button, select, textarea, input, label.check")].filter((each) => {
  const box = each.getBoundingClientRect(), look = getComputedStyle(each);
  const isBox = each.matches("input[type=checkbox], input[type=radio], input[type=hidden]");
  return box.height > 1 && box.height < 43.5 && look.display !== "inline" && !isBox && !each.matches(".skip");
}).map((each) => each.outerHTML.slice(0, 120))"""


@pytest.fixture
def look(page, width):
    def at(name: str) -> None:
        assert_accessible(page)
        if width == 390:
            assert page.evaluate(SMALL) == []
        picture(page, f"marketplace/{name}-{width}")

    return at


def with_history(requester, account, requesters_page) -> None:
    """A group with measured time and marks, another for the few, and work of the worker's in every state."""
    profile = WorkerProfile.objects.get(worker_id=account["worker_id"])
    me = Worker(profile)
    others = [Worker(accounts.create_worker(f"other-{number}", clock.now())) for number in range(3)]
    river = requester.hit_type(Title="Name the river in a paragraph", Reward="0.60", Description="Read, then answer.")
    done(requester, others, river, [200, 240, 260, 300] * 3)
    hits = [requester.hit(river, Question=question(requesters_page), MaxAssignments=5) for _ in range(5)]
    rules = [{"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThan", "IntegerValues": [10000]}]
    requester.hit(requester.hit_type(Title="For workers of long standing", QualificationRequirements=rules))
    lab = RequesterProfile.objects.get(customer_id=requester.customer_id)
    earlier = timezone.now() - timedelta(days=2)
    for person, pay in zip(others, (5, 4, 3), strict=True):
        assignment = Assignment.objects.filter(worker=person.profile).select_related("hit__hit_type").first()
        marks = {"pay": pay, "clarity": 5, "fairness": None, "comment": f"Pays well enough, {pay} of 5."}
        ratings.rate(person.profile, assignment, marks, earlier)
    mine = [me.do(hits[0]) for _ in range(3)]
    requester.mturk.approve_assignment(AssignmentId=mine[0], RequesterFeedback="Thank you, that was clear.")
    requester.mturk.send_bonus(
        WorkerId=me.worker_id, AssignmentId=mine[0], BonusAmount="0.40", Reason="Very thorough.", UniqueRequestToken="b"
    )
    requester.mturk.reject_assignment(AssignmentId=mine[1], RequesterFeedback="The answer is a lake and not a river.")
    me.accept(hits[0])
    threads.write_to_requester(
        profile, lab, "How long?", "How long shall an answer be?\n\nOne word, or a sentence?", clock.now(),
        hit_type=HITType.objects.get(type_id=river),
    )  # fmt: skip
    threads.answer_worker(lab, profile, "Re: How long?", "One word is enough.", clock.now())
    me.client.post(f"/projects/{hits[0]['HITGroupId']}/report", {"kind": "other", "text": "The colours hurt."})


def test_the_workers_pages_fit_a_phone_a_thumb_and_axe(page, site, new_requester, account, requesters_page, look):
    requester = new_requester(funds="1000.00", name="Lab for Reading")
    with_history(requester, account, requesters_page)
    sign_in(page, site, account)
    look("find")
    page.goto(f"{site.url}/projects/?reward=abc&sort=hourly&qualified=1")
    look("find-filtered")
    follow(page, page.get_by_role("link", name="Name the river in a paragraph"))
    look("find-preview")
    follow(page, page.get_by_role("link", name="Report this work"))
    look("report")
    page.go_back()
    page.get_by_role("link", name="Ask the requester").click()
    expect(page.get_by_text("One word is enough.")).to_be_visible()
    look("thread")
    follow(page, page.get_by_role("link", name="All messages"))
    look("messages")
    page.goto(f"{site.url}/tasks/")
    look("your-work-full")
    follow(page, page.get_by_role("link", name="Appeal to the requester"))
    look("appeal")
    page.goto(f"{site.url}/tasks/?state=approved")
    follow(page, page.get_by_role("link", name="Rate Name the river"))
    look("rate")
    page.get_by_label("Pay, for the time").select_option("4")
    page.get_by_label("Instructions").select_option("5")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Thank you. Your marks")).to_be_visible()
    page.goto(f"{site.url}/earnings/")
    look("earnings-full")
    page.goto(f"{site.url}/account/")
    look("account")
    follow(page, page.get_by_role("link", name="Change your password"))
    look("password")


def test_the_requesters_pages_fit_a_phone_a_thumb_and_axe(page, site, new_requester, account, requesters_page, look):
    requester = new_requester(funds="1000.00", name="Lab for Reading")
    with_history(requester, account, requesters_page)
    accounts.create_requester("Lab for Reading", clock.now(), password="pass word")
    page.goto(f"{site.url}/signin/")
    page.get_by_label("User name").fill("lab-for-reading")
    page.get_by_label("Password").fill("pass word")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your HIT groups")).to_be_visible()
    look("requester")
    for tab, heading, name in (
        ("Ledger", "Ledger", "requester-ledger"),
        ("What workers say", "What workers say", "requester-opinions"),
        ("Messages", "Messages from workers", "requester-messages"),
    ):
        page.get_by_role("link", name=tab).click()
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        look(name)
    follow(page, page.get_by_role("link", name=account["worker_id"]))
    look("requester-thread")
    page.get_by_label("Message").fill("And one more thing.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("And one more thing.")).to_be_visible()
    assert Message.objects.filter(direction="to_worker").count() == 2


@pytest.mark.parametrize("width", [390], ids=["phone"])
def test_a_worker_goes_all_the_way_on_a_phone_by_keyboard_alone(
    page, site, new_requester, account, requesters_page, width
):
    """Find, preview, accept, submit, go on by itself, return, ask: Tab, Enter and Space do it all."""
    requester = new_requester(funds="10.00", name="Lab for Reading")
    hit_type = requester.hit_type(Title="Name the river")
    for _ in range(3):
        requester.hit(hit_type, Question=question(requesters_page))
    sign_in(page, site, account)

    def press(name: str, key: str = "Enter", role: str = "link") -> None:
        target = page.get_by_role(role, name=name).first
        for _ in range(60):
            if target.evaluate("each => each === document.activeElement"):
                break
            page.keyboard.press("Tab")
        assert target.evaluate("each => each === document.activeElement"), f"Tab never comes to {name}"
        page.keyboard.press(key)

    press("Name the river")
    press("Accept and work", role="button")
    press("Accept the next HIT when I have submitted", "Space", role="checkbox")
    first = page.url
    work_in_frame(page, "the Ilve")
    page.wait_for_url(lambda url: "assignment_id=" in url and url.partition("&auto")[0] != first.partition("&auto")[0])
    expect(page.get_by_label("Accept the next HIT when I have submitted")).to_be_checked()
    press("Return this HIT", role="button")
    expect(page.get_by_text("Returned. Another worker can take it now")).to_be_visible()
    press("Name the river")
    press("Ask the requester")
    expect(page.get_by_label("Subject")).to_have_value("About: Name the river")


def test_without_javascript_nothing_is_offered_that_needs_it(browser, site, requester, account, requesters_page):
    requester.hit(requester.hit_type(Title="No scripts"), Question=question(requesters_page))
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    sign_in(page, site, account)
    page.get_by_label("Order").select_option("reward")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(f"{site.url}/projects/?q=&sort=reward&reward=&hourly=")
    page.get_by_role("button", name="Accept and work").click()
    expect(page.get_by_label("Accept the next HIT when I have submitted")).to_be_hidden()
    expect(page.get_by_role("button", name="I have submitted: next HIT")).to_be_visible()
    context.close()


def test_the_bar_counts_what_is_unread(page, site, requester, account):
    profile = WorkerProfile.objects.get(worker_id=account["worker_id"])
    lab = RequesterProfile.objects.get()
    Worker(profile).do(requester.hit())
    threads.answer_worker(lab, profile, "Welcome", "Good to have you.", clock.now())
    sign_in(page, site, account)
    page.get_by_role("link", name="Messages 1 unread").click()
    page.get_by_role("link", name=lab.name).click()
    expect(page.get_by_text("Good to have you.")).to_be_visible()
    page.get_by_role("link", name="Find work").click()
    expect(page.get_by_role("link", name="Messages", exact=True)).to_be_visible()
