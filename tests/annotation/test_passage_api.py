"""The API about passages: the same lists, decisions, repairs and splits as the pages, by the same rules."""

import json
from uuid import uuid4

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from accounts.models import ApiToken
from annotation.models import CurationRun, PassageAct
from annotation.services import curating
from tests.annotation.factories import MILL, make_article, make_member, make_paragraph, make_project, make_question
from tests.annotation.test_curations import articles, folders, queued, sent, zipped

__all__ = ["folders", "queued"]
pytestmark = pytest.mark.django_db(transaction=True)


def program_of(user):
    """A program that holds a token of ``user``."""
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {ApiToken.make(user, 'tests')[1]}")
    return program


@pytest.fixture
def owls(db):
    """Two paragraphs about owls and one about a mill."""
    project = make_project(slug="owls")
    owl = make_article(project, title="Owl", split="train", topic="Birds")
    for text in ("Owls hunt at dusk.", "Owls sleep by day."):
        make_paragraph(article=owl, text=text)
    make_paragraph(article=make_article(project, title="Mill", split="dev"), text=MILL)
    return project


@pytest.fixture
def requester(owls):
    return program_of(make_member(owls, "requester", "rosa"))


def get(program, path, status=200, **asked):
    answer = program.get(f"/api/v1/projects/owls/{path}", asked)
    assert answer.status_code == status, answer.json()
    return answer.json()


def post(program, path, body=None, status=201, **headers):
    answer = program.post(f"/api/v1/projects/owls/{path}", body or {}, format="json", headers=headers)
    assert answer.status_code == status, answer.json()
    return answer.json()


def texts(found):
    return [row["text"] for row in found["results"]]


def test_passages_are_read_and_narrowed(requester, owls):
    glance = get(requester, "passages")
    assert (glance["lengths"]["included"], glance["topics"]) == (3, [{"name": "Birds", "count": 1}])
    assert texts(get(requester, "paragraphs")) == [MILL, "Owls sleep by day.", "Owls hunt at dusk."]
    assert texts(get(requester, "paragraphs", topic="Birds", words="dusk")) == ["Owls hunt at dusk."]
    assert texts(get(requester, "paragraphs", page_size=1)) == [MILL]
    assert [row["title"] for row in get(requester, "articles")["results"]] == ["Mill", "Owl"]
    paragraph = owls.paragraphs.get(text=MILL)
    one = get(requester, f"paragraphs/{paragraph.pk}")
    assert (one["characters"], one["split"], one["decisions"]) == (len(MILL), "dev", [])
    assert get(requester, "paragraphs", 400, split="all")["errors"]["split"]
    assert get(requester, "paragraphs", 400, words="a\0b")["errors"]["words"]


def test_a_decision_is_looked_at_made_and_undone(requester, owls):
    asked = {"kind": "exclude", "title": "owl", "why": "No owls."}
    assert post(requester, "decisions", asked | {"dry_run": True}, 200) == {
        "paragraphs": 2,
        "articles": 1,
        "in_tasks": 0,
        "with_questions": 0,
    }
    assert not PassageAct.objects.exists()
    made = post(requester, "decisions", asked | {"expected": 2})
    assert (made["paragraphs"], made["decided_by"], made["asked"]) == (2, "rosa", {"title": "owl"})
    again = post(requester, "decisions", asked | {"expected": 2}, 422)
    assert "Paragraphs a moment ago: 2; now: 0" in again["detail"]
    assert texts(get(requester, "paragraphs", state="excluded")) == ["Owls sleep by day.", "Owls hunt at dusk."]
    undo = f"decisions/{made['id']}/undo"
    assert post(requester, undo, {"dry_run": True}, 200) == {"paragraphs": 2, "articles": 1}
    assert "Say why" in post(requester, undo, {}, 422)["detail"]
    undone = post(requester, undo, {"why": "Owls."})
    assert (undone["kind"], undone["undoes"]) == ("undo", made["id"])
    assert "undone before" in post(requester, undo, {"why": "Owls."}, 422)["detail"]
    trail = get(requester, "decisions")["results"]
    assert [(act["id"], act["undone_by"]) for act in trail] == [(undone["id"], None), (made["id"], undone["id"])]


