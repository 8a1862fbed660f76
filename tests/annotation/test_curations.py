"""Curations that are asked for on a page: what may be sent over, the job that does them, and what is taken in."""

import bz2
import fcntl
import io
import json
import stat
import threading
import time
import zipfile
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from annotation import tasks
from annotation.curation_forms import CurationForm
from annotation.models import CurationRun, IllegalMove
from annotation.services import curating, curation_beat, curation_files
from annotation.services.curating import NotCurated
from curation.pipeline import curate
from tests.annotation.factories import make_member, make_project, make_user
from tests.curation.test_dump import export, page
from tests.curation.wiki_server import WikiServer

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def prose(number):
    return (
        f"Tarn {number} is a mountain lake in the north of the hills, fed by snow until late in June. "
        f"Boats number {number} cross it twice a day, and the ferrymen of house {number} keep a log of the water."
    )


def articles(count):
    lines = [{"title": f"Tarn {number}", "paragraphs": [prose(number), "Too short."]} for number in range(count)]
    return "\n".join(map(json.dumps, lines)).encode()


def sent(data=None, name="lakes.jsonl"):
    return SimpleUploadedFile(name, articles(3) if data is None else data)


def zipped(entries, name="lakes.zip"):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, data in entries:
            archive.writestr(entry, data)
    return sent(packed.getvalue(), name)


@pytest.fixture(autouse=True)
def folders(settings, tmp_path):
    settings.CURATIONS_DIR = tmp_path / "curations"
    settings.CURATION_SOURCES_DIR = str(tmp_path / "sources")
    (tmp_path / "sources").mkdir()
    return tmp_path


@pytest.fixture(autouse=True)
def queued(monkeypatch):
    """The runs that were handed to the broker; each test does their work itself, and may do it twice."""
    keys = []
    monkeypatch.setattr("annotation.tasks.curate.delay", keys.append)
    return keys


@pytest.fixture
def requester(client):
    project = make_project(slug="lakes", min_paragraph_chars=100)
    client.force_login(make_member(project, "requester", "rosa"))
    client.project = project
    return client


def address(name, project, *more):
    return reverse(f"admin:annotation_{name}", args=[project.pk, *more])


LOOSE = {
    "seed": 0,
    "min_chars": 100,
    "max_chars": 5000,
    "min_sentences": 1,
    "sentences": "rules",
    "max_digits": 0.2,
    "max_markup": 0.05,
    "max_foreign_script": 0.2,
    "duplicates": 0.8,
    "keep_duplicates": "on",
    "lists": "leave_out",
    "min_article_chars": 100,
    "text_field": "text",
    "title_field": "title",
    "any_language": 1,
}


def begin(requester, **asked):
    response = requester.post(address("curation_new", requester.project), LOOSE | asked)
    assert response.status_code == 302, response.context["form"].errors
    return CurationRun.objects.latest("pk")


def act(requester, run, action):
    response = requester.post(address("curation_act", run.project, run.pk, action), follow=True)
    assert response.status_code == 200
    run.refresh_from_db()
    return [str(message) for message in response.context["messages"]]


def work(run):
    curating.work(CurationRun.objects.get(pk=run.pk))
    run.refresh_from_db()
    return run


def test_what_is_sent_over_is_curated_and_taken_in_with_its_report(requester, queued):
    run = begin(requester, files=sent())
    assert (run.status, queued) == ("waiting", [run.pk])
    assert work(run).status == "done"
    assert (run.articles_read, run.articles_kept, run.paragraphs_kept, run.percent_read) == (3, 3, 3, 100)
    shown = requester.get(address("curation", run.project, run.pk)).content.decode()
    assert "paragraphs: too short" in shown
    assert "Too short." in shown, "the example"
    act(requester, run, "import")
    assert work(run).status == "imported"
    assert run.project.paragraphs.count() == 3
    assert run.imported_as.imported_by.username == "rosa"
    assert run.imported_as.curation["paragraphs"]["kept"] == 3
    assert "too short" in requester.get(address("passages", run.project)).content.decode()


