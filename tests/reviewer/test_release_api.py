"""Releases through the API: the services and sentences of the pages."""

import json
import uuid

import pytest
from rest_framework.test import APIClient

from accounts.models import ApiToken
from reviewer import tasks
from reviewer.models import KeyDownload, Release, ReleaseRun
from reviewer.services import release_runs
from reviewer.services.release_reading import ReleaseSpec
from reviewer.services.verdicts import give_verdict
from tests.reviewer.factories import CASTLE, make_split

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def releases_dir(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"


@pytest.fixture(autouse=True)
def queued(monkeypatch):
    ids = []
    monkeypatch.setattr(tasks.make_release, "delay", ids.append)
    return ids


@pytest.fixture
def dataset(project):
    make_split(project, "dev", ["1340"] * 3, ["61 m"])
    make_split(project, "test", ["the Crown"] * 3, text=f"{CASTLE} Test.")
    return project


@pytest.fixture
def program(people):
    """A program that holds a token of somebody."""

    def of(person):
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {ApiToken.make(people[person], 'tests')[1]}")
        return client

    return of


def make(client, body, key=None):
    return client.post("/api/v1/releases", body, format="json", headers={"Idempotency-Key": str(key or uuid.uuid4())})


def test_a_release_is_made_watched_read_and_fetched(dataset, program, queued, django_capture_on_commit_callbacks):
    requester, key = program("requester"), uuid.uuid4()
    body = {"project": dataset.slug, "note": "First", "hold_back_test": True, "least_answers": 2}
    with django_capture_on_commit_callbacks(execute=True):
        asked, again = (make(requester, body, key) for _ in range(2))
    assert (asked.status_code, asked.json()["status"]) == (202, "waiting")
    assert again.json() == asked.json()
    assert queued == [asked.json()["id"]]
    other = make(requester, body | {"note": "Second"})
    assert (other.status_code, other.json()["code"]) == (422, "refused")
    tasks.make_release(asked.json()["id"])
    run = requester.get(f"/api/v1/release-runs/{asked.json()['id']}").json()
    assert (run["status"], run["release"], run["is_new"], run["files_written"]) == ("done", 1, True, 12)
    (listed,) = requester.get("/api/v1/releases", {"project": dataset.slug}).json()["results"]
    assert (listed["number"], listed["note"], listed["counts"]["dev"]["questions"]) == (1, "First", 1)
    read = requester.get(f"/api/v1/releases/{listed['id']}").json()
    assert "salt" not in json.dumps(read)
    for file in read["manifest"]["files"]:
        answer = requester.get(f"/api/v1/releases/{listed['id']}/files/{file['path']}")
        assert len(b"".join(answer.streaming_content)) == file["bytes"]
    missing = requester.get(f"/api/v1/releases/{listed['id']}/files/private/test-key.jsonl")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    checked = requester.get(f"/api/v1/releases/{listed['id']}/verification").json()
    assert (checked["is_whole"], checked["faults"], checked["is_current"]) == (True, [], True)


def test_held_back_answers_are_for_requesters_and_noted(dataset, program, people):
    release, _is_new = release_runs.release(dataset, spec=ReleaseSpec(holds_back_test=True))
    link = f"/api/v1/releases/{release.pk}/key"
    assert [program(person).get(link).status_code for person in ("outsider", "viewer", "reviewer")] == [404, 403, 403]
    assert not KeyDownload.objects.exists()
    assert b"the Crown" in b"".join(program("requester").get(link).streaming_content)
    assert KeyDownload.objects.get().user == people["requester"]


def test_what_changed_is_told_by_id_and_field(dataset, program, people):
    first, _is_new = release_runs.release(dataset)
    give_verdict(dataset.questions.get(public_id="dev-0").answers.get(position=0), "drop", people["reviewer"])
    give_verdict(dataset.questions.get(public_id="test-0"), "drop", people["reviewer"])
    second, _is_new = release_runs.release(dataset)
    viewer = program("viewer")
    expected = {"since": 1, "number": 2, "added": [], "removed": ["test-0"], "changed": {"dev-0": ["answers"]}}
    assert viewer.get(f"/api/v1/releases/{second.pk}/changes").json() == expected
    assert viewer.get(f"/api/v1/releases/{second.pk}/changes", {"since": 1}).json() == expected
    assert viewer.get(f"/api/v1/releases/{first.pk}/changes", {"since": 2}).json()["added"] == ["test-0"]
    assert viewer.get(f"/api/v1/releases/{first.pk}/changes").status_code == 404
    assert viewer.get(f"/api/v1/releases/{second.pk}/changes", {"since": "x"}).status_code == 400
    assert program("outsider").get(f"/api/v1/releases/{second.pk}/changes").status_code == 404


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"project": "nobodys"}, 404),
        ({"project": "\0"}, 400),
        ({"splits": []}, 400),
        ({"splits": ["eval"]}, 400),
        ({"least_answers": 0}, 400),
        ({"least_answers": "many"}, 400),
        ({"workers": "by name"}, 400),
        ({"note": "x" * 501}, 400),
        ({"note": "a\0b"}, 400),
        ({"splits": ["dev"], "hold_back_test": True}, 422),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(dataset, program, changed, status):
    answer = make(program("requester"), {"project": dataset.slug} | changed)
    assert (answer.status_code, bool(answer.json()["detail"])) == (status, True)
    assert not ReleaseRun.objects.exists()


def test_members_read_and_requesters_alone_make(dataset, program):
    release, _is_new = release_runs.release(dataset)
    for person, seen, made in [("outsider", 404, 404), ("viewer", 200, 403), ("reviewer", 200, 403)]:
        assert program(person).get(f"/api/v1/releases/{release.pk}").status_code == seen
        assert make(program(person), {"project": dataset.slug}).status_code == made
    assert program("outsider").get("/api/v1/releases").json()["results"] == []
    assert Release.objects.count() == 1
