"""Acts on a batch after its launch: each once, whatever dies in between, with its money set aside first."""

from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import IntegrityError
from django.urls import reverse

from annotation.models import Assignment, IllegalMove, Membership
from hits import mturk, tasks
from hits.models import HIT, Act, Batch, LedgerEntry, RehearsalRun
from hits.services import acting, batch_life, ending, publishing, syncing, topping_up
from tests.annotation.factories import make_member

from .conftest import launch, published
from .test_at_once import at_once
from .test_syncing import approve, decide, submit_one

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
ONE = Decimal("0.72")  # 4 minutes at $9 an hour, and 20 %


@pytest.fixture
def requester(project, client):
    client.force_login(make_member(project, Membership.Role.REQUESTER))
    return client


def page_of(batch, action):
    return reverse("admin:hits_batch_act", args=[batch.pk, action])


def press(requester, batch, action, **fields):
    """The page with ``fields``, and its button."""
    page = requester.get(page_of(batch, action), fields)
    confirm = {"token": page.context["confirm"].initial["token"], "shown_usd": page.context["change"].total_usd}
    return requester.post(page_of(batch, action), fields | confirm, follow=True)


def reserved(batch):
    return LedgerEntry.objects.filter(batch=batch).reserved_usd()


def places_there(crowd):
    return sorted(hit["MaxAssignments"] for hit in crowd.hits())


def test_more_workers_cost_what_the_page_says_and_open_at_the_endpoint(project, crowd, requester):
    batch = published(project)
    page = requester.get(page_of(batch, "places"), {"places": 2})
    assert 'data-total="7.20"' in page.content.decode()
    answer = press(requester, batch, "places", places=2)
    assert "Asked for." in answer.content.decode()
    assert reserved(batch) == 15 * ONE  # before the endpoint is called
    acting.carry_out()
    batch.refresh_from_db()
    assert (places_there(crowd), reserved(batch), batch.cap_usd) == ([3] * 5, 15 * ONE, 15 * ONE)
    assert set(HIT.objects.values_list("max_assignments", flat=True)) == {3}


def test_one_hit_alone_can_get_more(project, crowd):
    batch = published(project)
    topping_up.add_places(batch, None, 3, hit_id=batch.hits.first().pk)
    acting.carry_out()
    assert places_there(crowd) == [1, 1, 1, 1, 4]


def test_a_hit_of_fewer_than_ten_is_not_raised_to_ten_but_gets_sisters_below_the_surcharge(project, crowd, requester):
    batch = published(project)
    hit = batch.hits.first()
    page = requester.get(page_of(batch, "places"), {"places": 11, "hit": hit.pk}).content.decode()
    assert "no endpoint raises such a HIT to 10 or more" in page
    press(requester, batch, "places", places=11, hit=hit.pk)
    acting.carry_out()
    publishing.publish(batch)
    assert places_there(crowd) == [1, 1, 1, 1, 1, 2, 9]
    sisters = HIT.objects.filter(sister_of=hit)
    assert {sister.offer.task_id for sister in sisters} == {hit.offer.task_id}
    assert {sister.fee_usd for sister in sisters} == {Decimal("0.12")}
    assert reserved(batch) == 16 * ONE


@pytest.mark.parametrize(("cap", "is_done"), [("7.20", True), ("7.19", False)])
def test_more_workers_keep_to_the_projects_cap(project, crowd, requester, cap, is_done):
    project.spending_cap_usd = Decimal(cap)
    project.save()
    batch = published(project)
    answer = press(requester, batch, "places", places=1)
    assert Act.objects.filter(kind="add").exists() == is_done
    assert ("is left of the project&#x27;s cap" in answer.content.decode()) != is_done


def test_where_people_are_paid_the_total_is_typed(project, crowd, requester, settings):
    crowd.become_endpoint(settings, pays_people=True)
    batch = published_on_paying(project)
    fields = {"places": 1, "hit": "", "token": uuid4(), "shown_usd": "3.60"}
    refused = requester.post(page_of(batch, "places"), fields)
    assert (refused.status_code, Act.objects.count()) == (422, 0)
    assert requester.post(page_of(batch, "places"), fields | {"confirmed_usd": "3.60"}).status_code == 302
    assert Act.objects.filter(kind="add").count() == 5


def published_on_paying(project):
    from hits.services import launching

    from .conftest import writing

    batch = launching.launch(project, writing(), None, Decimal("3.60"))
    publishing.publish(batch)
    return batch


