"""The floor, served like our own sites: its database on the same PostgreSQL, its processes and threads as many."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.rounds import EXTENDED, PASSWORD, PLAIN, PLATFORM_PART
from supervisor import ROOT
from supervisor.ports import Listener
from supervisor.processes import Child, ServerError, child_environment, python_module, wait_until
from supervisor.servers import Postgres
from supervisor.sites import MARKETPLACE, Site

DATABASE = "floor"


@dataclass
class Floor:
    """The running floor. ``first_task`` is the first task of PLATFORM_PART."""

    site: Site
    first_task: int

    @property
    def url(self) -> str:
        return self.site.url

    @classmethod
    def start(
        cls, postgres: Postgres, folder: Path, *, texts: Sequence[str], tasks: int, places: int, users: Sequence[str]
    ) -> Floor:
        """Make its database, ``tasks`` tasks of ``places`` places in each batch, and serve it. Raises ServerError."""
        postgres.create_database(DATABASE)
        env = {
            "FLOOR_DB": DATABASE,
            "FLOOR_USER": postgres.user,
            "FLOOR_HOST": postgres.socket_dir,
            "FLOOR_SECRET_KEY": "bench",
            "DJANGO_SETTINGS_MODULE": "",
        }
        order = {
            "users": users,
            "password": PASSWORD,
            "texts": texts,
            "places": places,
            "batches": dict.fromkeys((PLAIN, EXTENDED, PLATFORM_PART), tasks),
            "listed": EXTENDED,
        }
        run_module("bench.floor_site", env, json.dumps(order))
        listener = Listener.open()
        command = python_module(
            "gunicorn",
            *("--config", "config/gunicorn.py", "--bind", f"fd://{listener.fileno()}"),
            *("--workers", "2", "--threads", "4"),
            "bench.floor_site:application",
        )
        child = Child.start("floor", command, folder=folder, env=env, pass_fds=[listener.fileno()])
        listener.close()
        site = Site(MARKETPLACE, f"http://{MARKETPLACE.host}:{listener.port}", child)
        wait_until(site.answers, child)
        return cls(site, 2 * tasks + 1)


def run_module(module: str, env: dict[str, str], text: str) -> str:
    """Run ``python -m module`` with ``text`` on its standard input; return what it printed. Raises ServerError."""
    done = subprocess.run(
        python_module(module), cwd=ROOT, env=child_environment(env), input=text, capture_output=True, text=True
    )
    if done.returncode:
        raise ServerError(f"{module} failed: {done.stderr.strip()[-2000:]}")
    return done.stdout
