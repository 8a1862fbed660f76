"""Who calls what, and when."""

from dataclasses import dataclass
from datetime import datetime

from ...models import RequesterProfile


@dataclass(frozen=True)
class Call:
    requester: RequesterProfile
    operation: str
    now: datetime
    request_id: str  # also in the answer's x-amzn-RequestId

    def scope(self, *filters: object) -> str:
        """What a page token of this call is good for."""
        return ":".join([self.operation, self.requester.customer_id, *map(str, filters)])
