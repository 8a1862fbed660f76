"""Publishing HITs and fetching what was submitted: calls and CPU time for each, and how a throttling endpoint fares."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.floor import run_module
from bench.report import Figure, Report
from supervisor.stack import Stack

PLACES = 9  # of a HIT whose submissions are fetched: what the surcharge on large HITs leaves
CONNECTIONS = 4
MOST_CALLS, MOST_CPU_MS = 1.2, 10.0
LEAST_FOR_ALL_CALLS = 200  # HITs
RATE = 5.0  # calls a second, where the endpoint throttles
MOST_OVER_RATE = 1.2


def measure(folder: Path, report: Report, hits: int, say: Callable[[str], None]) -> None:
    """Publish ``hits`` HITs, fetch twice as many submissions, and do some of both under throttling; add the figures."""
    with Stack(folder / "stack", celery=False, test_hooks=False, settings={"LOG_LEVEL": "WARNING"}, say=say) as stack:
        # The demo's prepaid funds would not do for as many HITs.
        _ask(stack, "bench.tell_marketplace", funds="10000000.00")
        say(f"Publishing {hits:,} HITs")
        published = _ask(stack, "bench.time_publish", slug="publish", hits=hits, places=1, connections=CONNECTIONS)
        _report_publishing(report, published, hits)
        for_sync = -(-2 * hits // PLACES)
        say(f"Fetching {for_sync * PLACES:,} submissions")
        _ask(stack, "bench.time_publish", slug="sync", hits=for_sync, places=PLACES, connections=CONNECTIONS)
        _ask(stack, "bench.tell_marketplace", submit="sync", hits=for_sync, places=PLACES)
        _report_sync(report, _ask(stack, "bench.time_sync", slug="sync"), for_sync)
        throttled = max(60, hits // 25)
        say(f"Publishing {throttled:,} HITs and fetching as many submissions, at {RATE:g} calls a second")
        _ask(stack, "bench.tell_marketplace", rate=RATE)
        slow = _ask(stack, "bench.time_publish", slug="slow", hits=throttled, places=1, connections=CONNECTIONS)
        _ask(stack, "bench.tell_marketplace", submit="slow", hits=throttled, places=1)
        _report_throttled(report, slow, _ask(stack, "bench.time_sync", slug="slow"), throttled)


def _ask(stack: Stack, module: str, **order: Any) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(run_module(module, stack.env, json.dumps(order)))
    return told


def _report_publishing(report: Report, told: dict[str, Any], hits: int) -> None:
    report.details["publish"] = told
    note = f"{hits:,} HITs over {CONNECTIONS} connections"
    report.add(Figure("publishing: calls a HIT", told["calls"] / hits, MOST_CALLS, at_most=True, note=note))
    note = f"of {told['seconds'] * 1000 / hits:.1f} ms on the clock, the marketplace's own work included"
    report.add(Figure("publishing: own CPU a HIT, ms", told["cpu"] * 1000 / hits, MOST_CPU_MS, at_most=True, note=note))


def _report_sync(report: Report, told: dict[str, Any], hits: int) -> None:
    report.details["sync"] = told
    note = f"{hits:,} HITs with {PLACES} submissions each; {told['calls'] - told['lists']} other calls"
    report.add(Figure("sync: list calls a HIT", told["lists"] / hits, 1.0, at_most=True, note=note))
    # The pass over the endpoint's list, and telling it of each worker, weigh little only where there are many HITs.
    target = MOST_CALLS if hits >= LEAST_FOR_ALL_CALLS else None
    report.add(Figure("sync: calls a HIT", told["calls"] / hits, target, at_most=True))
    each = told["cpu"] * 1000 / (hits * PLACES)
    note = f"{each * PLACES:.0f} ms a HIT, of {told['seconds'] * 1000 / hits:.0f} ms on the clock"
    report.add(Figure("sync: own CPU a submission, ms", each, MOST_CPU_MS, at_most=True, note=note))


def _report_throttled(report: Report, published: dict[str, Any], synced: dict[str, Any], hits: int) -> None:
    report.details["throttled"] = {"publish": published, "sync": synced}
    for name, told in (("publishing", published), ("sync", synced)):
        ratio = told["calls"] / told["seconds"] / RATE
        note = f"{told['calls']} calls in {told['seconds']:.0f} s; {told['refused']} of them refused"
        report.add(Figure(f"throttled {name}: calls to the rate", ratio, MOST_OVER_RATE, at_most=True, note=note))
    if not published["done"] == synced["done"] == hits:
        report.problems.append(f"throttled: {published['done']} published and {synced['done']} fetched of {hits}")
