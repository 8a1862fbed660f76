"""Running management commands as a person does, with no site, no database and no setting."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def manage(*arguments):
    """Run ``manage.py`` in a process whose environment has nothing of ours, and return it when it has ended."""
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=False,
    )
