"""Putting a site under load: so many workers at once, for so many seconds, and what that cost."""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import psutil

from bench.rounds import NothingLeft, Worker

TELL_SECONDS = 10


@dataclass(frozen=True)
class Run:
    """One run: what was served in its window. CPU times are seconds of all processes of that kind."""

    seconds: float
    requests: int
    requests_a_round: int
    sites_cpu: float
    database_cpu: float
    client_cpu: float

    @property
    def requests_a_second(self) -> float:
        return self.requests / self.seconds

    @property
    def rounds_a_second(self) -> float:
        """Requests in the window, whole or half rounds, divided by those of a round."""
        return self.requests_a_second / self.requests_a_round

    @property
    def cpu_ms_a_round(self) -> float:
        """CPU of the sites and of PostgreSQL for one round, in milliseconds."""
        return 1000 * (self.sites_cpu + self.database_cpu) * self.requests_a_round / max(1, self.requests)

    @property
    def client_share(self) -> float:
        """The client's part of the CPU time that was used, from 0 to 1."""
        return self.client_cpu / max(1e-9, self.sites_cpu + self.database_cpu + self.client_cpu)


@dataclass
class Runs:
    """The runs of one kind of round at one concurrency."""

    runs: list[Run] = field(default_factory=list)

    def median(self, value: Callable[[Run], float]) -> float:
        return statistics.median(map(value, self.runs))

    @property
    def rounds_a_second(self) -> float:
        return self.median(lambda run: run.rounds_a_second)

    @property
    def requests_a_second(self) -> float:
        return self.median(lambda run: run.requests_a_second)

    @property
    def cpu_ms_a_round(self) -> float:
        return self.median(lambda run: run.cpu_ms_a_round)

    @property
    def client_share(self) -> float:
        return self.median(lambda run: run.client_share)


@dataclass
class Crew:
    """Workers of one kind, and the processes whose CPU time their rounds cost."""

    workers: Sequence[Worker]
    sites: Sequence[int]  # process ids of gunicorn's masters
    database: int  # process id of PostgreSQL's postmaster

    def run(self, concurrency: int, seconds: float, warm_up: float = 0.5, most_rounds: int | None = None) -> Run:
        """Let ``concurrency`` workers do rounds; what is answered between ``warm_up`` and ``seconds`` later counts.

        The run ends early after ``most_rounds``. Raises NothingLeft, WrongAnswer.
        """
        counter = _Counter(concurrency)
        problems: list[BaseException] = []
        stop = threading.Event()

        def work(worker: Worker, place: int) -> None:
            worker.heard = lambda: counter.add(place)
            try:
                while not stop.is_set():
                    do_round(worker)
            except BaseException as problem:
                problems.append(problem)
                stop.set()

        threads = [
            threading.Thread(target=work, args=(worker, place), daemon=True)
            for place, worker in enumerate(self.workers[:concurrency])
        ]
        a_round = self.workers[0].requests_a_round
        most = None if most_rounds is None else most_rounds * a_round
        for thread in threads:
            thread.start()
        stop.wait(warm_up)
        cpu, heard, started = self._cpu(), counter.total, time.monotonic()
        while not stop.is_set() and time.monotonic() - started < seconds and (most is None or counter.total < most):
            stop.wait(0.02)
        elapsed, requests, used = time.monotonic() - started, counter.total - heard, self._cpu()
        stop.set()
        for thread in threads:
            thread.join()
        for worker in self.workers[:concurrency]:
            worker.leave()
        if problems:
            raise problems[0]
        return Run(elapsed, requests, a_round, *(after - before for before, after in zip(cpu, used, strict=True)))

    def drain(self, told: Callable[[int], None]) -> None:
        """Let all workers do rounds until none of them finds anything more. ``told`` hears now and then how many have
        come to their end. Raises WrongAnswer."""
        problems: list[BaseException] = []

        def work(worker: Worker) -> None:
            try:
                while True:
                    do_round(worker)
            except NothingLeft:
                worker.leave()
            except BaseException as problem:
                problems.append(problem)

        threads = [threading.Thread(target=work, args=(worker,), daemon=True) for worker in self.workers]
        for thread in threads:
            thread.start()
        last = time.monotonic()
        for thread in threads:
            while thread.is_alive():
                thread.join(1)
                if time.monotonic() - last > TELL_SECONDS:
                    last = time.monotonic()
                    told(self.rounds_done)
        if problems:
            raise problems[0]

    @property
    def rounds_done(self) -> int:
        """Rounds that came to their end, in all runs so far."""
        return sum(worker.done for worker in self.workers)

    def _cpu(self) -> tuple[float, float, float]:
        own = os.times()
        return sum(map(_tree_cpu, self.sites)), _tree_cpu(self.database), own.user + own.system


def do_round(worker: Worker) -> None:
    worker.round()
    worker.leave()
    worker.done += 1


class _Counter:
    """Counts answers; each worker has a place of its own, so that none waits for another."""

    def __init__(self, places: int) -> None:
        self._counts = [0] * places

    def add(self, place: int) -> None:
        self._counts[place] += 1

    @property
    def total(self) -> int:
        return sum(self._counts)


def _tree_cpu(pid: int) -> float:
    """Seconds of CPU that the process and its children have used so far."""
    root = psutil.Process(pid)
    total = 0.0
    for process in (root, *root.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


def interleaved(
    crews: dict[str, Crew],
    concurrency: int,
    *,
    runs: int,
    seconds: float,
    told: Callable[[], None],
    most_rounds: int | None = None,
) -> dict[str, Runs]:
    """``runs`` runs of each crew, taking turns, so that what disturbs the machine disturbs all of them."""
    results = {name: Runs() for name in crews}
    for _ in range(runs):
        for name, crew in crews.items():
            results[name].runs.append(crew.run(concurrency, seconds, most_rounds=most_rounds))
            told()
    return results
