"""Fixtures that every part of the suite may use; ``tests/environment.py`` has started the servers by now."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from supervisor.servers import Postgres
from supervisor.sites import Marketplace
from tests import environment
from tests.crowd import Crowd

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


@pytest.fixture(scope="module")
def open_folder() -> Iterator[Path]:
    """A folder that other users may pass through: as root, PostgreSQL runs as one. Pytest closes its own to them,
    again at each start of another run."""
    folder = tempfile.mkdtemp(prefix="spanwright-test-")
    yield Path(folder).resolve()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def marketplace_site(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Marketplace]:
    """One marketplace process for the whole run; each test takes accounts of its own there."""
    name = f"marketplace_served_{os.getpid()}"
    site = Marketplace.start(postgres, tmp_path_factory.mktemp("marketplace"), database=name)
    yield site
    site.stop()
    postgres.drop_database(name)


@pytest.fixture
def crowd(marketplace_site: Marketplace, settings: Any) -> Iterator[Crowd]:
    """The marketplace under a fresh requester account, as the platform's only crowd endpoint."""
    crowd = Crowd(marketplace_site.url)
    crowd.become_endpoint(settings)
    yield crowd
    crowd.reset()
