"""Rows of Django's models, written by COPY: some hundred thousand in seconds. Under the platform's settings."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.management.color import no_style
from django.db import connection, models

NULL = "\\N"


def copy_rows(model: type[models.Model], rows: Iterable[Mapping[str, Any]], now: datetime) -> None:
    """Write ``rows``, each by its columns' attribute names; what one does not name is the field's default, and ``now``
    where Django would put in the time."""
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    fixed = {field.attname: _fixed(field, now) for field in fields}
    text = io.StringIO()
    table = csv.writer(text)
    for row in rows:
        table.writerow(
            _written(field, row[field.attname] if field.attname in row else _default(field, fixed[field.attname]))
            for field in fields
        )
    text.seek(0)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    with connection.cursor() as cursor:
        command = f"COPY {model._meta.db_table} ({columns}) FROM STDIN WITH (FORMAT csv, NULL '{NULL}')"
        cursor.copy_expert(command, text)
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)


def _fixed(field: models.Field, now: datetime) -> Any:
    """The default of ``field``, itself where each row has one of its own."""
    if getattr(field, "auto_now_add", False) or getattr(field, "auto_now", False):
        return now
    return field if callable(field.default) and field.has_default() else field.get_default()


def _default(field: models.Field, fixed: Any) -> Any:
    return field.get_default() if fixed is field else fixed


def _written(field: models.Field, value: Any) -> str:
    if value is None:
        return NULL
    if isinstance(field, models.JSONField):
        return json.dumps(value)
    if isinstance(field, ArrayField):
        return "{" + ",".join(json.dumps(str(one)) for one in value) + "}"
    return value.isoformat() if isinstance(value, datetime) else str(value)
