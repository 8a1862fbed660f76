"""A bonus is paid once, whatever is lost, repeated or done at the same moment; and within the caps."""

from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from annotation.models import Assignment, IllegalMove, LostRace
from hits import mturk, tasks
from hits.models import Bonus, CapRaise, LedgerEntry
from hits.services import bonuses, caps, fair_pay, ledger, syncing
from hits.services.bonuses import NotPayable, Wish
from tests.annotation.factories import make_user

from .conftest import published, writing
from .test_at_once import at_once
from .test_syncing import approve, submit_one

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
REASON = "The paragraph was longer than we had thought."


@pytest.fixture
def batch(project, crowd):
    """A published batch of five HITs, of which one is done and approved; its cap has room for $1.40 of bonuses."""
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    caps.raise_cap(batch, Decimal("5.00"), "For bonuses.", None)
    return batch


def ask(batch, amount="0.50", reason=REASON, **more):
    [bonus] = bonuses.ask(batch, [Wish(Assignment.objects.get(), Decimal(amount), reason)], None, **more)
    return bonus


def paid_there(crowd):
    """Amounts and reasons that the marketplace lists as paid, over the wire."""
    [assignment] = crowd.assignments()
    listed = crowd.mturk.list_bonus_payments(AssignmentId=assignment["AssignmentId"])["BonusPayments"]
    return [(payment["BonusAmount"], payment["Reason"]) for payment in listed]


def ledger_of(batch):
    return LedgerEntry.objects.filter(batch=batch)


def forget_claim(bonus, **changes):
    """As if the job that held ``bonus`` had died long enough ago."""
    Bonus.objects.filter(pk=bonus.pk).update(claimed_until=None, **changes)


def test_a_bonus_is_set_aside_first_then_paid_with_its_fee(batch, crowd):
    before = ledger_of(batch).reserved_usd()
    bonus = ask(batch)
    assert ledger_of(batch).reserved_usd() == before + Decimal("0.60")
    assert paid_there(crowd) == []
    bonuses.send()
    bonus.refresh_from_db()
    assert bonus.status == Bonus.Status.PAID
    assert paid_there(crowd) == [("0.50", REASON)]
    assert ledger_of(batch).reserved_usd() == before
    assert ledger_of(batch).spent_usd() == Decimal("0.72") + Decimal("0.60")


def test_a_bonus_is_paid_once_however_often_its_job_runs(batch, crowd):
    ask(batch)
    assert [bonuses.send(), bonuses.send()] == [1, 0]
    assert len(paid_there(crowd)) == 1


@pytest.mark.parametrize("fault", ["drop_after", "error_500_after"])
def test_a_bonus_whose_answer_was_lost_is_found_and_not_paid_again(batch, crowd, fault):
    bonus = ask(batch)
    crowd.faults({"operation": "SendBonus", "fault": fault, "times": 1})
    with pytest.raises(mturk.Unavailable):
        bonuses.send()
    forget_claim(bonus)
    bonuses.send()
    assert len(paid_there(crowd)) == 1
    bonus.refresh_from_db()
    assert (bonus.status, bonus.granted_at is not None) == (Bonus.Status.PAID, True)
    assert ledger_of(batch).filter(kind="bonus").count() == 1


def test_a_bonus_whose_call_never_arrived_is_paid_by_the_next_try(batch, crowd):
    bonus = ask(batch)
    crowd.faults({"operation": "SendBonus", "fault": "error_500_before", "times": 1})
    with pytest.raises(mturk.Unavailable):
        bonuses.send()
    assert paid_there(crowd) == []
    forget_claim(bonus)
    bonuses.send()
    assert len(paid_there(crowd)) == 1


def test_an_old_try_is_looked_up_before_it_is_repeated(batch, crowd):
    bonus = ask(batch)
    crowd.faults({"operation": "SendBonus", "fault": "error_500_after", "times": 1})
    with pytest.raises(mturk.Unavailable):
        bonuses.send()
    forget_claim(bonus, first_attempt_at=timezone.now() - timedelta(hours=24))
    with crowd.later(25 * 60 * 60):  # the marketplace has forgotten the token
        bonuses.send()
        assert len(paid_there(crowd)) == 1
    bonus.refresh_from_db()
    assert bonus.status == Bonus.Status.PAID


def test_a_bonus_that_is_refused_says_why_and_can_be_given_up(batch, crowd):
    bonus = ask(batch)
    before = ledger_of(batch).reserved_usd()
    Bonus.objects.filter(pk=bonus.pk).update(worker=make_other_worker())
    bonuses.send()
    bonus.refresh_from_db()
    assert bonus.status == Bonus.Status.REFUSED
    assert "Test marketplace says" in bonus.problem
    assert bonuses.give_up(bonus)
    assert ledger_of(batch).reserved_usd() == before - Decimal("0.60")
    assert paid_there(crowd) == []


