"""On a whole stack: a curation asked for over the API, whose Celery worker is killed in its midst."""

import json
import uuid
from collections import Counter

import psycopg2
import pytest
import requests

from supervisor.stack import Stack
from tests.annotation.test_curations import prose
from tests.hits.test_stack import wait_until

ARTICLES = 5_000
OPTIONS = {
    "server_source": "lakes.jsonl",
    "min_chars": 50,
    "min_sentences": 1,
    "sentences": "rules",
    "any_language": True,
    "keep_duplicates": True,
}

pytestmark = pytest.mark.slow


@pytest.fixture
def stack(open_folder, migrated_databases):
    # The broker would hand a dead worker's jobs out again after ten minutes; only the rows can be quicker.
    settings = {"SWEEP_SECONDS": "2", "SYNC_SECONDS": "600"}
    with Stack(open_folder / "stack", celery=False, settings=settings, external=migrated_databases) as stack:
        yield stack


def test_a_curation_goes_on_after_its_worker_is_killed_and_is_imported_once(stack):
    sources = stack.folder / "sources"
    sources.mkdir()
    lakes = ({"title": f"Tarn {number}", "paragraphs": [prose(number)]} for number in range(ARTICLES))
    (sources / "lakes.jsonl").write_text("\n".join(map(json.dumps, lakes)))
    stack.manage("createsuperuser", "--no-input", "--username", "rosa", "--email", "rosa@example.org")
    stack.manage("create_project", "lakes", "--set", "min_paragraph_chars=50")
    token = stack.manage("create_api_token", "rosa", "tests").strip()

    def ask(method, path, body=None):
        headers = {"Authorization": f"Token {token}", "Idempotency-Key": str(uuid.uuid4())}
        url = f"{stack.platform_url}/api/v1/projects/lakes/{path}"
        answer = requests.request(method, url, json=body, headers=headers, timeout=30)
        assert answer.ok, answer.text
        return answer.json()

    doomed = stack.start_worker("doomed")
    run = f"curations/{ask('POST', 'curations', OPTIONS)['id']}"
    wait_until(lambda: list(stack.folder.glob("curations/*/passages.jsonl.state")), 60)
    doomed.kill()
    (state,) = stack.folder.glob("curations/*/passages.jsonl.state")
    assert 0 < json.loads(state.read_bytes())["taken"] < ARTICLES, "it was killed outside the middle of its work"
    assert ask("GET", run)["status"] == "running", "nobody could say otherwise"

    a_while_passes(stack)
    stack.worker = stack.start_worker("heir")
    wait_until(lambda: ask("GET", run)["status"] == "done", 90)
    output = state.with_name("passages.jsonl")
    titles = Counter(json.loads(line)["title"] for line in output.read_text().splitlines())
    assert (len(titles), set(titles.values())) == (ARTICLES, {1})
    for _twice in range(2):
        ask("POST", f"{run}/import")
    wait_until(lambda: ask("GET", run)["status"] == "imported", 60)
    ask("POST", f"{run}/import")
    assert ask("GET", "passages")["lengths"]["included"] == ARTICLES
    assert not (output.parent / "source").exists()


def a_while_passes(stack):
    """As if the job had been silent for an hour."""
    with psycopg2.connect(stack.env["DATABASE_URL"]) as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE annotation_curationrun SET heard_at = heard_at - interval '1 hour'")
        assert cursor.rowcount == 1
