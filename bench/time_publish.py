"""Under the platform's settings: what publishing a batch costs this process.

One order as JSON on standard input: ``{"hits", "runs"}``.
"""

import json
import os
import statistics
import sys
import time
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
django.setup()

from bench.load_platform import launched  # noqa: E402
from hits import mturk  # noqa: E402
from hits.models import HIT  # noqa: E402
from hits.services.publishing import publish  # noqa: E402


def main(order: dict[str, int]) -> dict[str, float]:
    calls: list[str] = []
    events = mturk.client("marketplace").meta.events
    # Each attempt, as it goes out.
    events.register("before-send.mturk", lambda event_name, **_: calls.append(event_name))
    took: dict[str, list[float]] = {"calls": [], "cpu": [], "seconds": []}
    for run in range(order["runs"]):
        batch = launched(f"publish-{run}", order["hits"], places=1, seed=run)
        calls.clear()
        cpu, started = time.process_time(), time.perf_counter()
        done = publish(batch)
        took["cpu"].append(time.process_time() - cpu)
        took["seconds"].append(time.perf_counter() - started)
        took["calls"].append(len(calls))
        opened = HIT.objects.filter(batch=batch, status=HIT.Status.OPEN)
        ids: set[Any] = set(opened.values_list("mturk_hit_id", flat=True))
        if not done == len(ids) == order["hits"]:
            raise SystemExit(f"{order['hits']} HITs were launched, {done} published, {len(ids)} have an id")
    return {name: statistics.median(each) for name, each in took.items()}


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
