"""Migrated databases that tests copy, and how they are emptied: what takes seconds happens once.

A site's migrations run once for each version of their files, by the site's own command, into a template that stays
in the tests' PostgreSQL. The copy is then as true as any database that was migrated.
"""

import fcntl
import hashlib
from functools import cache

from django.db import connection as django_connection
from django.db import transaction
from psycopg2 import connect, sql

from supervisor.servers import Postgres
from supervisor.sites import MARKETPLACE, PLATFORM, Kind, manage
from tests.environment import ROOT

VARIABLES = {PLATFORM: "DATABASE_URL", MARKETPLACE: "MARKETPLACE_DATABASE_URL"}


def template(postgres: Postgres, kind: Kind) -> str:
    """The name of the migrated database of ``kind``, made now if these migrations have none yet."""
    prefix = f"template_{kind.name}_"
    name = prefix + _fingerprint()
    # Of the processes of a run, one makes it and the others wait.
    with (postgres.data_dir.parent / f"{prefix}lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if name not in _databases(postgres, prefix):
            for outdated in _databases(postgres, prefix):
                postgres.drop_database(outdated)
            unfinished = f"unfinished_{name}"
            postgres.drop_database(unfinished)
            postgres.create_database(unfinished)
            manage(kind, {VARIABLES[kind]: postgres.url(unfinished)}, "migrate", "--no-input")
            _rename(postgres, unfinished, name)
    return name


def empty() -> None:
    """Delete all rows of Django's database but its content types and permissions, once nobody writes there any more.

    Django's own flush truncates, which for so many tables that are nearly empty costs a hundred times as much, and then
    finds out anew which models and permissions there are.
    """
    tables = _emptied_tables()
    with transaction.atomic(), django_connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {', '.join(tables)} IN EXCLUSIVE MODE")
        # As a replica, PostgreSQL checks no foreign keys and fires no triggers: any order does.
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(";".join(f"DELETE FROM {table}" for table in tables))  # noqa: S608


@cache
def _emptied_tables() -> list[str]:
    known = django_connection.introspection.django_table_names(only_existing=True, include_views=False)
    return sorted(set(known) - {"django_content_type", "auth_permission"})


def end_other_sessions() -> None:
    """End every other session in Django's database; a server that has just stopped may still have some."""
    with django_connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def _fingerprint() -> str:
    """Of all that decides what migrating leaves: the sites' migrations, and the packages that bring some of theirs."""
    digest = hashlib.sha256()
    for file in sorted([*ROOT.glob("*/migrations/*.py"), *ROOT.glob("*/*/migrations/*.py"), ROOT / "constraints.txt"]):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _databases(postgres: Postgres, prefix: str) -> list[str]:
    connection = connect(postgres.url("postgres"))
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [prefix])
            return [name for (name,) in cursor.fetchall()]
    finally:
        connection.close()


def _rename(postgres: Postgres, old: str, new: str) -> None:
    connection = connect(postgres.url("postgres"))
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new)))
    finally:
        connection.close()
