"""Releases through their pages: the list, making one, its files, what changed, who fetched the key."""

import io
import json
import re
import zipfile

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from reviewer import tasks
from reviewer.models import KeyDownload, Release, ReleaseRun
from reviewer.services import release_runs
from reviewer.services.release_changes import kept_file
from reviewer.services.release_places import folder_of
from reviewer.services.release_reading import ReleaseSpec
from reviewer.services.verdicts import give_verdict
from tests.annotation.factories import make_paragraph, make_project, make_question
from tests.reviewer.factories import CASTLE, make_release, make_split
from tests.reviewer.test_review_pages import shown

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def releases_dir(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"


@pytest.fixture(autouse=True)
def queued(monkeypatch, django_capture_on_commit_callbacks):
    """The ids of runs that jobs were queued for."""
    ids = []
    monkeypatch.setattr(tasks.make_release, "delay", ids.append)
    return ids


@pytest.fixture
def dataset(project):
    make_split(project, "train", ["61 m"])
    make_split(project, "dev", ["1340", "the year 1340", "1340"], ["61 m"], text=f"{CASTLE} Dev.")
    make_split(project, "test", ["the Crown"] * 3, text=f"{CASTLE} Test.")
    return project


@pytest.fixture
def sign_in(client, people):
    def as_person(name):
        client.force_login(people[name])
        return client

    return as_person


CHOSEN = {"splits": ["train", "dev", "test"], "least_answers": "1", "with_impossible": "on", "workers": "left_out"}


def address(name, project, *ids):
    return reverse(name, args=[project.slug, *ids])


def test_a_release_is_asked_for_made_by_a_job_and_shown(dataset, sign_in, queued, django_capture_on_commit_callbacks):
    client = sign_in("requester")
    assert "No release yet" in shown(client.get(address("releases", dataset)))
    asked = CHOSEN | {"note": "For the shared task", "hold_back_test": "on", "workers": "pseudonyms"}
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(address("releases", dataset), asked)
    run = ReleaseRun.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, address("release_run", dataset, run.pk))
    assert queued == [run.pk]
    assert "waits for its turn" in shown(client.get(answer["Location"]))
    listed = shown(client.get(address("releases", dataset)))
    assert "A release is being made." in listed
    assert "Make the release" not in listed
    tasks.make_release(run.pk)
    assert "Release 1 is made." in shown(client.get(address("release_run_standing", dataset, run.pk)))
    listed = shown(client.get(address("releases", dataset)))
    assert "train 1 dev 2 test 1 test answers held back pseudonyms the first For the shared task" in listed
    text = shown(client.get(address("release_version", dataset, 1)))
    for sentence in [
        "For the shared task",
        "requester · workers under pseudonyms of this release · test answers held back",
        "test 1 1 1 held back held back",
        "dev: 1 in here, but with fewer than three answers; launch a batch for answers : dev-1 (1)",
        "3 articles state no licence.",
        "Nobody has fetched them.",
    ]:
        assert sentence in text


def test_each_file_and_a_zip_of_all_come_as_they_were_released(dataset, sign_in):
    release, _is_new = release_runs.release(dataset, spec=ReleaseSpec(holds_back_test=True))
    public = folder_of(release) / "public"
    files = {str(path.relative_to(public)): path.read_bytes() for path in public.rglob("*") if path.is_file()}
    client = sign_in("viewer")
    page = client.get(address("release_version", dataset, 1)).content.decode()
    for name, content in files.items():
        link = address("release_version_file", dataset, 1, name)
        assert f'href="{link}"' in page
        answer = client.get(link)
        assert answer.streaming
        assert b"".join(answer.streaming_content) == content
    assert answer["Content-Disposition"].startswith(f'attachment; filename="{dataset.slug}-1-')
    packed = [b"".join(client.get(address("release_version_zip", dataset, 1)).streaming_content) for _ in range(2)]
    assert packed[0] == packed[1]
    archive = zipfile.ZipFile(io.BytesIO(packed[0]))
    assert {name: archive.read(name) for name in archive.namelist()} == {
        f"{dataset.slug}-1/{name}": content for name, content in files.items()
    }
    for name in ("../private/test-key.jsonl", "test-key.jsonl", "no-such-file", "data", "\0", "data/../manifest.json"):
        assert client.get(address("release_version", dataset, 1) + f"files/{name}").status_code == 404


