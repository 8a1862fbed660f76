"""As many paragraphs as SQuAD has, filtered and freed of near-duplicates in one pass, against reading them alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from bench.floor import run_module
from bench.report import Figure, Report

PARAGRAPHS = 23_215  # SQuAD 1.0; paper, section 3.1
MOST_MEGABYTES = 300
# Against MinHash alone: making datasketch's signatures of the same paragraphs and asking its index for each.
MOST = 4.0


def measure(folder: Path, report: Report, runs: int, say: Callable[[str], None]) -> None:
    """Curate a generated file in ``folder``; add the figures to ``report``."""
    folder.mkdir(parents=True)
    say(f"Curating {PARAGRAPHS:,} paragraphs, {runs} times in turn with MinHash alone")
    order = {"paragraphs": PARAGRAPHS, "runs": runs, "folder": str(folder)}
    told = json.loads(run_module("bench.time_curate", {}, json.dumps(order)))
    report.details["curate"] = told
    if problem := told["problem"]:
        report.problems.append(problem)
    note = f"{told['curate']:.2f} and {told['minhash']:.2f} s; {PARAGRAPHS / told['curate']:,.0f} paragraphs a second"
    report.add(Figure("curate to MinHash alone", told["curate"] / told["minhash"], MOST, at_most=True, note=note))
    note = f"of which {told['base_megabytes']:.0f} MB before the first paragraph"
    report.add(Figure("  its memory in MB", told["megabytes"], MOST_MEGABYTES, at_most=True, note=note))
    report.add(
        Figure("  the language check to it", told["language"] / told["curate"], note=f"{told['language']:.2f} s")
    )
