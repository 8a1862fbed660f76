"""Text in JSON that no page, database or answer can hold."""

from typing import Any


def is_whole(value: Any) -> bool:
    r"""Whether every text in a parsed JSON value is whole: an escape such as ``\ud800`` alone is half a character."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, str) and any("\ud800" <= letter <= "\udfff" for letter in one):
            return False
    return True
