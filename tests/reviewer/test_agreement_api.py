"""Agreement's questions and weighed answers over the API, page by page."""

import pytest
from django.urls import reverse

from annotation.models import Worker
from hits.services.pseudonyms import worker_key
from reviewer import tasks
from reviewer.services import aggregation, study
from reviewer.services.verdicts import give_verdict
from tests.reviewer.factories import make_answered, make_split
from tests.reviewer.test_aggregation import make_crowd

pytestmark = pytest.mark.django_db


@pytest.fixture
def api(client, people, project):
    client.force_login(people["viewer"])

    def get(name, **query):
        return client.get(reverse(name, args=[project.slug]), query)

    return get


def walked(client_get, address, way):
    """The pages from ``address`` on, by their links ``way``."""
    pages = []
    while address:
        pages.append(client_get(address).json())
        address = pages[-1][way]
    return pages


def test_questions_come_page_by_page_those_first_whose_answers_agree_least(api, client, project):
    make_split(project, "dev", ["61 m", "61 m"], ["61 m", "1340"], ["1340"], ["61 m", "61 m deep"], ["the Crown"] * 3)
    address = reverse("api_agreement_questions", args=[project.slug]) + "?page_size=2"
    pages = walked(client.get, address, "next")
    assert [len(page["results"]) for page in pages] == [2, 2]  # one question has a single answer
    rows = [row for page in pages for row in page["results"]]
    assert [row["f1"] for row in rows] == [0.0, 80.0, 100.0, 100.0]
    assert [(row["exact_match"], row["answers"], row["has_majority"]) for row in rows[1:]] == [
        (0.0, 2, False),
        (100.0, 2, True),
        (100.0, 3, True),
    ]
    back = walked(client.get, pages[-1]["previous"], "previous")
    assert [page["results"] for page in back] == [rows[:2]]
    assert rows == study.public(project.pk, study.shown(project, "dev").study)["least_agreed"]
    assert "least_agreed" not in api("api_agreement").json()


def test_what_goes_meanwhile_shifts_no_page(api, client, project, people):
    least, middle, most = make_split(project, "dev", ["61 m", "1340"], ["61 m", "61 m deep"], ["1340", "1340"])
    page = api("api_agreement_questions", page_size=2).json()
    assert page["results"][-1]["id"] == middle.public_id
    give_verdict(least, "drop", people["reviewer"])
    assert [row["id"] for row in client.get(page["next"]).json()["results"]] == [most.public_id]


@pytest.mark.parametrize("cursor", ["x", "cD1b", "cD0lNUIlNUQ=", "cD0lNUIxJTJDMiUyQyUyMmElMjIlNUQ=", "cD1bMSwyXQ=="])
def test_a_cursor_of_somebodys_own_making_is_refused(api, project, cursor):
    make_split(project, "dev", ["61 m", "61 m"])
    assert api("api_agreement_questions", cursor=cursor).status_code == 404
    assert api("api_agreement_questions", split="all").json()["errors"].keys() == {"split"}


def test_questions_of_a_large_split_wait_for_the_job(api, project, monkeypatch):
    monkeypatch.setattr(study, "WORKED_OUT_AT_ONCE", 0)
    make_split(project, "dev", ["61 m", "61 m"])
    answer = api("api_agreement_questions")
    assert (answer.status_code, answer.json()["code"]) == (202, "being_worked_out")
    tasks.work_out_agreement(project.pk, "dev")
    assert len(api("api_agreement_questions").json()["results"]) == 1


def test_a_split_without_two_answers_has_an_empty_page(api):
    assert api("api_agreement_questions").json() == {"next": None, "previous": None, "results": []}


def test_weighing_says_what_it_lacks(api, project, monkeypatch):
    monkeypatch.setattr(aggregation, "is_installed", lambda: False)
    make_crowd(project)
    for name in ("api_aggregation", "api_aggregation_questions"):
        answer = api(name, method="mace")
        assert answer.status_code == 422
        assert "pip install -r requirements-aggregation.txt" in answer.json()["detail"]
        assert api(name, method="majority").json()["errors"].keys() == {"method"}


@pytest.fixture
def queued(monkeypatch):
    """The jobs that were asked for, not begun."""
    found = []
    monkeypatch.setattr(tasks.weigh_answers, "delay", lambda *arguments: found.append(arguments))
    return found


@pytest.mark.slow
def test_a_job_weighs_the_answers_and_the_pages_show_them(api, client, project, people, queued):
    pytest.importorskip("crowdkit")
    crowd = make_crowd(project)
    for name in ("api_aggregation", "api_aggregation_questions"):
        assert api(name, method="dawid-skene").status_code == 202
    assert queued == [(project.pk, "dev", "dawid-skene")]
    tasks.weigh_answers(*queued[0])
    told = api("api_aggregation", method="dawid-skene").json()
    assert (told["split"], told["method"], told["is_current"]) == ("dev", "dawid-skene", True)
    assert {row["worker"] for row in told["workers"]} == set(crowd)
    assert "questions" not in told
    address = reverse("api_aggregation_questions", args=[project.slug]) + "?method=dawid-skene&page_size=5"
    pages = walked(client.get, address, "next")
    assert [len(page["results"]) for page in pages] == [5, 5, 2]
    rows = [row for page in pages for row in page["results"]]
    report = aggregation.aggregate(project, "dev", "dawid-skene").report()
    assert rows == sorted(report["questions"], key=lambda row: row["id"])
    assert told["workers"] == report["workers"]

    give_verdict(project.questions.first(), "drop", people["reviewer"])
    assert api("api_aggregation", method="dawid-skene").json()["is_current"] is False
    assert len(queued) == 2


@pytest.mark.slow
def test_what_cannot_be_weighed_says_why_until_answers_come(api, project, queued):
    pytest.importorskip("crowdkit")
    [question] = make_split(project, "dev", ["61 m", "1340"])
    assert api("api_aggregation", method="mace").status_code == 202
    tasks.weigh_answers(*queued.pop())
    answer = api("api_aggregation", method="mace")
    assert (answer.status_code, answer.json()["code"]) == (422, "refused")
    assert "imported answers have no worker" in answer.json()["detail"]
    assert queued == []
    workers = [Worker.objects.create(endpoint="marketplace", mturk_worker_id=f"WEIGHED{n}") for n in range(2)]
    for worker in workers:
        make_answered(question, texts=["1340"], status="approved", worker=worker)
    assert api("api_aggregation", method="mace").status_code == 202
    tasks.weigh_answers(*queued.pop())
    told = api("api_aggregation", method="mace").json()
    assert [row["worker"] for row in told["workers"]] == sorted(worker_key(project.pk, one.pk) for one in workers)
