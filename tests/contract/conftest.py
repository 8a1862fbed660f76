"""Any endpoint that speaks Mechanical Turk's API; without ``MTURK_ENDPOINT``, a marketplace started for the run.

``MTURK_ENDPOINT`` with ``AWS_ACCESS_KEY_ID`` and ``AWS_SECRET_ACCESS_KEY`` names an endpoint and an account there.
Where the endpoint has this marketplace's test hooks, each test gets an account of its own instead. An account that is
not of a sandbox is used only under ``MTURK_CONTRACT_SPENDS=1``. What else tests may need, and skip without:

- ``MTURK_SECOND_ACCESS_KEY_ID``, ``MTURK_SECOND_SECRET_ACCESS_KEY``: another account;
- ``MTURK_WORKER_SITE``, ``MTURK_WORKERS``: workers of this marketplace's site, ``name:password:worker id`` with blanks
  between;
- ``MTURK_EVENTS_QUEUE_URL``, ``MTURK_EVENTS_ENDPOINT``: a queue that the endpoint can send to and the account can read.
"""

import itertools
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import boto3
import pytest
import requests
from botocore.config import Config
from botocore.exceptions import ClientError

from supervisor.sites import Marketplace
from tests import aws as cloud

from .driver import Site, Worker
from .facts import Basis
from .shapes import check_answer

EXTERNAL = os.environ.get("MTURK_ENDPOINT", "").rstrip("/")
PAGE = "https://requester.example/task?batch=7&kind=write"
SANDBOX_BALANCE = "10000.00"
SCHEMAS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
EVENT_KEYS = {"MARKETPLACE_EVENTS_ACCESS_KEY_ID": "test", "MARKETPLACE_EVENTS_SECRET_ACCESS_KEY": "test"}
_numbers = itertools.count(int(time.time()))


def pytest_collection_modifyitems(items):
    for item in items:
        if not item.nodeid.startswith("tests/contract/"):
            continue
        citations = list(item.iter_markers("cites"))
        if not citations or not getattr(item.module, "FACTS", ""):
            raise pytest.UsageError(f"{item.nodeid} does not say what it rests on (see tests/contract/facts.py).")
        if EXTERNAL and {mark.args[2] for mark in citations} == {Basis.OURS}:
            item.add_marker(pytest.mark.xfail(reason=f"our choice: {citations[0].args[1]}", strict=False))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    for page, fact, basis in (mark.args for mark in item.iter_markers("cites")):
        report.sections.append((f"rests on {page}", f"{fact} ({basis.value}; {item.module.FACTS})"))
    return report


@dataclass(frozen=True)
class Endpoint:
    url: str
    has_hooks: bool
    worker_site: str = ""
    workers: tuple[str, ...] = ()  # name:password:worker id
    queue_url: str = ""
    events_endpoint: str = ""
    tick: Callable[[], object] = lambda: None  # lets a marketplace of ours send what waits; others do by themselves

    def hook(self, path: str, **body) -> dict:
        if not self.has_hooks:
            pytest.skip("only a marketplace with test hooks can do this")
        answer = requests.post(f"{self.url}/_test/{path}", json=body, timeout=30)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture(scope="session")
def endpoint(request, tmp_path_factory):
    if EXTERNAL:
        yield Endpoint(
            EXTERNAL,
            has_hooks=_has_hooks(EXTERNAL),
            worker_site=os.environ.get("MTURK_WORKER_SITE", ""),
            workers=tuple(os.environ.get("MTURK_WORKERS", "").split()),
            queue_url=os.environ.get("MTURK_EVENTS_QUEUE_URL", ""),
            events_endpoint=os.environ.get("MTURK_EVENTS_ENDPOINT", ""),
        )
        return
    postgres, template = map(request.getfixturevalue, ("postgres", "marketplace_template"))
    name = f"marketplace_contract_{os.getpid()}"
    with cloud.serve(tmp_path_factory.mktemp("aws")) as aws:
        queue = boto3.client("sqs", endpoint_url=aws, region_name="us-east-1", **_keys("test", "test"))
        queue_url = queue.create_queue(QueueName="events")["QueueUrl"]
        settings = EVENT_KEYS | {"MARKETPLACE_SQS_ENDPOINT": aws, "MARKETPLACE_SNS_ENDPOINT": aws}
        folder = tmp_path_factory.mktemp("contract")
        site = Marketplace.start(postgres, folder, database=name, template=template, settings=settings)
        yield Endpoint(
            site.url,
            has_hooks=True,
            worker_site=site.url,
            queue_url=queue_url,
            events_endpoint=aws,
            tick=lambda: site.manage("tick"),
        )
        site.stop()
        postgres.drop_database(name)


