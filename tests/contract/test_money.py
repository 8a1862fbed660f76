"""What HITs and bonuses cost, and where the money is."""

import uuid

import pytest

from .conftest import external_question, message, turk_code
from .driver import id_of
from .facts import DOCS, INFERRED, MODEL, OURS, SEEN, cites

pytestmark = pytest.mark.slow

FACTS = "Money: fees, rounding, funds, bonuses"

FEES = [  # reward, assignments, all that is reserved
    ("0.10", 9, "1.08"),
    ("0.10", 10, "1.40"),
    ("0.02", 3, "0.09"),
    ("0.01", 12, "0.24"),
    ("0.13", 3, "0.48"),
    ("0.25", 12, "4.20"),
    ("1.00", 1, "1.20"),
]


@pytest.mark.parametrize(("reward", "assignments", "total"), FEES)
@cites("Pricing", "20 % of the reward, 40 % from 10 assignments on; to the cent, halves up; at least a cent", SEEN)
@cites("CreateHIT", "reward and fee of every place are set aside when the HIT is made", SEEN)
def test_a_hit_sets_reward_and_fee_aside(new_requester, reward, assignments, total):
    requester = new_requester(funds="10.00")
    requester.hit(requester.hit_type(Reward=reward), MaxAssignments=assignments)
    assert requester.balance() == (f"{10 - float(total):.2f}", total)


@cites("CreateHIT", "too little money: InsufficientFunds, and no HIT", SEEN)
@cites("CreateHIT", "This Requester has insufficient funds in their account", SEEN)
def test_a_hit_that_cannot_be_paid_is_not_made(new_requester):
    requester = new_requester(funds="1.00")
    call = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 60, "Question": external_question()}
    refusal = requester.refusal("create_hit_with_hit_type", **call, MaxAssignments=9)
    assert turk_code(refusal) == "InsufficientFunds"
    assert "This Requester has insufficient funds in their account" in message(refusal)
    assert requester.mturk.list_hits()["HITs"] == []
    assert requester.balance() == ("1.00", "0.00")
    requester.hit(MaxAssignments=8)
    assert requester.balance() == ("0.04", "0.96")


@cites("CreateHIT", "with prepaid money a thousand million assignments are too many", SEEN)
def test_a_thousand_million_assignments_cannot_be_paid(new_requester):
    requester = new_requester(funds="10.00")
    call = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 60, "Question": external_question()}
    code = requester.refused("create_hit_with_hit_type", **call, MaxAssignments=1_000_000_000)
    assert code == "InsufficientFunds"


@cites(
    "ApproveAssignment", "approval pays; rejection and expiry free what was set aside; an override needs it anew", SEEN
)
def test_money_follows_each_assignment(new_requester, new_worker):
    requester = new_requester(funds="1.00")
    hit = requester.hit(MaxAssignments=4)
    approved, rejected, waiting = (new_worker().do(hit) for _ in range(3))
    assert requester.balance() == ("0.52", "0.48")
    requester.mturk.approve_assignment(AssignmentId=approved)
    assert requester.balance() == ("0.52", "0.36")
    requester.mturk.reject_assignment(AssignmentId=rejected, RequesterFeedback="No")
    assert requester.balance() == ("0.64", "0.24")
    requester.expire(hit)
    assert requester.balance() == ("0.76", "0.12")
    requester.mturk.approve_assignment(AssignmentId=rejected, OverrideRejection=True)
    assert requester.balance() == ("0.64", "0.12")
    requester.mturk.reject_assignment(AssignmentId=waiting, RequesterFeedback="No")
    assert requester.balance() == ("0.76", "0.00")


@cites("CreateAdditionalAssignmentsForHIT", "added places need money, and so does extending", SEEN)
def test_adding_and_extending_need_funds(new_requester):
    requester = new_requester(funds="0.24")
    hit = requester.hit()
    more = {"HITId": hit["HITId"], "NumberOfAdditionalAssignments": 2}
    assert requester.refused("create_additional_assignments_for_hit", **more) == "InsufficientFunds"
    requester.mturk.create_additional_assignments_for_hit(**more | {"NumberOfAdditionalAssignments": 1})
    requester.expire(hit)
    assert requester.balance() == ("0.24", "0.00")
    requester.hit()
    extend = {"HITId": hit["HITId"], "ExpireAt": 4_000_000_000}
    assert requester.refused("update_expiration_for_hit", **extend) == "InsufficientFunds"
    assert requester.counters(hit) == ("Reviewable", 0, 0, 0)


