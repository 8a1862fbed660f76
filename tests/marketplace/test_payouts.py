"""Payments due: what workers earned, paid out once, as a file to pay from."""

import csv
import html
import io
import json
import re
import uuid
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from marketplace import doors
from marketplace.models import LedgerEntry, OperatorAction, PaymentDetails, Payout, PayoutBatch, PayoutLine, User
from marketplace.services import accounts, payouts

from .conftest import Worker
from .test_operator import page
from .test_races import at_once

pytestmark = pytest.mark.slow

PATH = "/operator/payments/"


def earn(requester, worker, reward="1.50") -> str:
    """Do a HIT that is approved; the assignment's id."""
    done = worker.do(requester.hit(requester.hit_type(Reward=reward)))
    requester.mturk.approve_assignment(AssignmentId=done)
    return done


def tip(requester, worker, assignment_id, amount) -> None:
    requester.mturk.send_bonus(
        WorkerId=worker.worker_id, BonusAmount=amount, AssignmentId=assignment_id, Reason="Well done"
    )


@pytest.fixture
def paying(new_requester):
    return new_requester(funds="100.00", name="Reading Lab")


def try_to_make(operator, token=None):
    return operator.post(f"{PATH}new/", {"token": token or str(uuid.uuid4())})


def make(operator) -> PayoutBatch:
    answer = try_to_make(operator)
    assert answer.status_code == 302, answer.content.decode()
    return PayoutBatch.objects.latest("id")


def sentence_of(answer) -> str:
    assert answer.status_code == 400
    return html.unescape(answer.content.decode())


def rows_of(operator, batch) -> list[dict]:
    answer = operator.get(f"{PATH}{batch.pk}/payout.csv")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{batch.reference}.csv"'
    text = b"".join(answer.streaming_content).decode("utf-8")
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def settle(operator, batch, step, reason="Bank 4711"):
    return operator.post(f"{PATH}{batch.pk}/{step}/", {"reason": reason})


def amounts(worker) -> tuple[Decimal, Decimal, Decimal]:
    """Due, being paid, paid."""
    found = payouts.of_worker(worker.profile)
    return found.due_usd, found.coming_usd, found.paid_usd


def test_rewards_and_bonuses_are_due_and_stand_on_both_sides(operator, paying, worker):
    done = earn(paying, worker, "1.50")
    tip(paying, worker, done, "0.75")
    worker.do(paying.hit(paying.hit_type(Reward="9.00")))  # not decided on, so not due
    shown = page(operator, PATH)
    assert 'data-due="2.25"' in shown
    assert worker.worker_id in shown
    assert "$2.25 is due to 1 worker." in page(operator, "/operator/")
    mine = page(worker.client, "/earnings/")
    assert 'data-total="due" data-usd="2.25"' in mine
    assert "2.25" in page(operator, f"/operator/workers/{worker.worker_id}/")


def test_what_nobody_is_paid_for_is_not_due(operator, requester, worker):
    done = earn(requester, worker)
    tip(requester, worker, done, "1.00")
    assert "Nothing is due." in page(operator, PATH)
    assert "Make a payout" not in page(operator, PATH)
    assert "Nothing is due, so there is nothing to pay out." in sentence_of(try_to_make(operator))
    assert not PayoutBatch.objects.exists()


def test_a_payout_is_a_snapshot_of_what_is_due(operator, paying, worker, new_worker):
    other = new_worker()
    earn(paying, worker, "1.50")
    earn(paying, other, "2.00")
    earn(paying, other, "2.25")
    batch = make(operator)
    earn(paying, worker, "5.00")
    assert list(batch.payouts.order_by("number").values_list("worker", "amount_usd")) == [
        (worker.profile.pk, Decimal("1.50")),
        (other.profile.pk, Decimal("4.25")),
    ]
    assert amounts(worker) == (Decimal("5.00"), Decimal("1.50"), Decimal("0.00"))
    assert amounts(other) == (Decimal("0.00"), Decimal("4.25"), Decimal("0.00"))
    action = OperatorAction.objects.get()
    assert (action.action, action.detail) == ("make_payout", f"{batch.reference}, $5.75, 2")


def test_an_accountant_can_pay_from_the_file(operator, paying, worker, new_worker):
    other = new_worker()
    PaymentDetails.objects.create(
        worker=worker.profile, payee_name="Ada Lovelace", note="IBAN DE00\n1234", changed_at=worker.profile.created_at
    )
    earn(paying, worker, "1.50")
    earn(paying, other, "2.00")
    batch = make(operator)
    first, second, total = rows_of(operator, batch)
    day = f"{batch.made_at:%Y-%m-%d}"
    assert first == {
        "date": day,
        "payee": "Ada Lovelace",
        "how to pay": "IBAN DE00 1234",
        "user name": worker.profile.user.username,
        "worker id": worker.worker_id,
        "amount": "1.50",
        "currency": "USD",
        "reference": f"{batch.reference}-1",
        "missing": "",
    }
    assert (second["payee"], second["user name"]) == ("", other.profile.user.username)
    assert second["missing"] == "name of the payee, how to pay"
    assert (total["payee"], total["amount"], total["reference"]) == ("TOTAL", "3.50", batch.reference)
    assert OperatorAction.objects.filter(action="download_payout").count() == 1


