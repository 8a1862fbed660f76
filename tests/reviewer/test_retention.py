"""What is kept for so many days goes after them, and not before; nothing goes unless somebody has set the days."""

from datetime import timedelta

import pytest
from auditlog.models import LogEntry
from django.core.management import call_command
from django.utils import timezone

from accounts import looking
from annotation.models import Assignment, Draft, ParagraphWork, QuestionSignals, Worker
from hits.models import Bonus
from reviewer import tasks
from reviewer.models import FoundSignal, RetentionRun, SignalRun, WorkerErasure
from reviewer.services import retention
from tests.annotation.factories import make_assignment, make_project, make_worker
from tests.reviewer.factories import make_written

pytestmark = pytest.mark.django_db

OLD, YOUNG = timedelta(days=31), timedelta(days=29)


@pytest.fixture(autouse=True)
def off(settings):
    settings.RETAIN_DRAFTS_DAYS = settings.RETAIN_SIGNALS_DAYS = 0
    settings.RETAIN_WORKER_IDS_DAYS = settings.RETAIN_LOOKS_DAYS = 0


@pytest.fixture
def decided():
    """Work decided ``ago``, all of its worker's, with one of everything that can be deleted."""
    project = make_project()

    def make(ago, *, status="approved"):
        at = timezone.now() - ago
        work = make_written(project, status=status, submitted_at=at, decided_at=None if status == "submitted" else at)
        question = work.questions.get()
        Assignment.objects.filter(pk=work.pk).update(opened_at=at)
        Worker.objects.filter(pk=work.worker_id).update(first_seen_at=at)
        Draft.objects.create(assignment=work, version=1, content={})
        QuestionSignals.objects.create(assignment=work, question=question, keys=3)
        ParagraphWork.objects.create(assignment=work, task_paragraph=work.task.task_paragraphs.get(), active_seconds=9)
        FoundSignal.objects.create(assignment=work, signal="pasted")
        SignalRun.objects.create(assignment=work, noted_at=at, against=1)
        return work

    return make


def of(model):
    return set(model.objects.values_list("assignment", flat=True))


def test_nothing_is_deleted_unless_days_are_set(decided):
    decided(OLD)
    assert retention.carry_out() == {}
    assert (Draft.objects.count(), FoundSignal.objects.count(), RetentionRun.objects.count()) == (1, 1, 0)
    assert Worker.objects.filter(erased_at__isnull=False).count() == 0


def test_drafts_go_so_many_days_after_the_decision(decided, settings):
    settings.RETAIN_DRAFTS_DAYS = 30
    decided(OLD)
    young, waiting = decided(YOUNG), decided(OLD, status="submitted")
    left = make_assignment()
    Draft.objects.create(assignment=left, version=1, content={})
    Assignment.objects.filter(pk=left.pk).update(opened_at=timezone.now() - OLD)
    assert retention.carry_out() == {"drafts": 2}
    assert of(Draft) == {young.pk, waiting.pk}
    assert len(of(QuestionSignals)) == 3


def test_signals_go_and_seconds_at_work_stay(decided, settings):
    settings.RETAIN_SIGNALS_DAYS = 30
    old, young = decided(OLD), decided(YOUNG)
    assert retention.carry_out() == {"signals": 1, "found": 1}
    assert of(QuestionSignals) == of(FoundSignal) == {young.pk}
    assert of(ParagraphWork) == {old.pk, young.pk}
    assert dict(SignalRun.objects.values_list("assignment", "against")) == {old.pk: 0, young.pk: 1}


def test_workers_are_erased_so_many_days_after_their_last_work_or_pay(decided, settings):
    settings.RETAIN_WORKER_IDS_DAYS = 30
    old, young, waiting, paid = decided(OLD), decided(YOUNG), decided(OLD, status="submitted"), decided(OLD)
    Bonus.objects.create(
        batch=paid.offer.hit.batch,
        assignment=paid,
        worker=paid.worker,
        reason="Thanks.",
        amount_usd=1,
        fee_usd=0,
        status="paid",
        paid_at=timezone.now(),
    )
    back = decided(OLD)
    make_assignment(worker=back.worker)
    assert retention.carry_out() == {"worker_ids": 1}
    assert list(Worker.objects.filter(erased_at__isnull=False)) == [old.worker]
    assert WorkerErasure.objects.get().cause == "retention"
    assert Worker.objects.get(pk=waiting.worker_id).mturk_worker_id != ""
    assert young.worker.erased_at is None


def test_who_looked_goes_after_its_days(settings):
    settings.RETAIN_LOOKS_DAYS = 30
    worker = make_worker()
    for ago in (OLD, YOUNG):
        looking.note(None, worker, looking.Look.RECORD)
        LogEntry.objects.filter(pk=LogEntry.objects.latest("pk").pk).update(timestamp=timezone.now() - ago)
    assert retention.carry_out() == {"looks": 1}
    assert LogEntry.objects.get().timestamp > timezone.now() - timedelta(days=30)


def test_a_pass_that_deleted_something_is_a_row_and_a_second_one_finds_nothing(decided, settings):
    settings.RETAIN_DRAFTS_DAYS = 30
    decided(OLD)
    tasks.apply_retention()
    tasks.apply_retention()
    row = RetentionRun.objects.get()
    assert (row.deleted, row.days["drafts"], row.days["looks"]) == ({"drafts": 1}, 30, 0)


def test_more_than_one_piece_is_deleted(decided, settings, monkeypatch):
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    settings.RETAIN_DRAFTS_DAYS = 30
    for _number in range(5):
        decided(OLD)
    told = []
    assert retention.carry_out(lambda name, done, total: told.append((done, total))) == {"drafts": 5}
    assert told == [(2, 5), (4, 5), (5, 5)]


def test_the_command_says_what_would_go_and_deletes_it_when_asked(decided, settings, capsys):
    settings.RETAIN_DRAFTS_DAYS = 30
    decided(OLD)
    call_command("apply_retention", "--dry-run")
    told = capsys.readouterr().out
    assert "1 drafts, from the decision on (kept for 30 days)" in told
    assert "– worker ids, from the last work or pay on: kept for good" in told
    assert Draft.objects.count() == 1
    call_command("apply_retention")
    assert Draft.objects.count() == 0
