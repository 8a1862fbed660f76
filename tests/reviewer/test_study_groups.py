"""Every measure of agreement for each article, worker, batch and day, and what can be said of one question."""

import csv
import io
import json
import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Worker
from hits.services.pseudonyms import worker_key
from reviewer.services import study
from scoring.agreement_figures import MEASURES
from tests.annotation.factories import NOON
from tests.reviewer.factories import make_answered, make_split
from tests.reviewer.test_review_pages import shown

pytestmark = pytest.mark.django_db

GROUPS = ("articles", "workers", "batches", "periods")


@pytest.fixture
def viewer(client, people):
    client.force_login(people["viewer"])
    return client


@pytest.fixture
def answered(project):
    """Three questions of one article: the first answer of each is imported, the second one a worker's (one day), the
    third another worker's (the next day)."""
    questions = make_split(project, "dev", ["61 m"], ["1340"], ["Ruad"], title="Castle")
    given = [["61 m", "1340", None], ["well is 61 m", "the year 1340", None]]
    workers = []
    for day, texts in enumerate(given):
        workers.append(Worker.objects.create(endpoint="marketplace", mturk_worker_id=f"W{day}"))
        at = NOON + timedelta(days=day)
        make_answered(*questions, texts=texts, worker=workers[-1], status="approved", submitted_at=at, finished_at=at)
    return workers


def values(figures):
    return {name: figure["value"] for name, figure in figures.items()}


def test_each_group_has_every_measure(project, answered):
    found = study.public(project.pk, study.work_out(project, "dev"))
    for group in GROUPS:
        assert found[group]
        for row in found[group]:
            assert row["figures"].keys() == MEASURES.keys()
    (article,) = found["articles"]
    # One article is the whole split, whose intervals are drawn more often.
    assert values(article["figures"]) == values(found["figures"])


def test_a_worker_is_held_against_the_others_by_each_measure(project, answered):
    second, third = (worker_key(project.pk, worker.pk) for worker in answered)
    found = study.public(project.pk, study.work_out(project, "dev"))
    by_worker = {row["key"]: row["figures"] for row in found["workers"]}
    # The second answers are all the second worker's: "61 m" and "1340" are among the others', of "Ruad" none was found.
    assert by_worker[second]["human_exact_match"]["value"] == pytest.approx(66.667)
    assert by_worker[third]["human_exact_match"] == {
        "value": None,
        "questions": 0,
        "why": "None of these answers is the second one of its question.",
    }
    # Pairs of the third worker's: "well is 61 m" with "61 m" twice, "year 1340" with "1340" twice, none with "Ruad" and
    # with none.
    assert by_worker[third]["pairwise_exact_match"]["value"] == pytest.approx(100 * (0 + 0 + 1 / 2) / 3, abs=1e-3)
    assert by_worker[third]["pairwise_f1"]["value"] == pytest.approx(100 * (2 / 3 + 2 / 3 + 1 / 2) / 3, abs=1e-3)
    assert by_worker[third]["unanswerable_by_anyone"]["value"] == pytest.approx(33.333)
    assert by_worker[third]["unanswerable_by_most"]["value"] == pytest.approx(33.333)
    assert by_worker[third]["leave_one_out_exact_match"]["value"] == 0.0
    assert by_worker[second]["majority"]["value"] == 100.0


def test_the_page_shows_the_chosen_measure_with_its_plot_and_says_why_there_is_none(project, answered, viewer):
    address = reverse("agreement", args=[project.slug])
    page = viewer.get(address, {"split": "dev", "measure": "pairwise_f1"}).content.decode()
    spoken = re.findall(r'aria-label="([^"]*)"', page)
    for title in ("Articles", "Workers, least agreeing first", "Batches", "Over time"):
        assert any(text.startswith(f"{title}: Pairwise F1, in percent.") for text in spoken)
    assert '<option value="pairwise_f1" selected>' in page
    alpha = viewer.get(address, {"split": "dev", "measure": "alpha_spans"}).content.decode()
    assert any(
        text.startswith("Articles: Alpha, place of the answer. Castle: 0.")
        for text in re.findall(r'aria-label="([^"]*)"', alpha)
    )
    human = shown(viewer.get(address, {"split": "dev", "measure": "human_f1"}))
    assert "None of these answers is the second one of its question." in human
    assert "EM, %" in shown(viewer.get(address, {"split": "dev", "measure": "no such measure"}))


def test_splits_are_drawn_side_by_side_once_they_are_known(project, answered, viewer):
    make_split(project, "test", ["61 m", "well is 61 m"], text="The well is 61 m deep.", title="Well")
    address = reverse("agreement", args=[project.slug])
    assert 'aria-label="Splits:' not in viewer.get(address, {"split": "dev"}).content.decode()
    page = viewer.get(address, {"split": "test", "measure": "pairwise_f1"}).content.decode()
    assert re.search(r'aria-label="Splits: Pairwise F1, in percent. dev: [\d.]+ %[^"]*; test: 66.7 %', page)


def test_page_command_api_and_table_say_the_same_of_a_group(project, answered, viewer):
    output = io.StringIO()
    call_command("agreement", "--project", project.slug, "--split", "dev", "--json", stdout=output)
    printed = json.loads(output.getvalue())["dev"]
    told = viewer.get(reverse("api_agreement", args=[project.slug]), {"split": "dev"}).json()
    for group in GROUPS:
        assert told[group] == printed[group]
        table = viewer.get(reverse("agreement_table", args=[project.slug, group]), {"split": "dev"}).content.decode()
        for row, cells in zip(printed[group], csv.DictReader(io.StringIO(table)), strict=True):
            for name, figure in row["figures"].items():
                assert cells[name] == ("" if figure["value"] is None else str(figure["value"]))
                low = (figure.get("interval") or [None])[0]
                assert cells[f"{name}_low"] == ("" if low is None else str(low))


def test_a_question_has_its_own_measures(project, answered, viewer):
    text = shown(viewer.get(reverse("agreement_questions", args=[project.slug]), {"split": "dev"}))
    assert "2 of 3 mark it unanswerable" in text
    assert "no majority" not in text
    table = viewer.get(reverse("agreement_table", args=[project.slug, "questions"]), {"split": "dev"}).content.decode()
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(table))}
    first = rows["dev-0"]
    assert (first["human_exact_match"], first["human_f1"]) == ("100.0", "100.0")
    assert first["leave_one_out_exact_match"] == "66.667"
    assert float(first["alpha_spans"]) < 1
    assert (rows["dev-2"]["unanswerable"], rows["dev-2"]["human_exact_match"]) == ("2", "0.0")
