"""Pages of long lists: keyset pages, with a signed token for the place where the next one begins."""

import base64
import binascii
from datetime import datetime
from typing import Any

from django.core import signing
from django.db.models import Q, QuerySet

from ..errors import Refused

DEFAULT_SIZE = 10  # seen in a sample of AWS's documentation
KEY_SEPARATOR = "|"


def page(
    rows: QuerySet, params: dict[str, Any], *, scope: str, order: tuple[str, ...]
) -> tuple[list[Any], dict[str, Any]]:
    """The page of ``rows`` that ``params`` (MaxResults, NextToken) asks for, and NumResults and NextToken for it.

    ``order`` are the fields of the key, each with ``-`` if descending; together they are unique. ``scope`` is what
    the list is of (operation, account, filters): a token is good for nothing else. Raises Refused.
    """
    size = params.get("MaxResults", DEFAULT_SIZE)
    signer = signing.Signer(salt=f"page:{scope}")
    if token := params.get("NextToken"):
        rows = rows.filter(_after(order, _read(signer, token, len(order))))
    found = list(rows.order_by(*order)[: size + 1])
    shown = found[:size]
    more = {"NextToken": _write(signer, shown[-1], order)} if len(found) > size else {}
    return shown, {"NumResults": len(shown), **more}


def _after(order: tuple[str, ...], key: list[str]) -> Q:
    """Rows that come after ``key`` in ``order``."""
    condition, equal = Q(), Q()
    for field, value in zip(order, key, strict=True):
        name = field.lstrip("-")
        condition |= equal & Q(**{f"{name}__{'lt' if field.startswith('-') else 'gt'}": value})
        equal &= Q(**{name: value})
    return condition


def _write(signer: signing.Signer, row: Any, order: tuple[str, ...]) -> str:
    values = (getattr(row, field.lstrip("-")) for field in order)
    key = KEY_SEPARATOR.join(v.isoformat() if isinstance(v, datetime) else str(v) for v in values)
    return base64.urlsafe_b64encode(signer.sign(key).encode()).decode()


def _read(signer: signing.Signer, token: str, length: int) -> list[str]:
    try:
        key = signer.unsign(base64.urlsafe_b64decode(token.encode()).decode()).split(KEY_SEPARATOR)
    except (signing.BadSignature, binascii.Error, ValueError):
        key = []
    if len(key) != length:
        raise Refused("InvalidParameterValue", "NextToken is not one that this list gave out.")
    return key
