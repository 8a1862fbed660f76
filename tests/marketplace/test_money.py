"""What a HIT costs, and where a requester's money is."""

import json
from decimal import Decimal

import pytest
from django.db.models import Sum

from marketplace.models import LedgerEntry, RequesterProfile
from marketplace.services import money

from .conftest import question, turk_code

pytestmark = pytest.mark.slow

FEES = [  # reward, assignments, fee for each, total, in cents: as in the case
    (10, 9, 2, 108),
    (10, 10, 4, 140),
    (2, 3, 1, 9),
    (1, 1, 1, 2),
    (1, 12, 1, 24),
    (13, 3, 3, 48),
    (25, 12, 10, 420),
    (7, 5, 1, 40),
    (100, 1, 20, 120),
]


@pytest.mark.parametrize(("reward", "assignments", "fee", "total"), FEES)
def test_a_hit_reserves_reward_and_fee_to_the_cent(new_requester, reward, assignments, fee, total):
    requester = new_requester(funds="10.00")
    assert money.fee_per_assignment(Decimal(reward) / 100, assignments) == Decimal(fee) / 100
    requester.hit(requester.hit_type(Reward=f"{reward / 100:.2f}"), MaxAssignments=assignments)
    assert requester.balance() == (f"{10 - total / 100:.2f}", f"{total / 100:.2f}")


def test_the_table_is_the_cases(shared_dir):
    rows = json.loads((shared_dir / "cases" / "s14_fees.json").read_text())
    names = ("reward_cents", "max_assignments", "fee_cents_each", "total_cents")
    assert [tuple(row[name] for name in names) for row in rows] == FEES


def test_40_hits_of_3_at_12_cents_cost_16_80(new_requester):
    requester = new_requester(funds="16.80")
    hit_type = requester.hit_type(Reward="0.12")
    for _ in range(40):
        requester.hit(hit_type, MaxAssignments=3)
    assert requester.balance() == ("0.00", "16.80")
    values = {"HITTypeId": hit_type, "LifetimeInSeconds": 60, "Question": question()}
    refusal = requester.refusal("create_hit_with_hit_type", **values)
    assert turk_code(refusal) == "InsufficientFunds"
    assert "This Requester has insufficient funds in their account to complete this transaction." in str(refusal)
    assert len(requester.mturk.list_hits(MaxResults=100)["HITs"]) == 40


def test_money_goes_to_approved_work_and_back_from_rejected_and_unused_places(new_requester, new_worker):
    requester = new_requester(funds="1.00")
    hit = requester.hit(MaxAssignments=4)  # 0.12 each
    approved, rejected, waiting = (new_worker().do(hit) for _ in range(3))
    assert requester.balance() == ("0.52", "0.48")
    requester.mturk.approve_assignment(AssignmentId=approved)
    assert requester.balance() == ("0.52", "0.36")
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="No")
    assert requester.balance() == ("0.64", "0.24")
    requester.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
    assert requester.balance() == ("0.76", "0.12")
    requester.mturk.approve_assignment(AssignmentId=rejected, OverrideRejection=True)
    assert requester.balance() == ("0.64", "0.12")
    requester.mturk.reject_assignment(AssignmentId=waiting, RequesterFeedback="No")
    assert requester.balance() == ("0.76", "0.00")
    check_books()


def test_an_override_that_cannot_be_paid_changes_nothing(new_requester, worker):
    requester = new_requester(funds="0.12")
    assignment_id = worker.do(requester.hit())
    requester.mturk.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="No")
    requester.hit()
    override = {"AssignmentId": assignment_id, "OverrideRejection": True}
    assert turk_code(requester.refusal("approve_assignment", **override)) == "InsufficientFunds"
    assert requester.mturk.get_assignment(AssignmentId=assignment_id)["Assignment"]["AssignmentStatus"] == "Rejected"
    check_books()


def test_extending_and_adding_need_funds(new_requester, pass_time):
    requester = new_requester(funds="0.24")
    hit = requester.hit()
    more = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": 2}
    assert turk_code(requester.refusal("create_additional_assignments_for_hit", **more)) == "InsufficientFunds"
    requester.mturk.create_additional_assignments_for_hit(**more | {"NumberOfAdditionalAssignments": 1})
    pass_time(3600)
    assert requester.balance() == ("0.24", "0.00")
    requester.hit()
    extend = {"HITId": hit["HITId"], "ExpireAt": 4_000_000_000}
    assert turk_code(requester.refusal("update_expiration_for_hit", **extend)) == "InsufficientFunds"
    assert requester.counters(hit) == ("Reviewable", 0, 0, 0)
    check_books()


def test_the_timer_pays(new_requester, worker, pass_time):
    requester = new_requester(funds="1.00")
    worker.do(requester.hit(requester.hit_type(AutoApprovalDelayInSeconds=60)))
    pass_time(60)
    assert requester.balance() == ("0.88", "0.00")
    check_books()


def test_the_sandbox_pays_nobody_and_never_runs_out(requester, worker):
    hit = requester.hit(requester.hit_type(Reward="10000.00"), MaxAssignments=1_000_000_000)
    requester.mturk.approve_assignment(AssignmentId=worker.do(hit))
    assert requester.mturk.get_account_balance()["AvailableBalance"] == "10000.00"
    assert not LedgerEntry.objects.exists()


def test_ledger_entries_are_only_added(new_requester):
    new_requester(funds="1.00")
    entry = LedgerEntry.objects.get()
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()


def check_books() -> None:
    """Every balance is what its ledger adds up to."""
    for requester in RequesterProfile.objects.filter(pays_nobody=False):
        rows = requester.ledger.values_list("kind").annotate(Sum("amount_usd")).order_by()
        sums = {kind: Decimal(0) for kind in LedgerEntry.Kind.values} | dict(rows)
        bonuses = sums["bonus"] + sums["bonus_fee"]
        assert requester.available_usd == sums["funds"] - sums["reserve"] + sums["release"] - bonuses
        assert requester.held_usd == sums["reserve"] - sums["release"] - sums["reward"] - sums["fee"]
