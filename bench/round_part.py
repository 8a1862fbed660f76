"""The worker's round on both sites against the floor, at several concurrencies and sizes."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.checks import floor_problems_of, problems_of
from bench.floor import DATABASE, Floor, run_module
from bench.load import Crew, Runs, interleaved
from bench.report import Figure, Report
from bench.rounds import (
    PASSWORD,
    QUESTIONS,
    ExtendedFloor,
    FloorPlatformPart,
    OurWorker,
    PlainFloor,
    PlatformWorker,
    Worker,
    sign_all_in,
)
from bench.texts import Texts
from supervisor.servers import postmaster
from supervisor.stack import Stack

PLACES = 3  # workers a HIT, as many as a question of SQuAD's dev set has answers
SMALL_TASKS = 1000
FLOOR_TEXTS = 1000
WRITES_NOTHING = {"LOG_LEVEL": "WARNING"}
EXTENDED_SHARE, PLATFORM_SHARE, WHOLE_SHARE, GROWTH = 0.8, 0.7, 0.4, 1.3


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    tasks: int = 100_000
    concurrencies: tuple[int, ...] = (1, 8, 32)
    runs: int = 5
    seconds: float = 4.0
    grows_at: int = 8  # concurrency at which the two sizes are compared

    @property
    def workers(self) -> int:
        return max(*self.concurrencies, self.grows_at)


@dataclass
class Size:
    """Our two sites with a number of tasks, and who works there."""

    stack: Stack
    whole: Crew
    platform_part: Crew
    rounds: int  # that there are places for

    def problems(self, *, drained: bool) -> list[str]:
        """See ``checks.problems_of``."""
        return problems_of(
            self.stack.env["DATABASE_URL"],
            self.stack.env["MARKETPLACE_DATABASE_URL"],
            whole_rounds=self.whole.rounds_done,
            platform_rounds=self.platform_part.rounds_done,
            drained=drained,
        )


def measure(folder: Path, report: Report, plan: Plan, say: Callable[[str], None]) -> None:
    """Measure rounds, with all data in ``folder``; add the figures to ``report``."""
    names = [f"worker-{number}" for number in range(1, plan.workers + 1)]
    large_stack = Stack(folder / "large", celery=False, test_hooks=False, settings=WRITES_NOTHING, say=say)
    with large_stack:
        postgres = large_stack.postgres
        assert postgres is not None
        for name in ("platform_small", "marketplace_small"):
            postgres.create_database(name)
        addresses = {
            "DATABASE_URL": postgres.url("platform_small"),
            "MARKETPLACE_DATABASE_URL": postgres.url("marketplace_small"),
            "REDIS_URL": large_stack.env["REDIS_URL"],
        }
        small_stack = Stack(
            folder / "small", celery=False, test_hooks=False, settings=WRITES_NOTHING, external=addresses, say=say
        )
        with small_stack:
            database = postmaster(postgres.data_dir)
            assert database is not None
            say(f"Loading {SMALL_TASKS:,} tasks")
            small = size_of(small_stack, SMALL_TASKS, names, database.pid)
            say(f"Loading {plan.tasks:,} tasks")
            large = size_of(large_stack, plan.tasks, names, database.pid)
            say("Loading the floor")
            texts = Texts(1)
            floor = Floor.start(
                postgres,
                folder / "floor",
                texts=[texts.paragraph() for _ in range(min(FLOOR_TEXTS, plan.tasks))],
                tasks=plan.tasks,
                places=PLACES,
                users=names,
            )
            try:
                compare(report, plan, floor, small, large, names, database.pid, say)
                finish(report, postgres.url(DATABASE), small, large, say)
            finally:
                floor.site.stop()


def size_of(stack: Stack, tasks: int, names: list[str], database: int) -> Size:
    """Load ``stack`` with ``tasks`` HITs and sign the workers in."""
    order = {"slug": "bench", "tasks": tasks, "places": PLACES, "seed": tasks}
    told = run_module("bench.load_platform", stack.env, json.dumps(order))
    run_module("bench.load_marketplace", stack.env, told)
    frames = iter(json.loads(told)["frames"][::-1])
    stack.create_workers(names, PASSWORD)
    assert stack.platform is not None
    assert stack.marketplace is not None
    whole = [OurWorker(name, stack.marketplace_url, platform_url=stack.platform_url) for name in names]
    alone = [
        PlatformWorker(f"BENCH{name}", stack.platform_url, frames=frames, marketplace_url=stack.marketplace_url)
        for name in names
    ]
    sign_all_in(whole)
    platform, marketplace = stack.platform.child.pid, stack.marketplace.child.pid
    return Size(
        stack, Crew(whole, [platform, marketplace], database), Crew(alone, [platform], database), tasks * PLACES
    )


def compare(
    report: Report,
    plan: Plan,
    floor: Floor,
    small: Size,
    large: Size,
    names: list[str],
    database: int,
    say: Callable[[str], None],
) -> None:
    """The ratios at each concurrency, and between the two sizes."""
    tasks = itertools.count(floor.first_task)
    kinds: dict[str, Sequence[Worker]] = {
        "floor, plain": [PlainFloor(name, floor.url) for name in names],
        "floor, extended": [ExtendedFloor(name, floor.url) for name in names],
        "floor, platform's part": [FloorPlatformPart(name, floor.url, tasks=tasks) for name in names],
    }
    for workers in kinds.values():
        sign_all_in(workers)
    crews = {name: Crew(workers, [floor.site.child.pid], database) for name, workers in kinds.items()}
    crews |= {"ours, platform's part": large.platform_part, "ours, whole": large.whole}
    done, total = itertools.count(1), plan.runs * (len(plan.concurrencies) * len(crews) + 2)

    def told() -> None:
        say(f"  run {next(done)} of {total}")

    for concurrency in plan.concurrencies:
        results = interleaved(crews, concurrency, runs=plan.runs, seconds=plan.seconds, told=told)
        report_ratios(report, concurrency, results)
    sizes = {"few": small.whole, "many": large.whole}
    # Few tasks must last for all runs.
    most = SMALL_TASKS * PLACES * 8 // 10 // plan.runs
    results = interleaved(sizes, plan.grows_at, runs=plan.runs, seconds=plan.seconds, told=told, most_rounds=most)
    few, many = results["few"], results["many"]
    note = f"{few.rounds_a_second:.1f} and {many.rounds_a_second:.1f} rounds/s, {plan.grows_at} workers"
    growth = few.rounds_a_second / many.rounds_a_second
    report.add(
        Figure(f"cost of a round at {plan.tasks:,} tasks to {SMALL_TASKS:,}", growth, GROWTH, at_most=True, note=note)
    )
    cpu_growth = many.cpu_ms_a_round / few.cpu_ms_a_round
    report.add(Figure("  the same in CPU time", cpu_growth))
    report.details["sizes"] = {name: shown(runs) for name, runs in results.items()}


def report_ratios(report: Report, concurrency: int, results: dict[str, Runs]) -> None:
    """Figures of one concurrency."""
    plain, extended = results["floor, plain"], results["floor, extended"]
    people = f"{concurrency:>2} worker{'s' if concurrency > 1 else ' '}"
    share = extended.requests_a_second / plain.requests_a_second
    note = f"{extended.requests_a_second:.0f} and {plain.requests_a_second:.0f} requests/s"
    report.add(Figure(f"{people}: extended floor to plain floor", share, EXTENDED_SHARE, note=note))
    if share < EXTENDED_SHARE:
        report.problems.append(f"the extended floor is too slow at {people}: {share:.2f} of the plain one")
    for name, ours, floor, target in (
        ("platform's part", results["ours, platform's part"], results["floor, platform's part"], PLATFORM_SHARE),
        ("whole round", results["ours, whole"], extended, WHOLE_SHARE),
    ):
        note = f"{ours.rounds_a_second:.1f} and {floor.rounds_a_second:.1f} rounds/s, client {ours.client_share:.0%}"
        ratio = ours.rounds_a_second / floor.rounds_a_second
        report.add(Figure(f"{people}: {name} to the floor's", ratio, target, note=note))
        note = f"{ours.cpu_ms_a_round:.1f} and {floor.cpu_ms_a_round:.1f} ms a round"
        report.add(Figure("  the same in CPU time", floor.cpu_ms_a_round / ours.cpu_ms_a_round, note=note))
    report.details[people] = {name: shown(runs) for name, runs in results.items()}


def shown(runs: Runs) -> dict[str, Any]:
    """Medians and every run, for the JSON."""
    return {
        "rounds_a_second": runs.rounds_a_second,
        "requests_a_second": runs.requests_a_second,
        "cpu_ms_a_round": runs.cpu_ms_a_round,
        "client_share_of_cpu": runs.client_share,
        "each_rounds_a_second": [run.rounds_a_second for run in runs.runs],
        "each_cpu_ms_a_round": [run.cpu_ms_a_round for run in runs.runs],
    }


def finish(report: Report, floor: str, small: Size, large: Size, say: Callable[[str], None]) -> None:
    """Let everybody work on the few tasks until none is left, and look into the databases."""
    say("Doing the rest of the few tasks, and checking the databases")
    small.whole.drain(lambda done: say(f"  {done:,} of {small.rounds:,} rounds"))
    report.problems += [f"with few tasks, {problem}" for problem in small.problems(drained=True)]
    report.problems += [f"with many tasks, {problem}" for problem in large.problems(drained=False)]
    report.problems += floor_problems_of(floor, PLACES)
    rounds = small.whole.rounds_done + large.whole.rounds_done
    report.details["checked_rounds"] = {
        "whole": rounds,
        "platform's part": large.platform_part.rounds_done,
        "questions_each": QUESTIONS,
    }
    say(f"  {rounds:,} whole rounds checked in both databases")
