"""Every page and list asks little of the database: at most 15 queries, and as many for much data as for little."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Verdict
from hits.models import HIT, LedgerEntry
from tests.annotation.factories import (
    make_article,
    make_assignment,
    make_offer,
    make_paragraph,
    make_question,
    make_task,
)
from tests.reviewer.factories import make_release
from tests.test_routes import address_of, people, routes, rows

__all__ = ["people", "rows"]
MOST = 15
# Exports, which are read in rounds while they are sent, and the page that looks at all of one; of a large dataset it
# looks at nothing (``test_figure_pages``). The bounds of their memory are tested with them. A person's record asks once
# for each kind of row that there may be.
EXPORTS = {
    "release/<slug:slug>/<str:name>",
    "release/<slug:slug>/",
    "privacy/<slug:slug>/workers/<int:pk>/record.json",
    "api/v1/workers/<int:pk>/record",
}
# Figures that are worked out when they are asked for the first time, and known from then on.
ROUNDS = 2


@pytest.mark.slow
def test_every_page_asks_as_little_of_the_database_for_much_data_as_for_little(client, rows, people):
    client.force_login(people["requester"])
    _more(rows)
    addresses = {route: address_of(route, rows) for route in routes() if route not in EXPORTS}
    few = {route: _queries(client, address) for route, address in addresses.items()}
    for _ in range(4):
        _more(rows)
    many = {route: _queries(client, address) for route, address in addresses.items()}
    assert {route: count for route, count in many.items() if count > MOST} == {}
    assert {route: (few[route], count) for route, count in many.items() if count > few[route]} == {}


def _queries(client, address):
    for _ in range(ROUNDS):
        with CaptureQueriesContext(connection) as queries:
            response = client.get(address)
            if response.streaming:
                response.getvalue()
    return len(queries)


def _more(rows):
    """Another one of whatever a page lists."""
    project = rows["project"]
    paragraph = make_paragraph(article=make_article(project, split="train"))
    for status in ("approved", "submitted"):
        task = make_task(paragraph)
        offer = make_offer(task)
        assignment = make_assignment(offer, status=status)
        question = make_question(paragraph, assignment=assignment)
        Verdict.objects.create(question=question, decision="keep", decided_by=rows["user"])
        hit = HIT.objects.create(
            batch=rows["batch"], hit_type=rows["hit"].hit_type, offer=offer, max_assignments=1, lifetime_seconds=60
        )
        entry = {"project": project, "batch": rows["batch"], "hit": hit, "endpoint": "marketplace"}
        LedgerEntry.objects.create(**entry, kind="reserve", amount_usd=1)
    make_release(project, project.releases.count() + 1)