def test_a_page_sent_twice_acts_once_and_so_do_two_at_once(project, crowd):
    batch, token = published(project), uuid4()
    calls = [lambda: topping_up.add_places(batch, None, 1, token=token)] * 2
    outcomes = at_once(*calls)
    assert sum(isinstance(outcome, batch_life.AskedBefore) for outcome in outcomes) == 1
    at_once(acting.carry_out, acting.carry_out)
    assert (places_there(crowd), reserved(batch)) == ([2] * 5, 10 * ONE)


@pytest.mark.parametrize("fault", ["drop_after", "error_500_after"])
def test_places_whose_answer_was_lost_are_added_once(project, crowd, fault):
    batch = published(project)
    topping_up.add_places(batch, None, 2, hit_id=batch.hits.first().pk)
    crowd.faults({"operation": "CreateAdditionalAssignmentsForHIT", "fault": fault, "times": 1})
    with pytest.raises(mturk.Unavailable):
        acting.carry_out()
    Act.objects.filter(done_at__isnull=True).update(claimed_until=None)
    tasks.sweep()  # a killed worker's act is taken up again
    acting.carry_out()
    assert (places_there(crowd), reserved(batch)) == ([1, 1, 1, 1, 3], 7 * ONE)
    assert not Act.objects.waiting().exists()


def test_a_refused_act_says_why_and_frees_its_money(project, crowd):
    batch = published(project)
    hit = batch.hits.first()
    topping_up.add_places(batch, None, 2, hit_id=hit.pk)
    crowd.mturk.update_expiration_for_hit(HITId=hit.mturk_hit_id, ExpireAt=0)
    crowd.mturk.delete_hit(HITId=hit.mturk_hit_id)  # behind our back
    acting.carry_out()
    act = Act.objects.get(kind="add")
    assert (act.was_refused, "does not exist" in act.problem) == (True, True)
    assert reserved(batch) == 5 * ONE


def test_a_key_that_is_not_taken_leaves_the_act_to_be_done_later(project, crowd, settings):
    batch = published(project)
    ending.end(batch, None)
    crowd.become_endpoint(settings, secret_key="wrong")
    acting.carry_out()
    assert (Act.objects.waiting().count(), Act.objects.filter(problem__contains="access key").count()) == (5, 1)
    crowd.become_endpoint(settings)
    Act.objects.waiting().update(claimed_until=None)
    acting.carry_out()
    assert not Act.objects.waiting().exists()


def test_expiring_frees_unfilled_places_when_the_endpoint_says_so_and_keeps_work_in_hand(project, crowd, requester):
    batch = published(project)
    site, _ = crowd.worker()
    held = crowd.accept(site)
    press(requester, batch, "end")
    acting.carry_out()
    assert reserved(batch) == 5 * ONE  # nothing is known yet
    syncing.sync("marketplace")
    assert reserved(batch) == ONE  # for the one in hand
    assert site.submit(held, {"receipt": "r"})
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    syncing.sync("marketplace")
    batch.refresh_from_db()
    assert (reserved(batch), batch.status) == (0, Batch.Status.CLOSED)


def test_unfilled_places_are_free_again_while_the_filled_ones_wait_for_their_decision(project, crowd):
    project.writers_per_paragraph = 3
    project.save()
    batch = published(project)
    submit_one(crowd)
    hit = HIT.objects.get(mturk_hit_id=crowd.assignments()[0]["HITId"])
    ending.end(batch, None, hit_id=hit.pk)
    acting.carry_out()
    syncing.sync("marketplace")
    hit.refresh_from_db()
    assert (hit.status, reserved(batch)) == (HIT.Status.REVIEWABLE, 13 * ONE)


def test_ending_a_batch_gives_up_what_is_not_published(project, crowd):
    batch = launch(project)
    ending.end(batch, None)
    publishing.publish(batch)
    batch.refresh_from_db()
    assert (crowd.hits(), reserved(batch), batch.status) == ([], 0, Batch.Status.CLOSED)


