"""The page of the endpoints in a real browser: axe, both widths, a check by keyboard, and the lists that show them."""

from decimal import Decimal

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Membership
from hits.services import launching, publishing
from tests.annotation.factories import PASSWORD, make_article, make_member, make_paragraph, make_project
from tests.hits.conftest import writing

from .test_requester_pages import check

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def endpoints_of_three_kinds(crowd, settings):
    """One that pays people and works, one for rehearsals, and Amazon's, which nobody answers for here."""
    crowd.become_endpoint(settings, pays_people=True)
    known = settings.CROWD_ENDPOINTS["marketplace"]
    rehearsal = known | {"label": "Rehearsal", "pays_people": False, "worker_site": crowd.url}
    closed = known | {"label": "Closed one", "url": "http://127.0.0.1:9", "notice": "It closed on 30 September 2026."}
    settings.CROWD_ENDPOINTS = {
        "marketplace": known,
        "rehearsal": rehearsal,
        "closed": closed | {"pays_people": False},
    }
    crowd.reset()


@pytest.mark.parametrize(
    ("width", "scheme"), [pytest.param(1280, "light", id="wide"), pytest.param(390, "dark", id="phone, dark")]
)
def test_a_requester_checks_endpoints_by_keyboard(
    endpoints_of_three_kinds, crowd, platform_server, new_context, pictures, width, scheme
):
    project = make_project(name="Mills")
    make_paragraph(article=make_article(project))
    make_member(project, Membership.Role.REQUESTER, "rosa")
    publishing.publish(launching.launch(project, writing(), None, Decimal("0.72")))
    page = new_context(width=width, color_scheme=scheme).new_page()
    page.goto(platform_server + reverse("admin:login"))
    page.get_by_label("Username").fill("rosa")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url("**" + reverse("admin:annotation_project_changelist"))
    page.goto(platform_server + reverse("admin:hits_endpointstanding_changelist"))
    works = page.locator("[data-endpoint=marketplace]")
    expect(works).to_contain_text("pays people")
    expect(page.locator("[data-endpoint=rehearsal] .endpoint-badge")).to_have_text("rehearsal")
    works.get_by_role("button").press("Enter")
    expect(works.locator("[data-subject=key]")).to_contain_text("It accepts our access key.")
    check(page, pictures, f"endpoints-{width}")
    page.locator("[data-endpoint=closed]").get_by_role("button").press("Enter")
    nobody = page.locator("[data-endpoint=closed]")
    expect(nobody.locator("[data-subject=reachable]")).to_contain_text("Closed one does not answer")
    expect(nobody.locator("[data-subject=notice]")).to_contain_text("It closed on 30 September 2026.")
    check(page, pictures, f"endpoints-closed-{width}")
    page.goto(platform_server + reverse("admin:hits_batch_changelist"))
    expect(page.locator("#result_list .endpoint-badge").first).to_have_text("Test marketplace · pays people")
    pictures(page, f"batches-{width}")
    page.goto(platform_server + reverse("admin:annotation_project_home", args=[project.pk]))
    pictures(page, f"project-{width}")