def _has_hooks(url: str) -> bool:
    with suppress(requests.RequestException):
        return requests.post(f"{url}/_test/clock", json={"advance_seconds": 0}, timeout=10).status_code == 200
    return False


def _keys(access_key: str, secret_key: str) -> dict[str, str]:
    return {"aws_access_key_id": access_key, "aws_secret_access_key": secret_key}


def mturk_client(url: str, access_key: str, secret_key: str, **config):
    """boto3 as people use it, but for: one attempt, nothing checked on our side of the wire, and every answer held
    against the model's shapes."""
    settings = {"retries": {"total_max_attempts": 1}, "parameter_validation": False, "read_timeout": 30} | config
    keys = _keys(access_key, secret_key)
    client = boto3.client("mturk", endpoint_url=url, region_name="us-east-1", config=Config(**settings), **keys)
    client.meta.events.register("after-call.mturk", check_answer)
    return client


def external_question(url: str = PAGE, height: int | str = 0) -> str:
    escaped = url.replace("&", "&amp;")
    return (
        f'<ExternalQuestion xmlns="{SCHEMAS}/2006-07-14/ExternalQuestion.xsd"><ExternalURL>{escaped}</ExternalURL>'
        f"<FrameHeight>{height}</FrameHeight></ExternalQuestion>"
    )


def turk_code(error: ClientError) -> str:
    """The part of the Turk error code that tells errors apart."""
    return error.response["TurkErrorCode"].removeprefix("AWS.MechanicalTurk.")


def message(error: ClientError) -> str:
    return error.response["Error"]["Message"]


@dataclass
class Requester:
    """An account and a boto3 client for it."""

    mturk: object
    access_key: str
    secret_key: str
    is_sandbox: bool = True
    made: list[str] = field(default_factory=list)  # ids of HITs, to be expired afterwards
    blocked: list[str] = field(default_factory=list)  # ids of workers, to be let in again afterwards

    def hit_type(self, **changes) -> str:
        values = {
            "Title": f"Write questions {next(_numbers)}",
            "Description": "Read a paragraph and ask about it.",
            "Reward": "0.10",
            "AssignmentDurationInSeconds": 600,
        }
        return self.mturk.create_hit_type(**values | changes)["HITTypeId"]

    def hit(self, hit_type: str | None = None, **changes) -> dict:
        values = {"LifetimeInSeconds": 3600, "Question": external_question()} | changes
        made = self.mturk.create_hit_with_hit_type(HITTypeId=hit_type or self.hit_type(), **values)["HIT"]
        self.made.append(made["HITId"])
        return made

    def see(self, hit: dict) -> dict:
        return self.mturk.get_hit(HITId=hit["HITId"])["HIT"]

    def counters(self, hit: dict) -> tuple[str, int, int, int]:
        """Status, available, pending, completed."""
        seen = self.see(hit)
        counted = (seen[f"NumberOfAssignments{name}"] for name in ("Available", "Pending", "Completed"))
        return seen["HITStatus"], *counted

    def submitted(self, hit: dict, **filters) -> list[dict]:
        return self.mturk.list_assignments_for_hit(HITId=hit["HITId"], MaxResults=100, **filters)["Assignments"]

    def expire(self, hit: dict, at: object = 0) -> None:
        self.mturk.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=at)

    def block(self, worker: Worker, reason: str = "Pasted text.") -> None:
        self.blocked.append(worker.worker_id)
        self.mturk.create_worker_block(WorkerId=worker.worker_id, Reason=reason)

    def balance(self) -> tuple[str, str]:
        balance = self.mturk.get_account_balance()
        return balance["AvailableBalance"], balance["OnHoldBalance"]

    def qualification_type(self, **changes) -> str:
        values = {"Name": f"Reader {next(_numbers)}", "Description": "D", "QualificationTypeStatus": "Active"}
        made = self.mturk.create_qualification_type(**values | changes)
        return made["QualificationType"]["QualificationTypeId"]

    def refusal(self, operation: str, **params) -> ClientError:
        """The error that the call must meet."""
        with pytest.raises(ClientError) as caught:
            getattr(self.mturk, operation)(**params)
        return caught.value

    def refused(self, operation: str, **params) -> str:
        """The Turk code of the error that the call must meet."""
        return turk_code(self.refusal(operation, **params))


