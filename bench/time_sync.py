"""Under the platform's settings: what fetching all that was submitted to a batch costs this process.

One order as JSON on standard input: ``{"slug"}``. A second sync, with nothing new, must find nothing.
"""

import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
django.setup()

from annotation.models import Assignment  # noqa: E402
from bench.calls import measured  # noqa: E402
from hits.services.syncing import sync  # noqa: E402


def main(order: dict[str, Any]) -> dict[str, Any]:
    told = measured(lambda: sync("marketplace"))
    kept = Assignment.objects.listed().filter(task__project__slug=order["slug"]).count()
    if told["done"] != kept:
        raise SystemExit(f"{told['done']} submissions were fetched and {kept} kept")
    return told


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