def test_a_refused_bonus_can_be_tried_again(batch, crowd):
    bonus = ask(batch)
    right = bonus.worker
    Bonus.objects.filter(pk=bonus.pk).update(worker=make_other_worker())
    bonuses.send()
    Bonus.objects.filter(pk=bonus.pk).update(worker=right)
    bonus.refresh_from_db()
    bonuses.try_again(bonus)
    bonuses.send()
    assert len(paid_there(crowd)) == 1
    bonus.refresh_from_db()
    with pytest.raises(IllegalMove):
        bonuses.try_again(bonus)


def test_a_bonus_that_the_account_has_no_money_for_waits_and_can_be_given_up(project, settings, marketplace_site):
    from tests.crowd import Crowd

    crowd = Crowd(marketplace_site.url, funds="3.60")
    crowd.become_endpoint(settings)
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    caps.raise_cap(batch, Decimal("9.00"), "For bonuses.", None)
    first, second = ask(batch), ask(batch, reason="Another reason.")
    assert bonuses.send() == 1  # the second would only be refused as well
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, "insufficient funds" in first.problem) == (Bonus.Status.SENDING, True)
    assert second.status == Bonus.Status.WAITING
    assert ledger_of(batch).filter(kind="bonus").count() == 0
    forget_claim(first)
    first.refresh_from_db()
    assert bonuses.give_up(first)
    crowd.reset()


def test_giving_up_a_bonus_that_was_paid_after_all_records_the_payment(batch, crowd):
    bonus = ask(batch)
    crowd.faults({"operation": "SendBonus", "fault": "error_500_after", "times": 1})
    with pytest.raises(mturk.Unavailable):
        bonuses.send()
    forget_claim(bonus)
    bonus.refresh_from_db()
    assert bonuses.give_up(bonus) is False
    assert ledger_of(batch).filter(kind="bonus").count() == 1


def expire_claim(bonus):
    Bonus.objects.filter(pk=bonus.pk).update(claimed_until=timezone.now() - timedelta(seconds=1))


def during(operation, do):
    """Let ``do`` happen once, while the next call of ``operation`` is on its way."""
    waiting = [do]

    def hook(request, **_):
        if waiting and request.headers["X-Amz-Target"].decode().endswith(f".{operation}"):
            waiting.pop()()

    mturk.client("marketplace").meta.events.register("before-send.mturk", hook)


def test_a_payment_that_comes_after_its_bonus_was_given_up_is_booked_and_named(project, crowd):
    batch = published(project, writing(bonus_reserve_percent=Decimal(100)))
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    caps.raise_cap(batch, Decimal("20.00"), "For bonuses.", None)
    before = ledger_of(batch).spent_usd()
    bonus = ask(batch)

    def give_up():
        expire_claim(bonus)
        assert bonuses.give_up(Bonus.objects.get(pk=bonus.pk))

    during("SendBonus", give_up)
    bonuses.send()
    bonus.refresh_from_db()
    assert len(paid_there(crowd)) == 1
    assert (bonus.status, bonus.paid_at is not None) == (Bonus.Status.PAID_LATE, True)
    assert "when it was given up" in bonus.problem
    assert ledger_of(batch).spent_usd() - before == bonus.cost_usd
    assert sum(row.paid_usd for row in fair_pay.propose(batch).rows) == Decimal("0.60") + bonus.amount_usd
    ask(batch)  # giving it up had made room for the same again


def test_a_job_whose_claim_ran_out_before_the_call_sends_nothing(batch, crowd):
    bonus = ask(batch)
    claimed = bonuses._claim()
    expire_claim(bonus)
    assert bonuses.give_up(Bonus.objects.get(pk=bonus.pk))
    with pytest.raises(LostRace):
        bonuses._send(claimed)
    assert paid_there(crowd) == []
    assert Bonus.objects.get().status == Bonus.Status.GIVEN_UP


def test_giving_up_is_refused_where_a_job_took_the_bonus_during_the_look_up(batch, crowd):
    bonus = ask(batch)
    crowd.faults({"operation": "SendBonus", "fault": "error_500_before", "times": 1})
    with pytest.raises(mturk.Unavailable):
        bonuses.send()
    forget_claim(bonus)

    def send():
        expire_claim(bonus)
        assert bonuses.send() == 1

    during("ListBonusPayments", send)
    assert bonuses.give_up(Bonus.objects.get(pk=bonus.pk)) is False
    bonus.refresh_from_db()
    assert (bonus.status, len(paid_there(crowd))) == (Bonus.Status.PAID, 1)
    assert ledger_of(batch).filter(kind="bonus_free").count() == 1


@pytest.mark.slow
def test_a_bonus_given_up_while_its_reserve_is_freed_leaves_nothing_reserved(project, crowd):
    batch = published(project, writing(bonus_reserve_percent=Decimal(100)))
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    places = ledger_of(batch).for_places_usd()
    bonus = ask(batch)
    fund = ledger_of(batch).fund_left_usd()
    free = partial(ledger.release_fund, batch)
    freed, second, _ = at_once(free, free, lambda: bonuses.give_up(bonus))
    assert ledger_of(batch).reserved_usd() == places
    assert freed + second in {fund, fund + bonus.cost_usd}, "what was freed, as it was freed"
    assert ledger.release_fund(batch) == 0


