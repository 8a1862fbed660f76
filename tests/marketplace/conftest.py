"""The marketplace through its real doors: boto3 against a live server, and the workers' pages."""

import itertools
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import setup_databases, teardown_databases
from pytest_django.live_server_helper import LiveServer

from marketplace import clock, questions
from marketplace.models import QualificationType, WorkerProfile
from marketplace.services import accounts
from supervisor.ports import free_port
from tests import databases
from tests.environment import ROOT

PAGE = "http://requester.example/task?batch=7&kind=write"
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker, django_db_modify_db_settings):
    """One migrated database for the run. (pytest-django's own makes one only for tests that are marked.)"""
    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False)
        yield
        databases.end_other_sessions()
        teardown_databases(made, verbosity=0)


@pytest.fixture(scope="session")
def site(django_db_setup, django_db_blocker):
    """The marketplace behind a real port, on 127.0.0.1, for the whole run."""
    with django_db_blocker.unblock():
        server = LiveServer("127.0.0.1")
        yield server
        server.stop()


@pytest.fixture(scope="session")
def gunicorn(django_db_setup, postgres, tmp_path_factory):
    """The same marketplace under gunicorn, with the access log on: its address, and the file that it logs to."""
    port = free_port()
    env = os.environ | {"MARKETPLACE_DATABASE_URL": postgres.url(connection.settings_dict["NAME"])}
    command = [sys.executable, "-m", "gunicorn", "--config", str(ROOT / "config" / "gunicorn.py"), "--workers", "1"]
    command += ["--bind", f"127.0.0.1:{port}", "--access-logfile", "-"]
    log = (tmp_path_factory.mktemp("gunicorn") / "log").open("w")
    process = subprocess.Popen([*command, "config.wsgi_marketplace"], env=env, cwd=ROOT, stdout=log, stderr=log)
    try:
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/")
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}", Path(log.name)
    finally:
        process.terminate()
        process.wait()
        log.close()


@pytest.fixture(scope="session")
def gunicorn_site(gunicorn) -> str:
    """Its address, where it matters which server closes a connection."""
    return gunicorn[0]


@pytest.fixture(autouse=True)
def _rows(django_db_setup, django_db_blocker):
    """Real commits, as threads and the live server need; the rows are deleted afterwards, the system's types kept."""
    with django_db_blocker.unblock():
        yield
        with connection.cursor() as cursor:
            cursor.execute(clean_up())


def clean_up() -> str:
    """SQL that deletes every row of the marketplace but the system's own qualification types, in whatever order."""
    tables = {
        model._meta.db_table
        for model in apps.get_models()
        if model._meta.app_config.name.split(".")[0] in ("marketplace", "axes")
    }
    tables |= {Session._meta.db_table}
    kept = {QualificationType._meta.db_table: " WHERE requester_id IS NOT NULL"}
    deletions = "".join(f"DELETE FROM {table}{kept.get(table, '')};" for table in sorted(tables))  # noqa: S608
    # As a replica, PostgreSQL checks no foreign keys and fires no triggers.
    return f"SET session_replication_role = replica; {deletions} SET session_replication_role = DEFAULT;"


def question(url: str = PAGE, height: int | str = 0) -> str:
    escaped = url.replace("&", "&amp;")
    return (
        f'<ExternalQuestion xmlns="{questions.EXTERNAL}"><ExternalURL>{escaped}</ExternalURL>'
        f"<FrameHeight>{height}</FrameHeight></ExternalQuestion>"
    )


def hook(path: str, **body) -> dict:
    response = Client().post(f"/_test/{path}", json.dumps(body), content_type="application/json")
    assert response.status_code == 200, response.content
    return response.json()


def turk_code(error: ClientError) -> str:
    """The part of the Turk error code that tells errors apart."""
    return error.response["TurkErrorCode"].removeprefix("AWS.MechanicalTurk.")


