"""The reviewer's pages in a real browser: keys, buttons, no script at all, and what axe says of each."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from annotation.models import Membership, ParagraphWork
from hits.models import AssignmentDecision
from reviewer.models import Review
from reviewer.services import review
from tests.annotation.factories import (
    NOON,
    PASSWORD,
    make_answer,
    make_article,
    make_assignment,
    make_import,
    make_member,
    make_paragraph,
    make_project,
    make_question,
    make_task,
    make_user,
)
from tests.pages import assert_accessible
from tests.reviewer.factories import make_answered, make_split, make_written, publish

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RAIN = (
    "In meteorology, precipitation is any product of the condensation of atmospheric water vapor that falls under "
    "gravity. The main forms of precipitation include drizzle, rain, sleet, snow, graupel and hail. Precipitation "
    "forms as smaller droplets coalesce via collision with other rain drops or ice crystals within a cloud. Short, "
    "intense periods of rain in scattered locations are called “showers”."
)
ASKED = [
    ("What causes precipitation to fall?", "gravity"),
    ("What is another main form besides drizzle, rain, snow, sleet and hail?", "graupel"),
    ("Where do water droplets collide with ice crystals to form precipitation?", "within a cloud"),
    ("With what do droplets join?", "other rain drops or ice crystals within a cloud"),
    ("What can crystals be made of, and where do they float?", "ice crystals within a cloud"),
]
REASON = "Two of the questions ask the same thing."


@pytest.fixture
def project(db):
    return make_project(name="Weather and castles", slug="weather", spending_cap_usd=500)


@pytest.fixture
def sign_in(new_context, platform_server, project):
    """Signs a member of ``project`` in by hand and returns the page."""

    def as_role(role=Membership.Role.REQUESTER, name="anna", **options):
        user = make_member(project, role, name)
        user.first_name = name.title()
        user.save()
        page = new_context(**options).new_page()
        page.goto(f"{platform_server}/")
        page.get_by_role("link", name="Sign in").click()
        page.locator("input[name=username]").fill(name)
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("input[name=password]").press("Enter")
        page.wait_for_url(lambda address: "/login/" not in address)
        return page

    return as_role


def make_rain(project, *, hour=0, **fields):
    """A writer's work about the rain, with answers that lie in each other."""
    article = make_article(project, title="Precipitation", split="dev") if not hour else None
    article = article or project.articles.get(title="Precipitation")
    paragraph = make_paragraph(article=article, text=RAIN if not hour else f"{RAIN} {hour}")
    task = make_task(paragraph)
    work = {"submitted_at": NOON + timedelta(hours=hour), "status": "submitted"} | fields
    assignment = make_assignment(publish(task), **work)
    for position, (text, answer) in enumerate(ASKED):
        make_question(paragraph, text, assignment=assignment, answer=answer, position=position)
    ParagraphWork.objects.create(
        assignment=assignment,
        task_paragraph=task.task_paragraphs.get(),
        active_seconds=200 + hour,
        blocked_actions=hour,
    )
    return assignment


def open_assignment(page, server, assignment):
    page.goto(server + reverse("review_assignment", args=["weather", assignment.pk]))


def ready(page):
    """Wait until the page takes decisions."""
    expect(page.get_by_role("button", name="Approve")).to_be_enabled()


def test_a_reviewer_goes_through_the_queue_by_keys(sign_in, platform_server, project):
    works = [make_rain(project, hour=hour) for hour in range(4)]
    page = sign_in(Membership.Role.REVIEWER)
    open_assignment(page, platform_server, works[0])
    page.keyboard.press("j")
    page.wait_for_url(f"**/{works[1].pk}/")
    page.keyboard.press("k")
    page.wait_for_url(f"**/{works[0].pk}/")
    ready(page)
    page.keyboard.press("a")
    page.wait_for_url(f"**/{works[1].pk}/")
    expect(page.get_by_role("status")).to_contain_text(f"Approved: assignment {works[0].pk}")
    ready(page)
    page.keyboard.press("x")
    reason = page.get_by_label("Reason for rejecting")
    expect(reason).to_be_focused()
    # Letters typed into the field are letters.
    page.keyboard.type("a jerky, xeroxed one")
    expect(reason).to_have_value("a jerky, xeroxed one")
    page.keyboard.press("Escape")
    expect(reason).not_to_be_focused()
    page.keyboard.press("x")
    reason.fill(REASON)
    page.get_by_role("button", name="Reject without pay").click()
    page.wait_for_url(f"**/{works[2].pk}/")
    assert list(Review.objects.order_by("pk").values_list("assignment", "decision", "reason")) == [
        (works[0].pk, "approve", ""),
        (works[1].pk, "reject", REASON),
    ]


