"""Under the marketplace's settings: the HITs that ``bench.load_platform`` told of, stored in bulk.

They are rows as CreateHITWithHITType makes them, but for the requester's money, which no round looks at.
"""

import json
import os
import sys
from datetime import timedelta
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.marketplace")
django.setup()

from django.db import connection, transaction  # noqa: E402

from marketplace import clock  # noqa: E402
from marketplace.models import HIT, HITType  # noqa: E402
from marketplace.services import money  # noqa: E402


@transaction.atomic
def store(told: dict[str, Any]) -> None:
    hit_type = HITType.objects.select_related("requester").get(type_id=told["hit_type_id"])
    now = clock.now()
    expires_at = now + timedelta(seconds=told["lifetime_seconds"])
    places = told["max_assignments"]
    HIT.objects.bulk_create(
        (
            HIT(
                hit_id=hit_id,
                hit_type=hit_type,
                requester=hit_type.requester,
                question=question,
                annotation=annotation,
                max_assignments=places,
                open_places=places,
                fee_usd=money.fee_per_assignment(hit_type.reward_usd, places),
                expires_at=expires_at,
                created_at=now,
            )
            for hit_id, question, annotation in told["hits"]
        ),
        batch_size=2000,
    )
    HITType.objects.filter(pk=hit_type.pk).update(closes_at=expires_at)


if __name__ == "__main__":
    store(json.load(sys.stdin))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
