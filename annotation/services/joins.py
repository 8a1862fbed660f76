"""Rows with their neighbours, by joins that are worded once.

A work page asks the same few questions all day, and the ORM takes several times longer to word such a join than
PostgreSQL takes to answer it. What comes back are the models' own objects with the fields that were asked for; any
other field is loaded when it is looked at.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db import connection, models
from django.db.models import Model


class Join:
    """``SELECT`` of the fields of ``parts`` and then ``rest``, from ``FROM`` on, in which each part's table has the
    part's name. A part is a model and the names of its fields (a foreign key as ``task_id``), its key among them.
    """

    def __init__(self, rest: str, **parts: tuple[type[Model], Sequence[str]]) -> None:
        self._parts = {name: (model, _fields(model, fields)) for name, (model, fields) in parts.items()}
        columns = [f"{name}.{field.column}" for name, (_, fields) in self._parts.items() for field in fields]
        self._statement = f"SELECT {', '.join(columns)} {rest}"

    def fetch(self, **values: Any) -> list[dict[str, Any]]:
        """Every row as the objects of its parts by name; None for a part whose outer join found nothing."""
        with connection.cursor() as cursor:
            cursor.execute(self._statement, values)
            return [self._objects(row) for row in cursor.fetchall()]

    def _objects(self, row: Sequence[Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        start = 0
        for name, (model, fields) in self._parts.items():
            values = row[start : start + len(fields)]
            start += len(fields)
            found[name] = None if values[0] is None else _object(model, fields, values)
        return found


def _object(model: type[Model], fields: Sequence[models.Field], values: Sequence[Any]) -> Model:
    # Of the field types in use, JSON alone does not come from the driver as it is meant: Django keeps it as text.
    read = [
        json.loads(value) if isinstance(field, models.JSONField) and value is not None else value
        for field, value in zip(fields, values, strict=True)
    ]
    return model.from_db(connection.alias, [field.attname for field in fields], read)


def _fields(model: type[Model], names: Sequence[str]) -> list[models.Field]:
    """The fields of these names in the model's own order, which is the one that ``from_db`` takes; the key leads."""
    fields = [field for field in model._meta.concrete_fields if field.attname in names]
    if len(fields) != len(names) or fields[0] is not model._meta.pk:
        raise ValueError(f"{', '.join(names)} are not the key and fields of {model.__name__}")
    return fields
