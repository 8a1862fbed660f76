"""Run the parts that are asked for, print the table, keep the figures in ``.bench/results.json``."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from bench import (
    curate_part,
    dump_part,
    export_part,
    import_part,
    page_part,
    pages_part,
    publish_part,
    review_part,
    round_part,
    score_part,
)
from bench.client import WrongAnswer
from bench.report import OUT, Report
from bench.rounds import NothingLeft
from supervisor import ROOT
from supervisor.processes import ServerError

PARTS = ("round", "import", "publish", "page", "pages", "review", "curate", "score", "dump", "export")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure speed, as ratios.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; all without any")
    parser.add_argument("--tasks", type=int, default=100_000, help="tasks that rounds are measured with")
    parser.add_argument("--hits", type=int, default=5_000, help="HITs that are published; 500 for a quick look")
    parser.add_argument("--runs", type=int, default=5, help="runs of which the median counts")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of a run")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 8, 32], help="concurrent workers")
    parser.add_argument("--dump", type=Path, metavar="FILE", help="a dump of a wiki to read, .xml.bz2")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    started = time.monotonic()

    def say(line: str) -> None:
        print(f"[{time.monotonic() - started:5.0f} s] {line}", flush=True)

    plan = round_part.Plan(options.tasks, tuple(options.workers), options.runs, options.seconds)
    report = Report()
    with tempfile.TemporaryDirectory(prefix="spanwright-bench-") as folder:
        try:
            for part in options.parts or PARTS:
                say(f"Part: {part}")
                if part == "round":
                    round_part.measure(Path(folder) / part, report, plan, say)
                elif part == "curate":
                    curate_part.measure(Path(folder) / part, report, options.runs, say)
                elif part == "score":
                    score_part.measure(report, options.runs, say)
                elif part == "dump":
                    dump_part.measure(Path(folder) / part, report, options.runs, options.dump, say)
                elif part == "export":
                    export_part.measure(Path(folder) / part, report, options.runs, say)
                elif part == "import":
                    import_part.measure(Path(folder) / part, report, options.runs, say)
                elif part == "pages":
                    pages_part.measure(Path(folder) / part, report, say)
                elif part == "review":
                    review_part.measure(Path(folder) / part, report, say)
                elif part == "publish":
                    publish_part.measure(Path(folder) / part, report, options.hits, say)
                else:
                    page_part.measure(Path(folder) / part, report, options.runs, say)
        except (ServerError, WrongAnswer, NothingLeft) as error:
            print(f"The benchmarks failed: {error}", file=sys.stderr)
            for log in sorted(Path(folder).glob("*/*/logs/*.log")):
                print(f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}", file=sys.stderr)
            return 1
    print(report.text())
    report.keep()
    print(f"Kept in {OUT.relative_to(ROOT)}")
    return 0 if report.passes else 1


if __name__ == "__main__":
    sys.exit(main())
