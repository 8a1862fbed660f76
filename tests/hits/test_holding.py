"""Who is kept out: by the endpoint's qualifications from the first listing on, and by the work page as the net."""

import pytest
from django.db import IntegrityError

from annotation.models import Exclusion, Worker
from annotation.services import standing
from hits.models import Batch, Qualification, QualificationGrant
from hits.services import qualifications, syncing
from tests.annotation.factories import make_user, make_worker

from .conftest import published, writing
from .test_at_once import at_once
from .test_syncing import submit_one

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def holders(crowd, qualification):
    """Ids of the workers who hold it, as the endpoint says."""
    type_id = qualification.mturk_qualification_type_id
    listed = crowd.mturk.list_workers_with_qualification_type(QualificationTypeId=type_id, Status="Granted")
    return [held["WorkerId"] for held in listed["Qualifications"]]


def work(crowd, site):
    held = crowd.accept(site)
    assert site.submit(held, {"receipt": "r"})


def page(client, batch, worker_id, assignment_id="A1"):
    hit = batch.hits.exclude(offer__assignments__worker__mturk_worker_id=worker_id).last()
    asked = {
        "assignmentId": assignment_id,
        "hitId": hit.mturk_hit_id,
        "workerId": worker_id,
        "turkSubmitTo": hit.offer.worker_origins[0],
    }
    return client.get(f"/work/{hit.offer.key}/", asked)


def test_a_worker_who_reached_the_batchs_quota_is_offered_no_more_of_it(project, crowd, client):
    batch = published(project, writing(most_tasks_a_worker=2))
    site, worker_id = crowd.worker()
    work(crowd, site)
    syncing.sync("marketplace")
    assert page(client, batch, worker_id).status_code == 200
    work(crowd, site)
    syncing.sync("marketplace")
    assert crowd.accept(site) is None
    told = page(client, batch, worker_id, "A2")
    assert (told.status_code, "all that one person may do here" in told.content.decode()) == (409, True)
    other, _ = crowd.worker()
    assert crowd.accept(other) is not None


def test_the_projects_quota_counts_over_its_batches_and_ends_when_it_is_raised(project, crowd, client):
    project.most_tasks_a_worker = 1
    project.save()
    batch = published(project)
    site, worker_id = crowd.worker()
    work(crowd, site)
    syncing.sync("marketplace")
    assert crowd.accept(site) is None
    assert page(client, batch, worker_id).status_code == 409
    project.most_tasks_a_worker = 2
    project.save()
    qualifications.grant_wanted(project, "marketplace")
    assert page(client, batch, worker_id).status_code == 200
    assert crowd.accept(site) is not None


def test_a_blocked_worker_is_kept_out_until_the_block_is_lifted(project, crowd, client):
    batch = published(project)
    site, worker_id = crowd.worker()
    work(crowd, site)
    syncing.sync("marketplace")
    worker = Worker.objects.get(mturk_worker_id=worker_id)
    assert standing.exclude(project, worker, "blocked", "Random answers.", make_user())
    assert not standing.exclude(project, worker, "blocked", "Twice.", make_user())
    qualifications.grant_wanted(project, "marketplace")
    held = Qualification.objects.get(purpose="held")
    assert (crowd.accept(site), holders(crowd, held)) == (None, [worker_id])
    assert page(client, batch, worker_id).status_code == 409
    assert standing.readmit(project, worker, "blocked", "A mistake of ours.", make_user())
    qualifications.grant_wanted(project, "marketplace")
    assert holders(crowd, held) == []
    assert page(client, batch, worker_id).status_code == 200
    assert crowd.accept(site) is not None


def test_a_worker_who_is_at_work_when_they_are_excluded_may_finish(project, crowd, client):
    batch = published(project)
    worker = make_worker(mturk_worker_id="AWORKER")
    assert page(client, batch, "AWORKER").status_code == 200
    standing.exclude(project, worker, "blocked", "Random answers.")
    hit = batch.hits.last()
    asked = {"assignmentId": "A1", "hitId": hit.mturk_hit_id, "workerId": "AWORKER", "turkSubmitTo": crowd.url}
    assert client.get(f"/work/{hit.offer.key}/", asked).status_code == 200


def test_two_who_exclude_at_once_leave_one_row(project):
    worker = make_worker()
    done = at_once(*[lambda: standing.exclude(project, worker, "blocked", "Rude.")] * 4)
    assert (done.count(True), Exclusion.objects.count()) == (1, 1)
    done = at_once(*[lambda: standing.readmit(project, worker, "blocked")] * 4)
    assert (done.count(True), Exclusion.objects.count()) == (1, 2)


def test_lifting_one_exclusion_leaves_another(project):
    worker = make_worker()
    standing.exclude(project, worker, "blocked", "Rude.")
    standing.record_quiz(project, worker, passed=False)
    standing.readmit(project, worker, "blocked")
    assert standing.reasons_out(project, worker) == {"quiz"}
    standing.record_quiz(project, worker, passed=True)
    assert standing.reasons_out(project, worker) == set()
    with pytest.raises(IntegrityError, match="a_block_says_why"):
        Exclusion.objects.create(project=project, worker=worker, reason="blocked")


def test_where_a_quiz_is_required_those_who_passed_may_work_and_nobody_else(project, crowd):
    project.quiz_required = True
    project.save()
    site, worker_id = crowd.worker()
    worker = make_worker(mturk_worker_id=worker_id)
    published(project)
    assert crowd.accept(site) is None
    standing.record_quiz(project, worker, passed=True)
    syncing.sync("marketplace")
    assert crowd.accept(site) is not None
    stranger, _ = crowd.worker()
    assert crowd.accept(stranger) is None


def test_a_project_without_rules_asks_for_no_quota_and_no_quiz(project, crowd):
    published(project)
    asked = {requirement["Comparator"] for requirement in crowd.hits()[0]["QualificationRequirements"]}
    assert asked == {"DoesNotExist"}
    assert set(Qualification.objects.values_list("purpose", flat=True)) == {"held"}
    submit_one(crowd)
    syncing.sync("marketplace")
    assert QualificationGrant.objects.get().qualification.purpose == "wrote"
    assert Batch.objects.get().most_tasks_a_worker is None
