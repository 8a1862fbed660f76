"""Children, and what a killed supervisor leaves of them."""

import json
import os
import signal

import psutil
import pytest

from supervisor.processes import Child, ServerError, child_environment, end_leftovers, python_module, wait_until

pytestmark = pytest.mark.slow

SLEEP = ["sh", "-c", "sleep 600 & sleep 600"]


def alive(pid):
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


@pytest.fixture
def child(tmp_path):
    child = Child.start("sleeper", SLEEP, folder=tmp_path, env={})
    yield child
    child.kill()


def test_stopping_a_child_ends_all_that_it_started(child, tmp_path):
    wait_until(lambda: len(psutil.Process(child.pid).children()) == 2, child)
    grandchildren = psutil.Process(child.pid).children()
    child.stop()
    psutil.wait_procs(grandchildren, timeout=5)
    assert not child.is_running()
    assert [process for process in grandchildren if alive(process.pid)] == []
    assert list((tmp_path / "run").iterdir()) == []


def test_a_child_is_not_reached_by_ctrl_c_at_the_terminal(child):
    assert os.getpgid(child.pid) == child.pid != os.getpgid(0)


def test_a_child_that_ends_by_itself_is_named_with_its_log(tmp_path):
    child = Child.start("site", python_module("no_such_module"), folder=tmp_path, env={})
    with pytest.raises(ServerError, match=r"The site ended by itself \(exit code 1\); its log is .*logs/site.log"):
        wait_until(lambda: False, child)
    assert "no_such_module" in child.log.read_text()


def test_what_a_killed_supervisor_left_is_ended(holder, tmp_path):
    program = (
        "import sys; from pathlib import Path; from supervisor.processes import Child\n"
        "child = Child.start('left', ['sleep', '600'], folder=Path(sys.argv[1]), env={})\n"
        "print(child.pid, flush=True); sys.stdin.read()"
    )
    supervisor, pid = holder(program, tmp_path)
    supervisor.send_signal(signal.SIGKILL)
    supervisor.wait()
    assert alive(int(pid))
    assert end_leftovers(tmp_path) == ["left"]
    assert not alive(int(pid))
    assert end_leftovers(tmp_path) == []


def test_an_orphan_whose_leader_is_gone_is_ended_too(tmp_path):
    child = Child.start("leader", SLEEP, folder=tmp_path, env={})
    wait_until(lambda: len(psutil.Process(child.pid).children()) == 2, child)
    orphans = psutil.Process(child.pid).children()
    os.kill(child.pid, signal.SIGKILL)
    child._process.wait()
    assert end_leftovers(tmp_path) == ["leader"]
    assert [process for process in orphans if alive(process.pid)] == []


def test_a_stranger_who_got_the_number_of_a_child_is_left_alone(child, tmp_path):
    record = tmp_path / "elsewhere" / "run" / "site.json"
    record.parent.mkdir(parents=True)
    started = psutil.Process(child.pid).create_time()
    record.write_text(json.dumps({"pid": child.pid, "started": started - 100}))
    assert end_leftovers(tmp_path / "elsewhere") == []
    assert child.is_running()
    assert not record.exists()


def test_a_record_cut_short_is_no_hindrance(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "site.json").write_text('{"pid": 1')
    assert end_leftovers(tmp_path) == []


def test_a_child_inherits_nothing_that_would_lead_it_astray(monkeypatch):
    monkeypatch.setenv("AWS_PROFILE", "work")
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "config.settings.marketplace")
    monkeypatch.setenv("no_proxy", "example.org")
    monkeypatch.delenv("NO_PROXY", raising=False)
    environment = child_environment({"PLAIN_HTTP": "1"})
    assert "AWS_PROFILE" not in environment
    assert "DJANGO_SETTINGS_MODULE" not in environment
    assert environment["NO_PROXY"] == environment["no_proxy"] == "example.org,localhost,127.0.0.1"
    assert environment["PLAIN_HTTP"] == "1"
    assert environment["PATH"]
