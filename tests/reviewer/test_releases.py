"""Releases: numbered, frozen, the same bytes for the same data, and checked by whoever gets one."""

import csv
import json
import shutil
import subprocess
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from reviewer.models import Release
from reviewer.services import release_runs
from reviewer.services.code_version import code_commit
from reviewer.services.dataset import NotExportable
from reviewer.services.release_places import folder_of
from reviewer.services.verdicts import give_verdict
from scoring.release_files import described, sealed
from scoring.squad_files import read_gold
from tests.annotation.factories import make_paragraph, make_project, make_question
from tests.reviewer.factories import CASTLE, make_answered, make_split, make_written

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def releases_dir(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"


@pytest.fixture
def dataset(project):
    """A training question, a dev question of three answers and an unanswerable one, and a test question."""
    make_split(project, "train", ["61 m", "well is 61 m"])
    make_split(project, "dev", ["1340", "the year 1340", "1340"], [None, None], text=f"{CASTLE} Dev.")
    make_split(project, "test", ["the Crown"] * 3, text=f"{CASTLE} Test.")
    return project


def command(*arguments, **options):
    output = StringIO()
    call_command("release", *arguments, stdout=output, **options)
    return output.getvalue()


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def content(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_release_holds_each_format_and_a_manifest_of_them(dataset, tmp_path):
    told = command(dataset.slug, out=tmp_path / "out")
    assert told.startswith(f"{dataset.slug}, release 1: {tmp_path}/out\n")
    files = content(tmp_path / "out")
    manifest = json.loads(files["manifest.json"])
    assert {file["path"] for file in manifest["files"]} == files.keys() - {"manifest.json"}
    assert {name.split("/")[0] for name in files if "/" in name} == {
        "csv",
        "data",
        "label-studio",
        "parquet",
        "squad-v1.1",
        "squad-v2.0",
    }
    assert manifest["counts"]["dev"] == {
        "articles": 1,
        "paragraphs": 1,
        "questions": 2,
        "impossible_questions": 1,
        "answers": 3,
    }
    assert (manifest["number"], manifest["previous"]) == (1, None)
    first, impossible = rows_of(tmp_path / "out" / "data" / "dev.jsonl")
    assert first["answers"]["text"] == ["1340", "the year 1340", "1340"]
    assert (impossible["is_impossible"], impossible["answers"]) == (True, {"text": [], "answer_start": []})
    (train,) = rows_of(tmp_path / "out" / "data" / "train.jsonl")
    assert train["answers"]["text"] == ["61 m"]
    assert [question.id for question in read_gold(files["squad-v1.1/dev-v1.1.json"])] == ["dev-0"]
    assert [question.id for question in read_gold(files["squad-v2.0/dev-v2.0.json"])] == ["dev-0", "dev-1"]


def test_the_same_data_is_the_same_release_to_the_byte_and_a_change_the_next(dataset, people, tmp_path):
    command(dataset.slug, out=tmp_path / "a")
    assert "release 1, where nothing changed since" in command(dataset.slug, out=tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")
    give_verdict(dataset.questions.get(public_id="dev-0").answers.get(position=0), "drop", people["reviewer"])
    give_verdict(dataset.questions.get(public_id="train-0"), "drop", people["reviewer"])
    make_question(make_paragraph(article=dataset.articles.get(split="train")), public_id="more")
    assert "release 2:" in command(dataset.slug, out=tmp_path / "c")
    manifest = json.loads((tmp_path / "c" / "manifest.json").read_bytes())
    assert manifest["previous"]["number"] == 1
    assert manifest["previous"]["questions"] == {"added": 1, "removed": 1, "changed": 1}
    assert command(diff=[tmp_path / "a", tmp_path / "c"]).splitlines() == [
        "added: 1",
        "  more",
        "removed: 1",
        "  train-0",
        "changed: 1",
        "  dev-0 (answers)",
    ]
    assert command(diff=[tmp_path / "a", tmp_path / "b"]).split() == ["added:", "0", "removed:", "0", "changed:", "0"]


def test_answers_of_the_test_are_held_back_in_every_public_file(dataset, tmp_path):
    command(dataset.slug, out=tmp_path / "out", hold_back_test=True)
    for name, data in content(tmp_path / "out").items():
        if "test" in name:
            assert b'"the Crown"' not in data, name
            assert b",the Crown," not in data, name
            assert b'is_impossible":false' not in data, name
    (public,) = rows_of(tmp_path / "out" / "data" / "test.jsonl")
    assert (public["answers"], public["is_impossible"]) == ({"text": [], "answer_start": []}, None)
    assert [path.name for path in (tmp_path / "out-private").iterdir()] == ["test-key.jsonl"]
    for path in (tmp_path / "out-private", tmp_path / "out-private" / "test-key.jsonl"):
        assert path.stat().st_mode & 0o077 == 0
    (key,) = rows_of(tmp_path / "out-private" / "test-key.jsonl")
    assert key["answers"]["text"] == ["the Crown"] * 3
    assert "answers" not in json.loads((tmp_path / "out" / "manifest.json").read_bytes())["counts"]["test"]
    command(dataset.slug, out=tmp_path / "open")
    (row,) = rows_of(tmp_path / "open" / "data" / "test.jsonl")
    assert row["answers"] == key["answers"]


def test_no_list_says_which_held_back_questions_can_be_answered(project, tmp_path):
    make_split(project, "dev", ["61 m"])
    make_split(project, "test", ["the Crown", "the Crown"], [None, None], text=f"{CASTLE} Test.")
    command(project.slug, out=tmp_path / "out", hold_back_test=True)
    splits = json.loads((tmp_path / "out" / "left-out.json").read_bytes())["splits"]
    assert splits["dev"]["questions_under_three_answers"] == [{"id": "dev-0", "answers": 1}]
    assert "test-" not in json.dumps(splits["test"])
    command(project.slug, out=tmp_path / "open")
    splits = json.loads((tmp_path / "open" / "left-out.json").read_bytes())["splits"]
    assert splits["test"]["questions_under_three_answers"] == [{"id": "test-0", "answers": 2}]


def test_what_was_changed_by_hand_is_named(dataset, tmp_path):
    folder = tmp_path / "out"
    command(dataset.slug, out=folder)
    assert "all as they were released" in command(verify=folder)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["counts"]["dev"]["questions"] = 10_570
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "csv" / "dev.csv").unlink()
    (folder / "data" / "dev.jsonl").write_text("{}\n")
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(CommandError) as refusal:
        command(verify=folder)
    assert str(refusal.value).splitlines() == [
        "manifest.json was changed after the release, in: counts. Get it again.",
        "csv/dev.csv is missing.",
        "data/dev.jsonl was changed after the release: its checksum is another.",
        "notes.txt is not part of the release.",
    ]


def resealed(folder, **changes):
    """The manifest of ``folder`` edited, with checksums made anew by somebody who knows how."""
    path = folder / "manifest.json"
    path.write_text(json.dumps(sealed(json.loads(path.read_bytes()) | changes)))


def test_a_manifest_that_was_sealed_anew_is_held_against_the_data_and_the_database(dataset, tmp_path):
    folder = tmp_path / "out"
    command(dataset.slug, out=folder)
    assert "all as they were released" in command(dataset.slug, verify=folder)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    counts = manifest["counts"] | {"dev": manifest["counts"]["dev"] | {"answers": 9}}
    resealed(folder, counts=counts, note="Approved by all", protocol=None)
    with pytest.raises(CommandError) as refusal:
        command(verify=folder)
    assert str(refusal.value) == "manifest.json: counts.dev.answers is 9; data/dev.jsonl has 3."
    with pytest.raises(CommandError) as refusal:
        command(dataset.slug, verify=folder)
    told = str(refusal.value).splitlines()
    assert "manifest.json: counts.dev.answers is 9; released was 3." in told
    assert 'manifest.json: note is "Approved by all"; released was "".' in told
    assert any(line.startswith("manifest.json: protocol is null; released was {") for line in told)
    resealed(folder, number=7)
    with pytest.raises(CommandError, match="has no release of the number that the manifest says"):
        command(dataset.slug, verify=folder)


def test_each_article_says_where_it_is_from_and_one_that_does_not_is_named(dataset, tmp_path):
    dataset.articles.filter(split="dev").update(
        title="Brann", source_url="https://example.org/brann", licence="CC BY-SA 4.0", attribution="Its authors"
    )
    folder = tmp_path / "out"
    command(dataset.slug, out=folder)
    sources = json.loads((folder / "attribution.json").read_bytes())
    assert {(source["split"], source["title"]) for source in sources} == {
        (split, row["title"])
        for split in ("train", "dev", "test")
        for row in rows_of(folder / "data" / f"{split}.jsonl")
    }
    (brann,) = (source for source in sources if source["title"] == "Brann")
    assert (brann["licence"], brann["attribution"]) == ("CC BY-SA 4.0", "Its authors")
    card = (folder / "README.md").read_text()
    assert 'license: ["cc-by-sa-4.0", "other"]' in card
    path = folder / "attribution.json"
    path.write_text(json.dumps([source for source in sources if source["title"] != "Brann"]))
    files = json.loads((folder / "manifest.json").read_bytes())["files"]
    new = described(folder, path)
    resealed(folder, files=[new if file["path"] == path.name else file for file in files])
    with pytest.raises(CommandError) as refusal:
        command(verify=folder)
    assert str(refusal.value) == "attribution.json does not say where “Brann” of dev is from."


@pytest.mark.parametrize("attribution", ["{", "7", '[7, {"split": [], "title": {}}]'])
def test_an_attribution_edited_by_somebody_who_seals_it_anew_is_told_in_a_sentence(dataset, tmp_path, attribution):
    folder = tmp_path / "out"
    command(dataset.slug, out=folder)
    path = folder / "attribution.json"
    path.write_text(attribution)
    files = json.loads((folder / "manifest.json").read_bytes())["files"]
    resealed(folder, files=[described(folder, path) if file["path"] == path.name else file for file in files])
    with pytest.raises(CommandError, match=r"attribution\.json (cannot be read|is no list|does not say where)"):
        command(verify=folder)


@pytest.mark.parametrize(
    ("manifest", "sentence"),
    [
        ("", "cannot be read"),
        ("[" * 9999, "cannot be read"),
        ("[]", "files is no list of files"),
        ('{"files": [{"path": "../../etc/passwd"}]}', r"files\[0\]\.path names no file of the release"),
        ('{"files": [{"path": "a"}, {"path": "/etc/passwd"}]}', r"files\[1\]\.path names no file of the release"),
        ('{"files": [{"path": "a"}, 7]}', r"files\[1\]\.path names no file of the release"),
    ],
)
def test_a_manifest_that_is_none_or_leads_out_of_its_folder_is_refused(manifest, sentence, tmp_path):
    (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(CommandError, match=rf"manifest\.json:? {sentence}"):
        command(verify=tmp_path)
    with pytest.raises(CommandError, match="it is no release"):
        command(verify=tmp_path / "nowhere")


def test_the_manifest_names_the_commit_of_the_code_that_made_it(dataset, tmp_path):
    release, _is_new = release_runs.release(dataset)
    git = shutil.which("git")
    if not git or not (settings.BASE_DIR / ".git").exists():
        assert release.manifest["code_commit"] is None
        pytest.skip("no checkout")
    told = subprocess.run([git, "rev-parse", "HEAD"], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True)
    assert release.manifest["code_commit"] == told.stdout.strip()
    assert code_commit(tmp_path) is None
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert code_commit(tmp_path) is None
    (tmp_path / ".git" / "packed-refs").write_text(f"# pack-refs\n{'a' * 40} refs/heads/main\n")
    assert code_commit(tmp_path) == "a" * 40


def test_a_release_never_changes(dataset):
    release, _is_new = release_runs.release(dataset)
    for attempt in (
        lambda: Release.objects.update(number=7),
        lambda: Release.objects.filter(pk=release.pk)._raw_delete("default"),
    ):
        with pytest.raises(IntegrityError, match="a release never changes"), transaction.atomic():
            attempt()


def test_work_under_way_and_what_to_do_about_it_are_said(dataset, people):
    written = make_written(dataset, status="submitted")
    make_answered(written.questions.get(), texts=["1742"], status="submitted")
    for answer in dataset.questions.get(public_id="train-0").answers.all():
        give_verdict(answer, "drop", people["reviewer"])
    give_verdict(dataset.questions.get(public_id="dev-0").answers.get(position=1), "drop", people["reviewer"])
    release, _is_new = release_runs.release(dataset)
    assert release.manifest["warnings"] == [
        "Work is under way (open batches: 2; assignments to review: 2). None of it is in here.",
        "train: 1 question has no answer left and is not in here. Ask for new answers.",
        "dev: 1 question has fewer than 3 answers. Launch a batch for extra answers.",
        "2 articles state no licence. Find out under which one their texts may be given on.",
    ]
    left_out = json.loads((folder_of(release) / "public" / "left-out.json").read_bytes())
    assert left_out["splits"]["train"]["questions_left_out"] == [{"id": "train-0", "reason": "no_answer"}]
    assert left_out["splits"]["dev"]["questions_under_three_answers"] == [{"id": "dev-0", "answers": 2}]


def test_nothing_to_release_a_rehearsal_and_a_full_folder_are_refused(dataset, tmp_path):
    empty = make_project()
    make_split(empty, "dev", [])
    with pytest.raises(NotExportable, match="nothing to release"):
        release_runs.release(empty)
    with pytest.raises(CommandError, match="nothing of it is ever exported"):
        command(make_project(is_rehearsal=True, origin=dataset).slug, out=tmp_path / "out")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(CommandError, match="full is not empty"):
        command(dataset.slug, out=tmp_path / "full")
    assert not Release.objects.exists()
    with pytest.raises(CommandError, match="Name a project and a folder"):
        command(dataset.slug)


def test_answers_of_equal_text_at_different_places_both_stand(project, tmp_path):
    (question,) = make_split(project, "dev", ["1340", "1340", "1340"])
    second = CASTLE.index("1340", CASTLE.index("1340") + 1)
    question.answers.filter(position=1).update(start=second, end=second + 4)
    command(project.slug, out=tmp_path / "out")
    (row,) = rows_of(tmp_path / "out" / "data" / "dev.jsonl")
    first = CASTLE.index("1340")
    assert row["answers"] == {"text": ["1340"] * 3, "answer_start": [first, second, first]}
    tasks = json.loads((tmp_path / "out" / "label-studio" / "dev.json").read_bytes())
    values = [annotation["result"][0]["value"] for annotation in tasks[0]["annotations"]]
    assert [(value["start"], value["end"]) for value in values] == [
        (first, first + 4),
        (second, second + 4),
        (first, first + 4),
    ]


def test_label_studio_gets_an_interface_that_has_all_that_the_tasks_name(dataset, tmp_path):
    command(dataset.slug, out=tmp_path / "out", hold_back_test=True)
    folder = tmp_path / "out" / "label-studio"
    view = ElementTree.parse(folder / "config.xml").getroot()
    controls = {one.get("name"): one for one in view if one.get("toName") == view.find("Text").get("name")}
    assert controls.keys() == {"answer", "answerable"}
    answered, impossible = json.loads((folder / "dev.json").read_bytes())
    assert {name.get("value") for name in view if (name.get("value") or "").startswith("$")} <= {
        f"${name}" for name in answered["data"]
    }
    for task in (answered, impossible):
        for (result,) in (annotation["result"] for annotation in task["annotations"]):
            control = controls[result["from_name"]]
            assert (result["to_name"], result["type"]) == ("text", control.tag.lower())
            assert set(result["value"][result["type"]]) <= {choice.get("value") for choice in control}
    assert len(answered["annotations"]) == 3
    (unanswerable,) = impossible["annotations"]
    assert unanswerable["result"][0]["value"] == {"choices": ["Cannot be answered"]}
    (held,) = json.loads((folder / "test.json").read_bytes())
    assert held["annotations"] == []


def test_no_cell_of_the_csv_is_a_formula(project, tmp_path):
    (question,) = make_split(project, "dev", ["61 m"], text='=HYPERLINK("x") The well is 61 m deep.', title="@Castle")
    type(question).objects.update(text="+1 or -1?")
    command(project.slug, out=tmp_path / "out")
    with open(tmp_path / "out" / "csv" / "dev.csv", newline="") as file:
        head, row = csv.reader(file)
    assert row[head.index("title")] == "'@Castle"
    assert row[head.index("context")].startswith("'=HYPERLINK")
    assert row[head.index("question")] == "'+1 or -1?"
    assert row[head.index("answer")] == "61 m"
