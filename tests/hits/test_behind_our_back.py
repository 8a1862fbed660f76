"""What somebody else does at the endpoint, or the endpoint's own clock: we find out, and the ledger stays true."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.models import Assignment
from hits.models import HIT, Batch, EndpointStanding, LedgerEntry, Qualification
from hits.services import deciding, syncing

from .conftest import published, writing
from .test_publishing import annotations, ours
from .test_syncing import approve, decide, submit_one

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

WEEK = 7 * 24 * 60 * 60


def an_hour_passes(batch):
    """Since anything was looked at."""
    before = timezone.now() - timedelta(hours=1, minutes=1)
    EndpointStanding.objects.update(looked_back_at=before)
    HIT.objects.filter(batch=batch).exclude(listed_at=None).update(listed_at=before)
    HIT.objects.filter(batch=batch).exclude(published_at=None).update(published_at=before)


def reserved(batch) -> Decimal:
    return LedgerEntry.objects.filter(batch=batch).reserved_usd()


def spent(batch) -> Decimal:
    return LedgerEntry.objects.filter(batch=batch).spent_usd()


def expire(crowd, hit_id, when=0):
    crowd.mturk.update_expiration_for_hit(HITId=hit_id, ExpireAt=when)


def test_a_hit_that_was_deleted_frees_its_money_and_its_paragraph_can_be_published_again(project, crowd):
    batch = published(project)
    hit = batch.hits.first()
    expire(crowd, hit.mturk_hit_id)
    crowd.mturk.delete_hit(HITId=hit.mturk_hit_id)
    an_hour_passes(batch)
    syncing.sync("marketplace")
    hit.refresh_from_db()
    assert (hit.status, reserved(batch)) == (HIT.Status.CLOSED, 4 * Decimal("0.72"))
    again = published(project)
    assert again.hits.get().offer.task.task_paragraphs.get().paragraph == hit.offer.task.task_paragraphs.get().paragraph
    assert annotations(crowd) == sorted(set(ours(batch)) - {hit.annotation} | set(ours(again)))


def test_a_hit_that_the_list_does_not_show_yet_is_not_taken_for_deleted(project, crowd, monkeypatch):
    batch = published(project)
    submit_one(crowd)
    monkeypatch.setattr("hits.mturk.list_hits", lambda endpoint: iter(()))
    syncing.sync("marketplace")
    an_hour_passes(batch)  # ... and when it has had its time, it is asked for by its id
    assert syncing.sync("marketplace") == 1
    assert batch.hits.filter(status=HIT.Status.CLOSED).count() == 0


def test_a_key_of_another_account_closes_nothing(project, crowd, settings):
    batch = published(project)
    an_hour_passes(batch)
    made = crowd.hook("requester")
    crowd.become_endpoint(settings, access_key=made["access_key"], secret_key=made["secret_key"])
    with pytest.raises(syncing.AnotherAccount, match="seems to belong to another account"):
        syncing.sync("marketplace")
    assert (batch.hits.filter(status=HIT.Status.OPEN).count(), reserved(batch)) == (5, batch.cap_usd)
    crowd.become_endpoint(settings)
    for hit in crowd.hits():
        expire(crowd, hit["HITId"])
        crowd.mturk.delete_hit(HITId=hit["HITId"])
    syncing.sync("marketplace")
    assert (batch.hits.filter(status=HIT.Status.CLOSED).count(), reserved(batch)) == (5, 0)


def test_a_hit_that_was_expired_closes_and_one_that_was_extended_then_opens_again(project, crowd):
    batch = published(project, writing(units_per_hit=5))
    hit = batch.hits.get()
    expire(crowd, hit.mturk_hit_id)
    syncing.sync("marketplace")
    batch.refresh_from_db()
    assert (batch.status, reserved(batch)) == (Batch.Status.CLOSED, 0)
    expire(crowd, hit.mturk_hit_id, timezone.now() + timedelta(days=3))
    submit_one(crowd)
    an_hour_passes(batch)
    syncing.sync("marketplace")
    assert Assignment.objects.get().status == Assignment.Status.SUBMITTED
    approve(Assignment.objects.all())
    syncing.sync("marketplace")
    batch.refresh_from_db()
    # It was paid though nothing was reserved for it any more, and nothing is freed that was not reserved.
    assert (batch.status, spent(batch), reserved(batch)) == (Batch.Status.CLOSED, Decimal("3.60"), 0)


def test_places_that_were_added_are_paid_for_and_never_make_the_reserve_negative(project, crowd):
    batch = published(project, writing(units_per_hit=5))
    hit = batch.hits.get()
    crowd.mturk.create_additional_assignments_for_hit(HITId=hit.mturk_hit_id, NumberOfAdditionalAssignments=1)
    submit_one(crowd)
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    assert (spent(batch), reserved(batch)) == (2 * Decimal("3.60"), 0)
    assert not LedgerEntry.objects.filter(amount_usd=0).exists()


@pytest.mark.parametrize("closed", [False, True], ids=["while the HIT is open", "after it closed"])
def test_a_rejection_that_was_taken_back_is_found_within_its_31_days(project, crowd, closed):
    batch = published(project, writing(units_per_hit=5))
    hit = batch.hits.get()
    if not closed:
        crowd.mturk.create_additional_assignments_for_hit(HITId=hit.mturk_hit_id, NumberOfAdditionalAssignments=1)
    assignment_id, _ = submit_one(crowd)
    syncing.sync("marketplace")
    decide(Assignment.objects.all(), "reject", "None of the answers is in the text.")
    syncing.sync("marketplace")
    hit.refresh_from_db()
    assert (hit.status == HIT.Status.CLOSED) == closed
    crowd.mturk.approve_assignment(AssignmentId=assignment_id, OverrideRejection=True)
    an_hour_passes(batch)
    Assignment.objects.update(submitted_at=timezone.now() - timedelta(days=32))
    HIT.objects.update(listed_at=timezone.now() - timedelta(days=32))
    assert syncing.sync("marketplace") == 0, "nobody looks back for ever"
    Assignment.objects.update(submitted_at=timezone.now() - timedelta(days=29))
    an_hour_passes(batch)
    assert syncing.sync("marketplace") == 1
    assert Assignment.objects.get().status == Assignment.Status.APPROVED
    assert spent(batch) == Decimal("3.60")


def test_what_was_approved_or_rejected_there_is_not_decided_again(project, crowd):
    batch = published(project)
    approved, rejected = submit_one(crowd)[0], submit_one(crowd)[0]
    syncing.sync("marketplace")
    crowd.mturk.approve_assignment(AssignmentId=approved)
    crowd.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="No.")
    decide(Assignment.objects.filter(mturk_assignment_id=approved), "reject", "None of it is in the text.")
    decide(Assignment.objects.filter(mturk_assignment_id=rejected), "approve")
    statuses = dict(Assignment.objects.values_list("mturk_assignment_id", "status"))
    assert statuses == {approved: Assignment.Status.APPROVED, rejected: Assignment.Status.REJECTED}
    assert (spent(batch), reserved(batch)) == (Decimal("0.72"), 3 * Decimal("0.72"))
    problems = Assignment.objects.values_list("decisions__problem", flat=True)
    assert all("currently in the state" in problem for problem in problems), "whoever asked sees why it is otherwise"


def test_a_rejection_that_can_no_longer_be_taken_back_keeps_no_money_set_aside(project, crowd):
    batch = published(project, writing(units_per_hit=5))
    submit_one(crowd)
    syncing.sync("marketplace")
    decide(Assignment.objects.all(), "reject", "None of the answers is in the text.")
    with crowd.later(31 * 24 * 60 * 60):
        approve(Assignment.objects.all())
    assert (Assignment.objects.get().status, reserved(batch)) == (Assignment.Status.REJECTED, 0)


def test_undecided_work_of_a_deleted_hit_frees_its_share_once(project, crowd):
    batch = published(project, writing(units_per_hit=5))
    hit = batch.hits.get()
    assignment_id, _ = submit_one(crowd)
    syncing.sync("marketplace")
    crowd.mturk.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="No.")
    crowd.mturk.delete_hit(HITId=hit.mturk_hit_id)
    an_hour_passes(batch)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    assert (spent(batch), reserved(batch)) == (0, 0)


def test_an_accept_or_a_return_costs_no_list_call_and_a_hundred_submissions_cost_one(project, crowd, count_calls):
    published(project)
    site, _ = crowd.worker()
    held = crowd.accept(site)
    calls = count_calls()
    syncing.sync("marketplace")
    site.give_back(held)
    syncing.sync("marketplace")
    assert calls["ListAssignmentsForHIT"] == 0
    submit_one(crowd)
    syncing.sync("marketplace")
    assert calls["ListAssignmentsForHIT"] == 1
    syncing.sync("marketplace")
    assert calls["ListAssignmentsForHIT"] == 1


def test_an_expired_hit_that_waits_for_review_is_fetched_once_more_and_then_left_alone(project, crowd, count_calls):
    project.writers_per_paragraph = 3
    project.save()
    batch = published(project, writing(units_per_hit=5))
    submit_one(crowd)
    expire(crowd, batch.hits.get().mturk_hit_id)
    calls = count_calls()
    for _ in range(3):
        syncing.sync("marketplace")
    assert calls["ListAssignmentsForHIT"] == 1
    an_hour_passes(batch)  # the endpoint may have counted a submission before it listed it
    for _ in range(3):
        syncing.sync("marketplace")
    assert calls["ListAssignmentsForHIT"] == 2
    an_hour_passes(batch)
    syncing.sync("marketplace")
    assert calls["ListAssignmentsForHIT"] == 2


def test_a_submission_that_is_counted_before_it_is_listed_is_not_missed(project, crowd, monkeypatch):
    from hits import mturk

    batch = published(project, writing(units_per_hit=5))
    submit_one(crowd)
    really = mturk.list_assignments
    monkeypatch.setattr(mturk, "list_assignments", lambda *_: iter(()))
    syncing.sync("marketplace")
    monkeypatch.setattr(mturk, "list_assignments", really)
    an_hour_passes(batch)
    assert syncing.sync("marketplace") == 1
    assert batch.hits.get().status == HIT.Status.REVIEWABLE
    approve(Assignment.objects.all())
    syncing.sync("marketplace")
    assert (spent(batch), reserved(batch)) == (Decimal("3.60"), 0)


def test_one_sync_at_a_time_asks_an_endpoint(crowd, db):
    now, minute = timezone.now(), timedelta(minutes=1)
    assert EndpointStanding.claim_sync("marketplace", now, minute)
    assert not EndpointStanding.claim_sync("marketplace", now, minute)
    assert EndpointStanding.claim_sync("another", now, minute)
    assert EndpointStanding.claim_sync("marketplace", now + 2 * minute, minute), "one that died keeps nobody for long"
    assert EndpointStanding.claim_sync("marketplace", now - timedelta(hours=5), minute), "nor does a clock set back"


def test_one_endpoint_that_refuses_our_key_keeps_no_other_waiting(project, crowd, settings):
    published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    crowd.become_endpoint(settings, secret_key="not-the-secret")
    deciding.decide(list(Assignment.objects.all()), "approve", None)
    assert deciding.carry_out() == 0
    problem = Assignment.objects.get().decisions.get().problem
    assert problem == "Test marketplace does not accept our access key. Check the key pair in its settings."
    crowd.become_endpoint(settings)
    Assignment.objects.get().decisions.update(claimed_until=None)
    assert deciding.carry_out() == 1
    assert Qualification.objects.exists()