@pytest.mark.parametrize(
    ("asked", "status", "field"),
    [
        pytest.param({"kind": "exclude", "why": "x"}, 400, "all", id="nothing narrows"),
        pytest.param({"kind": "burn", "why": "x", "all": True}, 400, "kind", id="another kind"),
        pytest.param({"kind": "exclude", "why": "x", "ids": ["x"]}, 400, "ids", id="no id"),
        pytest.param({"kind": "exclude", "why": "x", "article": 2**70}, 400, "article", id="no key"),
        pytest.param({"kind": "exclude", "why": "x", "words": "a\0"}, 400, "words", id="a NUL"),
        pytest.param({"kind": "exclude", "all": True}, 422, None, id="no reason"),
        pytest.param({"kind": "include", "why": "x", "all": True}, 422, None, id="nothing to include"),
        pytest.param([], 400, None, id="no object"),
    ],
)
def test_a_decision_that_cannot_be_made_says_where(requester, owls, asked, status, field):
    answer = requester.post("/api/v1/projects/owls/decisions", asked, format="json")
    assert answer.status_code == status
    assert field is None or field in answer.json()["errors"]
    assert not PassageAct.objects.exists()


def test_a_text_is_mended_before_its_first_question_alone(requester, owls):
    paragraph = owls.paragraphs.get(text="Owls hunt at dusk.")
    path, body = f"paragraphs/{paragraph.pk}/repair", {"text": "Owls hunt at night.\r\n ", "why": "Clearer."}
    assert post(requester, path, body, 200)["text"] == "Owls hunt at night.\n "
    post(requester, path, body, 200)
    (repair,) = get(requester, "repairs")["results"]
    assert (repair["old_text"], repair["repaired_by"]) == ("Owls hunt at dusk.", "rosa")
    paragraph.refresh_from_db()
    make_question(paragraph, "When do owls hunt?", answer="night")
    refused = post(requester, path, {"text": "Owls.", "why": "Shorter."}, 422)
    assert "in a task or has questions" in refused["detail"]


def test_splits_are_looked_at_and_drawn(requester, owls):
    asked = {"train_percent": 0, "dev_percent": 100, "test_percent": 0, "seed": 1}
    drawn = post(requester, "splits", asked | {"dry_run": True}, 200)
    dev = next(size for size in drawn["splits"] if size["name"] == "dev")
    assert (dev["articles"], dev["moved"], dev["fewest_questions"], dev["most_questions"]) == (2, 1, 3, 15)
    assert (drawn["frozen"], owls.articles.filter(split="train").count()) == ("", 1)
    drawn = post(requester, "splits", asked | {"why": "All dev.", "stratify": "length"})
    assert sum(group["articles"] for group in drawn["groups"]) == 2
    assert PassageAct.objects.get().pk == drawn["decision"]
    assert [split["articles"] for split in get(requester, "splits")["splits"]] == [0, 2, 0]
    assert "add up" in post(requester, "splits", {"dev_percent": 3, "dry_run": True}, 422)["detail"]
    assert post(requester, "splits", {"seed": -1}, 400)["errors"]["seed"]


def test_a_curation_is_begun_watched_and_imported_by_a_program(requester, owls, folders):
    (folders / "sources" / "lakes.jsonl").write_bytes(articles(3))
    asked = {"server_source": "lakes.jsonl", "min_chars": 100, "min_sentences": 1, "sentences": "rules"}
    asked |= {"keep_duplicates": True, "any_language": True}
    key = {"Idempotency-Key": str(uuid4())}
    begun = post(requester, "curations", asked, **key)
    assert (begun["status"], begun["options"]["max_chars"]) == ("waiting", 5000)
    assert post(requester, "curations", asked, **key)["id"] == begun["id"]
    assert post(requester, "curations", asked, 400)["errors"]["Idempotency-Key"]
    run = CurationRun.objects.get()
    curating.work(run)
    seen = get(requester, f"curations/{run.pk}")
    assert (seen["status"], seen["percent_read"], seen["report"]["paragraphs"]["kept"]) == ("done", 100, 3)
    file = requester.get(f"/api/v1/projects/owls/curations/{run.pk}/files/passages.jsonl")
    assert len(file.getvalue().splitlines()) == 3
    for _twice in range(2):
        assert post(requester, f"curations/{run.pk}/import", status=200)["status"] == "importing"
    curating.work(CurationRun.objects.get())
    assert owls.paragraphs.count() == 6
    assert post(requester, f"curations/{run.pk}/cancel", status=422)["code"] == "refused"
    assert post(requester, f"curations/{run.pk}/burn", status=404)


