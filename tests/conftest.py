"""Fixtures that every part of the suite may use; ``tests/environment.py`` has started the servers by now."""

from pathlib import Path

import pytest

from supervisor.servers import Postgres
from tests import environment

SHARED = environment.ROOT.parent / "shared"


@pytest.fixture(scope="session")
def postgres() -> Postgres:
    """The embedded PostgreSQL of this run."""
    if environment.POSTGRES is None:
        pytest.skip("DATABASE_URL names a server of your own; this test needs to make databases")
    return environment.POSTGRES


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of cases and data beside the repository; tests that use it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder of shared cases and data is not beside the repository")
    return SHARED