@cites("UpdateHITTypeOfHIT", "another type costs what it costs; where it cannot be paid nothing changes", OURS)
def test_another_type_costs_what_it_costs(new_requester):
    requester = new_requester(funds="3.00")
    hit = requester.hit(MaxAssignments=2)
    change = {"HITId": hit["HITId"], "HITTypeId": requester.hit_type(Reward="1.00")}
    requester.mturk.update_hit_type_of_hit(**change)
    assert requester.balance() == ("0.60", "2.40")
    dearer = change | {"HITTypeId": requester.hit_type(Reward="5.00")}
    assert requester.refused("update_hit_type_of_hit", **dearer) == "InsufficientFunds"
    assert requester.balance() == ("0.60", "2.40")
    assert requester.see(hit)["Reward"] == "1.00"


@cites("GetAccountBalance", "the sandbox says 10000.00 whatever is spent", DOCS)
def test_the_sandbox_never_runs_out(requester, worker):
    if not requester.is_sandbox:
        pytest.skip("this account is no sandbox's")
    hit = requester.hit(requester.hit_type(Reward="10000.00"))
    requester.mturk.approve_assignment(AssignmentId=worker.do(hit))
    assert requester.mturk.get_account_balance()["AvailableBalance"] == "10000.00"


@pytest.fixture
def approved(requester, worker):
    """A bonus order for an approved assignment."""
    assignment_id = worker.do(requester.hit())
    requester.mturk.approve_assignment(AssignmentId=assignment_id)
    return {
        "WorkerId": worker.worker_id,
        "AssignmentId": assignment_id,
        "BonusAmount": "0.50",
        "Reason": "Careful.",
    }


@cites("ListBonusPayments", "worker, amount, assignment, reason and time of each bonus", MODEL)
def test_a_bonus_is_listed_by_assignment_and_by_hit(requester, approved):
    requester.mturk.send_bonus(**approved)
    hit_id = requester.mturk.get_assignment(AssignmentId=approved["AssignmentId"])["HIT"]["HITId"]
    for asked in ({"AssignmentId": approved["AssignmentId"]}, {"HITId": hit_id}):
        (listed,) = requester.mturk.list_bonus_payments(**asked)["BonusPayments"]
        assert listed.pop("GrantTime")
        assert listed == approved
    assert requester.refused("list_bonus_payments") == "InvalidParameterValue"


@cites("SendBonus", "a fee of 20 % on top, at least a cent, never a surcharge", SEEN)
@cites("SendBonus", "it fails where there is not enough for bonus and fee", MODEL)
def test_a_bonus_costs_its_fee(new_requester, new_worker):
    requester = new_requester(funds="2.00")
    hit = requester.hit(MaxAssignments=10)  # 1.40
    worker = new_worker()
    assignment_id = worker.do(hit)
    requester.mturk.approve_assignment(AssignmentId=assignment_id)
    order = {"WorkerId": worker.worker_id, "AssignmentId": assignment_id, "Reason": "Careful."}
    assert requester.refused("send_bonus", **order, BonusAmount="0.51") == "InsufficientFunds"
    requester.mturk.send_bonus(**order, BonusAmount="0.02")
    assert requester.balance()[0] == "0.57"
    requester.mturk.send_bonus(**order, BonusAmount="0.47")
    assert requester.balance()[0] == "0.01"


@cites("SendBonus", "a token pays once; the error of a repeat names the first request", MODEL)
@cites("SendBonus", "the message holds the word idempotency", SEEN)
def test_a_token_pays_once(requester, approved):
    order = approved | {"UniqueRequestToken": uuid.uuid4().hex}
    first = requester.mturk.send_bonus(**order)["ResponseMetadata"]["RequestId"]
    refusal = requester.refusal("send_bonus", **order)
    assert "idempotency" in message(refusal)
    assert first in message(refusal)
    assert requester.mturk.list_bonus_payments(AssignmentId=order["AssignmentId"])["NumResults"] == 1


