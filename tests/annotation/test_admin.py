"""The requester's pages: a new project, its home, its settings and members, and passages coming in."""

import gzip
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from annotation.forms import MAX_UPLOAD_BYTES, ImportForm, ParagraphForm
from annotation.models import Membership, Paragraph, Project
from annotation.panels import Figures, Panel, Stage, _panels, _stages, register, register_stage
from annotation.services.imports import import_file
from annotation.services.projects import create_project
from tests.annotation.factories import (
    MILL,
    PASSWORD,
    make_article,
    make_assignment,
    make_offer,
    make_paragraph,
    make_project,
    make_question,
    make_task,
    make_user,
)

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def requester(client, people):
    client.force_login(people["requester"])
    return people["requester"]


def page(name, *args):
    return reverse(f"admin:annotation_{name}", args=args)


def squad_file(*texts, name="mill.json", qas=()):
    paragraphs = [{"context": text, "qas": list(qas)} for text in texts]
    return SimpleUploadedFile(name, json.dumps({"data": [{"title": "Mill", "paragraphs": paragraphs}]}).encode())


# A new project


def test_a_new_project_asks_four_things_and_is_ready(client):
    rosa = make_user("rosa")
    client.force_login(rosa)
    asked = client.get(page("project_add")).context["form"]
    assert list(asked.fields) == ["name", "language", "preset", "spending_cap_usd"]
    answers = {"name": "Mills of Wales", "language": "cy", "preset": "squad-v1", "spending_cap_usd": "120.50"}
    made = client.post(page("project_add"), answers)
    project = Project.objects.get()
    assert made.url == page("project_home", project.pk)
    assert (project.slug, project.language, str(project.spending_cap_usd)) == ("mills-of-wales", "cy", "120.50")
    assert (project.min_percent_approved, project.min_hits_approved, project.countries) == (97, 1000, ["US", "CA"])
    assert (project.created_by, project.memberships.get().user, project.memberships.get().role) == (
        rosa,
        rosa,
        "requester",
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "x" * 201),
        ("language", "plain English"),
        ("preset", "squad-v9"),
        ("spending_cap_usd", "-1"),
        ("spending_cap_usd", "a lot"),
        ("spending_cap_usd", ""),
    ],
)
def test_what_a_new_project_cannot_be_is_said_at_its_field(client, requester, field, value):
    answers = {"name": "Mills", "language": "en", "preset": "own-crowd", "spending_cap_usd": "0"} | {field: value}
    answer = client.post(page("project_add"), answers)
    assert list(answer.context["form"].errors) == [field]
    assert Project.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "slug"), [("Mills", "mills-2"), ("الطواحين", "project"), ("M" * 80, "m" * 44), ("--", "project")]
)
def test_a_free_short_name_is_made_from_the_name(name, slug):
    make_project(slug="mills")
    assert create_project(name=name).slug == slug


def test_the_preset_fills_in_the_protocol_of_the_paper():
    project = create_project(name="Mills")
    numbers = (project.min_paragraph_chars, project.max_questions, project.seconds_per_paragraph, project.extra_answers)
    assert numbers == (500, 5, 240, 2)
    assert (project.hourly_rate_usd, project.seconds_per_answer, project.copy_lock) == (9, 24, True)
    assert (project.min_percent_approved, project.countries) == (None, [])


# The command that makes one


