"""Erasing a worker: their id is nowhere afterwards, their work is where it was, and nothing open is lost."""

import threading
import time

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from annotation.models import (
    Answer,
    Article,
    Assignment,
    Draft,
    Exclusion,
    Note,
    ParagraphWork,
    Question,
    QuestionSignals,
    QuizTry,
    Verdict,
    Worker,
)
from annotation.services import erasing as at_work
from annotation.services import standing
from hits.models import AssignmentDecision, Bonus, WorkerBlock
from hits.services import blocking
from reviewer.models import FoundSignal, Release, Review, ReviewRules, SecondLook, SignalRun, WorkerErasure
from reviewer.services import erasing, noticing, release_runs
from reviewer.services.erasing import NotErasable, erase
from reviewer.services.release_checks import faults_of
from reviewer.services.release_reading import ReleaseSpec
from tests.annotation import work
from tests.annotation.factories import make_assignment, make_member, make_offer, make_project, make_worker
from tests.reviewer.factories import make_answered, make_written

pytestmark = pytest.mark.django_db

WORKER_ID = "A1FZ0NNQRT7XK2"


def rows_naming(word):
    """How many rows of each table hold ``word`` in any column, for the tables with such a row."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        found = {}
        for table in tables:
            name = connection.ops.quote_name(table)
            cursor.execute(f"SELECT count(*) FROM {name} AS row WHERE strpos(row::text, %s) > 0", [word])  # noqa: S608
            if number := cursor.fetchone()[0]:
                found[table] = number
    return found


@pytest.fixture
def rosa():
    """A worker with one of everything that can be known of one, and their id wherever somebody could have put it."""
    project = make_project()
    reviewer = make_member(project, "reviewer", "reviewer")
    worker = make_worker(mturk_worker_id=WORKER_ID)
    written = make_written(project, status="approved", worker=worker)
    question = written.questions.get()
    says = f"As {WORKER_ID} did before."
    Question.objects.filter(pk=question.pk).update(text=f"When was it built? {WORKER_ID}")
    task_paragraph = written.task.task_paragraphs.get()
    Draft.objects.create(assignment=written, version=3, content={"paragraphs": [], "by": WORKER_ID})
    ParagraphWork.objects.create(assignment=written, task_paragraph=task_paragraph, active_seconds=71)
    QuestionSignals.objects.create(assignment=written, question=question, keys=31)
    FoundSignal.objects.create(assignment=written, question=question, signal="pasted", values={"share": 80})
    SignalRun.objects.create(assignment=written, noted_at=timezone.now(), against=1)
    QuizTry.objects.create(assignment=written, number=1, answers=[{"choice": 2}], right_count=1)
    Note.objects.create(project=project, worker=worker, question=question, text=says, written_by=reviewer)
    Review.objects.create(assignment=written, decision="approve", reason=says, reviewer=reviewer)
    Verdict.objects.create(question=question, decision="keep", reason=says, decided_by=reviewer)
    SecondLook.objects.create(assignment=written, cause="asked", note=says, asked_by=reviewer)
    standing.exclude(project, worker, Exclusion.Reason.BLOCKED, says, reviewer)
    now = timezone.now()
    WorkerBlock.objects.create(project=project, worker=worker, words=says, done_at=now, problem=says)
    AssignmentDecision.objects.create(assignment=written, kind="approve", feedback=says, done_at=now, problem=says)
    batch = written.offer.hit.batch
    paid = {"amount_usd": "1.00", "fee_usd": "0.20", "status": "paid", "paid_at": now}
    Bonus.objects.create(batch=batch, assignment=written, worker=worker, reason=says, **paid)
    batch.problem = f"There is no worker {WORKER_ID}."
    batch.save()
    # A page that they opened and left.
    make_assignment(make_offer(), worker)
    return worker


def test_no_row_of_any_table_names_an_erased_worker(rosa):
    assert len(rows_naming(WORKER_ID)) > 10
    erased = erase(rosa.pk, why=f"{WORKER_ID} asked for it by letter")
    assert rows_naming(WORKER_ID) == {}
    assert (erased.already, erased.row.why) == (False, "(erased) asked for it by letter")


def test_traces_of_how_an_erased_worker_worked_go_and_are_not_made_anew(rosa):
    row = erase(rosa.pk).row
    traces = (Draft, ParagraphWork, QuestionSignals, FoundSignal, SignalRun, QuizTry)
    assert [model.objects.count() for model in traces] == [0] * len(traces)
    assert (row.deleted["drafts"], row.deleted["signals_worked_out"]) == (1, 1)
    written = Assignment.objects.get(worker=rosa, status="approved")
    project = written.task.project
    noticing.notice(project, [written], ReviewRules.objects.in_force(project))
    assert not SignalRun.objects.exists()


def test_work_amounts_and_decisions_of_an_erased_worker_stay(rosa):
    written = Assignment.objects.get(worker=rosa, status="approved")
    answers = list(Answer.objects.values("pk", "text", "start", "position"))
    decided = (written.mturk_assignment_id, written.status, written.submitted_at)
    erase(rosa.pk)
    written.refresh_from_db()
    assert (written.mturk_assignment_id, written.status, written.submitted_at) == decided
    assert list(Answer.objects.values("pk", "text", "start", "position")) == answers
    assert written.questions.get().text == "When was it built? (erased)"
    assert Bonus.objects.get().reason == "As (erased) did before."
    assert standing.reasons_out(written.task.project, rosa) == {"blocked"}
    left = Assignment.objects.exclude(pk=written.pk).get()
    assert (left.status, left.mturk_assignment_id) == ("not_submitted", f"erased-{left.pk}")


# What stays of a worker, by decision: the dataset, the books, what was decided, and what the protocol rests on.
STAYS = {
    *("annotation.Answer", "annotation.Assignment", "annotation.Exclusion", "annotation.FirstLook", "annotation.Note"),
    *("annotation.NoteReading", "annotation.Question", "annotation.QuizResult"),
    *("hits.AssignmentDecision", "hits.Bonus", "hits.LedgerEntry", "hits.QualificationGrant", "hits.WorkerBlock"),
    *("reviewer.Review", "reviewer.SecondLook", "reviewer.WorkerErasure"),
}


def test_whatever_hangs_on_a_worker_or_their_work_goes_or_stays_by_decision():
    goes = {model._meta.label for model, _path in at_work.TRACES.values()}
    goes |= {model._meta.label for model in erasing.TRACES.values()}
    hanging = {
        model._meta.label
        for model in apps.get_models()
        for field in model._meta.fields
        if field.related_model in (Worker, Assignment)
    }
    assert hanging - goes == STAYS


def test_others_keep_their_rows_and_their_texts(rosa):
    other = make_written(make_project(), status="approved")
    Draft.objects.create(assignment=other, version=1, content={})
    Question.objects.filter(assignment=other).update(text=f"Is {WORKER_ID}B a number?")
    erase(rosa.pk)
    other.worker.refresh_from_db()
    assert (other.worker.erased_at, Draft.objects.count()) == (None, 1)
    assert other.questions.get().text == f"Is {WORKER_ID}B a number?"


def test_a_short_id_is_not_taken_out_of_sentences_where_it_may_be_a_word():
    worker = make_worker(mturk_worker_id="1742")
    written = make_written(make_project(), status="approved", worker=worker)
    Question.objects.filter(assignment=written).update(text="What was built in 1742?")
    erase(worker.pk)
    assert written.questions.get().text == "What was built in 1742?"
    worker.refresh_from_db()
    assert worker.mturk_worker_id == ""


def test_erasing_twice_changes_nothing_the_second_time(rosa):
    first = erase(rosa.pk).row
    again = erase(rosa.pk, why="once more")
    assert (again.already, again.row.pk, again.row.erased_at, again.row.why) == (True, first.pk, first.erased_at, "")
    assert WorkerErasure.objects.count() == 1


@pytest.mark.parametrize(
    ("opened", "sentence"),
    [
        ("work", "1 piece of submitted work waits for its decision"),
        ("decision", "1 decision is on its way to the endpoint"),
        ("bonus", r"1 bonus is not paid yet \(number \d+; \$1.50 in all\)"),
        ("refused bonus", "1 bonus is not paid yet"),
        ("block", "The endpoint is being told to block"),
        ("sent", "Work was sent a moment ago"),
    ],
)
def test_nobody_is_erased_while_something_of_theirs_is_open(rosa, opened, sentence):
    written = Assignment.objects.get(worker=rosa, status="approved")
    values = {"assignment": written, "worker": rosa, "batch": written.offer.hit.batch, "reason": "Well done."}
    match opened:
        case "work":
            make_written(written.task.project, worker=rosa)
        case "decision":
            AssignmentDecision.objects.create(assignment=written, kind="approve")
        case "bonus":
            Bonus.objects.create(**values, amount_usd="1.50", fee_usd="0.30")
        case "refused bonus":
            Bonus.objects.create(**values, amount_usd="1.50", fee_usd="0.30", status="refused")
        case "block":
            WorkerBlock.objects.create(project=written.task.project, worker=rosa, words="Copies.")
        case "sent":
            Assignment.objects.filter(worker=rosa, status="open").update(finished_at=timezone.now())
    before = rows_naming(WORKER_ID)
    with pytest.raises(NotErasable, match=sentence):
        erase(rosa.pk)
    assert rows_naming(WORKER_ID) == before
    assert erasing.outlook(rosa).in_the_way != []


def test_the_database_refuses_an_erased_worker_with_an_id_and_a_worker_without_one(rosa):
    with pytest.raises(IntegrityError, match="only_an_erased_worker_has_no_id"), transaction.atomic():
        Worker.objects.create(endpoint="marketplace", mturk_worker_id="")
    erase(rosa.pk)
    with pytest.raises(IntegrityError, match="only_an_erased_worker_has_no_id"), transaction.atomic():
        Worker.objects.filter(pk=rosa.pk).update(mturk_worker_id=WORKER_ID)


def test_rows_that_are_only_added_to_stay_so_beside_an_erasure(rosa):
    erase(rosa.pk)
    for model, column in ((Review, "reason"), (Verdict, "reason"), (Note, "text"), (SecondLook, "note")):
        with pytest.raises(DatabaseError, match="only ever added"), transaction.atomic():
            model.objects.update(**{column: "Other words."})
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('spanwright.erasing', 'yes', true)")
        with pytest.raises(DatabaseError, match="only ever added"), transaction.atomic():
            Review.objects.update(decision="reject")


def test_workers_of_many_can_be_erased_and_each_is_told_apart():
    project = make_project()
    works = [make_written(project, status="approved") for _ in range(3)]
    for one in works:
        erase(one.worker_id)
    assert Worker.objects.filter(mturk_worker_id="").count() == 3
    question = works[0].questions.get()
    assert make_answered(question, texts=["1742"]).worker.erased_at is None


def test_a_release_stays_and_the_next_one_finds_that_nothing_has_changed(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path
    written = make_written(make_project(), status="approved")
    Answer.objects.update(position=0)
    Article.objects.update(split="train")
    spec = ReleaseSpec(workers=Release.Workers.PSEUDONYMS)
    first, _is_new = release_runs.release(written.task.project, spec=spec)
    erase(written.worker_id)
    second, is_new = release_runs.release(written.task.project, spec=spec)
    assert (second.pk, is_new, faults_of(second)) == (first.pk, False, [])


def test_an_erased_worker_is_neither_paid_more_nor_blocked(rosa):
    project = Assignment.objects.get(worker=rosa, status="approved").task.project
    erase(rosa.pk)
    rosa.refresh_from_db()
    with pytest.raises(blocking.NotExcluded, match="was erased"):
        blocking.exclude(project, rosa, "Copies.", None)
    with pytest.raises(blocking.NotExcluded, match="was erased"):
        blocking.readmit(project, rosa, "", None)


# The worker's page


def test_the_open_page_of_an_erased_worker_is_told_so_and_loses_its_draft():
    page = work.opened(make_offer())
    assert work.save(page, work.whole(page, 1), 1).status_code == 200
    worker = Worker.objects.get()
    erase(worker.pk)
    for answer in (work.save(page, work.whole(page, 1), 2), work.finish(page, work.whole(page, 1), 3)):
        assert (answer.status_code, answer.json()["code"]) == (403, "erased")
        assert "What was known of you here was erased" in answer.json()["detail"]
    assert (Draft.objects.count(), Question.objects.count()) == (0, 0)


def test_the_page_of_an_erased_workers_listed_work_does_not_tie_their_id_to_it_again(rosa):
    written = Assignment.objects.get(worker=rosa, status="approved")
    erase(rosa.pk)
    page = work.frame(written.offer, written.mturk_assignment_id, WORKER_ID)
    assert page.status_code == 409
    assert "This HIT cannot be opened again" in page.content.decode()
    assert rows_naming(WORKER_ID) == {}


def test_whoever_comes_again_under_an_erased_id_is_a_new_worker(rosa):
    erase(rosa.pk)
    assert work.frame(make_offer(), "A-NEW", WORKER_ID).status_code == 200
    new = Worker.objects.get(mturk_worker_id=WORKER_ID)
    assert new.pk != rosa.pk
    assert [one.mturk_assignment_id for one in new.assignments.all()] == ["A-NEW"]


@pytest.mark.django_db(transaction=True)
def test_a_draft_that_is_saved_while_the_worker_is_erased_does_not_stay():
    page = work.opened(make_offer())
    worker = Worker.objects.get()
    answers = []

    def save():
        try:
            answers.append(work.save(page, work.whole(page, 1), 1))
        finally:
            connection.close()

    saving = threading.Thread(target=save)
    with transaction.atomic():
        erase(worker.pk)
        saving.start()
        wait_for_a_lock()
    saving.join(timeout=60)
    assert answers[0].json()["code"] == "erased"
    assert Draft.objects.count() == 0


def wait_for_a_lock():
    """Until another connection waits for a row of ours."""
    with connection.cursor() as cursor:
        for _ in range(1000):
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
            time.sleep(0.02)
    raise AssertionError("nobody waited")


# The command


def test_the_command_says_what_goes_and_what_stays_and_erases(rosa, capsys):
    call_command("erase_worker", "marketplace", WORKER_ID, "--dry-run")
    told = capsys.readouterr().out
    assert "1 drafts" in told
    assert "Stays, without the person: 2 assignments, 1 questions, 1 answers." in told
    assert Worker.objects.get(pk=rosa.pk).erased_at is None
    call_command("erase_worker", "marketplace", WORKER_ID, "--no-input", "--why", "By letter")
    assert f"Erased. It stays known here as worker {rosa.pk}." in capsys.readouterr().out
    assert WorkerErasure.objects.get().why == "By letter"


def test_the_command_refuses_what_is_open_another_id_and_an_unknown_worker(rosa, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda prompt: "SOMEBODY")
    with pytest.raises(CommandError, match="not the id that you gave first"):
        call_command("erase_worker", "marketplace", WORKER_ID)
    make_written(make_project(), worker=rosa)
    with pytest.raises(CommandError, match=r"Nothing was erased. 1 piece of submitted work"):
        call_command("erase_worker", "marketplace", WORKER_ID, "--no-input")
    for worker_id in ("", "NOBODY", "A\0B"):
        with pytest.raises(CommandError, match="Nobody of that id"):
            call_command("erase_worker", "marketplace", worker_id, "--no-input")
