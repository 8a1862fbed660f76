"""Figures, what they should be, and how they are shown."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil

from supervisor import ROOT

OUT = ROOT / ".bench" / "results.json"


@dataclass(frozen=True)
class Figure:
    """One line of the report. Without a target it is there to be read."""

    name: str
    value: float
    target: float | None = None
    at_most: bool = False  # else the target is the least
    note: str = ""

    @property
    def passes(self) -> bool | None:
        if self.target is None:
            return None
        return self.value <= self.target if self.at_most else self.value >= self.target

    @property
    def wanted(self) -> str:
        return "" if self.target is None else f"{'<=' if self.at_most else '>='} {self.target:g}"


@dataclass
class Report:
    """All figures of one call of the benchmarks, and whatever makes them worthless."""

    figures: list[Figure] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    load_before: float = field(default_factory=lambda: os.getloadavg()[0])

    def add(self, figure: Figure) -> None:
        self.figures.append(figure)

    @property
    def passes(self) -> bool:
        return not self.problems and all(figure.passes is not False for figure in self.figures)

    @property
    def machine(self) -> dict[str, Any]:
        """What the absolute numbers depend on."""
        return {
            "processor": _processor(),
            "cores": os.cpu_count(),
            "memory_gb": round(psutil.virtual_memory().total / 2**30, 1),
            "python": platform.python_version(),
            "load_before": round(self.load_before, 2),
        }

    def text(self) -> str:
        """The table for the terminal."""
        width = max((len(figure.name) for figure in self.figures), default=0)
        said = {None: "", True: "ok", False: "MISSED"}
        lines = [
            f"{figure.name:<{width}}  {figure.value:>9.3f}  {figure.wanted:<8}  {said[figure.passes]:<6}  {figure.note}"
            for figure in self.figures
        ]
        machine = ", ".join(f"{name} {value}" for name, value in self.machine.items())
        return "\n".join(
            [*(line.rstrip() for line in lines), *(f"VOID: {problem}" for problem in self.problems), f"({machine})"]
        )

    def keep(self, file: Path = OUT) -> None:
        """Write everything as JSON."""
        file.parent.mkdir(parents=True, exist_ok=True)
        shown = {
            "passes": self.passes,
            "machine": self.machine,
            "figures": [asdict(figure) | {"passes": figure.passes} for figure in self.figures],
            "problems": self.problems,
            "details": self.details,
        }
        file.write_text(json.dumps(shown, indent=1) + "\n")


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()
