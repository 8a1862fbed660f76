"""A requester's pages for batches: what they show, what they refuse, and to whom."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.models import Membership
from annotation.services.cloning import clone_for_rehearsal
from hits.models import Batch, LedgerEntry
from hits.services import publishing, syncing
from tests.annotation.factories import make_member, make_superuser, make_user

from .conftest import launch, published
from .test_syncing import approve, submit_one

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
FORM = {"kind": "write", "units_per_hit": 1, "hourly_rate_usd": "9.00", "extra_answers": 2, "endpoint": "marketplace"}


@pytest.fixture
def requester(project, client):
    client.force_login(make_member(project, Membership.Role.REQUESTER))
    return client


def launch_page(project):
    return reverse("admin:hits_batch_launch", args=[project.pk])


def test_the_launch_page_shows_the_price_before_anything_is_chosen(project, crowd, requester):
    page = requester.get(launch_page(project)).content.decode()
    assert 'data-total="3.60"' in page
    assert "$96.40" in page  # left of the cap after it


def test_the_receipt_follows_the_form(project, crowd, requester):
    address = reverse("admin:hits_batch_estimate", args=[project.pk])
    assert 'data-total="7.20"' in requester.get(address, FORM | {"hourly_rate_usd": "18"}).content.decode()
    assert "Ensure this value is greater than" in requester.get(address, FORM | {"units_per_hit": 0}).content.decode()


def test_the_step_to_extra_answers_opens_the_form_for_answering(project, crowd, requester):
    form = requester.get(launch_page(project), {"kind": "answer"}).context["form"]
    assert (form.initial["kind"], form.initial["splits"]) == ("answer", ["dev", "test"])
    assert requester.get(launch_page(project)).context["form"].initial["kind"] == "write"


def test_rehearsals_stay_out_of_the_lists_of_all_projects(project, crowd, client):
    client.force_login(make_superuser())
    real, copy = published(project), clone_for_rehearsal(project)
    values = {"kind": "write", "endpoint": "rehearsal", "units_per_hit": 1, "hourly_rate_usd": 9, "cap_usd": 1}
    rehearsed = Batch.objects.create(project=copy, **values)
    lists = reverse("admin:hits_batch_changelist")
    listed = lambda query: {row.pk for row in client.get(lists, query).context["cl"].result_list}  # noqa: E731
    assert listed({}) == {real.pk}
    assert listed({"project__id__exact": copy.pk}) == {rehearsed.pk}
    passages = client.get(reverse("admin:annotation_article_changelist")).context["cl"].result_list
    assert {article.project_id for article in passages} == {project.pk}


def test_lists_write_times_with_the_year_first_and_name_utc(project, crowd, client):
    client.force_login(make_superuser())
    batch = published(project)
    Batch.objects.update(launched_at=datetime(2026, 3, 4, 15, 7, tzinfo=UTC))
    for language in ("en", "de"):
        page = client.get(reverse("admin:hits_batch_changelist"), headers={"accept-language": language})
        assert "2026-03-04 15:07 UTC" in page.content.decode(), language
    entered = LedgerEntry.objects.filter(batch=batch).latest("pk").entered_at
    page = client.get(reverse("admin:hits_ledgerentry_changelist")).content.decode()
    assert f"{entered:%Y-%m-%d %H:%M} UTC" in page


def test_launching_makes_a_batch_and_shows_its_life(project, crowd, requester):
    answer = requester.post(launch_page(project), FORM, follow=True)
    batch = Batch.objects.get()
    assert answer.redirect_chain[-1][0] == reverse("admin:hits_batch_life", args=[batch.pk])
    assert "0 of 5 HITs" in answer.content.decode()
    publishing.publish(batch)
    assert "5 of 5 HITs" in requester.get(reverse("admin:hits_batch_progress", args=[batch.pk])).content.decode()


def test_a_batch_above_the_cap_is_refused_on_the_page_and_stores_nothing(project, crowd, requester):
    project.spending_cap_usd = Decimal("1.00")
    project.save()
    answer = requester.post(launch_page(project), FORM)
    assert answer.status_code == 422
    assert "The batch would cost $3.60; $1.00 is left of the cap." in answer.content.decode()
    assert not Batch.objects.exists()


def test_an_endpoint_that_pays_people_says_so_and_wants_the_total(project, crowd, requester, settings):
    crowd.become_endpoint(settings, pays_people=True)
    assert "approved work costs real money" in requester.get(launch_page(project)).content.decode()
    assert requester.post(launch_page(project), FORM).status_code == 422
    assert requester.post(launch_page(project), FORM | {"confirmed_total_usd": "3.60"}).status_code == 302


def test_an_endpoint_that_closed_warns_and_does_not_block(project, crowd, requester, settings):
    crowd.become_endpoint(settings, notice="It closed on 30 September 2026.")
    assert "It closed on 30 September 2026." in requester.get(launch_page(project)).content.decode()
    assert requester.post(launch_page(project), FORM).status_code == 302


def test_the_page_of_a_batch_keeps_money_side_by_side(project, crowd, requester):
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(project.tasks.filter(assignments__isnull=False).get().assignments.all())
    page = requester.get(reverse("admin:hits_batch_life", args=[batch.pk])).content.decode()
    assert "$0.72 spent" in page
    assert "$2.88 reserved · $3.60 is the cap" in page


def test_pausing_and_resuming(project, crowd, requester):
    batch = launch(project)
    requester.post(reverse("admin:hits_batch_pause", args=[batch.pk]))
    publishing.publish(Batch.objects.get())
    assert (Batch.objects.get().status, crowd.hits()) == (Batch.Status.PAUSED, [])
    requester.post(reverse("admin:hits_batch_resume", args=[batch.pk]))
    publishing.publish(Batch.objects.get())
    assert len(crowd.hits()) == 5
    again = requester.post(reverse("admin:hits_batch_pause", args=[batch.pk]), follow=True)
    assert "The batch has moved on meanwhile" in again.content.decode()


@pytest.mark.parametrize(
    ("role", "launching", "looking"),
    [
        (None, 404, 404),
        (Membership.Role.VIEWER, 403, 200),
        (Membership.Role.REVIEWER, 403, 200),
        (Membership.Role.REQUESTER, 200, 200),
    ],
)
def test_who_may_launch_and_who_may_look(project, crowd, client, role, launching, looking):
    batch = launch(project)
    client.force_login(make_member(project, role) if role else make_user())
    assert client.get(launch_page(project)).status_code == launching
    assert client.get(reverse("admin:hits_batch_life", args=[batch.pk])).status_code == looking
    paused = client.post(reverse("admin:hits_batch_pause", args=[batch.pk])).status_code
    assert paused == (302 if launching == 200 else launching)
