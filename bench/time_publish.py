"""Under the platform's settings: what publishing a batch costs this process.

One order as JSON on standard input: ``{"slug", "hits", "places", "connections"}``.
"""

import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
django.setup()

from bench.calls import measured  # noqa: E402
from bench.load_platform import launched  # noqa: E402
from hits.models import HIT  # noqa: E402
from hits.services.publishing import publish  # noqa: E402


def main(order: dict[str, Any]) -> dict[str, Any]:
    batch = launched(order["slug"], order["hits"], order["places"], seed=len(order["slug"]))
    told = measured(lambda: publish(batch, connections=order["connections"]))
    opened = HIT.objects.filter(batch=batch, status=HIT.Status.OPEN)
    ids: set[Any] = set(opened.values_list("mturk_hit_id", flat=True))
    if not told["done"] == len(ids) == order["hits"]:
        raise SystemExit(f"{order['hits']} HITs were launched, {told['done']} published, {len(ids)} have an id")
    return told


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