@pytest.fixture
def new_requester(endpoint):
    """A fresh account: ``new_requester()`` as in the sandbox, ``new_requester(funds="5.00")`` with prepaid money."""

    def make(**body) -> Requester:
        account = endpoint.hook("requester", **body)
        keys = account["access_key"], account["secret_key"]
        return Requester(mturk_client(endpoint.url, *keys), *keys, is_sandbox="funds" not in body)

    return make


def _account(endpoint, prefix: str) -> Requester:
    names = (f"{prefix}ACCESS_KEY_ID", f"{prefix}SECRET_ACCESS_KEY")
    if not all(os.environ.get(name) for name in names):
        pytest.skip(f"needs an account at the endpoint: {' and '.join(names)}")
    keys = tuple(os.environ[name] for name in names)
    account = Requester(mturk_client(endpoint.url, *keys), *keys)
    account.is_sandbox = _is_sandbox(account)
    if not account.is_sandbox and os.environ.get("MTURK_CONTRACT_SPENDS") != "1":
        pytest.skip("this account is no sandbox's; MTURK_CONTRACT_SPENDS=1 lets the tests spend its money")
    return account


def _is_sandbox(account: Requester) -> bool:
    """Whether no money moves: the balance says so, and the stamp of a message (a new account may hold as much)."""
    balance = account.mturk.get_account_balance()["AvailableBalance"]
    return balance == SANDBOX_BALANCE and message(account.refusal("get_hit", HITId="3NONE")).endswith(" s)")


@pytest.fixture
def requester(endpoint, request):
    """An account: of this test alone where the endpoint can make one."""
    if endpoint.has_hooks:
        yield request.getfixturevalue("new_requester")()
        return
    account = _account(endpoint, "AWS_")
    yield account
    for worker_id in account.blocked:
        account.mturk.delete_worker_block(WorkerId=worker_id)
    for hit_id in account.made:
        with suppress(ClientError):
            account.mturk.update_expiration_for_hit(HITId=hit_id, ExpireAt=0)
            account.mturk.delete_hit(HITId=hit_id)


@pytest.fixture
def stranger(endpoint, request) -> Requester:
    """Another account."""
    if endpoint.has_hooks:
        return request.getfixturevalue("new_requester")()
    return _account(endpoint, "MTURK_SECOND_")


@pytest.fixture
def new_worker(endpoint):
    """Sign a worker in: a new one where the endpoint can make one (with a standing, if wanted), else the next one."""
    known = iter(endpoint.workers)
    signed_in: list[Worker] = []

    def make(**standing) -> Worker:
        if not endpoint.worker_site:
            pytest.skip("the endpoint's worker site cannot be driven")
        if endpoint.has_hooks:
            made = endpoint.hook("worker", standing=standing)
            name, password, worker_id = made["username"], made["password"], made["worker_id"]
        else:
            try:
                name, password, worker_id = next(known).split(":")
            except StopIteration:
                pytest.skip("needs more workers than MTURK_WORKERS names")
            if standing:
                pytest.skip("needs workers of a certain standing")
        site = Site(endpoint.worker_site)
        site.sign_in(name, password)
        signed_in.append(Worker(worker_id, site))
        return signed_in[-1]

    yield make
    if not endpoint.has_hooks:
        for worker in signed_in:
            worker.give_everything_back()


@pytest.fixture
def worker(new_worker) -> Worker:
    return new_worker()


@pytest.fixture
def pass_time(endpoint):
    """Let time pass for the endpoint: ``pass_time(seconds)``."""
    yield lambda seconds: endpoint.hook("clock", advance_seconds=seconds)
    if endpoint.has_hooks:
        endpoint.hook("clock", reset=True)
