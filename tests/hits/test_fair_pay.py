"""Fair pay: nobody who worked on a batch ends below the promised rate, and the same work is not lifted twice."""

from decimal import Decimal

import pytest
from django.db import IntegrityError
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Assignment, ParagraphWork
from hits.fees import NO_FEES, FeeSchedule
from hits.models import Bonus, LedgerEntry
from hits.services import bonuses, caps, fair_pay, syncing
from hits.services.bonuses import NotPayable
from hits.services.fair_pay import Work, pay_of

from .conftest import published
from .test_at_once import at_once
from .test_syncing import approve, submit_one

pytestmark = pytest.mark.slow

TIMES = Decimal(3)
cents = st.decimals(min_value=0, max_value=200, places=2)
works = st.builds(
    Work,
    assignment_id=st.integers(1, 10_000),
    worker_id=st.integers(1, 5),
    active_seconds=st.none() | st.integers(0, 100_000),
    elapsed_seconds=st.none() | st.integers(1, 100_000),
    paid_seconds=st.integers(1, 7200),
    allowed_seconds=st.integers(60, 21_600),
    reward_usd=cents,
)
many_works = st.lists(works, max_size=12, unique_by=lambda work: work.assignment_id)
given_usd = st.dictionaries(st.integers(1, 5), cents)
rates = st.decimals(min_value="0.01", max_value=100, places=2)
schedules = st.sampled_from([FeeSchedule(), NO_FEES])


@given(many_works, given_usd, rates, schedules)
def test_nobody_ends_below_the_rate_and_no_bonus_is_a_cent_too_much(done, given, rate, schedule):
    for row in pay_of(done, given, rate, TIMES, schedule):
        owed = rate * row.seconds / 3600
        assert row.paid_usd + row.bonus_usd >= owed
        assert row.bonus_usd == 0 or row.paid_usd + row.bonus_usd - owed < Decimal("0.01")
        assert row.bonus_usd == row.bonus_usd.quantize(Decimal("0.01"))
        assert row.fee_usd == (schedule.bonus_fee_usd(row.bonus_usd) if row.bonus_usd else 0)


@given(many_works, given_usd, rates)
def test_a_second_proposal_after_the_first_was_paid_is_empty(done, given, rate):
    first = pay_of(done, given, rate, TIMES, FeeSchedule())
    paid = {row.worker_id: given.get(row.worker_id, Decimal(0)) + row.bonus_usd for row in first}
    assert [row.bonus_usd for row in pay_of(done, paid, rate, TIMES, FeeSchedule()) if row.bonus_usd] == []


@given(works, st.decimals(min_value=1, max_value=100, places=1))
def test_counted_time_stays_within_its_bounds(work, times):
    seconds = work.counted_seconds(times)
    assert seconds >= 1
    if work.active_seconds:
        bounds = [work.active_seconds, work.allowed_seconds, work.paid_seconds * times]
        bounds += [work.elapsed_seconds] if work.elapsed_seconds is not None else []
        assert seconds <= max(1, *[min(bounds)])
    else:
        assert seconds == work.paid_seconds


@given(many_works, given_usd, rates, schedules)
def test_the_total_is_the_sum_of_the_rows(done, given, rate, schedule):
    rows = pay_of(done, given, rate, TIMES, schedule)
    proposal = fair_pay.Proposal(rate, TIMES, rows, Decimal(0))
    assert proposal.total_usd == sum(row.bonus_usd + row.fee_usd for row in rows)
    assert {row.worker_id for row in rows} == {work.worker_id for work in done}


def measured(assignment, seconds):
    ParagraphWork.objects.create(
        assignment=assignment,
        task_paragraph=assignment.task.task_paragraphs.get(),
        active_seconds=seconds,
    )


@pytest.fixture
def batch(transactional_db, project, crowd):
    """Three workers have done a HIT of 4 minutes and $0.60 each: one in 8 minutes, one in 2, one unmeasured."""
    batch = published(project)
    for _ in range(3):
        submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    slow, fast, _unmeasured = Assignment.objects.order_by("pk")
    measured(slow, 480)
    measured(fast, 120)
    caps.raise_cap(batch, Decimal("20.00"), "Fair pay.", None)
    return batch


def test_the_slow_worker_is_lifted_and_nobody_else(batch):
    proposal = fair_pay.propose(batch)
    # 8 minutes at $9.00 are $1.20; $0.60 was paid. A fee of 20 % on the bonus.
    assert [(row.hourly_usd, row.bonus_usd, row.fee_usd) for row in proposal.rows] == [
        (Decimal("4.50"), Decimal("0.60"), Decimal("0.12")),
        (Decimal("9.00"), Decimal("0.00"), Decimal("0.00")),
        (Decimal("18.00"), Decimal("0.00"), Decimal("0.00")),
    ]
    assert (proposal.total_usd, proposal.unmeasured) == (Decimal("0.72"), 1)


