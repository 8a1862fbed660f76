"""Taking in as many paragraphs as SQuAD has, against a bare COPY of the same rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from bench.floor import run_module
from bench.report import Figure, Report
from supervisor.servers import Postgres
from supervisor.sites import PLATFORM, manage

PARAGRAPHS = 23_215  # SQuAD 1.0; paper, section 3.1
MOST = 5.0


def measure(folder: Path, report: Report, runs: int, say: Callable[[str], None]) -> None:
    """Import into an empty platform of its own in ``folder``; add the figures to ``report``."""
    postgres = Postgres.start(folder / "postgres")
    try:
        postgres.create_database("platform")
        env = {"DATABASE_URL": postgres.url("platform"), "SECRET_KEY": "bench", "PLAIN_HTTP": "1"}
        manage(PLATFORM, env, "migrate", "--no-input")
        say(f"Importing {PARAGRAPHS:,} paragraphs, {runs} times in turn with COPY")
        order = {"paragraphs": PARAGRAPHS, "runs": runs, "file": str(folder / "passages.jsonl")}
        told = json.loads(run_module("bench.time_import", env, json.dumps(order)))
    finally:
        postgres.stop()
    report.details["import"] = told
    note = f"{told['service']:.2f} and {told['copy']:.2f} s; {told['megabytes']:.0f} MB"
    report.add(
        Figure("import to a COPY of the same rows", told["service"] / told["copy"], MOST, at_most=True, note=note)
    )
    note = f"{told['copy_heap']:.2f} s into a table without any index or key"
    report.add(Figure("  to a COPY without indexes", told["service"] / told["copy_heap"], note=note))
    note = f"{told['command']:.2f} s, starting Python included"
    report.add(Figure("  the whole command", told["command"] / told["copy"], note=note))
