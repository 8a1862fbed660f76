"""Bonuses: who can be given one, what it costs, and that it is paid once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal

import pytest
from botocore.exceptions import ClientError
from django.db import IntegrityError, transaction

from marketplace.models import Bonus, LedgerEntry
from marketplace.services import money

from .conftest import turk_code
from .test_money import check_books

pytestmark = pytest.mark.slow


@pytest.fixture
def paid(new_requester):
    """A requester with ten dollars in the account."""
    return new_requester(funds="10.00")


def bonus_for(worker, assignment_id: str, **changes) -> dict:
    values = {"WorkerId": worker.worker_id, "AssignmentId": assignment_id, "BonusAmount": "0.50", "Reason": "Careful."}
    return values | changes


@pytest.fixture
def approved(paid, worker):
    """The id of an approved assignment: ten dollars less 12 cents."""
    assignment_id = worker.do(paid.hit())
    paid.mturk.approve_assignment(AssignmentId=assignment_id)
    return assignment_id


def test_a_bonus_costs_its_fee_and_is_listed(paid, worker, approved):
    paid.mturk.send_bonus(**bonus_for(worker, approved))
    assert paid.balance() == ("9.28", "0.00")
    (listed,) = paid.mturk.list_bonus_payments(AssignmentId=approved)["BonusPayments"]
    assert abs(listed.pop("GrantTime") - Bonus.objects.get().granted_at) < timedelta(milliseconds=1)
    assert listed == bonus_for(worker, approved)
    check_books()


@pytest.mark.parametrize(
    ("amount", "fee"), [("0.01", "0.01"), ("0.07", "0.01"), ("0.13", "0.03"), ("5", "1.00"), ("5000.00", "1000.00")]
)
def test_the_fee_is_a_fifth_and_at_least_a_cent(amount, fee):
    assert money.fee_of_bonus(Decimal(amount)) == Decimal(fee)


def test_a_bonus_that_cannot_be_paid_leaves_nothing_behind(paid, worker, approved):
    order = bonus_for(worker, approved, BonusAmount="8.24", UniqueRequestToken="t")
    assert turk_code(paid.refusal("send_bonus", **order)) == "InsufficientFunds"
    assert paid.mturk.list_bonus_payments(AssignmentId=approved)["BonusPayments"] == []
    paid.mturk.send_bonus(**order | {"BonusAmount": "8.23"})  # and 1.65: all that there is
    assert paid.balance() == ("0.00", "0.00")
    check_books()


def test_the_same_token_at_the_same_moment_pays_once(paid, worker, approved):
    def send(_):
        try:
            paid.mturk.send_bonus(**bonus_for(worker, approved, UniqueRequestToken="twice"))
        except ClientError as error:
            return error.response["Error"]["Code"]
        return "paid"

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(send, range(4)))
    assert outcomes == ["RequestError"] * 3 + ["paid"]
    assert paid.balance() == ("9.28", "0.00")
    check_books()


def test_the_database_refuses_to_pay_a_bonus_twice(paid, worker, approved):
    paid.mturk.send_bonus(**bonus_for(worker, approved))
    bonus = Bonus.objects.select_related("requester", "assignment").get()
    with pytest.raises(IntegrityError), transaction.atomic():
        money.pay_bonus(bonus)
    assert LedgerEntry.objects.filter(bonus=bonus).count() == 2


def test_the_assignment_must_be_of_that_worker_and_that_requester(paid, worker, approved, new_worker, new_requester):
    assert turk_code(paid.refusal("send_bonus", **bonus_for(new_worker(), approved))) == "InvalidParameterValue"
    stranger = new_requester(funds="10.00")
    assert turk_code(stranger.refusal("send_bonus", **bonus_for(worker, approved))) == "AssignmentDoesNotExist"
    assert turk_code(stranger.refusal("list_bonus_payments", AssignmentId=approved)) == "AssignmentDoesNotExist"
    paid.mturk.send_bonus(**bonus_for(worker, approved))


def test_the_list_is_of_a_hit_or_an_assignment_and_comes_in_pages(paid, new_worker):
    hit = paid.hit(MaxAssignments=3)
    for number in range(3):
        worker = new_worker()
        assignment_id = worker.do(hit)
        paid.mturk.approve_assignment(AssignmentId=assignment_id)
        paid.mturk.send_bonus(**bonus_for(worker, assignment_id, BonusAmount=f"0.0{number + 1}"))
    pages = paid.mturk.get_paginator("list_bonus_payments").paginate(HITId=hit["HITId"], MaxResults=2)
    assert [[row["BonusAmount"] for row in page["BonusPayments"]] for page in pages] == [["0.01", "0.02"], ["0.03"]]
    both = {"HITId": hit["HITId"], "AssignmentId": assignment_id}
    assert paid.mturk.list_bonus_payments(**both)["NumResults"] == 1
    assert turk_code(paid.refusal("list_bonus_payments")) == "InvalidParameterValue"
    assert turk_code(paid.refusal("list_bonus_payments", HITId="3NOTHERE")) == "HITDoesNotExist"


def test_in_the_sandbox_a_bonus_is_listed_and_nobody_is_charged(requester, worker):
    assignment_id = worker.do(requester.hit())
    requester.mturk.approve_assignment(AssignmentId=assignment_id)
    requester.mturk.send_bonus(**bonus_for(worker, assignment_id, BonusAmount="10000.00"))
    assert requester.mturk.list_bonus_payments(AssignmentId=assignment_id)["NumResults"] == 1
    assert requester.mturk.get_account_balance()["AvailableBalance"] == "10000.00"
    assert not LedgerEntry.objects.exists()


def test_the_worker_sees_the_bonus_with_its_reason_and_among_the_earnings(paid, worker, approved):
    paid.mturk.send_bonus(**bonus_for(worker, approved, Reason="Your <notes> helped."))
    page = worker.client.get("/tasks/").content.decode()
    assert 'data-bonus="0.50"' in page
    assert "“Your &lt;notes&gt; helped.”" in page
    earnings = worker.client.get("/earnings/").content.decode()
    assert 'data-total="bonus" data-usd="0.50"' in earnings
    assert ">$0.60</td>" in earnings  # this week's reward and bonus
