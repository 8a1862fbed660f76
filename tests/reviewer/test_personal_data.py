"""What is kept about a worker, by pages and the API: their record and their erasure, for those who answer for it."""

import json

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.models import Membership, Worker
from hits import endpoints
from reviewer.models import WorkerErasure
from reviewer.services.erasing import erase
from tests.annotation.factories import make_project, make_superuser, make_worker
from tests.reviewer.factories import make_written
from tests.reviewer.test_review_pages import sign_in

__all__ = ["sign_in"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def rosa(project):
    """A worker of the project with approved work."""
    return make_written(project, status="approved", worker=make_worker(mturk_worker_id="A1FZ0NNQRT7XK2")).worker


@pytest.fixture
def elsewhere(rosa):
    """Work of the same worker in a project that is somebody else's."""
    return make_written(make_project(), status="approved", worker=rosa)


def page_of(project, worker):
    return reverse("worker_data", args=[project.slug, worker.pk])


def content(answer):
    return b"".join(answer.streaming_content).decode() if answer.streaming else answer.content.decode()


def api(user):
    client = APIClient()
    client.force_authenticate(user)
    return client


# Pages


def test_a_requester_finds_a_worker_by_the_id_that_they_name_and_nobody_elses(sign_in, project, rosa):
    stranger = make_written(make_project(), status="approved").worker
    client, address = sign_in("requester"), reverse("personal_data", args=[project.slug])
    key = next(iter(endpoints.all_endpoints()))
    assert key == rosa.endpoint == stranger.endpoint
    found = client.post(address, {"endpoint": key, "worker_id": f" {rosa.mturk_worker_id} "})
    assert (found.status_code, found.url) == (302, page_of(project, rosa))
    for worker_id in (stranger.mturk_worker_id, "NOBODY", "A\0B", "x" * 65, ""):
        refused = client.post(address, {"endpoint": key, "worker_id": worker_id})
        assert (refused.status_code, "alert" in content(refused) or "error" in content(refused)) == (422, True)
    assert client.post(address, {"endpoint": "nowhere", "worker_id": "A1"}).status_code == 422


def test_the_page_says_what_goes_and_what_stays_and_shows_no_id(sign_in, project, rosa):
    shown = content(sign_in("requester").get(page_of(project, rosa)))
    assert f"What is kept about worker {rosa.pk}" in shown
    assert "they are the dataset" in shown
    assert rosa.mturk_worker_id not in shown


def test_a_worker_is_erased_by_typing_their_number(sign_in, project, rosa, people):
    client = sign_in("requester")
    for number in ("", str(rosa.pk + 1), "yes"):
        refused = client.post(page_of(project, rosa), {"number": number})
        assert (refused.status_code, Worker.objects.get(pk=rosa.pk).erased_at) == (422, None)
    done = client.post(page_of(project, rosa), {"number": f" {rosa.pk} ", "why": "By letter of 3 March"}, follow=True)
    assert "nobody can name any more" in content(done)
    row = WorkerErasure.objects.get()
    assert (row.worker, row.erased_by, row.why) == (rosa, people["requester"], "By letter of 3 March")
    assert "By letter of 3 March" in content(client.get(reverse("personal_data", args=[project.slug])))
    again = client.post(page_of(project, rosa), {"number": str(rosa.pk)})
    assert (again.status_code, WorkerErasure.objects.count()) == (302, 1)


def test_what_is_open_is_named_in_place_of_the_form_and_refused_where_it_is_sent_all_the_same(sign_in, project, rosa):
    make_written(project, worker=rosa)
    client = sign_in("requester")
    assert "1 piece of submitted work waits for its decision" in content(client.get(page_of(project, rosa)))
    refused = client.post(page_of(project, rosa), {"number": str(rosa.pk)})
    assert (refused.status_code, Worker.objects.get(pk=rosa.pk).erased_at) == (422, None)
    assert "1 piece of submitted work" in content(refused)


def test_whoever_does_not_answer_for_all_the_projects_of_a_worker_erases_nobody(sign_in, project, rosa, elsewhere):
    client = sign_in("requester")
    assert "1 project that is not yours knows this worker too" in content(client.get(page_of(project, rosa)))
    assert client.post(page_of(project, rosa), {"number": str(rosa.pk)}).status_code == 403
    assert Worker.objects.get(pk=rosa.pk).erased_at is None


def test_a_page_of_one_project_shows_nobody_of_another(sign_in, project):
    stranger = make_written(make_project(), status="approved").worker
    client = sign_in("requester")
    assert client.get(page_of(project, stranger)).status_code == 404
    assert client.get(reverse("worker_record", args=[project.slug, stranger.pk])).status_code == 404


def test_a_requesters_record_is_of_their_projects_and_without_the_id(sign_in, project, rosa, elsewhere):
    answer = sign_in("requester").get(reverse("worker_record", args=[project.slug, rosa.pk]))
    assert answer["Content-Disposition"] == f'attachment; filename="worker-{rosa.pk}.json"'
    text = content(answer)
    record = json.loads(text)
    assert ([one["project"] for one in record["assignments"]], len(record["questions"])) == ([project.name], 1)
    assert rosa.mturk_worker_id not in text


def test_every_part_of_the_record_can_be_told_by_project(project, rosa, elsewhere, people):
    client = api(make_superuser())
    assert len(json.loads(content(client.get(f"/api/v1/workers/{rosa.pk}/record")))["assignments"]) == 2
    mine = json.loads(content(api(people["requester"]).get(f"/api/v1/workers/{rosa.pk}/record")))
    assert {name: len(part) for name, part in mine.items() if name in ("assignments", "questions", "answers")} == {
        "assignments": 1,
        "questions": 1,
        "answers": 1,
    }


def test_pages_take_few_queries(sign_in, project, rosa, django_assert_max_num_queries):
    client = sign_in("requester")
    for _number in range(3):
        erase(make_written(project, status="approved").worker_id)
    with django_assert_max_num_queries(10):
        client.get(reverse("personal_data", args=[project.slug]))
    with django_assert_max_num_queries(15):
        client.get(page_of(project, rosa))


# The API


def test_the_api_finds_says_and_erases(project, rosa, people):
    client = api(people["requester"])
    asked = {"endpoint": rosa.endpoint, "worker_id": rosa.mturk_worker_id}
    assert client.post("/api/v1/workers/find", asked, format="json").json() == {"number": rosa.pk}
    address = f"/api/v1/workers/{rosa.pk}/erasure"
    before = client.get(address).json()
    assert (before["erased_at"], before["stays"]["questions"], before["in_the_way"]) == (None, 1, [])
    wrong = client.post(address, {"confirmed_number": rosa.pk + 1}, format="json")
    assert (wrong.status_code, "Nothing was erased" in str(wrong.json()["errors"])) == (400, True)
    done = client.post(address, {"confirmed_number": rosa.pk, "why": "By letter"}, format="json")
    assert (done.status_code, done.json()["erased_at"] is not None) == (200, True)
    again = client.post(address, {"confirmed_number": rosa.pk}, format="json")
    assert again.json() == done.json()
    assert client.post("/api/v1/workers/find", asked, format="json").status_code == 404


def test_the_api_refuses_what_is_open_and_whoever_does_not_answer_for_it(project, rosa, elsewhere, people):
    address, asked = f"/api/v1/workers/{rosa.pk}/erasure", {"confirmed_number": rosa.pk}
    assert api(people["requester"]).post(address, asked, format="json").status_code == 403
    for person in ("reviewer", "viewer", "outsider"):
        assert api(people[person]).post(address, asked, format="json").status_code == 404
    make_written(project, worker=rosa)
    refused = api(make_superuser()).post(address, asked, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "open")
    assert "submitted work waits" in refused.json()["detail"]
    assert Worker.objects.get(pk=rosa.pk).erased_at is None


@pytest.mark.parametrize("body", [{}, {"confirmed_number": "x"}, {"confirmed_number": 1, "why": "x" * 501}, [], "x"])
def test_what_is_no_request_to_erase_is_told_so(project, rosa, people, body):
    answer = api(people["requester"]).post(f"/api/v1/workers/{rosa.pk}/erasure", body, format="json")
    assert answer.status_code == 400


def test_somebody_who_answers_for_both_projects_of_a_worker_erases_them(project, rosa, elsewhere, people):
    Membership.objects.create(project=elsewhere.task.project, user=people["requester"], role="requester")
    answer = api(people["requester"]).post(
        f"/api/v1/workers/{rosa.pk}/erasure", {"confirmed_number": rosa.pk}, format="json"
    )
    assert answer.status_code == 200


def test_the_pages_speak_german_to_browsers_that_ask_for_it(sign_in, project, rosa):
    client, german = sign_in("requester"), {"accept-language": "de"}
    hub = content(client.get(reverse("personal_data", args=[project.slug]), headers=german))
    assert ("Eine Person schreibt Ihnen" in hub, 'lang="de"' in hub) == (True, True)
    one = content(client.get(page_of(project, rosa), headers=german)).split("<main", 1)[1]
    assert f"Was über Person {rosa.pk} festgehalten ist" in one
    assert [word for word in (" the ", " and ", " of ", " is ", "Erase") if word in one] == []
