"""The whole product as one stack: it starts, keeps its data, is repaired after a kill, and leaves nothing running."""

import http.client
import json
import signal

import boto3
import pytest

from supervisor.folders import AlreadyRunning
from supervisor.processes import ServerError
from supervisor.sites import Marketplace
from supervisor.stack import Stack
from tests.supervisor.conftest import processes_of

pytestmark = [pytest.mark.slow, pytest.mark.long]

RUNNING = (
    "import sys; from pathlib import Path; from supervisor.stack import Stack\n"
    "stack = Stack(Path(sys.argv[1])); stack.start(); print('running', flush=True); sys.stdin.read()"
)


def status(url, host=None):
    """The status of ``url``, asked for under the name ``host`` if that is another than its own."""
    address = url.removeprefix("http://")
    connection = http.client.HTTPConnection("127.0.0.1", int(address.rpartition(":")[2]), timeout=30)
    try:
        connection.request("GET", "/", headers={"Host": host or address})
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.fixture(scope="module")
def folder(open_folder):
    return open_folder / "stack"


def test_a_stack_answers_and_leaves_nothing_running(folder):
    with Stack(folder) as stack:
        assert status(stack.platform_url) < 500
        assert status(stack.marketplace_url) < 500
        # To a browser they are two sites, and each refuses the other's name.
        assert status(stack.platform_url, host="127.0.0.1") == 400
        assert status(stack.marketplace_url, host="localhost") == 400
        assert balance(stack) == "5000.00"
        (worker,) = stack.create_workers(["ada"], "secret")
        assert worker["username"] == "ada"
        stack.manage("create_project", "kept", "--name", "Kept")
        assert stack.env["RELEASES_DIR"].startswith(f"{folder.resolve()}/"), "so that a reset deletes releases too"
        stack.check()
        with pytest.raises(AlreadyRunning, match=stack.platform_url):
            Stack(folder).start()
        stack.check()
        assert processes_of(folder)
    assert processes_of(folder) == []


def test_a_killed_stack_is_repaired_with_its_data(folder, holder):
    supervisor, said = holder(RUNNING, folder)
    assert said == "running"
    supervisor.send_signal(signal.SIGKILL)
    supervisor.wait()
    assert len(processes_of(folder)) > 4
    lines = []
    with Stack(folder, say=lines.append) as stack:
        assert "Ended the platform that an earlier run left behind." in lines
        assert "Preparing both databases" not in lines
        assert "KEPT" in stack.manage("shell", "--verbosity", "0", "--command", SHOUT)
        assert status(stack.platform_url) < 500
        stack.worker.kill()
        with pytest.raises(ServerError, match=r"The worker ended by itself \(signal SIGKILL\)"):
            stack.check()
    assert processes_of(folder) == []


def test_a_stack_that_cannot_start_leaves_nothing_running(open_folder):
    stack = Stack(open_folder / "other", settings={"PLAIN_HTTP": "0"})
    with pytest.raises(ServerError, match=r"The platform's command migrate failed: .*must be an https address"), stack:
        pass
    assert processes_of(stack.folder) == []


@pytest.mark.parametrize(
    ("variable", "address", "sentence"),
    [
        ("REDIS_URL", "redis://:secret@127.0.0.1:1/0", "No Redis answers at REDIS_URL: .*refused"),
        ("DATABASE_URL", "postgres://me:secret@127.0.0.1:1/none", "The platform's command migrate failed: .*refused"),
    ],
)
def test_a_server_of_ones_own_that_does_not_answer_is_one_sentence(folder, variable, address, sentence):
    with pytest.raises(ServerError, match=sentence) as refused, Stack(folder, external={variable: address}):
        pass
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)
    assert processes_of(folder) == []


def test_a_marketplace_alone_serves_a_database_of_its_own(postgres, tmp_path):
    site = Marketplace.start(postgres, tmp_path, database="supervisor_marketplace")
    try:
        assert status(site.url) < 500
        made = json.loads(site.manage("create_requester", "Lab", "--sandbox", "--json"))
        assert made["sandbox"] is True
    finally:
        site.stop()
        postgres.drop_database("supervisor_marketplace")
    assert processes_of(tmp_path) == []


SHOUT = "from annotation.models import Project; print(Project.objects.get(slug='kept').name.upper())"


def balance(stack):
    client = boto3.client(
        "mturk",
        endpoint_url=stack.env["MTURK_ENDPOINT"],
        region_name=stack.env["AWS_DEFAULT_REGION"],
        aws_access_key_id=stack.env["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=stack.env["AWS_SECRET_ACCESS_KEY"],
    )
    return client.get_account_balance()["AvailableBalance"]
