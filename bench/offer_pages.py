"""Under the platform's settings: work pages to be measured, one for each length of paragraph that is asked for.

One order as JSON on standard input: ``{"lengths": [characters], "origin": of the page that takes the work}``. Tells
the addresses, as a worker's frame would have them.
"""

import json
import os
import sys
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
django.setup()

from annotation.models import Article, Paragraph, Task  # noqa: E402
from annotation.services.offers import new_offer, work_url  # noqa: E402
from annotation.services.passage_intake import text_digest  # noqa: E402
from annotation.services.projects import create_project  # noqa: E402
from annotation.services.tasks import PlannedTask, create_tasks  # noqa: E402
from bench.texts import Texts  # noqa: E402


def main(order: dict[str, Any]) -> list[str]:
    project = create_project(name="Page")
    article = Article.objects.create(project=project, title="Page", position=0)
    texts, addresses = Texts(7), []
    for position, length in enumerate(order["lengths"]):
        text = texts.paragraph()
        while len(text) < length:
            text += f" {texts.paragraph()}"
        text = text[:length].strip()
        paragraph = Paragraph.objects.create(
            project=project, article=article, position=position, text=text, text_sha256=text_digest(text)
        )
        (task,) = create_tasks(project, [PlannedTask(Task.Kind.WRITE, ((paragraph.pk, ()),), 1)])
        offer = new_offer(
            task,
            endpoint="marketplace",
            reward_usd=Decimal("0.60"),
            paid_seconds=240,
            allowed_seconds=720,
            worker_origins=[order["origin"]],
        )
        offer.mturk_hit_id = f"PAGE{position}"
        offer.save()
        asked = {
            "assignmentId": f"PAGE{position}",
            "hitId": offer.mturk_hit_id,
            "workerId": "W1",
            "turkSubmitTo": order["origin"],
        }
        addresses.append(f"{work_url(offer)}?{urlencode(asked)}")
    return addresses


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
