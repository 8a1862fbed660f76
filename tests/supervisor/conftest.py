"""Pieces for the supervisor's tests: they start real servers and sites in folders of their own."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from supervisor.processes import FOLDER_MARK


def processes_of(folder: Path) -> list[str]:
    """The command lines of everything that runs for the stack in ``folder``."""
    found = []
    for process in psutil.process_iter():
        try:
            command = process.cmdline()
            marked = process.environ().get(FOLDER_MARK) == str(folder)
        except psutil.Error:
            continue
        if marked or any(str(folder) in word for word in command):
            found.append(" ".join(command))
    return found


@pytest.fixture
def holder():
    """Starts a Python program that uses the supervisor, and hands it over once it has printed a line."""
    started = []

    def start(program: str, *arguments: object) -> tuple[subprocess.Popen, str]:
        process = subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            env={name: value for name, value in os.environ.items() if name != FOLDER_MARK},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process, process.stdout.readline().strip()

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