def test_who_has_not_said_how_to_be_paid_is_named_before_the_file_is_made(operator, paying, new_worker):
    whole, half, none = (new_worker() for _ in range(3))
    for one, note in ((whole, "IBAN DE00"), (half, "")):
        one.client.post("/account/payment/", {"payee_name": "Ada Lovelace", "note": note})
    for one in (whole, half, none):
        earn(paying, one)
    shown = page(operator, PATH)
    assert "2 workers have not said how to be paid" in shown
    named = dict(re.findall(r'data-unpayable="(\w+)"><a [^>]+>[^<]+</a>: ([^<]+)<', shown))
    assert named == {half.worker_id: "how to pay", none.worker_id: "name of the payee, how to pay"}
    for one in (half, none):
        one.client.post("/account/payment/", {"payee_name": "Charles Babbage", "note": "IBAN DE01"})
    assert "not said how to be paid" not in page(operator, PATH)
    assert [row["missing"] for row in rows_of(operator, make(operator))] == ["", "", "", ""]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", " \n="])
def test_no_cell_of_the_file_is_a_formula(operator, paying, worker, start):
    evil = f'{start}cmd|" /C calc"!A0'
    PaymentDetails.objects.create(
        worker=worker.profile, payee_name=evil, note=evil, changed_at=worker.profile.created_at
    )
    User.objects.filter(pk=worker.profile.user_id).update(username=evil)
    earn(paying, worker)
    row = rows_of(operator, make(operator))[0]
    for column in ("payee", "how to pay", "user name"):
        assert row[column].startswith("'")
        assert 'cmd|" /C calc"!A0' in row[column]


def test_a_paid_payout_stays_paid(operator, paying, worker):
    earn(paying, worker)
    batch = make(operator)
    assert "1 payout is not marked paid yet." in page(operator, "/operator/")
    assert settle(operator, batch, "paid").status_code == 302
    assert amounts(worker) == (Decimal("0.00"), Decimal("0.00"), Decimal("1.50"))
    assert 'data-total="paid" data-usd="1.50"' in page(worker.client, "/earnings/")
    for step in ("paid", "cancel"):
        assert "This payout is paid already." in sentence_of(settle(operator, batch, step))
    assert "not marked paid" not in page(operator, "/operator/")
    assert "Mark it paid" not in page(operator, f"{PATH}{batch.pk}/")
    assert OperatorAction.objects.get(action="pay_payout").reason == "Bank 4711"


def test_a_cancelled_payout_makes_its_entries_due_again_for_another(operator, paying, worker):
    earn(paying, worker)
    first = make(operator)
    assert settle(operator, first, "cancel", "Wrong month").status_code == 302
    assert amounts(worker) == (Decimal("1.50"), Decimal("0.00"), Decimal("0.00"))
    assert "This payout is cancelled already." in sentence_of(settle(operator, first, "paid"))
    second = make(operator)
    assert settle(operator, second, "paid").status_code == 302
    assert amounts(worker) == (Decimal("0.00"), Decimal("0.00"), Decimal("1.50"))
    assert rows_of(operator, first)[0]["amount"] == "1.50"  # what it was stays to be seen


def test_settling_needs_words_for_the_log(operator, paying, worker):
    earn(paying, worker)
    batch = make(operator)
    for step in ("paid", "cancel"):
        assert "This field is required" in sentence_of(settle(operator, batch, step, ""))
    assert PayoutBatch.objects.get().status == "open"


def test_a_form_sent_twice_makes_one_payout(operator, paying, worker):
    earn(paying, worker)
    token = str(uuid.uuid4())
    assert try_to_make(operator, token).status_code == 302
    earn(paying, worker)
    assert "carried out already" in sentence_of(try_to_make(operator, token))
    assert PayoutBatch.objects.count() == 1
    assert amounts(worker)[0] == Decimal("1.50")
    assert "not one of this page" in sentence_of(try_to_make(operator, "x"))
    make(operator)


def test_a_ledger_entry_stands_in_one_payout_by_a_constraint(operator, paying, worker):
    earn(paying, worker)
    payout = make(operator).payouts.get()
    entry = LedgerEntry.objects.get(kind="reward")
    with pytest.raises(IntegrityError), transaction.atomic():
        PayoutLine.objects.create(payout=payout, entry=entry)


