"""EM and F1 of as many predictions as SQuAD's development set has questions, against the official algorithm written
plainly."""

from __future__ import annotations

import json
from collections.abc import Callable

from bench.floor import run_module
from bench.report import Figure, Report

QUESTIONS = 10_570  # dev of SQuAD 1.1
LEAST = 3.0


def measure(report: Report, runs: int, say: Callable[[str], None]) -> None:
    """Score generated predictions; add the figures to ``report``."""
    say(f"Scoring {QUESTIONS:,} predictions, {runs} times in turn with the official algorithm written plainly")
    told = json.loads(run_module("bench.time_score", {}, json.dumps({"questions": QUESTIONS, "runs": runs})))
    report.details["score"] = told
    if problem := told["problem"]:
        report.problems.append(problem)
    note = f"{told['ours'] * 1000:.0f} and {told['official'] * 1000:.0f} ms"
    report.add(Figure("official algorithm to scoring", told["official"] / told["ours"], LEAST, note=note))
