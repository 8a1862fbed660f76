"""Under the platform's settings: the load of ``bench.load_pages``, then every page of it, asked for again and again.

One order as JSON on standard input: ``{"runs", "requests"}``. Tells for each page its seconds (server time, in this
process, from the request to the whole answer), its queries and its status, and what was worked out in the background.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import nullcontext
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.platform")
django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.models import Article, Assignment, Paragraph, PassageAct, Project  # noqa: E402
from bench.load_pages import load, new_project  # noqa: E402
from reviewer.models import Release, ReviewRules, SecondLook, SignalRun  # noqa: E402
from reviewer.services import dashboard, noticing, reasoning, releases, study  # noqa: E402
from reviewer.services.queue import place_of  # noqa: E402
from reviewer.services.release_reading import ReleaseSpec  # noqa: E402

SLUG = "size-of-squad"
NOTED = 10


def main(order: dict[str, Any]) -> dict[str, Any]:
    worked: dict[str, float] = {}

    def timed(name: str, work: Any) -> Any:
        started = time.perf_counter()
        result = work()
        worked[name] = time.perf_counter() - started
        print(f"{name}: {worked[name]:.1f} s", file=sys.stderr, flush=True)
        return result

    project, user = new_project(SLUG)
    timed("load", lambda: load(project, user))
    for split in Article.Split.values:
        timed(f"agreement of {split}", lambda split=split: study.work_out(project, split))
    timed(f"signals of {NOTED} assignments", lambda: _notice(project))
    timed("dashboard", lambda: dashboard.work_out(project))
    look = SecondLook.objects.create(
        assignment=Assignment.objects.filter(status="submitted").earliest("pk"), cause="asked", asked_by=user
    )
    sample = timed("reasoning sample", lambda: reasoning.draw(project, "dev", 4, 7, user))
    if order["release"]:
        timed("release", lambda: _release(project, user))
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    pages = {name: _timed(client, address, order["runs"]) for name, address in _pages(project, look, sample).items()}
    return {"pages": pages, "worked": worked}


def _notice(project: Project) -> None:
    """The signals of the first that wait; of all other work, that nothing was found."""
    rules = ReviewRules.objects.in_force(project)
    waiting = noticing.unnoticed(project, rules)
    noticing.notice(project, waiting[:NOTED], rules)
    rest = Assignment.objects.listed().filter(signal_run__isnull=True)
    SignalRun.objects.bulk_create(SignalRun(assignment=one, rules_id=rules.pk, noted_at=timezone.now()) for one in rest)


def _release(project: Project, user: Any) -> None:
    spec = ReleaseSpec()
    releases.make(project, spec, user, told=lambda *_counts: None, keep=lambda *_release: nullcontext())


def _pages(project: Project, look: SecondLook, sample: Any) -> dict[str, str]:
    """The address of every page about one project, long lists far in and narrowed too."""
    slug, pk = [project.slug], project.pk
    waiting = Assignment.objects.filter(status="submitted").latest("pk")
    done = Assignment.objects.filter(status="approved", task__kind="answer").earliest("pk")
    paragraph = Paragraph.objects.earliest("pk")
    act = PassageAct.objects.latest("pk")
    queue = reverse("review_queue", args=slug)
    listed = reverse("admin:annotation_passage_list", args=[pk])
    questions = reverse("agreement_questions", args=slug)
    pages = {name: reverse(name, args=slug) for name in OF_PROJECT} | {
        "review_queue approved": f"{queue}?state=approved",
        "review_queue all, far in": f"{queue}?state=all&after={place_of(done)}",
        "review_queue by worker": f"{queue}?state=all&worker={done.worker_id}",
        "review_queue by signal": f"{queue}?signal=too_fast",
        "review_queue most worrying first": f"{queue}?order=worrying",
        "review_queue paid soonest first": f"{queue}?order=due",
        "review_many all": f"{reverse('review_many', args=slug)}?all=1",
        "review_assignment waiting": reverse("review_assignment", args=[*slug, waiting.pk]),
        "review_assignment approved": reverse("review_assignment", args=[*slug, done.pk]),
        "second_look": reverse("second_look", args=[*slug, look.pk]),
        "agreement test": f"{reverse('agreement', args=slug)}?split=test",
        "agreement train": f"{reverse('agreement', args=slug)}?split=train",
        "agreement_questions far in": f"{questions}?page=200",
        "reasoning_sample": reverse("reasoning_sample", args=[*slug, sample.pk]),
        "reasoning_label": reverse("reasoning_label", args=[*slug, sample.pk]),
        "project_home": reverse("admin:annotation_project_home", args=[pk]),
        **{name: reverse(f"admin:annotation_{name}", args=[pk]) for name in OF_PASSAGES},
        "passage_list far in": f"{listed}?page=400",
        "passage_list searched": f"{listed}?q=berel",
        "passage_list by split": f"{listed}?split=dev",
        "passage": reverse("admin:annotation_passage", args=[pk, paragraph.pk]),
        "passage_shown": f"{reverse('admin:annotation_passage', args=[pk, paragraph.pk])}shown/",
        "passage_decisions before": f"{reverse('admin:annotation_passage_decisions', args=[pk])}?before={act.pk}",
    }
    for release in Release.objects.in_project(project):
        pages["release_version"] = reverse("release_version", args=[*slug, release.number])
    return pages


OF_PROJECT = (
    *("dashboard", "dashboard_standing", "review_queue", "review_next", "review_many", "second_looks", "review_rules"),
    *("gold_questions", "agreement", "agreement_questions", "agreement_more", "reasoning", "release", "releases"),
)
OF_PASSAGES = (
    *("passages", "passage_articles", "passage_list", "passage_decisions", "split", "exclude", "include"),
    *("curations", "curation_new", "project_import"),
)


def _timed(client: Client, address: str, runs: int) -> dict[str, Any]:
    """``address`` asked for once to warm up with its queries counted, then ``runs`` times with its seconds."""
    with CaptureQueriesContext(connection) as queries:
        response = client.get(address)
    # The next request forgets them.
    status, count = response.status_code, len(queries)
    slowest = max(queries.captured_queries, key=lambda query: float(query["time"]), default={"sql": "", "time": "0"})
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        response = client.get(address)
        _content = b"".join(response) if response.streaming else response.content
        seconds.append(time.perf_counter() - started)
        if sum(seconds) > MOST_SECONDS:
            break
    print(f"{address}: {max(seconds):.2f} s, {count} queries", file=sys.stderr, flush=True)
    return {
        "status": status,
        "queries": count,
        "seconds": seconds,
        "slowest_query": [float(slowest["time"]), slowest["sql"][:600]],
    }


# For one page at most.
MOST_SECONDS = 15.0


if __name__ == "__main__":
    order = json.load(sys.stdin)
    print(json.dumps(main(order)))
