"""What an operator types."""

import json
import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from marketplace import clock
from marketplace.models import HIT, Assignment, QualificationGrant, RequestToken, WorkerProfile

from .conftest import hook, id_in, mturk_client, submit


def run(capsys, *arguments) -> object:
    call_command(*arguments, "--json")
    return json.loads(capsys.readouterr().out)


def test_a_requester_is_made_once_and_can_call(capsys, site):
    made = run(capsys, "create_requester", "Reading Lab", "--funds", "12.50")
    client = mturk_client(site.url, made["access_key"], made["secret_key"])
    assert client.get_account_balance()["AvailableBalance"] == "12.50"
    assert run(capsys, "create_requester", "Reading Lab", "--funds", "12.50") == made
    assert client.get_account_balance()["AvailableBalance"] == "12.50"


def test_a_requesters_keys_can_be_chosen(capsys, site):
    keys = ("--access-key", "AKIACHOSEN", "--secret", "chosen secret")
    made = run(capsys, "create_requester", "Lab", "--sandbox", *keys)
    assert (made["access_key"], made["secret_key"], made["sandbox"]) == ("AKIACHOSEN", "chosen secret", True)
    assert run(capsys, "create_requester", "Lab", "--sandbox", *keys) == made
    client = mturk_client(site.url, "AKIACHOSEN", "chosen secret")
    assert client.get_account_balance()["AvailableBalance"] == "10000.00"


def test_requesters_are_told_apart_by_name_in_any_script(capsys):
    names = ["Lab", "lab", "実験室", "研究所", "!", "?"]
    keys = [run(capsys, "create_requester", name)["access_key"] for name in names]
    assert len(set(keys)) == len(names)
    assert [run(capsys, "create_requester", name)["access_key"] for name in names] == keys


@pytest.mark.parametrize("funds", ["lots", "-1", "1.005", "NaN", "Infinity"])
def test_funds_are_dollars_and_cents(funds):
    with pytest.raises(CommandError, match="--funds must be dollars and cents"):
        call_command("create_requester", "Lab", f"--funds={funds}")


def test_workers_are_made_once_and_can_sign_in(capsys):
    made = run(capsys, "create_workers", "--count", "3", "--standing", "approved=5000,percent=99,country=us")
    assert [row["username"] for row in made] == ["worker-1", "worker-2", "worker-3"]
    for row in made:
        assert Client().login(username=row["username"], password=row["password"])
    again = run(capsys, "create_workers", "--names", "worker-2, worker-9", "--password", "new pass")
    assert again[0]["worker_id"] == made[1]["worker_id"]
    assert Client().login(username="worker-2", password="new pass")
    assert Client().login(username="worker-1", password=made[0]["password"])
    assert WorkerProfile.objects.count() == 4
    assert QualificationGrant.objects.filter(country="US").count() == 3
    unchanged = run(capsys, "create_workers", "--names", "worker-2")
    assert unchanged[0]["password"] is None
    assert Client().login(username="worker-2", password="new pass")


def test_each_worker_made_is_a_line_of_its_own(capsys):
    call_command("create_workers", "--names", "ada,grace")
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["ada", "grace"]


@pytest.mark.parametrize(
    "standing", ["karma=3", "approved=many", "percent=101", "country=USA", "subdivision=PA", "approved=-1"]
)
def test_a_standing_that_makes_no_sense_makes_no_worker(standing):
    with pytest.raises(CommandError, match="--standing"):
        call_command("create_workers", "--count", "1", "--standing", standing)
    assert not WorkerProfile.objects.exists()


def test_no_workers_are_no_order():
    with pytest.raises(CommandError, match="how many workers"):
        call_command("create_workers", "--count", "0")


def test_tick_settles_what_nobody_looks_at(requester, worker, new_worker, pass_time, capsys):
    hit = requester.hit(requester.hit_type(AutoApprovalDelayInSeconds=60), MaxAssignments=3, UniqueRequestToken="t")
    worker.do(hit)
    new_worker().accept(hit)
    pass_time(7200)
    call_command("tick")
    assert "Settled as of" in capsys.readouterr().out
    assert sorted(Assignment.objects.values_list("status", flat=True)) == ["abandoned", "approved"]
    assert HIT.objects.get().open_places == 0
    assert RequestToken.objects.count() == 1
    pass_time(86400)
    assert run(capsys, "tick")["forgotten_tokens"] == 1


@pytest.mark.parametrize(("days", "is_disposed"), [(119, False), (121, True)])
def test_tick_disposes_hits_after_120_days(requester, worker, new_worker, pass_time, capsys, days, is_disposed):
    hit = requester.hit()
    HIT.objects.update(expires_at=clock.now() - timedelta(days=days), open_places=0)
    assert run(capsys, "tick")["disposed_hits"] == int(is_disposed)
    assert (requester.mturk.list_hits()["HITs"] == []) is is_disposed
    assert hit


def test_tick_keeps_an_old_hit_that_waits_for_a_decision(requester, worker, capsys):
    worker.do(requester.hit())
    HIT.objects.update(expires_at=clock.now() - timedelta(days=200), open_places=0)
    assert run(capsys, "tick")["disposed_hits"] == 0


def test_the_hooks_are_routed_only_where_they_are_asked_for():
    program = (
        "import django; django.setup()\n"
        "from django.test import Client\n"
        "names = ['requester', 'worker', 'clock', 'faults', 'rate']\n"
        "print([Client(headers={'host': '127.0.0.1'}).post(f'/_test/{name}').status_code for name in names])"
    )

    def statuses(hooks: str) -> str:
        env = os.environ | {"MARKETPLACE_TEST_HOOKS": hooks, "DJANGO_SETTINGS_MODULE": "config.settings.marketplace"}
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert statuses("0") == str([404] * 5)
    assert "404" not in statuses("1")


def test_a_botocore_without_the_service_stops_the_start_with_one_sentence(tmp_path):
    program = (
        "from botocore import loaders\n"
        "loaders.Loader.BUILTIN_DATA_PATH = '/nonexistent'\n"
        "loaders.Loader.CUSTOMER_DATA_PATH = '/nonexistent'\n"
        "import django; django.setup()"
    )
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings.marketplace"}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert "no longer describes the `mturk` service" in last
    assert "install boto3 1.44.8" in last


def test_the_clock_moves_and_is_put_right_again(requester, worker):
    address = worker.accept(requester.hit())
    assert hook("clock", advance_seconds=500)["offset_seconds"] == 500
    assert hook("clock", advance_seconds=500)["offset_seconds"] == 1000
    assert submit(id_in(address), q="a").status_code == 410
    assert hook("clock", reset=True)["offset_seconds"] == 0
    assert submit(id_in(address), q="a").status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("worker", {"standing": {"percent": 101}}),
        ("requester", {"funds": "much"}),
        ("clock", {}),
        ("faults", {"access_key": "AKIANOBODY", "next": []}),
        ("faults", {}),
    ],
)
def test_hooks_say_what_is_wrong(client, path, body):
    response = client.post(f"/_test/{path}", json.dumps(body), content_type="application/json")
    assert response.status_code == 400
    assert response.json()["error"]
