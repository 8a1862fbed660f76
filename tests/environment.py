"""A pytest plugin (``-p tests.environment``) that gives the settings their addresses before Django loads.

PostgreSQL is the embedded one, shared by all test processes on the machine and stopped by the last; each process
has databases of its own. Redis is one for each run.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from supervisor.servers import Postgres, Redis

ROOT = Path(__file__).resolve().parents[1]


def prepare() -> Postgres | None:
    """Start the servers and fill the environment; return PostgreSQL if it is ours."""
    postgres = None
    # xdist's workers inherit the environment of the run and still need databases of their own.
    if "DATABASE_URL" not in os.environ or "SPANWRIGHT_TEST_RUN" in os.environ:
        postgres = Postgres.start(ROOT / ".test" / "postgres", durable=False, shared=True)
        os.environ["DATABASE_URL"] = postgres.url(f"platform_{os.getpid()}")
        os.environ["MARKETPLACE_DATABASE_URL"] = postgres.url(f"marketplace_{os.getpid()}")
    if "REDIS_URL" not in os.environ:
        folder = tempfile.mkdtemp(prefix="spanwright-redis-")
        redis = Redis.start(Path(folder))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)  # the last registered runs first
        atexit.register(redis.stop)
        os.environ["REDIS_URL"] = redis.url
    os.environ["SPANWRIGHT_TEST_RUN"] = "1"
    for name, value in {
        "SECRET_KEY": "tests-only",
        "MARKETPLACE_SECRET_KEY": "tests-only-marketplace",
        "PLAIN_HTTP": "1",
        "MARKETPLACE_TEST_HOOKS": "1",
        "AWS_EC2_METADATA_DISABLED": "true",
        # Playwright's synchronous interface runs an event loop in the test's thread, where Django refuses queries.
        "DJANGO_ALLOW_ASYNC_UNSAFE": "1",
    }.items():
        os.environ.setdefault(name, value)
    return postgres


POSTGRES = prepare()