def test_only_requesters_fetch_held_back_answers_and_each_time_is_noted(dataset, sign_in, people):
    release_runs.release(dataset, spec=ReleaseSpec(holds_back_test=True))
    link = address("release_version_key", dataset, 1)
    for person, status in [("outsider", 404), ("viewer", 403), ("reviewer", 403)]:
        assert sign_in(person).post(link).status_code == status
    assert not KeyDownload.objects.exists()
    assert "Download the answers of test" not in shown(sign_in("viewer").get(address("release_version", dataset, 1)))
    client = sign_in("requester")
    assert client.get(link).status_code == 405
    answer = client.post(link)
    assert answer["Cache-Control"] == "no-store"
    assert json.loads(b"".join(answer.streaming_content))["answers"]["text"] == ["the Crown"] * 3
    assert KeyDownload.objects.get().user == people["requester"]
    assert "Nobody has fetched them" not in shown(client.get(address("release_version", dataset, 1)))
    with pytest.raises(IntegrityError, match="who fetched held-back answers is kept"), transaction.atomic():
        KeyDownload.objects.all()._raw_delete("default")


def test_what_changed_between_any_two_releases_is_shown_without_held_back_answers(dataset, sign_in, people):
    held = ReleaseSpec(holds_back_test=True)
    release_runs.release(dataset, spec=held)
    give_verdict(dataset.questions.get(public_id="dev-0").answers.get(position=0), "drop", people["reviewer"])
    give_verdict(dataset.questions.get(public_id="test-0").answers.get(position=0), "drop", people["reviewer"])
    give_verdict(dataset.questions.get(public_id="train-0"), "drop", people["reviewer"])
    release_runs.release(dataset, spec=held)
    make_question(make_paragraph(article=dataset.articles.get(split="train")), "Whose mill?", public_id="more")
    release_runs.release(dataset, spec=held)
    client = sign_in("viewer")
    one, two, three = dataset.releases.order_by("number")
    kept = [kept_file(*pair).exists() for pair in ((one, two), (two, three), (one, three))]
    assert kept == [True, True, False], "what a release changed is found as it is made"
    listed = shown(client.get(address("releases", dataset)))
    assert "1 added" in listed
    assert "1 removed, 2 changed" in listed
    text = shown(client.get(address("release_version_changes", dataset, 2)))
    assert "From release 1 to 2" in text
    assert "dev-0 answers 1340 · the year 1340 · 1340 the year 1340 · 1340" in text
    assert "test-0 answers none, or held back none, or held back" in text
    text = shown(client.get(address("release_version_changes", dataset, 3), {"since": 1}))
    assert "1 added, 1 removed, 2 changed" in text
    assert "Whose mill? more" in text
    assert re.search(r"Removed .*Question 0\? train-0", text)
    back = shown(client.get(address("release_version_changes", dataset, 1), {"since": 3}))
    assert "1 added, 1 removed, 2 changed" in back
    for since in ("9", "x", "²", "-1", "9" * 40):
        assert client.get(address("release_version_changes", dataset, 3), {"since": since}).status_code == 404


def test_the_check_names_what_was_edited_with_what_it_was(dataset, sign_in):
    release, _is_new = release_runs.release(dataset, spec=ReleaseSpec(holds_back_test=True))
    client = sign_in("viewer")
    whole = shown(client.get(address("release_version_check", dataset, 1)))
    assert f"{len(release.file_names)} files, all as they were released." in whole
    path = folder_of(release) / "public" / "manifest.json"
    manifest = json.loads(path.read_bytes())
    manifest["counts"]["dev"]["questions"] = 10_570
    path.write_text(json.dumps(manifest))
    (folder_of(release) / "private" / "test-key.jsonl").write_text("{}\n")
    text = shown(client.get(address("release_version_check", dataset, 1)))
    for sentence in [
        "manifest.json was changed after the release, in: counts.",
        "manifest.json: counts.dev.questions is 10570; data/dev.jsonl has 2.",
        "manifest.json: counts.dev.questions is 10570; released was 2.",
        "test-key.jsonl was changed after the release",
    ]:
        assert sentence in text
    path.unlink()
    assert "it is no release" in shown(client.get(address("release_version_check", dataset, 1)))
    assert client.get(address("release_version_zip", dataset, 1)).status_code == 404
    assert client.get(address("release_version_file", dataset, 1, "manifest.json")).status_code == 404


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"splits": []}, "This field is required."),
        ({"splits": ["train", "eval"]}, "eval is not one of the available choices"),
        ({"least_answers": "0"}, "greater than or equal to 1"),
        ({"least_answers": "9" * 30}, "less than or equal to 20"),
        ({"workers": "by name"}, "by name is not one of the available choices"),
        ({"note": "x" * 501}, "at most 500 characters"),
        ({"note": "a\0b"}, "Null characters are not allowed"),
        ({"splits": ["train"], "hold_back_test": "on"}, "test is not among the splits"),
    ],
)
def test_choices_that_cannot_be_used_are_named_and_nothing_is_made(dataset, sign_in, changed, sentence):
    answer = sign_in("requester").post(address("releases", dataset), CHOSEN | changed)
    assert (answer.status_code, sentence in shown(answer)) == (422, True)
    assert not ReleaseRun.objects.exists()


