"""Reviewing in a real browser: by keys, by marking, two at once, many and back, on a phone, and without scripts."""

from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import expect

from annotation.models import Answer, Membership, Question
from annotation.services import gold
from hits.models import AssignmentDecision
from reviewer.models import BulkAct, Review, SecondLook
from reviewer.services import looks
from tests.annotation.factories import make_member
from tests.browser.test_review_pages import RAIN, make_rain, open_assignment, project, ready, sign_in

__all__ = ["project", "sign_in"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def fresh(project, hour=0):
    """Work about the rain that was submitted a moment ago, in order."""
    return make_rain(project, hour=hour, submitted_at=timezone.now() + timedelta(seconds=hour))


def test_a_queue_is_walked_by_keys_alone(sign_in, platform_server, project):
    works = [fresh(project, hour) for hour in range(3)]
    page = sign_in(Membership.Role.REVIEWER)
    page.goto(f"{platform_server}/review/weather/")
    page.get_by_role("link", name="Review one by one").click()
    page.wait_for_url(f"**/{works[0].pk}/")
    ready(page)
    # The second question is left out, and the page comes back to it.
    page.keyboard.press("2")
    expect(page.locator("#question-2")).to_be_focused()
    expect(page.locator('.paragraph mark[data-number="2"].is-current')).to_have_count(1)
    page.keyboard.press("d")
    expect(page.get_by_role("status")).to_contain_text("Left out of the data: What is another main form")
    expect(page.locator("#question-2")).to_be_focused()
    assert Question.objects.dropped().count() == 1
    # One key for all that is kept, one to take it back.
    ready(page)
    page.keyboard.press("a")
    page.wait_for_url(f"**/{works[1].pk}/")
    ready(page)
    page.keyboard.press("u")
    page.wait_for_url(f"**/{works[0].pk}/")
    expect(page.get_by_role("status")).to_contain_text(f"Taken back: assignment {works[0].pk} waits again.")
    ready(page)
    page.keyboard.press("Shift+D")
    page.wait_for_url(f"**/{works[1].pk}/")
    assert Question.objects.dropped().count() == 5
    ready(page)
    page.keyboard.press("n")
    page.keyboard.press("s")
    expect(page.locator("#look-1")).to_be_focused()
    page.keyboard.type("Is it the shortest?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{works[2].pk}/")
    assert SecondLook.objects.get().note == "Is it the shortest?"
    assert list(Review.objects.order_by("pk").values_list("decision", flat=True)) == ["approve", "undo", "approve"]


def test_an_answer_is_set_right_by_marking_or_typing_it(sign_in, platform_server, project):
    work = fresh(project)
    page = sign_in(Membership.Role.REVIEWER)
    open_assignment(page, platform_server, work)
    ready(page)
    page.keyboard.press("1")
    page.keyboard.press("f")
    field = page.locator("#fix-1")
    expect(field).to_be_focused()
    # From one end of a word to the other by double click, as people mark.
    box = page.locator(".paragraph").evaluate(
        """(paragraph) => {
          const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = node.data.indexOf("meteorology");
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 11);
            const { x, y, width, height } = range.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
          }
        }"""
    )
    page.mouse.dblclick(*box)
    expect(field).to_have_value("meteorology")
    page.get_by_role("button", name="Set right (1)").click()
    expect(page.get_by_text("set right; this one is exported")).to_be_visible()
    made = Answer.objects.get(adjudicated_by__isnull=False)
    assert (made.text, made.start) == ("meteorology", RAIN.index("meteorology"))
    # Words that stand at one place are found; of several, the reviewer says which.
    ready(page)
    page.keyboard.press("2")
    page.keyboard.press("f")
    expect(page.locator("#fix-2")).to_be_focused()
    page.keyboard.type("rain")
    page.keyboard.press("Tab")
    expect(page.locator("#place-fix-2")).to_be_focused()
    expect(page.locator("#question-2 [data-fix] [data-several]")).to_contain_text("Of 3.")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("→ rain")
    made = Answer.objects.filter(adjudicated_by__isnull=False).last()
    assert made.start == RAIN.index("rain", RAIN.index("rain") + 1)


def test_an_answer_is_set_right_by_keys_alone(sign_in, platform_server, project):
    work = fresh(project)
    page = sign_in(Membership.Role.REVIEWER)
    open_assignment(page, platform_server, work)
    ready(page)
    page.keyboard.press("4")
    page.keyboard.press("F2")
    paragraph = page.locator(".paragraph")
    expect(paragraph).to_be_focused()
    field = page.locator("#fix-4")
    # It begins at the worker's own answer, and letters decide nothing.
    expect(field).to_have_value("other rain drops or ice crystals within a cloud")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowLeft")
    expect(field).to_have_value("other rain drops or ice crystals")
    page.keyboard.press("Escape")
    expect(field).to_be_focused()
    page.keyboard.press("F2")
    for key in ("d", "r", "o", "p", "s"):
        page.keyboard.press(key)
    expect(field).to_have_value("drops")
    page.keyboard.press("F2")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    expect(field).to_have_value("drop")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Set right (4)")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("set right; this one is exported")).to_be_visible()
    made = Answer.objects.get(adjudicated_by__isnull=False)
    assert (made.text, made.start) == ("drop", RAIN.index("rain drops") + 5)
    assert not Review.objects.exists()
    assert paragraph.text_content() == RAIN


def test_without_scripts_the_reviewer_says_which_of_several_places_is_meant(
    sign_in, new_context, platform_server, project
):
    work = fresh(project)
    signed_in = sign_in(Membership.Role.REVIEWER).context.storage_state()
    page = new_context(java_script_enabled=False, storage_state=signed_in).new_page()
    open_assignment(page, platform_server, work)
    for number, said in (("", "Mark the right one, or say which one it is."), ("3", "→ rain")):
        page.locator("summary", has_text="Set the answer right").first.click()
        page.locator("#fix-1").fill("rain")
        page.locator("#place-fix-1").fill(number)
        page.get_by_role("button", name="Set right (1)").click()
        expect(page.get_by_role("status")).to_contain_text(said)
    assert Answer.objects.get(adjudicated_by__isnull=False).start == RAIN.rindex("rain")


def test_many_are_chosen_looked_at_decided_and_taken_back(sign_in, platform_server, project):
    for hour in range(3):
        fresh(project, hour)
    page = sign_in(Membership.Role.REVIEWER)
    page.goto(f"{platform_server}/review/weather/")
    page.locator("summary", has_text="Decide otherwise").click()
    page.get_by_label("Decision").select_option("reject")
    page.get_by_role("button", name="Look at all 3 that this list shows").click()
    expect(page.get_by_role("heading", name="Reject 3 assignments?")).to_be_visible()
    page.get_by_label("A usual reason").select_option("repeated")
    page.get_by_role("button", name="Reject 3 without pay").click()
    expect(page.get_by_text("3 can be taken back until")).to_be_visible()
    assert AssignmentDecision.objects.to_carry_out().count() == 3
    page.get_by_role("button", name="Take all of it back").click()
    expect(page.get_by_text("3 were taken back.")).to_be_visible()
    assert not AssignmentDecision.objects.to_carry_out().exists()
    assert BulkAct.objects.get().undone_count == 3


def test_two_reviewers_are_led_apart_and_of_two_decisions_the_first_stands(sign_in, platform_server, project):
    works = [fresh(project, hour) for hour in range(2)]
    anna = sign_in(Membership.Role.REVIEWER)
    ben = sign_in(Membership.Role.REVIEWER, name="ben")
    for page, work in ((anna, works[0]), (ben, works[1])):
        page.goto(f"{platform_server}/review/weather/next/")
        page.wait_for_url(f"**/{work.pk}/")
    open_assignment(ben, platform_server, works[0])
    expect(ben.locator("[data-claimed]")).to_contain_text("Anna has this open until")
    for page in (anna, ben):
        ready(page)
    anna.keyboard.press("a")
    expect(anna.get_by_role("status")).to_contain_text("Approved")
    ben.keyboard.press("x")
    ben.get_by_label("A usual reason").select_option("copied")
    ben.get_by_role("button", name="Reject without pay").click()
    expect(ben.get_by_role("status")).to_contain_text("Anna approved this just now.")
    assert Review.objects.count() == 1


def test_verdicts_and_fixes_work_without_scripts(sign_in, new_context, platform_server, project):
    work = fresh(project)
    signed_in = sign_in(Membership.Role.REVIEWER).context.storage_state()
    page = new_context(java_script_enabled=False, storage_state=signed_in).new_page()
    open_assignment(page, platform_server, work)
    page.get_by_role("button", name="Leave out of the data (3)").click()
    expect(page.get_by_text("left out of the data").first).to_be_visible()
    page.locator("summary", has_text="Set the answer right").first.click()
    page.locator("#fix-1").fill("falls under gravity")
    page.get_by_role("button", name="Set right (1)").click()
    expect(page.get_by_text("set right; this one is exported")).to_be_visible()
    page.locator("summary", has_text="Reject").click()
    page.get_by_label("A usual reason").select_option("unrelated")
    page.get_by_role("button", name="Reject without pay").click()
    expect(page.get_by_role("status")).to_contain_text("Rejected")


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_the_pages_around_the_review(sign_in, platform_server, project, width, pictures):
    works = [fresh(project, hour) for hour in range(2)]
    colleague = make_member(project, Membership.Role.REVIEWER, "carla")
    look = looks.ask(works[0], colleague, works[0].questions.first(), "Is it the shortest?")
    gold.add(works[0].questions.first(), colleague)
    page = sign_in(width=width)
    for name, address in {
        "reject-many": "/review/weather/many/?all=1&decision=reject",
        "drop-many": "/review/weather/many/?all=1&decision=drop",
        "narrowed": "/review/weather/?signal=any",
        "worrying": "/review/weather/?order=worrying",
        "rules": "/review/weather/rules/",
        "gold": "/review/weather/gold/",
        "second-looks": "/review/weather/second/",
        "second-look": f"/review/weather/second/{look.pk}/",
    }.items():
        page.goto(platform_server + address)
        check(page, pictures, f"{name}-{width}")
    open_assignment(page, platform_server, works[0])
    ready(page)
    page.keyboard.press("1")
    page.keyboard.press("f")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # where the bar covers nothing
    check(page, pictures, f"fix-{width}")


def check(page, pictures, name):
    pictures(page, f"reviewing-{name}")
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert [rule["id"] for rule in found.response["violations"]] == [], found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
