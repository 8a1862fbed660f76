"""Why something was left out of a file, as a page or a terminal tells it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Dropped:
    """One reason, how often it applied, and one case of it: empty where a report lists all cases."""

    reason: str
    count: int
    example: str
