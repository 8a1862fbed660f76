"""Under the platform's settings: what jobs work out for the pages of the project that ``bench.load_pages`` wrote."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from accounts.models import User
from annotation.models import Answer, Article, Assignment, CurationRun, Project, Verdict
from annotation.services import curating, kept_counts
from bench.texts import Texts
from hits.models import RehearsalRun
from reviewer.models import Release, ReleaseRun, ReviewRules, SecondLook, SignalRun
from reviewer.services import dashboard, noticing, reasoning, release_inspections, releases, study
from reviewer.services.release_reading import ReleaseSpec

# Pieces of work whose signals are worked out; of the rest it is noted that nothing was found.
NOTED = 10
CURATED = 2_000  # paragraphs


def prepare(project: Project, user: User) -> dict[str, float]:
    """Work everything out; return the seconds of each part."""
    worked: dict[str, float] = {}

    def timed(name: str, work: Callable[[], Any]) -> None:
        started = time.perf_counter()
        work()
        worked[name] = time.perf_counter() - started
        print(f"{name}: {worked[name]:.1f} s", file=sys.stderr, flush=True)

    timed(f"signals of {NOTED} pieces of work", lambda: _notice(project))
    timed("reasoning sample", lambda: reasoning.draw(project, "dev", 4, 7, user))
    timed("first release", lambda: _release(project, user))
    for answer in Answer.objects.filter(question__project=project, position=0).order_by("pk")[:300:3]:
        Verdict.objects.create(question=answer.question, decision=Verdict.Decision.DROP, reason="", decided_by=user)
    timed("second release, with what changed", lambda: _release(project, user))
    timed("check of a release", lambda: release_inspections.check(Release.objects.in_project(project).latest("number")))
    timed("curation", lambda: _curate(project, user))
    for split in Article.Split.values:
        timed(f"agreement of {split}", lambda split=split: study.work_out(project, split))
    timed("dashboard", lambda: dashboard.work_out(project))
    waiting = Assignment.objects.filter(status=Assignment.Status.SUBMITTED)
    SecondLook.objects.create(assignment=waiting.earliest("pk"), cause=SecondLook.Cause.ASKED, asked_by=user)
    ReleaseRun.objects.create(
        project=project, asked=ReleaseSpec().stored(), status=ReleaseRun.Status.DONE, release=Release.objects.last()
    )
    RehearsalRun.objects.create(project=project, kind="write", asked={}, status="failed")
    timed("counts of the project's page", lambda: kept_counts.count(project))
    return worked


def _notice(project: Project) -> None:
    rules = ReviewRules.objects.in_force(project)
    waiting = noticing.unnoticed(project, rules)
    noticing.notice(project, waiting[:NOTED], rules)
    rest = Assignment.objects.listed().filter(signal_run__isnull=True)
    SignalRun.objects.bulk_create(SignalRun(assignment=one, rules_id=rules.pk, noted_at=timezone.now()) for one in rest)


def _release(project: Project, user: User) -> None:
    """With held-back answers, so that there is a key to fetch."""
    spec = ReleaseSpec(holds_back_test=True)
    releases.make(project, spec, user, told=lambda *_counts: None, keep=lambda *_release: nullcontext())


def _curate(project: Project, user: User) -> None:
    lines = [
        json.dumps({"title": f"Lake {number}", "text": "\n\n".join(texts)})
        for number, texts in enumerate(Texts(11).articles(CURATED))
    ]
    upload = SimpleUploadedFile("lakes.jsonl", "\n".join(lines).encode())
    wish = curating.Wish({"top": None, "sample": None, "any_language": True}, uploads=[upload])
    curating.work(CurationRun.objects.get(pk=curating.ask(project, wish, user).pk))