def test_files_are_sent_over_by_a_program(requester, owls):
    def send(**body):
        key = {"Idempotency-Key": str(uuid4())}
        return requester.post("/api/v1/projects/owls/curations", body, format="multipart", headers=key)

    options = {"min_chars": 100, "min_sentences": 1, "sentences": "rules", "keep_duplicates": "true", "seed": 7}
    answer = send(files=[sent(), sent(name="more.jsonl")], titles=sent(b"Tarn 1\n", "list.txt"), sample=1, **options)
    assert answer.status_code == 201, answer.json()
    run = CurationRun.objects.get(pk=answer.json()["id"])
    curating.work(run)
    run.refresh_from_db()
    assert (run.status, run.titles_name, run.articles_kept, run.problem) == ("done", "list.txt", 1, "")
    assert "no plain file" in send(files=zipped([("../x.txt", "x")])).json()["detail"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        pytest.param({"server_source": "../etc"}, "server_source", id="outside of the folder"),
        pytest.param({"files": "text"}, "__all__", id="no file"),
        pytest.param({"min_char": 5}, "min_char", id="a slip"),
        pytest.param({"max_digits": "nan"}, "max_digits", id="no number"),
        pytest.param({"seed": {"a": 1}}, "seed", id="an object"),
        pytest.param([1], "non_field_errors", id="no object"),
    ],
)
def test_a_curation_that_cannot_be_asked_for_says_where(requester, body, field):
    answer = requester.post(
        "/api/v1/projects/owls/curations", body, format="json", headers={"Idempotency-Key": str(uuid4())}
    )
    assert answer.status_code in (400, 422), answer.json()
    assert field == "__all__" or field in answer.json()["errors"]
    assert not CurationRun.objects.exists()


WRITES = [
    ("decisions", {"kind": "exclude", "all": True, "why": "x"}),
    ("decisions/{decision}/undo", {"why": "x"}),
    ("paragraphs/{paragraph}/repair", {"text": "Other.", "why": "x"}),
    ("splits", {"seed": 5, "why": "x"}),
    ("curations", {"server_source": "x"}),
    ("curations/{curation}/cancel", {}),
]


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("reviewer", 403), (None, 404)])
@pytest.mark.parametrize(("path", "body"), WRITES, ids=lambda value: value if isinstance(value, str) else "")
def test_only_requesters_change_anything(owls, requester, role, status, path, body):
    act = post(requester, "decisions", {"kind": "exclude", "words": "dusk", "why": "x"})
    run = CurationRun.objects.create(project=owls, place="upload", source_name="a.txt", asked={})
    other = program_of(make_member(owls if role else make_project(), role or "requester"))
    ids = {"decision": act["id"], "paragraph": owls.paragraphs.first().pk, "curation": run.pk}
    key = {"Idempotency-Key": str(uuid4())}
    post(other, path.format(**ids), body, status, **key)
    assert PassageAct.objects.count() == 1
    run.refresh_from_db()
    assert (run.status, CurationRun.objects.count()) == ("waiting", 1)


def test_rows_of_another_project_are_not_there(requester, owls):
    other = make_paragraph()
    act = PassageAct.objects.create(project=other.project, kind="exclude", why="x", articles=1, paragraphs=1)
    run = CurationRun.objects.create(project=other.project, place="upload", source_name="a.txt", asked={})
    get(requester, f"paragraphs/{other.pk}", 404)
    get(requester, f"curations/{run.pk}", 404)
    get(requester, f"curations/{run.pk}/files/passages.jsonl", 404)
    post(requester, f"paragraphs/{other.pk}/repair", {"text": "x", "why": "x"}, 404)
    post(requester, f"decisions/{act.pk}/undo", {"why": "x"}, 404)
    post(requester, f"curations/{run.pk}/cancel", {}, 404)
    assert (
        "No paragraph"
        in post(requester, "decisions", {"kind": "exclude", "ids": [other.pk], "why": "x"}, 422)["detail"]
    )


def test_the_description_names_every_operation(tmp_path):
    file = tmp_path / "schema.json"
    call_command("spectacular", "--format", "openapi-json", "--fail-on-warn", "--file", str(file))
    told = {
        way["operationId"]
        for path, ways in json.loads(file.read_text())["paths"].items()
        for way in ways.values()
        if path.startswith("/api/v1/projects/")
    }
    assert told == {
        *("read_passages", "list_articles", "list_paragraphs", "read_paragraph", "repair_paragraph", "list_repairs"),
        *("list_passage_decisions", "decide_about_passages", "undo_passage_decision", "read_splits", "draw_splits"),
        *("list_curations", "begin_curation", "read_curation", "act_on_curation", "read_curation_file"),
    }