def test_freeing_a_reserve_waits_for_a_bonus_that_is_being_given_up(project, crowd):
    batch = published(project, writing(bonus_reserve_percent=Decimal(100)))
    submit_one(crowd)
    syncing.sync("marketplace")
    approve(Assignment.objects.all())
    bonus = ask(batch)
    with transaction.atomic():
        assert bonuses.give_up(bonus)
        [blocked] = at_once(lambda: release_within(batch, "200ms"))
        assert isinstance(blocked, OperationalError), "else what is given back would stay reserved for ever"
    assert ledger.release_fund(batch) > 0
    assert ledger_of(batch).fund_left_usd() == 0


def release_within(batch, time):
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [time])
        return ledger.release_fund(batch)


@pytest.mark.slow
def test_two_jobs_at_once_pay_a_bonus_once(batch, crowd):
    ask(batch)
    at_once(*[bonuses.send] * 4)
    assert len(paid_there(crowd)) == 1
    assert ledger_of(batch).filter(kind="bonus").count() == 1


@pytest.mark.slow
def test_two_jobs_that_hold_the_same_bonus_pay_it_once(batch, crowd):
    bonus = ask(batch)
    claimed = bonuses._claim()
    forget_claim(bonus)  # the first job is slower than its claim
    again = bonuses._claim()
    done = at_once(lambda: bonuses._send(claimed), lambda: bonuses._send(again))
    assert [type(one) for one in done if isinstance(one, Exception)] == [LostRace], "the first has lost its claim"
    assert len(paid_there(crowd)) == 1
    assert ledger_of(batch).filter(kind="bonus").count() == 1


def test_the_sweep_takes_up_what_a_dead_job_left(batch, crowd, monkeypatch):
    queued = []
    bonus = ask(batch)
    bonuses._claim()
    monkeypatch.setattr(tasks.send_bonuses, "delay", lambda: queued.append(1))
    tasks.sweep()
    assert queued == []
    forget_claim(bonus)
    tasks.sweep()
    assert queued == [1]


def test_a_bonus_above_what_is_left_of_the_batchs_cap_is_refused(batch):
    left = caps.left_of_batch(batch)
    assert left == Decimal("1.40")
    with pytest.raises(caps.OverCap, match=r"costs \$1\.44; \$1\.40 is left of the batch's cap of \$5\.00"):
        ask(batch, "1.20")
    assert not Bonus.objects.exists()
    ask(batch, "1.16")  # 1.16 and a fee of 0.23


def test_a_bonus_above_what_is_left_of_the_projects_cap_is_refused(batch, project):
    project.spending_cap_usd = Decimal("4.00")
    project.save()
    with pytest.raises(caps.OverCap, match=r"\$0\.40 is left of the project's cap of \$4\.00"):
        ask(batch)
    ask(batch, "0.33")


def test_the_same_bonus_is_asked_for_once(batch):
    ask(batch)
    with pytest.raises(NotPayable, match="asked for before"):
        ask(batch)
    ask(batch, reason="Another reason.")


@pytest.mark.parametrize(
    ("amount", "reason", "sentence"),
    [
        ("0.00", REASON, "whole cents"),
        ("0.005", REASON, "whole cents"),
        ("10000.01", REASON, "whole cents"),
        ("0.10", "  ", "Give a reason"),
        ("0.10", "a\x00b", "Give a reason"),
        ("0.10", "a" * 4097, "Give a reason"),
    ],
)
def test_what_cannot_be_a_bonus_is_refused_in_words(batch, amount, reason, sentence):
    with pytest.raises(NotPayable, match=sentence):
        ask(batch, amount, reason)


def test_undecided_work_gets_no_bonus(project, crowd):
    batch = published(project)
    submit_one(crowd)
    syncing.sync("marketplace")
    with pytest.raises(NotPayable, match="not decided yet"):
        ask(batch)


def test_where_people_are_paid_the_total_is_typed(batch, crowd, settings):
    crowd.become_endpoint(settings, pays_people=True)
    with pytest.raises(NotPayable, match=r"total with fees, 0\.60"):
        ask(batch)
    ask(batch, confirmed_total_usd=Decimal("0.60"))


def test_a_cap_is_raised_by_somebody_for_a_reason(batch):
    user = make_user()
    caps.raise_cap(batch, Decimal("9.00"), "Fair pay.", user)
    raised = CapRaise.objects.latest("pk")
    assert (raised.from_usd, raised.to_usd, raised.why, raised.raised_by) == (5, 9, "Fair pay.", user)
    for to, why in [("9.00", "Again."), ("100.01", "Above the project's."), ("10.00", " ")]:
        with pytest.raises(caps.NotRaisable):
            caps.raise_cap(batch, Decimal(to), why, user)
    batch.refresh_from_db()
    assert batch.cap_usd == 9


def make_other_worker():
    from tests.annotation.factories import make_worker

    return make_worker()
