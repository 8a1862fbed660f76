"""Pages of rows that stand in an order of their own, kept ready in memory: agreement's questions, those first whose
answers agree least."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor
from rest_framework.request import Request

from annotation.room_api import Pages


class RankedPages(Pages):
    """A page leads on from the rank of its last row, so that what comes or goes meanwhile shifts nothing.

    ``rank`` gives a row's place as a list for JSON, no two the same; rows come sorted by it.
    """

    rank: Callable[[Any], list[Any]]

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """The rows of ``queryset``, a sorted sequence, that the query asks for. Raises NotFound for a broken cursor."""
        rows: Sequence[Any] = queryset
        self.base_url = request.build_absolute_uri()
        size = self.get_page_size(request) or self.page_size
        cursor = self.decode_cursor(request)
        if cursor is None or not rows:
            start, end = 0, size
        elif cursor.reverse:
            end = bisect_left(rows, self._rank_in(cursor, rows), key=self.rank)
            start = max(0, end - size)
        else:
            start = bisect_right(rows, self._rank_in(cursor, rows), key=self.rank)
            end = start + size
        self.shown = list(rows[start:end])
        self.has_next, self.has_previous = end < len(rows), start > 0 and bool(self.shown)
        return self.shown

    def get_next_link(self) -> str | None:
        return self._link(self.shown[-1], is_reverse=False) if self.has_next and self.shown else None

    def get_previous_link(self) -> str | None:
        return self._link(self.shown[0], is_reverse=True) if self.has_previous else None

    def _link(self, row: Any, *, is_reverse: bool) -> str:
        position: Any = json.dumps(self.rank(row))
        return str(self.encode_cursor(Cursor(0, is_reverse, position)))

    def _rank_in(self, cursor: Cursor, rows: Sequence[Any]) -> list[Any]:
        """The rank that ``cursor`` names, if it is one of the kind that ``rows`` have."""
        try:
            named = json.loads(str(cursor.position or ""))
        except (ValueError, RecursionError):
            raise NotFound(self.invalid_cursor_message) from None
        kinds = [str if isinstance(part, str) else (int, float) for part in self.rank(rows[0])]
        if not isinstance(named, list) or len(named) != len(kinds):
            raise NotFound(self.invalid_cursor_message)
        if not all(isinstance(part, kind) for part, kind in zip(named, kinds, strict=True)):
            raise NotFound(self.invalid_cursor_message)
        return named
