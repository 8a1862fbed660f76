"""Under the platform's settings: every page of the project of ``bench.load_pages``, asked for again and again.

One order as JSON on standard input: ``{"do": "load" or "pages", "runs"}``. *load* writes the project's rows and nothing
else. *pages* has jobs work out what they do, then tells for each page its seconds (server time, in this process, from
the request to the whole answer, or to the first bytes of one that is streamed), the processor's part of them, its
queries and its status.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from accounts.models import User  # noqa: E402
from annotation.models import Project  # noqa: E402
from bench.load_pages import load, new_project  # noqa: E402
from bench.page_addresses import addresses  # noqa: E402
from bench.prepare_pages import prepare  # noqa: E402

SLUG = "size-of-squad"
# For one page at most.
MOST_SECONDS = 15.0
METHOD_NOT_ALLOWED, FORBIDDEN = 405, 403


def main(order: dict[str, Any]) -> dict[str, Any]:
    if order["do"] == "load":
        load(*new_project(SLUG))
        return {}
    project, user = Project.objects.get(slug=SLUG), User.objects.get(username=SLUG)
    worked = prepare(project, user)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    logging.disable(logging.WARNING)  # what only takes in says so
    pages = {}
    for name, address in addresses(project).items():
        page = _timed(client, address, order["runs"])
        # What takes in alone, and what nobody adds or deletes by hand.
        if page["status"] not in (METHOD_NOT_ALLOWED, FORBIDDEN):
            pages[name] = page
    return {"pages": pages, "worked": worked}


def _timed(client: Client, address: str, runs: int) -> dict[str, Any]:
    """``address`` asked for once to warm up with its queries counted, then ``runs`` times with its seconds."""
    with CaptureQueriesContext(connection) as queries:
        response, is_streamed = _asked(client, address)
    slowest = max(queries.captured_queries, key=lambda query: float(query["time"]), default={"sql": "", "time": "0"})
    told = {
        "address": address,
        "status": response.status_code,
        "queries": len(queries),
        "streamed": is_streamed,
        "slowest_query": [float(slowest["time"]), slowest["sql"][:600]],
        "seconds": [],
        "cpu_seconds": [],
    }
    if response.status_code in (METHOD_NOT_ALLOWED, FORBIDDEN):
        return told
    for _ in range(runs):
        started, cpu = time.perf_counter(), time.process_time()
        _asked(client, address)
        told["seconds"].append(time.perf_counter() - started)
        told["cpu_seconds"].append(time.process_time() - cpu)
        if sum(told["seconds"]) > MOST_SECONDS:
            break
    print(f"{address}: {max(told['seconds']):.2f} s, {told['queries']} queries", file=sys.stderr, flush=True)
    return told


def _asked(client: Client, address: str) -> tuple[Any, bool]:
    """The answer with its content, or with the first bytes of it where it is streamed; and whether it is."""
    response = client.get(address)
    if response.streaming:
        next(iter(response), b"")
        response.close()
    return response, response.streaming


if __name__ == "__main__":
    order = json.load(sys.stdin)
    print(json.dumps(main(order)))
