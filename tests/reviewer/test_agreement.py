"""Human EM and F1 of a project: the same figures as from a file, with everything counted that takes no part."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Answer
from annotation.services.imports import import_file
from reviewer.services.agreement import agreement
from reviewer.services.verdicts import give_verdict
from tests.annotation.factories import make_answer, make_import, make_project
from tests.reviewer.factories import CASTLE, make_answered, make_split, make_written

pytestmark = pytest.mark.django_db

# Case S10: five people-made questions, worked out by hand.
S10 = [
    ["61 m", "61 m", "61 m"],
    ["Abbot Ruad", "Ruad", "Abbot Ruad"],
    ["Brann Castle", "the castle", "Brann Castle"],
    ["in 1340", "1340", "the year 1340"],
    ["the Crown"],
]


def command(*arguments):
    output = StringIO()
    call_command("human_performance", *arguments, stdout=output)
    return json.loads(output.getvalue())


def test_the_second_answer_meets_the_others_and_never_itself(project):
    make_split(project, "dev", *S10)
    make_split(project, "train", ["61 m", "1340"], text=f"{CASTLE} Train.")
    reading = agreement(project, "dev").performance.all_others
    assert (reading.exact_match, reading.f1, reading.total, reading.too_few_answers) == (
        25.0,
        pytest.approx(75.0),
        4,
        1,
    )
    assert agreement(project, "dev").questions == 5


def test_the_command_prints_what_the_page_computes_in_the_form_of_a_file(project, tmp_path):
    make_split(project, "dev", *S10)
    qas = [
        {
            "id": str(number),
            "question": "?",
            "answers": [{"text": text, "answer_start": CASTLE.index(text)} for text in texts],
        }
        for number, texts in enumerate(S10)
    ]
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"data": [{"title": "Brann", "paragraphs": [{"context": CASTLE, "qas": qas}]}]}))
    printed = command("--project", project.slug, "--split", "dev")
    assert printed == agreement(project, "dev").performance.report() == command(str(path))
    assert printed["all_others"]["total"] == 4


@pytest.mark.parametrize(
    "arguments",
    [[], ["--project", "x"], ["--split", "dev"], ["file.json", "--project", "x", "--split", "dev"]],
    ids=["nothing", "no split", "no project", "both"],
)
def test_the_command_wants_a_file_or_a_project_and_a_split(arguments):
    with pytest.raises(CommandError, match="Name either a FILE, or a project and a split"):
        command(*arguments)


def test_an_unknown_project_is_named_with_those_there_are(project):
    with pytest.raises(CommandError, match=f"no project 'x'. Projects: {project.slug}"):
        command("--project", "x", "--split", "dev")


def test_unanswerable_second_answers_score_nothing_and_unanswerable_golds_are_left_out(project):
    make_split(project, "dev", ["61 m", None, "61 m"], ["1340", "1340", None], [None, "1340", None])
    found = agreement(project, "dev")
    report = found.performance.report()["all_others"]
    assert (report["exact_match"], report["total"]) == (50.0, 2)
    assert (report["unanswerable_second_answers"], report["no_gold_answer"]) == (1, 1)
    assert report["unanswerable_gold_answers"] == 3
    # An extra worker marked each of the three; the author of the third does not count here.
    assert (found.extra.questions, found.extra.unanswerable, found.extra.unanswerable_percent) == (3, 3, 100.0)


def test_the_author_who_finds_no_answer_is_no_extra_worker(project):
    make_split(project, "dev", [None, "1340"], ["61 m", None], ["the Crown"])
    extra = agreement(project, "dev").extra
    assert (extra.questions, extra.unanswerable) == (2, 1)


def test_only_what_counts_is_compared(project, people):
    first, second, third = make_split(project, "dev", ["61 m", "61 m"], ["1340", "1340"], ["Ruad", "Ruad"])
    # Submitted and not approved, a gold check, an adjudication: none is another person's counting answer.
    make_answered(first, texts=["the Crown"])
    make_answer(first, "the Crown", imported_from=make_import(project), is_gold=True)
    make_answer(first, "the Crown", adjudicated_by=people["reviewer"])
    give_verdict(second, "drop", people["reviewer"])
    give_verdict(third.answers.get(position=1), "drop", people["reviewer"])
    performance = agreement(project, "dev").performance
    assert (performance.all_others.total, performance.all_others.too_few_answers) == (1, 1)
    assert performance.all_others.exact_match == 100.0
    assert performance.first_and_third.total == 0


def test_approved_extra_answers_of_two_workers_count_in_order(project):
    writer = make_written(project, status="approved", text=CASTLE.replace("1340", "1742", 1))
    question = writer.questions.get()
    question.paragraph.article.split = "test"
    question.paragraph.article.save()
    make_answered(question, texts=["the year 1340"], status="approved")
    make_answered(question, texts=["1742"], status="approved")
    performance = agreement(project, "test").performance
    # "year 1340" shares no word with the golds "1742" and "1742".
    assert (performance.all_others.f1, performance.first_and_third.total) == (0.0, 1)
    assert [answer.position for answer in Answer.objects.order_by("pk")] == [0, 1, 2]


def test_other_projects_take_no_part(project):
    make_split(make_project(), "dev", ["61 m", "61 m"])
    assert agreement(project, "dev").is_empty
    make_split(project, "dev", ["61 m", "61 m"])
    assert not agreement(project, "dev").is_empty


def test_questions_are_read_in_batches(project, django_assert_num_queries, monkeypatch):
    monkeypatch.setattr("reviewer.services.agreement.BATCH", 2)
    make_split(project, "dev", *S10)
    with django_assert_num_queries(7):  # three batches of two queries, and the empty end
        found = agreement(project, "dev")
    assert found.performance.report() == command("--project", project.slug, "--split", "dev")
    assert found.performance.all_others.f1 == pytest.approx(75.0)


@pytest.mark.slow
def test_the_papers_own_dev_set_gives_the_published_figures(shared_dir):
    project = make_project(train_percent=0, dev_percent=100, test_percent=0)
    data = (shared_dir / "data" / "squad" / "dev-v1.1.json.gz").read_bytes()
    import_file(project, data, file_name="dev-v1.1.json.gz", with_questions=True)
    report = command("--project", project.slug, "--split", "dev")
    figures = {name: (reading["exact_match"], reading["f1"]) for name, reading in report.items()}
    assert figures == {"all_others": (81.527, 91.044), "first_and_third": (80.51, 90.555)}
