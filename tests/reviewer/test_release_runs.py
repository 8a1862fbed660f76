"""Making a release: a row first, made once, begun again after a kill, and nobody waits for it."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from annotation.models import Project
from reviewer import tasks
from reviewer.models import Release, ReleaseRun
from reviewer.services import release_runs, releases
from reviewer.services.release_places import folder_of, home
from reviewer.services.release_reading import ReleaseSpec
from tests.annotation.factories import make_project
from tests.reviewer.factories import make_split

pytestmark = pytest.mark.django_db

HELD = ReleaseSpec(holds_back_test=True)


@pytest.fixture(autouse=True)
def releases_dir(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"


@pytest.fixture
def dataset(project):
    make_split(project, "dev", ["61 m"] * 3)
    return project


@pytest.fixture
def queued(monkeypatch):
    """The ids of runs that jobs were queued for."""
    ids = []
    monkeypatch.setattr(tasks.make_release, "delay", ids.append)
    return ids


@pytest.fixture
def while_writing(monkeypatch):
    """Has something done after the dataset was read and before its files are written."""
    write = releases.write

    def during(do):
        monkeypatch.setattr(releases, "write", lambda *arguments: (do(), write(*arguments)))

    return during


def test_asked_for_twice_a_release_is_made_once(dataset, queued, people, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        first = release_runs.order(dataset, HELD, people["requester"])
        assert release_runs.order(dataset, HELD, people["requester"]) == first
    assert queued == [first.pk]
    with pytest.raises(release_runs.NotReleasable, match="with other choices"):
        release_runs.order(dataset, ReleaseSpec(), people["requester"])
    tasks.make_release(first.pk)
    tasks.make_release(first.pk)
    first.refresh_from_db()
    assert (first.status, first.is_new, first.files_written, first.files_in_all) == ("done", True, 6, 6)
    assert Release.objects.get() == first.release
    assert first.release.released_by == people["requester"]
    again = release_runs.order(dataset, HELD, people["requester"])
    tasks.make_release(again.pk)
    again.refresh_from_db()
    assert (again.release, again.is_new) == (first.release, False)


def test_the_database_lets_one_release_of_a_project_be_made_at_a_time(dataset):
    ReleaseRun.objects.create(project=dataset, asked={})
    with pytest.raises(IntegrityError), transaction.atomic():
        ReleaseRun.objects.create(project=dataset, asked={})
    ReleaseRun.objects.create(project=make_project(), asked={})


def test_a_run_whose_process_was_killed_is_begun_again_and_what_it_left_is_swept_away(dataset, queued):
    row, _is_new = release_runs.ask(dataset, ReleaseSpec(), None)
    ReleaseRun.objects.filter(pk=row.pk).update(status="running", attempt=1, files_written=3, files_in_all=6)
    (home(dataset) / ".unfinished-killed").mkdir(parents=True)
    (home(dataset) / "1" / "public").mkdir(parents=True)  # renamed, and then the transaction did not come to its end
    (home(dataset) / "1" / "public" / "half.jsonl").write_text("{")
    tasks.sweep()
    assert queued == [row.pk]
    tasks.make_release(row.pk)
    row.refresh_from_db()
    assert (row.status, row.attempt) == ("done", 2)
    assert {path.name for path in home(dataset).iterdir()} == {"1"}
    assert not (folder_of(row.release) / "public" / "half.jsonl").exists()
    tasks.sweep()
    assert queued == [row.pk]


def test_a_run_that_breaks_off_again_and_again_is_given_up_with_a_sentence(dataset):
    row, _is_new = release_runs.ask(dataset, ReleaseSpec(), None)
    ReleaseRun.objects.filter(pk=row.pk).update(status="running", attempt=release_runs.MOST_ATTEMPTS)
    tasks.make_release(row.pk)
    row.refresh_from_db()
    assert (row.status, row.problem) == ("failed", "It broke off 4 times. The log of the jobs says where.")


@pytest.mark.parametrize("meanwhile", ["given up", "begun anew"])
def test_what_was_given_up_or_begun_anew_meanwhile_makes_no_release(dataset, people, while_writing, meanwhile):
    row, _is_new = release_runs.ask(dataset, ReleaseSpec(), None)
    ours = ReleaseRun.objects.filter(pk=row.pk)
    if meanwhile == "given up":
        while_writing(lambda: release_runs.give_up(ours.get(), people["requester"]))
    else:
        while_writing(lambda: ours.update(attempt=F("attempt") + 1))
    release_runs.run(row)
    row.refresh_from_db()
    assert (row.status, row.release) == ("failed" if meanwhile == "given up" else "running", None)
    assert not Release.objects.exists()
    assert list(home(dataset).iterdir()) == []


def test_what_cannot_be_released_fails_with_its_sentence(queued):
    empty = make_project()
    make_split(empty, "dev", [])
    row = release_runs.order(empty, ReleaseSpec(), None)
    tasks.make_release(row.pk)
    row.refresh_from_db()
    assert (row.status, row.problem) == (
        "failed",
        "No question counts yet: there is nothing to release. Approve work first.",
    )
    with pytest.raises(release_runs.NotReleasable, match="nothing of it is ever exported"):
        release_runs.order(make_project(is_rehearsal=True, origin=empty), ReleaseSpec(), None)


@pytest.mark.django_db(transaction=True)
def test_while_files_are_written_the_project_can_be_changed_and_nobody_else_makes_the_release(dataset, while_writing):
    row, _is_new = release_runs.ask(dataset, ReleaseSpec(), None)
    found = {}

    def meanwhile():
        """In another session, as another process would be."""
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '2s'")
                Project.objects.select_for_update().get(pk=dataset.pk)
                Project.objects.filter(pk=dataset.pk).update(name="Renamed")
            found["made by another"] = release_runs.run(ReleaseRun.objects.get(pk=row.pk))
            found["free"] = release_runs.nobody_works_on(row)
        finally:
            connection.close()

    def beside():
        thread = threading.Thread(target=meanwhile)
        thread.start()
        thread.join()

    while_writing(beside)
    assert release_runs.run(row)
    assert found == {"made by another": False, "free": False}
    assert Project.objects.get(pk=dataset.pk).name == "Renamed"
    row.refresh_from_db()
    assert row.release.manifest["project"]["name"] != "Renamed"
    assert release_runs.nobody_works_on(row)
