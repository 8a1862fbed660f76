"""The whole product on one machine: servers, both sites and the jobs, in one folder.

The demo, the end-to-end run, the benchmarks and the browser tests all use this one class.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from supervisor import ROOT
from supervisor.folders import Hold, Secrets
from supervisor.ports import Listener
from supervisor.processes import Child, ServerError, end_leftovers, python_module, wait_until
from supervisor.servers import Postgres, Redis, check_redis, stop_postgres
from supervisor.sites import MARKETPLACE, PLATFORM, Kind, Site, manage

AWS_REGION = "us-east-1"
REQUESTER = "Demo requester (play money)"  # at the marketplace, whose money the platform spends
# What a batch of the demo or a test run may cost, paid in beforehand as Mechanical Turk asks; not the 10000.00 that a
# sandbox always says it holds.
PREPAID_USD = "5000.00"
CREDENTIALS = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "REHEARSAL_AWS_ACCESS_KEY_ID",
    "REHEARSAL_AWS_SECRET_ACCESS_KEY",
    "REHEARSAL_PLAYERS",
)
PLAYERS = 6
# The record of a worker of long standing, who meets the strictest preset's demands.
STANDING = "approved=5000,percent=99,country=US"
DATABASES = {PLATFORM: ("DATABASE_URL", "platform"), MARKETPLACE: ("MARKETPLACE_DATABASE_URL", "marketplace")}


def migration_files() -> list[Path]:
    """The migrations of all rooms, and of the apps inside one."""
    return [*ROOT.glob("*/migrations/*.py"), *ROOT.glob("*/*/migrations/*.py")]


@dataclass
class Stack:
    """Everything that runs, its addresses and its environment. A context manager: entering starts, leaving stops.

    ``folder`` holds all data, logs and secrets; what is there already is used. A port of 0 is any free one.
    ``external`` may name servers of one's own (``DATABASE_URL``, ``MARKETPLACE_DATABASE_URL``, ``REDIS_URL``).
    ``env`` is what a command needs to work against the running stack (``settings`` are added to it).
    """

    folder: Path
    platform_port: int = 0
    marketplace_port: int = 0
    test_hooks: bool = True
    celery: bool = True
    tick_seconds: float | None = None  # between two looks of the marketplace's clock; None leaves it out
    processes: int = 2
    threads: int = 4
    settings: Mapping[str, str] = field(default_factory=dict)
    external: Mapping[str, str] = field(default_factory=dict)
    say: Callable[[str], None] = lambda line: None
    env: dict[str, str] = field(default_factory=dict, init=False, repr=False)
    postgres: Postgres | None = field(default=None, init=False)
    redis: Redis | None = field(default=None, init=False)
    platform: Site | None = field(default=None, init=False)
    marketplace: Site | None = field(default=None, init=False)
    worker: Child | None = field(default=None, init=False)
    clock: Child | None = field(default=None, init=False)
    _hold: Hold | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.folder = self.folder.resolve()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @cached_property
    def secrets(self) -> Secrets:
        """The passwords and keys of this folder."""
        return Secrets(self.folder)

    @property
    def is_started(self) -> bool:
        """Whether any part of it runs."""
        return any((self.postgres, self.redis, self.platform, self.marketplace, self.worker, self.clock))

    @property
    def platform_url(self) -> str:
        return self.env["PLATFORM_URL"]

    @property
    def marketplace_url(self) -> str:
        return self.env["MARKETPLACE_URL"]

    def start(self) -> None:
        """Start everything and wait until both sites answer. Raises ServerError, with nothing left running."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o711)
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop everything, last started first; what has stopped already is passed over."""
        front = [site.child for site in (self.platform, self.marketplace) if site]
        front += [child for child in (self.worker, self.clock) if child]
        for child in front:
            child.ask_to_stop()
        for child in front:
            child.stop()
        self.platform = self.marketplace = self.worker = self.clock = None
        if self.redis:
            self.redis.stop()
            self.redis = None
        if self.postgres:
            self.postgres.stop()
            self.postgres = None
        if self._hold:
            # Whatever was just starting when the start was called off.
            end_leftovers(self.folder)
            stop_postgres(self.folder / "postgres")
            self._hold.release()
            self._hold = None

    def check(self) -> None:
        """Raise ServerError if any part has ended by itself."""
        for site in (self.platform, self.marketplace):
            if site:
                site.child.check()
        for child in (self.worker, self.clock):
            if child:
                child.check()
        if self.redis:
            self.redis.child.check()
        if self.postgres:
            self.postgres.check()

    def manage(self, *arguments: str, kind: Kind = PLATFORM, env: Mapping[str, str] | None = None) -> str:
        """Run a management command of the platform (or of ``kind``) with ``env`` added; return what it printed."""
        return manage(kind, self.env | dict(env or {}), *arguments)

    def start_worker(self, name: str = "worker", *, beat: bool = True) -> Child:
        """Start a Celery worker, with beat inside unless told otherwise, and wait until it takes jobs."""
        options = ["--concurrency", "2", "--without-gossip", "--without-mingle", "--loglevel", "INFO"]
        if beat:
            options += ["--beat", "--schedule", str(self.folder / "run" / "celerybeat-schedule")]
        node = ["--hostname", f"{name}@{os.getpid()}"]
        log = self.folder / "logs" / f"{name}.log"
        before = log.stat().st_size if log.exists() else 0
        child = Child.start(
            name,
            python_module("celery", "--app", "config", "worker", *options, *node),
            folder=self.folder,
            env=self.env,
        )
        try:
            wait_until(lambda: b" ready." in log.read_bytes()[before:], child)
        except ServerError:
            child.kill()
            raise
        return child

    def _start_clock(self, seconds: float) -> Child:
        """What time alone does in the marketplace, and its notifications."""
        command = [sys.executable, "manage.py", "tick", "--every", str(seconds), "--settings", MARKETPLACE.settings]
        return Child.start("clock", command, folder=self.folder, env=self.env)

    def _start(self) -> None:
        self._hold = Hold.take(self.folder)
        for name in end_leftovers(self.folder):
            self.say(f"Ended the {name} that an earlier run left behind.")
        listeners = {
            PLATFORM: Listener.open(self.platform_port, host=PLATFORM.host, variable="PLATFORM_PORT"),
            MARKETPLACE: Listener.open(self.marketplace_port, host=MARKETPLACE.host, variable="MARKETPLACE_PORT"),
        }
        urls = {kind: f"http://{kind.host}:{listener.port}" for kind, listener in listeners.items()}
        self._start_servers()
        self.env |= {
            **self.secrets.make("SECRET_KEY", "MARKETPLACE_SECRET_KEY", length=64),
            "PLATFORM_URL": urls[PLATFORM],
            "MARKETPLACE_URL": urls[MARKETPLACE],
            "MTURK_ENDPOINT": urls[MARKETPLACE],
            "AWS_DEFAULT_REGION": AWS_REGION,
            "AWS_EC2_METADATA_DISABLED": "true",
            "PLAIN_HTTP": "1",
            "RELEASES_DIR": str(self.folder / "releases"),
            "CURATIONS_DIR": str(self.folder / "curations"),
            "CURATION_SOURCES_DIR": str(self.folder / "sources"),
            "MTURK_ENDPOINT_PAYS_PEOPLE": "0",
            "MARKETPLACE_TEST_HOOKS": str(int(self.test_hooks)),
            **self.settings,
        }
        self._prepare()
        self._serve(listeners)
        self._hold.tell(f"{self.platform_url} and {self.marketplace_url}")

    def _start_servers(self) -> None:
        """PostgreSQL and Redis, ours or the ones named, at the same time."""
        self.say("Starting PostgreSQL and Redis")
        if "REDIS_URL" in self.external:
            check_redis(self.external["REDIS_URL"])
        missing = [kind for kind, (variable, _) in DATABASES.items() if variable not in self.external]
        with ThreadPoolExecutor() as pool:
            redis = None if "REDIS_URL" in self.external else pool.submit(Redis.start, self.folder)
            if missing:
                self.postgres = Postgres.start(self.folder / "postgres")
            self.redis = redis.result() if redis else None
        self.env["REDIS_URL"] = self.redis.url if self.redis else self.external["REDIS_URL"]
        for kind, (variable, database) in DATABASES.items():
            if self.postgres and kind in missing:
                self.postgres.create_database(database)
                self.env[variable] = self.postgres.url(database)
            else:
                self.env[variable] = self.external[variable]

    def once(self, name: str, files: Iterable[Path], work: Callable[[], None]) -> None:
        """Do ``work`` unless this folder's servers have it done already, with these very ``files``.

        Servers of one's own may have been emptied in between, so with any of those the work is always done.
        """
        stamp = self.folder / f"{name}.done"
        identity = self.postgres.identity if self.postgres else ""
        content = b"".join(file.read_bytes() for file in sorted(files))
        digest = hashlib.sha256(identity.encode() + content).hexdigest()
        if self.external or not stamp.exists() or stamp.read_text() != digest:
            work()
            stamp.write_text(digest)

    def _prepare(self) -> None:
        """Migrate both databases and make the accounts that programs use."""
        self.once("migrations", [*migration_files(), ROOT / "constraints.txt"], self._migrate)
        self.once("accounts", [], self._create_accounts)
        self.env |= {name: self.secrets.values[name] for name in CREDENTIALS}

    def _migrate(self) -> None:
        self.say("Preparing both databases")
        with ThreadPoolExecutor() as pool:
            for done in [pool.submit(manage, kind, self.env, "migrate", "--no-input") for kind in DATABASES]:
                done.result()

    def _create_accounts(self) -> None:
        """The requester who publishes, the one under whom rehearsals run, and the players who work in those."""
        (players_password,) = self.secrets.make("PLAYERS_PASSWORD").values()
        players = [f"player-{number}" for number in range(1, PLAYERS + 1)]
        with ThreadPoolExecutor() as pool:
            making = {
                "": pool.submit(self._create_requester, REQUESTER, "--funds", PREPAID_USD),
                "REHEARSAL_": pool.submit(self._create_requester, "Rehearsals", "--sandbox"),
            }
            made = self.create_workers(players, players_password)
            keys = {prefix: key.result() for prefix, key in making.items()}
        for prefix, key in keys.items():
            self.secrets.keep(**{f"{prefix}{name}": value for name, value in key.items()})
        each = (f"{player['username']}:{players_password}:{player['worker_id']}" for player in made)
        self.secrets.keep(REHEARSAL_PLAYERS=" ".join(each))

    def _create_requester(self, name: str, *options: str) -> dict[str, str]:
        made = json.loads(self.manage("create_requester", name, *options, "--json", kind=MARKETPLACE))
        return {"AWS_ACCESS_KEY_ID": made["access_key"], "AWS_SECRET_ACCESS_KEY": made["secret_key"]}

    def create_workers(self, names: Sequence[str], password: str) -> list[dict[str, str]]:
        """Make workers of the marketplace who may take any HIT; return the ``username`` and ``worker_id`` of each."""
        made = self.manage(
            *("create_workers", "--names", ",".join(names), "--password", password),
            *("--standing", STANDING, "--json"),
            kind=MARKETPLACE,
        )
        return list(json.loads(made))

    def let_requester_sign_in(self, password: str) -> str:
        """Give the requester whose money the platform spends a login at the marketplace; return its user name."""
        made = self.manage("create_requester", REQUESTER, "--password", password, "--json", kind=MARKETPLACE)
        return str(json.loads(made)["username"])

    def create_operator(self, name: str, password: str) -> None:
        """Make a login that runs the marketplace."""
        self.manage("create_operator", name, "--password", password, kind=MARKETPLACE)

    def _serve(self, listeners: Mapping[Kind, Listener]) -> None:
        self.say("Starting both sites" + (" and the worker" if self.celery else ""))
        sites = {
            kind: Site.start(
                kind, listener, folder=self.folder, env=self.env, processes=self.processes, threads=self.threads
            )
            for kind, listener in listeners.items()
        }
        self.platform, self.marketplace = sites[PLATFORM], sites[MARKETPLACE]
        if self.tick_seconds is not None:
            self.clock = self._start_clock(self.tick_seconds)
        if self.celery:
            self.worker = self.start_worker()
        self.platform.wait()
        self.marketplace.wait()
