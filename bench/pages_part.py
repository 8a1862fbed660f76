"""Every page and list of a project of the size and shape of SQuAD.

Its rows are written once and kept in ``.bench/pages`` as a database to copy; each run works on a copy of its own, so
that it always measures the same state.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.floor import run_module
from bench.report import OUT, Figure, Report
from supervisor import ROOT
from supervisor.servers import Postgres, Redis
from supervisor.sites import PLATFORM, manage

MOST_MS, MOST_QUERIES = 500.0, 15
REQUESTS = 20
# Made when they are asked for and then sent bit by bit: a dataset in rounds of queries, which ``bench export`` weighs,
# and a person's record with a query for each kind of row.
EXPORTS = {"release_file", "worker_record", "api_worker_record"}
KEPT = OUT.parent / "pages"
# What the rows hang on, beside the models; a change of those is a migration, which the copy is brought up to.
LOADERS = ("load_pages.py", "copying.py", "texts.py")
DATABASE = "pages"


def measure(folder: Path, report: Report, say: Callable[[str], None]) -> None:
    """Ask a copy of the loaded platform for its pages; add the figures to ``report``."""
    with _servers(folder) as (postgres, env):
        loaded = _loaded(postgres, env, say)
        say("Copying it, and bringing the copy up to date")
        postgres.drop_database(DATABASE)
        postgres.create_database(DATABASE, template=loaded)
        env["DATABASE_URL"] = postgres.url(DATABASE)
        manage(PLATFORM, env, "migrate", "--no-input")
        say(f"Working out what jobs do, two releases among it, then asking for every page {REQUESTS} times")
        told = json.loads(run_module("bench.time_pages", env, json.dumps({"do": "pages", "runs": REQUESTS})))
        postgres.drop_database(DATABASE)
    report.details["pages"] = told
    _add(report, told)


@contextmanager
def _servers(folder: Path) -> Iterator[tuple[Postgres, dict[str, str]]]:
    postgres = Postgres.start(KEPT / "postgres")
    try:
        redis = Redis.start(folder / "redis")
        try:
            yield (
                postgres,
                {
                    "REDIS_URL": redis.url,
                    "SECRET_KEY": "bench",
                    "PLAIN_HTTP": "1",
                    "RELEASES_DIR": str(folder / "releases"),
                    "CURATIONS_DIR": str(folder / "curations"),
                    "LOG_LEVEL": "ERROR",
                },
            )
        finally:
            redis.stop()
    finally:
        postgres.stop()


def _loaded(postgres: Postgres, env: dict[str, str], say: Callable[[str], None]) -> str:
    """The name of the database with the rows, made where an earlier run has left none."""
    mark = KEPT / "loaded"
    digest = sha256(b"".join((ROOT / "bench" / name).read_bytes() for name in LOADERS)).hexdigest()[:16]
    name = f"loaded_{digest}"
    if mark.exists() and mark.read_text() == f"{name} {postgres.identity}":
        say("Using the 107,785 questions that an earlier run left in .bench/pages")
        return name
    say("Writing 107,785 questions with their work; the next run finds them in .bench/pages")
    if mark.exists():
        postgres.drop_database(mark.read_text().split()[0])
        mark.unlink()
    postgres.drop_database(name)
    postgres.create_database(name)
    env = env | {"DATABASE_URL": postgres.url(name)}
    manage(PLATFORM, env, "migrate", "--no-input")
    run_module("bench.time_pages", env, json.dumps({"do": "load"}))
    mark.write_text(f"{name} {postgres.identity}")
    return name


def _add(report: Report, told: dict[str, Any]) -> None:
    """The table of all pages, and the figures that say whether each keeps to its bounds."""
    slow, many, lines = [], [], []
    for name, page in told["pages"].items():
        if page["status"] >= 400:
            report.problems.append(f"the page {name} answered {page['status']}: {page['address']}")
        ms = sorted(1000 * seconds for seconds in page["seconds"])
        median, most = percentile(ms, 0.5), percentile(ms, 0.95)
        cpu = 1000 * min(page["cpu_seconds"])
        verdict = "export" if name in EXPORTS else "ok"
        if name not in EXPORTS and most > MOST_MS:
            slow.append(name)
            verdict = "MISSED"
        if name not in EXPORTS and page["queries"] > MOST_QUERIES:
            many.append(name)
            verdict = "MISSED"
        kind = "  streamed" if page["streamed"] else ""
        line = f"{median:7.0f} {most:7.0f} {ms[0]:7.0f} {cpu:7.0f} {page['queries']:8}  {verdict:<6}  {name}{kind}"
        lines.append((most, line))
    print(f"ms of {REQUESTS} requests, at most {MOST_MS:g} at p95; queries, at most {MOST_QUERIES}")
    print("    p50     p95   least     cpu  queries")
    print("\n".join(line for _most, line in sorted(lines, reverse=True)))
    load = f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"({load}: where it is far above the cores, read the processor's time and the least)")
    count = f"of {len(lines)} pages and lists, {load}"
    note = f"{count}: {', '.join(slow)}" if slow else count
    report.add(Figure(f"pages over {MOST_MS:g} ms at p95", len(slow), 0, at_most=True, note=note))
    note = f"{count}{': ' if many else ''}{', '.join(many)}"
    report.add(Figure(f"pages over {MOST_QUERIES} queries", len(many), 0, at_most=True, note=note))
    for name, seconds in told["worked"].items():
        report.add(Figure(f"pages: by a job, {name}, s", seconds))


def percentile(ordered: list[float], share: float) -> float:
    """The nearest rank."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