def test_the_command_makes_a_project_with_its_owner_and_settings():
    owner = make_user("rosa")
    settings = ["--set", "min_paragraph_chars=0", "--set", 'countries=["US"]', "--set", "min_percent_approved="]
    call_command(
        "create_project",
        "mills",
        "--name",
        "Mills",
        "--preset",
        "squad-v1",
        "--cap",
        "99.90",
        "--owner",
        "rosa",
        *settings,
    )
    project = Project.objects.get()
    assert (project.name, project.slug, str(project.spending_cap_usd)) == ("Mills", "mills", "99.90")
    assert (project.min_paragraph_chars, project.countries, project.min_percent_approved) == (0, ["US"], None)
    assert project.memberships.get().user == owner


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["mills", "--owner", "nobody"], "no user nobody"),
        (["mills", "--set", "colour=blue"], "no setting colour"),
        (["mills", "--set", "is_rehearsal=true"], "no setting is_rehearsal"),
        (["mills", "--set", "max_questions"], "FIELD=VALUE"),
        (["mills", "--set", "max_questions=many"], "max_questions"),
        (["mills", "--set", "countries=US"], "wants JSON"),
        (["mills", "--set", "train_percent=90"], "add up to a hundred"),
        (["mills", "--cap", "plenty"], "spending_cap_usd"),
        (["mills", "--language", "plain English"], "language"),
        (["a mill"], "slug"),
        (["taken"], "slug"),
    ],
)
def test_the_command_says_what_is_wrong_and_makes_nothing(arguments, says):
    make_project(slug="taken")
    with pytest.raises(CommandError, match=says):
        call_command("create_project", *arguments)
    assert Project.objects.count() == 1


# The project's page


def test_the_list_of_projects_leads_to_their_pages(client, requester, project):
    assert f'href="{page("project_home", project.pk)}"' in client.get(page("project_changelist")).content.decode()


def test_the_page_shows_each_stage_with_its_figures(client, requester, project):
    written = make_paragraph(article=make_article(project, split="dev"), text=MILL)
    make_paragraph(article=make_article(project, split="train"))
    make_question(written)
    make_assignment(make_offer(make_task(written)), status="submitted")
    stages = {
        stage["title"]: stage["figures"] for stage in client.get(page("project_home", project.pk)).context["stages"]
    }
    assert (stages["Passages"].done, stages["Passages"].waiting) == ("2 articles", "2 paragraphs")
    assert (stages["Questions"].done, stages["Questions"].waiting) == ("50 % written", "1 of 2 paragraphs to write for")
    assert stages["Review"].waiting == "1 waiting"
    assert stages["Extra answers"].waiting == "1 of 1 question needs answers"


def test_an_empty_project_offers_its_first_step_to_those_who_may_take_it(client, project, people):
    for role, may in (("requester", True), ("viewer", False)):
        client.force_login(people[role])
        body = client.get(page("project_home", project.pk)).content.decode()
        assert (page("project_import", project.pk) in body) is may


def test_higher_rooms_add_their_panels_and_stages(client, requester, project, tmp_path, settings):
    (tmp_path / "panel.html").write_text("<p>{{ project.slug }} {{ word }} {{ may_manage }} {{ may_review }}</p>")
    settings.TEMPLATES = [settings.TEMPLATES[0] | {"DIRS": [*settings.TEMPLATES[0]["DIRS"], tmp_path]}]
    register(Panel("higher", 50, "A higher room", "panel.html", lambda project, user: {"word": user.username}))
    register_stage(Stage("higher", 15, "Higher", lambda project, user: Figures("half way", wrong="3 are wrong")))
    try:
        answer = client.get(page("project_home", project.pk))
    finally:
        del _panels["higher"], _stages["higher"]
    assert f"<p>{project.slug} requester True True</p>" in answer.content.decode()
    assert "3 are wrong" in answer.content.decode()
    assert [stage["title"] for stage in answer.context["stages"]][:3] == ["Passages", "Higher", "Questions"]
    keys = [shown["panel"].key for shown in answer.context["panels"]]
    assert keys[keys.index("higher") + 1] == "passages"


def test_the_page_shows_the_splits_beside_what_was_wanted(client, requester, project):
    texts = [{"title": f"A{number}", "paragraphs": [f"Text {number}."]} for number in range(10)]
    import_file(project, "\n".join(map(json.dumps, texts)).encode(), file_name="ten.jsonl")
    body = client.get(page("project_home", project.pk)).content.decode()
    assert "ten.jsonl" in body
    for cell in ("80.0 %", "10.0 %", "10 paragraphs taken, 0 left out"):
        assert cell in body


