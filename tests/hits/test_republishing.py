"""Publishing again what was rejected or never filled: once, at its price, and never for somebody who did it."""

from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.models import Assignment, Membership
from hits.models import HIT, Batch, LedgerEntry
from hits.services import acting, batch_life, ending, publishing, republishing, syncing
from tests.annotation.factories import make_member

from .conftest import published
from .test_at_once import at_once
from .test_batch_life import press
from .test_syncing import approve, decide, submit_one

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
ONE = Decimal("0.72")


@pytest.fixture
def requester(project, client):
    client.force_login(make_member(project, Membership.Role.REQUESTER))
    return client


def ended(batch):
    ending.end(batch, None)
    acting.carry_out()
    syncing.sync("marketplace")
    batch.refresh_from_db()


def test_a_rejected_place_and_the_unfilled_ones_come_again_for_the_same_tasks(project, crowd, requester):
    batch = published(project)
    _, worker_id = submit_one(crowd)
    syncing.sync("marketplace")
    decide(Assignment.objects.all(), "reject", "Not about the paragraph.")
    ended(batch)
    assert batch.status == Batch.Status.CLOSED
    shown = requester.get(reverse("admin:hits_batch_act", args=[batch.pk, "again"])).content.decode()
    assert "1 place whose work was rejected is offered again." in shown
    assert "4 places that nobody filled" in shown
    press(requester, batch, "again")
    batch.refresh_from_db()
    publishing.publish(batch)
    new = HIT.objects.filter(sister_of__isnull=False)
    assert sorted(new.values_list("offer__task", "max_assignments")) == [
        (task, 1) for task in sorted(HIT.objects.filter(sister_of=None).values_list("offer__task", flat=True))
    ]
    assert LedgerEntry.objects.filter(batch=batch).reserved_usd() == 5 * ONE
    rejected = Assignment.objects.get()
    again = new.get(offer__task=rejected.task)
    asked = {"assignmentId": "AX", "hitId": again.mturk_hit_id, "workerId": worker_id, "turkSubmitTo": crowd.url}
    assert requester.get(f"/work/{again.offer.key}/", asked).status_code == 409  # they did it
    assert requester.get(f"/work/{again.offer.key}/", asked | {"workerId": "ASOMEBODY"}).status_code == 200


def test_nothing_comes_again_twice(project, crowd):
    batch = published(project)
    ended(batch)
    outcomes = at_once(*[lambda: republishing.publish_again(batch, None)] * 2)
    assert sum(isinstance(outcome, batch_life.NotDone) for outcome in outcomes) == 1
    assert HIT.objects.filter(sister_of__isnull=False).count() == 5
    assert LedgerEntry.objects.filter(batch=batch).reserved_usd() == 5 * ONE


def test_what_is_waiting_approved_or_taken_up_by_another_batch_does_not_come_again(project, crowd):
    batch = published(project)
    submit_one(crowd)
    submit_one(crowd)
    syncing.sync("marketplace")
    assert republishing.plan_again(batch).is_empty
    approve(Assignment.objects.order_by("pk")[:1])
    ended(batch)
    assert sum(more.places for more in republishing.plan_again(batch).more) == 3
    published(project)  # another batch takes up the paragraphs that are free
    assert republishing.plan_again(batch).is_empty


def test_publishing_again_keeps_to_the_projects_cap(project, crowd):
    batch = published(project)
    ended(batch)
    project.spending_cap_usd = Decimal("3.59")
    project.save()
    with pytest.raises(batch_life.NotDone, match=r"This would cost \$3.60; \$3.59 is left"):
        republishing.publish_again(Batch.objects.get(), None)