@cites("SendBonus", "without a token each call pays", MODEL)
def test_without_a_token_each_call_pays(requester, approved):
    for _ in range(2):
        requester.mturk.send_bonus(**approved)
    assert requester.mturk.list_bonus_payments(AssignmentId=approved["AssignmentId"])["NumResults"] == 2


@cites("SendBonus", "the assignment must be decided, approved or rejected", SEEN)
def test_decided_work_can_be_given_a_bonus_and_undecided_work_cannot(requester, worker):
    hit = requester.hit()
    assignment_id = worker.do(hit)
    order = {
        "WorkerId": worker.worker_id,
        "AssignmentId": assignment_id,
        "BonusAmount": "0.05",
        "Reason": "For the time.",
    }
    assert requester.refused("send_bonus", **order) == "InvalidAssignmentState"
    requester.mturk.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="No")
    requester.mturk.send_bonus(**order)


@cites("SendBonus", "the assignment must be that worker's", DOCS)
@cites("SendBonus", "which error says so was never seen: InvalidParameterValue", OURS)
def test_a_bonus_is_for_the_worker_of_the_assignment(requester, new_worker, approved):
    other = approved | {"WorkerId": new_worker().worker_id}
    assert requester.refused("send_bonus", **other) == "InvalidParameterValue"
    assert requester.mturk.list_bonus_payments(AssignmentId=approved["AssignmentId"])["BonusPayments"] == []


@cites("SendBonus", "what is in hand, returned or unknown is no assignment to give a bonus for", INFERRED)
def test_a_bonus_needs_a_submission(requester, worker):
    held = worker.accept(requester.hit())
    order = {"WorkerId": worker.worker_id, "AssignmentId": id_of(held), "BonusAmount": "0.05", "Reason": "Hello."}
    assert requester.refused("send_bonus", **order) == "AssignmentDoesNotExist"
    assert requester.refused("send_bonus", **order | {"AssignmentId": "3NOTHERE"}) == "AssignmentDoesNotExist"


@cites("SendBonus", "within six months", DOCS)
@cites("SendBonus", "of the submission, 184 days", OURS)
def test_after_half_a_year_it_is_too_late(requester, approved, pass_time):
    pass_time(184 * 86400 - 300)
    requester.mturk.send_bonus(**approved)
    pass_time(300)
    assert requester.refused("send_bonus", **approved) == "InvalidAssignmentState"


@cites("SendBonus", "a deleted HIT's assignments can be given a bonus, and their bonuses listed", OURS)
def test_a_deleted_hit_costs_no_worker_their_bonus(requester, approved):
    hit_id = requester.mturk.get_assignment(AssignmentId=approved["AssignmentId"])["HIT"]["HITId"]
    requester.mturk.delete_hit(HITId=hit_id)
    requester.mturk.send_bonus(**approved)
    assert requester.mturk.list_bonus_payments(HITId=hit_id)["NumResults"] == 1


@pytest.mark.parametrize(
    "wrong",
    [{"BonusAmount": "0.005"}, {"BonusAmount": "-1"}, {"BonusAmount": "five"}, {"UniqueRequestToken": "t" * 65}],
    ids=str,
)
@cites("SendBonus", "money as everywhere; a token of 64 characters", MODEL)
def test_what_is_no_bonus_is_refused(requester, approved, wrong):
    refusal = requester.refusal("send_bonus", **approved | wrong)
    assert turk_code(refusal) == "InvalidParameterValue"
    assert next(iter(wrong)) in message(refusal)


@pytest.mark.parametrize(
    "wrong",
    [
        {"BonusAmount": "0"},
        {"BonusAmount": "10000.01"},
        {"BonusAmount": "1000000000"},
        {"Reason": " "},
        {"Reason": "r" * 4097},
        {"Reason": "bell \x07"},
    ],
    ids=lambda wrong: str(wrong)[:40],
)
@cites("SendBonus", "0.01 to 10000.00; a reason of 1 to 4096 characters: no limit of AWS's was found", OURS)
def test_a_bonus_has_bounds_and_a_reason(requester, approved, wrong):
    assert requester.refused("send_bonus", **approved | wrong) == "InvalidParameterValue"
    requester.mturk.send_bonus(**approved | {"Reason": "r" * 4096})
