"""Reading a dump of Wikipedia: against wikiextractor on the same file, and its memory on one of more than a gigabyte.

wikiextractor is under the AGPL and no part of the product: it is installed into an environment of its own, and its
command is run there.
"""

from __future__ import annotations

import bz2
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.report import Figure, Report
from supervisor import ROOT
from supervisor.processes import ServerError, child_environment, python_module

THEIRS = "wikiextractor==3.1.0"
ENVIRONMENT = ROOT / ".bench" / "wikiextractor"
# A dump that lies beside the repository, as the tests know it.
SAMPLES = ROOT.parent / "shared" / "data" / "wikipedia"
_PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
LARGE_BYTES = 2**30
MOST_MEGABYTES = 300
# Articles of the large dump that are turned into text; the others are read past.
_TITLES_OF_LARGE = 3

# What a reader of an article sees none of: braces, link brackets, apostrophes of bold, tags, entities, table marks,
# magic words; and what a template that was taken out leaves behind: empty brackets, a blank before a comma.
MARKUP = re.compile(
    r"\{\{|\}\}|\[\[|\]\]|'{2,}|</?[a-zA-Z]+\b[^<>\n]{0,200}>|&(?:[a-zA-Z]{2,8}|#\d{1,6});|^[|!]|\|\||={2,}|__[A-Z]{3,}__"
    r"|\(\s*[,;:]*\s*\)|(?<=\w) [,;](?=\s)|\(\s*[,;]",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Run:
    """One run of a reader, by the system's own account of it and of what it started."""

    cpu_seconds: float
    wall_seconds: float
    megabytes: float  # the most that one of its processes had in memory


def measure(folder: Path, report: Report, runs: int, dump: Path | None, say: Callable[[str], None]) -> None:
    """Read ``dump`` (without one, the sample beside the repository), ``runs`` times in turn with wikiextractor; add the
    figures to ``report``. Raises ServerError."""
    folder.mkdir(parents=True)
    dump = dump or next(iter(sorted(SAMPLES.glob("*.bz2"))), None)
    if dump is None:
        say("No dump to read: name one with --dump FILE. This part is left out.")
        return
    theirs = _wikiextractor(say)
    say(f"Reading {dump.name}, {runs} times{' in turn with ' + THEIRS if theirs else ''}")
    ours_runs, theirs_runs = [], []
    for turn in range(runs):
        ours_runs.append(_run(python_module("bench.read_dump", str(dump), str(folder / "ours.jsonl"))))
        if theirs:
            out = folder / f"theirs-{turn}"
            theirs_runs.append(_run([*theirs, "--json", "--processes", "1", "--quiet", "-o", str(out), str(dump)]))
    report.details["dump"] = {"ours": [vars(run) for run in ours_runs], "theirs": [vars(run) for run in theirs_runs]}
    ours_cpu = statistics.median(run.cpu_seconds for run in ours_runs)
    ours = _texts([folder / "ours.jsonl"])
    if theirs:
        _compare(report, ours_runs, theirs_runs, ours, _texts(sorted((folder / "theirs-0").rglob("wiki_*"))))
    else:
        report.add(Figure("dump reading in seconds of a core", ours_cpu, note="alone: wikiextractor is not there"))
        report.add(Figure("  markup left, per 1,000 characters", _markup_left(ours)))
    _weigh_large(folder, report, dump, say)


def _compare(
    report: Report, ours_runs: Sequence[Run], theirs_runs: Sequence[Run], ours: list[str], theirs: list[str]
) -> None:
    cpu = [statistics.median(run.cpu_seconds for run in runs) for runs in (ours_runs, theirs_runs)]
    wall = [statistics.median(run.wall_seconds for run in runs) for runs in (ours_runs, theirs_runs)]
    note = f"{cpu[0]:.2f} and {cpu[1]:.2f} s of a core, {wall[0]:.2f} and {wall[1]:.2f} s by the clock"
    report.add(Figure("dump reading per core, to wikiextractor", cpu[1] / cpu[0], 1.0, note=note))
    left = [_markup_left(texts) for texts in (ours, theirs)]
    note = f"{left[0]:.3f} and {left[1]:.3f} signs per 1,000 characters"
    report.add(Figure("  markup left, to wikiextractor", left[0] / max(left[1], 1e-9), 1.0, at_most=True, note=note))
    lengths = [sum(map(len, texts)) for texts in (ours, theirs)]
    note = f"{len(ours):,} and {len(theirs):,} articles; lists and what lost text are not in ours"
    report.add(Figure("  characters of text, to wikiextractor", lengths[0] / max(lengths[1], 1), note=note))


def _weigh_large(folder: Path, report: Report, dump: Path, say: Callable[[str], None]) -> None:
    large = folder / "large.xml.bz2"
    unpacked = _make_large(dump, large)
    titles = [json.loads(line)["title"] for line in (folder / "ours.jsonl").read_text("utf-8").splitlines()]
    say(f"Reading {unpacked / 2**30:.2f} GB of XML, {large.stat().st_size / 2**20:,.0f} MB packed")
    run = _run(python_module("bench.read_dump", str(large), str(folder / "large.jsonl"), *titles[:_TITLES_OF_LARGE]))
    with open(folder / "large.jsonl", "rb") as lines:
        read = sum(1 for _line in lines)
    note = f"{unpacked / 2**30:.2f} GB of XML, {read:,} articles of it as text, {run.cpu_seconds:.0f} s of a core"
    report.add(Figure("  its memory in MB for a large dump", run.megabytes, MOST_MEGABYTES, at_most=True, note=note))
    large.unlink()


def _make_large(dump: Path, large: Path) -> int:
    """Write the pages of ``dump`` to ``large`` again and again, as streams that follow each other, as in a multistream
    dump; return the bytes of XML in it."""
    xml = bz2.decompress(dump.read_bytes())
    begin, end = xml.index(b"<page>"), xml.rindex(b"</page>") + len(b"</page>\n")
    head, pages, foot = (bz2.compress(part) for part in (xml[:begin], xml[begin:end], xml[end:]))
    count = LARGE_BYTES // (end - begin) + 1
    with open(large, "wb") as file:
        file.write(head)
        for _turn in range(count):
            file.write(pages)
        file.write(foot)
    return begin + count * (end - begin) + len(xml) - end


def _wikiextractor(say: Callable[[str], None]) -> list[str]:
    """Its command, from an environment that is made once; empty, and said so, where it cannot be installed."""
    command = [str(ENVIRONMENT / "bin" / "python"), "-m", "wikiextractor.WikiExtractor"]
    is_there = Path(command[0]).exists()
    if is_there and subprocess.run([*command, "--version"], capture_output=True, check=False).returncode == 0:
        return command
    say(f"Installing {THEIRS} (AGPL, for this comparison alone) into {ENVIRONMENT.relative_to(ROOT)}")
    for step in ([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], [command[0], *_PIP, THEIRS]):
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            say(f"wikiextractor cannot be installed, so ours is measured alone: {why}")
            return []
    return command


def _run(command: list[str]) -> Run:
    started = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, env=child_environment({}), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    said = process.stderr.read()
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise ServerError(f"{' '.join(command[:4])} failed: {said.decode(errors='replace').strip()[-2000:]}")
    return Run(used.ru_utime + used.ru_stime, time.perf_counter() - started, used.ru_maxrss / 1024)


def _texts(files: Iterable[Path]) -> list[str]:
    texts = [json.loads(line)["text"] for file in files for line in file.read_text("utf-8").splitlines()]
    return [text for text in texts if text.strip()]


def _markup_left(texts: Iterable[str]) -> float:
    """Signs of markup for each 1,000 characters."""
    signs = characters = 0
    for text in texts:
        signs += sum(1 for _match in MARKUP.finditer(text))
        characters += len(text)
    return 1_000 * signs / max(characters, 1)
