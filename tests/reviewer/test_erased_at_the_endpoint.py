"""The marketplace goes on listing the work of a worker who was erased here: nothing of it makes them known again."""

from decimal import Decimal

import pytest

from annotation.models import Assignment, Worker
from hits.models import HIT, AssignmentDecision, LedgerEntry, QualificationGrant
from hits.services import comparing, deciding, syncing
from reviewer.services.erasing import erase
from tests.hits.conftest import project, published  # noqa: F401 - the fixture
from tests.hits.test_syncing import submit_one
from tests.reviewer.test_erasing import rows_naming

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def decided(crowd, kind):
    """A new worker's listed work, decided as ``kind``; its row and the worker id."""
    _, worker_id = submit_one(crowd)
    syncing.sync("marketplace")
    work = Assignment.objects.select_related("worker").get(worker__mturk_worker_id=worker_id)
    deciding.decide([work], kind, None, "None of the answers is in the text." if kind == "reject" else "")
    deciding.carry_out()
    work.refresh_from_db()
    assert work.status in ("approved", "rejected")
    return work, worker_id


def list_anew():
    """Have the next sync fetch everything, whatever the counters say."""
    HIT.objects.update(seen="", status=HIT.Status.OPEN)
    return syncing.sync("marketplace")


def test_listing_an_erased_workers_work_again_changes_nothing(project, crowd):  # noqa: F811
    published(project)
    work, worker_id = decided(crowd, "approve")
    erase(work.worker_id)
    assert list_anew() == 0
    assert [listed["WorkerId"] for listed in crowd.assignments()] == [worker_id]
    assert rows_naming(worker_id) == {}
    assert (Worker.objects.count(), Assignment.objects.count()) == (1, 1)


def test_a_rejection_that_is_taken_back_behind_our_back_is_paid_to_the_erased_workers_row(project, crowd):  # noqa: F811
    batch = published(project)
    work, worker_id = decided(crowd, "reject")
    erase(work.worker_id)
    crowd.mturk.approve_assignment(AssignmentId=work.mturk_assignment_id, OverrideRejection=True)
    assert list_anew() == 1
    work.refresh_from_db()
    assert (work.status, Assignment.objects.count()) == ("approved", 1)
    assert LedgerEntry.objects.filter(batch=batch).paid_usd() == Decimal("0.60")
    assert rows_naming(worker_id) == {}


def test_our_own_approval_of_an_erased_workers_rejected_work_reaches_the_marketplace(project, crowd):  # noqa: F811
    published(project)
    work, worker_id = decided(crowd, "reject")
    erase(work.worker_id)
    deciding.decide([work], AssignmentDecision.Kind.APPROVE, None, "")
    deciding.carry_out()
    assert [listed["AssignmentStatus"] for listed in crowd.assignments()] == ["Approved"]
    assert rows_naming(worker_id) == {}


def test_what_an_erased_worker_holds_at_the_endpoint_stays_and_does_not_make_them_known(project, crowd):  # noqa: F811
    published(project)
    work, worker_id = decided(crowd, "approve")
    grant = QualificationGrant.objects.get()
    erase(work.worker_id)
    differences = comparing.compare(project, "marketplace")
    assert all(one.is_none for one in differences)
    assert comparing.mend(project, "marketplace", differences) == 0
    score = crowd.mturk.get_qualification_score(
        QualificationTypeId=grant.qualification.mturk_qualification_type_id, WorkerId=worker_id
    )
    assert score["Qualification"]["Status"] == "Granted"
    assert rows_naming(worker_id) == {}


def test_new_work_of_the_same_person_is_paid_under_a_new_row(project, crowd):  # noqa: F811
    batch = published(project)
    site, worker_id = crowd.worker()
    assert site.submit(crowd.accept(site), {"receipt": "r"})
    syncing.sync("marketplace")
    first = Assignment.objects.get()
    deciding.decide([first], "approve", None, "")
    deciding.carry_out()
    erase(first.worker_id)
    assert site.submit(crowd.accept(site), {"receipt": "r"})
    assert syncing.sync("marketplace") == 1
    second = Assignment.objects.exclude(pk=first.pk).get()
    assert (second.worker_id != first.worker_id, second.worker.mturk_worker_id) == (True, worker_id)
    deciding.decide([second], "approve", None, "")
    deciding.carry_out()
    assert list_anew() == 0
    assert LedgerEntry.objects.filter(batch=batch).paid_usd() == Decimal("1.20")
    assert Worker.objects.count() == 2
