"""Running management commands as a person does, with no database in reach."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def manage(*arguments):
    """Run ``manage.py`` in a process that knows no database and return it when it has ended."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("DATABASE_URL")}
    environment |= {"SECRET_KEY": "tests-only", "REDIS_URL": "redis://127.0.0.1:1/0"}
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=False,
    )
