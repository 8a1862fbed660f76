"""Agreement in all its views: page, command, API and tables say the same; what is undefined says why."""

import io
import json
import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Worker
from annotation.services.imports import import_file
from reviewer import tasks
from reviewer.services import study, study_groups
from reviewer.services.verdicts import give_verdict
from reviewer.templatetags.review_words import percent
from tests.annotation.factories import NOON, make_project
from tests.reviewer.factories import make_answered, make_split
from tests.reviewer.test_agreement import S10
from tests.reviewer.test_review_pages import shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def sign_in(client, people):
    def as_person(name):
        client.force_login(people[name])
        return client

    return as_person


def command(*arguments, **options):
    output = io.StringIO()
    call_command("agreement", *arguments, stdout=output, **options)
    return output.getvalue()


def page_of(client, project, split="dev", name="agreement"):
    return client.get(reverse(name, args=[project.slug]), {"split": split})


def worked_on(project):
    """Two questions, each answered by the same two workers, three weeks apart."""
    questions = make_split(project, "dev", ["61 m"], ["1340"])
    workers = [Worker.objects.create(endpoint="marketplace", mturk_worker_id=f"W{n}") for n in range(2)]
    for worker, texts, days in [(workers[0], ["61 m", "1340"], 0), (workers[1], [None, "the year 1340"], 21)]:
        at = NOON + timedelta(days=days)
        make_answered(*questions, texts=texts, worker=worker, status="approved", submitted_at=at, finished_at=at)
    return workers


def test_page_command_api_and_table_agree_to_the_digit(sign_in, project):
    make_split(project, "dev", *S10, ["61 m", None, "1340"], [None, "1340"])
    printed = json.loads(command("--project", project.slug, "--split", "dev", "--json"))["dev"]
    client = sign_in("viewer")
    told = client.get(reverse("api_agreement", args=[project.slug]), {"split": "dev"}).json()
    assert told.pop("is_current") is True
    assert told.pop("at")
    assert printed == page_of(client, project, name="agreement_json").json()
    questions = client.get(reverse("api_agreement_questions", args=[project.slug])).json()["results"]
    assert told | {"least_agreed": questions} == printed
    page = shown(page_of(client, project))
    table = client.get(reverse("agreement_table", args=[project.slug, "measures"])).content.decode()
    for name, figure in printed["figures"].items():
        value, count = figure["value"], figure["questions"]
        if figure["interval"]:
            low, high = figure["interval"]
            assert f"{percent(value)} {percent(low)} – {percent(high)} {count}" in page
            assert f"{name},{value},{low},{high},{count}," in table
        else:
            assert f"{figure['why_no_interval']} {percent(value)} – {count}" in page
            assert f'{name},{value},,,{count},"{figure["why_no_interval"]}"' in table
    assert sum(bool(figure["interval"]) for figure in printed["figures"].values()) >= 9
    assert printed["figures"]["human_exact_match"]["value"] == printed["readings"]["all_others"]["exact_match"]


def test_an_undefined_figure_says_why_everywhere(sign_in, project):
    make_split(project, "dev", ["61 m", "61 m"], ["1340", "1340"])
    why = "Nobody marked a question as unanswerable: where all say the same, chance says nothing."
    client = sign_in("viewer")
    assert why in shown(page_of(client, project))
    assert f"undefined: {why}" in command("--project", project.slug, "--split", "dev")
    told = client.get(reverse("api_agreement", args=[project.slug])).json()["figures"]["alpha_answerable"]
    assert told == {"value": None, "questions": 2, "why": why}
    assert why in client.get(reverse("agreement_table", args=[project.slug, "measures"])).content.decode()


def test_a_reading_without_three_answers_says_why(sign_in, project):
    make_split(project, "dev", ["61 m", "61 m"])
    assert "the first and the third No question has enough answers that count." in shown(
        page_of(sign_in("viewer"), project)
    )
    table = page_of(sign_in("viewer"), project, name="agreement_csv").content.decode().splitlines()
    assert table[2] == "dev,first_and_third,,,0,1,0,0,0"


