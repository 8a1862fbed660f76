"""The pages about money in a real browser: every one by axe, at both widths, and fair pay paid by keyboard alone."""

from decimal import Decimal

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Assignment, Membership
from hits.models import Bonus
from hits.services import bonuses, caps, publishing, reconciling, syncing
from hits.services.bonuses import Wish
from tests.annotation.factories import make_article, make_member, make_paragraph, make_project, make_worker
from tests.hits.conftest import launch, writing
from tests.hits.test_fair_pay import measured
from tests.hits.test_syncing import approve, submit_one

from .test_batch_life_pages import sign_in  # noqa: F401 - a fixture
from .test_requester_pages import check

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def batch(db, crowd):
    """A batch with approved work, a slow worker, a bonus paid, one refused, and one paid behind our back."""
    project = make_project(name="Mills")
    article = make_article(project)
    for _number in range(4):
        make_paragraph(article=article)
    rosa = make_member(project, Membership.Role.REQUESTER, "rosa")
    batch = launch(project, writing(bonus_reserve_percent=Decimal(10)))
    publishing.publish(batch)
    for _number in range(3):
        submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    slow, other, third = Assignment.objects.order_by("pk")
    measured(slow, 480)
    measured(other, 200)
    caps.raise_cap(batch, Decimal("20.00"), "The text is harder than we had thought.", rosa)
    bonuses.ask(batch, [Wish(other, Decimal("0.50"), "Thank you.")], rosa)
    bonuses.send()
    bonuses.ask(batch, [Wish(third, Decimal("0.40"), "For somebody else.")], rosa)
    Bonus.objects.filter(assignment=third).update(worker=make_worker())
    bonuses.send()
    listed = crowd.mturk.get_assignment(AssignmentId=slow.mturk_assignment_id)["Assignment"]
    crowd.mturk.send_bonus(
        WorkerId=listed["WorkerId"], AssignmentId=listed["AssignmentId"], BonusAmount="0.10", Reason="By hand."
    )
    reconciling.run(reconciling.ask(project, rosa))
    batch.refresh_from_db()
    return batch


@pytest.mark.parametrize(
    ("width", "scheme"), [pytest.param(1280, "light", id="wide"), pytest.param(390, "dark", id="phone, dark")]
)
def test_axe_finds_nothing_on_any_page_about_money(batch, sign_in, platform_server, pictures, width, scheme):  # noqa: F811
    page = sign_in(width, color_scheme=scheme)
    of_project = [batch.project.pk]
    for name, address in {
        "money": reverse("admin:hits_batch_money", args=[batch.pk]),
        "fair-pay": reverse("admin:hits_batch_fair_pay", args=[batch.pk]),
        "ledger": reverse("admin:hits_ledger", args=of_project),
        "reconcile": reverse("admin:hits_reconcile", args=of_project),
        "tokens": reverse("admin:accounts_tokens"),
    }.items():
        page.goto(platform_server + address)
        for summary in page.locator("#content summary").all():
            summary.click()
        check(page, pictures, f"money-{name}-{width}")


def test_fair_pay_is_paid_by_keyboard_alone(batch, sign_in, platform_server):  # noqa: F811
    page = sign_in()
    page.goto(platform_server + reverse("admin:hits_batch_money", args=[batch.pk]))
    page.get_by_role("link", name="Fair pay").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-below]")).to_have_attribute("data-below", "1")
    page.get_by_role("button", name="Pay $0.72").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 bonus is on its way.")).to_be_visible()
    assert Bonus.objects.filter(origin=Bonus.Origin.FAIR_PAY).count() == 1
