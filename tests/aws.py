"""SQS and SNS on this machine: moto's server in a process of its own."""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from supervisor.ports import free_port

KEYS = {"region_name": "us-east-1", "aws_access_key_id": "test", "aws_secret_access_key": "test"}


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The address of a fresh server, which logs into ``folder``."""
    port = free_port()
    with (folder / "aws.log").open("w") as log:
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _wait(f"http://127.0.0.1:{port}/moto-api/")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def _wait(address: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(address)
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(address)
