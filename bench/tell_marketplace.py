"""Under the marketplace's settings: submissions to a project's HITs in bulk, the rate that calls are held to, or funds.

One order as JSON on standard input: ``{"submit": "slug", "hits": 10, "places": 9}``, ``{"rate": 5}`` or
``{"funds": "100.00"}``, in US dollars. What a worker's submission leaves is stored, but for its history.
"""

import json
import os
import sys
from datetime import timedelta
from decimal import Decimal
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.marketplace")
django.setup()

from django.db import connection, transaction  # noqa: E402

from marketplace import clock  # noqa: E402
from marketplace.models import HIT, Assignment, RequesterProfile  # noqa: E402
from marketplace.services import accounts, money  # noqa: E402

ANSWER = (
    '<?xml version="1.0" encoding="ASCII"?><QuestionFormAnswers xmlns="http://mechanicalturk.amazonaws.com/'
    'AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd"><Answer><QuestionIdentifier>receipt'
    "</QuestionIdentifier><FreeText>r</FreeText></Answer></QuestionFormAnswers>"
)


@transaction.atomic
def submit(slug: str, number: int, places: int) -> int:
    """Fill all ``places`` of the newest ``number`` HITs, by as many workers; return how many submissions that is."""
    now = clock.now()
    workers = [accounts.create_worker(f"{slug}-{place}", now) for place in range(places)]
    hits = HIT.objects.filter(pk__in=HIT.objects.order_by("-pk").values_list("pk", flat=True)[:number])
    minute = timedelta(minutes=1)
    made = Assignment.objects.bulk_create(
        (
            Assignment(
                hit=hit,
                worker=worker,
                status=Assignment.Status.SUBMITTED,
                accepted_at=now - minute,
                deadline=now + minute,
                submitted_at=now,
                auto_approve_at=now + timedelta(days=7),
                answer=ANSWER,
            )
            for hit in hits.iterator()
            for worker in workers
        ),
        batch_size=2000,
    )
    hits.update(open_places=0)
    return len(made)


def main(order: dict[str, Any]) -> dict[str, Any]:
    if "funds" in order:
        for requester in RequesterProfile.objects.filter(pays_nobody=False):
            money.add_funds(requester, Decimal(order["funds"]), clock.now())
        return {}
    if "rate" in order:
        for requester in RequesterProfile.objects.all():
            accounts.set_rate(requester, order["rate"])
        return {}
    made = submit(order["submit"], order["hits"], order["places"])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return {"made": made}


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
