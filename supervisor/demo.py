"""The demo: the whole product in ``.demo``, with accounts and a small dataset, until Ctrl-C."""

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

from supervisor import ROOT
from supervisor.folders import AlreadyRunning, Hold, write_private
from supervisor.processes import ServerError, end_leftovers
from supervisor.servers import stop_postgres
from supervisor.stack import Stack

FOLDER = ROOT / ".demo"
WORKERS = 6
EXTERNAL = ("DATABASE_URL", "MARKETPLACE_DATABASE_URL", "REDIS_URL")
# What the demo's data is made by: a change in any of these makes it anew where it is missing.
SEEDS = ("annotation/sample/*", "reviewer/management/commands/seed_demo.py", "supervisor/demo.py")
# Seconds between two looks of the marketplace's clock.
TICK_SECONDS = 5.0
# Seconds between two looks at whether everything still runs.
LOOK_SECONDS = 1.0


class Interrupted(BaseException):
    """The person at the terminal, or the system, wants an end."""


def run() -> int:
    """Run the demo until a signal comes or a part of it ends by itself; return the exit code."""
    _interrupt_on_signals()
    started = time.monotonic()
    try:
        stack = _stack()
        try:
            stack.start()
            _seed(stack)
            write_private(FOLDER / "env", env_file(stack.env))
            say(summary(stack, time.monotonic() - started))
            while True:
                time.sleep(LOOK_SECONDS)
                stack.check()
        finally:
            _ignore_signals()
            if stack.is_started:
                say("\nStopping")
            stack.stop()
    except Interrupted:
        say("Stopped. The data is kept for the next `make demo`; `make demo-reset` deletes it.")
        return 0
    except AlreadyRunning as error:
        where = f" at {error.addresses}" if error.addresses else ", and is starting"
        return _fail(f"The demo runs already{where}. Stop that one first (Ctrl-C where it runs).")
    except ServerError as error:
        return _fail(str(error))
    except PermissionError as error:
        return _fail(f"{error.filename} belongs to another user: run the demo as that user, or delete .demo as them.")


def reset() -> int:
    """Delete the demo's data, after ending what a killed run left behind; return the exit code."""
    if not FOLDER.exists():
        say("There is no demo data.")
        return 0
    try:
        hold = Hold.take(FOLDER)
    except AlreadyRunning as error:
        where = f" at {error.addresses}" if error.addresses else ""
        return _fail(f"The demo is running{where}. Stop it first (Ctrl-C where it runs).")
    end_leftovers(FOLDER)
    stop_postgres(FOLDER / "postgres")
    shutil.rmtree(FOLDER)
    hold.release()
    say("The demo's data is deleted; the next `make demo` starts afresh.")
    return 0


def say(line: str) -> None:
    """Print ``line``. A terminal that has gone away is no reason to stop halfway through stopping."""
    try:
        print(line, flush=True)
    except OSError:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115


def env_file(env: Mapping[str, str]) -> str:
    """``env`` in shell form, for ``. .demo/env``."""
    quoted = {name: value.replace("'", "'\\''") for name, value in env.items()}
    lines = ["# Addresses, logins and keys of the running demo. Load them with:  . .demo/env"]
    # These would be preferred to the keys below, or sent with them.
    lines.append("unset AWS_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL AWS_ENDPOINT_URL_MTURK")
    lines += [f"export {name}='{value}'" for name, value in sorted(quoted.items())]
    return "\n".join(lines) + "\n"


