"""Every page of the reviewer's and of the passages, on a project of the size and shape of SQuAD."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

from bench.floor import run_module
from bench.report import Figure, Report
from supervisor.servers import Postgres, Redis
from supervisor.sites import PLATFORM, manage

MOST_MS, MOST_QUERIES = 500.0, 15
REQUESTS = 20


def measure(folder: Path, report: Report, say: Callable[[str], None]) -> None:
    """Load a platform of its own in ``folder`` and ask for its pages; add the figures to ``report``."""
    postgres = Postgres.start(folder / "postgres")
    try:
        redis = Redis.start(folder / "redis")
        try:
            postgres.create_database("platform")
            env = {
                "DATABASE_URL": postgres.url("platform"),
                "REDIS_URL": redis.url,
                "SECRET_KEY": "bench",
                "PLAIN_HTTP": "1",
                "RELEASES_DIR": str(folder / "releases"),
                "CURATIONS_DIR": str(folder / "curations"),
                "LOG_LEVEL": "ERROR",
            }
            manage(PLATFORM, env, "migrate", "--no-input")
            say("Loading 107,785 questions with their work, then asking for every page")
            told = json.loads(run_module("bench.time_pages", env, json.dumps({"runs": REQUESTS, "release": True})))
        finally:
            redis.stop()
    finally:
        postgres.stop()
    report.details["pages"] = told
    for name, page in told["pages"].items():
        if page["status"] >= 400:
            report.problems.append(f"the page {name} answered {page['status']}")
        ms = sorted(1000 * seconds for seconds in page["seconds"])
        note = f"p95 of {len(ms)}; median {ms[len(ms) // 2]:.0f} ms"
        report.add(Figure(f"pages: {name}, ms", percentile(ms, 0.95), MOST_MS, at_most=True, note=note))
        report.add(Figure("  queries", page["queries"], MOST_QUERIES, at_most=True))
    for name, seconds in told["worked"].items():
        report.add(Figure(f"pages: in the background, {name}, s", seconds))


def percentile(ordered: list[float], share: float) -> float:
    """The nearest rank."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
