"""The first page, agreement and release through their addresses, and their parts of the project's page."""

import io
import json
import re
import zipfile

import pytest
from django.core.management import call_command
from django.urls import reverse

from reviewer.views import release
from tests.annotation.factories import make_answer, make_article, make_paragraph, make_project, make_question
from tests.reviewer.factories import CASTLE, make_split, make_written
from tests.reviewer.test_agreement import S10
from tests.reviewer.test_review_pages import shown

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def sign_in(client, people):
    def as_person(name):
        client.force_login(people[name])
        return client

    return as_person


# The first page


def test_the_first_page_says_what_this_is_and_where_to_sign_in(client):
    response = client.get(reverse("home"))
    assert response.status_code == 200
    assert f'href="{reverse("admin:login")}?next=/"' in response.content.decode()


def test_staff_come_from_the_first_page_to_their_projects(sign_in):
    response = sign_in("viewer").get(reverse("home"))
    assert (response.status_code, response["Location"]) == (302, reverse("admin:annotation_project_changelist"))


@pytest.mark.parametrize("address", ["/nowhere/", "/review/nobody/", "/release/nobody/train-v1.1.json"])
def test_what_is_not_there_gets_a_page_with_a_way_on(sign_in, address):
    response = sign_in("superuser").get(address)
    assert response.status_code == 404
    assert "Your projects" in shown(response)


# Agreement


@pytest.mark.parametrize(("person", "status"), [("outsider", 404), ("viewer", 200), ("requester", 200)])
def test_members_alone_see_the_agreement(sign_in, project, person, status):
    for name in ("agreement", "agreement_csv"):
        assert sign_in(person).get(reverse(name, args=[project.slug])).status_code == status


def test_page_command_and_table_agree_to_the_digit(sign_in, project):
    make_split(project, "dev", *S10, ["61 m", None, "1340"], [None, "1340"])
    output = io.StringIO()
    call_command("human_performance", project=project.slug, split="dev", stdout=output)
    printed = json.loads(output.getvalue())
    client = sign_in("viewer")
    page = shown(client.get(reverse("agreement", args=[project.slug]) + "?split=dev"))
    assert printed["all_others"]["total"] == 5
    for reading, words in [("all_others", "all others"), ("first_and_third", "the first and the third")]:
        figures = printed[reading]
        row = [words, figures["total"], f"{figures['exact_match']:.3f}", f"{figures['f1']:.3f}"]
        row += [figures[name] for name in list(figures)[3:]]
        assert " ".join(map(str, row)) in page
    table = client.get(reverse("agreement_csv", args=[project.slug]) + "?split=dev").content.decode().splitlines()
    assert table[0] == "split,gold," + ",".join(printed["all_others"])
    assert table[1:] == [f"dev,{gold}," + ",".join(map(str, row.values())) for gold, row in printed.items()]


def test_the_figures_stand_beside_the_published_ones_of_the_split(sign_in, project):
    make_split(project, "dev", ["61 m", "61 m"])
    make_split(project, "test", ["61 m", "61 m"], text=f"{CASTLE} Test.")
    make_split(project, "train", ["61 m", "61 m"], text=f"{CASTLE} Train.")
    client = sign_in("viewer")
    for split, published in [("dev", ["80.3", "90.5"]), ("test", ["77.0", "86.8"]), ("train", [])]:
        response = client.get(reverse("agreement", args=[project.slug]), {"split": split})
        assert re.findall(r"published: ([\d.]+) ", shown(response)) == published
        plot = re.search(r'<svg[^>]*aria-label="([^"]*)"', response.content.decode())[1]
        assert ("EM, here: 100.0 %" in plot, "EM, published" in plot) == (True, bool(published))


def test_what_extra_workers_could_not_answer_is_shown_as_a_share(sign_in, project):
    make_split(project, "dev", ["61 m", None], ["1340", "1340"], ["1340", "1340"], ["the Crown"])
    text = shown(sign_in("viewer").get(reverse("agreement", args=[project.slug])))
    assert "At least one extra worker could not answer 1 of 3 questions: 33.3 %." in text
    assert "published, dev and test together: 2.6 %" in text


