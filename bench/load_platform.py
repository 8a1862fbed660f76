"""Under the platform's settings: a project whose writing HITs all stand at the marketplace already.

Passages come in through the importer and the batch is launched by the service that the admin uses; only the calls
that would create the HITs are left out. What they would have said is printed for ``bench.load_marketplace``, which
stores it there in bulk. One order as JSON on standard input: ``{"slug", "tasks", "places", "seed"}``.
"""

import json
import os
import sys
from decimal import Decimal
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
django.setup()

from django.db import connection, transaction  # noqa: E402
from django.db.models import CharField, OuterRef, Subquery, Value  # noqa: E402
from django.db.models.functions import Cast, Concat, Replace, Upper  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.models import Offer, Task  # noqa: E402
from annotation.services.imports import import_file  # noqa: E402
from annotation.services.offers import work_url  # noqa: E402
from annotation.services.projects import create_project  # noqa: E402
from bench.texts import Texts  # noqa: E402
from hits import mturk  # noqa: E402
from hits.models import HIT, Batch, HITType  # noqa: E402
from hits.services import qualifications  # noqa: E402
from hits.services.launching import launch  # noqa: E402
from hits.services.planning import BatchSpec  # noqa: E402


def passages(paragraphs: int, seed: int) -> bytes:
    """Generated articles as JSON Lines."""
    lines = [
        json.dumps({"title": f"Article {number}", "paragraphs": texts}, ensure_ascii=False)
        for number, texts in enumerate(Texts(seed).articles(paragraphs), start=1)
    ]
    return "\n".join(lines).encode()


def launched(slug: str, tasks: int, places: int, seed: int) -> Batch:
    """A batch of ``tasks`` writing HITs of one paragraph each, for ``places`` workers each; nothing published yet."""
    project = create_project(
        name=slug, slug=slug, spending_cap_usd=Decimal("90000000.00"), writers_per_paragraph=places
    )
    import_file(project, passages(tasks, seed), file_name="bench.jsonl")
    spec = BatchSpec(Task.Kind.WRITE, "marketplace", units_per_hit=1, hourly_rate_usd=project.hourly_rate_usd)
    return launch(project, spec, user=None)


@transaction.atomic
def pretend_published(batch: Batch) -> HITType:
    """Give every HIT of ``batch`` an id, as if the marketplace had answered; its HIT type it does make."""
    hit_type = HITType.objects.select_related("batch").get(batch=batch)
    hit_type.requirements = qualifications.requirements(batch.project, batch.endpoint, batch.kind, rehearsal=False)
    hit_type.mturk_hit_type_id = mturk.create_hit_type(hit_type)
    hit_type.save()
    key = Replace(Cast("key", CharField()), Value("-"), Value(""))
    Offer.objects.filter(hit__batch=batch).update(mturk_hit_id=Concat(Value("3"), Upper(key)))
    theirs = Subquery(Offer.objects.filter(pk=OuterRef("offer")).values("mturk_hit_id"))
    now = timezone.now()
    HIT.objects.filter(batch=batch).update(
        mturk_hit_id=theirs, status=HIT.Status.OPEN, published_at=now, first_attempt_at=now
    )
    batch.move_to(Batch.Status.OPEN)
    return hit_type


def main(order: dict[str, Any]) -> None:
    batch = launched(**order)
    hit_type = pretend_published(batch)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    hits = HIT.objects.filter(batch=batch).select_related("offer").order_by("pk")
    told = {
        "hit_type_id": hit_type.mturk_hit_type_id,
        "max_assignments": order["places"],
        "lifetime_seconds": hits[0].lifetime_seconds,
        "hits": [
            [hit.mturk_hit_id, mturk.EXTERNAL_QUESTION.format(url=work_url(hit.offer)), hit.annotation] for hit in hits
        ],
        "frames": [f"/work/{hit.offer.key}/?hitId={hit.mturk_hit_id}" for hit in hits],
    }
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main(json.load(sys.stdin))
