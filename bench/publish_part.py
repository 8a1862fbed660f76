"""Publishing HITs at the marketplace: calls and CPU time for each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from bench.floor import run_module
from bench.report import Figure, Report
from supervisor.stack import Stack

HITS = 1000
MOST_CALLS, MOST_CPU_MS = 1.2, 10.0


def measure(folder: Path, report: Report, runs: int, say: Callable[[str], None]) -> None:
    """Publish HITS HITs ``runs`` times, each in a project of its own; add the figures to ``report``."""
    with Stack(folder / "stack", celery=False, test_hooks=False, settings={"LOG_LEVEL": "WARNING"}, say=say) as stack:
        say(f"Publishing {HITS:,} HITs, {runs} times")
        told = json.loads(run_module("bench.time_publish", stack.env, json.dumps({"hits": HITS, "runs": runs})))
    report.details["publish"] = told
    note = f"{HITS:,} HITs"
    report.add(Figure("publishing: calls a HIT", told["calls"] / HITS, MOST_CALLS, at_most=True, note=note))
    note = f"of {told['seconds'] * 1000 / HITS:.1f} ms on the clock, the marketplace's own work included"
    report.add(Figure("publishing: own CPU a HIT, ms", told["cpu"] * 1000 / HITS, MOST_CPU_MS, at_most=True, note=note))
