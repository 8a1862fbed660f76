"""On a whole stack: a worker killed in the middle of publishing, and a rehearsal."""

import json
import time
from collections import Counter

import boto3
import pytest

from supervisor.stack import Stack

HITS = 200
WITHIN_SECONDS = 60

pytestmark = [pytest.mark.slow, pytest.mark.long]


@pytest.fixture
def stack(open_folder, migrated_databases):
    # The broker would hand a dead worker's jobs out again after ten minutes; only the rows can be quicker.
    settings = {"SWEEP_SECONDS": "5", "SYNC_SECONDS": "600"}
    with Stack(open_folder / "stack", celery=False, settings=settings, external=migrated_databases) as stack:
        yield stack


def test_each_of_200_hits_is_published_once_though_the_worker_is_killed(stack, tmp_path):
    passages = tmp_path / "passages.jsonl"
    passages.write_text("".join(f'{{"title": "T{n}", "paragraphs": ["Paragraph number {n}."]}}\n' for n in range(HITS)))
    stack.manage("create_project", "killed", "--cap", "1000", "--set", "min_paragraph_chars=0")
    stack.manage("import_articles", "killed", str(passages))
    doomed = stack.start_worker("doomed")
    stack.manage("launch_batch", "killed", "--kind", "write", "--units", "1")
    wait_until(lambda: len(annotations(stack)) >= 20, 60)
    doomed.kill()
    at_the_kill = len(annotations(stack))
    assert 20 <= at_the_kill <= 180, "the worker was killed outside the middle of its work"

    stack.worker = stack.start_worker("heir")
    wait_until(lambda: len(annotations(stack)) >= HITS, WITHIN_SECONDS)
    time.sleep(10)  # for whatever would still come twice: the sweep runs again in this time
    counts = Counter(annotations(stack))
    assert (len(counts), set(counts.values())) == (HITS, {1})


def test_the_players_of_a_stack_can_rehearse(stack, tmp_path):
    passages = tmp_path / "passages.jsonl"
    passages.write_text('{"title": "T", "paragraphs": ["The mill was built in 1742. It burned twice."]}\n')
    stack.manage("create_project", "rehearsed", "--cap", "10", "--set", "min_paragraph_chars=0")
    stack.manage("import_articles", "rehearsed", str(passages))
    told = json.loads(stack.manage("rehearse", "rehearsed", "--kind", "write"))
    assert (told["hits"], told["approved"], told["problems"]) == (1, 1, [])


def annotations(stack) -> list[str]:
    mturk = boto3.client(
        "mturk",
        endpoint_url=stack.env["MTURK_ENDPOINT"],
        region_name="us-east-1",
        aws_access_key_id=stack.env["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=stack.env["AWS_SECRET_ACCESS_KEY"],
    )
    pages = mturk.get_paginator("list_hits").paginate(PaginationConfig={"PageSize": 100})
    return [hit["RequesterAnnotation"] for page in pages for hit in page["HITs"]]


def wait_until(is_true, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.1)