def test_a_job_that_comes_twice_does_everything_once(requester):
    run = begin(requester, files=sent())
    work(run)
    ended_at = run.ended_at
    assert work(run).ended_at == ended_at
    for _twice in range(2):
        act(requester, run, "import")
    jobs = [threading.Thread(target=lambda: (work(run), curation_beat.connection.close())) for _ in range(2)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    act(requester, run, "import")
    work(run)
    assert (run.status, run.project.imports.count(), run.project.paragraphs.count()) == ("imported", 1, 3)


def test_a_source_on_the_server_is_one_of_the_configured_folder(requester, folders):
    (folders / "sources" / "lakes.jsonl").write_bytes(articles(2))
    (folders / "secret.jsonl").write_bytes(articles(2))
    (folders / "sources" / "link.jsonl").symlink_to(folders / "secret.jsonl")
    assert work(begin(requester, server_source="lakes.jsonl")).articles_kept == 2
    for name in ("../secret.jsonl", str(folders / "secret.jsonl"), "link.jsonl", "none.jsonl", ".", "lakes.jsonl\0"):
        response = requester.post(address("curation_new", requester.project), LOOSE | {"server_source": name})
        assert (response.status_code, "server_source" in response.context["form"].errors) == (422, True), name


def test_titles_choose_what_is_read_and_the_sample_is_kept(requester):
    ranked = sent(b"title,views\nTarn 2,9\nTarn 1,8\nTarn 0,7\n", "views.csv")
    run = work(begin(requester, files=sent(), titles=ranked, top=2, sample=1, seed=7))
    sample = run.report["source"]["sample"]
    assert (run.articles_kept, sample["seed"], sample["top"], len(sample["titles"])) == (1, 7, 2, 1)
    assert run.report["articles"]["dropped"]["not_asked_for"]["count"] == 2
    file = requester.get(address("curation_file", run.project, run.pk, "passages.sample.json"))
    assert json.loads(file.getvalue())["titles"] == sample["titles"]
    for name in ("passages.jsonl.state", "..", "source.zip"):
        assert requester.get(address("curation_file", run.project, run.pk, name)).status_code == 404


def test_of_a_multistream_dump_the_index_finds_the_titles(requester, folders):
    blocks = [export(page("Tarn Velle")).split(b"<page>")[0]]
    blocks += [page(title, number=number).encode() for number, title in enumerate(("Tarn Velle", "Gell"), start=1)]
    packed = [bz2.compress(block) for block in [*blocks, b"</mediawiki>"]]
    (folders / "sources" / "wiki.xml.bz2").write_bytes(b"".join(packed))
    index = f"{len(packed[0])}:1:Tarn Velle\n{len(packed[0] + packed[1])}:2:Gell\n"
    (folders / "sources" / "index.txt.bz2").write_bytes(bz2.compress(index.encode()))
    asked = {"server_source": "wiki.xml.bz2", "server_index": "index.txt.bz2", "titles": sent(b"Gell\n", "list.txt")}
    run = work(begin(requester, **asked, keep_boilerplate="on"))
    assert (run.problem, run.articles_read, run.articles_kept, run.percent_read) == ("", 1, 1, 100)
    assert run.report["source"]["index"]["name"] == "index.txt.bz2"


@pytest.fixture
def wiki(settings):
    """A live wiki that may be read, and its address."""
    with WikiServer() as server:
        for number, title in enumerate(("Tarn Velle", "Amber Tarn"), start=1):
            server.wiki.texts[title] = (
                number * 10,
                f"'''{title}''' is a mountain lake, fed by snow. It freezes. " * 12,
            )
        settings.CURATION_WIKIS, settings.CURATION_CONTACT = [server.address], "lakes@example.org"
        yield server.address


def test_a_live_wiki_is_read_by_titles_where_it_is_configured(requester, wiki, settings):
    titles = sent(b"Tarn Velle\nNowhere\n", "titles.txt")
    run = work(begin(requester, wiki=wiki, titles=titles, keep_boilerplate="on"))
    assert (run.problem, run.place, run.articles_kept) == ("", "wiki", 1)
    assert run.report["articles"]["dropped"]["no_such_title"]["count"] == 1
    form_page = address("curation_new", requester.project)
    for asked, field in (({"wiki": wiki}, "__all__"), ({"wiki": "http://127.0.0.1/"}, "wiki")):
        assert list(requester.post(form_page, LOOSE | asked).context["form"].errors) == [field]
    left = begin(requester, wiki=wiki, titles=sent(b"Amber Tarn\n", "titles.txt"))
    settings.CURATION_WIKIS = []
    assert work(left).problem == "This wiki may not be read any more."
    assert "live wiki" not in requester.get(form_page).content.decode()


def test_a_zip_of_documents_is_unpacked(requester):
    entries = [("lakes/one.txt", prose(1)), ("lakes/deep/two.md", f"# Tarn 2\n\n{prose(2)}\n"), ("lakes/x.exe", "MZ")]
    run = work(begin(requester, files=zipped(entries)))
    assert (run.status, run.articles_kept) == ("done", 2)
    assert run.report["articles"]["dropped"]["not_a_document"]["count"] == 1


def link():
    entry = zipfile.ZipInfo("lakes.txt")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


@pytest.mark.parametrize(
    ("upload", "says"),
    [
        pytest.param(lambda: zipped([("../out.txt", prose(1))]), "no plain file", id="a path that leads out"),
        pytest.param(lambda: zipped([("/etc/out.txt", prose(1))]), "no plain file", id="a path from the root"),
        pytest.param(lambda: zipped([(link(), "/etc/passwd")]), "no plain file", id="a link"),
        pytest.param(lambda: zipped([("/".join("abcdefghi"), prose(1))]), "too deep", id="too deep"),
        pytest.param(lambda: zipped([("a.txt", b"0" * 3000)]), "unpacks to more", id="a bomb"),
        pytest.param(lambda: zipped([(f"{n}.txt", "") for n in range(5)]), "5 files", id="too many files"),
        pytest.param(lambda: zipped([("a", "1"), ("a/b", "2")]), "of one name", id="a file that is a folder too"),
        pytest.param(lambda: sent(b"PK\3\4 no zip", "a.zip"), "cannot be unpacked", id="no zip"),
        pytest.param(lambda: sent(b"0" * 5000, "a.txt"), "may be sent over", id="too large"),
        pytest.param(lambda: sent(name=".htaccess"), "no name for a file", id="hidden"),
        pytest.param(lambda: [sent(), sent()], "Two of the files", id="two of one name"),
    ],
)
def test_what_must_not_be_unpacked_or_is_too_much_is_refused(requester, monkeypatch, folders, upload, says):
    monkeypatch.setattr(curation_files, "MAX_UPLOAD_BYTES", 4000)
    monkeypatch.setattr(curation_files, "MAX_UNPACKED_BYTES", 2000)
    monkeypatch.setattr(curation_files, "MOST_UNPACKED_FILES", 4)
    response = requester.post(address("curation_new", requester.project), LOOSE | {"files": upload()})
    assert response.status_code == 422
    assert says in " ".join(response.context["form"].non_field_errors())
    assert not CurationRun.objects.exists()
    assert not [path for path in (folders / "curations").rglob("*") if path.is_file()], "nothing of it stays"


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        pytest.param({}, "__all__", id="no source"),
        pytest.param({"top": 3}, "__all__", id="the first of no list"),
        pytest.param({"server_index": "../index"}, "server_index", id="an index elsewhere"),
        pytest.param({"min_chars": 9, "max_chars": 5}, "__all__", id="fewest above most"),
        pytest.param({"max_digits": "nan"}, "max_digits", id="no number"),
        pytest.param({"duplicates": 0}, "duplicates", id="all alike"),
        pytest.param({"seed": 2**63}, "seed", id="a seed too large"),
        pytest.param({"lists": "burn"}, "lists", id="an unknown choice"),
        pytest.param({"source_url": "javascript:alert(1)"}, "source_url", id="no web address"),
        pytest.param({"licence": "CC\0BY"}, "licence", id="a NUL"),
    ],
)
def test_what_cannot_be_asked_for_says_where(requester, asked, field):
    upload = {} if not asked else {"files": sent()}
    response = requester.post(address("curation_new", requester.project), LOOSE | upload | asked)
    assert (response.status_code, list(response.context["form"].errors)) == (422, [field])
    assert not CurationRun.objects.exists()


