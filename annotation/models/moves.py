"""How a status changes: by the model's table of moves, and once."""

from __future__ import annotations

from typing import Any

from .work import IllegalMove, LostRace


def move(row: Any, new: str, changes: dict[str, Any], **still: Any) -> None:
    """Move ``row`` to the status ``new`` and save ``changes`` with it, if its fields are ``still`` so in the database.

    Raises IllegalMove, or LostRace where somebody was faster.
    """
    if new not in row.MOVES[row.status]:
        raise IllegalMove(f"{row}: {row.status} -> {new}")
    unmoved = type(row).objects.filter(pk=row.pk, status=row.status, **still)
    if unmoved.update(status=new, **changes) != 1:
        raise LostRace(f"{row} is no longer {row.status}")
    row.status = new
    for name, value in changes.items():
        setattr(row, name, value)
