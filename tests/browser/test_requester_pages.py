"""A requester's way in a real browser: a project, its passages, a text saved as it was, and what axe says of it all."""

import json

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from annotation.models import Paragraph, Project
from annotation.services.imports import import_file
from annotation.services.projects import create_project
from tests.annotation.factories import MILL, PASSWORD, make_paragraph, make_user
from tests.pages import assert_accessible

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = [pytest.param(1280, id="wide"), pytest.param(390, id="phone")]
FAULTY = {"id": "off", "question": "When was it built?", "answers": [{"text": "1742", "answer_start": 3}]}
AWKWARD = "\n  Brann  Castle\tstands above\n\n the Ilve. \u00a0\n "


def squad(*texts, qas=()):
    paragraphs = [{"context": text, "qas": list(qas)} for text in texts]
    return json.dumps({"data": [{"title": "Mill", "paragraphs": paragraphs}]}).encode()


@pytest.fixture
def sign_in(new_context, platform_server):
    """Signs rosa in by hand and returns her page."""

    def by_hand(width=1280, **options):
        page = new_context(width=width, **options).new_page()
        page.goto(platform_server + reverse("admin:login"))
        page.get_by_label("Username").fill("rosa")
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("input[name=password]").press("Enter")
        page.wait_for_url("**" + reverse("admin:annotation_project_changelist"))
        return page

    make_user("rosa")
    return by_hand


@pytest.fixture
def visit(platform_server):
    def go(page, name, *args):
        page.goto(platform_server + reverse(f"admin:annotation_{name}", args=args))
        return page

    return go


@pytest.mark.parametrize("width", WIDTHS)
def test_a_project_is_begun_and_filled_by_hand(sign_in, pictures, width):
    page = sign_in(width)
    page.locator(f'a[href="{reverse("admin:annotation_project_add")}"]').first.click()
    page.get_by_label("Name").fill("Mills of Wales")
    page.get_by_label("Spending cap, USD").fill("120")
    page.get_by_role("button", name="Create the project").click()
    page.get_by_role("link", name="Import passages").click()
    file = {
        "name": "mills.json",
        "mimeType": "application/json",
        "buffer": squad(MILL * 10, "Too short.", qas=[FAULTY]),
    }
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Take questions and answers too").check()
    page.get_by_role("button", name="Import the file").click()
    expect(page.get_by_role("heading", name="Faulty questions")).to_be_visible()
    expect(page.locator(".page-faults li").first).to_contain_text("does not stand at its start 3")
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Leave faulty questions out").check()
    page.get_by_role("button", name="Import the file").click()
    expect(page.get_by_text("1 taken of 2.")).to_be_visible()
    page.get_by_role("link", name="← Mills of Wales").click()
    expect(page.get_by_role("listitem").filter(has_text="Passages")).to_contain_text("1 article")
    pictures(page, f"requester-project-{width}")
    assert Project.objects.get(slug="mills-of-wales").paragraphs.get().text == MILL * 10


def test_a_passage_saved_unchanged_in_a_browser_keeps_every_character(sign_in, visit):
    page = sign_in()
    project = create_project(name="Castles", owner=_rosa(), min_paragraph_chars=0)
    paragraph = make_paragraph(project, text=AWKWARD)
    visit(page, "paragraph_change", paragraph.pk)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    assert Paragraph.objects.get(pk=paragraph.pk).text == AWKWARD


@pytest.mark.parametrize("case", ["s04_crlf.json", "s06_leading_space.json"])
def test_the_field_s_passages_keep_text_and_offsets_through_the_page(sign_in, visit, shared_dir, case):
    page = sign_in()
    project = create_project(name="Field", owner=_rosa(), min_paragraph_chars=0)
    data = (shared_dir / "cases" / case).read_bytes()
    import_file(project, data, file_name=case)
    paragraph = project.paragraphs.get()
    visit(page, "paragraph_change", paragraph.pk)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    assert Paragraph.objects.get(pk=paragraph.pk).text == paragraph.text
    # The questions, which come later, still find their places.
    report = import_file(project, data, file_name=case, with_questions=True).report
    assert (report["paragraphs"]["added"], report["faults"]) == (0, [])


def test_members_are_added_by_hand(sign_in, visit, platform_server):
    make_user("ben")
    page = sign_in()
    project = create_project(name="Castles", owner=_rosa())
    visit(page, "project_home", project.pk)
    page.get_by_role("link", name="Change members").click()
    page.get_by_text("Add another Member").click()
    page.locator("#id_memberships-1-user").fill("ben")
    page.locator("#id_memberships-1-role").select_option("reviewer")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/home/")
    expect(page.locator("#members")).to_contain_text("ben")
    assert project.memberships.get(user__username="ben").role == "reviewer"


@pytest.mark.parametrize(
    ("width", "scheme"), [pytest.param(1280, "light", id="wide"), pytest.param(390, "dark", id="phone, dark")]
)
def test_axe_finds_nothing_on_any_page_of_the_requester(sign_in, visit, pictures, width, scheme):
    page = sign_in(width, color_scheme=scheme)
    project = create_project(name="Mills", owner=_rosa(), min_paragraph_chars=20)
    empty = create_project(name="Nothing yet", owner=_rosa())
    report = import_file(
        project, squad(MILL, "Short.", qas=[FAULTY]), file_name="m.json", with_questions=True, skip_faulty=True
    )
    for name, *args in (
        ("project_home", project.pk),
        ("project_home", empty.pk),
        ("project_add",),
        ("project_import", project.pk),
        ("import_change", report.pk),
    ):
        check(visit(page, name, *args), pictures, f"{name}-{width}-{scheme}")
    page = visit(page, "project_add")
    page.get_by_role("button", name="Create the project").click()
    expect(page.get_by_role("alert")).to_be_visible()
    check(page, pictures, f"project_add-errors-{width}-{scheme}")
    visit(page, "project_import", project.pk)
    file = {"name": "m.json", "mimeType": "application/json", "buffer": squad(MILL, qas=[FAULTY])}
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Take questions and answers too").check()
    page.get_by_role("button", name="Import the file").click()
    expect(page.get_by_role("alert")).to_be_visible()
    check(page, pictures, f"import-faults-{width}-{scheme}")


def check(page, pictures, name):
    """Nothing that axe finds in what is ours, and nothing that must be scrolled to sideways."""
    pictures(page, f"requester-{name}")
    # Around it stands unfold's own frame.
    assert_accessible(page, name, within="#content", rules=())


def _rosa():
    return User.objects.get(username="rosa")