@pytest.mark.parametrize(
    ("data", "name", "says"),
    [
        pytest.param(b"\xff\n", "lakes.jsonl", "Line 1 is not UTF-8", id="no text"),
        pytest.param(b"<html/>", "wiki.xml", "no export of a MediaWiki wiki", id="no dump"),
        pytest.param(b"MZ", "lakes.exe", "", id="no document"),
    ],
)
def test_a_source_that_cannot_be_read_says_why_on_its_page(requester, data, name, says):
    run = work(begin(requester, files=sent(data, name)))
    assert run.status == "failed"
    assert run.problem
    assert says in requester.get(address("curation", run.project, run.pk)).content.decode()


def test_nothing_kept_is_told_and_not_imported(requester):
    run = work(begin(requester, files=sent(), min_chars=4000))
    assert (run.status, run.paragraphs_kept) == ("done", 0)
    assert act(requester, run, "import") == ["No paragraph is left that could be imported."]
    assert run.status == "done"


def test_a_cancelled_run_stops_and_goes_on_from_where_it_was(requester, monkeypatch):
    """The page cancels while the job is at its third article; the job hears of it by its own beat."""
    monkeypatch.setattr("curation.pipeline._REST_EVERY", 1)
    monkeypatch.setattr(curation_beat, "BEAT_SECONDS", 0.01)
    run = begin(requester, files=sent(articles(6)))

    def until_cancelled(self, standing):
        self._standing = standing
        if standing.articles_read == 3:
            curating.cancel(CurationRun.objects.get(pk=run.pk))
            while not self._is_lost:
                self._ended.wait(0.01)
        self.check()

    with monkeypatch.context() as during:
        during.setattr(curation_beat.Beat, "hear", until_cancelled)
        assert work(run).status == "cancelled"
    state = json.loads(curation_files.output(run.key).with_name("passages.jsonl.state").read_bytes())
    assert 0 < state["taken"] <= 3
    assert act(requester, run, "cancel") == ["This curation has moved on meanwhile: look at it again."]
    act(requester, run, "resume")
    seen = []
    monkeypatch.setattr(curation_beat.Beat, "hear", lambda self, standing: seen.append(standing.articles_read))
    assert work(run).status == "done"
    assert min(seen) > state["taken"], "what was done before is not done again"
    assert run.report["paragraphs"]["kept"] == 6