def test_workers_batches_and_weeks_are_told_apart(sign_in, project):
    first, second = worked_on(project)
    found = study.work_out(project, "dev")
    by_worker = {row["key"]: row for row in found["workers"]}
    # "61 m" and "1340" both stand among the others' answers; "year 1340" shares one word, and no answer scores 0.
    assert (by_worker[first.pk]["f1"], by_worker[first.pk]["count"]) == (100.0, 2)
    assert (by_worker[second.pk]["f1"], by_worker[second.pk]["unanswerable"]) == (pytest.approx(33.333), 1)
    assert [row["key"] for row in found["workers"]] == [second.pk, first.pk]
    assert [(row["name"], row["count"]) for row in found["periods"]] == [("2026-03-04", 2), ("2026-03-25", 2)]
    assert [row["f1"] for row in found["batches"]] == [100.0, pytest.approx(33.333)]
    page = page_of(sign_in("viewer"), project).content.decode()
    for name in (f"worker {first.pk}", "2026-03-25"):
        assert name in page
    assert first.mturk_worker_id not in json.dumps(study.public(project.pk, found))


def test_many_days_go_by_weeks(project):
    questions = make_split(project, "dev", ["61 m"])
    for days in range(study_groups.MOST_DAYS + 4):
        at = NOON + timedelta(days=days)
        make_answered(*questions, texts=["61 m"], status="approved", submitted_at=at, finished_at=at)
    names = [row["name"] for row in study.work_out(project, "dev")["periods"]]
    assert names == ["2026-03-02", "2026-03-09", "2026-03-16", "2026-03-23", "2026-03-30", "2026-04-06"]


def test_imported_answers_say_why_they_have_no_worker(sign_in, project):
    make_split(project, "dev", ["61 m", "61 m"])
    assert shown(page_of(sign_in("viewer"), project)).count("Imported answers have no worker, batch or time") == 3


def test_the_least_agreed_questions_come_first_with_all_their_answers(sign_in, project, people):
    make_split(project, "dev", ["61 m", "61 m"], ["the Crown", "Ruad"], ["1340", "in 1340"], ["Ruad"])
    client = sign_in("viewer")
    text = shown(page_of(client, project, name="agreement_questions"))
    assert [text.index(f"Question {n}?") for n in (1, 2, 0)] == sorted(text.index(f"Question {n}?") for n in (1, 2, 0))
    assert "Question 3?" not in text
    rows = client.get(reverse("agreement_table", args=[project.slug, "questions"])).content.decode().splitlines()
    assert [",".join(row.split(",")[:5]) for row in rows[1:]] == [
        "dev-1,2,0.0,0.0,False",
        "dev-2,2,0.0,66.667,False",
        "dev-0,2,100.0,100.0,True",
    ]


def test_the_plots_can_be_read_without_being_seen(sign_in, project):
    worked_on(project)
    page = page_of(sign_in("viewer"), project).content.decode()
    spoken = re.findall(r'<svg[^>]*role="img" aria-label="([^"]*)"', page)
    titles = ["Human EM and F1 of dev", "Measures of agreement", "Coefficients of agreement", "Questions by pairwise"]
    titles += ["Articles", "Workers", "Batches", "Over time"]
    assert [text.split(",")[0].split(":")[0][:12] for text in spoken] == [title[:12] for title in titles]
    for text in spoken:
        assert " %" in text or text.startswith("Coefficients")


def test_names_that_are_formulas_stay_texts_in_a_table(sign_in, project):
    make_split(project, "dev", ["61 m", "61 m"], title="=HYPERLINK(1)")
    table = sign_in("viewer").get(reverse("agreement_table", args=[project.slug, "articles"])).content.decode()
    assert table.splitlines()[1].startswith("'=HYPERLINK(1),1,100.0")
    assert sign_in("viewer").get(reverse("agreement_table", args=[project.slug, "nothing"])).status_code == 404