@pytest.mark.slow
def test_two_operators_who_pay_at_once_pay_each_entry_once(operator, paying, worker, new_worker):
    bea = Client()
    bea.force_login(accounts.create_operator("bea"))
    workers = [worker, new_worker(), new_worker()]
    for _ in range(3):
        for one in workers:
            earn(paying, one)
        answers = at_once(*[lambda browser=browser: try_to_make(browser) for browser in (operator, bea)])
        assert sorted(answer.status_code for answer in answers) == [302, 400]
        batch = PayoutBatch.objects.latest("id")
        steps = at_once(lambda: settle(operator, batch, "paid"), lambda: settle(bea, batch, "cancel"))  # noqa: B023
        assert sorted(step.status_code for step in steps) == [302, 400]
    stands = PayoutLine.objects.filter(stands=True).values_list("entry", flat=True)
    assert len(stands) == len(set(stands))
    earned = 9 * Decimal("1.50")
    due, coming, paid = map(sum, zip(*map(amounts, workers), strict=True))
    assert (due + paid, coming) == (earned, 0)


def test_workers_whom_a_panel_pays_are_in_no_payout(operator, paying, worker, new_worker, monkeypatch):
    class Panel(doors.Door):
        def paid_elsewhere(self, worker_ids):
            return {worker.profile.pk} & set(worker_ids)

    ours = new_worker()
    monkeypatch.setattr(doors, "DOORS", [*doors.DOORS, Panel()])
    earn(paying, worker)
    assert "Nothing is due" in sentence_of(try_to_make(operator))
    earn(paying, ours)
    assert worker.worker_id not in page(operator, PATH)
    batch = make(operator)
    assert [payout.worker_id for payout in batch.payouts.all()] == [ours.profile.pk]
    assert "are paid there for what you do here" in page(worker.client, "/earnings/")
    assert "are paid there for what you do here" not in page(ours.client, "/earnings/")


@pytest.mark.parametrize("step", ["", "payout.csv", "paid/", "cancel/"])
def test_a_payout_that_is_not_there(operator, step):
    for pk in ("1", "9" * 30):
        assert operator.get(f"{PATH}{pk}/{step}").status_code in (404, 405)
        assert operator.post(f"{PATH}{pk}/{step}", {"reason": "x"}).status_code in (404, 405)
    assert not OperatorAction.objects.exists()


def test_a_worker_says_how_to_be_paid_and_takes_it_back(operator, paying, worker):
    address = "/account/payment/"
    earn(paying, worker)
    for name in ("Ada Lovelace", "Ada King"):
        answer = worker.client.post(address, {"payee_name": name, "note": "IBAN DE00"})
        assert (answer.status_code, answer.url) == (302, "/earnings/")
        assert name in page(worker.client, address)
        assert name in page(operator, PATH)
    assert worker.client.post(address, {"payee_name": "", "note": ""}).status_code == 302
    assert "no name given" in page(operator, PATH)
    assert PaymentDetails.objects.count() == 1


def test_a_workers_own_data_tells_of_payments(operator, paying, worker, new_worker):
    for one in (worker, new_worker()):
        one.client.post("/account/payment/", {"payee_name": f"Payee {one.worker_id}", "note": "IBAN"})
        earn(paying, one)
    settle(operator, make(operator), "paid")
    found = json.loads(b"".join(worker.client.get("/account/data.json").streaming_content))
    assert [row["payee_name"] for row in found["payment_details"]] == [f"Payee {worker.worker_id}"]
    assert [(row["amount_usd"], row["state"]) for row in found["payouts"]] == [("1.50", "paid")]
    assert "/account/payment/" in page(worker.client, "/account/")


@pytest.mark.parametrize("wrong", [{"payee_name": "x" * 201}, {"note": "x" * 1001}, {"payee_name": "a\0b"}])
def test_payment_details_that_make_no_sense_are_not_kept(worker, wrong):
    answer = worker.client.post("/account/payment/", {"payee_name": "Ada", "note": ""} | wrong)
    assert answer.status_code == 400
    assert not PaymentDetails.objects.exists()


def test_one_workers_details_are_nobody_elses(worker, new_worker):
    worker.client.post("/account/payment/", {"payee_name": "Ada Lovelace", "note": ""})
    assert "Ada Lovelace" not in page(new_worker().client, "/account/payment/")


@pytest.mark.slow
def test_a_large_payout_comes_in_pages(operator, paying, new_worker):
    hit = paying.hit(paying.hit_type(Reward="0.01", AutoApprovalDelayInSeconds=0), MaxAssignments=60)
    for _ in range(52):
        Worker(new_worker().profile).do(hit)
    batch = make(operator)
    assert page(operator, f"{PATH}{batch.pk}/").count("data-worker-id") == 50
    assert page(operator, f"{PATH}{batch.pk}/?page=2").count("data-worker-id") == 2
    assert len(rows_of(operator, batch)) == 53
    assert Payout.objects.count() == 52
