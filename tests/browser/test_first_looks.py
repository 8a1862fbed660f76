"""The hold on new workers as reviewers see it in Chromium: who waits, theirs first, one press to let them go on."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.models import FirstLook, Membership
from tests.browser.test_review_pages import project, ready, sign_in
from tests.browser.test_reviewing import fresh
from tests.pages import assert_accessible

__all__ = ["project", "sign_in"]

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [1280, 390])
def test_who_waits_for_a_look_comes_first_and_is_let_on(sign_in, platform_server, project, width, pictures):
    project.tasks_before_look = 2
    project.save()
    works = [fresh(project, hour) for hour in range(3)]
    # The first two are one worker's, who does no more; the third is from the day before, by somebody who has one left.
    type(works[0]).objects.filter(pk=works[1].pk).update(worker=works[0].worker)
    type(works[0]).objects.filter(pk=works[2].pk).update(submitted_at=timezone.now() - timedelta(minutes=9))
    page = sign_in(Membership.Role.REVIEWER)
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{platform_server}/review/weather/")
    expect(page.locator("[data-held]")).to_contain_text("1 worker does no more here until somebody has looked")
    expect(page.locator(".queue tbody tr").first).to_contain_text("waits for a first look")
    expect(page.locator(".queue tbody tr").nth(2)).not_to_contain_text("waits for a first look")
    pictures(page, f"queue-held-{width}")
    assert_accessible(page)
    page.get_by_role("link", name="Review one by one").click()
    page.wait_for_url(f"**/{works[0].pk}/")
    ready(page)
    pictures(page, f"review-held-{width}")
    assert_accessible(page)
    page.get_by_role("button", name="I have looked: let them go on").click()
    expect(page.get_by_role("status")).to_contain_text("may go on; the marketplace is told in a moment.")
    expect(page.locator("[data-held]")).to_have_count(0)
    assert FirstLook.objects.get().assignment_id == works[0].pk
