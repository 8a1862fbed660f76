"""Crowd endpoints that an operator adds by a file of JSON, without editing code. The file holds no secrets."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
    return {key: _endpoint(key, values, variable) for key, values in given.items()}


def _endpoint(key: str, values: Any, variable: Callable[[str], str]) -> dict[str, Any]:
    where = f"CROWD_ENDPOINTS_FILE, endpoint {key!r}"
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
    if not isinstance(values["worker_origins"], list) or not isinstance(values["pays_people"], bool):
        raise ImproperlyConfigured(f"{where}: worker_origins must be a list, and pays_people true or false.")
    prefix = key.upper().replace("-", "_")
    return {
        **values,
        "worker_origins": tuple(values["worker_origins"]),
        "access_key": variable(f"{prefix}_ACCESS_KEY_ID"),
        "secret_key": variable(f"{prefix}_SECRET_ACCESS_KEY"),
    }
