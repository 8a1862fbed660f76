"""Packages of Debian, for what the tests need of the system; only root on Debian gets any."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

RELEASE = Path("/etc/os-release")


def can_install() -> bool:
    """Whether this is Debian, and ours to add to."""
    is_debian = RELEASE.exists() and "ID=debian" in RELEASE.read_text().splitlines() and shutil.which("apt-get")
    return bool(is_debian) and os.geteuid() == 0


def install(*packages: str) -> None:
    """Install ``packages``, or say on standard error why not."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update"], ["apt-get", "install", "--yes", *packages]):
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            print(done.stderr.strip(), file=sys.stderr)
            return
