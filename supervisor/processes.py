"""Children of the supervisor, and what is left of them when a supervisor was killed.

Each child leads a process group of its own: a Ctrl-C at the terminal reaches the supervisor alone, and stopping a
child stops all that it started. Its process id and start time are written down in ``run/``, so that the next
supervisor of the same folder finds what an earlier one left behind and never touches a stranger with the same number.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psutil

from supervisor import ROOT

# In the environment of every child: the folder of the supervisor that it belongs to.
FOLDER_MARK = "SPANWRIGHT_FOLDER"
# Start times are computed from the wall clock, which may be adjusted under a running process.
CLOCK_SLACK_SECONDS = 2.0
# From the environment of whoever started us: these would change what a child is or whom it talks to.
NOT_INHERITED = (
    "AWS_PROFILE",
    "AWS_SESSION_TOKEN",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_MTURK",
    "DJANGO_SETTINGS_MODULE",
    "GUNICORN_CMD_ARGS",
    "LISTEN_FDS",
    "LISTEN_PID",
)


class ServerError(Exception):
    """Something could not be started; the message is a sentence for the person at the terminal."""


def child_environment(env: Mapping[str, str]) -> dict[str, str]:
    """Our own environment with ``env`` on top, without what would lead a child astray."""
    inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    # Everything that the children talk to by default is on this machine; a proxy has no business in between.
    exempt = ",".join(filter(None, [inherited.get("NO_PROXY") or inherited.get("no_proxy"), "localhost,127.0.0.1"]))
    return inherited | {"NO_PROXY": exempt, "no_proxy": exempt, "PYTHONUNBUFFERED": "1"} | dict(env)


@dataclass
class Child:
    """A running child; ``log`` is where its output goes."""

    name: str
    log: Path
    _process: subprocess.Popen[bytes]
    _record: Path

    @classmethod
    def start(
        cls, name: str, command: Sequence[str], *, folder: Path, env: Mapping[str, str], pass_fds: Sequence[int] = ()
    ) -> Self:
        """Start ``command`` in the repository's root, logging to ``folder/logs/<name>.log``."""
        logs, run = folder / "logs", folder / "run"
        for private in (logs, run):
            private.mkdir(parents=True, exist_ok=True)
            private.chmod(0o700)
        log = logs / f"{name}.log"
        record = run / f"{name}.json"

        def start() -> subprocess.Popen[bytes]:
            with log.open("ab") as output:
                process = subprocess.Popen(
                    command,
                    cwd=ROOT,
                    env=child_environment(env) | {FOLDER_MARK: str(folder.resolve())},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    pass_fds=pass_fds,
                    start_new_session=True,
                )
            with suppress(psutil.NoSuchProcess):
                started = psutil.Process(process.pid).create_time()
                record.write_text(json.dumps({"pid": process.pid, "started": started}))
            return process

        # In a thread, where no signal can come between the start and the note of it.
        with ThreadPoolExecutor(1) as thread:
            return cls(name, log, thread.submit(start).result(), record)

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_running(self) -> bool:
        return self._process.poll() is None

    def check(self) -> None:
        """Raise ServerError if the child has ended."""
        if not self.is_running():
            raise ServerError(f"The {self.name} ended by itself ({self._ending()}); its log is {self.log}.")

    def ask_to_stop(self) -> None:
        """Send SIGTERM to the child itself; it ends its own children in order."""
        if self.is_running():
            self._process.terminate()

    def stop(self, seconds: float = 15) -> None:
        """Ask the child to end, wait at most ``seconds``, then end its whole group whatever it is doing."""
        self.ask_to_stop()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        self.kill()

    def kill(self) -> None:
        """End the child and its whole group at once, as a power cut would."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        self._record.unlink(missing_ok=True)

    def _ending(self) -> str:
        code = self._process.poll() or 0
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def python_module(module: str, *arguments: str) -> list[str]:
    """The command that runs ``module`` with this very Python."""
    return [sys.executable, "-m", module, *arguments]


def end_leftovers(folder: Path) -> list[str]:
    """End what a killed supervisor of ``folder`` left running; return the names of what had to be ended."""
    ended: list[str] = []
    leaders: list[psutil.Process] = []
    members: list[psutil.Process] = []
    for record in sorted((folder / "run").glob("*.json")):
        group = _group_of(record, folder)
        ended += [record.stem] if group else []
        leaders += [process for process in group if _leads(process)]
        members += [process for process in group if not _leads(process)]
        record.unlink(missing_ok=True)
    # A leader that is asked ends its own; then whoever is left, orphans too, is not asked.
    for process in leaders:
        with suppress(psutil.Error):
            process.terminate()
    psutil.wait_procs(leaders, timeout=5)
    for process in leaders + members:
        with suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(leaders + members, timeout=5)
    return ended


def _group_of(record: Path, folder: Path) -> list[psutil.Process]:
    """The processes that remain of the child written down in ``record``."""
    try:
        noted = json.loads(record.read_text())
        leader_pid, started = int(noted["pid"]), float(noted["started"])
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [process for process in psutil.process_iter() if _belongs(process, leader_pid, started, folder)]


def _leads(process: psutil.Process) -> bool:
    try:
        return os.getpgid(process.pid) == process.pid
    except ProcessLookupError:
        return False


def _belongs(process: psutil.Process, leader_pid: int, started: float, folder: Path) -> bool:
    try:
        if process.pid == leader_pid:
            return abs(process.create_time() - started) <= CLOCK_SLACK_SECONDS
        # Once its leader is gone a group has only its number, which may have gone round: ask for our mark as well.
        same_group = os.getpgid(process.pid) == leader_pid
        return same_group and process.environ().get(FOLDER_MARK) == str(folder.resolve())
    except (psutil.Error, ProcessLookupError, PermissionError):
        return False


def wait_until(ready: Callable[[], bool], child: Child, seconds: float = 60) -> None:
    """Wait until ``ready()``. Raises ServerError if ``child`` ends before, or is not ready within ``seconds``."""
    deadline = time.monotonic() + seconds
    while not ready():
        child.check()
        if time.monotonic() > deadline:
            raise ServerError(f"The {child.name} is not ready after {seconds:.0f} seconds; its log is {child.log}.")
        time.sleep(0.05)
