"""An export and a release of as many questions as SQuAD has: memory, and time against json.dump of the same object."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.floor import run_module
from bench.report import Figure, Report
from supervisor.servers import Postgres
from supervisor.sites import PLATFORM, manage

FEW, MANY = 10_000, 100_000  # questions, of three answers each
MOST_MEGABYTES = 50.0  # that the many may take above the few
MOST = 4.0


def measure(folder: Path, report: Report, runs: int, say: Callable[[str], None]) -> None:
    """Export from a platform of its own in ``folder``; add the figures to ``report``."""
    postgres = Postgres.start(folder / "postgres")
    try:
        postgres.create_database("platform")
        env = {"DATABASE_URL": postgres.url("platform"), "SECRET_KEY": "bench", "PLAIN_HTTP": "1"}
        env["RELEASES_DIR"] = str(folder / "releases")
        manage(PLATFORM, env, "migrate", "--no-input")

        def ask(do: str, questions: int, **order: Any) -> dict[str, float]:
            order |= {"do": do, "questions": questions, "out": str(folder / f"{do}-{questions}")}
            return dict(json.loads(run_module("bench.time_export", env, json.dumps(order))))

        for questions in (FEW, MANY):
            say(f"Taking in {questions:,} questions with three answers each")
            ask("fill", questions)
        say(f"Exporting {FEW:,} and {MANY:,} questions, the latter {runs} times in turn with json.dump")
        few, many = ask("export", FEW, runs=1), ask("export", MANY, runs=runs)
        say(f"Releasing {FEW:,} and {MANY:,} questions, in six formats")
        release_few, release_many = ask("release", FEW), ask("release", MANY)
    finally:
        postgres.stop()
    report.details["export"] = {"few": few, "many": many, "release_few": release_few, "release_many": release_many}
    _add_memory(report, "an export", few, many)
    note = f"{many['export']:.2f} and {many['dump']:.2f} s; {many['megabytes']:.0f} MB"
    name = "export to json.dump of the same object"
    report.add(Figure(name, many["export"] / many["dump"], MOST, at_most=True, note=note))
    _add_memory(report, "a release", release_few, release_many)
    note = f"{release_many['release']:.2f} s for all formats with their checksums"
    report.add(Figure("  a release to json.dump", release_many["release"] / many["dump"], note=note))


def _add_memory(report: Report, what: str, few: dict[str, float], many: dict[str, float]) -> None:
    above = many["peak_megabytes"] - few["peak_megabytes"]
    note = f"{many['peak_megabytes']:.0f} MB with {MANY:,} questions, {few['peak_megabytes']:.0f} with {FEW:,}"
    report.add(Figure(f"MB that {what} of many takes above few", above, MOST_MEGABYTES, at_most=True, note=note))