def test_a_page_without_figures_says_what_to_do(sign_in, project):
    make_split(project, "dev", ["61 m"])
    address = reverse("agreement", args=[project.slug])
    assert "Ask for extra answers" in shown(sign_in("requester").get(address))
    assert "Ask for extra answers" not in shown(sign_in("viewer").get(address))
    make_written(project)
    text = shown(sign_in("reviewer").get(address))
    assert "1 question of dev counts so far" in text
    assert "Review what waits (1)" in text


# Release


@pytest.mark.parametrize(
    ("person", "status"), [("outsider", 404), ("viewer", 403), ("reviewer", 403), ("requester", 200)]
)
def test_requesters_alone_export(sign_in, project, person, status):
    make_split(project, "train", ["61 m"])
    client = sign_in(person)
    assert client.get(reverse("release", args=[project.slug])).status_code == status
    for name in ("train-v1.1.json", "export-report.json", "attribution.json", f"{project.slug}-squad-v1.1.zip"):
        assert client.get(reverse("release_file", args=[project.slug, name])).status_code == status


def test_the_files_of_the_page_are_those_of_the_command(sign_in, project, tmp_path):
    make_split(project, "train", ["61 m"])
    make_split(project, "dev", ["61 m"] * 3, text=f"{CASTLE} Dev.")
    call_command("export_dataset", project.slug, out=tmp_path, stdout=io.StringIO())
    client = sign_in("requester")
    page = client.get(reverse("release", args=[project.slug])).content.decode()
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(files) == 4
    for name, content in files.items():
        address = reverse("release_file", args=[project.slug, name])
        assert f'href="{address}"' in page
        response = client.get(address)
        assert response["Content-Disposition"] == f'attachment; filename="{name}"'
        assert b"".join(response.streaming_content) == content
    packed = client.get(reverse("release_file", args=[project.slug, f"{project.slug}-squad-v1.1.zip"]))
    archive = zipfile.ZipFile(io.BytesIO(b"".join(packed.streaming_content)))
    assert {name: archive.read(name) for name in archive.namelist()} == files
    assert client.get(reverse("release_file", args=[project.slug, "test-v1.1.json"])).status_code == 404


def test_the_page_says_what_is_left_out_and_why(sign_in, project, people):
    make_split(project, "dev", ["61 m", "61 m"], [None], [])
    make_written(project)
    text = shown(sign_in("requester").get(reverse("release", args=[project.slug])))
    for sentence in [
        "dev-v1.1.json 1 1 1 2 2 1",
        "dev-1 : every answer says that it cannot be answered",
        "dev-2 : no answer of it counts",
        "dev: exported, but with fewer than 3 answers; ask for more: dev-0 : 2",
        "train: no article has this split, so there is no file.",
        "1 article has no split and is in no file.",
        "1 question does not count: its work is not approved",
    ]:
        assert sentence in text


def test_of_a_large_dataset_the_page_leads_to_the_report_and_works_nothing_out(sign_in, project, monkeypatch):
    make_split(project, "dev", ["61 m", "61 m"], ["61 m"])
    client, address = sign_in("requester"), reverse("release", args=[project.slug])
    assert "dev-0 : 2" in shown(client.get(address))
    monkeypatch.setattr(release, "QUESTIONS_SURVEYED", 1)
    page = client.get(address)
    assert "With more than 1 questions it is not worked out while you wait" in shown(page)
    assert "dev-0" not in shown(page)
    report = client.get(reverse("release_file", args=[project.slug, "export-report.json"]))
    assert f'href="{report.wsgi_request.path}"' in page.content.decode()
    assert json.loads(b"".join(report.streaming_content))["splits"]["dev"]["questions"] == 2


