"""The two sites: their management commands, and each under gunicorn."""

import http.client
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from supervisor import ROOT
from supervisor.ports import Listener
from supervisor.processes import Child, ServerError, child_environment, python_module, wait_until
from supervisor.servers import Postgres


@dataclass(frozen=True)
class Kind:
    """What tells the two sites apart."""

    name: str
    host: str
    settings: str
    application: str


# Two host names, because to a browser ports alone do not make two sites.
PLATFORM = Kind("platform", "localhost", "config.settings.platform", "config.wsgi_platform:application")
MARKETPLACE = Kind("marketplace", "127.0.0.1", "config.settings.marketplace", "config.wsgi_marketplace:application")


def manage(kind: Kind, env: Mapping[str, str], *arguments: str) -> str:
    """Run a management command of one site; return what it printed. Raises ServerError with its last words."""
    command = [sys.executable, "manage.py", *arguments, "--settings", kind.settings]
    done = subprocess.run(
        command, cwd=ROOT, env=child_environment(env), stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode:
        # An exception's own line; those that follow it, if any, are indented.
        lines = [line for line in (done.stderr or done.stdout).splitlines() if line and not line[0].isspace()]
        raise ServerError(f"The {kind.name}'s command {arguments[0]} failed: {lines[-1] if lines else 'no message'}")
    return done.stdout


@dataclass
class Site:
    """One site under gunicorn."""

    kind: Kind
    url: str
    _child: Child

    @classmethod
    def start(
        cls,
        kind: Kind,
        listener: Listener,
        *,
        folder: Path,
        env: Mapping[str, str],
        processes: int = 2,
        threads: int = 4,
    ) -> Self:
        """Hand ``listener`` to gunicorn; :meth:`wait` tells when the site answers."""
        command = python_module(
            "gunicorn",
            *("--config", "config/gunicorn.py", "--bind", f"fd://{listener.fileno()}"),
            *("--workers", str(processes), "--threads", str(threads)),
            kind.application,
        )
        child = Child.start(kind.name, command, folder=folder, env=env, pass_fds=[listener.fileno()])
        listener.close()
        return cls(kind, f"http://{kind.host}:{listener.port}", child)

    def wait(self) -> None:
        """Wait until the site answers. Raises ServerError if it does not."""
        wait_until(self.answers, self._child)

    def answers(self) -> bool:
        """Whether the site gives any answer that is not its own failure."""
        host, _, port = self.url.removeprefix("http://").partition(":")
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=5)
        with suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/", headers={"Host": f"{host}:{port}"})
            return connection.getresponse().status < 500
        return False

    @property
    def child(self) -> Child:
        return self._child

    def stop(self) -> None:
        self._child.stop()


@dataclass
class Marketplace:
    """A marketplace of its own for tests: its database made and migrated, its site under gunicorn."""

    url: str
    env: dict[str, str] = field(repr=False)
    _site: Site

    @classmethod
    def start(
        cls,
        postgres: Postgres,
        folder: Path,
        *,
        port: int = 0,
        hooks: bool = True,
        database: str = "marketplace_served",
        template: str = "",
        workers: int = 1,
        threads: int = 4,
        settings: Mapping[str, str] | None = None,
    ) -> Self:
        """Make ``database`` if need be, migrate it and serve it with ``workers`` x ``threads``.

        A ``template`` is a migrated database to copy instead. ``hooks`` adds the routes that only tests may have,
        ``settings`` more of its environment. Logs go to ``folder/logs``. Raises ServerError.
        """
        listener = Listener.open(port)
        url = f"http://{MARKETPLACE.host}:{listener.port}"
        postgres.create_database(database, template or "template1")
        env = {
            "MARKETPLACE_DATABASE_URL": postgres.url(database),
            "MARKETPLACE_SECRET_KEY": "tests-only-marketplace",
            "MARKETPLACE_URL": url,
            "MARKETPLACE_TEST_HOOKS": str(int(hooks)),
            "PLAIN_HTTP": "1",
            **(settings or {}),
        }
        if not template:
            manage(MARKETPLACE, env, "migrate", "--no-input")
        site = Site.start(MARKETPLACE, listener, folder=folder, env=env, processes=workers, threads=threads)
        try:
            site.wait()
        except ServerError:
            site.stop()
            raise
        return cls(url, env, site)

    def manage(self, *arguments: str) -> str:
        """Run one of its management commands; return what it printed."""
        return manage(MARKETPLACE, self.env, *arguments)

    def stop(self) -> None:
        self._site.stop()
