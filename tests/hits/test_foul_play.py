"""What one worker, or one bad row, must not be able to do to everybody else's work and money."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError
from django.utils import timezone

from annotation.models import Assignment, Draft, Question, Worker
from hits.models import HIT, AssignmentDecision, Batch, LedgerEntry
from hits.services import caps, deciding, planning, publishing, syncing
from hits.services.planning import NotLaunchable
from tests.annotation.factories import (
    NOON,
    make_answer,
    make_article,
    make_assignment,
    make_paragraph,
    make_project,
    make_question,
    make_user,
)

from .conftest import answering, launch, published, writing
from .test_syncing import approve, decide, submit_one

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_work_that_was_opened_under_another_hit_is_booked_where_the_marketplace_lists_it(project, crowd):
    dear = published(project, writing(units_per_hit=5))
    cheap_project = make_project(spending_cap_usd=100)
    make_paragraph(cheap_project)
    cheap = published(cheap_project, writing(hourly_rate_usd=Decimal("1.00")))
    site, worker_id = crowd.worker()
    held = site.accept(next(group.group_id for group in site.groups() if group.hit_type_id in types_of(dear)))
    # Unsigned frame parameters: they open the cheap HIT's page with the dear one's assignment, and finish it there.
    forged = Assignment.objects.create(
        offer=cheap.hits.get().offer,
        task=cheap.hits.get().offer.task,
        worker=Worker.objects.create(endpoint="marketplace", mturk_worker_id=worker_id),
        mturk_assignment_id=held.frame_parameters["assignmentId"],
        finished_at=NOON,
    )
    make_question(cheap_project.paragraphs.get(), "Spam?", assignment=forged)
    site.submit(held, {"receipt": "r"})
    syncing.sync("marketplace")
    approve(Assignment.objects.filter(status="submitted"))
    forged.refresh_from_db()
    assert (forged.status, Question.objects.counting().count()) == (Assignment.Status.NOT_SUBMITTED, 0)
    assert [LedgerEntry.objects.filter(batch=batch).paid_usd() for batch in (dear, cheap)] == [Decimal("3.00"), 0]
    assert LedgerEntry.objects.filter(batch=cheap).reserved_usd() == cheap.cap_usd


def types_of(batch) -> set[str]:
    return set(batch.hit_types.values_list("mturk_hit_type_id", flat=True))


def test_one_row_that_cannot_be_recorded_keeps_nobody_else_waiting(project, crowd, monkeypatch):
    published(project)
    submitted = [submit_one(crowd)[0] for _ in range(3)]
    really = syncing._record

    def fail_for_the_first(hit, listed, *more):
        if listed["AssignmentId"] == submitted[0]:
            raise IntegrityError("a bad row")
        return really(hit, listed, *more)

    monkeypatch.setattr(syncing, "_record", fail_for_the_first)
    assert syncing.sync("marketplace") == 2
    monkeypatch.undo()
    assert syncing.sync("marketplace") == 1, "and it is tried again"


def test_a_draft_that_cannot_be_kept_does_not_hide_the_submission(project, crowd, monkeypatch):
    published(project)
    site, worker_id = crowd.worker()
    held = crowd.accept(site)
    hit = HIT.objects.get(mturk_hit_id=held.frame_parameters["hitId"])
    assignment = Assignment.objects.create(
        offer=hit.offer,
        task=hit.offer.task,
        worker=Worker.objects.create(endpoint="marketplace", mturk_worker_id=worker_id),
        mturk_assignment_id=held.frame_parameters["assignmentId"],
    )
    Draft.objects.create(assignment=assignment, version=1, content={"paragraphs": "nonsense"})
    site.submit(held, {"receipt": "r"})
    assert syncing.sync("marketplace") == 1
    assert Assignment.objects.get().status == Assignment.Status.SUBMITTED


def test_questions_that_lack_different_numbers_of_answers_are_launched_together(crowd):
    project = make_project(spending_cap_usd=100)
    for extra in (0, 1):
        question = make_question(make_paragraph(project, make_article(project, split="dev")))
        if extra:
            make_answer(question, "1742", position=1)
    batch = published(project, answering(units_per_hit=1))
    assert batch.hit_types.count() == 1
    assert sorted(batch.hits.values_list("max_assignments", flat=True)) == [1, 2]
    assert batch.cap_usd == LedgerEntry.objects.filter(batch=batch).reserved_usd()


def test_taking_a_rejection_back_stays_within_the_cap(project, crowd):
    project.spending_cap_usd = Decimal("3.60")
    project.save()
    published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    decide(Assignment.objects.all(), "reject", "None of the answers is in the text.")
    other = make_paragraph(project).article
    launch(project, writing(articles=(other.pk,)))  # spends what the rejection freed
    with pytest.raises(caps.OverCap, match=r"costs \$0\.72; \$0\.00 is left"):
        approve(Assignment.objects.all())
    project.spending_cap_usd = Decimal("4.32")
    project.save()
    approve(Assignment.objects.all())
    ledger = LedgerEntry.objects.in_project(project)
    assert (ledger.spent_usd(), ledger.reserved_usd()) == (Decimal("0.72"), 5 * Decimal("0.72"))


def test_a_reward_that_no_endpoint_takes_is_refused_before_launch(project, crowd):
    with pytest.raises(NotLaunchable, match=r"A HIT pays from \$0\.01"):
        launch(project, writing(hourly_rate_usd=Decimal("0.00")))


def test_a_paused_batch_can_be_given_up_and_frees_money_and_paragraphs(project, crowd, settings):
    crowd.become_endpoint(settings, secret_key="not-the-secret")
    batch = launch(project)
    publishing.publish(batch)
    batch.refresh_from_db()
    publishing.close(batch)
    assert (batch.status, LedgerEntry.objects.filter(batch=batch).reserved_usd()) == (Batch.Status.CLOSED, 0)
    assert planning.estimate(project, writing()).units == 5


def test_a_hit_that_vanished_from_the_endpoint_gives_its_money_back(project, crowd):
    batch = published(project, writing(units_per_hit=5))
    mturk_hit_id = batch.hits.get().mturk_hit_id
    crowd.mturk.update_expiration_for_hit(HITId=mturk_hit_id, ExpireAt=0)
    crowd.mturk.delete_hit(HITId=mturk_hit_id)
    batch.hits.update(published_at=timezone.now() - timedelta(hours=1))
    syncing.sync("marketplace")
    batch.refresh_from_db()
    assert (batch.status, LedgerEntry.objects.filter(batch=batch).reserved_usd()) == (Batch.Status.CLOSED, 0)


def test_a_decision_about_work_that_the_endpoint_forgot_is_given_up_with_a_sentence(project, crowd):
    batch = published(project)
    hit = batch.hits.select_related("offer").first()
    lost = make_assignment(hit.offer, status="submitted", submitted_at=timezone.now() - timedelta(days=200))
    deciding.decide([lost], "approve", make_user())
    deciding.carry_out()
    decision = AssignmentDecision.objects.get()
    assert decision.done_at is not None
    assert decision.problem == "The marketplace does not know this work any more, so nothing can be decided about it."
    assert LedgerEntry.objects.filter(batch=batch).reserved_usd() == 4 * Decimal("0.72")