def test_more_time_opens_what_had_expired_and_sets_its_money_aside_again(project, crowd, requester):
    project.writers_per_paragraph = 2
    project.save()
    batch = published(project)
    submit_one(crowd)
    hit = HIT.objects.get(mturk_hit_id=crowd.assignments()[0]["HITId"])
    ending.end(batch, None, hit_id=hit.pk)
    acting.carry_out()
    syncing.sync("marketplace")
    assert reserved(batch) == 9 * ONE
    page = requester.get(page_of(batch, "time"), {"hours": 24, "hit": hit.pk}).content.decode()
    assert 'data-total="0.72"' in page
    press(requester, batch, "time", hours=24, hit=hit.pk)
    acting.carry_out()
    syncing.sync("marketplace")
    hit.refresh_from_db()
    assert (hit.status, reserved(batch)) == (HIT.Status.OPEN, 10 * ONE)
    there = crowd.mturk.get_hit(HITId=hit.mturk_hit_id)["HIT"]
    assert (there["HITStatus"], there["NumberOfAssignmentsAvailable"]) == ("Assignable", 1)
    # And once more: each round is released by itself.
    ending.end(batch, None, hit_id=hit.pk)
    acting.carry_out()
    syncing.sync("marketplace")
    assert reserved(batch) == 9 * ONE


def test_a_batch_is_deleted_when_its_work_is_decided_and_says_what_it_waits_for(project, crowd, requester):
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    press(requester, batch, "delete")
    acting.carry_out()
    syncing.sync("marketplace")
    acting.carry_out()
    page = requester.get(reverse("admin:hits_batch_progress", args=[batch.pk])).content.decode()
    assert "4 of 5 HITs are deleted." in page
    assert "1 submission waits for your decision" in page
    decide(Assignment.objects.all(), "reject", "Not about the paragraph.")
    syncing.sync("marketplace")
    acting.carry_out()
    assert (crowd.hits(), reserved(batch)) == ([], 0)


def test_a_batch_is_said_to_be_deleted_once_all_of_it_is_and_offers_nothing_more(project, crowd, requester):
    batch = published(project)
    life = reverse("admin:hits_batch_life", args=[batch.pk])

    def offered_and_deleted():
        page = requester.get(life)
        return {name for name, _ in page.context["actions"]}, "deleted at the endpoint" in page.content.decode()

    assert offered_and_deleted() == ({"places", "time", "end", "delete"}, False)
    submit_one(crowd)
    syncing.sync("marketplace")
    press(requester, batch, "delete")
    acting.carry_out()
    syncing.sync("marketplace")
    acting.carry_out()
    assert not offered_and_deleted()[1], "one HIT waits for the decision on its work"
    decide(Assignment.objects.all(), "approve")
    syncing.sync("marketplace")
    acting.carry_out()
    offered, is_deleted = offered_and_deleted()
    assert (offered & {"places", "time", "end", "delete", "release"}, is_deleted) == (set(), True)


def test_what_was_asked_for_cannot_be_changed_or_deleted(project, crowd):
    batch = published(project)
    ending.end(batch, None)
    for change in (lambda: Act.objects.update(places=9), lambda: Act.objects.first().delete()):
        with pytest.raises(IntegrityError, match="only ever added"):
            change()


@pytest.mark.parametrize("model", [Batch, RehearsalRun])
def test_a_status_moves_along_its_table_and_no_other_way(project, model):
    values = {"project": project, "kind": "write"}
    values |= {"asked": {}} if model is RehearsalRun else {"units_per_hit": 1, "hourly_rate_usd": 9, "cap_usd": 1}
    for old in model.Status.values:
        for new in model.Status.values:
            row = model.objects.create(**values, status=old)
            if new in model.MOVES[old]:
                row.move_to(new)
            else:
                with pytest.raises(IllegalMove):
                    row.move_to(new)
            assert model.objects.get(pk=row.pk).status == (new if new in model.MOVES[old] else old)
            model.objects.all().delete()


@pytest.mark.parametrize(
    ("role", "status"),
    [(Membership.Role.VIEWER, 403), (Membership.Role.REVIEWER, 403), (Membership.Role.REQUESTER, 200)],
)
def test_requesters_alone_act_on_a_batch(project, crowd, client, role, status):
    batch = launch(project)
    client.force_login(make_member(project, role))
    assert client.get(page_of(batch, "end")).status_code == status


@pytest.mark.parametrize(
    "fields", [{"places": "0"}, {"places": "9" * 40}, {"places": "1", "hit": "-1"}, {"places": "\0"}]
)
def test_nonsense_is_answered_beside_its_field(project, crowd, requester, fields):
    batch = launch(project)
    page = requester.get(page_of(batch, "places"), fields)
    assert (page.status_code, page.context["change"]) == (200, None)
    assert "page-error" in page.content.decode()
    assert requester.get(page_of(batch, "nothing-such")).status_code == 404
