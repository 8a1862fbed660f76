"""Faults on purpose: which calls they meet, how often, and whom they may never meet."""

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from marketplace.models import Fault, RequesterProfile
from marketplace.services import faults

from .conftest import hook, mturk_client, turk_code
from .test_races import at_once

pytestmark = pytest.mark.slow


def order(requester, *orders) -> None:
    hook("faults", access_key=requester.access_key, next=list(orders))


def outcomes(requester, calls: int) -> list[str]:
    """What each of so many calls comes to: ``ok`` or the error's code."""
    return [outcome(requester.mturk.list_hits) for _ in range(calls)]


def outcome(call) -> str:
    try:
        call()
    except ClientError as error:
        return error.response["Error"]["Code"]
    return "ok"


def test_a_fault_of_three_times_meets_three_calls(requester):
    order(requester, {"fault": "throttle", "times": 3})
    assert outcomes(requester, 5) == ["ThrottlingException"] * 3 + ["ok"] * 2


def test_a_fault_without_a_number_stays_until_it_is_switched_off(requester):
    order(requester, {"fault": "error_500_before", "times": None})
    assert outcomes(requester, 5) == ["ServiceFault"] * 5
    order(requester)
    assert outcomes(requester, 2) == ["ok"] * 2


def test_a_fault_of_one_operation_leaves_the_others_alone(requester):
    order(requester, {"operation": "GetAccountBalance", "fault": "throttle", "times": None})
    assert outcome(requester.mturk.list_hits) == "ok"
    assert outcome(requester.mturk.get_account_balance) == "ThrottlingException"


def test_calls_fail_with_a_probability_and_the_same_way_for_the_same_seed(requester, new_requester):
    chance = {"fault": ["throttle", "error_500_before"], "probability": 0.4}
    order(requester, chance | {"seed": 7})
    first = outcomes(requester, 16)
    assert set(first) == {"ok", "ThrottlingException", "ServiceFault"}
    other = new_requester()
    order(other, chance | {"seed": 7})
    assert outcomes(other, 16) == first
    order(other, chance | {"seed": 8})
    assert outcomes(other, 16) != first


def test_a_probability_of_a_fifth_is_met_by_a_fifth(requester):
    fault = faults.fault_from({"fault": "throttle", "probability": 0.2, "seed": 7})
    met = 0
    for fault.draws in range(2000):
        met += fault.drawn() is not None
    assert 340 <= met <= 460  # three standard deviations around 400, and the same in every run


def test_eight_callers_at_once_share_three_faults(requester):
    order(requester, {"fault": "throttle", "times": 3})
    results = at_once(*[lambda: outcome(requester.mturk.list_hits)] * 8)
    assert sorted(results) == ["ThrottlingException"] * 3 + ["ok"] * 5
    assert outcomes(requester, 1) == ["ok"]


def test_a_fault_of_one_requester_does_not_meet_another(requester, new_requester):
    other = new_requester()
    order(requester, {"fault": "throttle", "times": None})
    assert outcomes(other, 1) == ["ok"]


def test_a_fault_for_everybody_meets_those_who_come_later_too(requester, new_requester):
    faults.order(None, [faults.fault_from({"fault": "throttle", "times": None})])
    assert outcomes(requester, 1) == outcomes(new_requester(), 1) == ["ThrottlingException"]
    Fault.objects.all().delete()
    assert outcomes(requester, 1) == ["ok"]


def test_the_connection_is_dropped_before_anything_is_done(gunicorn_site, requester):
    order(requester, {"operation": "CreateHITType", "fault": "drop_before"})
    client = mturk_client(gunicorn_site, requester.access_key, requester.secret_key)
    values = {"Title": "t", "Description": "d", "Reward": "0.10", "AssignmentDurationInSeconds": 60}
    with pytest.raises(ConnectionClosedError):
        client.create_hit_type(**values)
    assert not RequesterProfile.objects.get().hit_types.exists()
    assert client.create_hit_type(**values)["HITTypeId"]


def test_a_new_hit_is_not_to_be_seen_for_a_while(requester, pass_time):
    hit = requester.hit()
    order(requester, {"fault": "hide_new", "seconds": 30, "times": None})
    assert turk_code(requester.refusal("get_hit", HITId=hit["HITId"])) == "HITDoesNotExist"
    assert requester.mturk.list_hits()["HITs"] == []
    pass_time(31)
    assert requester.see(hit)["HITId"] == hit["HITId"]
    assert len(requester.mturk.list_hits()["HITs"]) == 1


