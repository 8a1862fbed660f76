"""What the marketplace lists becomes ours: kept when submitted, counting when approved, paid once."""

from decimal import Decimal

import pytest

from annotation.models import Assignment, Draft, Question, Worker
from hits import mturk
from hits.models import HIT, AssignmentDecision, Batch, LedgerEntry, QualificationGrant
from hits.services import deciding, syncing
from tests.annotation.factories import make_user

from .conftest import published, writing

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MARK = {"start": 22, "end": 26, "text": "1742"}  # in the factories' paragraph about the mill


def submit_one(crowd, **worker):
    """A new worker accepts a HIT and submits it straight to the marketplace; their assignment as it lists it."""
    site, worker_id = crowd.worker(**worker)
    held = crowd.accept(site)
    assert site.submit(held, {"receipt": "r"})
    return held.frame_parameters["assignmentId"], worker_id


def test_submitted_work_is_listed_once_and_a_second_sync_adds_nothing(project, crowd):
    published(project)
    assignment_id, worker_id = submit_one(crowd)
    assert syncing.sync("marketplace") == 1
    assert syncing.sync("marketplace") == 0
    assignment = Assignment.objects.get()
    assert (assignment.mturk_assignment_id, assignment.worker.mturk_worker_id) == (assignment_id, worker_id)
    assert assignment.status == Assignment.Status.SUBMITTED


def test_more_than_one_page_of_submissions_is_fetched(project, crowd, monkeypatch):
    monkeypatch.setattr("hits.mturk.PAGE", 2)
    project.writers_per_paragraph = 3
    project.save()
    published(project)
    for _ in range(5):
        submit_one(crowd)
    assert syncing.sync("marketplace") == 5
    assert Assignment.objects.count() == 5


def test_a_writer_is_kept_from_answering_as_soon_as_their_submission_is_listed(project, crowd):
    published(project)
    _, worker_id = submit_one(crowd)
    syncing.sync("marketplace")
    grant = QualificationGrant.objects.get()
    assert grant.granted_at is not None
    score = crowd.mturk.get_qualification_score(
        QualificationTypeId=grant.qualification.mturk_qualification_type_id, WorkerId=worker_id
    )
    assert score["Qualification"]["Status"] == "Granted"


def test_one_assignment_id_finished_by_two_workers_counts_for_the_one_whom_the_marketplace_names(project, crowd):
    batch = published(project)
    assignment_id, worker_id = submit_one(crowd)
    hit = HIT.objects.get(mturk_hit_id=crowd.mturk.get_assignment(AssignmentId=assignment_id)["HIT"]["HITId"])
    first = Worker.objects.create(endpoint="marketplace", mturk_worker_id="AFIRST")
    Assignment.objects.create(offer=hit.offer, task=hit.offer.task, worker=first, mturk_assignment_id=assignment_id)
    syncing.sync("marketplace")
    assert dict(Assignment.objects.values_list("worker__mturk_worker_id", "status")) == {
        "AFIRST": Assignment.Status.NOT_SUBMITTED,
        worker_id: Assignment.Status.SUBMITTED,
    }
    approve(Assignment.objects.filter(status="submitted"))
    assert [entry.assignment.worker.mturk_worker_id for entry in rewards(batch)] == [worker_id]


def test_work_that_reached_the_marketplace_but_never_finished_here_is_kept_from_its_draft(project, crowd):
    published(project)
    site, worker_id = crowd.worker()
    held = crowd.accept(site)
    asked = held.frame_parameters
    hit = HIT.objects.get(mturk_hit_id=asked["hitId"])
    worker = Worker.objects.create(endpoint="marketplace", mturk_worker_id=worker_id)
    assignment = Assignment.objects.create(
        offer=hit.offer, task=hit.offer.task, worker=worker, mturk_assignment_id=asked["assignmentId"]
    )
    question = {"id": "6f1f0f0e-58a5-4f0c-9f0e-1f3f5a7c9b11", "text": "When was it built?", "answer": MARK}
    paragraph = hit.offer.task.task_paragraphs.get()
    content = {
        "paragraphs": [
            {"id": paragraph.pk, "active_seconds": 60, "blocked_actions": 0, "questions": [question]},
        ]
    }
    Draft.objects.create(assignment=assignment, version=3, content=content)
    assert site.submit(held, {"receipt": "r"})
    syncing.sync("marketplace")
    assert list(Question.objects.values_list("text", "assignment")) == [("When was it built?", assignment.pk)]


