"""datasheet.md: each question of Gebru et al., answered from what is known, and left to the authors where it is not."""

import json
import re
from datetime import timedelta
from decimal import Decimal

import pytest

from annotation.models import Answer, Article, Assignment, Import
from hits.models import Batch
from reviewer.services import release_runs
from reviewer.services.release_places import folder_of
from reviewer.services.release_reading import ReleaseSpec
from tests.annotation.factories import NOON
from tests.reviewer.factories import CASTLE, make_answered, make_split, make_written

pytestmark = pytest.mark.django_db

# How many questions each section of the article has, its "any other comments?" included.
GEBRU = {
    "Motivation": 4,
    "Composition": 16,
    "Collection": 12,
    "Preparation": 4,
    "Uses": 6,
    "Distribution": 7,
    "Maintenance": 8,
}


@pytest.fixture(autouse=True)
def releases_dir(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path / "kept"


def sheet(release):
    return (folder_of(release) / "public" / "datasheet.md").read_text()


def answer_to(text, question):
    return re.search(rf"^\*\*{re.escape(question)}\*\* (.*)$", text, re.MULTILINE)[1]


def test_every_question_of_the_article_stands_there(project):
    make_split(project, "dev", ["61 m", "61 m deep", "61 m"])
    release, _is_new = release_runs.release(project)
    sections = re.split(r"^## (.+)$", sheet(release), flags=re.MULTILINE)[1:]
    assert {
        title: len(re.findall(r"^\*\*.+?\?\*\*", text, re.MULTILINE))
        for title, text in zip(sections[::2], sections[1::2], strict=True)
    } == GEBRU
    assert sum(GEBRU.values()) == 57


def test_what_is_known_of_people_pay_time_and_sampling_is_answered(project):
    project.countries, project.min_percent_approved = ["US", "CA"], 97
    project.save()
    written = make_written(project, status="approved", submitted_at=NOON)
    question = written.questions.get()
    Article.objects.filter(pk=question.paragraph.article_id).update(split="dev")
    Answer.objects.filter(question=question).update(position=0)
    for _person in range(2):
        make_answered(question, texts=["1742"], status="approved", submitted_at=NOON + timedelta(days=3))
    Batch.objects.filter(kind="answer").update(hourly_rate_usd=Decimal("12.50"))
    drawn = {"seed": 7, "top": 10_000, "sample": 536, "titles": ["Castle"]}
    Import.objects.create(
        project=project, file_name="a", curation={"source": {"kind": "dump", "name": "enwiki", "sample": drawn}}
    )
    release, _is_new = release_runs.release(project)
    text = sheet(release)
    paid = answer_to(text, "Who took part in collecting it, and what were they paid?")
    assert paid == (
        "Crowd workers, 3 people in all: 2 people answered questions of others in 2 HITs, paid at $12.50 an hour of "
        "the time that was reckoned; 1 people wrote questions in 1 HITs, paid at $9.00 an hour of the time that was "
        "reckoned. The project asks of them: an approval rate of 97 % at least, a place in US, CA."
    )
    first, last = NOON.date(), (NOON + timedelta(days=3)).date()
    assert answer_to(text, "Over which time was it collected?").startswith(f"From {first} to {last}, by the days")
    assert answer_to(text, "If it is a sample, how was it drawn?").startswith(
        "From enwiki 536 articles were drawn at random out of the first 10000 of a ranked list, with the seed 7."
    )
    assert "dev: EM 100.0, F1 100.0 (1 questions)" in answer_to(text, "Which errors, noise or repetitions are known?")
    assert json.dumps(drawn["titles"]) not in text


def test_what_is_not_known_is_left_to_the_authors_and_nothing_is_made_up(project):
    make_split(project, "train", ["61 m"])
    text = sheet(release_runs.release(project)[0])
    for question in ("What was the dataset made for, and which gap does it fill?", "Did an ethics board look at it?"):
        assert answer_to(text, question) == "*To be answered by the authors.*"
    assert answer_to(text, "Over which time was it collected?") == (
        "The platform does not know when the imported work was done. *To be answered by the authors.*"
    )
    assert "Workers read" not in text
    assert "paid at" not in text


def test_work_that_waits_changes_nothing_of_what_is_told(project):
    make_split(project, "train", ["61 m"])
    first, _is_new = release_runs.release(project)
    waiting = make_written(project, status="submitted", submitted_at=NOON)
    assert release_runs.release(project)[0].manifest["facts"] == first.manifest["facts"]
    Assignment.objects.filter(pk=waiting.pk).update(status="approved")
    Article.objects.filter(pk=waiting.questions.get().paragraph.article_id).update(split="train")
    Answer.objects.filter(question__assignment=waiting).update(position=0)
    later, is_new = release_runs.release(project)
    assert is_new
    assert later.manifest["facts"]["workers"] == 1


def test_the_facts_are_of_the_splits_that_are_released(project):
    make_split(project, "dev", ["61 m", "61 m"])
    make_split(project, "test", ["1340", "1340"], text=f"{CASTLE} Test.")
    release, _is_new = release_runs.release(project, spec=ReleaseSpec(splits=("dev",)))
    assert release.manifest["facts"]["imported_questions"] == 1
    assert release.manifest["facts"]["human_performance"].keys() == {"dev"}