def test_the_page_takes_as_many_queries_for_many_articles_as_for_few(
    client, requester, project, django_assert_max_num_queries
):
    for _ in range(3):
        make_question(make_paragraph(project))
    with django_assert_max_num_queries(60) as few:
        client.get(page("project_home", project.pk))
    for _ in range(12):
        make_question(make_paragraph(project))
    with django_assert_max_num_queries(len(few)):
        client.get(page("project_home", project.pk))


# Settings and members


def settings_of(client, project, **changes):
    """What the browser would send for the settings as they are, with ``changes``."""
    context = client.get(page("project_change", project.pk)).context
    sent = {}
    for form in [
        context["adminform"].form,
        *(f for i in context["inline_admin_formsets"] for f in [i.formset.management_form, *i.formset.forms]),
    ]:
        for field in form:
            value = field.value()
            if value is not None and value is not False:
                sent[field.html_name] = value
    return client.post(page("project_change", project.pk), sent | changes)


def test_saving_the_settings_leads_back_to_the_project_and_changes_what_was_changed(client, requester, project):
    saved = settings_of(client, project, max_questions="7", countries="us, CA ,us")
    assert saved.url == page("project_home", project.pk)
    before = Project.objects.values().get(pk=project.pk)
    assert (before["max_questions"], before["countries"]) == (7, ["US", "CA"])
    settings_of(client, project)
    assert Project.objects.values().get(pk=project.pk) == before


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"dev_percent": "20"}, "must add up to a hundred"),
        ({"min_questions": "6"}, "cannot be more than the most"),
        ({"countries": "Wales"}, "Two-letter country codes"),
        ({"language": "plain English"}, "BCP 47"),
    ],
)
def test_settings_that_contradict_each_other_are_refused_in_words(client, requester, project, changes, says):
    answer = settings_of(client, project, **changes)
    assert answer.status_code == 200
    assert says in answer.content.decode()


def test_a_requester_adds_members_by_their_user_name(client, requester, project):
    make_user("newcomer")
    place = {"memberships-TOTAL_FORMS": "4", "memberships-3-user": "newcomer", "memberships-3-role": "reviewer"}
    answer = settings_of(client, project, **place)
    assert answer.status_code == 302
    assert project.memberships.get(user__username="newcomer").role == "reviewer"


@pytest.mark.parametrize("name", ["nobody", "gone", "worker"])
def test_only_those_who_may_sign_in_here_become_members(client, requester, project, name):
    make_user("gone", is_active=False)
    make_user("worker", is_staff=False)
    place = {"memberships-TOTAL_FORMS": "4", "memberships-3-user": name, "memberships-3-role": "viewer"}
    answer = settings_of(client, project, **place)
    assert "Nobody of this name may sign in here." in answer.content.decode()
    assert project.memberships.count() == 3


def test_a_project_keeps_a_requester(client, requester, project):
    rows = client.get(page("project_change", project.pk)).context["inline_admin_formsets"][0].formset.forms
    own = next(form.prefix for form in rows if form.instance.user == requester)
    for change in ({f"{own}-role": "viewer"}, {f"{own}-DELETE": "on"}):
        answer = settings_of(client, project, **change)
        assert "keeps at least one requester" in answer.content.decode()
    second = next(form.prefix for form in rows if form.instance.user != requester)
    settings_of(client, project, **{f"{own}-role": "viewer", f"{second}-role": "requester"})
    assert project.memberships.get(user=requester).role == Membership.Role.VIEWER


# The import page


def test_a_file_comes_in_through_the_page_and_its_report_is_shown(client, requester, project):
    project.min_paragraph_chars = 20
    project.save()
    sent = client.post(page("project_import", project.pk), {"file": squad_file(MILL, "Short.")})
    record = project.imports.get()
    assert sent.url == page("import_change", record.pk)
    assert record.imported_by == requester
    report = client.get(sent.url).content.decode()
    assert "1 taken of 2." in report
    assert "shorter than 20 characters, the project&#x27;s shortest paragraph" in report
    assert project.paragraphs.get().text == MILL


