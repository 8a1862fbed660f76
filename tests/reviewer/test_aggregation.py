"""One answer out of several by Dawid-Skene and MACE. Those that need crowd-kit run where it is installed."""

import io
import json
import sys

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Worker
from hits.services.pseudonyms import worker_key
from reviewer.services import aggregation
from tests.reviewer.factories import CASTLE, make_answered, make_split

pytestmark = pytest.mark.django_db


def make_crowd(project):
    """Twelve questions; two careful workers, and one who marks the same words whatever is asked."""
    questions = make_split(project, "dev", *[[]] * 12)
    careful, second, careless = (
        Worker.objects.create(endpoint="marketplace", mturk_worker_id=f"CROWD{n}") for n in range(3)
    )
    right = ["61 m", "1340", "Abbot Ruad", "the Crown"] * 3
    make_answered(*questions, texts=right, worker=careful, status="approved")
    make_answered(*questions, texts=[*right[:-1], "the castle"], worker=second, status="approved")
    make_answered(*questions, texts=["Brann Castle"] * 12, worker=careless, status="approved")
    return [worker_key(project.pk, worker.pk) for worker in (careful, second, careless)]


@pytest.mark.slow
@pytest.mark.parametrize("method", aggregation.METHODS)
def test_a_careless_worker_weighs_less(project, method):
    pytest.importorskip("crowdkit")
    careful, second, careless = make_crowd(project)
    found = aggregation.aggregate(project, "dev", method)
    assert [one.chosen for one in found.questions[:4]] == ["61 m", "1340", "Abbot Ruad", "the Crown"]
    assert found.questions[0].majority == "61 m"
    # Where three say three things there is no majority, and something is chosen all the same.
    assert found.questions[-1].majority is None
    assert min(found.quality[careful], found.quality[second]) > found.quality[careless] + 0.2
    report = found.report()
    assert (report["questions_with_a_majority"], report["same_as_the_majority"]) == (11, 11)
    assert "CROWD" not in json.dumps(report)


@pytest.mark.slow
@pytest.mark.parametrize("method", aggregation.METHODS)
def test_who_never_finds_an_answer_is_not_taken_for_reliable(project, method):
    pytest.importorskip("crowdkit")
    careful, second, _careless = make_crowd(project)
    idle = Worker.objects.create(endpoint="marketplace", mturk_worker_id="IDLE")
    make_answered(*project.questions.order_by("pk"), texts=[None] * 12, worker=idle, status="approved")
    found = aggregation.aggregate(project, "dev", method)
    # Of words that belong to no answer the idle one is right, of those that do never.
    assert found.quality[worker_key(project.pk, idle.pk)] < 0.6
    assert min(found.quality[careful], found.quality[second]) > 0.8
    assert [one.chosen for one in found.questions[:2]] == ["61 m", "1340"]


@pytest.mark.slow
def test_what_nobody_could_answer_and_what_was_imported_says_why(project):
    pytest.importorskip("crowdkit")
    make_split(project, "dev", ["61 m", "1340"])
    with pytest.raises(aggregation.NotAggregated, match="imported answers have no worker"):
        aggregation.aggregate(project, "dev", "mace")
    [question] = make_split(project, "test", [], title="Nothing", text=f"{CASTLE} Nothing.")
    for _worker in range(2):
        make_answered(question, texts=[None], status="approved")
    with pytest.raises(aggregation.NotAggregated, match="nothing to weigh"):
        aggregation.aggregate(project, "test", "dawid-skene")


@pytest.mark.parametrize("is_there", [False, True])
def test_the_page_names_the_command_and_what_it_lacks(client, people, project, monkeypatch, is_there):
    make_crowd(project)
    monkeypatch.setattr(aggregation, "is_installed", lambda: is_there)
    client.force_login(people["viewer"])
    text = client.get(reverse("agreement", args=[project.slug])).content.decode()
    assert f"manage.py agreement --project {project.slug} --split dev --aggregate mace" in text
    assert ("crowd-kit is not installed" in text) != is_there


def test_without_the_optional_library_a_sentence_says_what_to_run(project, monkeypatch):
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", None)
    arguments = ("--project", project.slug, "--split", "dev", "--aggregate", "mace")
    with pytest.raises(CommandError, match=r"run pip install -r requirements-aggregation\.txt"):
        call_command("agreement", *arguments, stdout=io.StringIO())
    with pytest.raises(CommandError, match="takes a project and a split"):
        call_command("agreement", "--aggregate", "mace", stdout=io.StringIO())