def test_requesters_alone_make_and_give_up_releases_and_never_of_a_rehearsal(dataset, sign_in, people):
    for person, status in [("outsider", 404), ("viewer", 403), ("reviewer", 403)]:
        assert sign_in(person).post(address("releases", dataset), CHOSEN).status_code == status
    assert not ReleaseRun.objects.exists()
    rehearsal = make_project(is_rehearsal=True, origin=dataset, requester=people["requester"])
    client = sign_in("requester")
    assert client.post(address("releases", rehearsal), CHOSEN).status_code == 403
    client.post(address("releases", dataset), CHOSEN)
    run = ReleaseRun.objects.get()
    other = client.post(address("releases", dataset), CHOSEN | {"note": "another"})
    assert (other.status_code, "with other choices" in shown(other)) == (422, True)
    assert sign_in("viewer").post(address("release_run_give_up", dataset, run.pk)).status_code == 403
    given_up = sign_in("requester").post(address("release_run_give_up", dataset, run.pk), follow=True)
    assert "requester gave it up." in shown(given_up)
    assert "It had ended before." in shown(client.post(address("release_run_give_up", dataset, run.pk), follow=True))
    tasks.make_release(run.pk)
    assert not Release.objects.exists()


def test_the_list_is_read_in_pages_and_few_queries(project, sign_in, django_assert_max_num_queries):
    for number in range(1, 34):
        make_release(project, number)
    client = sign_in("viewer")
    with django_assert_max_num_queries(15):
        listed = shown(client.get(address("releases", project)))
    assert ("Release 33 " in listed, "Release 4 " in listed, "Release 3 " in listed) == (True, True, False)
    older = shown(client.get(address("releases", project), {"before": "4"}))
    assert ("Release 4 " in older, "Release 3 " in older, "Older releases" in older) == (False, True, False)
    assert client.get(address("releases", project), {"before": "x" * 50}).status_code == 200


def test_a_question_whose_every_answer_was_dropped_is_named_with_what_to_do(dataset, sign_in, people):
    for answer in dataset.questions.get(public_id="dev-1").answers.all():
        give_verdict(answer, "drop", people["reviewer"])
    release_runs.release(dataset, spec=ReleaseSpec(least_answers=3))
    text = shown(sign_in("requester").get(address("release_version", dataset, 1)))
    assert "dev: 1 not in here: no answer of it is left; launch a batch for answers : dev-1" in text
    assert "question has no answer left and is not in here. Ask for new answers." in text


def test_an_answer_too_few_is_left_out_where_that_is_asked_for(dataset, sign_in):
    release, _is_new = release_runs.release(dataset, spec=ReleaseSpec(least_answers=2, splits=("dev",)))
    assert release.manifest["counts"] == {
        "dev": {"articles": 1, "paragraphs": 1, "questions": 1, "impossible_questions": 0, "answers": 3}
    }
    text = shown(sign_in("requester").get(address("release_version", dataset, 1)))
    assert "dev: 1 not in here: too few answers for this release; launch a batch for answers : dev-1" in text


def test_questions_that_cannot_be_answered_are_left_out_where_that_is_asked_for(project):
    make_split(project, "dev", ["61 m"], [None, None])
    release, _is_new = release_runs.release(project, spec=ReleaseSpec(with_impossible=False))
    assert release.manifest["counts"]["dev"]["questions"] == 1
    left_out = json.loads((folder_of(release) / "public" / "left-out.json").read_bytes())
    assert left_out["splits"]["dev"]["questions_left_out"] == [{"id": "dev-1", "reason": "only_unanswerable"}]
