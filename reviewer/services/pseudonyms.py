"""What a worker is called in one release: a name that tells workers apart there and leads to nobody.

It is made of the key of our own row and the release's salt, which stands in the release's row alone. Another release
has another salt, so that what is known of a worker in one cannot be looked up in the next.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable

# Hexadecimal digits: among a hundred thousand workers the chance that two share a name is one in a hundred thousand.
DIGITS = 14


def new_salt() -> str:
    return secrets.token_hex(32)


def pseudonym(salt: str, worker: str | None) -> str | None:
    """The name of ``worker``, given by the key of their row; None where it was no worker."""
    if worker is None:
        return None
    return "w" + hmac.new(bytes.fromhex(salt), worker.encode(), hashlib.sha256).hexdigest()[:DIGITS]


def workers_by_pseudonym(salt: str, workers: Iterable[str]) -> dict[str, str]:
    """Which of ``workers`` stands behind each name: what only the holder of the salt can tell."""
    return {str(pseudonym(salt, worker)): worker for worker in workers}
