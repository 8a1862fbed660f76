"""One worker's record: whole, theirs alone, and readable for nobody else."""

import json
import stat

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from annotation.models import Assignment, Note, QuestionSignals, Worker
from reviewer.models import Review
from reviewer.services.worker_record import PARTS
from tests.annotation.factories import make_member, make_project, make_worker
from tests.reviewer.factories import make_answered, make_written

pytestmark = pytest.mark.django_db

# Rows beside a worker or their work that say nothing about them.
BESIDE = {
    "annotation.NoteReading",  # when a note was read: it stands with the note
    "hits.AssignmentDecision",  # that a reviewer's decision was carried out: the review is there
    "hits.LedgerEntry",  # the requester's books: rewards and bonuses are there
    "reviewer.ReviewClaim",  # which reviewer looks at it at this moment
    "reviewer.SecondLook",  # between reviewers
    "reviewer.WorkerErasure",  # there is nobody to tell any more
    "reviewer.SignalRun",  # when signals were worked out: they are there
}


@pytest.fixture
def written():
    """A writer's rejected work with one of everything, and somebody's answer to its question."""
    project = make_project()
    rosa = make_member(project, "reviewer", "rosa")
    work = make_written(project, status="rejected")
    question = work.questions.get()
    QuestionSignals.objects.create(assignment=work, question=question, keys=31)
    Review.objects.create(assignment=work, decision="reject", reason="Copied.", reviewer=rosa)
    Note.objects.create(project=project, worker=work.worker, question=question, text="Shorter.", written_by=rosa)
    make_answered(question, texts=[None])
    return work


def record_of(worker, tmp_path):
    out = tmp_path / "record.json"
    call_command("worker_record", worker.endpoint, worker.mturk_worker_id, "--out", str(out))
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    return json.loads(out.read_text("utf-8"))


def test_a_record_holds_what_the_worker_did_and_what_was_said_of_it(written, tmp_path):
    question = written.questions.get()
    record = record_of(written.worker, tmp_path)
    assert record["worker"]["worker_id"] == written.worker.mturk_worker_id
    (assignment,) = record["assignments"]
    assert (assignment["number"], assignment["status"], assignment["reward_usd"]) == (written.pk, "rejected", "0.60")
    assert [(row["id"], row["question"]) for row in record["questions"]] == [(question.public_id, question.text)]
    assert [row["assignment"] for row in record["answers"]] == [written.pk] * question.answers.filter(
        assignment=written
    ).count()
    assert record["signals_of_the_page"][0]["keys"] == 31
    assert (record["reviews"][0]["reason"], record["notes"][0]["note"]) == ("Copied.", "Shorter.")


def test_a_record_holds_nobody_elses_words_and_no_name_of_staff(written, tmp_path):
    other = Worker.objects.exclude(pk=written.worker_id).get()
    theirs = record_of(other, tmp_path)
    assert (theirs["questions"], len(theirs["answers"])) == ([], 1)
    text = json.dumps(theirs, ensure_ascii=False)
    assert written.questions.get().text not in text
    assert written.worker.mturk_worker_id not in text
    (tmp_path / "record.json").unlink()
    assert "rosa" not in json.dumps(record_of(written.worker, tmp_path))


def test_whatever_hangs_on_a_worker_or_their_work_is_in_the_record_or_beside_it():
    told = {model._meta.label for model, _path, _told in PARTS.values()}
    hanging = {
        model._meta.label
        for model in apps.get_models()
        for field in model._meta.fields
        if field.related_model in (Worker, Assignment)
    }
    assert hanging - told == BESIDE


def test_a_file_that_is_there_is_kept(written, tmp_path):
    (tmp_path / "record.json").write_text("mine")
    with pytest.raises(CommandError, match="there already"):
        record_of(written.worker, tmp_path)
    assert (tmp_path / "record.json").read_text() == "mine"


@pytest.mark.parametrize("worker_id", ["NOBODY", "", "A\0B", "'; DROP TABLE annotation_worker; --"])
def test_an_unknown_worker_is_one_sentence(worker_id, tmp_path):
    make_worker()
    with pytest.raises(CommandError, match=r"Nobody of that id.* Endpoints with workers: "):
        call_command("worker_record", "marketplace", worker_id, "--out", str(tmp_path / "record.json"))
    assert list(tmp_path.iterdir()) == []