def summary(stack: Stack, seconds: float) -> str:
    """What a person wants to know once everything runs; ``seconds`` is how long that took."""
    env = stack.env
    return f"""
Spanwright is ready, after {seconds:.1f} seconds.

  Platform     {env["PLATFORM_URL"]}/
    requester  {env["REQUESTER_USERNAME"]}  {env["REQUESTER_PASSWORD"]}
    admin      {env["ADMIN_USERNAME"]}  {env["ADMIN_PASSWORD"]}

  Marketplace  {env["MARKETPLACE_URL"]}/
    workers    {env["WORKER_1_USERNAME"]} to {env[f"WORKER_{WORKERS}_USERNAME"]}, each with  {env["WORKER_1_PASSWORD"]}
    requester  {env["LAB_USERNAME"]}  {env["LAB_PASSWORD"]}
    operator   {env["OPERATOR_USERNAME"]}  {env["OPERATOR_PASSWORD"]}

  Next: sign in as requester, open the project "{env["DEMO_PROJECT_NAME"]}" and launch a batch (the demo pays
  in play money; you type its total as you would in earnest); then sign in to the marketplace as a worker, in
  another browser or a private window, and take it.

  Scripts:     . .demo/env     (addresses, logins and the keys for boto3)
  Logs:        .demo/logs/
  Stop:        Ctrl-C
"""


def _stack() -> Stack:
    FOLDER.mkdir(exist_ok=True)
    return Stack(
        FOLDER,
        platform_port=_number("PLATFORM_PORT", 8000),
        marketplace_port=_number("MARKETPLACE_PORT", 8001),
        processes=_number("WEB_PROCESSES", 2),
        threads=_number("WEB_THREADS", 4),
        test_hooks=False,
        tick_seconds=TICK_SECONDS,
        # As in earnest: the account pays people and each total is typed. The dollars are nobody's.
        settings={"MTURK_ENDPOINT_PAYS_PEOPLE": "1", "MTURK_ENDPOINT_PLAY_MONEY": "1"},
        external={name: os.environ[name] for name in EXTERNAL if os.environ.get(name)},
        say=say,
    )


def _seed(stack: Stack) -> None:
    """Give the demo its logins, workers and project, and name them in the stack's environment."""
    made = stack.secrets.make(
        "REQUESTER_PASSWORD", "ADMIN_PASSWORD", "WORKER_PASSWORD", "OPERATOR_PASSWORD", "LAB_PASSWORD"
    )
    names = [f"worker-{number}" for number in range(1, WORKERS + 1)]

    def work() -> None:
        stack.say("Making logins, workers and a project")
        workers = stack.create_workers(names, made["WORKER_PASSWORD"])
        stack.create_operator("operator", made["OPERATOR_PASSWORD"])
        stack.secrets.keep(LAB_USERNAME=stack.let_requester_sign_in(made["LAB_PASSWORD"]))
        platform = json.loads(stack.manage("seed_demo", env=made))
        stack.secrets.keep(
            **{f"WORKER_{number}_ID": worker["worker_id"] for number, worker in enumerate(workers, start=1)},
            **{f"DEMO_{name.upper()}": value for name, value in platform.items()},
        )

    stack.once("seeds", [file for pattern in SEEDS for file in ROOT.glob(pattern) if file.is_file()], work)
    for number, name in enumerate(names, start=1):
        stack.env |= {f"WORKER_{number}_USERNAME": name, f"WORKER_{number}_PASSWORD": made["WORKER_PASSWORD"]}
    seeded = {
        name: value for name, value in stack.secrets.values.items() if name.startswith(("WORKER_", "DEMO_", "LAB_"))
    }
    stack.env |= {
        **seeded,
        **made,
        "REQUESTER_USERNAME": "requester",
        "ADMIN_USERNAME": "admin",
        "OPERATOR_USERNAME": "operator",
    }
    stack.env["SPANWRIGHT_DEMO"] = str(FOLDER)
    if stack.postgres:
        stack.env |= {"PGHOST": stack.postgres.socket_dir, "PGUSER": stack.postgres.user}  # for psql


def _number(variable: str, default: int) -> int:
    value = os.environ.get(variable) or str(default)
    if not value.isascii() or not value.isdigit() or int(value) < 1:
        raise ServerError(f"{variable} must be a whole number from 1 up, not {value!r}.")
    return int(value)


def _interrupt_on_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Under nohup a hang-up is to be ignored, and is.
        if not (number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN):
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _ignore_signals()
    raise Interrupted


def _ignore_signals() -> None:
    """Stopping is under way: a second Ctrl-C would only leave something behind."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr, flush=True)
    return 1
