"""Counting what goes out to the marketplace, and what doing so costs this process. Django is set up by the caller."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any


def measured(job: Callable[[], int]) -> dict[str, Any]:
    """Run ``job``; its result as ``done``, with its calls, the list calls and refusals among them, CPU and seconds."""
    from hits import mturk

    calls: Counter[str] = Counter()

    def sent(request: Any, **_: Any) -> None:
        calls[request.headers["X-Amz-Target"].decode().rpartition(".")[2]] += 1

    def answered(parsed: dict[str, Any], **_: Any) -> None:
        calls["refused"] += parsed.get("Error", {}).get("Code") == "ThrottlingException"

    events = mturk.client("marketplace").meta.events
    events.register("before-send.mturk", sent)
    events.register("after-call.mturk", answered)
    cpu, started = time.process_time(), time.perf_counter()
    done = job()
    told = {"done": done, "cpu": time.process_time() - cpu, "seconds": time.perf_counter() - started}
    refused, lists = calls.pop("refused", 0), calls["ListAssignmentsForHIT"]
    return told | {"calls": calls.total(), "lists": lists, "refused": refused}
