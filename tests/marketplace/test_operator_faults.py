"""Faults on purpose, switched on and off on the operator's page."""

import html
import json

import pytest
from django.core.management import CommandError, call_command

from marketplace.models import Fault, OperatorAction

from .test_faults import outcomes
from .test_operator import page

PATH = "/operator/faults/"
ORDER = {"fault": "throttle", "operation": "*", "seconds": "2", "times": "", "percent": "100", "seed": ""}


def switch_on(operator, **changes) -> None:
    answer = operator.post(PATH, ORDER | changes)
    assert (answer.status_code, answer.url) == (302, PATH), answer.content.decode()


def test_a_fault_is_switched_on_for_one_requester_and_off_again(operator, requester, new_requester):
    other = new_requester()
    assert "on purpose is switched on" not in page(operator, "/operator/")
    switch_on(operator, requester=requester.customer_id)
    assert outcomes(requester, 3) == ["ThrottlingException"] * 3
    assert outcomes(other, 1) == ["ok"]
    for path in (PATH, "/operator/", "/operator/workers/"):
        assert "1 fault on purpose is switched on." in page(operator, path)
    assert operator.post(f"{PATH}{Fault.objects.get().pk}/off/").status_code == 302
    assert outcomes(requester, 1) == ["ok"]
    assert "on purpose is switched on" not in page(operator, "/operator/")
    actions = OperatorAction.objects.order_by("id")
    assert [row.action for row in actions] == ["order_fault", "stop_fault"]
    assert actions[0].detail.startswith("* throttle, ∞, 100 %, seed ")


def test_a_fault_for_everybody_and_one_operation(operator, requester):
    switch_on(operator, operation="GetAccountBalance", fault="error_500_before", times="1")
    assert outcomes(requester, 1) == ["ok"]
    assert requester.refusal("get_account_balance").response["Error"]["Code"] == "ServiceFault"
    assert requester.mturk.get_account_balance()
    assert "No fault is on" in page(operator, PATH)


def test_a_probability_and_a_seed_give_the_same_calls_again(operator, requester):
    runs = []
    for _ in range(2):
        switch_on(operator, percent="40", seed="12")
        runs.append(outcomes(requester, 12))
        operator.post(f"{PATH}off/")
    assert runs[0] == runs[1]
    assert set(runs[0]) == {"ok", "ThrottlingException"}


def test_all_are_switched_off_at_once(operator, requester):
    for kind in ("slow", "throttle", "notify_twice"):
        switch_on(operator, fault=kind)
    assert "3 faults on purpose are switched on." in page(operator, PATH)
    assert operator.post(f"{PATH}off/").status_code == 302
    assert outcomes(requester, 1) == ["ok"]
    assert OperatorAction.objects.filter(action="stop_fault").count() == 3


def test_requesters_who_pay_people_are_offered_only_where_the_settings_allow_it(operator, new_requester, settings):
    requester = new_requester(funds="1.00", name="Paying Lab")
    settings.MARKETPLACE_FAULTS = False
    shown = page(operator, PATH)
    assert "MARKETPLACE_FAULTS" in shown
    assert "Paying Lab" not in shown
    assert operator.post(PATH, ORDER | {"requester": requester.customer_id}).status_code == 400
    assert not Fault.objects.exists()
    settings.MARKETPLACE_FAULTS = True
    assert "Paying Lab" in page(operator, PATH)
    switch_on(operator, requester=requester.customer_id)
    assert outcomes(requester, 1) == ["ThrottlingException"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"fault": "flood"},
        {"operation": "Dance"},
        {"requester": "ANOBODY"},
        {"requester": "\0"},
        {"seconds": "51"},
        {"seconds": "nan"},
        {"times": "0"},
        {"times": "9" * 12},
        {"percent": "0"},
        {"percent": "101"},
        {"seed": "x"},
        {"seed": "-1"},
        {"fault": "notify_twice", "operation": "CreateHIT"},
    ],
)
def test_a_fault_that_makes_no_sense_is_not_switched_on(operator, requester, wrong):
    answer = operator.post(PATH, ORDER | wrong)
    assert answer.status_code == 400
    assert 'class="wrong"' in html.unescape(answer.content.decode()) or "notice error" in answer.content.decode()
    assert not Fault.objects.exists()


@pytest.mark.parametrize("pk", ["0", "9" * 30])
def test_a_fault_that_is_not_there_cannot_be_switched_off(operator, pk):
    assert operator.post(f"{PATH}{pk}/off/").status_code == 404


def listed(capsys, *arguments) -> list[dict]:
    call_command("order_fault", *arguments, "--json")
    return json.loads(capsys.readouterr().out)


def test_a_script_switches_faults_on_and_off(requester, new_requester, capsys):
    other = new_requester(name="Vision Lab")
    (fault,) = listed(capsys, "throttle", "--requester", "Vision Lab", "--times", "2")
    assert (fault["fault"], fault["requester"], fault["times"]) == ("throttle", "Vision Lab", 2)
    assert outcomes(requester, 1) == ["ok"]
    assert outcomes(other, 3) == ["ThrottlingException"] * 2 + ["ok"]
    assert listed(capsys) == []
    assert len(listed(capsys, "error_500_before")) == 1
    assert outcomes(requester, 1) == outcomes(other, 1) == ["ServiceFault"]
    assert listed(capsys, "--off") == []
    assert outcomes(requester, 1) == ["ok"]
    call_command("order_fault")
    assert "No fault is on." in capsys.readouterr().out


def test_a_script_does_no_more_than_the_page(new_requester, settings):
    settings.MARKETPLACE_FAULTS = False
    new_requester(funds="1.00", name="Paying Lab")
    for wrong, sentence in (
        (["--requester", "Paying Lab"], "MARKETPLACE_FAULTS"),
        (["--requester", "Nobody"], "no requester called"),
        (["--probability", "2"], "probability must be"),
        (["--seconds", "nan"], "seconds must be"),
    ):
        with pytest.raises(CommandError, match=sentence):
            call_command("order_fault", "throttle", *wrong)
    assert not Fault.objects.exists()
