"""The reviewer's side of the hold on new workers: theirs comes first, and whatever is decided lets them go on."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import FirstLook
from annotation.services import first_looks
from reviewer.services import notes, review
from reviewer.services.queue import Filter, following
from tests.annotation.factories import make_project, make_worker
from tests.reviewer.factories import make_written
from tests.reviewer.test_review_api import api
from tests.reviewer.test_review_pages import decide, listed, messages_of, page, queue, shown, sign_in

__all__ = ["api", "sign_in"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    """One that looks at a new worker's work after two HITs."""
    return make_project(tasks_before_look=2)


@pytest.fixture
def works(project, people):
    """As submitted: of a worker who was looked at, of one who has a HIT left, two of one who waits, of the first."""
    known, new, held = make_worker(), make_worker(), make_worker()
    first_looks.record([make_written(project, worker=known, status="approved")], people["reviewer"])
    order = [known, new, held, held, known]
    return [
        make_written(project, worker=worker, submitted_at=timezone.now() + timedelta(seconds=second))
        for second, worker in enumerate(order)
    ]


def test_the_work_of_held_workers_comes_first_in_every_order(sign_in, project, works):
    client = sign_in("reviewer")
    for order in ("oldest", "worrying", "due"):
        found = client.get(queue(project, f"?order={order}"))
        assert listed(found) == [works[place].pk for place in (2, 3, 0, 1, 4)], order
    assert "1 worker does no more here until somebody has looked at their work." in shown(found)
    assert shown(found).count("waits for a first look") == 2
    assert listed(client.get(queue(project, "?state=held"))) == [works[3].pk, works[2].pk]
    first = client.get(reverse("review_next", args=[project.slug]))
    assert first["Location"] == page(project, works[2])


def test_pages_of_a_long_list_go_on_where_the_last_one_ended(sign_in, project, works, monkeypatch):
    monkeypatch.setattr("reviewer.services.queue.PAGE_ROWS", 1)
    client, address, found = sign_in("reviewer"), queue(project), []
    while address:
        answer = client.get(address)
        found += listed(answer)
        address = answer.context["next_address"]
    assert found == [works[place].pk for place in (2, 3, 0, 1, 4)]


def test_a_decision_lets_the_worker_go_on_and_leads_to_the_next_who_waits(sign_in, project, people, works):
    client, held = sign_in("reviewer"), works[2].worker
    waiting = make_worker()
    late = [
        make_written(project, worker=waiting, submitted_at=timezone.now() + timedelta(hours=1)) for _time in range(2)
    ]
    assert "does no more here until somebody has looked" in shown(client.get(page(project, works[2])))
    assert first_looks.waits(project, held)
    answer = decide(client, project, works[2], decision="approve")
    assert answer["Location"] == page(project, late[0])
    assert not first_looks.waits(project, held)
    assert "does no more here" not in shown(client.get(page(project, works[3])))
    assert FirstLook.objects.get(worker=held).looked_by == people["reviewer"]
    review.undo(works[2], people["reviewer"])
    assert not first_looks.waits(project, held)  # it was looked at all the same
    assert following(project, Filter(), people["reviewer"], late[1]) == late[0]


def test_notes_alone_let_nobody_go_on_so_that_all_are_there_when_a_decision_about_many_does(people, project, works):
    notes.send(works[2], works[2].questions.get(), people["reviewer"], reason="good")
    assert first_looks.waits(project, works[2].worker)
    review.decide_some([works[1].pk, works[3].pk], people["reviewer"])
    assert not first_looks.waits(project, works[2].worker)
    assert FirstLook.objects.filter(worker=works[1].worker).exists()


def test_a_reviewer_lets_a_worker_go_on_without_deciding(sign_in, api, project, works):
    address = reverse("review_let_on", args=[project.slug, works[2].pk])
    assert sign_in("viewer").post(address).status_code == 403
    assert api("viewer").post(f"/api/v1/reviews/{works[2].pk}/let_on", {}, format="json").status_code == 403
    client = sign_in("reviewer")
    assert messages_of(client.post(address, follow=True)) == [
        f"{works[2].worker} may go on; the marketplace is told in a moment."
    ]
    assert messages_of(client.post(address, follow=True)) == [f"{works[2].worker} waits for nobody's look."]
    assert works[2].reviews.count() == 0


def test_programs_find_who_waits_and_let_them_go_on(api, works):
    client = api("reviewer")
    found = client.get("/api/v1/reviews?state=held").json()["results"]
    assert {row["id"] for row in found} == {works[2].pk, works[3].pk}
    assert client.post(f"/api/v1/reviews/{works[2].pk}/let_on", {}, format="json").status_code == 200
    assert client.get("/api/v1/reviews?state=held").json()["results"] == []


def test_where_nobody_waits_the_queue_is_as_ever(sign_in, project, people, works):
    first_looks.record(works, people["reviewer"])
    client = sign_in("reviewer")
    for order in ("oldest", "worrying", "due"):
        assert listed(client.get(queue(project, f"?order={order}"))) == [work.pk for work in works], order
        shown_page = client.get(page(project, works[2]) + f"?order={order}")
        assert shown_page.context["next_address"].startswith(page(project, works[3]))
        assert shown_page.context["previous_address"].startswith(page(project, works[1]))
    assert following(project, Filter(), people["reviewer"], works[0]) == works[1]


def test_where_nobody_is_held_nothing_of_it_is_shown(sign_in, project, works):
    project.tasks_before_look = None
    project.save()
    client = sign_in("reviewer")
    assert listed(client.get(queue(project))) == [work.pk for work in works]
    assert "first look" not in shown(client.get(queue(project))).lower()
    assert "does no more here" not in shown(client.get(page(project, works[2])))