def test_a_rehearsal_has_a_sentence_in_place_of_files(sign_in, project, people):
    rehearsal = make_project(is_rehearsal=True, origin=project, requester=people["requester"])
    for one in (project, rehearsal):
        make_split(one, "train", ["61 m"])
    client = sign_in("requester")
    page = client.get(reverse("release", args=[rehearsal.slug]))
    assert "nothing of it is ever exported" in shown(page)
    assert "train-v1.1.json" not in page.content.decode()
    assert "train-v1.1.json" in client.get(reverse("release", args=[project.slug])).content.decode()
    for name in ("train-v1.1.json", f"{rehearsal.slug}-squad-v1.1.zip"):
        refused = client.get(reverse("release_file", args=[rehearsal.slug, name]))
        assert (refused.status_code, refused.streaming) == (409, False)


# The project's page


def stages_of(client, project):
    page = client.get(reverse("admin:annotation_project_home", args=[project.pk]))
    return {str(stage["title"]): stage["figures"] for stage in page.context["stages"]}


def test_the_projects_page_leads_to_review_agreement_and_release(sign_in, project):
    make_written(project)
    make_split(project, "dev", *S10)
    stages = stages_of(sign_in("requester"), project)
    assert (stages["Review"].waiting, stages["Review"].next_url) == ("1 waiting", f"/review/{project.slug}/")
    assert stages["Agreement"].done == "EM 25.0 F1 75.0"
    for person in ("requester", "viewer", "reviewer"):
        stages = stages_of(sign_in(person), project)
        assert (stages["Release"].done, stages["Release"].next_url) == ("none yet", f"/releases/{project.slug}/")
        assert bool(stages["Review"].next_url) == (person != "viewer")


def test_the_panels_show_on_the_projects_page(sign_in, project):
    make_written(project)
    make_split(project, "dev", *S10)
    text = shown(sign_in("requester").get(reverse("admin:annotation_project_home", args=[project.pk])))
    assert "1 waiting for a decision" in text
    assert "dev: 4 questions, EM 25.0 %, F1 75.0 %" in text
    assert "test: no question has two approved answers yet" in text
    assert "There is no release yet." in text


def test_figures_of_many_questions_are_left_to_their_own_page(sign_in, project, monkeypatch):
    monkeypatch.setattr("reviewer.project_panels.QUESTIONS_WORKED_OUT", 4)
    make_split(project, "dev", *S10[:4])
    client = sign_in("viewer")
    assert stages_of(client, project)["Agreement"].done == "EM 25.0 F1 75.0"
    make_answer(make_question(project.paragraphs.get(), answer=None), "61 m", position=0)
    found = stages_of(client, project)["Agreement"]
    assert (found.done, found.next_url) == ("", f"/agreement/{project.slug}/")


def test_pages_of_a_project_with_nothing_yet_say_what_comes_first(sign_in, project):
    client = sign_in("requester")
    passages = reverse("admin:annotation_passages", args=[project.pk])
    launch = reverse("admin:hits_batch_launch", args=[project.pk])
    page = client.get(reverse("agreement", args=[project.slug]))
    assert "No article is in dev so far: import passages, or draw the splits." in shown(page)
    assert f'href="{passages}"' in page.content.decode()
    assert f'href="{passages}"' in client.get(reverse("dashboard", args=[project.slug])).content.decode()
    page = client.get(reverse("agreement_more", args=[project.slug]), {"splits": ["dev", "test"]})
    assert "No question counts yet Rounds are for questions that count in the chosen splits" in shown(page)
    assert "What this round costs" not in shown(page)
    make_paragraph(article=make_article(project, split="dev"))
    page = client.get(reverse("agreement", args=[project.slug]))
    assert "No question of dev counts so far: approve written questions, or have some written." in shown(page)
    assert f'href="{launch}">Have questions written' in page.content.decode()
    make_question(project.paragraphs.first())
    page = client.get(reverse("agreement", args=[project.slug]))
    assert f'href="{launch}?kind=answer">Ask for extra answers' in page.content.decode()