def test_a_double_click_approves_what_was_seen_and_not_what_comes_next(sign_in, platform_server, project):
    works = [make_rain(project, hour=hour) for hour in range(3)]
    page = sign_in(Membership.Role.REVIEWER)
    open_assignment(page, platform_server, works[0])
    ready(page)
    box = page.get_by_role("button", name="Approve").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    # The pages' time passes by order alone from here on, so that a slow machine is not a slow finger.
    page.clock.install()
    page.clock.pause_at(timezone.now() + timedelta(minutes=1))
    page.mouse.click(*middle)
    page.wait_for_url(f"**/{works[1].pk}/")
    page.clock.run_for(250)
    page.mouse.click(*middle)
    page.keyboard.press("a")
    page.keyboard.press("x")
    expect(page.get_by_label("Reason for rejecting")).to_be_hidden()
    page.clock.run_for(600)
    ready(page)
    assert page.url.endswith(f"/{works[1].pk}/")
    assert list(Review.objects.values_list("assignment", flat=True)) == [works[0].pk]
    # The same place and the same key, once the page has been seen.
    page.mouse.click(*middle)
    page.wait_for_url(f"**/{works[2].pk}/")
    page.clock.run_for(850)
    page.keyboard.press("a")
    page.wait_for_url("**/review/weather/")
    assert Review.objects.count() == 3


def test_a_page_sends_one_decision(sign_in, platform_server, project):
    works = [make_rain(project, hour=hour) for hour in range(2)]
    page = sign_in(Membership.Role.REVIEWER)
    open_assignment(page, platform_server, works[0])
    ready(page)
    posts = []
    page.on("request", lambda request: request.method == "POST" and posts.append(request.url))
    page.get_by_role("button", name="Approve").evaluate("button => { button.click(); button.click(); }")
    page.wait_for_url(f"**/{works[1].pk}/")
    expect(page.get_by_role("status")).to_contain_text(f"Approved: assignment {works[0].pk}")
    assert len(posts) == 1
    # Gone back to, it takes a decision again, and the server says that there was one.
    page.go_back()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("status")).to_contain_text("Anna approved this")
    assert Review.objects.count() == 1


def test_keys_can_be_switched_off_and_stay_off(sign_in, platform_server, project):
    works = [make_rain(project, hour=hour) for hour in range(2)]
    page = sign_in(Membership.Role.REVIEWER)
    open_assignment(page, platform_server, works[0])
    page.keyboard.press("?")
    expect(page.get_by_text("next waiting")).to_be_visible()
    page.get_by_label("Single keys act").uncheck()
    page.reload()
    ready(page)
    page.keyboard.press("a")
    page.keyboard.press("j")
    page.locator("summary", has_text="Keys").click()
    expect(page.get_by_label("Single keys act")).not_to_be_checked()
    assert not Review.objects.exists()
    page.get_by_label("Single keys act").check()
    page.locator("h1").click()
    page.keyboard.press("j")
    page.wait_for_url(f"**/{works[1].pk}/")


