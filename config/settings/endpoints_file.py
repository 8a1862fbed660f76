"""Crowd endpoints that an operator adds by a file of JSON, without editing code. The file holds no secrets."""

import json
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

FIELDS = {
    "label",
    "url",
    "worker_origins",
    "pays_people",
    "fees",
    "allow_http",
    "notice",
    "profile",
    "queue_url",
    "queue_endpoint",
    "queue_region",
}
TEXTS = FIELDS - {"worker_origins", "pays_people", "fees", "allow_http"}
ADDRESSES = ("url", "queue_url", "queue_endpoint")
SHARES = ("rate", "large_hit_rate")
MOST_USD = Decimal(1000)
# A host, with a port where it needs one; an origin is sent to browsers in a header, where nothing else may slip in.
HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
REQUIRED = {"label", "url", "worker_origins", "pays_people"}


def endpoints_from(path: str, variable: Callable[[str], str]) -> dict[str, dict[str, Any]]:
    """The endpoints in the file ``path``, as ``{"lab": {"label": ..., "url": ..., "worker_origins": [...],
    "pays_people": true}}``; none without a path.

    Keys come from an AWS ``profile``, or from the environment under the endpoint's own name: ``LAB_ACCESS_KEY_ID`` and
    ``LAB_SECRET_ACCESS_KEY`` for ``lab``; ``variable`` reads one. Raises ImproperlyConfigured with a sentence.
    """
    if not path:
        return {}
    try:
        given = json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(f"CROWD_ENDPOINTS_FILE: {path} cannot be read as JSON: {error}") from error
    if not isinstance(given, dict):
        raise ImproperlyConfigured(f"CROWD_ENDPOINTS_FILE: {path} must hold one object, with an entry an endpoint.")
    return {key: _endpoint(f"CROWD_ENDPOINTS_FILE {path}", key, values, variable) for key, values in given.items()}


def _endpoint(where: str, key: str, values: Any, variable: Callable[[str], str]) -> dict[str, Any]:
    where = f"{where}, endpoint {key!r}"
    if not (key.isascii() and key.replace("-", "").isalnum() and len(key) <= 50):
        raise ImproperlyConfigured(f"{where}: its name must be letters, digits and hyphens, 50 at most.")
    if not isinstance(values, dict):
        raise ImproperlyConfigured(f"{where}: it must be an object.")
    if secret := sorted(name for name in values if "secret" in name or name == "access_key"):
        raise ImproperlyConfigured(
            f"{where}: {', '.join(secret)} must not stand in a file. Set them in the environment, or name a profile."
        )
    if unknown := sorted(set(values) - FIELDS):
        raise ImproperlyConfigured(f"{where}: unknown {', '.join(unknown)}. Known are {', '.join(sorted(FIELDS))}.")
    if missing := sorted(REQUIRED - set(values)):
        raise ImproperlyConfigured(f"{where}: {', '.join(missing)} missing.")
    _check(values, where)
    prefix = key.upper().replace("-", "_")
    return {
        **values,
        "worker_origins": tuple(values["worker_origins"]),
        "access_key": variable(f"{prefix}_ACCESS_KEY_ID"),
        "secret_key": variable(f"{prefix}_SECRET_ACCESS_KEY"),
    }


def _check(values: dict[str, Any], where: str) -> None:
    """Raises ImproperlyConfigured with a sentence that names the member."""
    for name in sorted(TEXTS & set(values)):
        value = values[name]
        if not isinstance(value, str) or not value.isprintable() or (name in REQUIRED and not value.strip()):
            raise ImproperlyConfigured(f"{where}: {name} must be a line of text, not {value!r}.")
    for name in ("pays_people", "allow_http"):
        if not isinstance(values.get(name, False), bool):
            raise ImproperlyConfigured(f"{where}: {name} must be true or false, not {values[name]!r}.")
    for name in ADDRESSES:
        if values.get(name) and not _is_address(values[name]):
            raise ImproperlyConfigured(
                f"{where}: {name} must be an address such as https://crowd.example, not {values[name]!r}."
            )
    origins = values["worker_origins"]
    if not isinstance(origins, list):
        raise ImproperlyConfigured(f"{where}: worker_origins must be a list, not {origins!r}.")
    for origin in origins:
        if not _is_address(origin) or origin.split("://", 1)[1] != urlsplit(origin).netloc:
            raise ImproperlyConfigured(
                f"{where}: worker_origins must be addresses without a path, such as https://work.example, "
                f"not {origin!r}."
            )
    _check_fees(values.get("fees", {}), where)


def _is_address(value: Any) -> bool:
    if not isinstance(value, str) or re.search(r"[^!-~]|[;,'\"*\\]", value):
        return False
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and HOST.fullmatch(parts.netloc) is not None


def _check_fees(fees: Any, where: str) -> None:
    if not isinstance(fees, dict):
        raise ImproperlyConfigured(f'{where}: fees must be an object such as {{"rate": "0.20"}}, not {fees!r}.')
    known = {*SHARES, "large_hit_assignments", "minimum_usd"}
    if unknown := sorted(set(fees) - known):
        raise ImproperlyConfigured(
            f"{where}: unknown fees.{', fees.'.join(unknown)}. Known are {', '.join(sorted(known))}."
        )
    for name, value in fees.items():
        if name == "large_hit_assignments":
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1_000_000_000:
                raise ImproperlyConfigured(f"{where}: fees.{name} must be a whole number from 1 on, not {value!r}.")
        elif name == "minimum_usd":
            if not _is_decimal(value, MOST_USD) or Decimal(value) != round(Decimal(value), 2):
                raise ImproperlyConfigured(
                    f'{where}: fees.{name} must be dollars in whole cents from "0" to "{MOST_USD}", not {value!r}.'
                )
        elif not _is_decimal(value, Decimal(1)):
            raise ImproperlyConfigured(f'{where}: fees.{name} must be a share from "0" to "1", not {value!r}.')


def _is_decimal(value: Any, most: Decimal) -> bool:
    """Whether ``value`` is text that writes a number from 0 to ``most``; a JSON number is not exact."""
    try:
        return isinstance(value, str) and 0 <= Decimal(value) <= most
    except InvalidOperation:
        return False