def silent(run, minutes=5):
    CurationRun.objects.filter(pk=run.pk).update(heard_at=timezone.now() - timedelta(minutes=minutes))


def claimed(run):
    run.refresh_from_db()
    assert curating._claimed(run)
    return run


def test_a_run_whose_job_was_killed_waits_again_and_is_done_by_another(requester):
    run = claimed(begin(requester, files=sent()))
    assert curating.due() == [], "its job is heard of"
    silent(run)
    assert curating.due() == [run.pk]
    assert work(run).status == "done"


def test_a_run_that_kills_its_jobs_is_given_up_until_somebody_says_go_on(requester):
    run = begin(requester, files=sent())
    for _kill in range(curating.MOST_ATTEMPTS):
        claimed(run)
        silent(run)
        curating.due()
    run.refresh_from_db()
    assert (run.status, "killed 5 times" in run.problem) == ("failed", True)
    act(requester, run, "resume")
    assert work(run).status == "done"


def test_an_import_whose_job_was_killed_is_done_by_another(requester):
    run = work(begin(requester, files=sent()))
    act(requester, run, "import")
    assert curating._claimed_to_import(run)
    assert curating.due() == []
    silent(run)
    assert curating.due() == [run.pk]
    assert work(run).status == "imported"


def test_a_job_that_was_thought_dead_changes_nothing_any_more(requester):
    dead = claimed(begin(requester, files=sent()))
    silent(dead)
    curating.due()
    heir = claimed(CurationRun.objects.get(pk=dead.pk))
    curating._end(dead, "done", report={"wrong": True})
    heir.refresh_from_db()
    assert (heir.status, heir.report) == ("running", {})
    with curation_beat.Beat(dead) as beat:
        beat._say()
        with pytest.raises(curation_beat.NotWanted):
            beat.check()


def test_one_curation_runs_at_a_time_and_the_next_begins_after_it(requester):
    first, second = begin(requester, files=sent()), begin(requester, files=sent())
    claimed(first)
    assert work(second).status == "waiting"
    shown = requester.get(address("curation", second.project, second.pk)).content.decode()
    assert "One curation runs at a time" in shown
    assert curating.due() == []
    curating.cancel(first)
    assert curating.due() == [second.pk]
    assert work(second).status == "done"


