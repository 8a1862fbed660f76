"""Workers in a release: left out, or under names of this release alone. Their ids leave through no file."""

import csv
import json
from pathlib import Path

import pytest
from pyarrow import parquet

from annotation.models import Answer, Assignment, Worker
from reviewer.models import Release
from reviewer.services import release_runs
from reviewer.services.release_changes import changes
from reviewer.services.release_places import folder_of
from reviewer.services.release_reading import ReleaseSpec
from tests.annotation.factories import make_answer
from tests.reviewer.factories import make_answered, make_split, make_written

pytestmark = pytest.mark.django_db

PSEUDONYMS = ReleaseSpec(workers=Release.Workers.PSEUDONYMS)


@pytest.fixture(autouse=True)
def releases_dir(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"


@pytest.fixture
def crowd(project, people):
    """Two questions of dev, written by one worker and answered by two more, the second one adjudicated besides; one
    of train that was imported."""
    works = []
    for _number in range(2):
        writer = {"worker": works[0].worker} if works else {}
        works.append(make_written(project, status="approved", **writer))
        works[-1].questions.get().paragraph.article.__class__.objects.filter(
            pk=works[-1].questions.get().paragraph.article_id
        ).update(split="dev")
    questions = [work.questions.get() for work in works]
    for question in questions:
        Answer.objects.filter(question=question).update(position=0)
    first = make_answered(*questions, texts=["1742"] * 2, status="approved")
    second = make_answered(*questions, texts=["1742"] * 2, status="approved")
    make_answer(questions[1], "1742", adjudicated_by=people["reviewer"])
    make_split(project, "train", ["61 m"])
    for number, worker in enumerate(Worker.objects.all()):
        Worker.objects.filter(pk=worker.pk).update(mturk_worker_id=f"ASECRET{number:04}")
    return {"questions": questions, "writer": works[0].worker, "answerers": [first.worker, second.worker]}


def rows(release, split="dev"):
    path = folder_of(release) / "public" / "data" / f"{split}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_pseudonyms_tell_workers_apart_in_each_format_that_has_a_place_for_them(project, crowd):
    release, _is_new = release_runs.release(project, spec=PSEUDONYMS)
    first, second = rows(release)
    writer, one, other = (first["written_by"], *first["answered_by"][1:])
    assert first["answered_by"] == [writer, one, other]
    assert len({writer, one, other}) == 3
    assert (second["written_by"], second["answered_by"]) == (writer, [None, writer, one, other])
    (imported,) = rows(release, "train")
    assert (imported["written_by"], imported["answered_by"]) == (None, [None])
    public = folder_of(release) / "public"
    assert parquet.read_table(public / "parquet" / "dev.parquet").to_pylist() == [first, second]
    with open(public / "csv" / "dev.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["written_by"], line["answered_by"]) for line in lines[:4]] == [
        *((writer, worker) for worker in (writer, one, other)),
        (writer, ""),
    ]
    tasks = json.loads((public / "label-studio" / "dev.json").read_bytes())
    assert tasks[1]["data"]["answered_by"] == [None, writer, one, other]
    assert "were made for this release alone" in (public / "datasheet.md").read_text()


def test_without_being_asked_for_no_file_speaks_of_workers(project, crowd):
    release, _is_new = release_runs.release(project)
    assert set(rows(release)[0]) == {"id", "title", "context", "question", "answers", "is_impossible"}
    assert release.salt == ""
    assert "No worker is named in any file." in (folder_of(release) / "public" / "datasheet.md").read_text()


@pytest.mark.parametrize("workers", Release.Workers.values)
def test_no_id_of_a_worker_leaves_through_any_file(project, crowd, workers):
    spec = ReleaseSpec(workers=workers, holds_back_test=True)
    release, _is_new = release_runs.release(project, spec=spec)
    files = [path for path in folder_of(release).rglob("*") if path.is_file()]
    assert len(files) > 10
    for path in files:
        told = unpacked(path)
        for worker in Worker.objects.all():
            assert worker.mturk_worker_id.encode() not in told, path
        for assignment in Assignment.objects.all():
            assert assignment.mturk_assignment_id.encode() not in told, path
        assert not release.salt or release.salt.encode() not in told, path


def unpacked(path: Path) -> bytes:
    return repr(parquet.read_table(path).to_pylist()).encode() if path.suffix == ".parquet" else path.read_bytes()


def test_another_release_has_other_names_and_the_salts_tell_who_is_who(project, crowd, people):
    first, _is_new = release_runs.release(project, spec=PSEUDONYMS)
    again, is_new = release_runs.release(project, spec=PSEUDONYMS)
    assert (again, is_new) == (first, False)
    (answer,) = crowd["questions"][1].answers.filter(adjudicated_by__isnull=False)
    Answer.objects.filter(pk=answer.pk).update(start=0, end=1, text=answer.question.paragraph.text[:1])
    second, is_new = release_runs.release(project, spec=PSEUDONYMS)
    assert is_new
    names = [
        {name for row in rows(release) for name in [row["written_by"], *row["answered_by"]]} - {None}
        for release in (first, second)
    ]
    assert [len(each) for each in names] == [3, 3]
    assert not names[0] & names[1]
    # All names are others, and yet only what changed is found.
    assert changes(first, second).difference.changed == {crowd["questions"][1].public_id: ["answers"]}
    answer = crowd["questions"][0].answers.get(position=2)
    Answer.objects.filter(pk=answer.pk).update(
        assignment=crowd["questions"][0]
        .answers.get(position=1)
        .assignment.__class__.objects.create(
            task=answer.assignment.task,
            offer=answer.assignment.offer,
            worker=Worker.objects.create(endpoint="marketplace", mturk_worker_id="ANOTHER"),
            mturk_assignment_id="ANOTHER",
            status="approved",
            submitted_at=answer.assignment.submitted_at,
        )
    )
    third, _is_new = release_runs.release(project, spec=PSEUDONYMS)
    assert changes(second, third).difference.changed == {crowd["questions"][0].public_id: ["workers"]}
    assert third.manifest["previous"]["questions"] == {"added": 0, "removed": 0, "changed": 1}
