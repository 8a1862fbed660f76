"""The embedded PostgreSQL after accidents, and Redis behind its password."""

import os
import shutil

import psycopg2
import pytest
import redis

from supervisor.processes import ServerError
from supervisor.servers import Postgres, Redis, postmaster, stop_postgres
from tests.supervisor.conftest import processes_of

pytestmark = pytest.mark.slow


def ask(server, database, statement):
    connection = psycopg2.connect(server.url(database))
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall() if cursor.description else []
    finally:
        connection.close()


@pytest.fixture
def data_dir(open_folder, request):
    """A folder for PostgreSQL with a space and an upper-case letter in its name; whatever runs there is stopped."""
    folder = open_folder / "My data" / request.node.name
    yield folder
    stop_postgres(folder)


def test_data_outlives_a_stop_and_a_kill(data_dir):
    server = Postgres.start(data_dir)
    server.create_database("kept")
    ask(server, "kept", "CREATE TABLE word AS SELECT 'here' AS text")
    server.stop()
    assert postmaster(data_dir) is None

    again = Postgres.start(data_dir)
    assert again.identity == server.identity
    assert ask(again, "kept", "SELECT text FROM word") == [("here",)]
    ask(again, "kept", "INSERT INTO word VALUES ('and later')")
    killed = postmaster(data_dir)
    killed.kill()
    killed.wait(10)
    with pytest.raises(ServerError, match="PostgreSQL ended by itself"):
        again.check()

    repaired = Postgres.start(data_dir)
    repaired.check()
    assert ask(repaired, "kept", "SELECT text FROM word") == [("here",), ("and later",)]
    repaired.stop()


def test_a_folder_that_was_never_finished_is_made_afresh(data_dir):
    data_dir.mkdir(parents=True)
    (data_dir / "PG_VERSION").write_text("18\n")
    (data_dir / "base").mkdir()
    server = Postgres.start(data_dir)
    server.check()
    assert server.identity
    server.stop()
    shutil.rmtree(data_dir)
    other = Postgres.start(data_dir)
    assert other.identity != server.identity
    other.stop()


def test_a_pid_file_whose_number_somebody_else_has_by_now_is_no_hindrance(data_dir):
    server = Postgres.start(data_dir)
    pid_file = data_dir / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    server.stop()
    lines[0] = str(os.getpid())
    pid_file.write_text("\n".join(lines) + "\n")
    assert postmaster(data_dir) is None
    again = Postgres.start(data_dir)
    assert postmaster(data_dir).pid != os.getpid()
    again.stop()


def test_redis_wants_its_password_and_keeps_what_it_was_told(tmp_path):
    first = Redis.start(tmp_path)
    try:
        with redis.Redis.from_url(first.url) as client:
            client.set("job", "1")
            port = client.connection_pool.connection_kwargs["port"]
        with (
            redis.Redis(port=port) as stranger,
            pytest.raises(redis.exceptions.AuthenticationError),
        ):
            stranger.get("job")
    finally:
        first.stop()
    assert processes_of(tmp_path) == []
    second = Redis.start(tmp_path)
    try:
        with redis.Redis.from_url(second.url) as client:
            assert client.get("job") == b"1"
    finally:
        second.stop()
