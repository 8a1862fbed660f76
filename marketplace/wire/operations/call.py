"""Who calls what, and when."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.db.models import QuerySet

from ...models import RequesterProfile

Rows = TypeVar("Rows", bound=QuerySet)


@dataclass(frozen=True)
class Call:
    requester: RequesterProfile
    operation: str
    now: datetime
    request_id: str  # also in the answer's x-amzn-RequestId
    sees_until: datetime | None = None  # a fault hides what is newer

    def sees(self, when: datetime | None) -> bool:
        """Whether something made at ``when`` is visible to this call yet."""
        return self.sees_until is None or (when is not None and when <= self.sees_until)

    def seen(self, rows: Rows, made_at: str) -> Rows:
        """Those of ``rows`` that are visible to this call yet, by their field ``made_at``."""
        return rows if self.sees_until is None else rows.filter(**{f"{made_at}__lte": self.sees_until})

    def scope(self, *filters: object) -> str:
        """What a page token of this call is good for."""
        return ":".join([self.operation, self.requester.customer_id, *map(str, filters)])
