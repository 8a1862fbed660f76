"""A project on one page: its figures on small known data, when they are worked out anew, and what the page says."""

import io
import re
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
import reportlab
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from annotation.models import Verdict
from hits.models import HIT, Batch, LedgerEntry
from hits.services.pseudonyms import worker_key
from reviewer.models import ProjectFigures
from reviewer.services import dashboard, dashboard_figures, study
from reviewer.services.dashboard_workers import workers
from tests.annotation.factories import NOON, make_answer, make_paragraph, make_question, make_superuser, make_worker
from tests.reviewer.factories import make_split, make_written
from tests.reviewer.test_review_pages import shown

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def test_the_funnel_counts_each_stage(project):
    make_written(project, status="approved")
    dropped = make_written(project, status="approved").questions.get()
    Verdict.objects.create(question=dropped, decision="drop", decided_by=make_superuser())
    make_written(project, status="submitted")
    make_written(project, status="rejected")
    make_written(project, status="open")
    make_question(make_paragraph(project))
    found = dashboard_figures.funnel(project)
    assert found == {
        "paragraphs": 6,
        "kept": 6,
        "published": 5,
        "written": 6,
        "imported": 1,
        "submitted": 5,
        "approved": 3,
        "waiting": 1,
        "rejected": 1,
        "dropped": 1,
        "in_data": 2,
        "released": 0,
        "release": None,
    }


def test_an_excluded_paragraph_is_imported_and_not_kept(project):
    paragraph = make_paragraph(project)
    make_paragraph(project)
    type(paragraph).objects.filter(pk=paragraph.pk).update(is_excluded=True)
    found = dashboard_figures.funnel(project)
    assert (found["paragraphs"], found["kept"]) == (2, 1)
    assert dashboard_figures.coverage(project)["paragraphs"] == 1


def test_answers_are_counted_by_their_words(project):
    question = make_question(make_paragraph(project), answer="1742")
    make_answer(question, "Welsh slate", position=1)
    make_answer(question, "The present roof, of Welsh slate, dates from 1866.", position=2)
    make_answer(question, None, position=3)
    make_answer(question, "1866", is_gold=True)
    found = dashboard_figures.lengths(project)
    assert (found["answers"], found["unanswerable"], found["mean"], found["median"]) == (3, 1, 4.0, 2.0)
    assert [[start, n] for start, _end, n in found["bins"] if n] == [[1, 1], [2, 1], [9, 1]]


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        pytest.param("What is the mill?", "en", ["what", "is"], id="in lower case"),
        pytest.param("«Who's there?»", "en", ["who's", "there"], id="an apostrophe parts no word"),
        pytest.param("The mill burned when?", "en", ["the", "mill"], id="articles count here"),
        pytest.param("Why?", "en", ["why"], id="one word alone"),
        pytest.param("谁建造了它？", "zh", ["谁", "建"], id="characters are words where no blanks part them"),
    ],
)
def test_a_question_begins_with_two_words(text, language, words):
    assert dashboard_figures.first_words(text, language) == words


def test_first_words_are_counted_over_the_questions_in_the_data(project):
    for text in ("What is it?", "What is that?", "What was it?", "Who?"):
        make_question(make_paragraph(project), text=text)
    assert dashboard_figures.words(project) == {
        "questions": 4,
        "bigrams": [["what is", 2], ["what was", 1], ["who", 1]],
        "firsts": [["what", 3], ["who", 1]],
    }


def test_paragraphs_are_counted_by_their_questions(project):
    asked, bare = make_paragraph(project), make_paragraph(project)
    for _ in range(2):
        make_question(asked)
    found = dashboard_figures.coverage(project)
    assert (found["paragraphs"], found["without"]) == (2, 1)
    assert [pair for pair in found["counts"] if pair[1]] == [[0, 1], [2, 1]]
    assert found["articles"] == [[str(bare.article), 1]]


