"""Agreement, more answers and reasoning labels in a real browser: axe, phones, words marked by mouse and by keys."""

from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Membership, Worker
from reviewer.models import Reasoning, ReasoningLabel
from reviewer.services import reasoning
from tests.annotation.factories import NOON, PASSWORD, make_member, make_project
from tests.pages import assert_accessible
from tests.reviewer.factories import CASTLE, make_answered, make_split

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ANSWERS = [["61 m"], ["1340"], ["Abbot Ruad"], ["Brann Castle"], ["the Crown"]]


@pytest.fixture
def project(db):
    return make_project(name="Castles", slug="castles", spending_cap_usd=500)


@pytest.fixture
def sign_in(new_context, platform_server, project):
    def as_role(role, **options):
        make_member(project, role, "anna")
        page = new_context(**options).new_page()
        page.goto(f"{platform_server}/admin/login/")
        page.locator("input[name=username]").fill("anna")
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("input[name=password]").press("Enter")
        page.wait_for_url(lambda address: "/login/" not in address)
        return page

    return as_role


def make_answers(project):
    """Two articles; three workers who answer on four days, one of them less carefully; a sample with labels."""
    first = make_split(project, "dev", *ANSWERS, title="Brann_Castle")
    workers = [Worker.objects.create(endpoint="marketplace", mturk_worker_id=f"PAGE{n}") for n in range(3)]
    for day, (worker, texts) in enumerate(
        [
            (workers[0], ["61 m", "1340", "Ruad", "Brann Castle", "the Crown"]),
            (workers[1], ["The well is 61 m deep", "1340", "Abbot Ruad", "castle", None]),
            (workers[2], ["61 m", "the year 1340", "wall", "the castle", None]),
        ]
    ):
        at = NOON + timedelta(days=day)
        make_answered(*first, texts=texts, worker=worker, status="approved", submitted_at=at, finished_at=at)
    make_split(
        project, "test", ["61 m", "1340"], ["1340", "1340", "61 m"], ["Ruad", "1340", "Ruad"], text=f"{CASTLE} 2"
    )
    sample = reasoning.draw(project, "dev", 4, 7, None)
    two = [make_member(project, "reviewer", name) for name in ("ben", "cleo")]
    for one in sample.sampled.order_by("position")[:2]:
        for person in two:
            reasoning.label(one, person, [Reasoning.SYNTACTIC, Reasoning.SYNONYMY], [])
    return sample


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_and_nothing_sticks_out(sign_in, platform_server, project, width, pictures, console_errors):
    sample = make_answers(project)
    page = sign_in(Membership.Role.REQUESTER, width=width)
    for name, address in {
        "agreement": reverse("agreement", args=["castles"]),
        "agreement-questions": reverse("agreement_questions", args=["castles"]),
        "agreement-more": reverse("agreement_more", args=["castles"]) + "?splits=dev&splits=test",
        "reasoning": reverse("reasoning", args=["castles"]),
        "reasoning-table": reverse("reasoning_sample", args=["castles", sample.pk]),
        "reasoning-label": reverse("reasoning_label", args=["castles", sample.pk]),
    }.items():
        page.goto(platform_server + address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        for summary in page.locator("details:not([open]) > summary").all():
            summary.click()
        pictures(page, f"{name}-{width}")
        assert_accessible(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    assert console_errors == []


def test_a_reviewer_labels_by_mouse_and_keys(sign_in, platform_server, project):
    make_split(project, "dev", ["61 m"], ["1340"])
    sample = reasoning.draw(project, "dev", 2, 1, None)
    page = sign_in(Membership.Role.REVIEWER)
    page.goto(platform_server + reverse("reasoning_label", args=["castles", sample.pk]))
    page.get_by_text("Abbot", exact=True).hover()
    page.mouse.down()
    page.get_by_text("raised", exact=True).hover()
    page.mouse.up()
    expect(page.locator("[name=evidence]:checked")).to_have_count(3)
    first = page.locator(".question-words input").first
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator(".question-words input").nth(1)).to_be_checked()
    page.keyboard.press("3")
    expect(page.get_by_role("checkbox", name="Syntactic variation")).to_be_checked()
    page.get_by_role("button", name="Keep and go on").click()
    expect(page.get_by_role("status")).to_contain_text("Kept: question 1.")
    kept = ReasoningLabel.objects.get()
    ruad = CASTLE.index("Abbot Ruad raised")
    assert kept.labels == ["syntactic_variation"]
    assert kept.evidence == [["question", 9, 11], ["paragraph", ruad, ruad + len("Abbot Ruad raised")]]
    page.keyboard.press("5")
    expect(page.get_by_role("checkbox", name="Ambiguous")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Kept: question 2.")


def test_a_reviewer_labels_without_a_script(sign_in, new_context, platform_server, project):
    make_split(project, "dev", ["61 m"])
    sample = reasoning.draw(project, "dev", 1, 1, None)
    # The admin's own sign-in needs scripts; the pages after it do not.
    signed_in = sign_in(Membership.Role.REVIEWER).context.storage_state()
    page = new_context(java_script_enabled=False, storage_state=signed_in).new_page()
    page.goto(platform_server + reverse("reasoning_label", args=["castles", sample.pk]))
    page.get_by_text("Abbot", exact=True).click()
    page.get_by_role("checkbox", name="Ambiguous").check()
    page.get_by_role("button", name="Keep and go on").click()
    expect(page.get_by_text("There is nothing left for you to label here")).to_be_visible()
    assert ReasoningLabel.objects.get().evidence == [["paragraph", CASTLE.index("Abbot"), CASTLE.index("Abbot") + 5]]
