"""Fixtures that every part of the suite may use; ``tests/environment.py`` has started the servers by now."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from socketserver import StreamRequestHandler
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.hashers import get_hashers
from django.core.servers.basehttp import ThreadedWSGIServer
from django.db import connection
from django.test import TransactionTestCase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import Redirect, StaticFile

from supervisor.servers import Postgres
from supervisor.sites import MARKETPLACE, PLATFORM, Marketplace
from tests import databases, environment
from tests.crowd import Crowd
from tests.threads import KeptThreads

SHARED = environment.ROOT.parent / "shared"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first: begun last, one of them would keep a single process busy after all others have ended."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


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
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The tests' own database is a copy as well; Django then finds nothing left to migrate."""
    if environment.POSTGRES is not None:
        kind = MARKETPLACE if MARKETPLACE.settings == django_settings.SETTINGS_MODULE else PLATFORM
        connection.settings_dict["TEST"]["TEMPLATE"] = databases.template(environment.POSTGRES, kind)


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """A hash that is meant to take long takes a third of a second at each sign-in, of which browsers do hundreds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(django_settings, "PASSWORD_HASHERS", ["django.contrib.auth.hashers.MD5PasswordHasher"])
        get_hashers.cache_clear()
        yield
    get_hashers.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def _quick_emptying() -> Iterator[None]:
    """After a test that commits, the rows are deleted by a quicker way than Django's, over the connection that it had:
    PostgreSQL has learnt the tables by then, and takes as long to learn them anew as for the test itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_should_reload_connections", lambda case: False)
        if environment.POSTGRES is not None:  # as whose superuser we are
            patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: databases.empty())
        yield


@pytest.fixture(scope="session", autouse=True)
def _static_files_looked_for_once() -> Iterator[None]:
    """Each test client loads the middlewares afresh, and WhiteNoise's looks through all folders of static files as it
    starts, as a site does once: the first one's find is handed to the others."""
    found: dict[str, StaticFile | Redirect] = {}
    look = WhiteNoiseMiddleware.add_files_from_finders

    def look_once(middleware: WhiteNoiseMiddleware) -> None:
        if not found:
            look(middleware)
            found.update(middleware.files)
        middleware.files.update(found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", look_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def _live_servers_serve_as_a_site_does() -> Iterator[None]:
    """Django's live server takes a new thread, and so a new connection to the database, for each connection of a
    browser's or boto3's; PostgreSQL then learns the tables anew each time, which costs more than what is asked of it.
    Here a thread that is done serves the next one, as in a site's server. And as there, what is written goes out at
    once: otherwise an answer's second piece waits 40 ms until the first is acknowledged (Nagle's algorithm)."""
    threads = KeptThreads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            ThreadedWSGIServer,
            "process_request",
            lambda server, *request: threads.run(lambda: server.process_request_thread(*request)),
        )
        patch.setattr(ThreadedWSGIServer, "_close_connections", lambda server: None)
        patch.setattr(StreamRequestHandler, "disable_nagle_algorithm", True)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """At the end, sessions of threads that still wait for a browser must not keep the database from being dropped."""
    yield
    with django_db_blocker.unblock():
        databases.end_other_sessions()


@pytest.fixture(scope="session")
def marketplace_template(postgres: Postgres) -> str:
    """The name of a migrated database of the marketplace, to copy."""
    return databases.template(postgres, MARKETPLACE)


@pytest.fixture
def migrated_databases(postgres: Postgres) -> Iterator[dict[str, str]]:
    """Fresh databases of both sites for a whole stack, which then need not be migrated: its ``external``."""
    names = {kind: f"stack_{kind.name}_{os.getpid()}" for kind in databases.VARIABLES}
    for kind, name in names.items():
        postgres.create_database(name, databases.template(postgres, kind))
    yield {databases.VARIABLES[kind]: postgres.url(name) for kind, name in names.items()}
    for name in names.values():
        postgres.drop_database(name)


@pytest.fixture(scope="session")
def marketplace_site(
    postgres: Postgres, marketplace_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Marketplace]:
    """One marketplace process for the whole run; each test takes accounts of its own there."""
    name = f"marketplace_served_{os.getpid()}"
    folder = tmp_path_factory.mktemp("marketplace")
    site = Marketplace.start(postgres, folder, database=name, template=marketplace_template)
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
