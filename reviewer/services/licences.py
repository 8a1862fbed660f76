"""Licences as other catalogues write them: Creative Commons' by its mark and address, whatever their spelling here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

OTHER = "other"
NOT_STATED = "not stated"
# "CC BY-SA 4.0", "cc-by-sa-4.0", "https://creativecommons.org/licenses/by-sa/4.0/"
_CC = re.compile(
    r"(?:^cc[ -]|creativecommons\.org/licenses/)(by(?:-(?:sa|nc|nd|nc-sa|nc-nd))?)[ /-](\d\.\d)", re.IGNORECASE
)
_CC0 = re.compile(r"^cc[ -]?0\b|creativecommons\.org/publicdomain/zero", re.IGNORECASE)


def stated(sources: Iterable[dict[str, Any]]) -> list[str]:
    """The licences of ``sources`` as they say them, each once."""
    return sorted({source["licence"] or NOT_STATED for source in sources})


def mark(licence: str) -> str:
    """The mark of ``licence`` in Hugging Face's list, such as cc-by-sa-4.0."""
    if _CC0.search(licence):
        return "cc0-1.0"
    found = _CC.search(licence)
    return f"cc-{found[1]}-{found[2]}".lower() if found else OTHER


def address(licence: str) -> str:
    """Where ``licence`` can be read, or its own words."""
    if _CC0.search(licence):
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    found = _CC.search(licence)
    return f"https://creativecommons.org/licenses/{found[1].lower()}/{found[2]}/" if found else licence
