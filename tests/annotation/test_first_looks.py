"""The net under the hold on new workers: what the work page lets them begin, and what it says."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Assignment, FirstLook
from annotation.services import first_looks
from annotation.services.cloning import clone_for_rehearsal
from tests.annotation import work
from tests.annotation.factories import (
    make_assignment,
    make_offer,
    make_paragraph,
    make_project,
    make_task,
    make_user,
    make_worker,
)
from tests.hits.test_at_once import at_once

pytestmark = pytest.mark.django_db

WAITS, OTHERS_OPEN = "Somebody looks at your first work before you go on", "Please finish first what you have open"


@pytest.fixture
def project(db):
    """One that looks at a new worker's work after two HITs."""
    return make_project(tasks_before_look=2)


@pytest.fixture
def new_offer(project):
    return lambda **fields: make_offer(make_task(make_paragraph(project)), **fields)


def refused(page, title):
    return page.status_code == 409 and title in page.content.decode()


def finished(offer, name):
    page = work.opened(offer, name)
    assert work.finish(page, work.whole(page)).status_code == 200


def test_a_new_worker_does_so_many_tasks_and_more_once_somebody_has_looked(project, new_offer):
    assert work.opened(new_offer(), "LEFT")["hold"] == {"left": 1}
    Assignment.objects.update(status="not_submitted")
    finished(new_offer(), "A1")
    assert work.opened(new_offer(), "A2")["hold"] == {"left": 0}
    finished(Assignment.objects.get(mturk_assignment_id="A2").offer, "A2")
    third = new_offer()
    told = work.frame(third, "A3")
    assert refused(told, WAITS)
    assert "All that you did is kept, and is paid as usual." in told.content.decode()
    assert told["Refresh"] == "60"
    assert refused(work.frame(third, "A3", lang="de"), "Jemand sieht sich Ihre erste Arbeit an, bevor es weitergeht")
    worker = Assignment.objects.get(mturk_assignment_id="A1").worker
    assert first_looks.waits(project, worker)
    first_looks.record(Assignment.objects.filter(mturk_assignment_id="A1"), make_user())
    assert work.opened(third, "A3")["hold"] is None
    assert not first_looks.waits(project, worker)


def test_who_has_a_page_open_may_finish_it_and_loses_nothing(project, new_offer):
    offers = [new_offer(), new_offer()]
    first, second = (work.opened(offer, f"A{number}") for number, offer in enumerate(offers))
    assert refused(work.frame(new_offer(), "A9"), OTHERS_OPEN)
    assert work.finish(first, work.whole(first)).status_code == 200
    project.tasks_before_look = 1
    project.save()
    reloaded = work.opened(offers[1], "A1")
    assert work.save(reloaded, work.whole(reloaded), 1).status_code == 200
    assert work.finish(second, work.whole(second), 2).status_code == 200
    assert refused(work.frame(new_offer(), "A9"), WAITS)


def test_a_page_whose_time_is_over_holds_no_place_and_the_same_task_again_takes_no_other(project, new_offer):
    offer = new_offer()
    work.opened(new_offer(), "A1")
    work.opened(offer, "A2")
    again = make_offer(offer.task)
    assert work.frame(again, "A3").status_code == 200  # returned and accepted once more
    third = new_offer()
    assert refused(work.frame(third, "A4"), OTHERS_OPEN)
    Assignment.objects.filter(mturk_assignment_id="A1").update(opened_at=timezone.now() - timedelta(seconds=720))
    assert work.frame(third, "A4").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_of_two_tasks_opened_at_once_one_is_begun(project, new_offer):
    project.tasks_before_look = 1
    project.save()
    offers = [new_offer(), new_offer()]
    pages = at_once(*(lambda number=number: work.frame(offers[number], f"A{number}") for number in range(2)))
    assert sorted(page.status_code for page in pages) == [200, 409]
    assert Assignment.objects.count() == 1


def test_a_quiz_and_another_projects_work_fill_no_place_and_nobody_waits_unless_the_project_says_so(project, new_offer):
    worker = make_worker()
    quiz = make_offer(make_task(make_paragraph(project), kind="quiz"))
    elsewhere = make_project()
    for offer in (quiz, *(make_offer(make_task(make_paragraph(elsewhere))) for _n in range(3)), new_offer()):
        make_assignment(offer, worker, status="approved")
    assert work.opened(new_offer(), "A1", worker.mturk_worker_id)["hold"] == {"left": 0}
    free = work.opened(make_offer(make_task(make_paragraph(elsewhere))), "A2", worker.mturk_worker_id)
    assert free["hold"] is None
    assert first_looks.waiting_workers(elsewhere).count() == 0


def test_a_rehearsal_holds_nobody(project):
    assert clone_for_rehearsal(project).tasks_before_look is None


def test_the_first_look_at_a_worker_stands_and_is_recorded_once(project, new_offer):
    rosa, work_done = (
        make_user(),
        [make_assignment(new_offer(), worker, status="submitted") for worker in [make_worker()] * 2],
    )
    assert len(first_looks.record(work_done, rosa)) == 1
    assert first_looks.record(work_done, make_user()) == []
    look = FirstLook.objects.get()
    assert (look.looked_by, look.worker) == (rosa, work_done[0].worker)
    assert not first_looks.let_on(project, look.worker, rosa)