def test_everything_works_without_scripts(sign_in, new_context, platform_server, project):
    works = [make_rain(project, hour=hour) for hour in range(4)]
    # The admin's own sign-in needs scripts; the pages after it do not.
    signed_in = sign_in(Membership.Role.REVIEWER).context.storage_state()
    page = new_context(java_script_enabled=False, storage_state=signed_in).new_page()
    page.goto(f"{platform_server}/review/weather/")
    page.get_by_role("link", name="Precipitation").first.click()
    page.get_by_role("button", name="Approve").click()
    page.locator("summary", has_text="Reject").click()
    page.get_by_label("Reason for rejecting").fill(REASON)
    page.get_by_role("button", name="Reject without pay").click()
    page.get_by_role("link", name="2 waiting").click()
    page.get_by_label(f"Select assignment {works[3].pk}").check()
    page.get_by_role("button", name="Approve selected").click()
    expect(page.get_by_role("heading", name="Approve 1 assignment?")).to_be_visible()
    page.get_by_role("button", name="Approve 1 and pay $0.72").click()
    expect(page.get_by_role("status")).to_contain_text("Approved 1 assignment")
    decisions = dict(AssignmentDecision.objects.values_list("assignment", "kind"))
    assert decisions == {works[0].pk: "approve", works[1].pk: "reject", works[3].pk: "approve"}


def test_a_whole_page_is_selected_at_once(sign_in, platform_server, project):
    for hour in range(3):
        make_rain(project, hour=hour)
    page = sign_in(Membership.Role.REVIEWER)
    page.goto(f"{platform_server}/review/weather/")
    page.get_by_label("Select all on this page").check()
    page.locator("input[name=assignment]").first.uncheck()
    expect(page.get_by_label("Select all on this page")).not_to_be_checked()
    page.get_by_role("button", name="Approve selected").click()
    expect(page.get_by_role("heading", name="Approve 2 assignments?")).to_be_visible()


def test_marks_look_like_the_text_they_mark(sign_in, platform_server, project):
    assignment = make_rain(project)
    page = sign_in(Membership.Role.VIEWER)
    open_assignment(page, platform_server, assignment)
    paragraph = page.locator(".paragraph")
    assert paragraph.evaluate("element => element.textContent") == RAIN
    assert [paragraph.locator(f'.opens[data-number="{number}"]').count() for number in range(1, 6)] == [1] * 5
    # Two answers over the same words have their lines at different heights.
    heights = page.locator('mark[data-number="4"], mark[data-number="5"]').evaluate_all(
        "marks => [...new Set(marks.map((mark) => getComputedStyle(mark).paddingBottom))]"
    )
    assert len(heights) == 2


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_any_page_of_the_reviewer(
    sign_in, new_context, platform_server, project, width, pictures, console_errors
):
    works = [make_rain(project, hour=hour) for hour in range(3)]
    make_written(project, submitted_at=NOON + timedelta(days=1))
    colleague = make_user("ben", first_name="Ben")
    review.reject(works[2], colleague, REASON)
    (question,) = make_split(project, "test", ["61 m", "61 m deep", "61 m"])
    other = make_question(question.paragraph, "Who raised the wall?", answer="Abbot Ruad")
    make_answer(other, None, imported_from=make_import(project), position=1)
    answered = make_answered(question, other, texts=["well is 61 m", None])
    answered.answers.filter(text__isnull=False).update(is_mid_word=True)

    def check(page, name):
        pictures(page, f"review-{name}-{width}")
        assert_accessible(page, name)

    stranger = new_context(width=width).new_page()
    stranger.goto(f"{platform_server}/")
    check(stranger, "home")
    page = sign_in(width=width)
    for name, address in {
        "queue": "/review/weather/",
        "queue-all": "/review/weather/?state=all",
        "queue-empty": "/review/weather/?state=approved",
        "approve-many": "/review/weather/many/?all=1",
        "approve-none": "/review/weather/many/",
        "agreement": "/agreement/weather/?split=test",
        "agreement-empty": "/agreement/weather/?split=train",
        "release": "/release/weather/",
        "not-found": "/review/nobody/",
    }.items():
        page.goto(platform_server + address)
        check(page, name)
    for name, work in {"write": works[1], "decided": works[2], "answer": answered}.items():
        open_assignment(page, platform_server, work)
        check(page, name)
    open_assignment(page, platform_server, works[0])
    page.keyboard.press("?")
    page.locator("summary", has_text="Reject").click()
    page.get_by_label("Reason for rejecting").fill("too short")
    page.get_by_role("button", name="Reject without pay").click()
    expect(page.get_by_role("alert")).to_contain_text("Say why in at least 10 characters")
    check(page, "reason-missing")
    console_errors[:] = [error for error in console_errors if "status of 4" not in error]