def test_with_questions_and_skipping_faulty_ones_are_switches(client, requester, project):
    qas = [
        {"id": "ok", "question": "When?", "answers": [{"text": "1742", "answer_start": 22}]},
        {"id": "off", "question": "When?", "answers": [{"text": "1742", "answer_start": 23}]},
    ]
    address = page("project_import", project.pk)
    refused = client.post(address, {"file": squad_file(MILL, qas=qas), "with_questions": "on"})
    assert len(refused.context["faults"]) == 1
    assert "off (Mill, data[0].paragraphs[0].qas[1])" in refused.content.decode()
    assert (project.imports.count(), project.paragraphs.count()) == (0, 0)
    taken = client.post(address, {"file": squad_file(MILL, qas=qas), "with_questions": "on", "skip_faulty": "on"})
    assert project.questions.get().public_id == "ok"
    assert client.get(taken.url).content.decode().count("off (Mill") == 1


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (SimpleUploadedFile("a.json", b"not json"), "not JSON"),
        (SimpleUploadedFile("a.json", b"{}"), "data is missing"),
        (SimpleUploadedFile("empty.json", b""), "empty"),
        (None, "required"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_beside_its_field(client, requester, project, file, says):
    answer = client.post(page("project_import", project.pk), {"file": file} if file else {})
    assert says in " ".join(answer.context["form"].errors["file"])
    assert project.imports.count() == 0


def test_a_file_larger_than_the_page_takes_is_refused():
    for size, fits in ((MAX_UPLOAD_BYTES, True), (MAX_UPLOAD_BYTES + 1, False)):
        upload = SimpleUploadedFile("a.json", b"{")
        upload.size = size
        assert ImportForm({}, {"file": upload}).is_valid() is fits


def test_a_small_file_that_unpacks_to_a_large_one_is_refused(client, requester, project):
    bomb = SimpleUploadedFile("a.json.gz", gzip.compress(b" " * (MAX_UPLOAD_BYTES + 2)))
    answer = client.post(page("project_import", project.pk), {"file": bomb})
    assert "larger than" in " ".join(answer.context["form"].errors["file"])


@pytest.mark.parametrize(
    ("role", "status"), [("viewer", 403), ("reviewer", 403), ("outsider", 404), ("requester", 302)]
)
def test_requesters_alone_import(client, project, people, role, status):
    client.force_login(people[role])
    assert client.post(page("project_import", project.pk), {"file": squad_file(MILL)}).status_code == status
    assert project.paragraphs.count() == (status == 302)


# A paragraph's text

AWKWARD = "\n  Brann  Castle\tstands above\n\n the Ilve. \u00a0\n "


def test_a_form_changes_nothing_of_a_text_that_a_browser_sends_back(project):
    paragraph = make_paragraph(project, text=AWKWARD)
    for sent in (AWKWARD, AWKWARD.replace("\n", "\r\n")):
        form = ParagraphForm({"text": sent}, instance=paragraph)
        assert form.is_valid(), form.errors
        form.save()
        stored = Paragraph.objects.get(pk=paragraph.pk)
        assert (stored.text, stored.text_sha256) == (AWKWARD, paragraph.text_sha256)


def test_the_text_box_gives_the_text_back_as_html_reads_it(client, requester, project):
    paragraph = make_paragraph(project, text=AWKWARD)
    body = client.get(page("paragraph_change", paragraph.pk)).content.decode()
    # HTML drops one line end right after the tag; the text's own first line end must be the second.
    assert f">\n{AWKWARD}</textarea>" in body


@pytest.mark.parametrize("case", ["s04_crlf.json", "s06_leading_space.json"])
def test_a_passage_saved_unchanged_keeps_its_text(client, requester, project, shared_dir, case):
    import_file(project, (shared_dir / "cases" / case).read_bytes(), file_name=case)
    paragraph = project.paragraphs.get()
    sent = client.post(page("paragraph_change", paragraph.pk), {"text": paragraph.text.replace("\n", "\r\n")})
    assert sent.status_code == 302
    assert Paragraph.objects.get(pk=paragraph.pk).text == paragraph.text


def test_a_text_may_be_mended_before_anybody_works_on_it(client, requester, project):
    paragraph = make_paragraph(project, text="The mil was built.\n")
    client.post(page("paragraph_change", paragraph.pk), {"text": "The mill was built.\r\n", "why": "A typo."})
    stored = Paragraph.objects.get(pk=paragraph.pk)
    assert stored.text == "The mill was built.\n"
    # Its hash moved along, so the same text is still found as a duplicate.
    report = import_file(project, squad_file("The mill was built.\n").read(), file_name="a").report
    assert report["paragraphs"]["dropped"]["already_there"]["count"] == 1


@pytest.mark.parametrize("text", ["", "   ", "short", "x" * 100_001, "Another paragraph's text, exactly."])
def test_a_text_that_an_import_would_refuse_is_refused(client, requester, project, text):
    project.min_paragraph_chars = 10
    project.save()
    make_paragraph(project, text="Another paragraph's text, exactly.")
    paragraph = make_paragraph(project, text=MILL)
    answer = client.post(page("paragraph_change", paragraph.pk), {"text": text})
    assert (answer.status_code, list(answer.context["adminform"].form.errors)) == (200, ["text"])
    assert Paragraph.objects.get(pk=paragraph.pk).text == MILL


def test_a_text_with_questions_or_in_a_task_is_read_only_and_says_why(client, requester, project):
    asked = make_question(make_paragraph(project)).paragraph
    offered = make_task(make_paragraph(project)).task_paragraphs.get().paragraph
    for paragraph in (asked, offered):
        address = page("paragraph_change", paragraph.pk)
        body = client.get(address).content.decode()
        assert "its text cannot" in body or "No: it is in a task or has questions" in body
        assert "<textarea" not in body
        client.post(address, {"text": "Something else that is long enough."})
        assert Paragraph.objects.get(pk=paragraph.pk).text == paragraph.text


def test_a_question_that_comes_while_the_text_is_being_mended_wins(client, requester, project, monkeypatch):
    paragraph = make_paragraph(project, text=MILL)
    make_question(paragraph)
    # The page was rendered before the question was there.
    monkeypatch.setattr("annotation.admin.is_in_work", lambda paragraph: False)
    answer = client.post(page("paragraph_change", paragraph.pk), {"text": f"{MILL} More.", "why": "x"}, follow=True)
    assert "The text was not changed" in answer.content.decode()
    assert Paragraph.objects.get(pk=paragraph.pk).text == MILL


# The frame of the pages


def test_the_content_policy_gives_way_under_the_admin_alone(client, requester, project):
    policy = client.get(page("project_home", project.pk))["Content-Security-Policy"]
    assert "script-src 'self' 'unsafe-eval'" in policy
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "frame-ancestors 'none'" in policy
    elsewhere = client.get("/no-such-page/")["Content-Security-Policy"]
    assert "unsafe" not in elsewhere
    assert "script-src 'self'" in elsewhere.split("; ")  # which come in another order in each process


def test_signing_in_leads_to_the_projects(client):
    make_user("rosa")
    answer = client.post(reverse("admin:login"), {"username": "rosa", "password": PASSWORD})
    assert answer.url == page("project_changelist")


def test_the_sidebar_has_projects_first_and_shows_each_what_they_may_open(client, people):
    for role, sees_users in (("viewer", False), ("superuser", True)):
        client.force_login(people[role])
        groups = client.get(page("project_changelist")).context["sidebar_navigation"]
        links = [item["link"] for group in groups for item in group["items"]]
        assert links[0] == page("project_changelist")
        assert (reverse("admin:accounts_user_changelist") in links) is sees_users


def test_a_long_list_of_paragraphs_takes_few_queries(client, requester, project):
    for _ in range(20):
        make_paragraph(project)
    with connection.execute_wrapper(counter := _Counter()):
        client.get(page("paragraph_changelist"))
    assert counter.count < 15


class _Counter:
    count = 0

    def __call__(self, execute, sql, params, many, context):
        self.count += 1
        return execute(sql, params, many, context)
