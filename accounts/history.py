"""Who changed what: each saved change of a row that people edit is kept as a row of its own, with who made it."""

from __future__ import annotations

from typing import Any

from simple_history.models import HistoricalRecords


class Changes(HistoricalRecords):
    """The history of a model's rows: what they were after each change that somebody saved.

    It stands in the app of its model. Models that are only ever added to need none, and rows that hold personal data
    of workers get none: a copy would outlive its erasure. Writes of jobs that pass by ``save`` leave no row.
    """

    def post_save(self, instance: Any, created: bool, using: str | None = None, **kwargs: Any) -> None:
        """Keep the change, unless only fields were saved that the history leaves out, such as the last sign-in."""
        saved = kwargs.get("update_fields")
        if saved is not None and set(saved) <= set(self.excluded_fields):
            return
        super().post_save(instance, created, using=using, **kwargs)
