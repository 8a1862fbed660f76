"""New workers are held at the endpoint until somebody has looked: by the qualification of whoever is kept out."""

import pytest

from annotation.models import FirstLook, Project, Worker
from hits import mturk, tasks
from hits.models import Qualification
from hits.services import comparing, qualifications, syncing
from reviewer.services import review
from tests.annotation.factories import make_member

from .conftest import published
from .test_holding import holders, page, work

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def held(project, crowd):
    """A worker who did the one HIT that a new worker may: their browser and their id, and the batch."""
    project.tasks_before_look = 1
    project.save()
    batch = published(project)
    site, worker_id = crowd.worker()
    work(crowd, site)
    syncing.sync("marketplace")
    return site, worker_id, batch


def assignment_of(worker_id):
    return Worker.objects.get(mturk_worker_id=worker_id).assignments.get(task__kind="write")


def test_a_new_worker_is_offered_no_more_until_a_reviewer_has_decided(project, crowd, client, held):
    site, worker_id, batch = held
    qualification = Qualification.objects.get(purpose="held")
    assert (crowd.accept(site), holders(crowd, qualification)) == (None, [worker_id])
    told = page(client, batch, worker_id, "A2")
    assert (told.status_code, "Somebody looks at your first work before you go on" in told.content.decode()) == (
        409,
        True,
    )
    other, _ = crowd.worker()
    assert crowd.accept(other) is not None
    review.reject(assignment_of(worker_id), make_member(project, "reviewer"), "Copied from the paragraph.")
    # The job that the decision queued; should it be lost, the next sync does the same.
    tasks.tell_standing(project.pk, "marketplace")
    assert holders(crowd, qualification) == []
    assert crowd.accept(site) is not None


def test_a_lost_job_is_made_up_for_by_the_next_sync(project, crowd, held):
    site, worker_id, _batch = held
    review.approve(assignment_of(worker_id), make_member(project, "reviewer"))
    assert crowd.accept(site) is None
    syncing.sync("marketplace")
    assert crowd.accept(site) is not None


def test_a_revocation_that_did_not_arrive_is_made_later(project, crowd, held, monkeypatch):
    site, worker_id, _batch = held
    crowd.faults({"operation": "DisassociateQualificationFromWorker", "fault": "error_500_before", "times": 1})
    review.approve(assignment_of(worker_id), make_member(project, "reviewer"))
    with pytest.raises(mturk.Unavailable):
        qualifications.grant_wanted(project, "marketplace")
    assert crowd.accept(site) is None
    qualifications.grant_wanted(project, "marketplace")
    assert crowd.accept(site) is not None


def test_who_accepted_before_they_were_held_submits_and_is_paid(project, crowd, client):
    project.tasks_before_look = 1
    project.save()
    published(project)
    site, worker_id = crowd.worker()
    first, second = crowd.accept(site), crowd.accept(site)
    assert site.submit(first, {"receipt": "r"})
    syncing.sync("marketplace")
    assert crowd.accept(site) is None
    assert site.submit(second, {"receipt": "r"})
    syncing.sync("marketplace")
    kept = Worker.objects.get(mturk_worker_id=worker_id).assignments
    assert list(kept.values_list("status", flat=True)) == ["submitted", "submitted"]


def test_the_hold_can_begin_and_end_while_a_batch_runs(project, crowd):
    published(project)
    site, _worker_id = crowd.worker()
    work(crowd, site)
    syncing.sync("marketplace")
    Project.objects.filter(pk=project.pk).update(tasks_before_look=1)
    syncing.sync("marketplace")
    assert crowd.accept(site) is None
    Project.objects.filter(pk=project.pk).update(tasks_before_look=None)
    syncing.sync("marketplace")
    assert crowd.accept(site) is not None


def test_what_somebody_decides_at_the_marketplace_is_a_look_and_its_timer_is_none(project, crowd):
    project.tasks_before_look, project.auto_approval_days = 1, 1
    project.save()
    published(project)
    (site, worker_id), (other, other_id) = crowd.worker(), crowd.worker()
    work(crowd, site)
    work(crowd, other)
    syncing.sync("marketplace")
    decided = next(one for one in crowd.assignments() if one["WorkerId"] == worker_id)
    crowd.mturk.approve_assignment(AssignmentId=decided["AssignmentId"])
    syncing.sync("marketplace")
    assert [look.worker.mturk_worker_id for look in FirstLook.objects.all()] == [worker_id]
    assert FirstLook.objects.get().looked_by is None
    assert (crowd.accept(site) is None, crowd.accept(other)) == (False, None)
    with crowd.later(24 * 60 * 60 + 60):
        syncing.sync("marketplace")
    assert Worker.objects.get(mturk_worker_id=other_id).assignments.get().status == "approved"
    assert FirstLook.objects.count() == 1
    assert crowd.accept(other) is None


def test_a_requester_lets_a_worker_go_on_and_both_sides_agree(project, crowd, client, held):
    site, worker_id, _batch = held
    requester = make_member(project, "requester")
    client.force_login(requester)
    worker = Worker.objects.get(mturk_worker_id=worker_id)
    address = f"/admin/hits/batch/workers/{project.pk}/{worker.pk}/"
    assert "Waits for a first look" in client.get(address).content.decode()
    listing = f"/admin/hits/batch/workers/{project.pk}/"
    assert "waits for a first look" in client.get(listing).content.decode()
    told = client.post(address, {"act": "let_on"}, follow=True).content.decode()
    assert "They may go on." in told
    assert "Waits for a first look" not in told
    assert "waits for a first look" not in client.get(listing).content.decode()
    qualifications.grant_wanted(project, "marketplace")
    assert all(difference.is_none for difference in comparing.compare(project, "marketplace"))
    assert crowd.accept(site) is not None


def test_the_launch_page_says_who_is_held(project, client):
    client.force_login(make_member(project, "requester"))
    address = f"/admin/hits/batch/new/{project.pk}/"
    assert "New workers wait for nobody to look at their first work." in client.get(address).content.decode()
    project.tasks_before_look = 2
    project.save()
    assert "A new worker does 2 HITs of this project, and more once" in client.get(address).content.decode()