@dataclass
class Requester:
    """A fresh account and a boto3 client for it."""

    mturk: object
    access_key: str
    secret_key: str
    customer_id: str

    def hit_type(self, **changes) -> str:
        values = {
            "Title": f"Write questions {next(_numbers)}",
            "Description": "Read a paragraph and ask about it.",
            "Reward": "0.10",
            "AssignmentDurationInSeconds": 600,
        }
        return self.mturk.create_hit_type(**values | changes)["HITTypeId"]

    def hit(self, hit_type: str | None = None, **changes) -> dict:
        values = {"HITTypeId": hit_type or self.hit_type(), "LifetimeInSeconds": 3600, "Question": question()}
        return self.mturk.create_hit_with_hit_type(**values | changes)["HIT"]

    def see(self, hit: dict) -> dict:
        return self.mturk.get_hit(HITId=hit["HITId"])["HIT"]

    def counters(self, hit: dict) -> tuple[str, int, int, int]:
        """Status, available, pending, completed."""
        seen = self.see(hit)
        counted = (seen[f"NumberOfAssignments{name}"] for name in ("Available", "Pending", "Completed"))
        return seen["HITStatus"], *counted

    def submitted(self, hit: dict, **filters) -> list[dict]:
        return self.mturk.list_assignments_for_hit(HITId=hit["HITId"], MaxResults=100, **filters)["Assignments"]

    def balance(self) -> tuple[str, str]:
        balance = self.mturk.get_account_balance()
        return balance["AvailableBalance"], balance["OnHoldBalance"]

    def refusal(self, operation: str, **params) -> ClientError:
        """The error that the call must meet."""
        with pytest.raises(ClientError) as caught:
            getattr(self.mturk, operation)(**params)
        return caught.value


def mturk_client(url: str, access_key: str, secret_key: str, **config):
    """boto3 as people use it, but for: one attempt, and nothing checked on our side of the wire."""
    settings = {"retries": {"total_max_attempts": 1}, "parameter_validation": False, "read_timeout": 20} | config
    return boto3.client(
        "mturk",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id=access_key,
        aws_secret_access_key=secret_key,
        config=Config(**settings),
    )


@pytest.fixture
def new_requester(site, settings):
    """Make a requester: ``new_requester()`` as in the sandbox, ``new_requester(funds="5.00")`` with prepaid money."""
    settings.MARKETPLACE_URL = site.url

    def make(**body) -> Requester:
        account = hook("requester", **body)
        client = mturk_client(site.url, account["access_key"], account["secret_key"])
        return Requester(client, account["access_key"], account["secret_key"], account["customer_id"])

    return make


@pytest.fixture
def requester(new_requester) -> Requester:
    return new_requester()


class Worker:
    """A signed-in worker and what they do with the site's pages."""

    def __init__(self, profile: WorkerProfile):
        self.profile = profile
        self.worker_id = profile.worker_id
        self.client = Client()
        self.client.force_login(profile.user)

    def groups(self, **query) -> list[str]:
        """HITTypeIds of the groups on the list."""
        page = self.client.get("/projects/", query).content.decode()
        return re.findall(r'data-hit-type-id="(\w+)"', page)

    def try_accept(self, hit: dict):
        return self.client.post(f"/projects/{hit['HITGroupId']}/tasks/accept_random")

    def accept(self, hit: dict) -> str:
        """Accept some HIT of the group; the working page's address."""
        response = self.try_accept(hit)
        assert response.status_code == 302, response.content
        return response.url

    def give_back(self, address: str):
        return self.client.post(address)

    def do(self, hit: dict, **fields) -> str:
        """Accept and submit; the assignment's id."""
        assignment_id = id_in(self.accept(hit))
        response = submit(assignment_id, **fields or {"q1": "Who?"})
        assert response.status_code == 200
        return assignment_id


def id_in(address: str) -> str:
    return re.search(r"assignment_id=(\w+)", address)[1]


def submit(assignment_id: str, **fields):
    """What the browser sends from the frame: no cookie, no token, another site's origin."""
    return Client(enforce_csrf_checks=True).post(
        "/mturk/externalSubmit", {"assignmentId": assignment_id, **fields}, headers={"Origin": "null"}
    )


@pytest.fixture
def new_worker():
    def make(**standing) -> Worker:
        profile = accounts.create_worker(f"worker-{next(_numbers)}", clock.now(), password="pass word")
        accounts.set_standing(profile, accounts.Standing.from_values(standing), clock.now())
        return Worker(profile)

    return make


@pytest.fixture
def worker(new_worker) -> Worker:
    return new_worker()


@pytest.fixture
def pass_time():
    """Let time pass for the marketplace: ``pass_time(seconds)``."""
    return lambda seconds: hook("clock", advance_seconds=seconds)


@pytest.fixture
def operator() -> Client:
    """A signed-in operator's browser."""
    browser = Client()
    browser.force_login(accounts.create_operator("lena", password="pass word"))
    return browser