def test_a_running_batch_ends_when_its_pace_fills_its_places(project):
    now = timezone.now()
    work = make_written(project, submitted_at=now - timedelta(days=1), finished_at=now)
    HIT.objects.filter(offer=work.offer).update(max_assignments=5)
    Batch.objects.update(launched_at=now - timedelta(days=2))
    (row,) = dashboard_figures.pace(project, now)["batches"]
    assert (row["places"], row["submitted"], row["a_day"]) == (5, 1, 0.5)
    assert row["ends_at"] == (now + timedelta(days=8)).isoformat()
    Batch.objects.update(status="closed")
    assert dashboard_figures.pace(project, now)["batches"] == []


def test_money_is_as_the_ledger_has_it(project):
    batch = make_written(project).offer.hit.batch
    hit = batch.hits.get()
    LedgerEntry.objects.create(
        project=project, batch=batch, hit=hit, endpoint="marketplace", kind="reserve", amount_usd=Decimal(2)
    )
    found = dashboard_figures.spend(project)
    assert (found["cap_usd"], found["reserved_usd"], found["spent_usd"]) == ("100.00", "2.00", "0.00")
    assert found["moments"][-1][1:] == ["0.00", "2.00"]


def test_workers_stand_out_by_evidence_with_its_numbers(project):
    good, bad = make_worker(), make_worker()
    for _ in range(5):
        make_written(project, status="approved", worker=good)
    for status in ("rejected", "rejected", "approved", "approved", "approved"):
        make_written(project, status=status, worker=bad)
    found = workers(project)
    assert [(row["worker"], row["approved"]) for row in found["top"]] == [(good.pk, 5)]
    assert [(row["worker"], row["rejected"], row["evidence"]) for row in found["worrying"]] == [
        (bad.pk, 2, ["rejected"])
    ]


# The page


@pytest.fixture
def address(project):
    return reverse("dashboard", args=[project.slug])


@pytest.fixture
def viewer(client, people):
    client.force_login(people["viewer"])
    return client


def test_an_empty_project_says_what_is_not_there_yet(viewer, address):
    text = shown(viewer.get(address))
    for sentence in ("There are no passages yet.", "No money has moved yet.", "No worker has submitted work yet."):
        assert sentence in text


def test_the_page_shows_the_figures_and_no_id_of_the_endpoint(viewer, address, project):
    work = make_written(project, status="approved")
    make_split(project, "dev", ["61 m", "61 m"])
    page = viewer.get(address)
    text = shown(page)
    assert f"worker {work.worker_id}" in text
    assert work.worker.mturk_worker_id not in page.content.decode()
    assert re.search('First two words. [^"]*when was: 1 ', page.content.decode())
    assert "1 question was imported." in text


def test_figures_are_worked_out_again_when_something_came(viewer, address, project):
    make_question(make_paragraph(project))
    viewer.get(address)
    kept = ProjectFigures.objects.get()
    viewer.get(address)
    assert ProjectFigures.objects.get().at == kept.at
    make_question(make_paragraph(project))
    viewer.get(address)
    assert ProjectFigures.objects.get().figures["funnel"]["written"] == 2


def test_a_large_project_shows_what_is_known_and_says_from_when(viewer, address, project, monkeypatch):
    make_question(make_paragraph(project))
    queued = []
    monkeypatch.setattr(dashboard, "WORKED_OUT_AT_ONCE", 0)
    monkeypatch.setattr("reviewer.tasks.work_out_dashboard.delay", queued.append)
    assert "Being worked out" in shown(viewer.get(address))
    assert queued == [project.pk]
    dashboard.work_out(project)
    assert "Something has changed since" not in shown(viewer.get(address))
    make_question(make_paragraph(project))
    assert "Something has changed since; newer figures are being worked out." in shown(viewer.get(address))


def test_rates_are_worked_out_anew_by_the_clock(project):
    make_question(make_paragraph(project))
    dashboard.work_out(project)
    ProjectFigures.objects.update(at=NOON)
    assert dashboard.shown(project).at > NOON


def test_the_page_takes_few_queries_once_the_figures_are_there(viewer, address, project):
    make_written(project, status="approved")
    make_split(project, "dev", ["61 m", "61 m"])
    viewer.get(address)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        viewer.get(address)
    assert len(queries) <= 8, [query["sql"] for query in queries]


