"""A release as strangers load it: the libraries that people have, each where it is installed, and the figures that
the official evaluation gave for predictions that were published."""

import csv
import json

import pytest
from django.db import transaction
from django.test import override_settings

from annotation.services.imports import import_file
from reviewer.models import Release
from reviewer.services import release_runs
from reviewer.services.release_places import folder_of
from reviewer.services.release_reading import ReleaseSpec
from reviewer.services.releases import deliver
from scoring.squad_files import read_gold, read_predictions
from tests.annotation.factories import make_project
from tests.reviewer.factories import CASTLE, make_split
from tests.scoring import official

pytestmark = pytest.mark.django_db
MODEL = "match-lstm-ensemble"


@pytest.fixture(autouse=True)
def folders(settings, tmp_path, monkeypatch):
    settings.RELEASES_DIR = tmp_path / "kept"
    for name in ("HF_HOME", "HF_DATASETS_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))


@pytest.fixture
def released(project, tmp_path):
    """The folder of a release with an empty train, held-back answers, pseudonyms, and a name that YAML misreads."""
    type(project).objects.filter(pk=project.pk).update(name='=Mills: "a" {b}\' # c')
    project.refresh_from_db()
    make_split(project, "train", [])
    make_split(project, "dev", ["1340", "the year 1340", "1340"], [None, None], text=f"{CASTLE} Dev.", title="@Dev")
    make_split(project, "test", ["the Crown"] * 3, [None], text=f"{CASTLE} Test.")
    project.articles.update(licence="CC BY-SA 4.0")
    spec = ReleaseSpec(holds_back_test=True, workers=Release.Workers.PSEUDONYMS, note="For the shared task.")
    release, _is_new = release_runs.release(project, spec=spec)
    return folder_of(release) / "public"


def rows_of(folder, split):
    return [json.loads(line) for line in (folder / "data" / f"{split}.jsonl").read_text().splitlines()]


def test_datasets_loads_the_folder_in_one_line(released, tmp_path):
    datasets = pytest.importorskip("datasets", reason="Hugging Face's datasets is not installed")
    loaded = datasets.load_dataset(str(released), cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == ["dev", "test"]  # none without questions: it takes no such split
    assert [list(loaded[split]) for split in loaded] == [rows_of(released, split) for split in loaded]
    assert len({str(loaded[split].features) for split in loaded}) == 1
    assert loaded["test"][0]["answers"] == {"text": [], "answer_start": []}


def test_mlcroissant_finds_the_metadata_valid_and_reads_the_records(released):
    mlcroissant = pytest.importorskip("mlcroissant", reason="MLCommons' mlcroissant is not installed")
    described = mlcroissant.Dataset(jsonld=str(released / "croissant.json"))
    issues = described.metadata.issues
    assert (issues.errors, issues.warnings) == (set(), set())
    for split in ("dev", "test"):
        texts = f"{split}/answers/text"
        read = [
            (record[f"{split}/id"].decode(), [text.decode() for text in record[f"{split}/answers"][texts]])
            for record in described.records(split)
        ]
        assert read == [(row["id"], row["answers"]["text"]) for row in rows_of(released, split)]
    (released / "parquet" / "dev.parquet").write_bytes((released / "parquet" / "test.parquet").read_bytes())
    with pytest.raises(Exception, match=r"(?i)hash|checksum|sha256|error occurred"):
        list(mlcroissant.Dataset(jsonld=str(released / "croissant.json")).records("dev"))


@pytest.fixture(scope="module")
def squad(shared_dir, django_db_setup, django_db_blocker, tmp_path_factory):
    """The public development set of SQuAD, taken in and released once for all who read it; with it the published
    predictions of a model and what the official evaluation gave for them."""
    folder, out = shared_dir / "data" / "squad", tmp_path_factory.mktemp("squad") / "squad-1"
    data = (folder / "dev-v1.1.json.gz").read_bytes()
    with (
        override_settings(RELEASES_DIR=tmp_path_factory.mktemp("kept")),
        django_db_blocker.unblock(),
        transaction.atomic(),
    ):
        project = make_project(train_percent=0, dev_percent=100, test_percent=0)
        import_file(project, data, file_name="dev-v1.1.json.gz", with_questions=True)
        release, _is_new = release_runs.release(project)
        deliver(release, out)
        transaction.set_rollback(True)
    predictions = read_predictions((folder / "predictions-v1.1" / f"{MODEL}.json.gz").read_bytes())
    with open(folder / "expected-scores-v1.1.tsv", encoding="utf-8", newline="") as file:
        (known,) = (row for row in csv.DictReader(file, delimiter="\t") if MODEL in row["what"])
    return out, predictions, (float(known["exact_match"]), float(known["f1"]))


@pytest.mark.slow
def test_the_official_evaluation_scores_published_predictions_as_it_did(squad):
    folder, predictions, known = squad
    first = read_gold((folder / "squad-v1.1" / "dev-v1.1.json").read_bytes())
    assert len(first) == 10_570
    golds = [(question.id, list(question.answers)) for question in first]
    assert official.evaluate_v1(golds, predictions) == pytest.approx(known, abs=1e-6)
    second = read_gold((folder / "squad-v2.0" / "dev-v2.0.json").read_bytes())
    golds = [(question.id, list(question.answers)) for question in second]
    overall, answerable, unanswerable = official.evaluate_v2(golds, predictions)
    assert overall == answerable == pytest.approx(known, abs=1e-6)
    assert unanswerable is None


@pytest.mark.slow
def test_questions_that_datasets_loads_are_scored_alike(squad, tmp_path):
    datasets = pytest.importorskip("datasets", reason="Hugging Face's datasets is not installed")
    folder, predictions, known = squad
    loaded = datasets.load_dataset(str(folder), split="dev", cache_dir=str(tmp_path / "cache"))
    golds = [(row["id"], row["answers"]["text"]) for row in loaded]
    assert official.evaluate_v1(golds, predictions) == pytest.approx(known, abs=1e-6)


@pytest.mark.slow
def test_torchmetrics_scores_the_rows_alike(squad):
    text = pytest.importorskip("torchmetrics.text", reason="torchmetrics is not installed")
    folder, predictions, known = squad
    rows = rows_of(folder, "dev")
    metric = text.SQuAD()
    metric.update(
        [{"id": row["id"], "prediction_text": predictions[row["id"]]} for row in rows],
        [{"id": row["id"], "answers": row["answers"]} for row in rows],
    )
    scores = metric.compute()
    assert (float(scores["exact_match"]), float(scores["f1"])) == pytest.approx(known, abs=1e-3)  # single precision


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.1", "2.0"])
def test_the_reader_of_transformers_reads_the_files_and_scores_them_alike(squad, version):
    processors = pytest.importorskip(
        "transformers.data.processors.squad", reason="transformers is not installed, or has its reader no more"
    )
    metrics = pytest.importorskip("transformers.data.metrics.squad_metrics", reason="transformers has no such metric")
    folder, predictions, known = squad
    processor = {"1.1": processors.SquadV1Processor, "2.0": processors.SquadV2Processor}[version]()
    examples = processor.get_dev_examples(str(folder / f"squad-v{version}"), filename=f"dev-v{version}.json")
    assert len(examples) == 10_570
    scores = metrics.squad_evaluate(examples, predictions)
    assert (scores["exact"], scores["f1"]) == pytest.approx(known, abs=1e-6)