def test_a_submission_is_not_to_be_seen_or_decided_on_for_a_while(requester, worker, pass_time):
    hit = requester.hit()
    pass_time(60)
    assignment = {"AssignmentId": worker.do(hit)}
    order(requester, {"fault": "hide_new", "seconds": 30, "times": None})
    assert requester.submitted(hit) == []
    assert turk_code(requester.refusal("get_assignment", **assignment)) == "InvalidAssignmentState"
    for operation, feedback in (("approve_assignment", {}), ("reject_assignment", {"RequesterFeedback": "No"})):
        refusal = requester.refusal(operation, **assignment, **feedback)
        assert "This operation can be called with a status of: null" in str(refusal)
    pass_time(31)
    assert [row["AssignmentId"] for row in requester.submitted(hit)] == [assignment["AssignmentId"]]
    requester.mturk.approve_assignment(**assignment)


def test_deliveries_meet_their_own_faults_and_calls_never_do(requester):
    order(requester, {"fault": "notify_twice", "times": 1}, {"fault": "notify_out_of_order", "times": 1})
    assert outcomes(requester, 2) == ["ok"] * 2
    profile = RequesterProfile.objects.get()
    met = [faults.next_for_delivery(profile) for _ in range(3)]
    assert [one and one.kind for one in met] == ["notify_twice", "notify_out_of_order", None]


def test_a_requester_who_pays_people_meets_no_fault_unless_the_settings_allow_it(new_requester, settings):
    requester = new_requester(funds="1.00")
    order(requester, {"fault": "throttle", "times": None})
    assert outcomes(requester, 1) == ["ThrottlingException"]
    settings.MARKETPLACE_FAULTS = False
    assert outcomes(requester, 1) == ["ok"]
    answer = Client().post(
        "/_test/faults",
        {"access_key": requester.access_key, "next": [{"fault": "throttle"}]},
        content_type="application/json",
    )
    assert answer.status_code == 400
    assert "MARKETPLACE_FAULTS" in answer.json()["error"]


def test_faults_for_everybody_spare_those_who_pay_people(new_requester, settings):
    settings.MARKETPLACE_FAULTS = False
    paying, playing = new_requester(funds="1.00"), new_requester()
    faults.order(None, [faults.fault_from({"fault": "throttle", "times": None})])
    assert outcomes(paying, 1) == ["ok"]
    assert outcomes(playing, 1) == ["ThrottlingException"]


def queries_of(requester) -> int:
    """How many statements one call costs, the server being in this process."""
    with CaptureQueriesContext(connection) as caught:
        profile = RequesterProfile.objects.get(customer_id=requester.customer_id)
        faults.next_for(profile, "ListHITs")
    return len(caught) - 1


def test_faults_cost_nothing_where_there_are_none_and_nothing_again_once_they_are_used_up(requester):
    assert queries_of(requester) == 0
    order(requester, {"fault": "throttle", "times": 1})
    assert queries_of(requester) > 0
    queries_of(requester)  # finds nothing left, and says so on the row
    assert queries_of(requester) == 0
    order(requester, {"fault": "throttle", "times": 1})
    assert outcomes(requester, 2) == ["ThrottlingException", "ok"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"fault": "flood"},
        {"fault": []},
        {"fault": ["notify_twice"]},
        {"fault": ["any"]},
        {"fault": 3},
        {},
        {"fault": "slow", "seconds": -1},
        {"fault": "slow", "seconds": 51},
        {"fault": "slow", "seconds": float("nan")},
        {"fault": "slow", "times": -1},
        {"fault": "slow", "times": 2**31},
        {"fault": "slow", "times": "many"},
        {"fault": "slow", "probability": 0},
        {"fault": "slow", "probability": 1.5},
        {"fault": "slow", "operation": "Create HIT\0"},
        {"fault": "notify_twice", "operation": "CreateHIT"},
        {"fault": "slow", "seed": "x"},
    ],
)
def test_an_order_that_makes_no_sense_is_refused_and_the_old_ones_stay(requester, wrong):
    order(requester, {"fault": "throttle", "times": None})
    answer = Client().post(
        "/_test/faults", {"access_key": requester.access_key, "next": [wrong]}, content_type="application/json"
    )
    assert answer.status_code == 400
    assert outcomes(requester, 1) == ["ThrottlingException"]
