"""The pages about passages in a real browser: looked at, decided, mended, split and curated, by mouse and keyboard."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.models import CurationRun, PassageAct
from annotation.services import choosing, curating, key_words
from annotation.services.imports import import_file
from annotation.services.passages import Narrowing
from annotation.services.projects import create_project
from tests.annotation.factories import MILL, make_question, make_task
from tests.browser.test_requester_pages import WIDTHS, _rosa, check, sign_in, visit

__all__ = ["sign_in", "visit"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REPORT = {
    "articles": {"read": 9, "kept": 2, "dropped": {"stub": {"count": 7, "examples": [{"title": "A village"}]}}},
    "paragraphs": {
        "read": 30,
        "kept": 26,
        "dropped": {"too_short": {"count": 4, "examples": [{"title": "Owl", "detail": "12", "text": "Owls hunt."}]}},
    },
}


def article(title, count, **more):
    paragraphs = [
        {
            "text": f"{MILL * (1 + number % 4)} This is paragraph {number} about {title}.",
            "section": ["History", "Roofs"],
        }
        for number in range(count)
    ]
    return {"title": title, "paragraphs": paragraphs} | more


@pytest.fixture
def refused(console_errors):
    """Takes out of the console what the browser itself says of a form that was sent back."""

    def take():
        assert any("status of 422" in error for error in console_errors)
        console_errors[:] = [error for error in console_errors if "status of 422" not in error]

    return take


@pytest.fixture
def mills(db, settings, tmp_path):
    """Makes rosa a project of 26 paragraphs in two articles, and their key words."""
    settings.CURATIONS_DIR = tmp_path / "curations"
    settings.CURATION_SOURCES_DIR = str(tmp_path)
    (tmp_path / "enwiki-20260901-pages-articles-multistream.xml.bz2").touch()

    def make():
        project = create_project(name="Mills", owner=_rosa(), min_paragraph_chars=20)
        source = {"source_url": "https://en.wikipedia.org/w/index.php?oldid=7", "licence": "CC BY-SA 4.0"}
        articles = [article("Brann Mill", 20, topic="Mills", **source), article("Barn owl", 6)]
        data = "\n".join(map(json.dumps, articles)).encode()
        import_file(project, data, file_name="mills.jsonl", curation=REPORT)
        key_words.describe(project)
        return project

    return make


@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_about_passages_is_sound(sign_in, visit, pictures, mills, refused, width):
    page = sign_in(width)
    empty = create_project(name="Nothing yet", owner=_rosa())
    project = mills()
    paragraph = project.paragraphs.order_by("pk").first()
    choosing.choose(project, Narrowing(words="paragraph 3"), "exclude", "A list in disguise.", _rosa())
    choosing.repair_text(paragraph, f"{paragraph.text} It turns.", "A sentence was missing.", _rosa())
    runs = {status: make_run(project, status) for status in ("waiting", "running", "cancelled", "failed", "done")}
    for name, *args in (
        ("passages", empty.pk),
        ("passages", project.pk),
        ("passage_articles", project.pk),
        ("passage_list", project.pk),
        ("passage", project.pk, paragraph.pk),
        ("passage_decisions", project.pk),
        ("split", project.pk),
        ("curations", empty.pk),
        ("curations", project.pk),
        ("curation_new", project.pk),
        *(("curation", project.pk, run.pk) for run in runs.values()),
    ):
        visit(page, name, *args)
        state = CurationRun.objects.get(pk=args[-1]).status if name == "curation" else args[0] == empty.pk and "empty"
        check(page, pictures, "-".join(filter(None, (name, state, str(width)))))
    page.goto(page.url.split("/passages/")[0] + "/passages/split/?stratify=topic&seed=3")
    check(page, pictures, f"split-topic-{width}")
    page.goto(page.url.split("/passages/")[0] + "/passages/exclude/?section=History")
    check(page, pictures, f"exclude-{width}")
    visit(page, "curation_new", project.pk)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert")).to_contain_text("Send a source over")
    refused()
    check(page, pictures, f"curation_new-refused-{width}")


def test_the_pages_fit_a_phone_in_german_too(sign_in, visit, pictures, mills):
    page, project = sign_in(390, locale="de-DE"), mills()
    run = make_run(project, "done")
    for name, words, *args in (
        ("passages", "Wie lang sie sind", project.pk),
        ("passage_list", "Alle ausschließen", project.pk),
        ("passage", "Text ausbessern", project.pk, project.paragraphs.order_by("pk").first().pk),
        ("split", "erwartete Fragen", project.pk),
        ("curation_new", "Weitere Regeln", project.pk),
        ("curation", "Ins Projekt importieren", project.pk, run.pk),
    ):
        visit(page, name, *args)
        expect(page.get_by_text(words).first).to_be_visible()
        check(page, pictures, f"{name}-390-de")


def make_run(project, status):
    """A curation as it is in that ``status``; its job lives for good."""
    options = {"min_chars": 500, "max_chars": 5000, "top": 100, "sample": 9, "seed": 7, "language": "en"}
    numbers = {} if status == "waiting" else {"articles_read": 1402, "articles_kept": 9, "paragraphs_kept": 312}
    sizes = {} if status == "waiting" else {"done_bytes": 41, "total_bytes": 100}
    bars = [{"from": start, "to": start + 99, "paragraphs": 9 - start // 100} for start in range(500, 900, 100)]
    return CurationRun.objects.create(
        project=project,
        place="upload",
        source_name="enwiki-20260901-pages-articles.xml.bz2",
        titles_name="pagerank.tsv",
        asked=options,
        status=status,
        heard_at=timezone.now() + timedelta(days=1),
        report=REPORT | {"lengths": bars} if status == "done" else {},
        problem="Line 7 is not UTF-8." if status == "failed" else "",
        asked_by=_rosa(),
        **numbers,
        **sizes,
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_paragraphs_are_found_excluded_after_a_look_and_taken_back(sign_in, visit, mills, refused, width):
    page, project = sign_in(width), mills()
    visit(page, "passages", project.pk)
    page.get_by_role("link", name="Mills 1").click()
    expect(page.locator("li.passage")).to_have_count(20)
    page.get_by_label("Words in the text").fill("paragraph 1")
    page.get_by_label("Order").select_option("longest")
    page.get_by_role("button", name="Show these").click()
    expect(page.locator("li.passage")).to_have_count(11)
    assert "order=longest" in page.url, "the address can be shared"
    page.get_by_role("link", name="Exclude all like these").click()
    expect(page.locator("#content")).to_contain_text("11 paragraphs of 1 article.")
    page.get_by_role("button", name="Exclude 11 paragraphs").click()
    expect(page.get_by_text("This field is required.").first).to_be_visible()
    refused()
    page.get_by_label("Why?").fill("About roofs, like all the others.")
    page.get_by_role("button", name="Exclude 11 paragraphs").click()
    expect(page.get_by_text("Excluded: 11 paragraphs of 1 article.")).to_be_visible()
    page.locator("summary", has_text="Undo").first.click()
    page.get_by_label("Why?").fill("One is needed.")
    page.get_by_role("button", name="Undo this decision").click()
    expect(page.get_by_text("Undone for 11 paragraphs of 1 article.")).to_be_visible()
    assert not project.paragraphs.filter(is_excluded=True).exists()
    assert [act.kind for act in PassageAct.objects.order_by("pk")] == ["exclude", "undo"]


def test_a_whole_article_is_excluded_by_keyboard_alone(sign_in, visit, mills):
    page, project = sign_in(), mills()
    owl = project.paragraphs.filter(article__title="Barn owl").first()
    visit(page, "passage", project.pk, owl.pk)
    frame = page.frame_locator("iframe.passage-shown")
    expect(frame.get_by_text("This is paragraph 0 about Barn owl.")).to_be_visible()
    page.get_by_role("link", name="Exclude the whole article").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("What is imported for this article later is excluded too.")).to_be_visible()
    page.get_by_label("Why?").focus()
    page.keyboard.type("No birds.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Excluded: 6 paragraphs of 1 article.")).to_be_visible()
    data = json.dumps(article("Barn owl", 8)).encode()
    record = import_file(project, data, file_name="more.jsonl", imported_by=_rosa())
    visit(page, "import_change", record.pk)
    expect(page.get_by_text("2 of them are excluded, as their articles are.")).to_be_visible()


def test_a_text_is_mended_until_its_first_question(sign_in, visit, mills):
    page, project = sign_in(), mills()
    paragraph = project.paragraphs.order_by("pk").first()
    visit(page, "passage", project.pk, paragraph.pk)
    page.get_by_role("link", name="Mend the text").click()
    page.get_by_label("Text").first.fill(f"{paragraph.text} It still turns.")
    page.get_by_label("Why is it changed?").fill("A sentence was missing.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    visit(page, "passage_decisions", project.pk)
    expect(page.get_by_role("region", name="Texts that were mended")).to_contain_text("A sentence was missing.")
    paragraph.refresh_from_db()
    make_question(paragraph, "When was it built?", answer="1742")
    visit(page, "passage", project.pk, paragraph.pk)
    expect(page.get_by_text("The text can no longer change")).to_be_visible()
    expect(page.get_by_role("link", name="Mend the text")).to_have_count(0)


@pytest.mark.parametrize("width", WIDTHS)
def test_splits_are_shown_before_they_are_drawn_and_frozen_by_the_launch(sign_in, visit, mills, width):
    page, project = sign_in(width), mills()
    visit(page, "split", project.pk)
    for name, percent in (("train", 50), ("dev", 50), ("test", 0)):
        page.get_by_label(f"Articles in {name}, %").fill(str(percent))
    page.get_by_label("Balance by").select_option("topic")
    page.get_by_role("button", name="Show the sizes").click()
    sizes = page.get_by_role("region", name="What would be drawn")
    expect(sizes.get_by_role("row", name="train 1 50.0 % 50 %")).to_be_visible()
    expect(sizes.get_by_role("row", name="Mills 1")).to_be_visible()
    expect(sizes.get_by_role("columnheader", name="questions expected")).to_have_count(1)
    page.get_by_label("Why? (to apply it)").fill("Half and half.")
    page.get_by_role("button", name="Draw the splits like this").click()
    expect(page.get_by_text("The splits are drawn.")).to_be_visible()
    assert sorted(project.articles.values_list("split", flat=True)) == ["dev", "train"]
    make_task(project.paragraphs.first())
    visit(page, "split", project.pk)
    expect(page.get_by_role("status").filter(has_text="The splits are frozen")).to_be_visible()
    expect(page.get_by_role("button", name="Draw the splits like this")).to_have_count(0)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_curation_is_begun_watched_cancelled_gone_on_with_and_imported(sign_in, visit, pictures, mills, width):
    page = sign_in(width)
    project = mills()
    visit(page, "passages", project.pk)
    page.get_by_role("link", name="Curate a source").click()
    lake = [{"title": f"Tarn {n}", "paragraphs": [f"{MILL} Tarn {n} lies above it.", "Short."]} for n in range(3)]
    data = "\n".join(map(json.dumps, lake)).encode()
    page.get_by_label("Send over").set_input_files(
        {"name": "lakes.jsonl", "mimeType": "application/jsonl", "buffer": data}
    )
    page.get_by_label("Fewest characters").fill("50")
    page.locator("summary", has_text="More rules").click()
    page.get_by_label("Keep near-duplicates").check()
    page.get_by_role("button", name="Begin").click()
    standing = page.locator("[data-standing]")
    expect(standing).to_contain_text("This curation is waiting to begin.")
    run = CurationRun.objects.get()
    page.get_by_role("button", name="Cancel").focus()
    page.keyboard.press("Enter")
    expect(standing).to_contain_text("This curation is cancelled.")
    page.get_by_role("button", name="Go on").press("Enter")
    expect(standing).to_contain_text("This curation is waiting to begin.")
    # From here on the page hears by itself what the job does.
    CurationRun.objects.filter(pk=run.pk).update(
        status="running", heard_at=timezone.now(), articles_read=1, done_bytes=1, total_bytes=4
    )
    expect(standing).to_contain_text("This curation is running.")
    expect(standing.get_by_role("progressbar", name="read of the source")).to_have_attribute("value", "25")
    CurationRun.objects.filter(pk=run.pk).update(status="waiting")
    curating.work(CurationRun.objects.get())
    expect(standing).to_contain_text("This curation is done.")
    expect(standing).to_contain_text("3 paragraphs: too short")
    expect(standing.get_by_role("link", name="passages.report.json")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
    page.get_by_role("link", name="Look at the paragraphs").click()
    page.get_by_role("link", name="On", exact=True).click()
    expect(page.get_by_role("heading", name="Paragraph 2 of 3")).to_be_visible()
    frame = page.frame_locator("iframe.passage-shown")
    expect(frame.get_by_text("Tarn 1 lies above it.")).to_be_visible()
    check(page, pictures, f"curation_kept-{width}")
    page.get_by_role("link", name="Back to the curation").click()
    page.get_by_role("button", name="Import into the project").click()
    expect(standing).to_contain_text("This curation is being imported.")
    curating.work(CurationRun.objects.get())
    page.get_by_role("link", name="Look at the passages").click()
    expect(page.locator("#content")).to_contain_text("29 paragraphs may be asked about")
    visit(page, "curations", project.pk)
    expect(page.get_by_role("listitem").filter(has_text="lakes.jsonl")).to_contain_text("imported")
