"""Requests of the work page that meet each other: the database settles what each of them sees."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from annotation.models import Answer, Assignment, Draft, Question, Worker
from tests.annotation import work
from tests.annotation.factories import make_offer

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], Any], apart_seconds: float = 0) -> list[Any]:
    """The results of ``acts``, each in a thread of its own, started ``apart_seconds`` after one another."""
    results: list[Any] = [None] * len(acts)
    start = threading.Barrier(len(acts))

    def run(place: int) -> None:
        try:
            start.wait(timeout=30)
            time.sleep(place * apart_seconds)
            results[place] = acts[place]()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[place]) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return results


def test_a_double_click_on_submit_stores_the_work_once() -> None:
    page = work.opened(make_offer())
    sent = work.whole(page, 5)
    first, second = at_once(*[lambda: work.finish(page, sent)] * 2, apart_seconds=0.02)
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json()["submit"] == second.json()["submit"]
    assert sorted(reply.json()["already"] for reply in (first, second)) == [False, True]
    assert "detail" not in first.json() | second.json()
    changed = work.finish(page, work.whole(page, 5), 2)
    assert (changed.status_code, changed.json()["already"]) == (200, True)
    assert (Question.objects.count(), Answer.objects.count()) == (5, 5)
    assert Assignment.objects.filter(finished_at__isnull=False).count() == 1


def test_a_page_that_is_loaded_many_times_at_once_makes_one_worker_and_one_assignment() -> None:
    for _ in range(5):
        offer = make_offer()
        pages = at_once(*[lambda offer=offer: work.frame(offer, f"A{offer.pk}", f"W{offer.pk}")] * 4)
        assert [page.status_code for page in pages] == [200] * 4
        assert Assignment.objects.filter(offer=offer).count() == 1
    assert Worker.objects.count() == 5


def test_of_two_tabs_that_save_the_same_version_at_once_one_is_told() -> None:
    page = work.opened(make_offer())
    for version in range(1, 6):
        texts = [
            [work.paragraph(page["paragraphs"][0]["id"], work.written(tab, None))] for tab in ("left tab", "right tab")
        ]
        replies = at_once(*[lambda sent=sent, version=version: work.save(page, sent, version) for sent in texts])
        assert sorted(reply.status_code for reply in replies) == [200, 409]
        kept = next(sent for sent, reply in zip(texts, replies, strict=True) if reply.status_code == 200)
        assert Draft.objects.get().content == {"paragraphs": kept}