def test_what_changes_a_figure_changes_the_page(sign_in, project, people):
    question, _other = make_split(project, "dev", ["61 m", "1340"], ["1340", "1340"])
    client = sign_in("viewer")
    before = page_of(client, project, name="agreement_json").json()["figures"]["pairwise_f1"]["value"]
    give_verdict(question, "drop", people["reviewer"])
    after = page_of(client, project, name="agreement_json").json()["figures"]["pairwise_f1"]["value"]
    assert (before, after) == (50.0, 100.0)


def test_a_large_split_is_worked_out_by_a_job(sign_in, project, monkeypatch):
    monkeypatch.setattr(study, "WORKED_OUT_AT_ONCE", 1)
    queued = []
    monkeypatch.setattr(tasks.work_out_agreement, "delay", lambda *arguments: queued.append(arguments))
    question, _other = make_split(project, "dev", ["61 m", "61 m"], ["1340", "1340"])
    client = sign_in("viewer")
    for _time in range(2):
        assert "a job works their figures out" in shown(page_of(client, project))
    api = client.get(reverse("api_agreement", args=[project.slug]))
    assert (api.status_code, api.json()["code"]) == (202, "being_worked_out")
    assert queued == [(project.pk, "dev")]
    tasks.work_out_agreement(*queued[0])
    assert "100.000" in shown(page_of(client, project))
    make_answered(question, texts=["Ruad"], status="approved")
    text = shown(page_of(client, project))
    assert "Answers have come or gone since" in text
    assert "100.000" in text
    assert len(queued) == 2


def test_a_page_asks_little_of_the_database(sign_in, project, django_assert_max_num_queries):
    worked_on(project)
    client = sign_in("viewer")
    page_of(client, project)
    for name in ("agreement", "agreement_questions"):
        with django_assert_max_num_queries(15):
            assert page_of(client, project, name=name).status_code == 200


def test_the_command_reads_a_file_in_its_language(tmp_path):
    text = "二零零八年"
    answers = [{"text": piece, "answer_start": start} for piece, start in [(text, 0), (text[:4], 0), (text[:4], 1)]]
    qas = [{"id": "a", "question": "？", "answers": answers}]
    file = tmp_path / "zh.json"
    file.write_text(json.dumps({"data": [{"title": "年", "paragraphs": [{"context": text, "qas": qas}]}]}))
    found = json.loads(command(str(file), "--language", "zh", "--json"))
    assert found["readings"]["all_others"]["f1"] == 100.0
    assert (found["misplaced_answers"], found["questions_with_misplaced_answers"]) == (1, ["a"])
    assert "1 answer does not stand at its start" in command(str(file))
    with pytest.raises(CommandError, match="Name either a FILE"):
        command(str(file), "--project", "x")


@pytest.mark.slow
def test_the_chinese_file_as_it_is(shared_dir):
    file = shared_dir / "data" / "cmrc2018" / "cmrc2018_dev.json.gz"
    found = json.loads(command(str(file), "--language", "zh", "--json"))
    figures = {name: figure["value"] for name, figure in found["figures"].items()}
    assert (figures["leave_one_out_exact_match"], figures["leave_one_out_f1"]) == (92.596, 97.867)
    assert found["misplaced_answers"] == 200


@pytest.mark.slow
def test_squads_development_set_imported_and_as_a_file(shared_dir, sign_in, project):
    path = shared_dir / "data" / "squad" / "dev-v1.1.json.gz"
    project = make_project(train_percent=0, dev_percent=100, test_percent=0)
    import_file(project, path.read_bytes(), file_name=path.name, with_questions=True)
    printed = json.loads(command("--project", project.slug, "--split", "dev", "--json"))["dev"]
    bare = json.loads(command(str(path), "--json"))
    assert bare["figures"] == printed["figures"]
    assert bare["readings"] == printed["readings"]
    readings = {name: (one["exact_match"], one["f1"]) for name, one in printed["readings"].items()}
    assert readings == {"all_others": (81.527, 91.044), "first_and_third": (80.51, 90.555)}
    client = sign_in("superuser")
    page = shown(page_of(client, project))
    assert "81.527" in page
    assert "91.044" in page
    assert client.get(reverse("api_agreement", args=[project.slug])).json()["figures"] == printed["figures"]