def test_a_job_waits_for_the_one_that_still_holds_the_output(requester, folders):
    run = begin(requester, files=sent())
    holder = curation_files.output(run.key).with_name("passages.jsonl.partial")
    lock = open(holder, "ab")  # noqa: SIM115 - closed below, while the job waits
    fcntl.flock(lock, fcntl.LOCK_EX)
    job = threading.Thread(target=lambda: (work(run), curation_beat.connection.close()))
    job.start()
    while CurationRun.objects.get(pk=run.pk).status == "waiting":
        time.sleep(0.01)
    lock.close()
    job.join()
    run.refresh_from_db()
    assert run.status == "done"


def test_the_table_of_moves_is_all_there_is(requester):
    run = begin(requester, files=sent())
    with pytest.raises(IllegalMove):
        run.move_to("imported")
    for action in ("resume", "import"):
        assert act(requester, run, action) == ["This curation has moved on meanwhile: look at it again."]


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
def test_others_look_and_do_not_act(client, requester, role):
    run = begin(requester, files=sent())
    client.force_login(make_member(run.project, role))
    shown = client.get(address("curation", run.project, run.pk))
    assert (shown.status_code, "Cancel" in shown.content.decode()) == (200, False)
    assert client.post(address("curation_act", run.project, run.pk, "cancel")).status_code == 403
    assert client.post(address("curation_new", run.project), LOOSE | {"files": sent()}).status_code == 403
    client.force_login(make_user())
    assert client.get(address("curation", run.project, run.pk)).status_code == 404
    other = make_project()
    client.force_login(make_member(other, "requester"))
    for name, more in (("curation", ()), ("curation_standing", ()), ("curation_file", ("passages.jsonl",))):
        assert client.get(address(name, other, run.pk, *more)).status_code == 404


def test_a_request_under_one_key_is_one_run(requester, folders):
    project, user = requester.project, make_user()
    key = uuid4()

    def ask(of):
        form = CurationForm(of, LOOSE, {"files": [sent()]})
        assert form.is_valid(), form.errors
        return curating.ask(of, form.wish(), user, key)

    run = ask(project)
    assert ask(project) == run
    assert len(list((folders / "curations").iterdir())) == 1
    with pytest.raises(NotCurated):
        ask(make_project())


def test_the_job_writes_what_the_command_writes(requester, tmp_path):
    run = work(begin(requester, files=sent()))
    source, out = tmp_path / "lakes.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(articles(3))
    options = run.asked | {"source": source, "titles": None}
    curate(curating.source_of(options, None), out, curating.settings_of(options))
    assert out.read_bytes() == curation_files.output(run.key).read_bytes()


def test_what_was_sent_over_is_kept_for_a_month_and_can_be_sent_again(requester):
    run = begin(requester, files=sent())
    curating.cancel(run)
    curating.forget_old_sources()
    act(requester, run, "resume")
    assert work(run).status == "done"
    CurationRun.objects.update(ended_at=timezone.now() - timedelta(days=30, hours=1))
    tasks.sweep()
    shown = requester.get(address("curation", run.project, run.pk)).content.decode()
    assert "passages.jsonl" in shown, "what came of it stays"
    CurationRun.objects.update(status="failed")
    act(requester, run, "resume")
    assert work(run).problem == "What was sent over is gone. Send it again."


def test_what_was_kept_is_looked_at_before_it_is_imported(requester):
    run = begin(requester, files=sent())
    assert requester.get(address("curation_kept", run.project, run.pk)).status_code == 404, "nothing is kept yet"
    work(run)
    for asked, number in (("", 1), ("2", 2), ("99", 3), ("-1", 1), ("x", 1), ("9" * 99, 1)):
        looked = requester.get(address("curation_kept", run.project, run.pk), {"n": asked})
        assert (looked.context["number"], looked.context["article"].title) == (number, f"Tarn {number - 1}")
    seen = requester.get(address("curation_shown", run.project, run.pk, 2))
    assert prose(1) in seen.content.decode()
    assert seen["X-Frame-Options"] == "SAMEORIGIN"
    for number in (0, 4, 10**12):
        assert requester.get(address("curation_shown", run.project, run.pk, number)).status_code == 404
    assert not run.project.paragraphs.exists()
