"""Under the platform's settings: the project of ``bench.load_pages``, whose waiting work is of one paragraph each, with
its signals worked out.

One order as JSON on standard input: ``{"noted": assignments whose signals are worked out}``. Tells the project and who
may review it.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
django.setup()

from django.utils import timezone  # noqa: E402

from annotation.models import Assignment  # noqa: E402
from bench.load_pages import PASSWORD, load, new_project  # noqa: E402
from reviewer.models import ReviewRules, SignalRun  # noqa: E402
from reviewer.services import noticing  # noqa: E402

SLUG = "review"


def main(order: dict[str, Any]) -> dict[str, str]:
    project, user = new_project(SLUG)
    load(project, user, waiting_per_hit=1)
    # Submitted a moment ago, so that nothing of it is paid by itself before it can be taken back.
    Assignment.objects.filter(status=Assignment.Status.SUBMITTED).update(submitted_at=timezone.now())
    rules = ReviewRules.objects.in_force(project)
    waiting = list(noticing.to_notice().select_related("task", "offer").order_by("submitted_at", "pk"))
    noticing.notice(project, waiting[: order["noted"]], rules)
    SignalRun.objects.bulk_create(
        SignalRun(assignment=one, rules_id=rules.pk, noted_at=timezone.now()) for one in waiting[order["noted"] :]
    )
    return {"slug": project.slug, "username": user.username, "password": PASSWORD}


if __name__ == "__main__":
    print(json.dumps(main(json.load(sys.stdin))))
