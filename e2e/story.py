"""A dataset from nothing to its files: import, split, publish, write, approve, answer, approve, measure, export.

Everything goes through the doors that people and programs use: management commands, the worker site over HTTP, and
boto3. Nothing here touches a database.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import boto3

from players.play import Played, play
from players.script import Script
from scoring.datasets import Dataset
from scoring.json_files import read_bytes
from scoring.squad_files import read_squad
from supervisor.stack import Stack

SLUG = "story"
SEED = 2016
WAIT_SECONDS = 300
# Workers who write may not answer; a paragraph's writers are all different people.
WRITERS, ANSWERERS = 8, 6
MOST_QUESTIONS = 5


class StoryFailed(Exception):
    """The story came to an end that it should not have; the message says what differs."""


@dataclass
class Story:
    """One run on ``stack`` with the passages, questions and answers of ``source``; results go to ``out``."""

    stack: Stack
    source: Path
    out: Path
    say: Callable[[str], None]
    seconds: dict[str, float] = field(default_factory=dict)

    def run(self) -> dict[str, Any]:
        """Tell the whole story; return its summary. Raises StoryFailed."""
        dataset = read_squad(read_bytes(self.source))
        script = Script(dataset, SEED)
        with self._stage("set up"):
            self._set_up(dataset)
        with self._stage("import"):
            self._manage("import_articles", SLUG, str(self.source))
        with self._stage("publish writing"):
            self._launch("--kind", "write")
        with self._stage("write"):
            self._play("writer", WRITERS, script)
        with self._stage("approve writing"):
            self._approve()
        if left := script.unwritten():
            raise StoryFailed(f"{left} questions of the file were never written.")
        with self._stage("publish answering"):
            self._launch("--kind", "answer", "--split", "dev", "--split", "test")
        with self._stage("answer"):
            self._play("answerer", ANSWERERS, script)
        with self._stage("approve answering"):
            self._approve()
        with self._stage("human performance"):
            human = {split: self._human(split) for split in ("dev", "test")}
        with self._stage("export"):
            self._manage("export_dataset", SLUG, "--out", str(self.out))
        self._check_export(dataset)
        return self._summary(human)

    def _set_up(self, dataset: Dataset) -> None:
        most = max(len(paragraph.questions) for article in dataset.articles for paragraph in article.paragraphs)
        writers = -(-most // MOST_QUESTIONS)
        self.stack.manage("createsuperuser", "--no-input", "--username", "requester", "--email", "", env=_PASSWORD)
        changes = {
            "min_paragraph_chars": 0,
            "min_questions": 0,
            "max_questions": MOST_QUESTIONS,
            "writers_per_paragraph": writers,
        }
        settings = [part for name, value in changes.items() for part in ("--set", f"{name}={value}")]
        self._manage("create_project", SLUG, "--cap", "5000.00", "--owner", "requester", *settings)

    def _launch(self, *options: str) -> None:
        launched = json.loads(self._manage("launch_batch", SLUG, *options))
        self.say(f"  {launched['hits']} HITs, ${launched['total_usd']} at most")
        before = len(self._closed_hits())
        self._wait_for("publishing", lambda: len(self._hits()) - before >= launched["hits"])

    def _play(self, kind: str, count: int, script: Script) -> None:
        password = "a password of the story"  # noqa: S105 - of accounts that end with this run
        names = [f"{kind}-{number}" for number in range(1, count + 1)]
        self.stack.create_workers(names, password)
        players = [(name, password) for name in names]
        played: Played = play(self.stack.marketplace_url, players, script, seed=SEED)
        self.say(f"  {played.total} submitted by {len(played.submitted)} workers")
        if played.problems:
            raise StoryFailed("; ".join(played.problems))
        if any(hit["NumberOfAssignmentsAvailable"] for hit in self._hits()):
            raise StoryFailed("Some HITs still have places that no worker took.")

    def _approve(self) -> None:
        """Wait until all that was submitted is listed here, approve it, and wait until it is paid."""
        submitted = self._by_status()["Submitted"]
        approved = 0

        def all_asked() -> bool:
            nonlocal approved
            approved += json.loads(self._manage("approve_submitted", SLUG, "--as", "requester"))["approved"]
            return approved >= submitted

        self._wait_for("listing", all_asked)
        self._wait_for("approving", lambda: not self._by_status()["Submitted"])
        self._wait_for("settling", lambda: Decimal(self._project()["reserved_usd"]) == 0)

    def _human(self, split: str) -> dict[str, Any]:
        return dict(json.loads(self._manage("human_performance", "--project", SLUG, "--split", split)))

    def _check_export(self, dataset: Dataset) -> None:
        wanted = Counter(
            (paragraph.text, question.text.strip(), question.answers[0].start, question.answers[0].text)
            for article in dataset.articles
            for paragraph in article.paragraphs
            for question in paragraph.questions
        )
        found: Counter[tuple[str, str, int, str]] = Counter()
        for file in sorted(self.out.glob("*-v1.1.json")):
            exported = read_squad(file.read_bytes())
            if exported.faults:
                raise StoryFailed(f"{file.name}: {exported.faults[0]}")
            found += Counter(
                (paragraph.text, question.text, question.answers[0].start, question.answers[0].text)
                for article in exported.articles
                for paragraph in article.paragraphs
                for question in paragraph.questions
            )
        if found != wanted:
            raise StoryFailed(
                f"The export holds {found.total()} questions of {wanted.total()}; {(wanted - found).total()} are "
                f"missing or differ, {(found - wanted).total()} are not in the source."
            )
        self.say(f"  all {found.total()} questions are in the export with their answers")

    def _summary(self, human: dict[str, Any]) -> dict[str, Any]:
        project, listed = self._project(), self._assignments()
        by_boto3 = sum(
            (Decimal(hit["Reward"]) for hit, one in listed if one["AssignmentStatus"] == "Approved"), Decimal(0)
        )
        if by_boto3 != Decimal(project["paid_usd"]):
            raise StoryFailed(f"The ledger says ${project['paid_usd']} was paid; the marketplace says ${by_boto3}.")
        return {
            "hits": len({hit["HITId"] for hit, _ in listed}),
            "assignments": dict(Counter(one["AssignmentStatus"] for _, one in listed)),
            "workers": len({one["WorkerId"] for _, one in listed}),
            "paid_usd": {"ledger": project["paid_usd"], "boto3": str(by_boto3)},
            "human_performance": human,
            "seconds": {stage: round(seconds, 1) for stage, seconds in self.seconds.items()},
        }

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        self.say(f"{name} ...")
        started = time.monotonic()
        yield
        self.seconds[name] = time.monotonic() - started
        self.say(f"  {self.seconds[name]:.1f} s")

    def _wait_for(self, what: str, is_done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + WAIT_SECONDS
        while not is_done():
            if time.monotonic() > deadline:
                raise StoryFailed(f"{what} took more than {WAIT_SECONDS} s.")
            time.sleep(0.5)

    def _manage(self, *arguments: str) -> str:
        return self.stack.manage(*arguments)

    def _project(self) -> dict[str, Any]:
        return dict(json.loads(self._manage("show_money", SLUG)))

    def _hits(self) -> list[dict[str, Any]]:
        pages = self._mturk().get_paginator("list_hits").paginate(PaginationConfig={"PageSize": 100})
        return [hit for page in pages for hit in page["HITs"]]

    def _closed_hits(self) -> list[dict[str, Any]]:
        return [hit for hit in self._hits() if hit["HITStatus"] == "Reviewable"]

    def _assignments(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        paginator = self._mturk().get_paginator("list_assignments_for_hit")
        return [
            (hit, assignment)
            for hit in self._hits()
            for page in paginator.paginate(HITId=hit["HITId"], PaginationConfig={"PageSize": 100})
            for assignment in page["Assignments"]
        ]

    def _by_status(self) -> Counter[str]:
        return Counter(one["AssignmentStatus"] for _, one in self._assignments())

    def _mturk(self) -> Any:
        return boto3.client(
            "mturk",
            endpoint_url=self.stack.env["MTURK_ENDPOINT"],
            region_name=self.stack.env["AWS_DEFAULT_REGION"],
            aws_access_key_id=self.stack.env["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=self.stack.env["AWS_SECRET_ACCESS_KEY"],
        )


_PASSWORD = {"DJANGO_SUPERUSER_PASSWORD": "a password of the story"}