def test_a_page_that_was_left_open_counts_up_to_the_bound(batch):
    ParagraphWork.objects.filter(active_seconds=480).update(active_seconds=80_000)
    row = fair_pay.propose(batch, Decimal(2)).rows[0]
    assert (row.seconds, row.bounded, row.bonus_usd) == (480, 1, Decimal("0.60"))


def test_paying_it_reaches_the_worker_once_and_leaves_nothing_to_propose(batch, crowd):
    fair_pay.pay(batch, TIMES, Decimal("0.72"), None)
    assert fair_pay.propose(batch).total_usd == 0
    bonuses.send()
    slow = Assignment.objects.order_by("pk")[0]
    listed = crowd.mturk.list_bonus_payments(AssignmentId=slow.mturk_assignment_id)["BonusPayments"]
    assert [payment["BonusAmount"] for payment in listed] == ["0.60"]
    assert "$9.00 an hour, as promised" in listed[0]["Reason"]
    with pytest.raises(NotPayable, match="promised rate already"):
        fair_pay.pay(batch, TIMES, Decimal("0.72"), None)


def test_a_bonus_that_the_endpoint_refused_is_no_pay_and_is_settled_before_another(batch, crowd):
    [bonus] = fair_pay.pay(batch, TIMES, Decimal("0.72"), None)
    right, wrong = bonus.worker, Assignment.objects.order_by("pk")[1].worker
    Bonus.objects.filter(pk=bonus.pk).update(worker=wrong)  # whom the endpoint does not pay for this assignment
    bonuses.send()
    Bonus.objects.filter(pk=bonus.pk).update(worker=right)
    bonus.refresh_from_db()
    assert bonus.status == Bonus.Status.REFUSED
    assert fair_pay.propose(batch).total_usd == Decimal("0.72")
    with pytest.raises(NotPayable, match=f"try again or give up bonus {bonus.pk}"):
        fair_pay.pay(batch, TIMES, Decimal("0.72"), None)
    bonuses.give_up(bonus)
    fair_pay.pay(batch, TIMES, Decimal("0.72"), None)
    assert fair_pay.propose(batch).total_usd == 0


def test_later_work_brings_the_difference_alone(batch, crowd):
    fair_pay.pay(batch, TIMES, Decimal("0.72"), None)
    bonuses.send()
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    latest = Assignment.objects.latest("pk")
    Assignment.objects.filter(pk=latest.pk).update(worker=Assignment.objects.order_by("pk")[0].worker)
    measured(latest, 300)
    # A minute more than is paid for: 15 cents at $9.00 an hour, and a fee of 3.
    assert fair_pay.propose(batch).total_usd == Decimal("0.18")


def test_a_proposal_that_changed_is_shown_again_before_it_is_paid(batch):
    with pytest.raises(NotPayable, match=r"it is \$0\.72 now"):
        fair_pay.pay(batch, TIMES, Decimal("0.71"), None)
    assert not Bonus.objects.exists()


def test_fair_pay_never_goes_over_the_cap(batch, project):
    project.spending_cap_usd = Decimal("4.31")
    project.save()
    with pytest.raises(caps.OverCap):
        fair_pay.pay(batch, TIMES, Decimal("0.72"), None)
    assert LedgerEntry.objects.filter(kind="bonus_hold").count() == 0


def test_where_people_are_paid_the_total_is_typed(batch, crowd, settings):
    crowd.become_endpoint(settings, pays_people=True)
    with pytest.raises(NotPayable, match=r"total with fees, 0\.72"):
        fair_pay.pay(batch, TIMES, Decimal("0.72"), None)
    fair_pay.pay(batch, TIMES, Decimal("0.72"), None, Decimal("0.72"))


@pytest.mark.slow
def test_two_requesters_at_once_lift_a_worker_once(batch):
    done = at_once(*[lambda: fair_pay.pay(batch, TIMES, Decimal("0.72"), None)] * 3)
    assert [type(one) for one in done if isinstance(one, Exception)] == [NotPayable, NotPayable]
    assert Bonus.objects.count() == 1


def test_the_database_itself_refuses_to_fill_a_gap_twice(batch):
    [bonus] = fair_pay.pay(batch, TIMES, Decimal("0.72"), None)
    bonus.pk, bonus.token, bonus.reason = None, None, "Once more."
    bonus.token = "8f0f0f0e-58a5-4f0c-9f0e-1f3f5a7c9b11"
    bonus._state.adding = True
    with pytest.raises(IntegrityError, match="a_gap_in_pay_is_filled_once"):
        bonus.save()
