"""Under the platform's settings: the seconds of an import and of a bare COPY, taking turns.

The COPY's text is made beforehand; it goes into a table with the same columns, indexes and foreign keys as the
paragraphs have, in one transaction. One order as JSON on standard input: ``{"paragraphs", "runs", "file"}``.
"""

import io
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
django.setup()

from django.db import connection, transaction  # noqa: E402

from annotation.models import Paragraph, Project  # noqa: E402
from annotation.services.imports import import_file  # noqa: E402
from annotation.services.projects import create_project  # noqa: E402
from bench.load_platform import passages  # noqa: E402

TABLE = Paragraph._meta.db_table
# With every index and key, and without any; what the database works out itself it works out there too.
KEYED = f"""
CREATE TABLE copied (LIKE {TABLE} INCLUDING ALL);
ALTER TABLE copied ADD FOREIGN KEY (project_id) REFERENCES annotation_project DEFERRABLE INITIALLY DEFERRED,
  ADD FOREIGN KEY (article_id) REFERENCES annotation_article DEFERRABLE INITIALLY DEFERRED,
  ADD FOREIGN KEY (imported_from_id) REFERENCES annotation_import DEFERRABLE INITIALLY DEFERRED;
"""
HEAP = f"CREATE TABLE copied (LIKE {TABLE} INCLUDING GENERATED)"


def seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def rows() -> str:
    """The paragraphs of the first import, as COPY takes them."""
    text = io.StringIO()
    with connection.cursor() as cursor:
        cursor.copy_expert(f"COPY {TABLE} TO STDOUT", text)
    return text.getvalue()


def copy(table: str, text: str) -> float:
    """Seconds of a COPY of ``text`` into a new ``table``."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS copied")
        cursor.execute(table)

        @transaction.atomic
        def work() -> None:
            cursor.copy_expert("COPY copied FROM STDIN", io.StringIO(text), 1 << 20)

        return seconds(work)


def project(number: int) -> Project:
    return create_project(name=f"Project {number}", slug=f"project-{number}")


def command(slug: str, file: str) -> None:
    subprocess.run([sys.executable, "manage.py", "import_articles", slug, file], check=True, capture_output=True)


def main(order: dict[str, Any]) -> dict[str, float]:
    data = passages(order["paragraphs"], seed=0)
    file = Path(order["file"])
    file.write_bytes(data)
    import_file(project(0), data, file_name=file.name)
    text = rows()
    took: dict[str, list[float]] = {"copy": [], "copy_heap": [], "service": [], "command": []}
    for number in range(1, order["runs"] + 1):
        ours = project(number)
        took["copy"].append(copy(KEYED, text))
        took["service"].append(seconds(partial(import_file, ours, data, file_name=file.name)))
        took["copy_heap"].append(copy(HEAP, text))
    slug = project(order["runs"] + 1).slug
    took["command"].append(seconds(partial(command, slug, str(file))))
    return {name: statistics.median(each) for name, each in took.items()} | {"megabytes": len(data) / 1e6}


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
