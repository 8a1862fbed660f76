"""A batch's life in a real browser: every page of it by axe, at both widths, and an act by keyboard alone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Assignment, Membership
from annotation.services import standing
from hits.models import Act, RehearsalRun
from hits.services import acting, publishing, syncing, topping_up
from hits.services.releasing import Release
from tests.annotation.factories import PASSWORD, make_article, make_member, make_paragraph, make_project
from tests.hits.conftest import launch, writing
from tests.hits.test_syncing import approve, submit_one

from .test_requester_pages import check

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REPORT = {
    "hits": 5,
    "places": 5,
    "submitted": 5,
    "approved": 5,
    "players": 3,
    "given_back": 1,
    "questions": 9,
    "answers": 9,
    "spent_usd": "3.60",
    "estimate_usd": "3.60",
    "seconds": 4.2,
    "problems": ["ada: the page in the frame answered 500."],
    "problem_count": 1,
}


@pytest.fixture
def batch(db, crowd):
    """A batch in the middle of its life: a pilot, work waiting and approved, acts done and waiting, one kept out."""
    project = make_project(name="Mills", most_tasks_a_worker=3)
    article = make_article(project)
    for _number in range(6):
        make_paragraph(article=article)
    make_member(project, Membership.Role.REQUESTER, "rosa")
    batch = launch(project, writing(release=Release(pilot_hits=4, hits_a_period=10), most_tasks_a_worker=2))
    publishing.publish(batch)
    for _number in range(3):
        submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.order_by("pk")[:1])
    topping_up.add_places(batch, None, 2, hit_id=batch.hits.filter(listed_count=0).first().pk)
    acting.carry_out()
    topping_up.add_time(batch, None, 24)
    standing.exclude(project, Assignment.objects.first().worker, "blocked", "Answers at random.")
    RehearsalRun.objects.create(project=project, kind="write", asked={}, status="done", report=REPORT)
    batch.refresh_from_db()
    return batch


@pytest.fixture
def sign_in(new_context, platform_server):
    def by_hand(width=1280, **options):
        page = new_context(width=width, **options).new_page()
        page.goto(platform_server + reverse("admin:login"))
        page.get_by_label("Username").fill("rosa")
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("input[name=password]").press("Enter")
        page.wait_for_url("**" + reverse("admin:annotation_project_changelist"))
        return page

    return by_hand


@pytest.mark.parametrize(
    ("width", "scheme"), [pytest.param(1280, "light", id="wide"), pytest.param(390, "dark", id="phone, dark")]
)
def test_axe_finds_nothing_on_any_page_of_a_batchs_life(batch, sign_in, platform_server, pictures, width, scheme):
    page = sign_in(width, color_scheme=scheme)
    project = batch.project
    worker = Assignment.objects.first().worker
    for name, address in {
        "life": reverse("admin:hits_batch_life", args=[batch.pk]),
        **{
            f"act-{name}": reverse("admin:hits_batch_act", args=[batch.pk, name])
            for name in ("places", "time", "release", "again", "end", "delete")
        },
        "act-over-ten": reverse("admin:hits_batch_act", args=[batch.pk, "places"]) + "?places=12",
        "workers": reverse("admin:hits_workers", args=[project.pk]),
        "worker": reverse("admin:hits_worker", args=[project.pk, worker.pk]),
        "who-may-work": reverse("admin:hits_qualifications", args=[project.pk]) + "?preset=squad-v1",
        "rehearsal": reverse("admin:hits_rehearsal", args=[project.pk, RehearsalRun.objects.get().pk]),
        "launch": reverse("admin:hits_batch_launch", args=[project.pk]),
        "project": reverse("admin:annotation_project_home", args=[project.pk]),
    }.items():
        page.goto(platform_server + address)
        if name == "launch":
            page.locator("summary").first.click()
        check(page, pictures, f"batch-{name}-{width}")


def test_more_workers_are_asked_for_by_keyboard_alone(batch, sign_in, platform_server):
    page = sign_in()
    page.goto(platform_server + reverse("admin:hits_batch_life", args=[batch.pk]))
    page.get_by_role("link", name="More workers").focus()
    page.keyboard.press("Enter")
    places = page.get_by_label("More workers for each HIT")
    places.focus()
    places.fill("2")
    page.keyboard.press("Enter")  # works it out
    expect(page.locator("[data-total]")).to_have_attribute("data-total", "5.76")
    page.get_by_role("button", name="Add these places").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Asked for. The places appear here")).to_be_visible()
    assert Act.objects.filter(kind="add", done_at=None).count() == 4