def test_an_approval_pays_once_however_often_it_is_asked_for(project, crowd):
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    approve(Assignment.objects.all())
    syncing.sync("marketplace")
    # 4 minutes at $9 an hour; a fee of 20 %.
    ledger = LedgerEntry.objects.filter(batch=batch)
    assert (ledger.paid_usd(), ledger.spent_usd()) == (Decimal("0.60"), Decimal("0.72"))
    assert ledger.reserved_usd() == 4 * Decimal("0.72")
    assert [listed["AssignmentStatus"] for listed in crowd.assignments()] == ["Approved"]


@pytest.mark.parametrize("fault", ["drop_after", "error_500_after"])
def test_an_approval_whose_answer_was_lost_is_paid_once(project, crowd, fault):
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    crowd.faults({"operation": "ApproveAssignment", "fault": fault, "times": 1})
    with pytest.raises(mturk.Unavailable):
        approve(Assignment.objects.all())
    AssignmentDecision.objects.update(claimed_until=None)
    deciding.carry_out()
    assert rewards(batch).count() == 1
    assert Assignment.objects.get().status == Assignment.Status.APPROVED


def test_a_rejection_carries_its_reason_and_frees_the_money(project, crowd):
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    decide(Assignment.objects.all(), "reject", "None of the answers is in the text.")
    listed = crowd.assignments()[0]
    assert (listed["AssignmentStatus"], listed["RequesterFeedback"]) == (
        "Rejected",
        "None of the answers is in the text.",
    )
    ledger = LedgerEntry.objects.filter(batch=batch)
    assert (ledger.spent_usd(), ledger.reserved_usd()) == (Decimal("0.00"), 4 * Decimal("0.72"))


def test_a_rejection_can_be_taken_back(project, crowd):
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    decide(Assignment.objects.all(), "reject", "None of the answers is in the text.")
    approve(Assignment.objects.all())
    assert crowd.assignments()[0]["AssignmentStatus"] == "Approved"
    ledger = LedgerEntry.objects.filter(batch=batch)
    assert (ledger.paid_usd(), ledger.reserved_usd()) == (Decimal("0.60"), 4 * Decimal("0.72"))


def test_work_that_the_timer_approved_is_paid_in_the_ledger_too(project, crowd):
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    with crowd.later(7 * 24 * 60 * 60 + 1):
        syncing.sync("marketplace")
    assert rewards(batch).count() == 1


def test_a_batch_closes_when_all_is_decided_and_nothing_stays_reserved(project, crowd):
    batch = published(project, writing(units_per_hit=5))
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    syncing.sync("marketplace")
    batch.refresh_from_db()
    assert batch.status == Batch.Status.CLOSED
    assert LedgerEntry.objects.filter(batch=batch).reserved_usd() == 0


def test_places_that_nobody_filled_are_released_when_the_hit_expires(project, crowd):
    batch = published(project)
    with crowd.later(7 * 24 * 60 * 60 + 1):
        syncing.sync("marketplace")
    batch.refresh_from_db()
    assert batch.status == Batch.Status.CLOSED
    assert LedgerEntry.objects.filter(batch=batch).reserved_usd() == 0


def test_a_list_that_breaks_off_closes_nothing(project, crowd):
    batch = published(project, writing(units_per_hit=5))
    submit_one(crowd)
    crowd.faults({"operation": "ListAssignmentsForHIT", "fault": "drop_after", "times": 1})
    with pytest.raises(mturk.Unavailable):
        syncing.sync("marketplace")
    assert batch.hits.get().status == HIT.Status.OPEN
    syncing.sync("marketplace")
    assert Assignment.objects.count() == 1


def decide(assignments, kind, feedback=""):
    deciding.decide(list(assignments), kind, make_user(), feedback)
    deciding.carry_out()


def approve(assignments):
    decide(assignments, "approve")


def rewards(batch):
    return LedgerEntry.objects.filter(batch=batch, kind=LedgerEntry.Kind.REWARD)