# On paper, over the API, and by command


def test_the_html_report_needs_nothing_else(viewer, project):
    make_written(project, status="approved")
    response = viewer.get(reverse("dashboard_html", args=[project.slug]))
    page = response.content.decode()
    assert response["Content-Disposition"].startswith(f'attachment; filename="{project.slug}-20')
    assert "<style>" in page
    assert "when was" in page
    assert re.findall(r"<link|<script|<img|src=|url\(|href=", page) == []


def words_of(pdf: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


def test_the_pdf_shows_the_figures_and_the_same_ones_give_the_same_bytes(viewer, project):
    make_written(project, status="approved")
    address = reverse("dashboard_pdf", args=[project.slug])
    response = viewer.get(address)
    assert response["Content-Type"] == "application/pdf"
    text = words_of(response.content)
    assert "1 (100.0 %)" in text
    assert "when was" in text
    assert "A question mark stands for" not in text
    assert viewer.get(address).content == response.content


def test_no_word_of_a_table_is_broken_where_there_is_room(viewer, project):
    make_split(project, "dev", ["61 m"] * 3, ["1340", "1340", "Ruad"])
    study.shown(project, "dev")
    text = words_of(viewer.get(reverse("dashboard_pdf", args=[project.slug])).content)
    assert "Split Questions EM F1 Published" in text
    assert re.search(r"dev 2 [\d.]+ \([\d.]+ – [\d.]+\)", text)


def test_a_pdf_sets_latin_greek_cyrillic_and_east_asian_letters(viewer, project):
    project.name = "Mühlen – 磨坊, мельница, Łódź, Μύλος, cafe\u0301"
    project.save()
    text = words_of(viewer.get(reverse("dashboard_pdf", args=[project.slug])).content)
    assert "Mühlen – 磨坊, мельница, Łódź, Μύλος, café at a glance" in text
    assert "A question mark stands for" not in text
    assert f"{project.slug} Page 1 of " in text


def test_what_a_pdf_cannot_show_is_named_below_its_title(viewer, project):
    project.name = "โรงสี طاحونة"
    project.save()
    address = reverse("dashboard_pdf", args=[project.slug])
    text = words_of(viewer.get(address).content)
    assert "????? ?????? at a glance" in text
    assert "cannot show, of: Thai, Arabic. The HTML report shows them all. From paragraphs" in text
    project.name = "წისქვილი ☃"
    project.save()
    text = words_of(viewer.get(address).content)
    assert "of: Georgian, U+2603. The HTML report shows them all. The setting REPORT_FONT can name" in text


def test_a_font_of_ones_own_shows_more(viewer, project, settings):
    settings.REPORT_FONT = str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
    project.name = "The ◊ of mills"
    project.save()
    text = words_of(viewer.get(reverse("dashboard_pdf", args=[project.slug])).content)
    assert "The ◊ of mills" in text


def test_the_api_gives_the_same_figures_with_workers_by_key(viewer, project):
    work = make_written(project, status="approved")
    reply = viewer.get(reverse("api_dashboard", args=[project.slug])).json()
    assert reply["funnel"]["in_data"] == 1
    assert reply["is_current"] is True
    assert [row["worker"] for row in reply["workers"]["top"]] == [worker_key(project.pk, work.worker_id)]


@pytest.mark.parametrize("kind", ["html", "pdf"])
def test_the_command_writes_a_report(project, tmp_path, kind):
    make_question(make_paragraph(project))
    file = tmp_path / f"mills.{kind}"
    call_command("project_report", project.slug, out=str(file), stdout=io.StringIO())
    assert file.read_bytes()[:5] == {"html": b"<!DOC", "pdf": b"%PDF-"}[kind]


@pytest.mark.parametrize(
    ("name", "sentence"), [("mills.txt", "neither"), ("no/such/folder/a.pdf", "cannot be written")]
)
def test_the_command_says_what_is_wrong_with_a_file(project, tmp_path, name, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("project_report", project.slug, out=str(tmp_path / name), stdout=io.StringIO())
